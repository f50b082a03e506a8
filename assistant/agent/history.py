"""How much of what was said before goes into a prompt."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.conversation.base import ConversationStore, StoredMessage
from assistant.core.errors import InvalidInputError
from assistant.core.tokens import MESSAGE_OVERHEAD, estimate_tokens
from assistant.core.types import Message

_PAGE = 100


async def earlier_messages(
    store: ConversationStore, session_id: str, *, owner: str, limit: int, before: int | None = None
) -> list[Message]:
    """The last messages of a conversation that a model should see, oldest first.

    Replies that never got any text are left out.

    Args:
        limit: at most so many.
        before: only those with a position below this.
    """
    if limit <= 0:
        return []
    page = await store.messages(session_id, user_id=owner, before=before, limit=limit)
    return [Message(stored.role, stored.content) for stored in page.items if stored.content.strip()]


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
