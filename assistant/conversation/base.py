"""What a store of conversations promises."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal, Protocol

from assistant.core.types import Message, Role

MessageState = Literal["complete", "streaming", "stopped", "cut", "failed"]
"""complete: whole. streaming: being written. stopped: the user ended it. cut: connection or process ended.
failed: the model gave an error instead of text (kept in metadata["error"])."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation without its messages.

    Attributes:
        session_id: its id.
        title: shown in lists; empty until known.
        pinned: kept on top.
        message_count: messages on the current path.
        created_at, updated_at: UTC.
        archived: out of the way; listed only when asked for, and found by search.
        temporary: not on disk, not listed, not found by search, and gone with the process unless it is kept.
    """

    session_id: str
    title: str
    pinned: bool
    message_count: int
    created_at: datetime
    updated_at: datetime
    archived: bool = False
    temporary: bool = False


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as kept.

    Attributes:
        message_id: its id.
        role, content: as given.
        state: see MessageState.
        position: 0-based place on its path.
        parent_id: the message before it, None for the first.
        created_at: UTC.
        metadata: any JSON object (model, host, recalled memories, error).
        variant: 1-based place, by age, among the messages with the same parent: edits and other replies.
        variants: how many of them there were when it was read.
    """

    message_id: str
    role: Role
    content: str
    state: MessageState
    position: int
    parent_id: str | None
    created_at: datetime
    metadata: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    variant: int = 1
    variants: int = 1

    def as_message(self) -> Message:
        return Message(self.role, self.content, self.metadata)


@dataclass(frozen=True, slots=True)
class MessagePage:
    """Consecutive messages of the current path, oldest first.

    Attributes:
        items: the messages.
        total: how many the whole path has.
    """

    items: tuple[StoredMessage, ...]
    total: int


@dataclass(frozen=True, slots=True)
class MessageHit:
    """A message found by search.

    Attributes:
        session_id, message_id, title: where it is.
        snippet: text around the hit, plain.
        position: 0-based place on its path.
        created_at: UTC; for a title the last change of its conversation.
        on_path: whether it is on the current path; otherwise `choose` makes it so.
    """

    session_id: str
    message_id: str
    title: str
    snippet: str
    position: int
    created_at: datetime
    on_path: bool = True


class ConversationStore(Protocol):
    """Keeps conversations; each call names the owner, and another owner's conversation behaves as absent.

    Messages form a tree: each has a parent, the conversation has a current leaf, and the path from the first
    message to that leaf is what people see. Concurrent appends on one session lose nothing.

    All methods raise StoreClosedError after close, StorageError when the disk fails,
    NoSuchConversationError for an absent session (except get, list, delete, search).
    """

    async def create(
        self, *, user_id: str, title: str = "", session_id: str | None = None, temporary: bool = False
    ) -> Conversation:
        """A new, empty conversation, under `session_id` when given.

        Args:
            temporary: nothing of it may touch the disk, its draft included, unless it is kept.

        Raises:
            InvalidInputError: that id exists already, or `temporary` and this store has only a disk.
            NoSuchConversationError: a temporary conversation of that id is over; a turn that is late for it
                must not begin one on disk.
        """
        ...

    async def keep(self, session_id: str, *, user_id: str) -> Conversation:
        """Make a temporary conversation a lasting one, all or nothing: messages, branches, states, draft.

        A reply that is being written goes on. A conversation that is no temporary one stays as it is.
        """
        ...

    async def get(self, session_id: str, *, user_id: str) -> Conversation | None: ...

    async def messages(
        self, session_id: str, *, user_id: str, before: int | None = None, limit: int = 100
    ) -> MessagePage:
        """The last `limit` messages of the current path, or those with a position below `before`."""
        ...

    async def append(
        self,
        session_id: str,
        message: Message,
        *,
        user_id: str,
        after: str | None = None,
    ) -> StoredMessage:
        """Add a message behind the current leaf (or behind message `after`) and make it the leaf.

        On disk (synchronous) when it returns.
        """
        ...

    async def begin_reply(
        self,
        session_id: str,
        *,
        user_id: str,
        metadata: Mapping[str, Any] | None = None,
        after: str | None = None,
    ) -> StoredMessage:
        """Add an empty assistant message in state "streaming" and make it the leaf.

        `after` names the message that it answers; giving a message that has a reply already makes a second
        reply beside it (retry), and the new one becomes current.
        """
        ...

    async def extend_reply(self, message_id: str, text: str, *, user_id: str) -> None:
        """Append shown text to a streaming reply; survives kill -9 once it returns.

        Raises:
            InvalidInputError: the message is not streaming.
        """
        ...

    async def finish_reply(
        self,
        message_id: str,
        *,
        user_id: str,
        state: MessageState = "complete",
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> StoredMessage:
        """Close a streaming reply; `content` replaces what was extended, `metadata` is merged over the old."""
        ...

    async def branch(
        self, session_id: str, message_id: str, message: Message, *, user_id: str
    ) -> StoredMessage:
        """Put `message` beside `message_id` (same parent) and make it the leaf; nothing is lost."""
        ...

    async def variants(self, session_id: str, message_id: str, *, user_id: str) -> list[StoredMessage]:
        """The messages with the same parent as `message_id`, itself among them, oldest first."""
        ...

    async def choose(self, session_id: str, message_id: str, *, user_id: str) -> Conversation:
        """Make the path through a message the current one, down to the leaf that was current behind it last.

        Where nothing behind it has been current yet, the newest message of each fork is followed. Nothing
        changes when it is on the current path already. Does not count as a change of the conversation.
        """
        ...

    async def annotate(self, message_id: str, metadata: Mapping[str, Any], *, user_id: str) -> StoredMessage:
        """Merge `metadata` over a message's own."""
        ...

    async def rename(self, session_id: str, title: str, *, user_id: str) -> None: ...

    async def pin(self, session_id: str, pinned: bool, *, user_id: str) -> None: ...

    async def archive(self, session_id: str, archived: bool, *, user_id: str) -> None:
        """Put a conversation out of the way, or back."""
        ...

    async def delete(self, session_id: str, *, user_id: str) -> bool:
        """Remove a conversation and its messages; False when there is none of that id.

        It is gone for every other call as soon as this one has begun to work. When this returns no byte of it is
        left in the store's files; should the process end or the store be closed meanwhile, the next opening
        removes the rest.
        """
        ...

    async def search(self, query: str, *, user_id: str, limit: int = 50) -> list[MessageHit]:
        """Messages and titles that hold the words of `query`, newest first.

        Every path is looked at (see MessageHit.on_path), archived conversations too, temporary ones not. Of more
        hits than `limit`, those are taken that were stored last.
        """
        ...

    async def save_draft(self, session_id: str, text: str, *, user_id: str) -> None:
        """Keep unsent text; `session_id` may be "" for the conversation that does not exist yet. "" removes."""
        ...

    async def draft(self, session_id: str, *, user_id: str) -> str:
        """The kept unsent text, "" when there is none."""
        ...

    async def purge_user(self, user_id: str) -> int:
        """Remove all conversations and drafts of a user; returns how many conversations."""
        ...

    async def close(self) -> None: ...

    # Last: below it, the name `list` in an annotation would mean this method.
    async def list(
        self,
        *,
        user_id: str,
        offset: int = 0,
        limit: int = 200,
        archived: bool | None = False,
        temporary: bool = False,
    ) -> list[Conversation]:
        """Conversations: pinned first, then by last change, newest first.

        Args:
            archived: only those that are (not) archived; None for all.
            temporary: only temporary ones instead of lasting ones.
        """
        ...
