"""Rows and vectors in Chroma, off the caller's thread: one thread writes, another one reads.

All vectors come from outside. See chroma_layout for how the rows lie.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

from assistant.core.errors import MemoryStoreError, StoreClosedError, StoreDamagedError, StoreFullError
from assistant.embedding.base import Vectors
from assistant.memory.base import MemoryPage, MemorySort
from assistant.memory.catalog import Catalogs
from assistant.memory.chroma_client import ChromaPlace, translated
from assistant.memory.chroma_collections import ChromaCollections, Ranked
from assistant.memory.chroma_layout import Partition
from assistant.memory.chroma_process import ChromaProcess
from assistant.memory.record import Record, page_of

T = TypeVar("T")

_LONGEST_READ, _LONGEST_CLOSE = 5.0, 10.0
"""Seconds that closing waits for a read that is under way, and for everything."""

_READ = "The memory could not be read."
_WRITE = "The memory could not be written."


class ChromaStore:
    """The partitions of one Chroma store. It is opened by the first call.

    A call whose caller is cancelled still ends on its thread, so each write is whole or was never begun.

    Args:
        place: where the store is.
        collections: does the calls; by default Chroma in this process.
    """

    def __init__(self, place: ChromaPlace, collections: ChromaProcess | None = None) -> None:
        self._collections = collections or ChromaCollections(place)
        self._catalogs = Catalogs(keep=place.exclusive)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="keepsake-chroma-write")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="keepsake-chroma-read")
        self._closing: Future[None] | None = None

    async def upsert(
        self, partition: Partition, records: Sequence[Record], vectors: Vectors, embedder_id: str
    ) -> None:
        """Write `records`, replacing those of the same id; on disk when it returns.

        Args:
            vectors: float32 of shape (len(records), dimension), made by `embedder_id`.
        """
        await self._write(lambda: self._upsert(partition, records, vectors, embedder_id))

    async def change(
        self,
        partition: Partition,
        memory_id: str,
        edit: Callable[[Record], Record],
        vectors: Vectors,
        embedder_id: str,
    ) -> bool:
        """Replace one record by what `edit` makes of it; False when there is none of that id.

        Args:
            vectors: float32 of shape (1, dimension), made by `embedder_id`.
        """

        def work() -> bool:
            found = self._collections.fetch(partition, memory_id)
            if found is not None:
                self._upsert(partition, [edit(found)], vectors, embedder_id)
            return found is not None

        return await self._write(work)

    async def remove(self, partition: Partition, memory_id: str) -> bool:
        """Remove one record; False when there is none of that id."""

        def work() -> bool:
            removed = self._collections.remove(partition, memory_id)
            self._catalogs.removed(partition.name, [memory_id])
            return removed

        return await self._write(work)

    async def remove_labelled(self, partition: Partition, label: str) -> int:
        """Remove the records that carry `label` and return how many there were."""

        def work() -> int:
            self._catalogs.forget(partition.name)
            return len(self._collections.remove_labelled(partition, label))

        return await self._write(work)

    async def drop(self, partition: Partition) -> int:
        """Remove a whole partition and return how many records it had."""

        def work() -> int:
            self._catalogs.forget(partition.name)
            return self._collections.drop(partition)

        return await self._write(work)

    async def nearest(self, partition: Partition, vector: Vectors, limit: int, embedder_id: str) -> Ranked:
        """The nearest records with their cosines (-1..1), best first, at most `limit`.

        Args:
            vector: float32 of shape (dimension,), made by `embedder_id`.

        Raises:
            StoreDamagedError: the index has lost rows that the store still knows.
        """

        def work() -> Ranked | None:
            return self._collections.nearest(partition, vector, limit, embedder_id)

        found = await self._read(work)
        if found is None:
            # Rows that came or went meanwhile look like a damaged index: ask again between two writes.
            found = await self._write(work, _READ)
        if found is None:
            raise StoreDamagedError(
                "The memory's index is incomplete. The memories themselves are there; nothing was removed.",
                hint="Export the memories, and import them into a new folder.",
                detail=f"fewer than {limit} neighbours in {partition.name}",
            )
        return found

    async def fetch(self, partition: Partition, memory_id: str) -> Record | None:
        """One record, None when there is none of that id."""
        return await self._read(lambda: self._collections.fetch(partition, memory_id))

    async def count(self, partition: Partition) -> int:
        """How many records there are."""
        return await self._read(lambda: self._collections.count(partition))

    async def page(
        self, partition: Partition, *, sort: MemorySort, contains: str, offset: int, limit: int
    ) -> MemoryPage:
        """A page of all records in order, as of one moment between two writes."""

        def kept() -> MemoryPage | None:
            records = self._catalogs.kept(partition.name, sort)
            return (
                None if records is None else page_of(records, contains=contains, offset=offset, limit=limit)
            )

        def loaded() -> MemoryPage:
            records = self._catalogs.load(
                partition.name, sort, lambda: self._collections.everything(partition)
            )
            return page_of(records, contains=contains, offset=offset, limit=limit)

        page = await self._read(kept)
        # On the writing thread: what is read while rows come and go would miss some.
        return page if page is not None else await self._write(loaded, _READ)

    async def close(self) -> None:
        """Finish what is queued, then give the store back. Safe to call twice.

        Raises:
            MemoryStoreError: Chroma did not end, or not cleanly.
        """
        if self._closing is None:
            self._closing = self._writer.submit(self._close)
            self._writer.shutdown(wait=False)
        closing = asyncio.wrap_future(self._closing)
        await asyncio.wait([closing], timeout=_LONGEST_CLOSE)
        if not closing.done():
            raise MemoryStoreError("The memory did not close in time. What was kept is on disk.")
        closing.result()

    def _upsert(
        self, partition: Partition, records: Sequence[Record], vectors: Vectors, embedder_id: str
    ) -> None:
        try:
            self._collections.upsert(partition, records, vectors, embedder_id)
        except BaseException:
            self._catalogs.forget(partition.name)
            raise
        self._catalogs.written(partition.name, records)

    def _close(self) -> None:
        last_read = self._reader.submit(int)
        self._reader.shutdown(wait=False)
        wait([last_read], timeout=_LONGEST_READ)
        with translated("The memory could not be closed cleanly."):
            self._collections.close()

    async def _write(self, work: Callable[[], T], what: str = _WRITE) -> T:
        return await self._run(self._writer, work, what)

    async def _read(self, work: Callable[[], T]) -> T:
        return await self._run(self._reader, work, _READ)

    async def _run(self, executor: ThreadPoolExecutor, work: Callable[[], T], what: str) -> T:
        if self._closing is not None:
            raise StoreClosedError("This memory was closed.")

        def guarded() -> T:
            try:
                with translated(what):
                    return work()
            except (StoreFullError, MemoryStoreError) as error:
                if error.__cause__ is not None:
                    with translated(what):
                        self._collections.start_over()
                raise

        return await asyncio.get_running_loop().run_in_executor(executor, guarded)
