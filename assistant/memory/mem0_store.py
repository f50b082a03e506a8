"""What is done with mem0, call by call. Runs on one worker thread only.

An owner is a `user_id` of mem0 that is made from the SHA-256 of the owner's id: mem0 trims blanks and refuses some
ids, and no two owners may meet. Under SHARED all rows carry one `agent_id`, and the label is the `user_id`.

A row of mem0 has, beside what mem0 puts there (`data` is the text), this metadata:

* `keepsake_json`: the caller's metadata as one JSON text (Chroma takes scalars only)
* `keepsake_created`, `keepsake_updated`: microseconds since 1970-01-01 UTC
* `keepsake_label`: under SHARED the user that was named, absent without one
* `keepsake_id`, `keepsake_key`: an id that was given, and its SHA-256; absent when mem0's own id is the id
"""

from __future__ import annotations

import asyncio
import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from assistant.core.errors import AssistantError, MemoryStoreError
from assistant.embedding.base import Embedder, Vectors
from assistant.memory.base import MemoryScope
from assistant.memory.chroma_client import ChromaPlace, OpenChroma, open_chroma
from assistant.memory.chroma_layout import CONFIGURATION
from assistant.memory.mem0_hooks import EmbeddingHook, LoopBridge, ModelHook
from assistant.memory.mem0_library import Mem0, open_mem0
from assistant.memory.record import Record
from assistant.memory.rules import moment_of
from assistant.models.base import ChatModel

if TYPE_CHECKING:
    from chromadb.api.collection_configuration import CreateCollectionConfiguration

_LAYOUT, _EMBEDDER = "keepsake_mem0_layout", "keepsake_embedder"
_JSON, _CREATED, _UPDATED = "keepsake_json", "keepsake_created", "keepsake_updated"
_LABEL, _ID, _KEY = "keepsake_label", "keepsake_id", "keepsake_key"
_SHARED = "keepsake-shared"


@dataclass(frozen=True, slots=True)
class Space:
    """The memories that a call may touch.

    Attributes:
        filters: what mem0 finds them by.
    """

    filters: Mapping[str, str]

    @classmethod
    def of(cls, scope: MemoryScope, owner: str | None) -> Space:
        """The memories of `owner`; under SHARED all (None), or those with the label `owner`."""
        if scope is MemoryScope.PER_USER:
            assert owner is not None
            return cls({"user_id": f"owner-{_digest(owner)}"})
        shared = {"agent_id": _SHARED}
        return cls(shared if owner is None else {**shared, "user_id": f"label-{_digest(owner)}"})

    @property
    def name(self) -> str:
        """One text for all filters."""
        return "/".join(f"{key}={value}" for key, value in sorted(self.filters.items()))


