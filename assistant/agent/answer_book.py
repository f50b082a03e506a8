"""The answers that a profile keeps to give them again: one file in its folder, whatever the settings say now."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.core.errors import EmbeddingError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from assistant.cache.semantic_cache import SemanticCache
    from assistant.config.settings import CacheMode
    from assistant.embedding.base import Embedder, Priority, Vectors
    from assistant.memory.ledger.ledger import MemoryLedger

FILE_NAME = "answers.db"


def session_mark(session_id: str) -> str:
    """What stands among the ids that an answer was made with for the conversation that it was given in."""
    return f"session:{session_id}"


@dataclass(frozen=True, slots=True)
class KeptAnswers:
    """What is kept.

    Attributes:
        count: answers.
        size: bytes of their file, with what the database keeps beside it.
    """

    count: int = 0
    size: int = 0


class OpeningLedger(Protocol):
    """A memory that is still being opened."""

    async def ledger(self) -> MemoryLedger: ...


class MemoryEmbedder:
    """The embedder of the long-term memory, as soon as that is open. It stays the memory's to close.

    Args:
        memory: gives the memory in force.
    """

    def __init__(self, memory: Callable[[], OpeningLedger]) -> None:
        self._memory = memory
        self._found: Embedder | None = None

    @property
    def embedder_id(self) -> str:
        return self._known().embedder_id

    @property
    def dimension(self) -> int:
        return self._known().dimension

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        self._found = (await self._memory().ledger()).embedder
        return await self._known().embed(texts, priority=priority)

    async def close(self) -> None:
        """Nothing to do."""

    def _known(self) -> Embedder:
        if self._found is None:
            raise EmbeddingError(
                "There is no embedding model, so questions are compared by their words alone."
            )
        return self._found


class AnswerBook:
    """Keeps at most one cache open on the file.

    Args:
        folder: gives the profile's folder.
        embedder: compares questions by meaning.
    """

    def __init__(self, folder: Callable[[], Path], embedder: Embedder) -> None:
        self._folder = folder
        self._embedder = embedder
        self._cache: SemanticCache | None = None
        self._mode: CacheMode = "off"
        self._opening = asyncio.Lock()

    async def cache(self, mode: CacheMode) -> SemanticCache | None:
        """The cache for that setting, None when nothing is to be given again."""
        if mode == "off":
            return None
        async with self._opening:
            return await self._opened(mode)

    async def forget(self, memory_ids: Iterable[str]) -> int:
        """Remove the answers that were made with one of these memories; how many. A session_mark stands for those that
        were given in a conversation.

        Raises:
            StorageError: it failed; what is left is not known.
        """
        wanted = tuple(memory_ids)
        cache = await self._existing() if wanted else None
        return 0 if cache is None else await cache.forget(wanted)

    async def clear(self, owner: str) -> int:
        """Remove all answers of an owner; how many there were. No trace is left in the file.

        Raises:
            StorageError: it failed; what is left is not known.
        """
        cache = await self._existing()
        return 0 if cache is None else await cache.purge_user(owner)

    async def kept(self) -> KeptAnswers:
        """How much there is.

        Raises:
            StorageError: the file can't be read.
        """
        cache = await self._existing()
        if cache is None:
            return KeptAnswers()
        return KeptAnswers(await cache.count(), await asyncio.to_thread(_size, self._file))

    async def close(self) -> None:
        """Close the file; the next use opens it again."""
        async with self._opening:
            await self._close()

    @property
    def _file(self) -> Path:
        return self._folder() / FILE_NAME

    async def _existing(self) -> SemanticCache | None:
        """A cache on the file, if there is one, although the setting may not use it."""
        async with self._opening:
            if self._cache is not None:
                return self._cache
            return await self._opened("exact") if await asyncio.to_thread(self._file.exists) else None

    async def _opened(self, mode: CacheMode) -> SemanticCache:
        if self._cache is None or mode != self._mode:
            from assistant.cache.semantic_cache import SemanticCache

            await self._close()
            self._cache = SemanticCache(
                match="semantic" if mode == "semantic" else "exact",
                backend="sqlite",
                path=self._file,
                embedder=self._embedder,
            )
            self._mode = mode
        return self._cache

    async def _close(self) -> None:
        cache, self._cache = self._cache, None
        if cache is not None:
            await cache.close()


def _size(path: Path) -> int:
    parts = (path.with_name(path.name + part) for part in ("", "-wal", "-shm"))
    return sum(part.stat().st_size for part in parts if part.exists())
