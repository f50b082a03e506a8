"""What is opened late is opened once, for all who wait, and again only after a failure."""

from __future__ import annotations

import asyncio

import pytest

from assistant.core.errors import MemoryStoreError, StoreClosedError
from assistant.core.late import Late


class Opener:
    """Opens when it is let, and counts how often it was asked."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.calls = 0
        self.gate = asyncio.Event()

    async def __call__(self) -> str:
        self.calls += 1
        await self.gate.wait()
        if self.failures:
            raise self.failures.pop()
        return "open"

    def late(self) -> Late[str]:
        return Late(self, name="open it", closed="It is closed.")


async def test_all_who_wait_share_one_opening() -> None:
    opener = Opener()
    late = opener.late()
    waiting = [asyncio.ensure_future(late.get()) for _ in range(3)]
    opener.gate.set()
    assert await asyncio.gather(*waiting) == ["open"] * 3
    assert (opener.calls, late.is_ready) == (1, True)
    assert await late.close() == "open"


async def test_a_cancelled_waiter_does_not_stop_the_opening() -> None:
    opener = Opener()
    late = opener.late()
    first, second = asyncio.ensure_future(late.get()), asyncio.ensure_future(late.get())
    await asyncio.sleep(0)
    first.cancel()
    opener.gate.set()
    assert await second == "open"
    assert opener.calls == 1
    await late.close()


async def test_a_failure_is_told_and_the_next_call_tries_again() -> None:
    opener = Opener(MemoryStoreError("not now"))
    opener.gate.set()
    late = opener.late()
    with pytest.raises(MemoryStoreError, match="not now"):
        await late.get()
    assert not late.is_ready
    assert await late.get() == "open"
    assert opener.calls == 2
    await late.close()


async def test_closing_ends_the_opening_and_tells_those_who_wait() -> None:
    late = Opener().late()
    waiting = asyncio.ensure_future(late.get())
    await asyncio.sleep(0)
    assert await late.close() is None
    with pytest.raises(StoreClosedError, match="It is closed"):
        await waiting
    with pytest.raises(StoreClosedError):
        await late.get()
    assert await late.close() is None
