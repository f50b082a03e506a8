"""What the chat shows of one message."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Literal

ItemState = Literal["complete", "streaming", "stopped", "cut", "failed"]


@dataclass(frozen=True, slots=True)
class RememberedFact:
    """A memory that came from this message, or may come of it.

    Attributes:
        memory_id, text: the memory.
        undone: it was taken back, refused or forgotten.
        waits: it waits for the user's word.
        reason: why it waits; empty when it never did.
        replaced: another memory has taken its place since.
    """

    memory_id: str
    text: str
    undone: bool = False
    waits: bool = False
    reason: str = ""
    replaced: bool = False


@dataclass(frozen=True, slots=True)
class RecalledFact:
    """A memory that the reply was given.

    Attributes:
        memory_id, text: the memory, as it was then.
        created_at: when it was kept.
        kind: "turn" for something that was said in a conversation.
        speaker: who said it, empty when unknown.
        said_on: the day on which it was said; None when unknown.
        why: why it was found, empty when unknown.
    """

    memory_id: str
    text: str
    created_at: datetime | None = None
    kind: str = "fact"
    speaker: str = ""
    said_on: date | None = None
    why: str = ""


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
        cached: the reply is an earlier answer; nothing went anywhere.
        context_note: what the reply may miss of what was sent, empty when nothing.
        variant, variants: which of how many versions it is: an edited message, another reply to the same one.
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
    cached: bool = False
    context_note: str = ""
    variant: int = 1
    variants: int = 1
    created_at: datetime | None = field(default=None, compare=False)

    def with_(self, **changes: object) -> MessageItem:
        """A copy with these fields replaced."""
        return replace(self, **changes)  # type: ignore[arg-type]
