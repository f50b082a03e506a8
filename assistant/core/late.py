"""Something that is opened once, when it is first needed, for all who wait for it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from assistant.core.errors import StoreClosedError
from assistant.core.tasks import Supervisor

T = TypeVar("T")


class Late(Generic[T]):
    """Opens with the first `get`, and again with the next one after a failure.

    Args:
        opener: opens it.
        name: what is opened, for logs.
        closed: says that it was closed, to whoever asks afterwards.
    """

    def __init__(self, opener: Callable[[], Awaitable[T]], *, name: str, closed: str) -> None:
        self._opener = opener
        self._name = name
        self._closed_text = closed
        # A failed opening is told to each waiter; it is nobody's surprise.
        self._tasks = Supervisor(on_failure=lambda name, error: None)
        self._opening: asyncio.Task[T] | None = None
        self._closed = False

    @property
    def is_ready(self) -> bool:
        """Whether `get` answers without waiting."""
        return self._opened(self._opening) is not None

    async def get(self) -> T:
        """What was opened. A cancelled caller does not stop the opening for others, or for the next call.

        Raises:
            StoreClosedError: after close.
            Exception: whatever the opener raised.
        """
        if self._closed:
            raise StoreClosedError(self._closed_text)
        task = self._opening
        if task is None or (task.done() and self._opened(task) is None):
            task = self._opening = self._tasks.start(self._open(), name=self._name)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            # Only close() cancels the opening itself.
            if task.cancelled():
                raise StoreClosedError(self._closed_text) from None
            raise

    async def close(self) -> T | None:
        """Stop opening; what was opened, for its owner to close, None when there is nothing (left) to close."""
        self._closed = True
        task, self._opening = self._opening, None
        await self._tasks.close()
        opened = self._opened(task)
        return None if opened is None else opened.result()

    async def _open(self) -> T:
        return await self._opener()

    @staticmethod
    def _opened(task: asyncio.Task[T] | None) -> asyncio.Task[T] | None:
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        return task
