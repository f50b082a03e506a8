"""Long-term memories that fail, hang or wait where a test says so; the real ledger otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from assistant.core.errors import MemoryStoreError
from assistant.core.types import Message
from assistant.memory.base import Progress
from assistant.memory.ledger.chroma_index import ChromaIndex
from assistant.memory.ledger.entry import State
from assistant.memory.ledger.exchange import Arriving, LedgerExchange
from assistant.memory.ledger.hiding import Hidden
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.memory.recall.result import Recall
from tests.chat_server import Gate
from tests.memory_fixtures import HashEmbedder
from tests.ui.app_fixtures import OpenMemory, Running

BROKEN = "The disk of the memory has gone."

L = TypeVar("L", bound=MemoryLedger)


async def opened(kind: type[L], folder: Path) -> L:
    """A ledger of that class in a profile's folder, open."""
    embedder, place = HashEmbedder(), folder / "memory"
    ledger = kind(place, ChromaIndex(place, embedder.embedder_id), embedder=embedder)
    await ledger.open()
    return ledger


class FailingMemory(MemoryLedger):
    """Its writes fail once `broken` is set."""

    broken = False

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        self._fail()
        return await super().add(content, metadata=metadata, user_id=user_id)

    async def update(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> bool:
        self._fail()
        return await super().update(memory_id, content, metadata=metadata, user_id=user_id)

    async def forget(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> int:
        self._fail()
        return await super().forget(memory_ids, user_id=user_id)

    async def hide(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> list[Hidden]:
        self._fail()
        return await super().hide(memory_ids, user_id=user_id)

    async def accept(self, memory_id: str, *, user_id: str | None = None) -> bool:
        self._fail()
        return await super().accept(memory_id, user_id=user_id)

    async def pin(self, memory_id: str, *, user_id: str | None = None, pinned: bool = True) -> bool:
        self._fail()
        return await super().pin(memory_id, user_id=user_id, pinned=pinned)

    def _fail(self) -> None:
        if self.broken:
            raise MemoryStoreError(BROKEN, hint="Plug it in again.")


async def open_failing(folder: Path) -> FailingMemory:
    """A memory that `break_memory` breaks."""
    return await opened(FailingMemory, folder)


async def break_memory(running: Running) -> None:
    """From now on nothing can be written to the memory."""
    memory = await running.profile.memory.ready()
    assert isinstance(memory, FailingMemory)
    memory.broken = True


class DeafMemory(MemoryLedger):
    """Its recall fails with `error`, or never ends; it keeps nothing new."""

    error: Exception | None = None

    async def recall(
        self,
        query: str,
        *,
        user_id: str | None,
        history: Sequence[Message | Mapping[str, Any]] = (),
        session_id: str | None = None,
        token_budget: int,
        said: bool = True,
    ) -> Recall:
        if self.error is not None:
            raise self.error
        await Gate().wait()
        return Recall()

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        raise MemoryStoreError(BROKEN, hint="Plug it in again.")


def deaf(error: Exception | None) -> OpenMemory:
    """Opens a memory whose recall fails with `error`; None: it never ends."""

    async def open_deaf(folder: Path) -> MemoryLedger:
        memory = await opened(DeafMemory, folder)
        memory.error = error
        return memory

    return open_deaf


class SlowExchange(LedgerExchange):
    """It waits after each batch of an import."""

    async def take_in(
        self,
        arriving: Sequence[Arriving],
        *,
        user_id: str | None = None,
        coming: Mapping[str, State] | None = None,
        progress: Progress | None = None,
    ) -> None:
        await super().take_in(arriving, user_id=user_id, coming=coming, progress=progress)
        await Gate().wait()


async def open_slow(folder: Path) -> MemoryLedger:
    """A memory whose imports stop after a batch."""
    memory = await opened(MemoryLedger, folder)
    memory.exchange = SlowExchange(memory._open_engine, memory.scope, memory._entry)
    return memory
