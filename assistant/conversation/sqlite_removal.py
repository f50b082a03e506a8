"""Deleting conversations: at once for everybody, then out of the file piece by piece.

Overwriting thousands of messages in their tables and word lists takes seconds, and the file has one thread. So a
deleted conversation first gets an owner that nobody can be, in one small transaction; then slices of it are removed,
and other calls come in between.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import apsw

from assistant.conversation.sqlite_sessions import GONE
from assistant.core.tasks import Supervisor
from assistant.storage.database import Database
from assistant.storage.rows import row, rows

_SLICE_MESSAGES = 20
_SLICE_BYTES = 10_000
_GRACE = 10.0


def mark_gone(db: apsw.Connection, owner: str, session_id: str) -> list[int]:
    """Take a conversation from its owner; returns its key, nothing when there is none."""
    found = rows(db, "SELECT key FROM conversation WHERE owner = ? AND id = ?", (owner, session_id))
    db.execute("DELETE FROM draft WHERE owner = ? AND session = ?", (owner, session_id))
    return _disown(db, [key for (key,) in found])


def mark_all_gone(db: apsw.Connection, owner: str) -> list[int]:
    """Take all conversations and drafts from their owner; returns the keys."""
    found = rows(db, "SELECT key FROM conversation WHERE owner = ?", (owner,))
    db.execute("DELETE FROM draft WHERE owner = ?", (owner,))
    return _disown(db, [key for (key,) in found])


def marked(db: apsw.Connection) -> list[int]:
    """The keys of what is deleted and not yet removed."""
    return [key for (key,) in rows(db, "SELECT key FROM conversation WHERE owner = ?", (GONE,))]


def remove_slice(db: apsw.Connection, key: int) -> bool:
    """Remove some messages of a conversation, at last itself; whether something is left."""
    # A message may be long, and a slice is to be short: it takes at least one, though.
    taken: list[tuple[int]] = []
    size = 0
    sizes = "SELECT key, octet_length(content) FROM message WHERE conversation = ? LIMIT ?"
    for message, length in rows(db, sizes, (key, _SLICE_MESSAGES)):
        size += length
        if taken and size > _SLICE_BYTES:
            break
        taken.append((message,))
    for sql in (
        "DELETE FROM message_words WHERE rowid = ?",
        "DELETE FROM reply_part WHERE message = ?",
        "DELETE FROM message WHERE key = ?",
    ):
        db.executemany(sql, taken)
    if row(db, "SELECT 1 FROM message WHERE conversation = ? LIMIT 1", (key,)) is not None:
        return True
    db.execute("DELETE FROM conversation WHERE key = ?", (key,))
    return False


class Remover:
    """Removes marked conversations from a file in the background.

    Args:
        database: the file.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._tasks = Supervisor()
        self._running: set[asyncio.Task[None]] = set()
        self._closing = False

    async def resume(self) -> None:
        """Begin to remove what an earlier process left."""
        if left := await self._database.read(marked):
            self._start(left)

    async def remove(self, keys: Sequence[int]) -> None:
        """Return when no byte of these is left, or when the store is closed. Goes on when the caller is cancelled.

        Raises:
            StorageError: the disk failed; the rest goes with the next opening.
        """
        if not keys or self._closing:
            return
        task = self._start(keys)
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    async def finished(self) -> None:
        """Wait until nothing is being removed."""
        while self._running:
            await asyncio.wait(set(self._running))

    async def close(self) -> None:
        """Stop behind the slice that is under way."""
        self._closing = True
        await self._tasks.rest(grace=_GRACE)
        await self._tasks.close()

    def _start(self, keys: Sequence[int]) -> asyncio.Task[None]:
        task: asyncio.Task[None] = self._tasks.start(self._work(keys), name="remove deleted conversations")
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    async def _work(self, keys: Sequence[int]) -> None:
        for key in keys:
            more = True
            while more:
                if self._closing:
                    return
                # The last slice is flushed with the journal below; until then a crash costs repeated work only.
                more = await self._database.write(lambda db, key=key: remove_slice(db, key), durable=False)  # type: ignore[misc]
        await self._database.erase_traces()


def _disown(db: apsw.Connection, keys: list[int]) -> list[int]:
    db.executemany("DELETE FROM title_words WHERE rowid = ?", [(key,) for key in keys])
    db.executemany(
        "UPDATE conversation SET owner = ?, id = ?, title = '', head = NULL, pinned = 0 WHERE key = ?",
        [(GONE, str(key), key) for key in keys],
    )
    return keys
