"""Opens the memory that the app uses: a ledger over Chroma, in one directory."""

from __future__ import annotations

import logging
from pathlib import Path

from assistant.core.clock import Clock
from assistant.core.errors import EmbeddingError
from assistant.embedding.base import Embedder
from assistant.memory.base import MemoryScope
from assistant.memory.embedder_source import EmbedderFactory, EmbedderSource, default_embedder
from assistant.memory.ledger.chroma_index import ChromaIndex
from assistant.memory.ledger.engine import Listener
from assistant.memory.ledger.ledger import MemoryLedger

_log = logging.getLogger(__name__)


class _OwningLedger(MemoryLedger):
    """A ledger that closes the embedder that was made for it."""

    source: EmbedderSource | None = None

    async def close(self) -> None:
        try:
            await super().close()
        finally:
            if self.source is not None:
                await self.source.close()


async def open_memory(
    directory: str | Path,
    *,
    scope: MemoryScope = MemoryScope.PER_USER,
    embedder: Embedder | EmbedderFactory | None = None,
    own_process: bool = False,
    clock: Clock | None = None,
    on_indexing: Listener | None = None,
) -> MemoryLedger:
    """Open the long-term memory in `directory`, or make it.

    Memories that a ChromaProvider of the same scope kept there under its default name are taken over; its files go on
    to hold the vectors. When they are missing, damaged or made by another embedding model, they are made again from
    the record in the background, and meanwhile memories are found by their words.

    Args:
        scope: who sees a memory.
        embedder: makes the vectors; stays the caller's to close. Or a factory, whose embedder is closed with the
            memory. By default the one that comes with Keepsake. When it can't be opened, memories are kept and found
            by their words.
        own_process: run Chroma in a child process, so that a window in this one does not stall while it writes.
        clock: tells times.
        on_indexing: called in the event loop while the index is brought up to the record.

    Raises:
        StoreInUseError: another process has the directory open.
        StorageError: the record can't be opened. It is left as it is.
    """
    source = EmbedderSource(default_embedder if embedder is None else embedder)
    opened: Embedder | None = None
    try:
        opened = await source.get()
    except EmbeddingError as exc:
        _log.error("memories are found by their words alone: %s %s", exc.title, exc.detail)
    place = Path(directory)
    index = ChromaIndex(place, opened.embedder_id if opened else None, own_process=own_process, clock=clock)
    ledger = _OwningLedger(place, index, embedder=opened, scope=scope, clock=clock, on_indexing=on_indexing)
    ledger.source = source
    try:
        await ledger.open()
    except BaseException:
        await index.close()
        await ledger.close()
        raise
    return ledger
