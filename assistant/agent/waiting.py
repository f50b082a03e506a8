"""Waiting for work that must not be left half done."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import Context
from typing import Any, TypeVar

from assistant.core.errors import StoreClosedError
from assistant.core.tasks import Supervisor

T = TypeVar("T")


def started(
    tasks: Supervisor, work: Coroutine[Any, Any, T], *, name: str, context: Context
) -> asyncio.Task[T]:
    """Run `work` beside the turn.

    Raises:
        StoreClosedError: the agent was shut down.
    """
    try:
        return tasks.start(work, name=name, context=context)
    except RuntimeError:
        raise closed_meanwhile() from None


def closed_meanwhile() -> StoreClosedError:
    """The error of a turn whose agent is shut down."""
    return StoreClosedError("The assistant was closed while it answered. What you saw is kept.")


async def ended(task: asyncio.Task[Any]) -> None:
    """Wait until `task` has ended, however it ends. A cancellation that comes meanwhile is raised afterwards."""
    cancelled = False
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            cancelled = True
    if cancelled:
        raise asyncio.CancelledError
