"""Blocking work beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")

LONG = 500
"""Characters of a message from which reading it takes longer than an event loop should wait."""


async def aside(work: Callable[[], T]) -> T:
    """The result of `work`, which a thread of its own does. A caller who is cancelled does not end it."""
    executor = ThreadPoolExecutor(1, thread_name_prefix="keepsake-learning")
    try:
        return await asyncio.get_running_loop().run_in_executor(executor, work)
    finally:
        executor.shutdown(wait=False)
