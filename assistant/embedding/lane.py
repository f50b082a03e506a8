"""A thread of its own for one kind of embedding work."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from assistant.core.errors import EmbeddingError

T = TypeVar("T")
Steps = Generator[None, None, T]
"""Work that yields wherever it may end early or let other work go first, and returns its result."""


class Lane:
    """Runs jobs on one owned thread, step by step, in turn.

    Jobs that wait at the same time take turns after each step, so a long one keeps nobody waiting longer than
    a step takes, and a cancelled one ends after the step that runs.
    """

    def __init__(self, name: str) -> None:
        self._executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._closed = False

    async def run(self, steps: Steps[T]) -> T:
        """Run `steps` to their end and return their result.

        Raises:
            EmbeddingError: the lane is closed, before or during the work.
            Exception: whatever a step raises.
        """
        while True:
            if self._closed:
                raise _closed()
            loop = asyncio.get_running_loop()
            ended = await loop.run_in_executor(self._executor, self._advance, steps)
            if ended is not None:
                return ended[0]

    async def close(self, last: Callable[[], None]) -> None:
        """Let the running step end, refuse the others, call `last` on the thread, end the thread.

        Safe to call twice; the second call does nothing.
        """
        if self._closed:
            return
        self._closed = True
        try:
            await asyncio.get_running_loop().run_in_executor(self._executor, last)
        finally:
            self._executor.shutdown(wait=False)

    def _advance(self, steps: Steps[T]) -> tuple[T] | None:
        if self._closed:
            raise _closed()
        return advance(steps)


def advance(steps: Steps[T]) -> tuple[T] | None:
    """Take one step; the result, in a tuple, once there is no other."""
    try:
        next(steps)
    except StopIteration as end:
        return (end.value,)
    return None


def _closed() -> EmbeddingError:
    return EmbeddingError("The embedding model was closed while something still wanted to use it.")


async def in_thread(work: Callable[[], T]) -> T:
    """Run one piece of blocking work on a thread of its own. Cancelling leaves it to end by itself."""
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed-once")
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, work)
    finally:
        executor.shutdown(wait=False)


def usable_cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
