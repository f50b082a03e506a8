"""A turn while it runs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assistant.core.types import Message
from assistant.ui.models.messages import MessageItem

if TYPE_CHECKING:
    from assistant.context.reports import ContextReport


@dataclass(eq=False)
class RunningTurn:
    """A turn that has not ended.

    Attributes:
        session_id: its conversation.
        message: what is sent, None when a stored message is answered again.
        answer_to: id of that stored message.
        instead_of: id of the stored message of which `message` is an edited version, None for none.
        was_new: whether the conversation was made for this message.
        is_first: whether the conversation had no message before.
        item: the reply so far, None until the message is stored.
        parts: text that came, in pieces.
        report: what its prompt costs, None until that is known.
        is_complete: whether it ended with a whole reply.
    """

    session_id: str
    message: Message | None
    answer_to: str | None = None
    instead_of: str | None = None
    was_new: bool = False
    is_first: bool = False
    item: MessageItem | None = None
    parts: list[str] = field(default_factory=list)
    report: ContextReport | None = None
    is_complete: bool = False

    @property
    def text(self) -> str:
        return "".join(self.parts)
