"""Waiting for work that must not be left half done."""

from __future__ import annotations

import asyncio
from typing import Any


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
