"""The messages of a run, bounded."""

from __future__ import annotations

from collections.abc import Iterable

from assistant.core.errors import InvalidInputError
from assistant.core.types import Message


class ConversationBuffer:
    """Keeps the newest messages of a conversation, at most `max_messages`.

    System messages stand in front, in their order, and may take half of the room. Of the others the newest
    are kept, and the first of them is always a user's: an answer or a tool's result whose question has been
    dropped would mislead the model. The newest user message is never dropped, however much followed it.

    Raises:
        InvalidInputError: max_messages is below 1.
    """

    def __init__(self, max_messages: int = 100) -> None:
        if max_messages < 1:
            raise InvalidInputError("A buffer holds at least one message.")
        self._max = max_messages
        self._system: list[Message] = []
        self._turns: list[Message] = []

    @property
    def messages(self) -> tuple[Message, ...]:
        """What is kept, system messages first, then oldest first."""
        return (*self._system, *self._turns)

    def __len__(self) -> int:
        return len(self._system) + len(self._turns)

    def append(self, message: Message) -> None:
        """Add a message behind the others. One that answers nothing is left out."""
        if message.role == "system":
            self._system.append(message)
        else:
            self._turns.append(message)
        self._trim()

    def extend(self, messages: Iterable[Message]) -> None:
        """Add messages in order."""
        for message in messages:
            self.append(message)

    def clear(self) -> None:
        """Drop everything."""
        self._system.clear()
        self._turns.clear()

    def _trim(self) -> None:
        most_system = max(1, self._max // 2) if not self._turns else self._max // 2
        del self._system[: max(0, len(self._system) - most_system)]
        room = self._max - len(self._system)
        asked = _last_user(self._turns)
        if asked is None:
            self._turns.clear()
            return
        first = max(0, len(self._turns) - room)
        if first > asked:
            # A long chain of tool calls: keep its question, and its end from an assistant's message on.
            rest = self._turns[len(self._turns) - room + 1 :] if room > 1 else []
            self._turns = [self._turns[asked], *_without_leading_tools(rest)]
            return
        while self._turns[first].role != "user":
            first += 1
        del self._turns[:first]


def _last_user(messages: list[Message]) -> int | None:
    return next((i for i in range(len(messages) - 1, -1, -1) if messages[i].role == "user"), None)


def _without_leading_tools(messages: list[Message]) -> list[Message]:
    start = 0
    while start < len(messages) and messages[start].role == "tool":
        start += 1
    return messages[start:]
