"""Brings the index up to the record, in the background and in batches.

What is in the record is safe; what the index lacks is only not found by meaning yet.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile

from assistant.core.errors import AssistantError
from assistant.core.tasks import Supervisor
from assistant.embedding.base import Embedder, Vectors
from assistant.memory.ledger import queries
from assistant.memory.ledger.entry import Entry
from assistant.memory.ledger.shelves import Shelves
from assistant.memory.ledger.store import LedgerStore
from assistant.memory.ledger.vector_index import VectorIndex
from assistant.memory.record import Record

_log = logging.getLogger(__name__)

_BATCH = 256
Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class IndexProgress:
    """How far the index is behind the record.

    Attributes:
        done, total: memories indexed and to be indexed since it was last complete; equal when it is complete.
        failed: memories that could not be indexed; they are tried again with the next change.
    """

    done: int = 0
    total: int = 0
    failed: int = 0


class Indexer:
    """Embeds memories and writes them to the index.

    Args:
        store, shelves: the record and what is loaded of it.
        index: takes the vectors.
        embedder: makes them.
        tasks: owns the background work.
        tell: called in the loop after each batch.
        ready: set once the index is open.
    """

    def __init__(
        self,
        store: LedgerStore,
        shelves: Shelves,
        index: VectorIndex,
        embedder: Embedder,
        tasks: Supervisor,
        tell: Callable[[IndexProgress], None],
        ready: asyncio.Event,
    ) -> None:
        self._store = store
        self._shelves = shelves
        self._index = index
        self._embedder = embedder
        self._tasks = tasks
        self._tell = tell
        self._ready = ready
        self._disabled = False
        self._queue: dict[Key, None] = {}
        self._in_hand: Counter[Key] = Counter()
        self._failed: set[Key] = set()
        self._done = 0
        self._worker: asyncio.Task[None] | None = None
        self._progressed = asyncio.Condition()
        # Held over a check against the record and the write to the index that follows it, so that nothing is
        # written that was removed meanwhile, and over vectors on their way from the index to a shelf.
        self.order = asyncio.Lock()

    @property
    def progress(self) -> IndexProgress:
        left = len(self._queue.keys() | self._in_hand.keys())
        return IndexProgress(self._done, self._done + left, len(self._failed))

    def want(self, owner: str, ids: Iterable[str]) -> None:
        """Have memories indexed, soon."""
        if self._disabled:
            return
        self._queue |= dict.fromkeys((owner, memory_id) for memory_id in ids)
        if not self._queue:
            return
        self._queue |= dict.fromkeys(self._failed)
        self._failed.clear()
        if self._worker is None or self._worker.done():
            self._worker = self._tasks.start(self._work(), name="index memories")
            self._worker.add_done_callback(self._stopped)

    async def settled(self, owner: str, ids: Sequence[str]) -> None:
        """Wait until those memories are indexed, or could not be."""
        keys = [(owner, memory_id) for memory_id in ids]
        async with self._progressed:
            await self._progressed.wait_for(lambda: not any(map(self._is_open, keys)))

    async def idle(self) -> None:
        """Wait until nothing is left to do."""
        async with self._progressed:
            await self._progressed.wait_for(lambda: not self._queue and not self._in_hand)

    async def remove(self, owner: str, ids: Sequence[str]) -> None:
        """Remove memories from the index. They must be gone from the record already.

        Raises:
            MemoryStoreError, StorageError: they are still in the index; the next start removes them.
        """
        async with self.order:
            await self._index.remove(owner or None, ids)

    async def drop(self, owner: str) -> None:
        """Remove an owner's partition. Errors as in remove."""
        async with self.order:
            await self._index.drop(owner or None)

    async def close(self) -> None:
        """Stop after the batch that runs, for good; whoever waits goes on. Safe to call twice."""
        self._disabled = True
        self._queue.clear()
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.cancel()
            await asyncio.wait([worker])
        self._in_hand.clear()
        await self._ring()

    def _stopped(self, worker: asyncio.Task[None]) -> None:
        """After a failure that nobody foresaw (the supervisor tells it) nothing is in hand, and nobody waits for it."""
        if worker.cancelled() or worker.exception() is None or self._disabled:
            return
        self._failed |= self._queue.keys() | self._in_hand.keys()
        self._queue.clear()
        self._in_hand.clear()
        self._tasks.start(self._ring(), name="tell that indexing stopped")

    async def _ring(self) -> None:
        async with self._progressed:
            self._progressed.notify_all()

    def _is_open(self, key: Key) -> bool:
        return key in self._queue or key in self._in_hand

    async def _work(self) -> None:
        await self._ready.wait()
        writing: asyncio.Task[None] | None = None
        try:
            while self._queue or writing is not None:
                batch = self._take()
                embedded = await self._embed(batch) if batch else None
                # The next batch is embedded while this one is written.
                if writing is not None:
                    await writing
                    writing = None
                if embedded is not None:
                    writing = asyncio.ensure_future(self._write(batch, *embedded))
        finally:
            if writing is not None:
                await writing

    def _take(self) -> list[Key]:
        first = next(iter(self._queue), None)
        if first is None:
            return []
        batch = list(islice(takewhile(lambda key: key[0] == first[0], self._queue), _BATCH))
        for key in batch:
            del self._queue[key]
        self._in_hand.update(batch)
        return batch

    async def _embed(self, batch: Sequence[Key]) -> tuple[list[Record], Vectors] | None:
        owner, ids = batch[0][0], [memory_id for _, memory_id in batch]
        try:
            records = [entry.record for entry in await self._current(owner, ids)]
            vectors = await self._embedder.embed([record.content for record in records], priority="index")
        except AssistantError as exc:
            await self._ended(batch, exc)
            return None
        return records, vectors

    async def _write(self, batch: Sequence[Key], records: list[Record], vectors: Vectors) -> None:
        owner = batch[0][0]
        try:
            async with self.order:
                current = await self._current(owner, [record.memory_id for record in records])
                now = {entry.memory_id: entry.record for entry in current}
                # What was changed since it was embedded is in the queue again.
                rows = [place for place, record in enumerate(records) if now.get(record.memory_id) == record]
                if rows:
                    kept, known = [records[place] for place in rows], vectors[rows]
                    await self._index.upsert_many(owner or None, kept, known)
                    await self._shelves.give_vectors(owner, [record.memory_id for record in kept], known)
        except AssistantError as exc:
            await self._ended(batch, exc)
        else:
            await self._ended(batch, None)

    async def _current(self, owner: str, ids: Sequence[str]) -> list[Entry]:
        found = await self._store.read_owner(
            owner, lambda connection, number: queries.by_ids(connection, number, ids)
        )
        return [entry for entry in (found or {}).values() if entry.is_found]

    async def _ended(self, batch: Sequence[Key], failure: AssistantError | None) -> None:
        if failure is not None:
            _log.warning("%d memories are not indexed yet: %s %s", len(batch), failure.title, failure.detail)
            self._failed.update(batch)
        self._in_hand.subtract(batch)
        self._in_hand = +self._in_hand
        self._done += len(batch)
        self._tell(self.progress)
        if not self._queue and not self._in_hand:
            self._done = 0
        await self._ring()
