"""What of a ledger can be looked at, by id and page by page."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import apsw

from assistant.core.text import check_text
from assistant.memory.base import MemoryPage, MemoryResult, MemorySort
from assistant.memory.ledger import queries
from assistant.memory.ledger.engine import Engine
from assistant.memory.ledger.entry import Entry, MemoryVersion, State
from assistant.memory.rules import checked_page, decode_metadata, moment_of


class LedgerViews(ABC):
    """The reading half of a MemoryLedger."""

    @abstractmethod
    def _owner(self, user_id: str | None) -> str: ...

    @abstractmethod
    def _open_engine(self) -> Engine: ...

    async def get(self, memory_id: str, *, user_id: str | None = None) -> MemoryResult | None:
        entry = await self.entry(memory_id, user_id=user_id)
        return None if entry is None else entry.record.result()

    async def entry(self, memory_id: str, *, user_id: str | None = None) -> Entry | None:
        """All that the record knows of one memory, None when there is none of that id (for this user)."""
        owner = self._owner(user_id)
        check_text(memory_id)
        return await self._open_engine().store.read_owner(
            owner, lambda connection, number: queries.fetch(connection, number, memory_id)
        )

    async def versions(self, memory_id: str, *, user_id: str | None = None) -> list[MemoryVersion]:
        """What a memory said before, oldest first."""
        owner = self._owner(user_id)
        check_text(memory_id)
        found = await self._open_engine().store.read_owner(
            owner, lambda connection, number: queries.versions(connection, number, memory_id)
        )
        return [
            MemoryVersion(number, content, decode_metadata(metadata), quote, moment_of(replaced))
            for number, content, metadata, quote, replaced in found or []
        ]

    async def count(
        self,
        *,
        user_id: str | None = None,
        state: State = "active",
        kinds: Sequence[str] = (),
        but: Sequence[str] = (),
    ) -> int:
        owner = self._owner(user_id)
        found = await self._open_engine().store.read_owner(
            owner, lambda connection, number: queries.count(connection, number, state, kinds, but)
        )
        return found or 0

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
        """A page of memories (see BrowsableMemory.list).

        Args:
            state: which ones; "superseded" for history, "pending" for those that wait.
            kinds: only those kinds; all when empty.
            but: not those kinds.
        """
        owner = self._owner(user_id)
        checked_page(offset, limit, sort)
        check_text(contains)

        def work(connection: apsw.Connection, number: int) -> tuple[Sequence[Entry], int]:
            return queries.page(
                connection,
                number,
                state=state,
                kinds=kinds,
                but=but,
                contains=contains,
                sort=sort,
                offset=offset,
                limit=limit,
            )

        found, total = await self._open_engine().store.read_owner(owner, work) or ([], 0)
        return MemoryPage(tuple(entry.record.result() for entry in found), total)
