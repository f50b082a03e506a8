"""Finds memories for a query: reads the query, ranks the owner's shelf, fetches what is worth it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

import apsw
import numpy as np

from assistant.core.clock import Clock
from assistant.core.errors import AssistantError, StoreDamagedError
from assistant.core.types import Message
from assistant.embedding.base import Embedder, Vectors
from assistant.memory.base import TURN, MemoryResult
from assistant.memory.ledger import entries, lookup, queries
from assistant.memory.ledger.entry import MICROS_A_DAY, Entry, source_session
from assistant.memory.ledger.shelves import OwnerShelf, Shelves
from assistant.memory.ledger.store import LedgerStore
from assistant.memory.ledger.vector_index import VectorIndex
from assistant.memory.recall import times
from assistant.memory.recall.follow_up import Question, completed
from assistant.memory.recall.personal import asks_about_oneself
from assistant.memory.recall.ranking import Asked, Posting, Scores, best, rank, squashed
from assistant.memory.recall.result import Recall, RecalledMemory, Why
from assistant.memory.recall.selection import Candidate, fitting, pinned, worthwhile
from assistant.memory.recall.shelf import Shelf
from assistant.memory.recall.windows import Floats
from assistant.memory.recall.words import has_subject, query_words
from assistant.memory.rules import micros_of, moment_of

_log = logging.getLogger(__name__)

_PATIENCE = 2.0
"""Seconds after a shelf was made until which a query waits for its vectors; then it goes on without them."""

_PATIENCE_WITH_INDEX = 1.0
"""Seconds that a query waits for the index itself, which may be busy."""

_WORTH_FETCHING = 200
_FEWEST_TOKENS = 18
_CARRIED = 0.1
_SAME_TIME = 0.5
_NEAREST = 300


@dataclass(frozen=True, slots=True)
class _Hit:
    """What the shelf said of one memory; taken at once, since a shelf changes."""

    memory_id: str
    number: int
    total: float
    cosine: float | None
    evidence: float
    nearby: float
    speaker: str | None
    time: float
    answers: bool
    tells_time: bool
    pinned: bool


class Recaller:
    """Answers queries over the shelves.

    Args:
        store, shelves: the record and what is loaded of it.
        index: asked for the nearest memories while a shelf has no vectors; None without one.
        index_opened: set once it can be asked.
        embedder: makes the query's vector; None without one.
        clock: tells what "yesterday" is.
    """

    def __init__(
        self,
        store: LedgerStore,
        shelves: Shelves,
        clock: Clock,
        *,
        index: VectorIndex | None,
        index_opened: asyncio.Event,
        embedder: Embedder | None,
    ) -> None:
        self._store = store
        self._shelves = shelves
        self._clock = clock
        self._index = index
        self._index_opened = index_opened
        self._embedder = embedder

    async def search(self, owner: str, query: str, limit: int) -> list[MemoryResult]:
        """The memories that fit best, at most `limit`."""
        kept = await self._shelves.get(owner)
        asked, cosines = await self._read(owner, kept, query)
        shelf = kept.shelf

        def work() -> tuple[list[str], list[float]]:
            totals = rank(shelf, asked, cosines=_sized(cosines, shelf.count)).total
            slots = best(totals, limit)
            return [shelf.ids[slot] for slot in slots], [float(totals[slot]) for slot in slots]

        ids, totals = await self._shelves.on_shelf(work)
        found = await self._entries(owner, ids)
        return [
            found[memory_id].record.result(squashed(total))
            for memory_id, total in zip(ids, totals, strict=True)
            if memory_id in found
        ]

    async def recall(
        self,
        owner: str,
        query: str,
        *,
        history: Sequence[Message],
        session_id: str | None,
        token_budget: int,
        said: bool = True,
    ) -> Recall:
        """What is worth injecting for a query, as much as fits."""
        question = completed(query, history)
        kept = await self._shelves.get(owner)
        asked, cosines = await self._read(owner, kept, question.completed)
        shelf = kept.shelf
        fits, personal = has_subject(question.completed), asks_about_oneself(query)

        def work() -> list[_Hit]:
            scores = rank(shelf, asked, cosines=_sized(cosines, shelf.count))
            most = token_budget // _FEWEST_TOKENS + 1
            limit = min(most, _WORTH_FETCHING)
            found = worthwhile(shelf, scores, limit, running=session_id, personal=personal, said=said)
            return _hits(shelf, scores, [*pinned(shelf).tolist(), *(found.tolist() if fits else [])])

        hits = await self._shelves.on_shelf(work)
        found = await self._entries(owner, [hit.memory_id for hit in hits])
        in_prompt = {message.content.strip() for message in history} | {query.strip()}
        known = [
            (hit, found[hit.memory_id])
            for hit in hits
            if hit.memory_id in found and not _is_in_prompt(found[hit.memory_id], session_id, in_prompt)
        ]
        candidates = [_candidate(place, entry) for place, (_, entry) in enumerate(known)]
        chosen = fitting(candidates, token_budget)
        items = tuple(
            _item(*known[candidate.place], tokens, asked, question)
            for candidate, tokens in zip(chosen.candidates, chosen.tokens, strict=True)
        )
        return Recall(
            items=items,
            query=question.completed,
            tokens=sum(chosen.tokens),
            keywords_only=asked.vector is None or cosines is not None,
            left_out=chosen.left_out,
        )

    # ---- inside

    async def _read(self, owner: str, kept: OwnerShelf, query: str) -> tuple[Asked, Floats | None]:
        """The query as the ranking takes it, and the cosines when they do not come from the shelf."""
        now = self._clock.now()
        words = query_words(query)
        living = kept.shelf.living
        looking = asyncio.ensure_future(self._postings(owner, words, living))
        # Whoever waits is told of a failure; with nobody left, it is not an unhandled one.
        looking.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            vector = await self._vector(query) if living else None
            postings = await looking
        finally:
            looking.cancel()
        cosines = None
        if vector is not None and not await self._has_vectors(kept):
            cosines = await self._nearest(owner, kept.shelf, vector)
        local = now.astimezone()
        asked = Asked(
            postings=postings,
            vector=vector,
            periods=times.periods_in(query, local.date()),
            wants_time=times.asks_when(query),
            names=frozenset(query.casefold().replace("’", "'").replace("'s", "").split()) | frozenset(words),
            now=micros_of(now) / MICROS_A_DAY,
            zone_days=(local.utcoffset() or timedelta()) / timedelta(days=1),
        )
        return asked, cosines

    async def _vector(self, query: str) -> Vectors | None:
        if self._embedder is None:
            return None
        try:
            vectors = await self._embedder.embed([query], priority="query")
        except AssistantError as exc:
            _log.warning("a query is answered by its words alone: %s %s", exc.title, exc.detail)
            return None
        return np.asarray(vectors[0], np.float32)

    async def _has_vectors(self, kept: OwnerShelf) -> bool:
        if not kept.filled.is_set():
            left = kept.loaded_at + _PATIENCE - asyncio.get_running_loop().time()
            if left <= 0:
                return False
            try:
                await asyncio.wait_for(kept.filled.wait(), left)
            except TimeoutError:
                return False
        return bool(kept.shelf.vectors.shape[1])

    async def _nearest(self, owner: str, shelf: Shelf, vector: Vectors) -> Floats | None:
        """The cosines of the memories that the index finds nearest; 0 for all others."""
        cosines = np.zeros(shelf.count, np.float32)
        if self._index is None or not self._index_opened.is_set():
            return cosines
        try:
            async with asyncio.timeout(_PATIENCE_WITH_INDEX):
                found = await self._index.query(owner or None, vector, _NEAREST)
        except TimeoutError:
            return cosines
        except AssistantError as exc:
            _log.warning("a query is answered by its words alone: %s %s", exc.title, exc.detail)
            return cosines
        for memory_id, cosine in found:
            slot = shelf.slot_of.get(memory_id)
            if slot is not None and slot < len(cosines):
                cosines[slot] = cosine
        return cosines

    async def _postings(self, owner: str, words: Sequence[str], living: int) -> list[Posting]:
        def look(connection: apsw.Connection, number: int) -> list[Posting]:
            return lookup.postings(connection, number, words, living)

        try:
            return await self._store.read_owner(owner, look) or []
        except StoreDamagedError as exc:
            _log.warning("the words of a memory are indexed anew: %s", exc.detail)
            await self._store.write_owner(owner, entries.rebuild_words)
            return await self._store.read_owner(owner, look) or []

    async def _entries(self, owner: str, ids: Sequence[str]) -> dict[str, Entry]:
        found = await self._store.read_owner(
            owner, lambda connection, number: queries.by_ids(connection, number, ids)
        )
        return {memory_id: entry for memory_id, entry in (found or {}).items() if entry.is_found}


def _is_in_prompt(entry: Entry, session_id: str | None, said: set[str]) -> bool:
    if entry.details.kind != TURN:
        return False
    return (
        session_id is not None and entry.details.session == session_id
    ) or entry.record.content.strip() in said


def _sized(cosines: Floats | None, count: int) -> Floats | None:
    """`cosines` for a shelf that may have grown since they were found."""
    if cosines is None:
        return None
    return np.concatenate([cosines, np.zeros(max(count - len(cosines), 0), np.float32)])[:count]


def _hits(shelf: Shelf, scores: Scores, slots: Sequence[int]) -> list[_Hit]:
    columns = shelf.columns
    nearby = shelf.windows.best(scores.evidence)
    previous = shelf.windows.previous(shelf.count)
    names = {code: name for name, code in shelf.speakers.items()}
    return [
        _Hit(
            memory_id=shelf.ids[slot],
            number=int(columns.number[slot]),
            total=float(scores.total[slot]),
            cosine=float(scores.cosine[slot]) if columns.indexed[slot] or scores.cosine[slot] else None,
            evidence=float(scores.evidence[slot]),
            nearby=float(nearby[slot]),
            speaker=names.get(int(columns.speaker[slot])) if scores.speaker[slot] else None,
            time=float(scores.time[slot]),
            answers=bool(previous[slot] >= 0 and columns.questions[previous[slot]] > 0),
            tells_time=bool(columns.tells_time[slot]),
            pinned=bool(columns.pinned[slot]),
        )
        for slot in slots
    ]


def _candidate(place: int, entry: Entry) -> Candidate:
    is_turn = entry.details.kind == TURN
    return Candidate(
        place=place,
        content=entry.record.content,
        is_turn=is_turn,
        session=entry.details.session if is_turn else source_session(entry),
        quote=entry.details.quote,
    )


def _item(hit: _Hit, entry: Entry, tokens: int, asked: Asked, question: Question) -> RecalledMemory:
    held = {posting.word for posting in asked.postings if hit.number in posting.numbers}
    period = asked.periods[0].phrase if asked.periods and hit.time > _SAME_TIME else None
    said = moment_of(entry.said)
    return RecalledMemory(
        memory=entry.record.result(squashed(hit.total)),
        kind=entry.details.kind,
        said_on=None if said is None else said.date(),
        speaker=entry.details.speaker or "",
        tokens=tokens,
        why=Why(
            similarity=hit.cosine,
            words=tuple(word for word in query_words(question.completed) if word in held),
            nearby=hit.nearby > hit.evidence + _CARRIED,
            speaker=entry.details.speaker if hit.speaker else None,
            period=period,
            answers=hit.answers,
            tells_time=asked.wants_time and hit.tells_time,
            pinned=hit.pinned,
            follow_up=question.is_follow_up,
        ),
    )
