"""Answers in a SQLite file, which outlives the process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import apsw

from assistant.cache.base import AnswerKeys, KeptAnswer, Limits
from assistant.cache.sqlite_file import discard, discard_set_aside, open_file
from assistant.core.errors import StorageError, StoreClosedError, StoreDamagedError
from assistant.storage.database import Database
from assistant.storage.rows import row, rows

T = TypeVar("T")
_COLUMNS = "owner, shelf, exact, gist, body, created, expires"


class SqliteBackend:
    """A CacheBackend in one file. A damaged one is replaced by an empty one: it is a cache.

    Args:
        path: the file; made when it is missing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._database: Database | None = None
        self._fingerprint = ""
        self._opening = asyncio.Lock()
        self._closed = False
        self._total = 0

    async def open(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint
        await self._opened()

    async def find(self, shelf: str, exact: str, gist: str, *, now: int, limit: int) -> Sequence[KeptAnswer]:
        def work(connection: apsw.Connection) -> list[KeptAnswer]:
            valid = "(expires IS NULL OR expires > ?)"
            found = rows(
                connection,
                f"SELECT {_COLUMNS} FROM answers WHERE shelf = ? AND exact = ? AND {valid}",
                (shelf, exact, now),
            )
            if gist and len(found) < limit:
                found += rows(
                    connection,
                    f"SELECT {_COLUMNS} FROM answers WHERE shelf = ? AND gist = ? AND exact <> ? AND {valid} "
                    "ORDER BY id DESC LIMIT ?",
                    (shelf, gist, exact, now, limit - len(found)),
                )
            return [
                KeptAnswer(AnswerKeys(*keys), body, (), created, expires)
                for *keys, body, created, expires in found
            ]

        return await self._read(work, [])

    async def put(self, answer: KeptAnswer, *, limits: Limits, now: int) -> None:
        keys = answer.keys

        def work(connection: apsw.Connection) -> int:
            connection.execute("DELETE FROM answers WHERE shelf = ? AND exact = ?", (keys.shelf, keys.exact))
            connection.execute("DELETE FROM answers WHERE expires <= ?", (now,))
            connection.execute(
                f"INSERT INTO answers ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (keys.owner, keys.shelf, keys.exact, keys.gist, answer.body, answer.created, answer.expires),
            )
            made = connection.last_insert_rowid()
            connection.executemany(
                "INSERT OR IGNORE INTO used VALUES (?, ?)", [(memory, made) for memory in answer.memories]
            )
            _drop_beyond(connection, limits.per_owner, "WHERE owner = ?", (keys.owner,))
            if self._total + 1 > limits.total:
                _drop_beyond(connection, limits.total, "", ())
                return _count(connection)
            return self._total + 1

        self._total = await self._write(work, 0)

    async def remove(self, keys: AnswerKeys) -> None:
        await self._erase("DELETE FROM answers WHERE shelf = ? AND exact = ?", [(keys.shelf, keys.exact)])

    async def remove_owner(self, owner: str) -> int:
        return await self._erase("DELETE FROM answers WHERE owner = ?", [(owner,)])

    async def remove_memories(self, memories: Sequence[str]) -> int:
        return await self._erase(
            "DELETE FROM answers WHERE id IN (SELECT answer FROM used WHERE memory = ?)",
            [(memory,) for memory in memories],
        )

    async def count(self, owner: str | None = None) -> int:
        return await self._read(lambda connection: _count(connection, owner), 0)

    async def close(self) -> None:
        self._closed = True
        async with self._opening:
            database, self._database = self._database, None
        if database is not None:
            await database.close()

    async def _opened(self) -> Database:
        async with self._opening:
            if self._closed:
                raise StoreClosedError("The answer cache was closed.")
            if self._database is None:
                self._database, self._total = await open_file(self._path, self._fingerprint)
            return self._database

    async def _read(self, work: Callable[[apsw.Connection], T], lost: T) -> T:
        database = await self._opened()
        try:
            return await database.read(work)
        except StoreDamagedError:
            await self._replace(database)
            return lost

    async def _write(self, work: Callable[[apsw.Connection], T], lost: T) -> T:
        database = await self._opened()
        try:
            return await database.write(work, durable=False)
        except StoreDamagedError:
            await self._replace(database)
            return lost

    async def _erase(self, sql: str, bindings: Sequence[tuple[str, ...]]) -> int:
        def work(connection: apsw.Connection) -> int:
            removed = 0
            for values in bindings:
                connection.execute(sql, values)
                removed += connection.changes()
            self._total = _count(connection)
            return removed

        removed = await self._write(work, 0)
        await (await self._opened()).erase_traces()
        discard_set_aside(self._path)
        return removed

    async def _replace(self, damaged: Database) -> None:
        async with self._opening:
            if self._database is not damaged:
                return
            self._database = None
            # Closing writes the journal back, which a damaged file may refuse; it is removed all the same.
            with suppress(StorageError):
                await damaged.close()
            discard(self._path, "damaged")


def _count(connection: apsw.Connection, owner: str | None = None) -> int:
    where, bindings = ("", ()) if owner is None else ("WHERE owner = ?", (owner,))
    found = row(connection, f"SELECT count(*) FROM answers {where}", bindings)
    return int(found[0]) if found else 0


def _drop_beyond(connection: apsw.Connection, limit: int, where: str, bindings: tuple[str, ...]) -> None:
    """Remove the oldest rows so that `limit` are left."""
    connection.execute(
        f"DELETE FROM answers WHERE id IN (SELECT id FROM answers {where} ORDER BY id DESC LIMIT -1 OFFSET ?)",
        (*bindings, limit),
    )
