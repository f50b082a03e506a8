"""Parts for tests of the answer cache."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from assistant.cache import CachedAnswer, SemanticCache
from assistant.cache.base import AnswerKeys, KeptAnswer, Limits
from assistant.core.errors import StorageError
from assistant.core.types import CallerContext
from tests.memory_fixtures import HashEmbedder

ALICE, BOB = CallerContext("alice"), CallerContext("bob")
MODEL = "preset:model at this computer"
KILLERS = Path(__file__).resolve().parent.parent / "benchmarks" / "cache_killers.tsv"

HOSTILE_OWNERS = (
    "a:b", "a", ":", "*", "alice*", "keepsake:1:plain:owner", "ali\nce", "ali\r\nFLUSHALL\r\n", "α", "é", "e\u0301",
    "a" * 4000, "../../x", "'; DROP TABLE answers; --", "%00", "alice ", " alice", "Alice", "ALICE", "{alice}", "\x7f",
    "ali\x00ce", "0:alice", "\u202ealice", "[removed]",
)  # fmt: skip


class SetClock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 1, 12, tzinfo=UTC)

    def now(self) -> datetime:
        return self.time

    def advance(self, **by: float) -> None:
        self.time += timedelta(**by)


@asynccontextmanager
async def opened(**options: Any) -> AsyncIterator[SemanticCache]:
    """A cache that is closed at the end; it compares by words unless an embedder is given."""
    cache = SemanticCache(**{"embedder": HashEmbedder(), **options})
    try:
        yield cache
    finally:
        await cache.close()


async def keep(
    cache: SemanticCache,
    question: str,
    answer: str = "An answer.",
    caller: CallerContext = ALICE,
    **more: Any,
) -> bool:
    return await cache.put(question, answer, caller=caller, model=MODEL, **more)


async def ask(
    cache: SemanticCache, question: str, caller: CallerContext | None = ALICE, **more: Any
) -> CachedAnswer | None:
    return await cache.get(question, caller=caller, model=MODEL, **more)


async def answer_to(
    cache: SemanticCache, question: str, caller: CallerContext | None = ALICE, **more: Any
) -> str | None:
    found = await ask(cache, question, caller, **more)
    return None if found is None else found.answer


def kept(
    name: str, *, owner: str = "o", shelf: str = "s", gist: str = "g", created: int = 0, expires: int | None = None,
    memories: Sequence[str] = (), body: bytes = b"body",
) -> KeptAnswer:  # fmt: skip
    return KeptAnswer(AnswerKeys(owner, shelf, name, gist), body, tuple(memories), created, expires)


ROOMY = Limits(1_000, 100_000)


class BrokenBackend:
    """A place that fails while it is told to."""

    def __init__(self) -> None:
        self.broken = True
        self.calls = 0

    async def open(self, fingerprint: str) -> None:
        self.calls += 1
        if self.broken:
            raise StorageError("The place is out of order.")

    async def find(self, shelf: str, exact: str, gist: str, *, now: int, limit: int) -> Sequence[KeptAnswer]:
        return []

    async def put(self, answer: KeptAnswer, *, limits: Limits, now: int) -> None:
        return None

    async def remove(self, keys: AnswerKeys) -> None:
        return None

    async def remove_owner(self, owner: str) -> int:
        return 0

    async def remove_memories(self, memories: Sequence[str]) -> int:
        return 0

    async def count(self, owner: str | None = None) -> int:
        return 0

    async def close(self) -> None:
        return None


def killers() -> list[tuple[str, str, str, str]]:
    """Language, what differs, and two questions that one answer must not serve."""
    lines = KILLERS.read_text(encoding="utf-8").splitlines()
    return [(parts[0], parts[1], parts[2], parts[3]) for line in lines if (parts := line.split("\t"))]
