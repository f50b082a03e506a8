"""What the tests of the conversation stores share: every store, opened and closed, and a clock that ticks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from assistant.conversation.base import ConversationStore, MessagePage
from assistant.conversation.memory_store import InMemoryConversationStore
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.conversation.temporary import StoreWithTemporary
from assistant.core.clock import Clock
from assistant.core.types import Message

KINDS = ("memory", "sqlite", "temporary")
WITH_TEMPORARY = ("memory", "temporary")
"""Those that take temporary conversations."""


class TickingClock:
    """Each look at it is a second after the one before."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


@asynccontextmanager
async def opened(kind: str, folder: Path, clock: Clock | None = None) -> AsyncIterator[ConversationStore]:
    clock = clock or TickingClock()
    store: ConversationStore
    if kind == "memory":
        store = InMemoryConversationStore(clock=clock)
    else:
        disk = await SqliteConversationStore.open(folder / "conversations.sqlite", clock=clock)
        store = disk if kind == "sqlite" else StoreWithTemporary(disk, clock=clock)
    try:
        yield store
    finally:
        await store.close()


def user(text: str) -> Message:
    return Message("user", text)


def reply(text: str) -> Message:
    return Message("assistant", text)


def contents(page: MessagePage) -> list[str]:
    return [message.content for message in page.items]
