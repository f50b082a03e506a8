"""What the chat shows of one message."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

ItemState = Literal["complete", "streaming", "stopped", "cut", "failed"]


@dataclass(frozen=True, slots=True)
class RememberedFact:
    """A memory that came from this message; `undone` once the user took it back."""

    memory_id: str
    text: str
    undone: bool = False


@dataclass(frozen=True, slots=True)
class RecalledFact:
    """A memory that the reply was given."""

    memory_id: str
    text: str
    created_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ShownError:
    """An error under a message; `detail` stays behind a button."""

    title: str
    message: str
    hint: str = ""
    detail: str = ""


@dataclass(frozen=True, slots=True)
class MessageItem:
    """One message as the chat shows it.

    Attributes:
        message_id: its id; unique in the view.
        role: "user" or "assistant".
        text: Markdown for the assistant, plain text for the user.
        state: as in the conversation store.
        recalled: the memories used for a reply.
        remembered: what was kept from it.
        reasoning: what the model thought aloud.
        memory_note: why the reply ran without memory, empty when it did not.
        error: shown under the message with "Try again".
        host: where the message went for this reply; empty when nobody knows.
        created_at: local time for the tooltip.
    """

    message_id: str
    role: Literal["user", "assistant"]
    text: str
    state: ItemState = "complete"
    recalled: tuple[RecalledFact, ...] = ()
    remembered: tuple[RememberedFact, ...] = ()
    reasoning: str = ""
    memory_note: str = ""
    error: ShownError | None = None
    host: str = ""
    created_at: datetime | None = field(default=None, compare=False)

    def with_(self, **changes: object) -> MessageItem:
        """A copy with these fields replaced."""
        return replace(self, **changes)  # type: ignore[arg-type]
