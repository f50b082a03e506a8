"""A model's reply in handfuls: at most thirty a second, the first one at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextvars import Context

from assistant.agent.waiting import ended, started
from assistant.core.tasks import Supervisor
from assistant.models.base import Finished, ModelEvent, ReasoningDelta, TextDelta

INTERVAL = 0.033
"""Seconds between two handfuls: what a window can show, and few enough writes to disk."""


class PacedReply:
    """Reads a model's events in a task of its own, so that a slow reader never holds up the connection.

    Args:
        stream: what the model gives; closed when it ends, and by `stop`.
        tasks: owns the reading task.
        context: context variables that the model's code sees.
    """

    def __init__(self, stream: AsyncIterator[ModelEvent], tasks: Supervisor, context: Context) -> None:
        self._events: list[ModelEvent] = []
        self._arrived = asyncio.Event()
        self._over = asyncio.Event()
        self._task = started(tasks, self._read(stream), name="read the reply", context=context)
        self._task.add_done_callback(self._ended)

    async def handfuls(self) -> AsyncGenerator[list[ModelEvent], None]:
        """The events in order, some at a time. Raises what the model raised, after all that came before it."""
        clock = asyncio.get_running_loop().time
        due = 0.0
        while True:
            await self._arrived.wait()
            wait = due - clock()
            if wait > 0 and not self._over.is_set():
                try:
                    async with asyncio.timeout(wait):
                        await self._over.wait()
                except TimeoutError:
                    pass
            due = clock() + INTERVAL
            events, self._events = self._events, []
            self._arrived.clear()
            if events:
                yield events
            if self._over.is_set() and not self._events:
                if not self._task.cancelled():
                    self._task.result()
                return

    async def stop(self) -> None:
        """End the reading and close the model's connection. Safe to call twice."""
        self._task.cancel()
        await ended(self._task)

    async def _read(self, stream: AsyncIterator[ModelEvent]) -> None:
        try:
            async for event in stream:
                self._events.append(event)
                self._arrived.set()
        finally:
            close: Callable[[], Awaitable[None]] | None = getattr(stream, "aclose", None)
            if close is not None:
                await close()

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._over.set()
        self._arrived.set()


def joined_events(events: Sequence[ModelEvent]) -> list[ModelEvent]:
    """Neighbours of one kind as one event: one write to disk instead of many."""
    parts: list[ModelEvent] = []
    for event in events:
        last = parts[-1] if parts else None
        match last, event:
            case TextDelta(before), TextDelta(text):
                parts[-1] = TextDelta(before + text)
            case ReasoningDelta(before), ReasoningDelta(text):
                parts[-1] = ReasoningDelta(before + text)
            case _:
                parts.append(event)
    return [event for event in parts if isinstance(event, Finished) or event.text]
