"""Bringing the index up to the record: a failure that nobody foresaw keeps nobody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from assistant.embedding.base import Priority, Vectors
from assistant.memory.base import NewMemory
from tests.ledger_fixtures import ledger
from tests.memory_fixtures import HashEmbedder


class FailsOnce(HashEmbedder):
    """Fails in a way that its promise does not know, once."""

    failed = False

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        if priority == "index" and not self.failed:
            self.failed = True
            raise ZeroDivisionError
        return await super().embed(texts, priority=priority)


async def test_an_unforeseen_failure_leaves_no_addition_waiting_and_is_made_good_by_the_next(
    tmp_path: Path,
) -> None:
    async with ledger(tmp_path, embedder=FailsOnce()) as memory:
        new = [NewMemory(f"Fact {n}") for n in range(600)]
        await asyncio.wait_for(memory.add_many(new, user_id="alice"), 30)
        await memory.add("The last fact", user_id="alice")
        await asyncio.wait_for(memory.ready(), 30)
        assert memory.indexing.failed == 0
        assert await memory.count(user_id="alice") == 601
