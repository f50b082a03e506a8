"""The shelves of the owners that were used last: loaded from the record, changed with it, dropped when too many."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from assistant.core.errors import StoreClosedError
from assistant.embedding.base import Vectors
from assistant.memory.ledger import queries
from assistant.memory.ledger.store import LedgerStore
from assistant.memory.recall.shelf import Card, Shelf

T = TypeVar("T")

MOST_MEMORIES = 250_000
"""Memories on all shelves together; above it, the shelf that was used least recently goes. Each memory takes about
1.7 kB with a vector of 384 numbers."""

_MOST_OWNERS = 1_000


@dataclass
class OwnerShelf:
    """One owner's shelf.

    Attributes:
        shelf: touch it on the shelves' own thread only.
        filled: set once every vector that the index holds is on the shelf.
        loaded_at: when it was made; seconds of the loop's clock.
    """

    shelf: Shelf
    loaded_at: float
    filled: asyncio.Event = field(default_factory=asyncio.Event)


class Shelves:
    """Keeps the shelves, and the one thread that may touch them.

    Args:
        store: the record.
        dimension: of the vectors; 0 without an embedding model.
        on_loaded: called with an owner whose shelf was just loaded and wants its vectors.
        most: see MOST_MEMORIES.
    """

    def __init__(
        self,
        store: LedgerStore,
        dimension: int,
        *,
        on_loaded: Callable[[str], None],
        most: int = MOST_MEMORIES,
    ) -> None:
        self._store = store
        self._dimension = dimension
        self._on_loaded = on_loaded
        self._most = most
        self._kept: OrderedDict[str, OwnerShelf] = OrderedDict()
        self._closed = False
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="keepsake-recall")
        # Held over a write to the record and the change of the shelf that follows, and while a shelf is loaded: so
        # that no shelf misses a change.
        self.order = asyncio.Lock()

    async def get(self, owner: str) -> OwnerShelf:
        """The shelf of an owner, loaded from the record when it is not here."""
        kept = self._kept.get(owner)
        if kept is None:
            async with self.order:
                kept = self._kept.get(owner)
                if kept is None:
                    kept = await self._load(owner)
        self._kept.move_to_end(owner)
        return kept

    def loaded(self, owner: str) -> OwnerShelf | None:
        """The shelf of an owner, None when it is not here."""
        return self._kept.get(owner)

    async def on_shelf(self, work: Callable[[], T]) -> T:
        """Run `work`, which may touch shelves, on their thread.

        Raises:
            StoreClosedError: the ledger was closed meanwhile.
        """
        if self._closed:
            raise StoreClosedError("This memory was closed.")
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    async def changed(self, owner: str, cards: Iterable[Card], gone: Iterable[str]) -> None:
        """Take over what was written to the record."""
        kept = self._kept.get(owner)
        if kept is None:
            return
        cards, gone, shelf = list(cards), list(gone), kept.shelf

        def work() -> None:
            shelf.take_off(gone)
            for card in cards:
                shelf.put(card)

        await self.on_shelf(work)
        if shelf.is_worn:
            self.drop(owner)

    async def give_vectors(self, owner: str, ids: Sequence[str], vectors: Vectors) -> None:
        """Take over vectors that were written to the index."""
        kept = self._kept.get(owner)
        if kept is not None and self._takes_vectors(kept.shelf):
            shelf = kept.shelf
            await self.on_shelf(lambda: shelf.give_vectors(ids, vectors))

    def takes_vectors(self, owner: str) -> bool:
        """Whether an owner's vectors are kept here at all."""
        kept = self._kept.get(owner)
        return kept is not None and self._takes_vectors(kept.shelf)

    def drop(self, owner: str) -> None:
        """Let go of an owner's shelf; the next use loads it."""
        kept = self._kept.pop(owner, None)
        if kept is not None:
            kept.filled.set()

    def close(self) -> None:
        """End the thread after what runs on it. Safe to call twice."""
        self._closed = True
        for owner in list(self._kept):
            self.drop(owner)
        self._thread.shutdown(wait=False)

    def _is_too_much(self) -> bool:
        memories = sum(kept.shelf.living for kept in self._kept.values())
        return memories > self._most or len(self._kept) > _MOST_OWNERS

    @staticmethod
    def _takes_vectors(shelf: Shelf) -> bool:
        return bool(shelf.vectors.shape[1])

    async def _load(self, owner: str) -> OwnerShelf:
        cards = await self._store.read_owner(owner, queries.cards) or []
        room = len(cards) <= self._most
        shelf = await self.on_shelf(lambda: Shelf(cards, self._dimension if room else 0))
        kept = self._kept[owner] = OwnerShelf(shelf, asyncio.get_running_loop().time())
        if not self._takes_vectors(shelf):
            kept.filled.set()
        while len(self._kept) > 1 and self._is_too_much():
            self.drop(next(iter(self._kept)))
        self._on_loaded(owner)
        return kept
