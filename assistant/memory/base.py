"""What long-term memory promises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from types import MappingProxyType
from typing import Any, Literal, Protocol, runtime_checkable

TURN = "turn"
"""The kind of a memory that repeats what was said in a conversation; any other kind is a fact."""

MemorySort = Literal["newest", "oldest", "text"]
Progress = Callable[[int, int], None]
"""Called with (done, total)."""


class MemoryScope(Enum):
    """Who sees a memory: everybody, or only its owner."""

    SHARED = "shared"
    PER_USER = "per_user"


@dataclass(frozen=True, slots=True)
class MemoryResult:
    """One memory, as found.

    Attributes:
        content: the text, exactly as it was added.
        score: 0..1, comparable within one search; 1.0 where nothing was ranked (get, list).
        memory_id: names it in delete and update.
        metadata: a copy of what was given with it, any JSON.
        created_at, updated_at: UTC, None when the provider does not know.
    """

    content: str
    score: float
    memory_id: str
    metadata: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    created_at: datetime | None = None
    updated_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class MemoryPage:
    """A slice of a list.

    Attributes:
        items: the slice, in the order that was asked for.
        total: how many there are in all under the same filter.
    """

    items: tuple[MemoryResult, ...]
    total: int


@dataclass(frozen=True, slots=True)
class NewMemory:
    """What `add_many` takes.

    Attributes:
        content: the text.
        metadata: any JSON object.
        memory_id: keep this id (an import, an undone delete); None for a new one.
        created_at: keep this time; None for now.
        updated_at: keep this time; None for the time of creation.
    """

    content: str
    metadata: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    memory_id: str | None = None
    created_at: datetime | None = None
    updated_at: datetime | None = None


@runtime_checkable
class MemoryProvider(Protocol):
    """Keeps texts and finds them again.

    Under PER_USER each call needs a user and sees only that user's memories; another owner's id behaves as
    absent. Under SHARED a user_id is kept as a label: search ignores it, purge_user removes what carries it.

    Attributes:
        scope: see MemoryScope.
    """

    @property
    def scope(self) -> MemoryScope: ...

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        """The memories that fit `query`, best first, at most `limit` (0 or less: none).

        Raises:
            MemoryIsolationError: PER_USER without a user.
            InvalidTextError: the query is not valid Unicode.
            MemoryStoreError: the store failed.
        """
        ...

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        """Keep `content` and return its id once it is on disk.

        Raises:
            InvalidInputError: blank content, metadata that is not JSON.
            MemoryIsolationError, InvalidTextError, MemoryStoreError: as in search.
        """
        ...

    async def delete(self, memory_id: str, *, user_id: str | None = None) -> bool:
        """Remove one memory; False when there is none of that id (for this user). A failure raises."""
        ...

    async def purge_user(self, user_id: str) -> int:
        """Remove all of a user's memories and return how many there were. A failure raises."""
        ...

    async def close(self) -> None:
        """Close the store. Safe to call twice; any other call afterwards raises StoreClosedError."""
        ...


@runtime_checkable
class BrowsableMemory(MemoryProvider, Protocol):
    """A memory that people can look through."""

    async def get(self, memory_id: str, *, user_id: str | None = None) -> MemoryResult | None:
        """One memory, None when there is none of that id (for this user)."""
        ...

    async def update(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> bool:
        """Replace the text (and the metadata, unless None); False when there is none of that id."""
        ...

    async def count(self, *, user_id: str | None = None) -> int:
        """How many memories there are (for this user)."""
        ...

    async def add_many(
        self,
        items: Sequence[NewMemory],
        *,
        user_id: str | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        """Add all of `items` in batches and return their ids in order.

        An item whose memory_id exists already for this owner replaces it. Cancelling keeps the batches that
        were finished.
        """
        ...

    async def list(
        self,
        *,
        user_id: str | None = None,
        offset: int = 0,
        limit: int = 50,
        contains: str = "",
        sort: MemorySort = "newest",
    ) -> MemoryPage:
        """A page of memories.

        Args:
            offset, limit: the slice; limit at most 1,000.
            contains: only those whose text contains this, ignoring case; empty for all.
            sort: by creation time or text.
        """
        ...
