"""Parts for tests of the ledger."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from assistant.embedding.base import Embedder
from assistant.memory.base import MemoryScope, NewMemory
from assistant.memory.ledger import MemoryLedger, open_memory
from tests.memory_fixtures import HashEmbedder

START = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)


class SetClock:
    """A clock that stands until it is set."""

    def __init__(self, now: datetime = START) -> None:
        self.time = now

    def now(self) -> datetime:
        return self.time


@asynccontextmanager
async def ledger(
    folder: Path,
    *,
    embedder: Embedder | None = None,
    scope: MemoryScope = MemoryScope.PER_USER,
    **options: Any,
) -> AsyncIterator[MemoryLedger]:
    """An open ledger over Chroma, with everything indexed, closed at the end."""
    memory = await open_memory(folder, scope=scope, embedder=embedder or HashEmbedder(), **options)
    try:
        await memory.ready()
        yield memory
    finally:
        await memory.close()


def turn(
    text: str,
    *,
    speaker: str = "Ana",
    session: str = "s1",
    position: int = 0,
    said_at: datetime = START,
    **more: Any,
) -> NewMemory:
    """Something that was said."""
    return NewMemory(
        text,
        {
            "kind": "turn",
            "speaker": speaker,
            "said_at": said_at.isoformat(),
            "session_id": session,
            "position": position,
            **more,
        },
    )


def dialogue(*texts: str, session: str = "s1", day: int = 0) -> list[NewMemory]:
    """Turns of one session, said by Ana and Ben in turn, `day` days after START."""
    return [
        turn(
            text,
            speaker="Ana" if place % 2 == 0 else "Ben",
            session=session,
            position=place,
            said_at=START + timedelta(days=day, minutes=place),
        )
        for place, text in enumerate(texts)
    ]


async def contents(memory: MemoryLedger, owner: str = "alice", **options: Any) -> set[str]:
    """The texts of an owner's list."""
    return {item.content for item in (await memory.list(user_id=owner, limit=1000, **options)).items}


def texts(results: Sequence[Any]) -> list[str]:
    """The texts of search results."""
    return [result.content for result in results]
