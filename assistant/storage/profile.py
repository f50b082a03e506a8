"""The record of a profile: whose it is, and which deletions are still to be carried out."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import apsw

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import InvalidInputError
from assistant.core.ids import new_owner_id
from assistant.core.text import check_text
from assistant.storage.database import Database
from assistant.storage.failures import damaged
from assistant.storage.moments import from_micros, to_micros
from assistant.storage.opening import Migration, Schema
from assistant.storage.rows import row, rows

FILE_NAME = "profile.sqlite"

SCHEMA = Schema(
    application_id=0x4B505246,  # "KPRF"
    migrations=(
        Migration(
            1,
            """
            CREATE TABLE profile (
                only INTEGER PRIMARY KEY CHECK (only = 1),
                owner TEXT NOT NULL,
                name TEXT NOT NULL,
                created INTEGER NOT NULL
            ) STRICT;
            CREATE TABLE pending_deletion (
                kind TEXT NOT NULL,
                item TEXT NOT NULL,
                until INTEGER NOT NULL,
                PRIMARY KEY (kind, item)
            ) STRICT, WITHOUT ROWID;
            """,
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class PendingDeletion:
    """Something that the user has deleted and can still have back.

    Attributes:
        kind: what it is ("conversation", "memory").
        item_id: its id.
        until: from then on it is to be deleted for good; UTC.
    """

    kind: str
    item_id: str
    until: datetime


class ProfileRecord:
    """Whose profile it is, and what waits to be deleted.

    Attributes:
        owner_id: random, made with the profile; memories and conversations are kept under it.
        name: what the user calls the profile; may be empty.
        created_at: UTC.
    """

    def __init__(self, database: Database, owner_id: str, name: str, created_at: datetime) -> None:
        self._database = database
        self.owner_id = owner_id
        self.name = name
        self.created_at = created_at

    @classmethod
    async def open(
        cls, folder: Path, *, owner_id: str | None = None, clock: Clock | None = None, check: bool = False
    ) -> ProfileRecord:
        """Open the record in a profile's folder, or make it.

        Args:
            owner_id: of a record that is made; None for a new one.
            check: as in Database.open.

        Raises:
            StorageError: as Database.open. A damaged record is not replaced: a new owner id would orphan
                everything that is kept under the old one.
        """
        path = folder / FILE_NAME
        now = to_micros((clock or SystemClock()).now())
        database = await Database.open(path, SCHEMA, check=check)

        def load(connection: apsw.Connection) -> tuple[str, str, int]:
            connection.execute(
                "INSERT INTO profile SELECT 1, ?, '', ? WHERE NOT EXISTS (SELECT 1 FROM profile)",
                (owner_id or new_owner_id(), now),
            )
            record = row(connection, "SELECT owner, name, created FROM profile")
            if record is None or not record[0]:
                raise damaged(path, f"{path}: the owner id is missing")
            return record[0], record[1], record[2]

        try:
            owner, name, created = await database.write(load)
        except BaseException:
            await database.close()
            raise
        return cls(database, owner, name, from_micros(created))

    async def rename(self, name: str) -> None:
        """Give the profile another name."""
        check_text(name)

        def work(connection: apsw.Connection) -> None:
            connection.execute("UPDATE profile SET name = ?", (name,))

        await self._database.write(work)
        self.name = name

    async def hide(self, kind: str, item_id: str, until: datetime) -> None:
        """Note that an item was deleted; it can come back until then. Hiding it again moves the time.

        Raises:
            InvalidInputError: an empty kind or id, or a time without a zone.
        """
        for part in (kind, item_id):
            if not check_text(part):
                raise InvalidInputError("A deletion needs the kind of thing and its id.")
        moment = to_micros(until)

        def work(connection: apsw.Connection) -> None:
            connection.execute(
                "INSERT OR REPLACE INTO pending_deletion VALUES (?, ?, ?)", (kind, item_id, moment)
            )

        await self._database.write(work)

    async def unhide(self, kind: str, item_id: str) -> bool:
        """Undo: False when the item is not (or no longer) pending."""
        return await self._remove(kind, item_id)

    async def settled(self, kind: str, item_id: str) -> bool:
        """Note that the item has been deleted for good; False when it was not pending."""
        return await self._remove(kind, item_id)

    async def hidden(self, kind: str) -> frozenset[str]:
        """The ids of a kind that lists must leave out."""
        found = await self._database.read(
            lambda connection: rows(connection, "SELECT item FROM pending_deletion WHERE kind = ?", (kind,))
        )
        return frozenset(item for (item,) in found)

    async def due(self, now: datetime | None = None) -> list[PendingDeletion]:
        """The deletions whose time has come, earliest first.

        Args:
            now: None for all that are pending, as at a start, when nothing can be undone any more.
        """
        latest = None if now is None else to_micros(now)
        sql = "SELECT kind, item, until FROM pending_deletion WHERE ?1 IS NULL OR until <= ?1 ORDER BY until"
        found = await self._database.read(lambda connection: rows(connection, sql, (latest,)))
        return [PendingDeletion(kind, item, from_micros(until)) for kind, item, until in found]

    async def close(self) -> None:
        """Close the file. Safe to call twice."""
        await self._database.close()

    async def _remove(self, kind: str, item_id: str) -> bool:
        def work(connection: apsw.Connection) -> bool:
            connection.execute("DELETE FROM pending_deletion WHERE kind = ? AND item = ?", (kind, item_id))
            return connection.changes() > 0

        return await self._database.write(work)