class Mem0Store:
    """The memories of one mem0.

    mem0 and its Chroma are used by one thread at a time: a call belongs between `begin` and the end of its turn
    (`with store.turn`).

    Args:
        place: where its Chroma is.
        collection_name: of its collection.
        model: extracts memories; None when texts are kept as they are.
        model_timeout: seconds for one answer.

    Attributes:
        turn: held while mem0 is used.
        bridge: to the loop that extracts; stopping it gives up what is waited for.
    """

    def __init__(
        self, place: ChromaPlace, collection_name: str, model: ChatModel | None, model_timeout: float
    ) -> None:
        self._place = place
        self._name = collection_name
        self.turn = threading.Lock()
        self.bridge = LoopBridge()
        self._embedding = EmbeddingHook(self.bridge)
        self._model = ModelHook(self.bridge, self.turn, model, model_timeout)
        self._chroma: OpenChroma | None = None
        self._mem0: Mem0 | None = None
        self._made_with: object = None
        self._removals = 0

    def begin(self, embedder_id: str | None, vectors: Mapping[str, Vectors]) -> None:
        """A turn begins. The first one opens the store.

        Args:
            embedder_id: what made `vectors`; None when there are none.
            vectors: float32 of shape (dimension,), by text.

        Raises:
            StorageError: the store can't be opened.
            MemoryStoreError: another program's collection, or another embedder's.
        """
        if self._mem0 is None:
            self._open(embedder_id)
        if self._mem0 is not None and embedder_id not in (None, self._made_with):
            raise MemoryStoreError(
                "These memories were indexed with another embedding model. Nothing was changed.",
                hint="Export the memories, and import them into a new folder.",
                detail=f"made with {self._made_with}, opened with {embedder_id}",
            )
        self._embedding.prepared = vectors

    def put(self, space: Space, record: Record) -> str:
        """Keep `record` and return its id, which is mem0's own when the record's is empty.

        A memory of the same id is replaced.
        """
        old = self._row(space, record.memory_id) if record.memory_id else None
        [added] = self._added(space, record, infer=False)
        if old is not None:
            self._opened().delete(old["id"])
        self._drop_history(messages=old is not None)
        return record.memory_id or added

    def extract(
        self, space: Space, record: Record, loop: asyncio.AbstractEventLoop, embedder: Embedder
    ) -> list[Record]:
        """Let the model find what to keep in `record`, and keep that; what was kept.

        Other turns may come while the model is waited for.

        Args:
            loop: where `embedder` and the model are used.

        Raises:
            ModelError, EmbeddingError: a hook failed.
            MemoryStoreError: somebody's memories were removed meanwhile.
        """
        self.bridge.begin(loop)
        self._embedding.embedder = embedder
        removals = self._removals
        ids = self._added(space, record, infer=True)
        removed = removals != self._removals
        self._drop_history(messages=removed)
        if self.bridge.failure is not None:
            raise self.bridge.failure
        if removed:
            # The model may have been shown what is gone now.
            for memory_id in ids:
                self._opened().delete(memory_id)
            self._drop_history()
            raise MemoryStoreError("Memories were removed meanwhile. Nothing of this text was kept.")
        found = [self._row(space, memory_id) for memory_id in ids]
        return [_record(row) for row in found if row is not None]

    def change(
        self, space: Space, memory_id: str, content: str, metadata: str | None, updated: int
    ) -> Record | None:
        """Replace a memory's text, and its metadata unless None; the new record, None when there is none."""
        row = self._row(space, memory_id)
        if row is None:
            return None
        old = _record(row)
        kept = old.metadata if metadata is None else metadata
        changed = replace(old, content=content, metadata=kept, updated=updated)
        self._opened().update(row["id"], text=content, metadata=_metadata(changed))
        self._drop_history()
        return changed

    def remove(self, space: Space, memory_id: str) -> bool:
        """Remove a memory; False when there is none of that id."""
        row = self._row(space, memory_id)
        if row is None:
            return False
        self._removals += 1
        self._opened().delete(row["id"])
        self._drop_history()
        return True

    def purge(self, space: Space) -> list[str]:
        """Remove all memories of `space` and return their ids.

        Raises:
            MemoryStoreError: some are left.
        """
        self._removals += 1
        ids = [record.memory_id for record in self.everything(space)]
        if ids:
            self._opened().delete_all(**space.filters)
            self._drop_history()
        if self._listed(space.filters, 1):
            raise MemoryStoreError("Not all memories could be removed.", hint="Try again.")
        return ids

    def fetch(self, space: Space, memory_id: str) -> Record | None:
        """One memory, None when there is none of that id."""
        row = self._row(space, memory_id)
        return None if row is None else _record(row)

    def nearest(self, space: Space, query: str, limit: int) -> list[tuple[Record, float]]:
        """The nearest memories with their cosines (-1..1), best first, at most `limit`."""
        if self._mem0 is None:
            return []
        wanted = min(limit, self._size())
        found = self._mem0.search(query, top_k=wanted, filters=dict(space.filters), threshold=0.0)["results"]
        # mem0 makes 1 / (1 + distance) of Chroma's cosine distance, which is 1 - cosine.
        return [(_record(row), 2.0 - 1.0 / row["score"]) for row in found if row["score"] > 0]

    def everything(self, space: Space) -> list[Record]:
        """All memories of `space`, in no particular order."""
        return [_record(row) for row in self._listed(space.filters, self._size())]

    def start_over(self) -> None:
        """Open a store on disk anew with the next turn: a write that failed half-way leaves Chroma's connections in
        a transaction on which all later calls would wait for ever."""
        if self._place.directory is not None:
            self.close()

    def close(self) -> None:
        """Give the store back."""
        mem0, self._mem0 = self._mem0, None
        chroma, self._chroma = self._chroma, None
        try:
            if mem0 is not None:
                mem0.close()
        finally:
            if chroma is not None:
                chroma.close()

    def _added(self, space: Space, record: Record, *, infer: bool) -> list[str]:
        labelled = space.filters
        if record.label is not None:
            labelled = Space.of(MemoryScope.SHARED, record.label).filters
        try:
            answer = self._opened().add(record.content, metadata=_metadata(record), infer=infer, **labelled)
        except Exception as error:
            if isinstance(error, AssistantError) or self.bridge.failure is None:
                raise
            raise self.bridge.failure from error
        return [item["id"] for item in answer["results"]]

    def _row(self, space: Space, memory_id: str) -> dict[str, Any] | None:
        """mem0's row of a memory: by the id that it was given, else by mem0's own."""
        if self._mem0 is None or not memory_id:
            return None
        named = self._listed({**space.filters, _KEY: _digest(memory_id)}, 1)
        if named:
            return named[0]
        row = cast("dict[str, Any] | None", self._mem0.get(memory_id))
        if row is None or _KEY in (row.get("metadata") or {}):
            return None
        return row if all(row.get(key) == value for key, value in space.filters.items()) else None

    def _listed(self, filters: Mapping[str, str], limit: int) -> list[dict[str, Any]]:
        if self._mem0 is None or limit < 1:
            return []
        rows = self._mem0.get_all(filters=dict(filters), top_k=limit, show_expired=True)["results"]
        return cast("list[dict[str, Any]]", rows)

    def _size(self) -> int:
        """How many rows there are of all owners."""
        return 0 if self._mem0 is None else int(self._mem0.vector_store.collection.count())

    def _opened(self) -> Mem0:
        assert self._mem0 is not None, "a job that writes begins with an embedder"
        return self._mem0

    def _drop_history(self, *, messages: bool = True) -> None:
        """Empty mem0's history, which keeps every text that was ever added, also deleted ones; and with
        `messages` what it shows the model of earlier texts."""
        connection = self._opened().db.connection
        connection.execute("pragma secure_delete = on")
        connection.execute("delete from history")
        if messages:
            connection.execute("delete from messages")
        connection.commit()

    def _open(self, embedder_id: str | None) -> None:
        """Open Chroma, and mem0 when there is a collection or an embedder to mark a new one with."""
        from chromadb.errors import NotFoundError

        chroma = self._chroma = self._chroma or open_chroma(self._place)
        name = chroma.prefix + self._name
        try:
            collection = chroma.client.get_collection(name, embedding_function=None)
        except NotFoundError:
            if embedder_id is None:
                return
            # mem0 would make it with Euclidean distances.
            collection = chroma.client.create_collection(
                name,
                embedding_function=None,
                metadata={_LAYOUT: 1, _EMBEDDER: embedder_id},
                configuration=cast("CreateCollectionConfiguration", CONFIGURATION),
            )
        marks = collection.metadata or {}
        if _LAYOUT not in marks:
            raise MemoryStoreError(
                f"The collection {self._name} was made by another program. Nothing was read or changed.",
                hint="Choose another collection name.",
            )
        self._made_with = marks.get(_EMBEDDER)
        self._mem0 = open_mem0(chroma.client, name, self._embedding, self._model)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _metadata(record: Record) -> dict[str, str | int]:
    """What mem0 keeps with a record's text."""
    kept: dict[str, str | int] = {_JSON: record.metadata}
    if record.created is not None:
        kept[_CREATED] = record.created
        moment = moment_of(record.created)
        if moment is not None:
            kept["created_at"] = moment.isoformat()
    if record.updated is not None:
        kept[_UPDATED] = record.updated
    if record.label is not None:
        kept[_LABEL] = record.label
    if record.memory_id:
        kept[_ID], kept[_KEY] = record.memory_id, _digest(record.memory_id)
    return kept


def _record(row: Mapping[str, Any]) -> Record:
    """The record that a row of mem0 holds."""
    ours = row.get("metadata") or {}
    return Record(
        memory_id=ours.get(_ID) or row["id"],
        content=row["memory"],
        metadata=ours.get(_JSON) or "{}",
        created=ours.get(_CREATED),
        updated=ours.get(_UPDATED),
        label=ours.get(_LABEL),
    )
