"""The ledger's vectors in Chroma, laid out as a plain ChromaProvider does, so that either can read the other's."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import MemoryStoreError, StoreClosedError, StoreFullError
from assistant.embedding.base import Vectors
from assistant.memory.chroma_client import ChromaPlace, translated
from assistant.memory.chroma_layout import Partition, check_collection_name, collection_name
from assistant.memory.ledger import index_files
from assistant.memory.ledger.chroma_partitions import ChromaPartitions
from assistant.memory.ledger.compaction import compact
from assistant.memory.ledger.index_process import IndexProcess
from assistant.memory.ledger.vector_index import IndexedVectors, Owner
from assistant.memory.record import Record

T = TypeVar("T")

INDEX_WORKER = "assistant.memory.ledger.index_worker"
_READ = "The memory's index could not be read."
_WRITE = "The memory's index could not be written."


class ChromaIndex:
    """A VectorIndex in a directory whose lock the caller holds.

    Args:
        directory: where Chroma's files are; they lie beside the caller's own.
        embedder_id: of the model that makes the vectors; None for none.
        base: the collections' name, with an owner's hash behind it under PER_USER.
        own_process: run Chroma in a child process, for programs with a window. After `compact` it is anyway.
        clock: names damaged files.
    """

    def __init__(
        self,
        directory: Path,
        embedder_id: str | None,
        *,
        base: str = "agent_memory",
        own_process: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self._directory = directory
        self._embedder_id = embedder_id
        self._base = check_collection_name(base)
        self._clock = clock or SystemClock()
        self._place = ChromaPlace(directory, locked=True)
        self._partitions: ChromaPartitions | IndexProcess = (
            IndexProcess(self._place, INDEX_WORKER) if own_process else ChromaPartitions(self._place)
        )
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="keepsake-index-write")
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="keepsake-index-read")
        # Held while files are exchanged: a read in between would open half of each.
        self._files = threading.Lock()
        self._closing: Future[None] | None = None

    @property
    def embedder_id(self) -> str | None:
        return self._embedder_id

    def has_files(self) -> bool:
        return index_files.has_index(self._directory)

    async def open(self) -> bool:
        stamp = f"{self._clock.now():%Y%m%d-%H%M%S-%f}"
        return await self._write(lambda: self._partitions.open_index(stamp))

    async def owners(self) -> list[Owner]:
        return await self._read(lambda: self._partitions.owners(self._base))

    async def ids(self, owner: Owner) -> list[str]:
        return await self._write(lambda: self._partitions.ids(self._partition(owner)), _READ)

    async def is_current(self, owner: Owner) -> bool:
        made_with = await self._read(lambda: self._partitions.made_with(self._partition(owner)))
        return made_with is None or made_with == self._embedder_id

    async def records(self, owner: Owner, ids: Sequence[str]) -> list[Record]:
        return await self._read(lambda: self._partitions.records(self._partition(owner), ids))

    async def vectors(self, owner: Owner, ids: Sequence[str]) -> IndexedVectors:
        return await self._read(lambda: self._partitions.vectors(self._partition(owner), ids))

    async def query(self, owner: Owner, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        return await self._read(
            lambda: self._partitions.query(self._partition(owner), vector, limit, self._made_by())
        )

    async def upsert_many(self, owner: Owner, records: Sequence[Record], vectors: Vectors) -> None:
        await self._write(
            lambda: self._partitions.upsert(self._partition(owner), records, vectors, self._made_by())
        )

    async def remove(self, owner: Owner, ids: Sequence[str]) -> None:
        await self._write(lambda: self._partitions.remove_many(self._partition(owner), ids))

    async def drop(self, owner: Owner) -> None:
        def work() -> None:
            self._partitions.drop(self._partition(owner))

        await self._write(work)

    async def compact(self) -> None:
        await self._write(self._compact)

    async def close(self) -> None:
        if self._closing is None:
            self._closing = self._writer.submit(self._close)
            self._writer.shutdown(wait=False)
        await asyncio.shield(asyncio.wrap_future(self._closing))

    # ---- inside

    def _compact(self) -> None:
        with self._files:
            compact(self._directory, self._partitions, INDEX_WORKER)
        # This process held what was removed, and Chroma here could write it again (see compaction).
        if not isinstance(self._partitions, IndexProcess):
            self._partitions = IndexProcess(self._place, INDEX_WORKER)

    def _close(self) -> None:
        self._reader.shutdown(wait=True)
        with translated("The memory's index could not be closed cleanly."):
            self._partitions.close()

    def _partition(self, owner: Owner) -> Partition:
        return Partition(collection_name(self._base, owner), owner)

    def _made_by(self) -> str:
        if self._embedder_id is None:
            raise StoreClosedError("There is no embedding model, so nothing can be found by meaning.")
        return self._embedder_id

    async def _write(self, work: Callable[[], T], what: str = _WRITE) -> T:
        return await self._run(self._writer, work, what)

    async def _read(self, work: Callable[[], T]) -> T:
        def reading() -> T:
            with self._files:
                return work()

        return await self._run(self._reader, reading, _READ)

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
                        self._partitions.start_over()
                raise

        return await asyncio.get_running_loop().run_in_executor(executor, guarded)
