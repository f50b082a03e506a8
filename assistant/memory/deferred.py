"""A memory that is still being opened.

Opening takes seconds (an embedding model, a vector store). A window or an agent can hold this provider at once:
each call waits for the opening, and a failed opening fails the call, not the caller.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from assistant.core.errors import AssistantError, MemoryStoreError
from assistant.core.late import Late
from assistant.memory.base import (
    BrowsableMemory,
    MemoryPage,
    MemoryProvider,
    MemoryResult,
    MemoryScope,
    MemorySort,
    NewMemory,
    Progress,
)

Opener = Callable[[], Awaitable[BrowsableMemory]]


class DeferredMemory:
    """A BrowsableMemory over one that `opener` makes, once, in the background.

    Args:
        opener: opens the real memory; called again by the next call after it failed.
        scope: the scope that the real memory will have.
    """

    def __init__(self, opener: Opener, *, scope: MemoryScope = MemoryScope.PER_USER) -> None:
        self._opener = opener
        self._scope = scope
        self._memory = Late(self._open, name="open the memory", closed="The memory is closed.")

    @property
    def scope(self) -> MemoryScope:
        return self._scope

    @property
    def is_ready(self) -> bool:
        """Whether calls are answered without waiting."""
        return self._memory.is_ready

    async def ready(self) -> BrowsableMemory:
        """Wait for the real memory. One waiter's cancellation does not stop the opening for the others.

        Raises:
            StoreClosedError: after close.
            AssistantError: opening failed.
        """
        return await self._memory.get()

    async def _open(self) -> BrowsableMemory:
        try:
            return await self._opener()
        except AssistantError:
            raise
        except (OSError, RuntimeError, ValueError, ImportError) as exc:
            raise MemoryStoreError(
                "The memory could not be opened.", hint="Restart Keepsake.", detail=repr(exc)
            ) from exc

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        return await (await self.ready()).search(query, limit=limit, user_id=user_id)

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        return await (await self.ready()).add(content, metadata=metadata, user_id=user_id)

    async def delete(self, memory_id: str, *, user_id: str | None = None) -> bool:
        return await (await self.ready()).delete(memory_id, user_id=user_id)

    async def purge_user(self, user_id: str) -> int:
        return await (await self.ready()).purge_user(user_id)

    async def get(self, memory_id: str, *, user_id: str | None = None) -> MemoryResult | None:
        return await (await self.ready()).get(memory_id, user_id=user_id)

    async def update(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> bool:
        memory = await self.ready()
        return await memory.update(memory_id, content, metadata=metadata, user_id=user_id)

    async def count(self, *, user_id: str | None = None) -> int:
        return await (await self.ready()).count(user_id=user_id)

    async def add_many(
        self,
        items: Sequence[NewMemory],
        *,
        user_id: str | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        return await (await self.ready()).add_many(items, user_id=user_id, progress=progress)

    async def close(self) -> None:
        """Close the real memory, or stop opening it. Safe to call twice."""
        memory = await self._memory.close()
        if memory is not None:
            await memory.close()

    # Last: below it, the name `list` in an annotation would mean this method.
    async def list(
        self,
        *,
        user_id: str | None = None,
        offset: int = 0,
        limit: int = 50,
        contains: str = "",
        sort: MemorySort = "newest",
    ) -> MemoryPage:
        memory = await self.ready()
        return await memory.list(user_id=user_id, offset=offset, limit=limit, contains=contains, sort=sort)


async def opened(memory: MemoryProvider) -> MemoryProvider:
    """The memory itself, once it is open; one that is not deferred at once.

    Raises:
        AssistantError: as in DeferredMemory.ready.
    """
    return await memory.ready() if isinstance(memory, DeferredMemory) else memory
