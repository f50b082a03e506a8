"""A chat model that says what it is told to: for tests and examples of the library."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from dataclasses import dataclass

from assistant.core.errors import AssistantError, ModelServerError
from assistant.core.types import Message
from assistant.models.base import ChatOptions, Finished, ModelEvent, TextDelta

_DEFAULTS = ChatOptions()

Step = str | ModelEvent | AssistantError | asyncio.Event
"""A piece of text, an event, an error to raise, or an event to wait for."""

ScriptedReply = str | AssistantError | Sequence[Step] | Callable[[Sequence[Message]], str]
"""A whole text, an error to raise, steps, or a function of the messages that gives the text."""


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """What the model was asked.

    Attributes:
        messages: as they came.
        options: as they came.
    """

    messages: tuple[Message, ...]
    options: ChatOptions


class ScriptedModel:
    """Answers each call with the next of its replies; a ChatModel.

    Args:
        replies: in the order of the calls; a call beyond them raises ModelServerError.
        name: as in ChatModel.

    Attributes:
        calls: what it was asked so far.
        closed: whether it was closed.
        interrupted: how many replies were closed or cancelled before their end.
    """

    def __init__(self, replies: Iterable[ScriptedReply] = (), *, name: str = "scripted:model") -> None:
        self._replies = deque(replies)
        self._name = name
        self.calls: list[ScriptedCall] = []
        self.closed = False
        self.interrupted = 0

    @property
    def name(self) -> str:
        return self._name

    @property
    def host(self) -> str:
        return "this computer"

    def add(self, *replies: ScriptedReply) -> None:
        """Put more replies behind the others."""
        self._replies.extend(replies)

    async def stream(
        self, messages: Sequence[Message], *, options: ChatOptions = _DEFAULTS
    ) -> AsyncGenerator[ModelEvent]:
        """See ChatModel.stream."""
        self.calls.append(ScriptedCall(tuple(messages), options))
        if not self._replies:
            raise ModelServerError(f"The script has no reply for call {len(self.calls)}.")
        steps = _steps(self._replies.popleft(), messages)
        finished = False
        try:
            for step in steps:
                if isinstance(step, asyncio.Event):
                    await step.wait()
                    continue
                if isinstance(step, AssistantError):
                    finished = True
                    raise step
                finished = isinstance(step, Finished)
                yield TextDelta(step) if isinstance(step, str) else step
                if finished:
                    return
            finished = True
            yield Finished()
        finally:
            self.interrupted += not finished

    async def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True


def _steps(reply: ScriptedReply, messages: Sequence[Message]) -> Sequence[Step]:
    if isinstance(reply, str | AssistantError):
        return (reply,)
    if callable(reply):
        return (reply(messages),)
    return reply
