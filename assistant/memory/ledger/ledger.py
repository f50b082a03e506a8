"""The ledger: long-term memory as a record that is never lost, over an index that can be."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import InvalidInputError, StoreClosedError
from assistant.core.tasks import in_slices
from assistant.core.text import check_text
from assistant.core.types import Message
from assistant.embedding.base import Embedder
from assistant.memory.base import MemoryResult, MemoryScope, NewMemory, Progress
from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.browsing import LedgerBrowser
from assistant.memory.ledger.changes import Change, accepting, changing, removing, restoring, superseding
from assistant.memory.ledger.engine import Engine, Listener
from assistant.memory.ledger.entry import Entry, details_from, with_metadata
from assistant.memory.ledger.exchange import LedgerExchange, adding
from assistant.memory.ledger.forgotten import ForgettingLedger
from assistant.memory.ledger.indexer import IndexProgress
from assistant.memory.ledger.lessons import LedgerLessons
from assistant.memory.ledger.said import LedgerSaid
from assistant.memory.ledger.shelves import MOST_MEMORIES
from assistant.memory.ledger.vector_index import VectorIndex
from assistant.memory.recall.result import Recall
from assistant.memory.record import Stamps, new_record
from assistant.memory.rules import (
    checked_content,
    decode_metadata,
    encode_metadata,
    micros_of,
    owner_of,
    required_owner,
)

_BATCH = 256


class MemoryLedger(ForgettingLedger):
    """A BrowsableMemory over a record and an index (see schema and VectorIndex).

    A memory is in the record, on disk, before `add` returns; the index is brought up to it then. Metadata may say
    more of a memory: `kind` ("turn" for what was said in a conversation), `speaker`, `said_at` (ISO 8601), `session_id`
    and `position` (of a turn), `quote`, `source`, `subject`, `language`, `sensitivity`, `valid_from`, `valid_to`.
    Values of another form are kept as they are and not understood.

    Args:
        directory: where the record lies; made when missing, locked while the ledger is open.
        index: the vectors; None finds by words alone. Closed with the ledger.
        embedder: makes vectors; stays the caller's to close. None finds by words alone.
        scope: who sees a memory.
        clock: tells times.
        on_indexing: called in the event loop while the index is brought up to the record.
        most_in_memory: memories whose vectors are held in memory; beyond it the index itself is asked.
    """

    def __init__(
        self,
        directory: Path,
        index: VectorIndex | None,
        *,
        embedder: Embedder | None = None,
        scope: MemoryScope = MemoryScope.PER_USER,
        clock: Clock | None = None,
        on_indexing: Listener | None = None,
        most_in_memory: int = MOST_MEMORIES,
    ) -> None:
        self._directory = directory
        self._index = index
        self._embedder = embedder
        self._scope = scope
        self._clock = clock or SystemClock()
        self._stamps = Stamps(self._clock)
        self._listener = on_indexing
        self._most_in_memory = most_in_memory
        self._engine: Engine | None = None
        self._lessons = LedgerLessons(lambda: self._open_engine().store, scope)
        self._said = LedgerSaid(self._open_engine, scope)
        self._browser = LedgerBrowser(self._open_engine, scope)
        self.exchange = LedgerExchange(self._open_engine, scope, self._entry)
        self._closed = False

    async def open(self) -> None:
        """Open the record; the index opens in the background, and until then words find.

        Raises:
            StoreInUseError: another process has the directory open.
            StorageError: the record can't be opened. It is left as it is.
        """
        if self._engine is None and not self._closed:
            self._engine = await Engine.start(
                self._directory,
                self._index,
                self._embedder,
                self._clock,
                self._listener,
                self._most_in_memory,
            )

    async def ready(self) -> None:
        """Wait until all memories can be found by meaning, as far as that is possible."""
        await self._open_engine().ready()

    @property
    def indexing(self) -> IndexProgress:
        """How far the index is behind the record."""
        indexer = self._open_engine().indexer
        return IndexProgress() if indexer is None else indexer.progress

    @property
    def scope(self) -> MemoryScope:
        return self._scope

    @property
    def embedder(self) -> Embedder | None:
        """What makes its vectors, None when words alone find; closed with whoever owns it."""
        return self._embedder

    @property
    def lessons(self) -> LedgerLessons:
        """The messages that a model still has to read."""
        return self._lessons

    @property
    def said(self) -> LedgerSaid:
        """What is kept of conversations."""
        return self._said

    @property
    def browser(self) -> LedgerBrowser:
        """For looking through the memories."""
        return self._browser

    # ---- finding

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        owner = self._owner(user_id)
        check_text(query)
        if limit <= 0 or not query.strip():
            return []
        return await self._open_engine().recaller.search(owner, query, limit)

    async def recall(
        self,
        query: str,
        *,
        user_id: str | None,
        history: Sequence[Message | Mapping[str, Any]] = (),
        session_id: str | None = None,
        token_budget: int,
        said: bool = True,
    ) -> Recall:
        """What is worth injecting into a prompt for `query`: facts, and what was said in other conversations.

        Args:
            history: the messages that are in the prompt, oldest first; a follow-up finds its subject there, and
                what they say is not recalled again.
            session_id: the conversation that runs; its own turns are left out.
            token_budget: estimated tokens that the memories may cost; they come whole or not at all.
            said: what was said in conversations, too; otherwise facts alone.

        Returns:
            Pinned memories, then those that fit, best first; nothing where nothing fits.

        Raises:
            MemoryIsolationError, InvalidTextError, StorageError: as in search.
        """
        found = await self.would_recall(
            query,
            user_id=user_id,
            history=history,
            session_id=session_id,
            token_budget=token_budget,
            said=said,
        )
        ids = [item.memory.memory_id for item in found.items]
        if ids:
            self._open_engine().note_use(self._owner(user_id), ids, micros_of(self._clock.now()))
        return found

    async def would_recall(
        self,
        query: str,
        *,
        user_id: str | None,
        history: Sequence[Message | Mapping[str, Any]] = (),
        session_id: str | None = None,
        token_budget: int,
        said: bool = True,
    ) -> Recall:
        """As `recall`, but nobody notes that these memories were used."""
        owner = self._owner(user_id)
        messages = [Message.of(message) for message in history]
        if not check_text(query).strip():
            return Recall()
        return await self._open_engine().recaller.recall(
            owner,
            query,
            history=messages,
            session_id=session_id,
            token_budget=max(token_budget, 0),
            said=said,
        )

    # ---- adding and changing

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        [memory_id] = await self.add_many([NewMemory(content, metadata or {})], user_id=user_id)
        return memory_id

    async def add_many(
        self,
        items: Sequence[NewMemory],
        *,
        user_id: str | None = None,
        progress: Progress | None = None,
    ) -> list[str]:
        owner = self._owner(user_id)
        new = await in_slices(lambda item: self._entry(item, user_id), items)
        ids = [entry.memory_id for entry in new]
        engine = self._open_engine()
        for start in range(0, len(new), _BATCH):
            await engine.commit(owner, adding(owner, new[start : start + _BATCH]))
            # One batch is embedded while the next one is written.
            await engine.settled(owner, ids[max(start - _BATCH, 0) : start])
            if progress is not None and start:
                progress(start, len(new))
        await engine.settled(owner, ids[-_BATCH:])
        if progress is not None and new:
            progress(len(new), len(new))
        return ids

    async def propose(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        """Keep a memory that waits for the user's word: it is in the record, listed by `list(state="pending")`, and
        found by nothing else. Errors as in add."""
        owner = self._owner(user_id)
        entry = replace(self._entry(NewMemory(content, metadata or {}), user_id), state="pending")
        await self._open_engine().commit(owner, adding(owner, [entry]))
        return entry.memory_id

    async def accept(self, memory_id: str, *, user_id: str | None = None) -> bool:
        """Make a pending memory an active one; False when there is none of that id. `delete` refuses it.

        One that was proposed to take another's place (metadata "replaces": its id) supersedes it, if it is still there.
        """
        owner = self._owner(user_id)
        engine = self._open_engine()
        accepted = await engine.commit(owner, accepting(owner, check_text(memory_id), self._stamps.next()))
        if accepted:
            await engine.settled(owner, [memory_id])
        return accepted

    async def supersede(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> str | None:
        """Put a new memory in the place of an active one, which becomes history: listed as superseded, found no more.

        The turns that the old one was taken from (those of its source's conversation that hold its quote) are not
        recalled any more either. Metadata "also_replaces", a list of ids, names others whose place it takes too.

        Returns:
            The new memory's id; None when there is no active one of `memory_id`.
        """
        owner = self._owner(user_id)
        check_text(memory_id)
        new = self._entry(NewMemory(content, metadata or {}), user_id)
        engine = self._open_engine()
        work = superseding(owner, memory_id, new, self._stamps.next())
        if not await engine.commit(owner, work):
            return None
        await engine.settled(owner, [new.memory_id])
        return new.memory_id

    async def restore_replaced(self, memory_id: str, *, user_id: str | None = None) -> str | None:
        """Take a supersession back: what the active memory of that id superseded is active again, and it waits.

        Returns:
            The older memory's id; None when there is none.
        """
        owner = self._owner(user_id)
        work = restoring(owner, check_text(memory_id), self._stamps.next())
        return await self._open_engine().commit(owner, work)

    async def update(
        self,
        memory_id: str,
        content: str,
        *,
        metadata: Mapping[str, Any] | None = None,
        user_id: str | None = None,
    ) -> bool:
        self._owner(user_id)
        checked_content(content)
        encoded = None if metadata is None else encode_metadata(metadata)

        def change(entry: Entry) -> Entry:
            now = self._stamps.next()
            changed = entry if encoded is None else with_metadata(entry, encoded, now)
            return replace(changed, record=replace(changed.record, content=content, updated=now))

        return await self._change(memory_id, user_id, change)

    async def pin(self, memory_id: str, *, user_id: str | None = None, pinned: bool = True) -> bool:
        """Have a memory in every prompt, or no more; False when there is none of that id."""
        return await self._change(memory_id, user_id, lambda entry: replace(entry, pinned=pinned))

    async def bar(self, memory_id: str, *, user_id: str | None = None, barred: bool = True) -> bool:
        """Keep a memory but never find it again, or find it again; False when there is none of that id."""
        return await self._change(memory_id, user_id, lambda entry: replace(entry, barred=barred))

    # ---- removing

    async def delete(self, memory_id: str, *, user_id: str | None = None) -> bool:
        owner = self._owner(user_id)
        check_text(memory_id)
        work = removing(owner, lambda connection, number: [memory_id])
        return bool(await self._open_engine().commit(owner, work))

    async def purge_user(self, user_id: str) -> int:
        engine = self._open_engine()
        name = required_owner(user_id)
        if self._scope is MemoryScope.PER_USER:
            return len(await engine.drop(name, entries.forget_owner) or [])
        await self._lessons.clear(user_id=name)
        work = removing("", lambda connection, number: queries.labelled(connection, number, name))
        return len(await engine.commit("", work))

    async def wipe(self, user_id: str) -> int:
        """As purge_user, then rebuild the files, so that no trace of the memories is left in them."""
        count = await self.purge_user(user_id)
        await self.compact()
        return count

    async def compact(self) -> None:
        """Rebuild record and index without the room of what was removed. Takes about a second per 1,000 memories."""
        await self._open_engine().compact()

    # ---- the end

    async def close(self) -> None:
        self._closed = True
        engine, self._engine = self._engine, None
        if engine is not None:
            await engine.close()

    # ---- inside

    def _entry(self, item: NewMemory, user_id: str | None) -> Entry:
        record = new_record(item, self._stamps, scope=self._scope, user_id=user_id)
        return Entry(0, record, "active", details_from(decode_metadata(record.metadata)))

    async def _change(self, memory_id: str, user_id: str | None, change: Change) -> bool:
        owner = self._owner(user_id)
        engine = self._open_engine()
        changed = await engine.commit(owner, changing(owner, check_text(memory_id), change))
        if changed:
            await engine.settled(owner, [memory_id])
        return changed

    def _owner(self, user_id: str | None) -> str:
        """The name of the partition that a call may touch; empty for the shared one, which nobody is called."""
        self._open_engine()
        return owner_of(self._scope, user_id) or ""

    def _open_engine(self) -> Engine:
        if self._engine is None:
            if self._closed:
                raise StoreClosedError("This memory was closed.")
            raise InvalidInputError("This memory is not open yet.", hint="Await its open() first.")
        return self._engine
