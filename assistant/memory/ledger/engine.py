"""The working parts of an open ledger, and their beginning and end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, TypeVar

import apsw

from assistant.core.clock import Clock
from assistant.core.errors import AssistantError
from assistant.core.tasks import Supervisor
from assistant.embedding.base import Embedder
from assistant.memory.ledger import entries
from assistant.memory.ledger.indexer import Indexer, IndexProgress
from assistant.memory.ledger.recaller import Recaller
from assistant.memory.ledger.reconcile import Reconciler
from assistant.memory.ledger.schema import FILE_NAME
from assistant.memory.ledger.shelves import Shelves
from assistant.memory.ledger.store import LedgerStore
from assistant.memory.ledger.vector_index import VectorIndex
from assistant.memory.recall.shelf import Card
from assistant.storage.lock import DirectoryLock

T = TypeVar("T")
Listener = Callable[[IndexProgress], None]

_log = logging.getLogger(__name__)

_CLOSING_GRACE = 5.0
"""Seconds that closing waits for the index; what is missing then is indexed at the next start."""


class Engine:
    """Record, index, shelves and what keeps them in step. Made by `Engine.start`.

    Attributes:
        store: the record.
        recaller: answers queries.
        indexer: brings the index up to the record; None without index or embedding model.
    """

    def __init__(
        self,
        lock: DirectoryLock,
        store: LedgerStore,
        index: VectorIndex | None,
        embedder: Embedder | None,
        clock: Clock,
        listener: Listener | None,
        most_in_memory: int,
    ) -> None:
        self._lock = lock
        self._index = index
        self._tasks = Supervisor(lambda name, error: _log.error("%s failed", name, exc_info=error))
        self._index_opened = asyncio.Event()
        self._reconciled = asyncio.Event()
        self._index_works = index is not None
        self._writes: set[asyncio.Task[Any]] = set()
        self.store = store
        self.shelves = Shelves(
            store, embedder.dimension if embedder else 0, on_loaded=self._fill_soon, most=most_in_memory
        )
        self.recaller = Recaller(
            store, self.shelves, clock, index=index, index_opened=self._index_opened, embedder=embedder
        )
        self.indexer: Indexer | None = None
        if index is not None and embedder is not None:
            tell = listener or (lambda progress: None)
            self.indexer = Indexer(
                store, self.shelves, index, embedder, self._tasks, tell, self._index_opened
            )

    @classmethod
    async def start(
        cls,
        directory: Path,
        index: VectorIndex | None,
        embedder: Embedder | None,
        clock: Clock,
        listener: Listener | None,
        most_in_memory: int,
    ) -> Engine:
        """Lock the directory and open the record; the index opens in the background, except for a new record, which
        takes over what an index knows already.

        Raises:
            StoreInUseError: another process (or another ledger) has the directory open.
            StorageError: the record can't be opened; it is left as it is.
        """
        lock = DirectoryLock(directory, "This memory")
        lock.acquire()
        is_new = not (directory / FILE_NAME).exists()
        try:
            store = await LedgerStore.open(directory)
        except BaseException:
            lock.release()
            raise
        engine = cls(lock, store, index, embedder, clock, listener, most_in_memory)
        engine._tasks.start(engine._open_index(), name="open the index")
        if is_new and index is not None and index.has_files():
            # What a plain provider kept here is taken over before anybody looks.
            try:
                await engine._reconciled.wait()
            except BaseException:
                await engine.close()
                raise
        return engine

    async def commit(
        self, owner: str, work: Callable[[apsw.Connection], tuple[T, list[Card], list[str]]]
    ) -> T:
        """Write to the record, then bring shelf and index after it.

        A caller that is cancelled meanwhile changes nothing: it is done as a whole.

        Args:
            work: returns its result, the cards of memories that may be recalled now, and the ids of those that may
                not any more.
        """

        async def job() -> T:
            async with self.shelves.order:
                result, cards, gone = await self.store.write(work)
                await self.shelves.changed(owner, cards, gone)
            if self.indexer is not None:
                self.indexer.want(owner, [card.memory_id for card in cards])
            await self._unindex(owner, gone)
            return result

        return await self._whole(job(), "write memories")

    async def drop(self, owner: str, work: Callable[[apsw.Connection, int], T]) -> T | None:
        """Remove an owner from the record, then from shelf and index."""

        async def job() -> T | None:
            async with self.shelves.order:
                result = await self.store.write_owner(owner, work)
                self.shelves.drop(owner)
            if self._index is not None and await self._usable():
                if self.indexer is not None:
                    await self.indexer.drop(owner)
                else:
                    await self._index.drop(owner or None)
            return result

        return await self._whole(job(), "remove an owner")

    async def settled(self, owner: str, ids: list[str]) -> None:
        """Wait until memories are indexed, or could not be."""
        if self.indexer is not None:
            await self.indexer.settled(owner, ids)

    async def ready(self) -> None:
        """Wait until everything that was asked for is written, indexed and on the shelves."""
        await self._reconciled.wait()
        if self._writes:
            await asyncio.wait(list(self._writes))
        if self.indexer is not None:
            await self.indexer.idle()

    async def compact(self) -> None:
        """Rebuild record and index without the room of what was removed."""
        await self.store.compact()
        if self._index is not None and await self._usable():
            if self.indexer is not None:
                async with self.indexer.order:
                    await self._index.compact()
            else:
                await self._index.compact()

    def note_use(self, owner: str, ids: Sequence[str], moment: int) -> None:
        """Count in the background that memories were injected; microseconds since 1970."""

        async def job() -> None:
            await self.store.write_owner(
                owner,
                lambda connection, number: entries.note_use(connection, number, ids, moment),
                durable=False,
            )

        self._tasks.start(job(), name="note which memories were used")

    async def close(self) -> None:
        """Let the index catch up for a moment, then close everything. The lock goes last."""
        try:
            if self._writes:
                await asyncio.wait(list(self._writes), timeout=_CLOSING_GRACE)
            if self.indexer is not None:
                try:
                    await asyncio.wait_for(self.indexer.idle(), _CLOSING_GRACE)
                except TimeoutError:
                    _log.info("the index is behind; the next start brings it up")
                await self.indexer.close()
            await self._tasks.close()
            self.shelves.close()
            if self._index is not None:
                await self._index.close()
        finally:
            await self.store.close()
            self._lock.release()

    # ---- inside

    async def _whole(self, job: Coroutine[Any, Any, T], name: str) -> T:
        task = self._tasks.start(job, name=name)
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)
        # A failure is the caller's; one who was cancelled hears of none.
        return await asyncio.shield(task)

    async def _unindex(self, owner: str, gone: list[str]) -> None:
        if not gone or self._index is None or not await self._usable():
            return
        if self.indexer is not None:
            await self.indexer.remove(owner, gone)
        else:
            await self._index.remove(owner or None, gone)

    async def _usable(self) -> bool:
        await self._index_opened.wait()
        return self._index_works

    async def _open_index(self) -> None:
        try:
            if self._index is not None:
                await self._index.open()
        except AssistantError as exc:
            _log.error("memories are found by their words alone: %s %s", exc.title, exc.detail)
            self._index_works = False
            if self.indexer is not None:
                await self.indexer.close()
        finally:
            self._index_opened.set()
        try:
            await self._reconcile()
        except AssistantError as exc:
            _log.error("record and index were not compared: %s %s", exc.title, exc.detail)
        finally:
            self._reconciled.set()

    async def _reconcile(self) -> None:
        if self._index is None or not self._index_works:
            return
        reconciler = Reconciler(self.store, self.shelves, self._index, self.indexer)
        for owner in await reconciler.owners():
            # Loading a shelf compares.
            kept = await self.shelves.get(owner)
            await kept.filled.wait()

    def _fill_soon(self, owner: str) -> None:
        self._tasks.start(self._fill(owner), name="load vectors")

    async def _fill(self, owner: str) -> None:
        try:
            if self._index is not None and await self._usable():
                await Reconciler(self.store, self.shelves, self._index, self.indexer).fill(owner)
        except AssistantError as exc:
            _log.error("an owner's memories are found by their words alone: %s %s", exc.title, exc.detail)
        finally:
            kept = self.shelves.loaded(owner)
            if kept is not None:
                kept.filled.set()
