"""Conversations in a SQLite file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import apsw

from assistant.conversation import sqlite_rows as at
from assistant.conversation.base import Conversation, MessageHit, MessagePage, MessageState, StoredMessage
from assistant.conversation.checks import (
    check_new_id,
    check_owner,
    check_state,
    encode_metadata,
    id_taken,
    merge_metadata,
)
from assistant.conversation.sqlite_schema import SCHEMA
from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import StorageError
from assistant.core.ids import new_id
from assistant.core.text import check_text
from assistant.core.types import Message
from assistant.storage.database import Database
from assistant.storage.lock import FileLock
from assistant.storage.moments import to_micros
from assistant.storage.rows import row, rows

FILE_NAME = "conversations.sqlite"
_NO_END = 2**62


class SqliteConversationStore:
    """A ConversationStore in one file, for one process at a time.

    Every statement names the owner. A reply that is being written is kept as parts, one row for each
    `extend_reply`, and folded into its message when it ends; one whose process has ended is folded at the next
    opening and marked "cut". Use `open`.
    """

    def __init__(self, database: Database, lock: FileLock, clock: Clock) -> None:
        self._database = database
        self._lock = lock
        self._clock = clock

    @classmethod
    async def open(
        cls, path: Path | str, *, clock: Clock | None = None, check: bool = False
    ) -> SqliteConversationStore:
        """Open or make the file at `path`.

        Args:
            check: look through the whole file for damage first.

        Raises:
            StoreInUseError: open already, in this or another process.
            StorageError: as Database.open.
        """
        file = Path(path)
        lock = FileLock(file.with_name(f"{file.name}.lock"), "The file of the conversations")
        lock.acquire()
        try:
            database = await Database.open(file, SCHEMA, check=check)
        except BaseException:
            lock.release()
            raise
        store = cls(database, lock, clock or SystemClock())
        try:
            await database.write(at.finish_interrupted)
        except BaseException:
            await store.close()
            raise
        return store

    async def owners(self) -> list[str]:
        """Everybody who has a conversation here."""
        found = await self._database.read(lambda db: rows(db, "SELECT DISTINCT owner FROM conversation"))
        return [owner for (owner,) in found]

    @property
    def database(self) -> Database:
        """The file, for backup and integrity."""
        return self._database

    async def create(self, *, user_id: str, title: str = "", session_id: str | None = None) -> Conversation:
        owner, now = check_owner(user_id), self._clock.now()
        check_text(title)
        chosen = new_id() if session_id is None else check_new_id(session_id)
        moment = to_micros(now)

        def work(db: apsw.Connection) -> Conversation:
            if row(db, "SELECT 1 FROM conversation WHERE owner = ? AND id = ?", (owner, chosen)) is not None:
                raise id_taken()
            db.execute(
                "INSERT INTO conversation (owner, id, title, created, updated) VALUES (?, ?, ?, ?, ?)",
                (owner, chosen, title, moment, moment),
            )
            return Conversation(chosen, title, False, 0, now, now)

        return await self._database.write(work)

    async def get(self, session_id: str, *, user_id: str) -> Conversation | None:
        owner = check_owner(user_id)
        return await self._database.read(lambda db: at.find_conversation(db, owner, session_id))

    async def messages(
        self, session_id: str, *, user_id: str, before: int | None = None, limit: int = 100
    ) -> MessagePage:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> MessagePage:
            key, head = at.session(db, owner, session_id)
            total = 0 if head is None else at.place_at(db, head).depth + 1
            items = at.read_page(db, key, _NO_END if before is None else before, max(0, limit))
            return MessagePage(items, total)

        return await self._database.read(work)

    async def append(
        self, session_id: str, message: Message, *, user_id: str, after: str | None = None
    ) -> StoredMessage:
        owner, new, now = check_owner(user_id), _new_row(message), self._clock.now()

        def work(db: apsw.Connection) -> StoredMessage:
            key, head = at.session(db, owner, session_id)
            if after is not None:
                parent: at.Place | None = at.place(db, owner, after, key)
            else:
                parent = None if head is None else at.place_at(db, head)
            return at.insert(db, key, parent, new, now)

        return await self._database.write(work)

    async def begin_reply(
        self,
        session_id: str,
        *,
        user_id: str,
        metadata: Mapping[str, Any] | None = None,
        after: str | None = None,
    ) -> StoredMessage:
        owner, now = check_owner(user_id), self._clock.now()
        new = at.NewRow("assistant", "", "streaming", encode_metadata(metadata))

        def work(db: apsw.Connection) -> StoredMessage:
            key, head = at.session(db, owner, session_id)
            leaf = None if head is None else at.place_at(db, head)
            if after is None:
                return at.insert(db, key, leaf, new, now)
            asked = at.place(db, owner, after, key)
            return at.insert(db, key, at.reply_parent(db, asked, leaf), new, now, answers=asked)

        return await self._database.write(work)

    async def extend_reply(self, message_id: str, text: str, *, user_id: str) -> None:
        owner = check_owner(user_id)
        check_text(text)

        def work(db: apsw.Connection) -> None:
            key = at.place(db, owner, message_id).key
            at.check_streaming(db, key)
            db.execute("INSERT INTO reply_part (message, text) VALUES (?, ?)", (key, text))

        # Thirty times a second: the end of the process must not lose a part, a power loss may.
        await self._database.write(work, durable=False)

    async def finish_reply(
        self,
        message_id: str,
        *,
        user_id: str,
        state: MessageState = "complete",
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> StoredMessage:
        owner, now = check_owner(user_id), to_micros(self._clock.now())
        check_state(state)
        check_text(content or "")
        encode_metadata(metadata)

        def work(db: apsw.Connection) -> StoredMessage:
            found = at.place(db, owner, message_id)
            at.check_streaming(db, found.key)
            at.finish(db, found.key, state, content, metadata)
            db.execute("UPDATE conversation SET updated = ? WHERE key = ?", (now, found.conversation))
            return at.read_message(db, found.key)

        return await self._database.write(work)

    async def branch(
        self, session_id: str, message_id: str, message: Message, *, user_id: str
    ) -> StoredMessage:
        owner, new, now = check_owner(user_id), _new_row(message), self._clock.now()

        def work(db: apsw.Connection) -> StoredMessage:
            key, _ = at.session(db, owner, session_id)
            beside = at.place(db, owner, message_id, key)
            parent = None if beside.parent is None else at.place_at(db, beside.parent)
            return at.insert(db, key, parent, new, now)

        return await self._database.write(work)

    async def annotate(self, message_id: str, metadata: Mapping[str, Any], *, user_id: str) -> StoredMessage:
        owner = check_owner(user_id)
        encode_metadata(metadata)

        def work(db: apsw.Connection) -> StoredMessage:
            key = at.place(db, owner, message_id).key
            (old,) = row(db, "SELECT metadata FROM message WHERE key = ?", (key,)) or ("{}",)
            db.execute("UPDATE message SET metadata = ? WHERE key = ?", (merge_metadata(old, metadata), key))
            return at.read_message(db, key)

        return await self._database.write(work)

    async def rename(self, session_id: str, title: str, *, user_id: str) -> None:
        await self._set(session_id, check_owner(user_id), "title", check_text(title))

    async def pin(self, session_id: str, pinned: bool, *, user_id: str) -> None:
        await self._set(session_id, check_owner(user_id), "pinned", int(pinned))

    async def delete(self, session_id: str, *, user_id: str) -> bool:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> bool:
            found = row(db, "SELECT key FROM conversation WHERE owner = ? AND id = ?", (owner, session_id))
            if found is None:
                return False
            at.remove_conversation(db, found[0])
            return True

        gone = await self._database.write(work)
        if gone:
            await self._database.erase_traces()
        return gone

    async def search(self, query: str, *, user_id: str, limit: int = 50) -> list[MessageHit]:
        owner = check_owner(user_id)
        # Its word tables are large, and listing conversations needs none of them.
        from assistant.conversation.search_text import SearchQuery
        from assistant.conversation.sqlite_search import search

        wanted = SearchQuery.parse(check_text(query))
        return await self._database.read(
            lambda db: search(db, owner, wanted, limit) if wanted.text and limit > 0 else []
        )

    async def save_draft(self, session_id: str, text: str, *, user_id: str) -> None:
        owner = check_owner(user_id)
        check_text(text)

        def work(db: apsw.Connection) -> None:
            if session_id:
                at.session(db, owner, session_id)
            db.execute("DELETE FROM draft WHERE owner = ? AND session = ?", (owner, session_id))
            if text:
                db.execute("INSERT INTO draft VALUES (?, ?, ?)", (owner, session_id, text))

        await self._database.write(work)

    async def draft(self, session_id: str, *, user_id: str) -> str:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> str:
            if session_id:
                at.session(db, owner, session_id)
            found = row(db, "SELECT text FROM draft WHERE owner = ? AND session = ?", (owner, session_id))
            return "" if found is None else found[0]

        return await self._database.read(work)

    async def purge_user(self, user_id: str) -> int:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> int:
            keys = rows(db, "SELECT key FROM conversation WHERE owner = ?", (owner,))
            for (key,) in keys:
                at.remove_conversation(db, key)
            db.execute("DELETE FROM draft WHERE owner = ?", (owner,))
            return len(keys)

        count = await self._database.write(work)
        await self._database.erase_traces()
        return count

    async def close(self) -> None:
        try:
            await self._database.close()
        finally:
            self._lock.release()

    async def _set(self, session_id: str, owner: str, column: str, value: str | int) -> None:
        def work(db: apsw.Connection) -> None:
            key, _ = at.session(db, owner, session_id)
            db.execute(f"UPDATE conversation SET {column} = ? WHERE key = ?", (value, key))

        await self._database.write(work)

    # Last, because the name hides the built-in type in the annotations below it.
    async def list(self, *, user_id: str, offset: int = 0, limit: int = 200) -> list[Conversation]:
        owner = check_owner(user_id)
        return await self._database.read(
            lambda db: at.list_conversations(db, owner, max(0, offset), max(0, limit))
        )


async def owner_in(path: Path) -> str | None:
    """Whose conversations the file at `path` holds; None for nobody's, several people's, or when it can't be read."""
    try:
        store = await SqliteConversationStore.open(path)
    except StorageError:
        return None
    try:
        owners = await store.owners()
    except StorageError:
        return None
    finally:
        await store.close()
    return owners[0] if len(owners) == 1 else None


def _new_row(message: Message) -> at.NewRow:
    valid = Message.of(message)
    return at.NewRow(valid.role, valid.content, "complete", encode_metadata(valid.metadata))
