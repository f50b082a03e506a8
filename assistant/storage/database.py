"""A SQLite file with a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import apsw

from assistant.storage.failures import closed, translated
from assistant.storage.opening import BUSY_TIMEOUT_MS, Schema, open_connection, quick_check
from assistant.storage.repair import copy_online

T = TypeVar("T")

_STEPS_BETWEEN_CHECKS = 20_000


class Database:
    """Runs functions on one connection, one at a time, in one thread.

    A caller that is cancelled leaves the file consistent: a write that has begun is finished as a whole or
    not made at all, a read is ended. Whatever was asked for before `close` is done before it closes.
    """

    def __init__(self, path: Path, connection: apsw.Connection, worker: ThreadPoolExecutor) -> None:
        self._path = path
        self._connection = connection
        self._worker = worker
        self._closing: asyncio.Future[None] | None = None
        self._abandoned: threading.Event | None = None
        connection.set_progress_handler(self._is_abandoned, _STEPS_BETWEEN_CHECKS)

    @classmethod
    async def open(
        cls, path: Path, schema: Schema, *, check: bool = False, busy_timeout_ms: int = BUSY_TIMEOUT_MS
    ) -> Database:
        """Open the file as `open_connection` does, and raise what it raises."""
        worker = ThreadPoolExecutor(1, thread_name_prefix=f"keepsake-{path.stem}")
        opening = worker.submit(open_connection, path, schema, check=check, busy_timeout_ms=busy_timeout_ms)
        try:
            connection = await asyncio.wrap_future(opening)
        except BaseException:
            worker.submit(_close_late, opening)
            worker.shutdown(wait=False)
            raise
        return cls(path, connection, worker)

    @property
    def path(self) -> Path:
        return self._path

    async def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """The result of `work`, which only reads and sees one state of the file.

        Raises:
            StoreClosedError: after close.
            StoreDamagedError, StoreInUseError, StoreFullError, StorageError: the disk or the file failed.
        """
        abandoned = threading.Event()

        def job() -> T:
            self._abandoned = abandoned
            try:
                with translated(self._path, self._connection):
                    self._connection.execute("BEGIN")
                    try:
                        return work(self._connection)
                    finally:
                        if self._connection.in_transaction:
                            self._connection.execute("ROLLBACK")
            finally:
                self._abandoned = None

        try:
            return await self._run(job)
        except asyncio.CancelledError:
            abandoned.set()
            raise

    async def write(self, work: Callable[[apsw.Connection], T], *, durable: bool = True) -> T:
        """Run `work` in a transaction, and return its result once that is on disk.

        Any exception of `work` undoes the transaction and comes through.

        Args:
            durable: survive a power loss too; without it a commit survives the end of the process (kill -9
                included) and costs no flush of the disk.

        Raises:
            As read.
        """

        def job() -> T:
            with translated(self._path, self._connection):
                self._connection.execute(f"PRAGMA synchronous = {'FULL' if durable else 'NORMAL'}")
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    result = work(self._connection)
                    self._connection.execute("COMMIT")
                except BaseException:
                    if self._connection.in_transaction:
                        self._connection.execute("ROLLBACK")
                    raise
                return result

        return await self._run(job)

    async def integrity(self) -> list[str]:
        """What is wrong with the file, at most ten findings; none for a sound one."""
        return list(await self.read(quick_check))

    async def backup_to(self, target: Path) -> None:
        """Copy the database to `target` in one step; an older copy there stays when it fails."""

        def job() -> None:
            with translated(target, self._connection):
                copy_online(self._connection, target)

        await self._run(job)

    async def erase_traces(self) -> None:
        """Empty the journal, which still holds pages from before a deletion. Call it after deleting."""

        def job() -> None:
            with translated(self._path, self._connection):
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

        await self._run(job)

    async def compact(self) -> None:
        """Rebuild the file without free space and empty the journal. Takes as long as copying it."""

        def job() -> None:
            with translated(self._path, self._connection):
                self._connection.execute("VACUUM")
                self._connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

        await self._run(job)

    async def close(self) -> None:
        """Finish what was asked for, then close. Safe to call twice, and at the same time."""
        if self._closing is None:
            self._closing = asyncio.wrap_future(self._worker.submit(self._close))
            self._worker.shutdown(wait=False)
        await asyncio.shield(self._closing)

    async def _run(self, job: Callable[[], T]) -> T:
        if self._closing is not None:
            raise closed(self._path)
        return await asyncio.wrap_future(self._worker.submit(job))

    def _close(self) -> None:
        with translated(self._path):
            # Without a handler for progress nothing refers back to this object.
            self._connection.set_progress_handler(None)
            self._connection.close()

    def _is_abandoned(self) -> bool:
        return self._abandoned is not None and self._abandoned.is_set()


def _close_late(opening: Future[apsw.Connection]) -> None:
    """Close what a cancelled opening made nevertheless."""
    if not opening.cancelled() and opening.exception() is None:
        opening.result().close(True)
