"""A conversation as a whole, on its way from one store to another."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from assistant.conversation.base import Conversation, MessageState
from assistant.core.types import Role


@dataclass(frozen=True, slots=True)
class CopiedMessage:
    """One message with its place in the tree; the ids are those of other messages of the same copy.

    Attributes:
        message_id, role, content, state, created_at: see StoredMessage.
        parent_id: the message before it, None for a first one.
        answers_id: what a reply was made for, None for other messages.
        follow_id: the message behind it that was current last, None when none has been left yet.
        metadata: a JSON object as text.
    """

    message_id: str
    role: Role
    content: str
    state: MessageState
    created_at: datetime
    parent_id: str | None
    answers_id: str | None
    follow_id: str | None
    metadata: str


@dataclass(frozen=True, slots=True)
class CopiedConversation:
    """A conversation with all its paths.

    Attributes:
        conversation: its own fields.
        head_id: the current leaf, None without messages.
        messages: in the order in which they were made, so that parents come first.
        draft: what was typed and not sent.
    """

    conversation: Conversation
    head_id: str | None
    messages: tuple[CopiedMessage, ...]
    draft: str
