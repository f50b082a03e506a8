"""Parts for tests of what is asked beside the turns."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Sequence
from contextlib import aclosing

from assistant.core.types import Message
from assistant.models.base import ChatOptions, ModelEvent
from assistant.models.scripted import ScriptedModel, ScriptedReply

_DEFAULTS = ChatOptions()


class WatchedModel(ScriptedModel):
    """A scripted model that says when it is asked.

    Args:
        replies: as in ScriptedModel.
        watched: whether a question counts.
        host: where it says to be.

    Attributes:
        asked: set as soon as it was asked a question that counts.
        stopped: set when a reply to one was closed or cancelled before its end.
    """

    def __init__(
        self,
        replies: Iterable[ScriptedReply] = (),
        *,
        watched: Callable[[Sequence[Message]], bool] = lambda messages: True,
        host: str = "this computer",
    ) -> None:
        super().__init__(replies)
        self.asked = asyncio.Event()
        self.stopped = asyncio.Event()
        self._watched = watched
        self._host = host

    @property
    def host(self) -> str:
        return self._host

    async def stream(
        self, messages: Sequence[Message], *, options: ChatOptions = _DEFAULTS
    ) -> AsyncGenerator[ModelEvent]:
        counts = self._watched(messages)
        if counts:
            self.asked.set()
        interrupted = self.interrupted
        try:
            async with aclosing(super().stream(messages, options=options)) as events:
                async for event in events:
                    yield event
        finally:
            if counts and self.interrupted > interrupted:
                self.stopped.set()
