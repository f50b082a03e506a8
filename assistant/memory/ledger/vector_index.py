"""The narrow protocol between the ledger and whatever keeps its vectors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from assistant.embedding.base import Vectors
from assistant.memory.record import Record

Owner = str | None
"""Whose memories: an owner's id, None for the shared partition."""


@dataclass(frozen=True, slots=True)
class IndexedVectors:
    """Vectors as an index holds them.

    Attributes:
        ids: of the memories.
        texts: what each vector was made of.
        vectors: float32 of shape (len(ids), dimension).
    """

    ids: list[str]
    texts: list[str]
    vectors: Vectors


class VectorIndex(Protocol):
    """Vectors of active memories, one partition for each owner. It can be lost: the record makes it again.

    Every method may raise MemoryStoreError or StorageError.

    Attributes:
        embedder_id: names the embedding model whose vectors it takes; None while there is no model, when it only
            tells what it holds.
    """

    @property
    def embedder_id(self) -> str | None: ...

    def has_files(self) -> bool:
        """Whether something was kept here before; tells without opening it."""
        ...

    async def open(self) -> bool:
        """Open it. Damaged files are moved aside, never removed.

        Returns:
            Whether it was damaged, so that it begins empty.
        """
        ...

    async def owners(self) -> list[Owner]:
        """Whose partitions there are."""
        ...

    async def ids(self, owner: Owner) -> list[str]:
        """The ids of a partition."""
        ...

    async def is_current(self, owner: Owner) -> bool:
        """Whether a partition can take vectors of `embedder_id`: it has none yet, or only such ones."""
        ...

    async def records(self, owner: Owner, ids: Sequence[str]) -> list[Record]:
        """The memories of those ids as they were indexed; those that are not there are left out."""
        ...

    async def vectors(self, owner: Owner, ids: Sequence[str]) -> IndexedVectors:
        """The vectors of those ids that are there."""
        ...

    async def query(self, owner: Owner, vector: Vectors, limit: int) -> list[tuple[str, float]]:
        """The nearest memories with their cosines (-1..1), best first.

        Args:
            vector: float32 of shape (dimension,), unit length.
        """
        ...

    async def upsert_many(self, owner: Owner, records: Sequence[Record], vectors: Vectors) -> None:
        """Write memories, replacing those of the same id; on disk when it returns.

        Args:
            vectors: float32 of shape (len(records), dimension), made by `embedder_id`.
        """
        ...

    async def remove(self, owner: Owner, ids: Sequence[str]) -> None:
        """Remove memories; ids that are not there are ignored."""
        ...

    async def drop(self, owner: Owner) -> None:
        """Remove a whole partition."""
        ...

    async def compact(self) -> None:
        """Build all partitions anew, vectors copied, and remove the old files: what was removed is then nowhere."""
        ...

    async def close(self) -> None:
        """Close it. Safe to call twice."""
        ...
