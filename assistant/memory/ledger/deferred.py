"""A ledger that is still being opened: a window and an agent can hold it at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, cast

from assistant.core.types import Message
from assistant.memory.base import MemoryPage, MemorySort
from assistant.memory.deferred import DeferredMemory
from assistant.memory.ledger.entry import Entry, MemoryVersion, State
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.memory.recall.result import Recall

Opener = Callable[[], Awaitable[MemoryLedger]]


class DeferredLedger(DeferredMemory):
    """A MemoryLedger over one that `opener` makes, once, in the background (see MemoryLedger for what each does)."""

    def __init__(self, opener: Opener) -> None:
        super().__init__(opener)

    async def ledger(self) -> MemoryLedger:
        """Wait for the real one. Errors as in `ready`."""
        return cast(MemoryLedger, await self.ready())

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
        ledger = await self.ledger()
        return await ledger.recall(
            query,
            user_id=user_id,
            history=history,
            session_id=session_id,
            token_budget=token_budget,
            said=said,
        )

    async def would_recall(
        self,
        query: str,
        *,
        user_id: str | None,
        history: Sequence[Message | Mapping[str, Any]] = (),
        session_id: str | None = None,
        token_budget: int,
        said: bool = True,
    ) -> Recall:
        ledger = await self.ledger()
        return await ledger.would_recall(
            query,
            user_id=user_id,
            history=history,
            session_id=session_id,
            token_budget=token_budget,
            said=said,
        )

    async def propose(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        return await (await self.ledger()).propose(content, metadata=metadata, user_id=user_id)

    async def accept(self, memory_id: str, *, user_id: str | None = None) -> bool:
        return await (await self.ledger()).accept(memory_id, user_id=user_id)

    async def supersede(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> str | None:
        ledger = await self.ledger()
        return await ledger.supersede(memory_id, content, metadata=metadata, user_id=user_id)

    async def pin(self, memory_id: str, *, user_id: str | None = None, pinned: bool = True) -> bool:
        return await (await self.ledger()).pin(memory_id, user_id=user_id, pinned=pinned)

    async def entry(self, memory_id: str, *, user_id: str | None = None) -> Entry | None:
        return await (await self.ledger()).entry(memory_id, user_id=user_id)

    async def versions(self, memory_id: str, *, user_id: str | None = None) -> list[MemoryVersion]:
        return await (await self.ledger()).versions(memory_id, user_id=user_id)

    async def count(
        self,
        *,
        user_id: str | None = None,
        state: State = "active",
        kinds: Sequence[str] = (),
        but: Sequence[str] = (),
    ) -> int:
        return await (await self.ledger()).count(user_id=user_id, state=state, kinds=kinds, but=but)

    # Last: below it, the name `list` in an annotation would mean this method.
    async def list(
        self,
        *,
        user_id: str | None = None,
        offset: int = 0,
        limit: int = 50,
        contains: str = "",
        sort: MemorySort = "newest",
        state: State = "active",
        kinds: Sequence[str] = (),
        but: Sequence[str] = (),
    ) -> MemoryPage:
        ledger = await self.ledger()
        return await ledger.list(
            user_id=user_id,
            offset=offset,
            limit=limit,
            contains=contains,
            sort=sort,
            state=state,
            kinds=kinds,
            but=but,
        )
