"""How much of what was said before goes into a prompt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assistant.conversation.base import ConversationStore, StoredMessage
from assistant.core.errors import InvalidInputError
from assistant.core.tokens import MESSAGE_OVERHEAD, estimate_tokens
from assistant.core.types import Message

_PAGE = 100

POSITION = "position"
"""Metadata of an earlier message: its place on the path."""
SUMMARY_REACH = 300
"""Messages before those of a prompt among which a summary is looked for, and from which one is made."""
SUMMARY = "summary"
"""Metadata of a message, stored with it: the summary of the path that ends with it. See Summary."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What a model made of a part of a conversation. It is kept with the last message that it covers: it holds for
    each path through that message and for no other, and goes with its conversation.

    Attributes:
        text: plain.
        first, last: positions of the messages that it covers.
    """

    text: str
    first: int
    last: int

    def as_metadata(self) -> dict[str, Any]:
        """What the last message that it covers is annotated with."""
        return {SUMMARY: {"text": self.text, "first": self.first}}


async def earlier_messages(
    store: ConversationStore, session_id: str, *, owner: str, limit: int, before: int | None = None
) -> list[Message]:
    """The last messages of a conversation that a model should see, oldest first.

    Replies that never got any text are left out. Each has its POSITION, and its SUMMARY, among its metadata.

    Args:
        limit: at most so many.
        before: only those with a position below this.
    """
    if limit <= 0:
        return []
    page = await store.messages(session_id, user_id=owner, before=before, limit=limit)
    return [as_earlier(stored) for stored in page.items if stored.content.strip()]


def as_earlier(stored: StoredMessage) -> Message:
    """A stored message as a part of a prompt."""
    kept: dict[str, Any] = {POSITION: stored.position}
    if SUMMARY in stored.metadata:
        kept[SUMMARY] = stored.metadata[SUMMARY]
    return Message(stored.role, stored.content, kept)


def position_of(message: Message) -> int | None:
    """The place of an earlier message on the path, None for one that is new."""
    position = message.metadata.get(POSITION)
    return position if isinstance(position, int) else None


def summary_at(message: Message) -> Summary | None:
    """The summary that ends with an earlier message."""
    position, kept = position_of(message), message.metadata.get(SUMMARY)
    if position is None or not isinstance(kept, Mapping):
        return None
    text, first = kept.get("text"), kept.get("first")
    if not isinstance(text, str) or not text.strip() or not isinstance(first, int):
        return None
    return Summary(text, first, position)


async def earlier_summary(
    store: ConversationStore, session_id: str, history: Sequence[Message], *, owner: str
) -> Summary | None:
    """The summary that reaches furthest into the earlier messages of a prompt, or ends shortly before them.

    Args:
        history: those messages, as `earlier_messages` gives them.
    """
    before = position_of(history[0]) if history else None
    found = [summary for message in history if (summary := summary_at(message)) is not None]
    for _ in range(SUMMARY_REACH // _PAGE):
        if found or not before:
            break
        page = await store.messages(session_id, user_id=owner, before=before, limit=_PAGE)
        found = [summary for each in page.items if (summary := summary_at(as_earlier(each))) is not None]
        before = page.items[0].position if page.items else None
    return found[-1] if found else None


async def stored_question(
    store: ConversationStore, session_id: str, message_id: str, *, owner: str
) -> StoredMessage:
    """The user's message of that id on the current path.

    Raises:
        InvalidInputError: there is none, or it is no user's message.
    """
    before: int | None = None
    while True:
        page = await store.messages(session_id, user_id=owner, before=before, limit=_PAGE)
        for stored in page.items:
            if stored.message_id == message_id:
                if stored.role != "user":
                    raise InvalidInputError("Only a user's message can be answered again.")
                return stored
        if not page.items or page.items[0].position == 0:
            raise InvalidInputError("The message to answer is not in this conversation.")
        before = page.items[0].position


def fitting(messages: Sequence[Message], token_budget: int) -> list[Message]:
    """The newest of `messages` that fit a budget of estimated tokens.

    Whole exchanges go, oldest first: a user's message with all that answered it.
    """
    left = token_budget
    first = len(messages)
    for exchange in reversed(_exchanges(messages)):
        left -= sum(estimate_tokens(message.content) + MESSAGE_OVERHEAD for message in exchange)
        if left < 0:
            break
        first -= len(exchange)
    return list(messages[first:])


def _exchanges(messages: Sequence[Message]) -> list[list[Message]]:
    exchanges: list[list[Message]] = []
    for message in messages:
        if message.role == "user" or not exchanges:
            exchanges.append([])
        exchanges[-1].append(message)
    return exchanges
