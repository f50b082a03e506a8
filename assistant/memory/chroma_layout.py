"""How memories lie in Chroma. Anything that adopts a plain ChromaProvider's store reads this.

A collection is one partition. With `collection_name="agent_memory"` it is named

* SHARED: `agent_memory`
* PER_USER: `agent_memory-` followed by the SHA-256 of the owner's id (UTF-8) in hex; no two owners share one.

Collection metadata:

* `keepsake_layout`: 1
* `keepsake_owner`: the owner's id as it is, absent under SHARED; checked on each opening, so that a partition
  never serves anybody else
* `keepsake_embedder`: the `embedder_id` that made the vectors

The vector space is cosine. A row has the memory's id as its id, the text exactly as given as its document,
the vector, and as metadata

* `keepsake_created`, `keepsake_updated`: microseconds since 1970-01-01 UTC
* `keepsake_json`: the caller's metadata as one JSON text (Chroma itself takes scalars only)
* `keepsake_label`: under SHARED the user that was named, absent without one

A row without these keys is read as a memory without times whose scalars are its metadata.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assistant.core.errors import InvalidInputError, MemoryIsolationError, MemoryStoreError
from assistant.memory.record import Record

LAYOUT = 1
LABEL_KEY = "keepsake_label"
_CREATED, _UPDATED, _JSON = "keepsake_created", "keepsake_updated", "keepsake_json"
_LAYOUT, _OWNER, _EMBEDDER = "keepsake_layout", "keepsake_owner", "keepsake_embedder"

# Wider than Chroma's own values: on random vectors, the hardest kind, 8 of 8 neighbours instead of 5, for the
# same time of a query.
CONFIGURATION: dict[str, Any] = {
    "hnsw": {"space": "cosine", "ef_construction": 200, "ef_search": 400, "max_neighbors": 32}
}

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,398}[A-Za-z0-9]")


@dataclass(frozen=True, slots=True)
class Partition:
    """One collection.

    Attributes:
        name: in Chroma.
        owner: whose memories it holds; None for the shared one.
    """

    name: str
    owner: str | None

    def marks(self, embedder_id: str) -> dict[str, Any]:
        """The metadata of a new collection with vectors of that embedder."""
        marks: dict[str, Any] = {_LAYOUT: LAYOUT, _EMBEDDER: embedder_id}
        if self.owner is not None:
            marks[_OWNER] = self.owner
        return marks

    def check(self, marks: Mapping[str, Any] | None) -> None:
        """Refuse a collection that is not this partition.

        Raises:
            MemoryIsolationError: it is another owner's.
            MemoryStoreError: another program made it.
        """
        marks = marks or {}
        if _LAYOUT not in marks:
            raise MemoryStoreError(
                f"The collection {self.name} was made by another program. Nothing was read or changed.",
                hint="Choose another collection name.",
            )
        if marks.get(_OWNER) != self.owner:
            raise MemoryIsolationError(
                "A stored memory belongs to somebody else. Nothing was read or changed.",
                hint="Choose another collection name.",
            )

    def check_embedder(self, marks: Mapping[str, Any] | None, embedder_id: str) -> None:
        """Refuse to mix vectors of two embedding models.

        Raises:
            MemoryStoreError: the collection's vectors come from another embedding model.
        """
        made_with = (marks or {}).get(_EMBEDDER)
        if made_with != embedder_id:
            raise MemoryStoreError(
                "These memories were indexed with another embedding model. Nothing was changed.",
                hint="Export the memories, and import them into a new folder.",
                detail=f"made with {made_with}, opened with {embedder_id}",
            )


def check_collection_name(name: str) -> str:
    """`name` itself when Chroma takes it, also with an owner's hash behind it.

    Raises:
        InvalidInputError: too short, too long, or with other characters.
    """
    if not _NAME.fullmatch(name):
        raise InvalidInputError(
            f"{name!r} can't name a collection.",
            hint="Use 3 to 400 letters, digits, dots, dashes, underscores; a letter or digit at both ends.",
        )
    return name


def collection_name(base: str, owner: str | None) -> str:
    """The collection of an owner's partition; no two owners get the same."""
    return base if owner is None else f"{base}-{hashlib.sha256(owner.encode()).hexdigest()}"


def row_metadata(record: Record) -> dict[str, str | int]:
    """A record's metadata as Chroma keeps it."""
    row: dict[str, str | int] = {_JSON: record.metadata}
    if record.created is not None:
        row[_CREATED] = record.created
    if record.updated is not None:
        row[_UPDATED] = record.updated
    if record.label is not None:
        row[LABEL_KEY] = record.label
    return row


def record_of(memory_id: str, document: str | None, row: Mapping[str, Any] | None) -> Record:
    """The record that a row of Chroma holds."""
    row = row or {}
    text = row.get(_JSON)
    if not isinstance(text, str):
        ours = (_CREATED, _UPDATED, LABEL_KEY)
        text = json.dumps({key: value for key, value in row.items() if key not in ours}, ensure_ascii=False)
    created, updated, label = row.get(_CREATED), row.get(_UPDATED), row.get(LABEL_KEY)
    return Record(
        memory_id=memory_id,
        content=document or "",
        metadata=text,
        created=created if isinstance(created, int) else None,
        updated=updated if isinstance(updated, int) else None,
        label=label if isinstance(label, str) else None,
    )


@dataclass(frozen=True, slots=True)
class CollectionOwner:
    """Whose partition a collection is; `owner` is None for the shared one."""

    owner: str | None


def owner_of_collection(base: str, name: str, marks: Mapping[str, Any] | None) -> CollectionOwner | None:
    """Whose partition the collection `name` is under `base`; None when it is another base's or another program's."""
    owner = (marks or {}).get(_OWNER)
    if _LAYOUT not in (marks or {}) or not (owner is None or isinstance(owner, str)):
        return None
    return CollectionOwner(owner) if name == collection_name(base, owner) else None


def embedder_of(marks: Mapping[str, Any] | None) -> str | None:
    """The embedder that made a collection's vectors, None when it does not say."""
    made_with = (marks or {}).get(_EMBEDDER)
    return made_with if isinstance(made_with, str) else None
