"""The answer cache: what was answered once can be answered again, to the same person in the same situation."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import MappingProxyType

from assistant.cache.base import (
    CacheBackend,
    CachedAnswer,
    CacheMatch,
    CacheScope,
    CacheStats,
    KeptAnswer,
)
from assistant.cache.bodies import packed, unpacked
from assistant.cache.choosing import Chooser
from assistant.cache.keys import KeyMaker
from assistant.cache.options import (
    checked_lifetime,
    checked_limits,
    checked_match,
    checked_scope,
    checked_threshold,
)
from assistant.cache.outage import Outage
from assistant.cache.places import backend_of
from assistant.cache.reading import Reading, read_question
from assistant.cache.sealing import KeySource, NoSealing, Sealing, no_key, open_sealing
from assistant.cache.vectors import EmbedderFactory, Similarity, default_embedder
from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import (
    AssistantError,
    EmbeddingError,
    InvalidInputError,
    StorageError,
    StoreClosedError,
)
from assistant.core.text import check_text
from assistant.core.types import CallerContext
from assistant.embedding.base import Embedder
from assistant.storage.moments import to_micros

_log = logging.getLogger(__name__)

DEFAULT_TTL = timedelta(days=30)
_CANDIDATES = 8
_LONGEST_QUESTION = 20_000
"""Characters; whoever asks more gives a document along, and hardly the same one again."""


class SemanticCache:
    """Gives an answer again when the same is asked in the same situation.

    The situation is the caller, the model, the instructions and the context: the earlier messages and the memories
    that were quoted (see `context_digest`). An exact match is the same question but for case, blanks and the mark
    at its end. A semantic one may be worded otherwise; guards keep apart what only looks alike: numbers, dates,
    names, denials, the order of words, units, opposites, follow-ups. Questions whose answer changes with the hour
    ("today", "the latest") are not cached.

    A place that fails (a server that is down) makes every question a miss; the log says so once. Forgetting does
    raise then.

    Args:
        scope: "per_user", or "shared": everybody gets everybody's answers.
        match: "exact", or "semantic" for both kinds.
        similarity_threshold: above 0, at most 1; the least cosine of two questions whose difference is more than
            wording.
        backend: "memory"; "sqlite", which outlives the process; "redis"; or a backend.
        path: the file of "sqlite"; by default beside the user's data.
        redis_url: the server of "redis".
        ttl: seconds or a timedelta that an answer lives; None for as long as there is room.
        max_entries: answers in all.
        max_entries_per_owner: answers of one caller. The oldest go first.
        encrypt: questions, answers and memory ids are sealed at rest.
        key: gives the key for that (see `key_of`).
        embedder: compares questions; an embedder, a factory, or None for the one that comes with Keepsake.
        clock: tells the time.

    Raises:
        InvalidInputError: an option that does not exist or is out of its range.
        SecretsError: encrypt without a key source.
    """

    def __init__(
        self,
        *,
        scope: CacheScope = "per_user",
        match: CacheMatch = "semantic",
        similarity_threshold: float = 0.95,
        backend: str | CacheBackend = "memory",
        path: Path | str | None = None,
        redis_url: str = "redis://127.0.0.1:6379/0",
        ttl: float | timedelta | None = DEFAULT_TTL,
        max_entries: int = 100_000,
        max_entries_per_owner: int = 1_000,
        encrypt: bool = False,
        key: KeySource | None = None,
        embedder: Embedder | EmbedderFactory | None = None,
        clock: Clock | None = None,
    ) -> None:
        checked_scope(scope)
        checked_match(match)
        self._shared = scope == "shared"
        self._semantic = match == "semantic"
        threshold = checked_threshold(similarity_threshold)
        self._lifetime = checked_lifetime(ttl)
        self._limits = checked_limits(max_entries_per_owner, max_entries)
        if not isinstance(encrypt, bool):
            raise InvalidInputError(f"encrypt is True or False; got {encrypt!r}.")
        if encrypt and key is None:
            raise no_key()
        self._key = key if encrypt else None
        self._backend = backend_of(backend, path=path, redis_url=redis_url)
        self._similarity = Similarity(default_embedder if embedder is None else embedder)
        self._chooser = Chooser(self._similarity, threshold)
        self._clock = clock or SystemClock()
        self._sealing: Sealing | None = None
        self._keys = KeyMaker(shared=self._shared)
        self._outage = Outage()
        self._writing = asyncio.Lock()
        self._counted: Counter[str] = Counter()
        self._moment = 0
        self._gone: dict[str, int] = {}
        self._closed = False

    @property
    def moment(self) -> int:
        """Grows with each forgetting; `put` takes the one from when the answer was begun."""
        return self._moment

    def warmup(self) -> None:
        """Load the embedding model. Blocks; nothing to do for exact matching.

        Raises:
            EmbeddingError: the model can't be loaded.
        """
        read_question("How do I start?")
        if self._semantic:
            self._similarity.warmup()

    async def open(self) -> None:
        """Get the key and the place of the answers ready; the first use does it otherwise.

        Raises:
            SecretsError: encryption was asked for and its key can't be had.
            StoreClosedError: after close.
        """
        await self._sealed()
        try:
            await self._ready()
        except StorageError as error:
            self._failed(error)

    async def get(
        self,
        question: str,
        *,
        caller: CallerContext | None,
        model: str,
        instructions: str = "",
        context: str = "",
    ) -> CachedAnswer | None:
        """The answer to `question`, None when there is none to give.

        Args:
            question: what is asked.
            caller: who asks; without one nothing is looked up.
            model: names the model and where it is.
            instructions: what the model is told to be.
            context: a digest of what else it is told (see `context_digest`).

        Raises:
            InvalidTextError: the question is not valid Unicode.
            SecretsError: as in open.
            StoreClosedError: after close.
        """
        reading = self._read(question, caller)
        if caller is None or reading is None:
            return None
        sealing = await self._sealed()
        keys = self._keys.keys(reading, caller.owner, model, instructions, context)
        if self._outage.wait():
            self._counted["misses"] += 1
            return None
        try:
            await self._ready()
            gist = keys.gist if self._semantic else ""
            kept = await self._backend.find(keys.shelf, keys.exact, gist, now=self._now(), limit=_CANDIDATES)
            self._outage.over()
            found = await self._chooser.best(question, reading, keys.exact, unpacked(kept, sealing))
        except StoreClosedError:
            raise
        except (StorageError, EmbeddingError) as error:
            self._failed(error)
            found = None
        self._counted[found.match if found is not None else "misses"] += 1
        return found

    async def put(
        self,
        question: str,
        answer: str,
        *,
        caller: CallerContext | None,
        model: str,
        instructions: str = "",
        context: str = "",
        used: Sequence[str] = (),
        finish: str = "stop",
        since: int | None = None,
    ) -> bool:
        """Keep `answer`; False when it is not kept.

        Args:
            question, caller, model, instructions, context: as in get.
            used: ids of the memories that the answer was made with; forgetting one of them removes it.
            finish: why the reply ended; anything but "stop" is a partial one and not kept.
            since: `moment` when the answer was begun; what was forgotten after it keeps the answer out.

        Raises:
            As get.
        """
        reading = self._read(question, caller)
        if caller is None or reading is None:
            return False
        if finish != "stop" or not answer.strip():
            self._counted["dropped"] += 1
            return False
        check_text(answer)
        sealing = await self._sealed()
        keys = self._keys.keys(reading, caller.owner, model, instructions, context)
        memories = tuple(self._keys.memory(memory_id) for memory_id in dict.fromkeys(used))
        body = packed(question, answer, used, sealing)
        async with self._writing:
            if since is not None and any(
                self._gone.get(part, -1) >= since for part in (keys.owner, *memories)
            ):
                self._counted["dropped"] += 1
                return False
            if self._outage.wait():
                return False
            try:
                await self._ready()
                now = self._now()
                expires = None if self._lifetime is None else now + self._lifetime
                kept = KeptAnswer(keys, body, memories, now, expires)
                await self._backend.put(kept, limits=self._limits, now=now)
            except StoreClosedError:
                raise
            except StorageError as error:
                self._failed(error)
                return False
            self._outage.over()
        self._counted["stored"] += 1
        return True

    async def discard(
        self,
        found: CachedAnswer,
        *,
        caller: CallerContext,
        model: str,
        instructions: str = "",
        context: str = "",
    ) -> None:
        """Remove an answer that `get` gave, and that must not be given again.

        Raises:
            StorageError, StoreClosedError, SecretsError: it could not be removed.
        """
        await self._sealed()
        await self._ready()
        keys = self._keys.keys(read_question(found.question), caller.owner, model, instructions, context)
        async with self._writing:
            await self._backend.remove(keys)

    async def purge_user(self, user_id: str) -> int:
        """Remove all answers given to a caller (`CallerContext.owner`), and return how many there were.

        Raises:
            InvalidInputError: no user.
            StorageError, StoreClosedError, SecretsError: it failed; what is left is not known.
        """
        if not isinstance(user_id, str) or not user_id:
            raise InvalidInputError("purge_user needs the id of a user.")
        await self._sealed()
        owner = self._keys.owner(check_text(user_id))
        async with self._writing:
            self._mark_gone([owner])
            await self._ready()
            return await self._backend.remove_owner(owner)

    async def forget(self, memory_ids: Iterable[str]) -> int:
        """Remove all answers that were made with one of these memories (forgotten or changed since).

        Returns:
            How many there were.

        Raises:
            StorageError, StoreClosedError, SecretsError: it failed; what is left is not known.
        """
        await self._sealed()
        memories = [self._keys.memory(memory_id) for memory_id in memory_ids]
        if not memories:
            return 0
        async with self._writing:
            self._mark_gone(memories)
            await self._ready()
            return await self._backend.remove_memories(memories)

    async def count(self, user_id: str | None = None) -> int:
        """How many answers are kept (for one caller), expired ones that are not cleared yet included.

        Raises:
            StorageError, StoreClosedError, SecretsError: the place of the answers failed.
        """
        await self._sealed()
        await self._ready()
        return await self._backend.count(None if user_id is None else self._keys.owner(user_id))

    def stats(self) -> CacheStats:
        """What happened since this cache was made."""
        return replace(CacheStats(), **self._counted, refused=MappingProxyType(dict(self._chooser.refused)))

    async def close(self) -> None:
        """Close the place of the answers and the embedder that was opened here. Safe to call twice."""
        self._closed = True
        try:
            await self._backend.close()
        finally:
            await self._similarity.close()

    def _read(self, question: str, caller: CallerContext | None) -> Reading | None:
        if self._closed:
            raise _closed()
        check_text(question)
        fits = question.strip() and len(question) <= _LONGEST_QUESTION
        reading = read_question(question) if caller is not None and fits else None
        if reading is None or reading.passing:
            self._counted["skipped"] += 1
            return None
        return reading

    def _mark_gone(self, parts: Iterable[str]) -> None:
        for part in parts:
            self._gone[part] = self._moment
        self._moment += 1
        self._similarity.forget()

    async def _sealed(self) -> Sealing:
        if self._closed:
            raise _closed()
        if self._sealing is None:
            sealing: Sealing = NoSealing() if self._key is None else await open_sealing(self._key)
            self._keys = KeyMaker(sealing.secret, shared=self._shared)
            self._sealing = sealing
        return self._sealing

    async def _ready(self) -> None:
        await self._backend.open((await self._sealed()).fingerprint)

    def _failed(self, error: AssistantError) -> None:
        self._counted["failures"] += 1
        self._outage.begun(error)

    def _now(self) -> int:
        return to_micros(self._clock.now())


def _closed() -> StoreClosedError:
    return StoreClosedError("The answer cache was closed.")
