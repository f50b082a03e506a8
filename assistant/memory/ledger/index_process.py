"""The index in a child process: Chroma's native code holds the interpreter's lock while it writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from assistant.embedding.base import Vectors
from assistant.memory.chroma_layout import Partition
from assistant.memory.chroma_process import ChromaProcess
from assistant.memory.ledger.chroma_partitions import Rows
from assistant.memory.ledger.vector_index import IndexedVectors
from assistant.memory.record import Record


class IndexProcess(ChromaProcess):
    """The same calls as `ChromaPartitions`, answered by `index_worker`."""

    def open_index(self, stamp: str) -> bool:
        return cast(bool, self._call("open_index", stamp))

    def owners(self, base: str) -> list[str | None]:
        return cast("list[str | None]", self._call("owners", base))

    def made_with(self, partition: Partition) -> str | None:
        return cast("str | None", self._call("made_with", partition))

    def ids(self, partition: Partition) -> list[str]:
        return cast("list[str]", self._call("ids", partition))

    def records(self, partition: Partition, ids: Sequence[str]) -> list[Record]:
        return cast("list[Record]", self._call("records", partition, list(ids)))

    def vectors(self, partition: Partition, ids: Sequence[str]) -> IndexedVectors:
        return cast(IndexedVectors, self._call("vectors", partition, list(ids)))

    def query(
        self, partition: Partition, vector: Vectors, limit: int, embedder_id: str
    ) -> list[tuple[str, float]]:
        found = self._call("query", partition, vector, limit, embedder_id)
        return cast("list[tuple[str, float]]", found)

    def remove_many(self, partition: Partition, ids: Sequence[str]) -> None:
        self._call("remove_many", partition, list(ids))

    def collections(self) -> list[tuple[str, dict[str, Any]]]:
        return cast("list[tuple[str, dict[str, Any]]]", self._call("collections"))

    def all_ids(self, name: str) -> list[str]:
        return cast("list[str]", self._call("all_ids", name))

    def copied_rows(self, name: str, ids: Sequence[str]) -> Rows:
        return cast(Rows, self._call("copied_rows", name, list(ids)))

    def take_rows(self, name: str, marks: Mapping[str, Any], rows: Rows | None) -> None:
        self._call("take_rows", name, dict(marks), rows)
