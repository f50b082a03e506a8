"""The record's file: one connection that writes, one that reads meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from assistant.memory.ledger import queries
from assistant.memory.ledger.schema import FILE_NAME, SCHEMA
from assistant.storage.database import Database

T = TypeVar("T")


class LedgerStore:
    """Runs statements on the record. A read sees everything whose write has returned."""

    def __init__(self, writer: Database, reader: Database) -> None:
        self._writer = writer
        self._reader = reader

    @classmethod
    async def open(cls, directory: Path) -> LedgerStore:
        """Open the record in `directory`, or make it.

        Raises:
            StorageError: as Database.open; a damaged file is left as it is.
        """
        path = directory / FILE_NAME
        writer = await Database.open(path, SCHEMA, check=True)
        try:
            reader = await Database.open(path, SCHEMA)
        except BaseException:
            await writer.close()
            raise
        store = cls(writer, reader)
        for database in (writer, reader):
            await database.read(queries.add_functions)
        return store

    async def read(self, work: Callable[[apsw.Connection], T]) -> T:
        """The result of `work`, which only reads."""
        return await self._reader.read(work)

    async def read_owner(self, name: str, work: Callable[[apsw.Connection, int], T]) -> T | None:
        """The result of `work` with an owner's number; None for an owner without memories."""

        def job(connection: apsw.Connection) -> T | None:
            number = queries.owner_number(connection, name)
            return None if number is None else work(connection, number)

        return await self._reader.read(job)

    async def write(self, work: Callable[[apsw.Connection], T], *, durable: bool = True) -> T:
        """Run `work` in a transaction; its result is on disk when this returns."""
        return await self._writer.write(work, durable=durable)

    async def write_owner(
        self, name: str, work: Callable[[apsw.Connection, int], T], *, durable: bool = True
    ) -> T | None:
        """As write, with an owner's number; None for an owner without memories."""

        def job(connection: apsw.Connection) -> T | None:
            number = queries.owner_number(connection, name)
            return None if number is None else work(connection, number)

        return await self._writer.write(job, durable=durable)

    async def erase_traces(self) -> None:
        """Empty the journal, which holds pages from before a deletion."""
        await self._writer.erase_traces()

    async def compact(self) -> None:
        """Rebuild the file without free space."""
        await self._writer.compact()

    async def close(self) -> None:
        """Close the file. Safe to call twice."""
        await self._reader.close()
        await self._writer.close()
