"""Long-term memory in Chroma: found by meaning, kept on disk, one collection for each owner.

How it lies there is written in chroma_layout, so that another store can adopt it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import StoreClosedError
from assistant.core.text import check_text
from assistant.embedding.base import Embedder
from assistant.memory.base import MemoryPage, MemoryResult, MemoryScope, MemorySort, NewMemory, Progress
from assistant.memory.chroma_client import ChromaPlace
from assistant.memory.chroma_layout import Partition, check_collection_name, collection_name
from assistant.memory.chroma_process import ChromaProcess
from assistant.memory.chroma_store import ChromaStore
from assistant.memory.embedder_source import EmbedderFactory, EmbedderSource, default_embedder
from assistant.memory.record import Record, Stamps, new_record
from assistant.memory.rules import (
    checked_content,
    checked_page,
    encode_metadata,
    owner_of,
    required_owner,
)

_BATCH = 32


class ChromaProvider:
    """A BrowsableMemory over Chroma.

    With a `persist_directory` the store is on disk, locked against a second process. With a `host` it is at a
    Chroma server. With neither it lives in this process's memory and is this provider's alone. Nothing is
    opened before the first call.

    Args:
        collection_name: 3 to 400 letters, digits, dots, dashes, underscores.
        persist_directory: made when missing.
        scope: who sees a memory.
        embedder: makes all vectors; stays the caller's to close. Or a factory, called at the first use, whose
            embedder is closed with this provider. By default the one that comes with Keepsake.
        host, port, headers, ssl: of a Chroma server (port 8000 unless given).
        own_process: run Chroma in a child process. Its native code holds the interpreter's lock while it writes,
            5 ms and more at a time: a window in the same process would stall. For a directory only.
        clock: tells creation times.

    Raises:
        InvalidInputError: a name that Chroma can't take; both a directory and a host; a port out of range; a
            process of its own without a directory.
    """

    def __init__(
        self,
        collection_name: str = "agent_memory",
        persist_directory: str | Path | None = None,
        scope: MemoryScope = MemoryScope.SHARED,
        *,
        embedder: Embedder | EmbedderFactory | None = None,
        host: str | None = None,
        port: int | None = None,
        headers: Mapping[str, str] | None = None,
        ssl: bool = False,
        own_process: bool = False,
        clock: Clock | None = None,
    ) -> None:
        self._name = check_collection_name(collection_name)
        self._scope = scope
        place = ChromaPlace(
            directory=None if persist_directory is None else Path(persist_directory),
            host=host,
            port=8000 if port is None else port,
            headers=dict(headers or {}),
            ssl=ssl,
        )
        self._store = ChromaStore(place, ChromaProcess(place) if own_process else None)
        self._embedder = EmbedderSource(default_embedder if embedder is None else embedder)
        self._stamps = Stamps(clock or SystemClock())
        self._closed = False

    @property
    def scope(self) -> MemoryScope:
        return self._scope

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        owner = self._owner(user_id)
        check_text(query)
        if limit <= 0 or not query.strip():
            return []
        embedder = await self._embedder.get()
        vectors = await embedder.embed([query], priority="query")
        found = await self._store.nearest(self._partition(owner), vectors[0], limit, embedder.embedder_id)
        return [record.result(min(max(cosine, 0.0), 1.0)) for record, cosine in found]

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        [memory_id] = await self.add_many([NewMemory(content, metadata or {})], user_id=user_id)
        return memory_id

    async def delete(self, memory_id: str, *, user_id: str | None = None) -> bool:
        return await self._store.remove(self._partition(self._owner(user_id)), check_text(memory_id))

    async def purge_user(self, user_id: str) -> int:
        self._check_open()
        name = required_owner(user_id)
        if self._scope is MemoryScope.PER_USER:
            return await self._store.drop(self._partition(name))
        return await self._store.remove_labelled(self._partition(None), name)

    async def get(self, memory_id: str, *, user_id: str | None = None) -> MemoryResult | None:
        record = await self._store.fetch(self._partition(self._owner(user_id)), check_text(memory_id))
        return None if record is None else record.result()

    async def update(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> bool:
        owner = self._owner(user_id)
        checked_content(content)
        encoded = None if metadata is None else encode_metadata(metadata)
        partition = self._partition(owner)
        if await self._store.fetch(partition, check_text(memory_id)) is None:
            return False
        embedder = await self._embedder.get()
        vectors = await embedder.embed([content], priority="index")

        def edit(old: Record) -> Record:
            kept = old.metadata if encoded is None else encoded
            return replace(old, content=content, metadata=kept, updated=self._stamps.next())

        return await self._store.change(partition, memory_id, edit, vectors, embedder.embedder_id)

    async def count(self, *, user_id: str | None = None) -> int:
        return await self._store.count(self._partition(self._owner(user_id)))

    async def add_many(
        self,
        items: Sequence[NewMemory],
        *,
        user_id: str | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        owner = self._owner(user_id)
        records = [self._record(item, user_id) for item in items]
        if not records:
            return []
        partition = self._partition(owner)
        embedder = await self._embedder.get()
        for start in range(0, len(records), _BATCH):
            # Within a batch the last one of an id wins, as it would one after the other.
            batch = list({record.memory_id: record for record in records[start : start + _BATCH]}.values())
            vectors = await embedder.embed([record.content for record in batch], priority="index")
            await self._store.upsert(partition, batch, vectors, embedder.embedder_id)
            if progress is not None:
                progress(min(start + _BATCH, len(records)), len(records))
        return [record.memory_id for record in records]

    async def close(self) -> None:
        self._closed = True
        try:
            await self._store.close()
        finally:
            await self._embedder.close()

    async def list(
        self,
        *,
        user_id: str | None = None,
        offset: int = 0,
        limit: int = 50,
        contains: str = "",
        sort: MemorySort = "newest",
    ) -> MemoryPage:
        owner = self._owner(user_id)
        checked_page(offset, limit, sort)
        check_text(contains)
        return await self._store.page(
            self._partition(owner), sort=sort, contains=contains, offset=offset, limit=limit
        )

    def _record(self, item: NewMemory, user_id: str | None) -> Record:
        return new_record(item, self._stamps, scope=self._scope, user_id=user_id)

    def _partition(self, owner: str | None) -> Partition:
        return Partition(collection_name(self._name, owner), owner)

    def _owner(self, user_id: str | None) -> str | None:
        self._check_open()
        return owner_of(self._scope, user_id)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError("This memory was closed.")
