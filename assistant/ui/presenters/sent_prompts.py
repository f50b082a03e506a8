"""The prompts of this run, so that one can see afterwards what was sent. Never on disk."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.agent.turn_options import Prompt

_MOST = 200
_MOST_CHARACTERS = 8_000_000


@dataclass(frozen=True, slots=True)
class SentPrompt:
    """What went to a model for one reply.

    Attributes:
        prompt: the messages.
        body: of the request; empty when the model did not say.
        host: where it went.
        stayed: that is this computer.
    """

    prompt: Prompt
    body: dict[str, Any]
    host: str
    stayed: bool


class SentPrompts:
    """The newest prompts, by the id of their reply."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, SentPrompt] = OrderedDict()

    def keep(self, reply_id: str, sent: SentPrompt) -> None:
        """Keep what goes out for a reply, in the place of what was kept for it before."""
        self._kept[reply_id] = sent
        while len(self._kept) > 1 and (len(self._kept) > _MOST or self._size() > _MOST_CHARACTERS):
            self._kept.popitem(last=False)

    def get(self, reply_id: str) -> SentPrompt | None:
        """What was sent for a reply, None when that is not known any more."""
        return self._kept.get(reply_id)

    def clear(self) -> None:
        """Forget all."""
        self._kept.clear()

    def _size(self) -> int:
        # Prompts of one conversation share their texts; what counts is what they hold on to at most.
        return sum(len(m.content) for each in self._kept.values() for m in each.prompt.messages)
