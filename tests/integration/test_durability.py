"""The durability benchmark in short: nothing acknowledged is lost, and the index agrees with the record."""

from __future__ import annotations

import pytest

from benchmarks.durability import measure


@pytest.mark.slow
async def test_ten_kills_at_random_instants_lose_nothing() -> None:
    lost, mismatched, acknowledged = await measure(10, seed=7)
    assert (lost, mismatched) == (0, 0)
    assert acknowledged > 10
