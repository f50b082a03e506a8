"""A memory that lasts as long as its process: for trials, tests and temporary conversations."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import InvalidInputError, StoreClosedError
from assistant.core.text import check_text
from assistant.memory.base import MemoryPage, MemoryResult, MemoryScope, MemorySort, NewMemory, Progress
from assistant.memory.keywords import keywords, overlap
from assistant.memory.record import Record, Stamps, new_record, ordered, page_of
from assistant.memory.rules import (
    checked_content,
    checked_page,
    encode_metadata,
    owner_of,
    required_owner,
)

_BATCH = 256


@dataclass(frozen=True, slots=True)
class _Kept:
    record: Record
    words: frozenset[str]


class InMemoryProvider:
    """Keeps memories in this process and finds them by their words.

    The score of a memory is the share of the query's keywords that it holds; memories that hold none are not
    returned.

    Args:
        scope: who sees a memory.
        max_per_owner: memories kept for one owner (under SHARED: for one label); the oldest goes when another
            one comes.
        clock: tells creation times.
    """

    def __init__(
        self,
        scope: MemoryScope = MemoryScope.SHARED,
        max_per_owner: int = 10_000,
        *,
        clock: Clock | None = None,
    ) -> None:
        if max_per_owner < 1:
            raise InvalidInputError(f"max_per_owner must be at least 1; got {max_per_owner}.")
        self._scope = scope
        self._max_per_owner = max_per_owner
        self._stamps = Stamps(clock or SystemClock())
        self._owners: dict[str | None, dict[str, _Kept]] = {}
        self._closed = False

    @property
    def scope(self) -> MemoryScope:
        return self._scope

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        self._check_open()
        owner = owner_of(self._scope, user_id)
        wanted = keywords(check_text(query))
        if limit <= 0 or not wanted:
            return []
        found = [(overlap(wanted, kept.words), kept.record) for kept in self._visible(owner)]
        hits = [(score, record) for score, record in found if score > 0]
        hits.sort(key=lambda hit: (hit[0], hit[1].created or 0, hit[1].memory_id), reverse=True)
        return [record.result(score) for score, record in hits[:limit]]

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        [memory_id] = await self.add_many([NewMemory(content, metadata or {})], user_id=user_id)
        return memory_id

    async def delete(self, memory_id: str, *, user_id: str | None = None) -> bool:
        self._check_open()
        home = self._home_of(memory_id, owner_of(self._scope, user_id))
        if home is None:
            return False
        del home[memory_id]
        return True

    async def purge_user(self, user_id: str) -> int:
        self._check_open()
        return len(self._owners.pop(required_owner(user_id), {}))

    async def get(self, memory_id: str, *, user_id: str | None = None) -> MemoryResult | None:
        self._check_open()
        home = self._home_of(memory_id, owner_of(self._scope, user_id))
        return None if home is None else home[memory_id].record.result()

    async def update(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> bool:
        self._check_open()
        owner = owner_of(self._scope, user_id)
        checked_content(content)
        encoded = None if metadata is None else encode_metadata(metadata)
        home = self._home_of(memory_id, owner)
        if home is None:
            return False
        old = home[memory_id].record
        home[memory_id] = _kept(
            replace(
                old,
                content=content,
                metadata=old.metadata if encoded is None else encoded,
                updated=self._stamps.next(),
            )
        )
        return True

    async def count(self, *, user_id: str | None = None) -> int:
        self._check_open()
        owner = owner_of(self._scope, user_id)
        return sum(1 for _ in self._visible(owner))

    async def add_many(
        self,
        items: Sequence[NewMemory],
        *,
        user_id: str | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        self._check_open()
        owner_of(self._scope, user_id)
        records = [self._record(item, user_id) for item in items]
        for start in range(0, len(records), _BATCH):
            for record in records[start : start + _BATCH]:
                self._keep(record, user_id or None)
            if progress is not None:
                progress(min(start + _BATCH, len(records)), len(records))
            if start + _BATCH < len(records):
                await asyncio.sleep(0)
                self._check_open()
        return [record.memory_id for record in records]

    async def close(self) -> None:
        self._closed = True
        self._owners.clear()

    async def list(
        self,
        *,
        user_id: str | None = None,
        offset: int = 0,
        limit: int = 50,
        contains: str = "",
        sort: MemorySort = "newest",
    ) -> MemoryPage:
        self._check_open()
        owner = owner_of(self._scope, user_id)
        checked_page(offset, limit, sort)
        records = ordered((kept.record for kept in self._visible(owner)), sort)
        return page_of(records, contains=check_text(contains), offset=offset, limit=limit)

    def _record(self, item: NewMemory, user_id: str | None) -> Record:
        return new_record(item, self._stamps, scope=self._scope, user_id=user_id)

    def _keep(self, record: Record, owner: str | None) -> None:
        replaced = self._home_of(record.memory_id, owner if self._scope is MemoryScope.PER_USER else None)
        if replaced is not None:
            del replaced[record.memory_id]
        home = self._owners.setdefault(owner, {})
        home[record.memory_id] = _kept(record)
        if len(home) > self._max_per_owner:
            oldest = min(home.values(), key=lambda kept: (kept.record.created or 0, kept.record.memory_id))
            del home[oldest.record.memory_id]

    def _home_of(self, memory_id: str, owner: str | None) -> dict[str, _Kept] | None:
        """Where that id is kept among what `owner` may see (None: shared, so all)."""
        if self._scope is MemoryScope.PER_USER:
            home = self._owners.get(owner, {})
            return home if memory_id in home else None
        return next((home for home in self._owners.values() if memory_id in home), None)

    def _visible(self, owner: str | None) -> Iterator[_Kept]:
        homes = (
            [self._owners.get(owner, {})] if self._scope is MemoryScope.PER_USER else self._owners.values()
        )
        for home in homes:
            yield from home.values()

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError("This memory was closed.")


def _kept(record: Record) -> _Kept:
    return _Kept(record, keywords(record.content))
