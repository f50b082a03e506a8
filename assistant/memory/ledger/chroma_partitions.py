"""What the ledger asks of Chroma's collections beyond a plain provider. Runs on worker threads only."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from assistant.core.errors import StoreDamagedError
from assistant.embedding.base import Vectors
from assistant.memory.chroma_client import translated
from assistant.memory.chroma_collections import ChromaCollections
from assistant.memory.chroma_layout import (
    CONFIGURATION,
    Partition,
    embedder_of,
    owner_of_collection,
    record_of,
)
from assistant.memory.ledger import index_files
from assistant.memory.ledger.vector_index import IndexedVectors
from assistant.memory.record import Record

if TYPE_CHECKING:
    from chromadb.api.collection_configuration import CreateCollectionConfiguration
    from chromadb.api.models.Collection import Collection

_log = logging.getLogger(__name__)

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of a collection, as Chroma holds them; vectors are float32 of shape (len(ids), dimension)."""

    ids: list[str]
    vectors: Vectors
    texts: list[str | None]
    metadata: list[dict[str, Any] | None]


class ChromaPartitions(ChromaCollections):
    """The partitions of one Chroma store, as the ledger uses them."""

    def open_index(self, stamp: str) -> bool:
        """Open the store now; a damaged one is moved aside, into a folder that carries `stamp`.

        Returns:
            Whether it was damaged, so that it begins empty.
        """
        directory = self._place.directory
        assert directory is not None
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        index_files.finish(directory)
        try:
            self._touch()
        except StoreDamagedError as exc:
            _log.warning("the index is damaged and made again from the record: %s", exc.detail)
            self.close()
            index_files.move(directory, directory / f"{index_files.DAMAGED}-{stamp}")
            self._touch()
            return True
        return False

    def owners(self, base: str) -> list[str | None]:
        """Whose partitions there are under the name `base`."""
        found = []
        for collection in self._client().client.list_collections():
            owner = owner_of_collection(base, collection.name, collection.metadata)
            if owner is not None:
                found.append(owner.owner)
        return found

    def made_with(self, partition: Partition) -> str | None:
        """The embedder that made a partition's vectors: None when there is no such partition, empty when it does
        not say."""
        nothing: str | None = None
        return self._with(
            partition, lambda collection: embedder_of(collection.metadata) or "", absent=nothing
        )

    def ids(self, partition: Partition) -> list[str]:
        """All ids."""
        return self._with(partition, lambda collection: list(collection.get(include=[])["ids"]), absent=[])

    def records(self, partition: Partition, ids: Sequence[str]) -> list[Record]:
        """The records of those ids that are there."""

        def work(collection: Collection) -> list[Record]:
            found: list[Record] = []
            for start in range(0, len(ids), _CHUNK):
                rows = collection.get(
                    ids=list(ids[start : start + _CHUNK]), include=["documents", "metadatas"]
                )
                columns = rows["ids"], rows["documents"] or [], rows["metadatas"] or []
                found += [record_of(*row) for row in zip(*columns, strict=True)]
            return found

        return self._with(partition, work, absent=[])

    def vectors(self, partition: Partition, ids: Sequence[str]) -> IndexedVectors:
        """The vectors of those ids that are there."""
        nothing = IndexedVectors([], [], np.zeros((0, 0), np.float32))

        def work(collection: Collection) -> IndexedVectors:
            found: list[str] = []
            texts: list[str] = []
            parts: list[Vectors] = []
            for start in range(0, len(ids), _CHUNK):
                part = list(ids[start : start + _CHUNK])
                rows = collection.get(ids=part, include=["embeddings", "documents"])
                if rows["ids"]:
                    found += rows["ids"]
                    texts += [text or "" for text in rows["documents"] or []]
                    parts.append(np.asarray(rows["embeddings"], np.float32))
            return IndexedVectors(found, texts, np.concatenate(parts)) if parts else nothing

        return self._with(partition, work, absent=nothing)

    def query(
        self, partition: Partition, vector: Vectors, limit: int, embedder_id: str
    ) -> list[tuple[str, float]]:
        """The nearest ids with their cosines, best first."""

        def work(collection: Collection) -> list[tuple[str, float]]:
            partition.check_embedder(collection.metadata, embedder_id)
            wanted = min(limit, collection.count())
            if not wanted:
                return []
            answer = collection.query(
                query_embeddings=vector[np.newaxis], n_results=wanted, include=["distances"]
            )
            distances = (answer["distances"] or [[]])[0]
            return [(key, 1.0 - float(far)) for key, far in zip(answer["ids"][0], distances, strict=True)]

        return self._with(partition, work, absent=[])

    def remove_many(self, partition: Partition, ids: Sequence[str]) -> None:
        """Remove the records of those ids that are there."""

        def work(collection: Collection) -> None:
            for start in range(0, len(ids), _CHUNK):
                there = collection.get(ids=list(ids[start : start + _CHUNK]), include=[])["ids"]
                if there:
                    collection.delete(ids=there)

        self._with(partition, work, absent=None)

    def collections(self) -> list[tuple[str, dict[str, Any]]]:
        """Name and metadata of every collection of the store, whoever made it."""
        return [
            (collection.name, dict(collection.metadata or {}))
            for collection in self._client().client.list_collections()
        ]

    def all_ids(self, name: str) -> list[str]:
        """All ids of a collection."""
        return list(self._named(name).get(include=[])["ids"])

    def copied_rows(self, name: str, ids: Sequence[str]) -> Rows:
        """The rows of those ids, vectors included."""
        rows: Any = self._named(name).get(ids=list(ids), include=["embeddings", "documents", "metadatas"])
        return Rows(
            list(rows["ids"]),
            np.asarray(rows["embeddings"], np.float32),
            rows["documents"],
            rows["metadatas"],
        )

    def take_rows(self, name: str, marks: Mapping[str, Any], rows: Rows | None) -> None:
        """Add copied rows to a collection, which is made when it is not there."""
        collection = self._client().client.get_or_create_collection(
            name,
            embedding_function=None,
            metadata=dict(marks) or None,
            configuration=cast("CreateCollectionConfiguration", CONFIGURATION),
        )
        if rows is not None and rows.ids:
            collection.add(
                ids=rows.ids,
                embeddings=rows.vectors,
                documents=cast("Any", rows.texts),
                metadatas=cast("Any", [row or None for row in rows.metadata]),
            )

    def _named(self, name: str) -> Collection:
        return self._client().client.get_collection(name, embedding_function=None)

    def _touch(self) -> None:
        """Read from each collection, so that damage shows at once."""
        with translated("The memory's index could not be opened."):
            for collection in self._client().client.list_collections():
                collection.count()
