"""Long-term memory in mem0 (the package mem0ai, version 2), over a Chroma on this computer.

How it lies there is written in mem0_store; how mem0 is kept quiet, in mem0_library.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import InvalidInputError, MemoryStoreError, StoreClosedError, StoreFullError
from assistant.core.text import check_text
from assistant.embedding.base import Embedder, Vectors
from assistant.memory.base import MemoryPage, MemoryResult, MemoryScope, MemorySort, NewMemory, Progress
from assistant.memory.catalog import Catalogs
from assistant.memory.chroma_client import ChromaPlace, translated
from assistant.memory.chroma_layout import check_collection_name
from assistant.memory.embedder_source import EmbedderFactory, EmbedderSource, default_embedder
from assistant.memory.mem0_library import require_mem0
from assistant.memory.mem0_store import Mem0Store, Space
from assistant.memory.record import Record, Stamps, new_record, page_of
from assistant.memory.rules import (
    checked_content,
    checked_page,
    encode_metadata,
    owner_of,
    required_owner,
)
from assistant.models.base import ChatModel

T = TypeVar("T")

_BATCH = 32
_LONGEST_EXTRACTION, _LONGEST_CLOSE = 5.0, 10.0
"""Seconds that closing waits for an extraction to give up, and for everything."""

_READ, _WRITE = "The memory could not be read.", "The memory could not be written."


@dataclass(frozen=True, slots=True)
class Embedded:
    """Vectors for a turn of mem0.

    Attributes:
        embedder_id: what made them; None when there are none.
        vectors: float32 of shape (dimension,), by text.
    """

    embedder_id: str | None
    vectors: Mapping[str, Vectors] = field(default_factory=dict)


class Mem0Provider:
    """A BrowsableMemory over mem0.

    mem0 gets Keepsake's embedder, and Keepsake's chat model when it is to extract; it makes no connection of its own,
    whatever keys and addresses are in the environment, reports nothing and leaves nothing outside
    `persist_directory`. As in any Chroma store, bytes of deleted texts can stay in its files; `open_memory` gives a
    memory that removes them.

    With a `persist_directory` the store is on disk, locked against a second process. Without one it lives in this
    process's memory and is this provider's alone. Nothing is opened before the first call.

    Args:
        collection_name: 3 to 400 letters, digits, dots, dashes, underscores.
        persist_directory: made when missing.
        scope: who sees a memory.
        embedder: makes all vectors; stays the caller's to close. Or a factory, called at the first use, whose
            embedder is closed with this provider. By default the one that comes with Keepsake.
        infer: let `model` extract what `add` keeps, by mem0's own prompt. What a model writes is not checked against
            what was said. By default texts are kept as they are; `add_many` and `update` keep them always.
        model: the chat model for that; stays the caller's to close.
        model_timeout: seconds for one answer of it.
        clock: tells creation times.

    Raises:
        ConfigError: mem0ai 2.x is not installed.
        InvalidInputError: a name that Chroma can't take; `infer` without a model; a time limit that is none.
    """

    def __init__(
        self,
        collection_name: str = "agent_memory",
        persist_directory: str | Path | None = None,
        scope: MemoryScope = MemoryScope.SHARED,
        *,
        embedder: Embedder | EmbedderFactory | None = None,
        infer: bool = False,
        model: ChatModel | None = None,
        model_timeout: float = 60.0,
        clock: Clock | None = None,
    ) -> None:
        require_mem0()
        check_collection_name(collection_name)
        if infer and model is None:
            raise InvalidInputError(
                "To extract memories mem0 needs a chat model.", hint="Give it as model=…, or leave infer off."
            )
        if model_timeout <= 0:
            raise InvalidInputError(f"model_timeout must be above 0; got {model_timeout}.")
        self._scope = scope
        self._infer = infer
        place = ChromaPlace(None if persist_directory is None else Path(persist_directory))
        self._store = Mem0Store(place, collection_name, model if infer else None, model_timeout)
        self._catalogs = Catalogs(keep=True)
        self._embedder = EmbedderSource(default_embedder if embedder is None else embedder)
        self._stamps = Stamps(clock or SystemClock())
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="keepsake-mem0")
        self._extracting = ThreadPoolExecutor(1, thread_name_prefix="keepsake-mem0-extract")
        self._closing: Future[None] | None = None

    @property
    def scope(self) -> MemoryScope:
        return self._scope

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        space = self._space(user_id)
        wanted = check_text(query).strip()
        if limit <= 0 or not wanted:
            return []
        embedder = await self._embedder.get()
        [vector] = await embedder.embed([wanted], priority="query")
        made = Embedded(embedder.embedder_id, {wanted: vector})
        found = await self._read(lambda: self._store.nearest(space, wanted, limit), made)
        return [record.result(min(max(cosine, 0.0), 1.0)) for record, cosine in found]

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        """As MemoryProvider.add; with `infer`, the id of the first memory that was extracted.

        Raises:
            ModelError: with `infer`, the model failed.
            MemoryStoreError: with `infer`, the model found nothing to keep.
        """
        item = NewMemory(content, {} if metadata is None else metadata)
        if not self._infer:
            [memory_id] = await self.add_many([item], user_id=user_id)
            return memory_id
        space = self._space(user_id)
        record = self._record(item, user_id)
        embedder = await self._embedder.get()
        loop = asyncio.get_running_loop()

        def extract() -> Sequence[Record]:
            kept = self._store.extract(space, record, loop, embedder)
            self._catalogs.written(space.name, kept)
            return kept

        # Apart, so that nobody waits for a memory while the model thinks.
        kept = await self._write(space, extract, Embedded(embedder.embedder_id), self._extracting)
        if not kept:
            raise MemoryStoreError(
                "The model found nothing new to remember in this text. Nothing was kept.",
                hint="Say it as a plain statement, or keep the text as it is (infer=False).",
            )
        return kept[0].memory_id

    async def delete(self, memory_id: str, *, user_id: str | None = None) -> bool:
        space = self._space(user_id)
        check_text(memory_id)

        def remove() -> bool:
            removed = self._store.remove(space, memory_id)
            self._catalogs.removed(space.name, [memory_id])
            return removed

        return await self._write(space, remove)

    async def purge_user(self, user_id: str) -> int:
        self._check_open()
        name = required_owner(user_id)
        space = Space.of(self._scope, name)
        visible = Space.of(self._scope, None) if self._scope is MemoryScope.SHARED else space

        def purge() -> int:
            self._catalogs.forget(visible.name)
            return len(self._store.purge(space))

        return await self._write(visible, purge)

    async def get(self, memory_id: str, *, user_id: str | None = None) -> MemoryResult | None:
        space = self._space(user_id)
        check_text(memory_id)
        record = await self._read(lambda: self._store.fetch(space, memory_id))
        return None if record is None else record.result()

    async def update(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> bool:
        space = self._space(user_id)
        checked_content(content)
        encoded = None if metadata is None else encode_metadata(metadata)
        if await self.get(memory_id, user_id=user_id) is None:
            return False
        embedder = await self._embedder.get()
        [vector] = await embedder.embed([content], priority="index")

        def change() -> bool:
            changed = self._store.change(space, memory_id, content, encoded, self._stamps.next())
            if changed is not None:
                self._catalogs.written(space.name, [changed])
            return changed is not None

        return await self._write(space, change, Embedded(embedder.embedder_id, {content: vector}))

    async def count(self, *, user_id: str | None = None) -> int:
        return (await self.list(user_id=user_id, limit=0)).total

    async def add_many(
        self,
        items: Sequence[NewMemory],
        *,
        user_id: str | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        space = self._space(user_id)
        records = [self._record(item, user_id) for item in items]
        if not records:
            return []
        embedder = await self._embedder.get()
        ids: list[str] = []
        for start in range(0, len(records), _BATCH):
            batch = records[start : start + _BATCH]
            texts = list(dict.fromkeys(record.content for record in batch))
            vectors = await embedder.embed(texts, priority="index")
            made = Embedded(embedder.embedder_id, dict(zip(texts, vectors, strict=True)))
            ids += await self._write(space, partial(self._put, space, batch), made)
            if progress is not None:
                progress(len(ids), len(records))
        return ids

    async def close(self) -> None:
        """As MemoryProvider.close; an answer of the model that is waited for is given up.

        Raises:
            MemoryStoreError: mem0 did not end, or not cleanly.
        """
        if self._closing is None:
            self._store.bridge.stop()
            self._closing = self._thread.submit(self._close)
            self._thread.shutdown(wait=False)
        closing = asyncio.wrap_future(self._closing)
        try:
            await asyncio.wait([closing], timeout=_LONGEST_CLOSE)
            if not closing.done():
                raise MemoryStoreError("The memory did not close in time. What was kept is on disk.")
            closing.result()
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
        space = self._space(user_id)
        checked_page(offset, limit, sort)
        check_text(contains)

        def page() -> MemoryPage:
            records = self._catalogs.load(space.name, sort, lambda: self._store.everything(space))
            return page_of(records, contains=contains, offset=offset, limit=limit)

        return await self._read(page)

    def _put(self, space: Space, records: Sequence[Record]) -> Sequence[str]:
        ids = [self._store.put(space, record) for record in records]
        self._catalogs.written(
            space.name,
            [replace(record, memory_id=key) for key, record in zip(ids, records, strict=True)],
        )
        return ids

    def _record(self, item: NewMemory, user_id: str | None) -> Record:
        # Without a name of its own a memory goes by mem0's.
        return new_record(item, self._stamps, scope=self._scope, user_id=user_id, unnamed=str)

    def _close(self) -> None:
        last = self._extracting.submit(int)
        self._extracting.shutdown(wait=False)
        wait([last], timeout=_LONGEST_EXTRACTION)
        with self._store.turn, translated("The memory could not be closed cleanly."):
            self._store.close()

    async def _write(
        self,
        space: Space,
        job: Callable[[], T],
        made: Embedded | None = None,
        executor: ThreadPoolExecutor | None = None,
    ) -> T:
        def guarded() -> T:
            try:
                return job()
            except BaseException:
                self._catalogs.forget(space.name)
                raise

        return await self._run(executor or self._thread, guarded, _WRITE, made)

    async def _read(self, job: Callable[[], T], made: Embedded | None = None) -> T:
        return await self._run(self._thread, job, _READ, made)

    async def _run(
        self, executor: ThreadPoolExecutor, job: Callable[[], T], what: str, made: Embedded | None
    ) -> T:
        """Do `job` off the loop. One whose caller is cancelled still ends there, or was never begun."""
        self._check_open()
        made = made or Embedded(None)

        def turn() -> T:
            with self._store.turn:
                try:
                    with translated(what):
                        self._store.begin(made.embedder_id, made.vectors)
                        return job()
                except (StoreFullError, MemoryStoreError) as error:
                    if error.__cause__ is not None:
                        with translated(what):
                            self._store.start_over()
                    raise

        return await asyncio.get_running_loop().run_in_executor(executor, turn)

    def _space(self, user_id: str | None) -> Space:
        self._check_open()
        return Space.of(self._scope, owner_of(self._scope, user_id))

    def _check_open(self) -> None:
        if self._closing is not None:
            raise StoreClosedError("This memory was closed.")
