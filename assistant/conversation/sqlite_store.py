"""Conversations in a SQLite file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import apsw

from assistant.conversation import sqlite_paths as paths
from assistant.conversation import sqlite_rows as at
from assistant.conversation import sqlite_sessions as sessions
from assistant.conversation.base import Conversation, MessageHit, MessagePage, MessageState, StoredMessage
from assistant.conversation.checks import (
    check_new_id,
    check_owner,
    check_state,
    encode_metadata,
    no_disk_wanted,
)
from assistant.conversation.sqlite_removal import Remover, mark_all_gone, mark_gone
from assistant.conversation.sqlite_schema import SCHEMA
from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import StorageError
from assistant.core.ids import new_id
from assistant.core.text import check_text
from assistant.core.types import Message
from assistant.storage.database import Database
from assistant.storage.lock import FileLock
from assistant.storage.moments import to_micros

if TYPE_CHECKING:
    from assistant.conversation.copies import CopiedConversation
    from assistant.conversation.sqlite_notes import Rewrite

FILE_NAME = "conversations.sqlite"
_NO_END = 2**62


class SqliteConversationStore:
    """A ConversationStore in one file, for one process at a time.

    Every statement names the owner. A reply that is being written is kept as parts, one row for each
    `extend_reply`, and folded into its message when it ends; one whose process has ended is folded at the next
    opening and marked "cut". Use `open`.

    It has a disk only: temporary conversations need StoreWithTemporary around it.
    """

    def __init__(self, database: Database, lock: FileLock, clock: Clock) -> None:
        self._database = database
        self._lock = lock
        self._clock = clock
        self._remover = Remover(database)

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
            await store._remover.resume()
        except BaseException:
            await store.close()
            raise
        return store

    async def owners(self) -> list[str]:
        """Everybody who has a conversation here."""
        return await self._database.read(sessions.owners)

    @property
    def database(self) -> Database:
        """The file, for backup and integrity."""
        return self._database

    async def create(
        self, *, user_id: str, title: str = "", session_id: str | None = None, temporary: bool = False
    ) -> Conversation:
        owner, now = check_owner(user_id), self._clock.now()
        check_text(title)
        if temporary:
            raise no_disk_wanted()
        chosen = new_id() if session_id is None else check_new_id(session_id)
        new = Conversation(chosen, title, False, 0, now, now)
        await self._database.write(lambda db: sessions.add_conversation(db, owner, new))
        return new

    async def keep(self, session_id: str, *, user_id: str) -> Conversation:
        owner = check_owner(user_id)
        return await self._database.read(lambda db: _found(db, owner, session_id))

    async def add_copy(self, copy: CopiedConversation, *, user_id: str) -> Conversation:
        """Take a whole conversation from another store, with its ids; all or nothing.

        Raises:
            InvalidInputError: its id is taken.
        """
        owner = check_owner(user_id)
        from assistant.conversation.sqlite_copies import add_copy

        return await self._database.write(lambda db: add_copy(db, owner, copy))

    async def get(self, session_id: str, *, user_id: str) -> Conversation | None:
        owner = check_owner(user_id)
        return await self._database.read(lambda db: sessions.find_conversation(db, owner, session_id))

    async def messages(
        self, session_id: str, *, user_id: str, before: int | None = None, limit: int = 100
    ) -> MessagePage:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> MessagePage:
            key, head = sessions.session(db, owner, session_id)
            total = 0 if head is None else paths.place_at(db, head).depth + 1
            items = at.read_page(db, key, _NO_END if before is None else before, max(0, limit))
            return MessagePage(items, total)

        return await self._database.read(work)

    async def append(
        self, session_id: str, message: Message, *, user_id: str, after: str | None = None
    ) -> StoredMessage:
        owner, new, now = check_owner(user_id), _new_row(message), self._clock.now()

        def work(db: apsw.Connection) -> StoredMessage:
            key, head = sessions.session(db, owner, session_id)
            if after is not None:
                parent: paths.Place | None = paths.place(db, owner, after, key)
            else:
                parent = None if head is None else paths.place_at(db, head)
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
            key, head = sessions.session(db, owner, session_id)
            leaf = None if head is None else paths.place_at(db, head)
            if after is None:
                return at.insert(db, key, leaf, new, now)
            asked = paths.place(db, owner, after, key)
            return at.insert(db, key, paths.reply_parent(db, asked, leaf), new, now, answers=asked)

        return await self._database.write(work)

    async def extend_reply(self, message_id: str, text: str, *, user_id: str) -> None:
        owner = check_owner(user_id)
        check_text(text)

        def work(db: apsw.Connection) -> None:
            key = paths.place(db, owner, message_id).key
            at.check_streaming(db, key)
            at.add_part(db, key, text)

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
            found = paths.place(db, owner, message_id)
            at.check_streaming(db, found.key)
            at.finish(db, found.key, state, content, metadata)
            sessions.touch(db, found.conversation, now)
            return at.read_message(db, found.key)

        return await self._database.write(work)

    async def branch(
        self, session_id: str, message_id: str, message: Message, *, user_id: str
    ) -> StoredMessage:
        owner, new, now = check_owner(user_id), _new_row(message), self._clock.now()

        def work(db: apsw.Connection) -> StoredMessage:
            key, _ = sessions.session(db, owner, session_id)
            beside = paths.place(db, owner, message_id, key)
            return at.insert(db, key, paths.parent_of(db, beside), new, now)

        return await self._database.write(work)

    async def variants(self, session_id: str, message_id: str, *, user_id: str) -> list[StoredMessage]:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> list[StoredMessage]:
            key, _ = sessions.session(db, owner, session_id)
            return at.read_variants(db, paths.place(db, owner, message_id, key))

        return await self._database.read(work)

    async def choose(self, session_id: str, message_id: str, *, user_id: str) -> Conversation:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> Conversation:
            key, _ = sessions.session(db, owner, session_id)
            paths.choose(db, paths.place(db, owner, message_id, key))
            return sessions.conversation_at(db, key)

        return await self._database.write(work)

    async def annotate(self, message_id: str, metadata: Mapping[str, Any], *, user_id: str) -> StoredMessage:
        owner = check_owner(user_id)
        encode_metadata(metadata)

        return await self._database.write(
            lambda db: at.annotate(db, paths.place(db, owner, message_id).key, metadata)
        )

    async def rewrite_notes(self, keys: tuple[str, ...], rewrite: Rewrite, *, user_id: str) -> int:
        """See sqlite_notes. No byte of what the metadata said before is left in the file when this returns."""
        owner = check_owner(user_id)
        from assistant.conversation.sqlite_notes import rewrite_notes

        count = await self._database.write(lambda db: rewrite_notes(db, owner, keys, rewrite))
        if count:
            await self._database.erase_traces()
        return count

    async def rename(self, session_id: str, title: str, *, user_id: str) -> None:
        owner = check_owner(user_id)
        check_text(title)
        await self._database.write(
            lambda db: sessions.set_title(db, sessions.session(db, owner, session_id)[0], title)
        )

    async def pin(self, session_id: str, pinned: bool, *, user_id: str) -> None:
        await self._flag(session_id, user_id, "pinned", pinned)

    async def archive(self, session_id: str, archived: bool, *, user_id: str) -> None:
        await self._flag(session_id, user_id, "archived", archived)

    async def delete(self, session_id: str, *, user_id: str) -> bool:
        owner = check_owner(user_id)
        keys = await self._database.write(lambda db: mark_gone(db, owner, session_id))
        await self._remover.remove(keys)
        return bool(keys)

    async def removed(self) -> None:
        """Wait until no byte is left in the file of what has been deleted, also by an earlier process."""
        await self._remover.finished()

    async def search(self, query: str, *, user_id: str, limit: int = 50) -> list[MessageHit]:
        owner = check_owner(user_id)
        # Its word tables are large, and listing conversations needs none of them.
        from assistant.conversation.search_text import SearchQuery
        from assistant.conversation.sqlite_search import search

        wanted = SearchQuery.parse(check_text(query))
        if not wanted.text or limit <= 0:
            # Nothing to look for; a closed store says so all the same.
            return await self._database.read(lambda db: [])
        return await search(self._database, owner, wanted, limit)

    async def save_draft(self, session_id: str, text: str, *, user_id: str) -> None:
        owner = check_owner(user_id)
        check_text(text)

        def work(db: apsw.Connection) -> None:
            if session_id:
                sessions.session(db, owner, session_id)
            sessions.set_draft(db, owner, session_id, text)

        await self._database.write(work)

    async def draft(self, session_id: str, *, user_id: str) -> str:
        owner = check_owner(user_id)

        def work(db: apsw.Connection) -> str:
            if session_id:
                sessions.session(db, owner, session_id)
            return sessions.find_draft(db, owner, session_id)

        return await self._database.read(work)

    async def purge_user(self, user_id: str) -> int:
        owner = check_owner(user_id)
        keys = await self._database.write(lambda db: mark_all_gone(db, owner))
        await self._remover.remove(keys)
        await self._database.erase_traces()
        return len(keys)

    async def close(self) -> None:
        try:
            await self._remover.close()
            await self._database.close()
        finally:
            self._lock.release()

    async def _flag(self, session_id: str, user_id: str, column: str, value: bool) -> None:
        owner = check_owner(user_id)
        await self._database.write(
            lambda db: sessions.set_flag(db, sessions.session(db, owner, session_id)[0], column, bool(value))
        )

    # Last, because the name hides the built-in type in the annotations below it.
    async def list(
        self,
        *,
        user_id: str,
        offset: int = 0,
        limit: int = 200,
        archived: bool | None = False,
        temporary: bool = False,
    ) -> list[Conversation]:
        owner = check_owner(user_id)
        return await self._database.read(
            lambda db: (
                []
                if temporary
                else sessions.list_conversations(db, owner, max(0, offset), max(0, limit), archived)
            )
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


def _found(db: apsw.Connection, owner: str, session_id: str) -> Conversation:
    return sessions.conversation_at(db, sessions.session(db, owner, session_id)[0])
