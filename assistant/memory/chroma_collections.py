"""What is done with the collections of one Chroma store, call by call. Runs on worker threads only.

One thread writes; another one may read at the same time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from assistant.core.errors import MemoryStoreError
from assistant.embedding.base import Vectors
from assistant.memory.chroma_client import ChromaPlace, OpenChroma, open_chroma
from assistant.memory.chroma_layout import CONFIGURATION, LABEL_KEY, Partition, record_of, row_metadata
from assistant.memory.record import Record

if TYPE_CHECKING:
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection
    from chromadb.api.types import GetResult

T = TypeVar("T")
Ranked = list[tuple[Record, float]]

_CHUNK = 500
"""Rows to one call: below Chroma's batch limit and SQLite's limit of variables, and short enough that the
interpreter's lock is never held for long."""


class ChromaCollections:
    """The partitions of one Chroma store. It is opened by the first call."""

    def __init__(self, place: ChromaPlace) -> None:
        self._place = place
        self._opening = threading.Lock()
        self._open: OpenChroma | None = None
        self._known: dict[str, Collection] = {}

    def upsert(
        self, partition: Partition, records: Sequence[Record], vectors: Vectors, embedder_id: str
    ) -> None:
        """Write `records`, replacing those of the same id; on disk when it returns.

        Args:
            vectors: float32 of shape (len(records), dimension), made by `embedder_id`.
        """
        if self._collection(partition) is None:
            self._create(partition, embedder_id)

        def work(collection: Collection) -> bool:
            partition.check_embedder(collection.metadata, embedder_id)
            for start in range(0, len(records), _CHUNK):
                part = records[start : start + _CHUNK]
                collection.upsert(
                    ids=[record.memory_id for record in part],
                    embeddings=vectors[start : start + _CHUNK],
                    documents=[record.content for record in part],
                    metadatas=[row_metadata(record) for record in part],
                )
            return True

        if not self._with(partition, work, absent=False):
            raise MemoryStoreError(
                "The memory was removed while something was added to it.", hint="Try again."
            )

    def nearest(self, partition: Partition, vector: Vectors, limit: int, embedder_id: str) -> Ranked | None:
        """The nearest records with their cosines (-1..1), best first, at most `limit`.

        None when the index gave fewer than there are: rows came or went meanwhile, or it is damaged.

        Args:
            vector: float32 of shape (dimension,), made by `embedder_id`.
        """

        def work(collection: Collection) -> Ranked | None:
            partition.check_embedder(collection.metadata, embedder_id)
            wanted = limit if limit <= _CHUNK else min(limit, collection.count())
            if not wanted:
                return []
            answer = collection.query(
                query_embeddings=vector[np.newaxis], n_results=wanted, include=["distances"]
            )
            ids, distances = answer["ids"][0], (answer["distances"] or [[]])[0]
            if len(ids) < wanted and len(ids) < min(wanted, collection.count()):
                return None
            records = {record.memory_id: record for record in _by_id(collection, ids)}
            ranked = zip(ids, distances, strict=True)
            return [(records[key], 1.0 - float(distance)) for key, distance in ranked if key in records]

        nothing: Ranked | None = []
        return self._with(partition, work, absent=nothing)

    def fetch(self, partition: Partition, memory_id: str) -> Record | None:
        """One record, None when there is none of that id."""
        nothing: list[Record] = []
        found = self._with(partition, lambda collection: _by_id(collection, [memory_id]), absent=nothing)
        return found[0] if found else None

    def count(self, partition: Partition) -> int:
        """How many records there are."""
        return self._with(partition, lambda collection: collection.count(), absent=0)

    def everything(self, partition: Partition) -> list[Record]:
        """All records, in no particular order. Rows that come or go meanwhile may be missed."""

        def work(collection: Collection) -> list[Record]:
            records: list[Record] = []
            while True:
                rows = collection.get(limit=_CHUNK, offset=len(records), include=["documents", "metadatas"])
                records.extend(_records(rows))
                if len(rows["ids"]) < _CHUNK:
                    return records

        return self._with(partition, work, absent=[])

    def remove(self, partition: Partition, memory_id: str) -> bool:
        """Remove one record; False when there is none of that id."""

        def work(collection: Collection) -> bool:
            if not collection.get(ids=[memory_id], include=[])["ids"]:
                return False
            collection.delete(ids=[memory_id])
            return True

        return self._with(partition, work, absent=False)

    def remove_labelled(self, partition: Partition, label: str) -> list[str]:
        """Remove the records that carry `label` and return their ids."""

        def work(collection: Collection) -> list[str]:
            removed: list[str] = []
            while ids := collection.get(where={LABEL_KEY: label}, limit=_CHUNK, include=[])["ids"]:
                collection.delete(ids=ids)
                removed.extend(ids)
            return removed

        return self._with(partition, work, absent=[])

    def drop(self, partition: Partition) -> int:
        """Remove a whole partition and return how many records it had."""

        def work(collection: Collection) -> int:
            count = collection.count()
            self._client().client.delete_collection(collection.name)
            self._known.pop(partition.name, None)
            return count

        return self._with(partition, work, absent=0)

    def close(self) -> None:
        """Give the store back; another call would open it again."""
        with self._opening:
            opened, self._open = self._open, None
            self._known.clear()
            if opened is not None:
                opened.close()

    def start_over(self) -> None:
        """Open a store on disk anew at the next call.

        A write that failed half-way (a full disk) leaves Chroma's connections in a transaction on which all later
        calls would wait for ever; what its log has already it then applies on opening.
        """
        if self._place.directory is not None:
            self.close()

    def _client(self) -> OpenChroma:
        with self._opening:
            if self._open is None:
                self._open = open_chroma(self._place)
            return self._open

    def _with(self, partition: Partition, work: Callable[[Collection], T], *, absent: T) -> T:
        """Run `work` on a partition's collection; `absent` when there is none."""
        from chromadb.errors import NotFoundError

        known = partition.name in self._known
        collection = self._collection(partition)
        if collection is None:
            return absent
        try:
            return work(collection)
        except NotFoundError:
            if not known:
                raise
            # Somebody else at the same server has removed the collection, and perhaps made it anew.
            self._known.pop(partition.name, None)
            collection = self._collection(partition)
            return absent if collection is None else work(collection)

    def _collection(self, partition: Partition) -> Collection | None:
        from chromadb.errors import NotFoundError

        collection = self._known.get(partition.name)
        if collection is not None:
            return collection
        opened = self._client()
        try:
            collection = opened.client.get_collection(opened.prefix + partition.name, embedding_function=None)
        except NotFoundError:
            return None
        return self._accept(partition, collection)

    def _create(self, partition: Partition, embedder_id: str) -> None:
        opened = self._client()
        # Not plain create: another process at the same server may have been faster.
        collection = opened.client.get_or_create_collection(
            opened.prefix + partition.name,
            embedding_function=None,
            metadata=partition.marks(embedder_id),
            configuration=cast("CreateCollectionConfiguration", CONFIGURATION),
        )
        self._accept(partition, collection)

    def _accept(self, partition: Partition, collection: Collection) -> Collection:
        partition.check(collection.metadata)
        self._known[partition.name] = collection
        return collection


def _by_id(collection: Collection, ids: Sequence[str]) -> list[Record]:
    found: list[Record] = []
    for start in range(0, len(ids), _CHUNK):
        part = list(ids[start : start + _CHUNK])
        found.extend(_records(collection.get(ids=part, include=["documents", "metadatas"])))
    return found


def _records(rows: GetResult) -> list[Record]:
    documents, metadatas = rows["documents"] or [], rows["metadatas"] or []
    return [record_of(*row) for row in zip(rows["ids"], documents, metadatas, strict=True)]
