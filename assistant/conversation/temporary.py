"""Conversations that never touch the disk, beside those that are kept there."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assistant.conversation.base import (
    Conversation,
    ConversationStore,
    MessageHit,
    MessagePage,
    MessageState,
    StoredMessage,
)
from assistant.conversation.checks import check_new_id, check_owner, conversation_over, id_taken
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.core.clock import Clock
from assistant.core.ids import new_id
from assistant.core.tasks import Supervisor
from assistant.core.types import Message

if TYPE_CHECKING:
    from assistant.conversation.memory_store import InMemoryConversationStore
    from assistant.conversation.sqlite_notes import Rewrite


class StoreWithTemporary:
    """A ConversationStore on disk that takes temporary conversations too and holds those in memory.

    Which conversations are temporary is known in memory only. A call for one that is just being kept waits until it
    is on disk and goes there, so that a running reply loses nothing. A temporary conversation that was deleted
    leaves its id behind: a turn that is late for it can't begin one on disk.

    Args:
        disk: keeps the others; closed with this one.
        clock: of temporary conversations.
    """

    def __init__(self, disk: SqliteConversationStore, *, clock: Clock | None = None) -> None:
        self._disk = disk
        self._clock = clock
        self._made: InMemoryConversationStore | None = None
        self._temporary: set[tuple[str, str]] = set()
        self._moving: dict[tuple[str, str], asyncio.Task[Conversation]] = {}
        self._tasks = Supervisor()

    @property
    def _memory(self) -> InMemoryConversationStore:
        """Made for the first temporary conversation: a window's first frame has none."""
        if self._made is None:
            from assistant.conversation.memory_store import InMemoryConversationStore

            self._made = InMemoryConversationStore(clock=self._clock)
        return self._made

    @property
    def disk(self) -> SqliteConversationStore:
        """The store of the lasting conversations, for backup, integrity and removal."""
        return self._disk

    async def create(
        self, *, user_id: str, title: str = "", session_id: str | None = None, temporary: bool = False
    ) -> Conversation:
        owner = check_owner(user_id)
        chosen = new_id() if session_id is None else check_new_id(session_id)
        key = (owner, chosen)
        if self._made is not None and self._made.is_over(chosen, user_id=owner):
            raise conversation_over()
        if await self._place_of(chosen, owner) is not self._disk:
            raise id_taken()
        if not temporary:
            return await self._disk.create(user_id=owner, title=title, session_id=chosen)
        # Reserved first: nobody else may begin one of that id on disk meanwhile.
        self._temporary.add(key)
        try:
            if await self._disk.get(chosen, user_id=owner) is not None:
                raise id_taken()
            return await self._memory.create(user_id=owner, title=title, session_id=chosen, temporary=True)
        except BaseException:
            self._temporary.discard(key)
            raise

    async def keep(self, session_id: str, *, user_id: str) -> Conversation:
        owner = check_owner(user_id)
        if await self._place_of(session_id, owner) is self._disk:
            return await self._disk.keep(session_id, user_id=owner)
        # In a task: when the caller is cancelled, it is on disk or in memory all the same, and known to be there.
        moving = self._tasks.start(self._move(owner, session_id), name="keep a conversation")
        self._moving[owner, session_id] = moving
        return await asyncio.shield(moving)

    async def get(self, session_id: str, *, user_id: str) -> Conversation | None:
        return await (await self._place_of(session_id, user_id)).get(session_id, user_id=user_id)

    async def messages(
        self, session_id: str, *, user_id: str, before: int | None = None, limit: int = 100
    ) -> MessagePage:
        place = await self._place_of(session_id, user_id)
        return await place.messages(session_id, user_id=user_id, before=before, limit=limit)

    async def append(
        self, session_id: str, message: Message, *, user_id: str, after: str | None = None
    ) -> StoredMessage:
        place = await self._place_of(session_id, user_id)
        return await place.append(session_id, message, user_id=user_id, after=after)

    async def begin_reply(
        self,
        session_id: str,
        *,
        user_id: str,
        metadata: Mapping[str, Any] | None = None,
        after: str | None = None,
    ) -> StoredMessage:
        place = await self._place_of(session_id, user_id)
        return await place.begin_reply(session_id, user_id=user_id, metadata=metadata, after=after)

    async def extend_reply(self, message_id: str, text: str, *, user_id: str) -> None:
        await (await self._place_with(message_id, user_id)).extend_reply(message_id, text, user_id=user_id)

    async def finish_reply(
        self,
        message_id: str,
        *,
        user_id: str,
        state: MessageState = "complete",
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> StoredMessage:
        place = await self._place_with(message_id, user_id)
        return await place.finish_reply(
            message_id, user_id=user_id, state=state, content=content, metadata=metadata
        )

    async def branch(
        self, session_id: str, message_id: str, message: Message, *, user_id: str
    ) -> StoredMessage:
        place = await self._place_of(session_id, user_id)
        return await place.branch(session_id, message_id, message, user_id=user_id)

    async def variants(self, session_id: str, message_id: str, *, user_id: str) -> list[StoredMessage]:
        place = await self._place_of(session_id, user_id)
        return await place.variants(session_id, message_id, user_id=user_id)

    async def choose(self, session_id: str, message_id: str, *, user_id: str) -> Conversation:
        place = await self._place_of(session_id, user_id)
        return await place.choose(session_id, message_id, user_id=user_id)

    async def annotate(self, message_id: str, metadata: Mapping[str, Any], *, user_id: str) -> StoredMessage:
        place = await self._place_with(message_id, user_id)
        return await place.annotate(message_id, metadata, user_id=user_id)

    async def rewrite_notes(self, keys: tuple[str, ...], rewrite: Rewrite, *, user_id: str) -> int:
        """See SqliteConversationStore; temporary conversations are gone with the process."""
        return await self._disk.rewrite_notes(keys, rewrite, user_id=user_id)

    async def rename(self, session_id: str, title: str, *, user_id: str) -> None:
        await (await self._place_of(session_id, user_id)).rename(session_id, title, user_id=user_id)

    async def pin(self, session_id: str, pinned: bool, *, user_id: str) -> None:
        await (await self._place_of(session_id, user_id)).pin(session_id, pinned, user_id=user_id)

    async def archive(self, session_id: str, archived: bool, *, user_id: str) -> None:
        await (await self._place_of(session_id, user_id)).archive(session_id, archived, user_id=user_id)

    async def delete(self, session_id: str, *, user_id: str) -> bool:
        place = await self._place_of(session_id, user_id)
        if place is not self._disk:
            self._temporary.discard((user_id, session_id))
        return await place.delete(session_id, user_id=user_id)

    async def search(self, query: str, *, user_id: str, limit: int = 50) -> list[MessageHit]:
        return await self._disk.search(query, user_id=user_id, limit=limit)

    async def save_draft(self, session_id: str, text: str, *, user_id: str) -> None:
        await (await self._place_of(session_id, user_id)).save_draft(session_id, text, user_id=user_id)

    async def draft(self, session_id: str, *, user_id: str) -> str:
        return await (await self._place_of(session_id, user_id)).draft(session_id, user_id=user_id)

    async def purge_user(self, user_id: str) -> int:
        owner = check_owner(user_id)
        if moving := {task for key, task in self._moving.items() if key[0] == owner}:
            await asyncio.wait(moving)
        self._temporary = {key for key in self._temporary if key[0] != owner}
        count = 0 if self._made is None else await self._made.purge_user(owner)
        return count + await self._disk.purge_user(owner)

    async def close(self) -> None:
        if self._moving:
            await asyncio.wait(set(self._moving.values()))
        await self._tasks.close()
        if self._made is not None:
            await self._made.close()
        await self._disk.close()

    async def _place_of(self, session_id: str, user_id: str) -> ConversationStore:
        """Where a conversation is, once that is settled."""
        key = (user_id, session_id)
        while (moving := self._moving.get(key)) is not None:
            await asyncio.wait([moving])
        return self._memory if key in self._temporary else self._disk

    async def _place_with(self, message_id: str, user_id: str) -> ConversationStore:
        """Where a message is."""
        if not self._temporary:
            return self._disk
        session = self._memory.session_of(message_id, user_id=user_id)
        return self._disk if session is None else await self._place_of(session, user_id)

    async def _move(self, owner: str, session_id: str) -> Conversation:
        key = (owner, session_id)
        try:
            copy = self._memory.copy_of(session_id, user_id=owner)
            kept = await self._disk.add_copy(copy, user_id=owner)
            self._temporary.discard(key)
            # As a lasting one: its id is not over.
            await self._memory.keep(session_id, user_id=owner)
            await self._memory.delete(session_id, user_id=owner)
        finally:
            del self._moving[key]
        return kept

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
        place: ConversationStore = self._disk
        if temporary and self._made is not None:
            place = self._made
        # The disk has no temporary ones.
        return await place.list(
            user_id=user_id, offset=offset, limit=limit, archived=archived, temporary=temporary
        )
