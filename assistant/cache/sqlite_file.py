"""The file of cached answers: its tables, and what is done with one that can't be used."""

from __future__ import annotations

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw

from assistant.core.errors import (
    StorageError,
    StoreDamagedError,
    StoreFullError,
    StoreInUseError,
    StoreVersionError,
)
from assistant.storage.database import Database
from assistant.storage.failures import translated
from assistant.storage.opening import Migration, Schema
from assistant.storage.repair import set_aside
from assistant.storage.rows import rows

_log = logging.getLogger(__name__)

APPLICATION_ID = 0x4B53_4143  # "KSAC"
LAYOUT = "1"
"""Changes with the meaning of what is in the tables; a file of another layout is cleared."""

SCHEMA = Schema(
    APPLICATION_ID,
    (
        Migration(
            1,
            """
            CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
            CREATE TABLE answers (
                id INTEGER PRIMARY KEY,
                owner TEXT NOT NULL, shelf TEXT NOT NULL, exact TEXT NOT NULL, gist TEXT NOT NULL,
                body BLOB NOT NULL, created INTEGER NOT NULL, expires INTEGER,
                UNIQUE (shelf, exact)
            );
            CREATE INDEX answers_gist ON answers (shelf, gist, id);
            CREATE INDEX answers_owner ON answers (owner, id);
            CREATE INDEX answers_expires ON answers (expires);
            CREATE TABLE used (
                memory TEXT NOT NULL,
                answer INTEGER NOT NULL REFERENCES answers (id) ON DELETE CASCADE,
                PRIMARY KEY (memory, answer)
            ) WITHOUT ROWID;
            CREATE INDEX used_answer ON used (answer);
            """,
        ),
    ),
)
_HEADER = 100
_MAGIC = b"SQLite format 3\0"


async def open_file(path: Path, fingerprint: str) -> tuple[Database, int]:
    """The database at `path` and how many answers it holds. It is empty when what was there is of another version,
    damaged, or sealed otherwise.

    A file of cached answers is removed then: they can be had again. One that may be something else is renamed.

    Raises:
        StorageError: it can't be opened for another reason (the disk, another program).
    """
    try:
        return await _opened(path, fingerprint)
    except _Unusable as reason:
        if _is_ours(path):
            discard(path, str(reason))
        else:
            moved = set_aside(path).moved_to
            _log.warning("%s is no file of cached answers; it is now %s", path.name, moved.name)
    try:
        return await _opened(path, fingerprint)
    except _Unusable as reason:
        raise StorageError(f"{path.name} can't be used for cached answers: {reason}.", path=path) from reason


class _Unusable(Exception):
    """The file has to be replaced; its text says why."""


async def _opened(path: Path, fingerprint: str) -> tuple[Database, int]:
    about = {"layout": LAYOUT, "fingerprint": fingerprint}
    try:
        database = await Database.open(path, SCHEMA)
    except (StoreVersionError, StoreDamagedError) as error:
        raise _Unusable(error.title.lower()) from error
    try:
        found, total = await database.read(_look)
        if not found:
            await database.write(
                lambda connection: connection.executemany(
                    "INSERT OR REPLACE INTO about VALUES (?, ?)", list(about.items())
                )
            )
        elif found != about:
            raise _Unusable("of another version, or sealed with another key")
    except (StoreInUseError, StoreFullError):
        await database.close()
        raise
    except StorageError as error:
        # Opened, and without the tables that it should have.
        await _close_anyhow(database)
        raise _Unusable("damaged") from error
    except BaseException:
        await _close_anyhow(database)
        raise
    return database, total


async def _close_anyhow(database: Database) -> None:
    """Closing writes the journal back, which a damaged file may refuse; it is replaced all the same."""
    with suppress(StorageError):
        await database.close()


def _look(connection: apsw.Connection) -> tuple[dict[Any, Any], int]:
    found = rows(connection, "SELECT count(*) FROM answers")
    return dict(rows(connection, "SELECT name, value FROM about")), int(found[0][0])


def discard(path: Path, reason: str) -> None:
    """Remove the file of cached answers and all that SQLite keeps beside it. It must be closed."""
    _log.warning("the cached answers were cleared: %s is %s", path.name, reason)
    with translated(path):
        for part in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + part).unlink(missing_ok=True)


def discard_set_aside(path: Path) -> None:
    """Remove damaged files that were renamed: forgetting must reach them too."""
    with translated(path):
        for kept in path.parent.iterdir():
            if kept.name.startswith(f"{path.name}.damaged-"):
                kept.unlink(missing_ok=True)


def _is_ours(path: Path) -> bool:
    with translated(path), path.open("rb") as file:
        header = file.read(_HEADER)
    return header.startswith(_MAGIC) and int.from_bytes(header[68:72], "big") == APPLICATION_ID
