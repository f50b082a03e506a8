"""Makes record and index agree, owner by owner, and brings the index's vectors onto the owner's shelf.

The record decides what there is. The index decides nothing, but it may know memories that the record has never seen,
from a plain ChromaProvider in the same folder: those are adopted.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial

import apsw

from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.entry import Entry, details_from
from assistant.memory.ledger.indexer import Indexer
from assistant.memory.ledger.shelves import Shelves
from assistant.memory.ledger.store import LedgerStore
from assistant.memory.ledger.vector_index import VectorIndex
from assistant.memory.recall.shelf import Card
from assistant.memory.record import Record
from assistant.memory.rules import decode_metadata

_log = logging.getLogger(__name__)

_CHUNK = 250
"""Memories at a time: short enough that nobody waits for one chunk."""


class Reconciler:
    """Makes them agree.

    Args:
        store, shelves: the record and what is loaded of it.
        index: the vectors.
        indexer: embeds what is missing; None without an embedding model.
    """

    def __init__(
        self, store: LedgerStore, shelves: Shelves, index: VectorIndex, indexer: Indexer | None
    ) -> None:
        self._store = store
        self._shelves = shelves
        self._index = index
        self._indexer = indexer

    async def owners(self) -> list[str]:
        """Everybody whom the record or the index knows; the empty name is the shared partition."""
        known = await self._store.read(queries.owner_names)
        indexed = [owner or "" for owner in await self._index.owners()]
        return list(dict.fromkeys([*known, *indexed]))

    async def adopt(self, owner: str) -> int:
        """Take over what only the index knows, and remove from it what was forgotten. Returns how many came."""
        ids = await self._index.ids(owner or None)
        adopted = 0
        for start in range(0, len(ids), _CHUNK):
            part = ids[start : start + _CHUNK]
            strangers = await self._store.read(partial(_strangers, owner=owner, ids=part))
            records = await self._index.records(owner or None, strangers) if strangers else []
            records = [record for record in records if record.content.strip()]
            if records:
                async with self._shelves.order:
                    cards = await self._store.write(partial(_adopt, owner=owner, records=records))
                    await self._shelves.changed(owner, cards, [])
                adopted += len(records)
        if adopted:
            _log.info("%d memories of a plain store were taken over", adopted)
        return adopted

    async def fill(self, owner: str) -> None:
        """Bring an owner's vectors onto the shelf, if there is one; have indexed what is missing, outdated or of
        another model, and removed what the record does not have.

        Raises:
            MemoryStoreError, StorageError: the index failed; the record is untouched.
        """
        await self.adopt(owner)
        if self._indexer is None:
            return
        if not await self._index.is_current(owner or None):
            _log.info("the memories of an owner are indexed anew for another embedding model")
            await self._indexer.drop(owner)
        wanted = dict.fromkeys(await self._store.read_owner(owner, queries.found_ids) or [])
        indexed = set(await self._index.ids(owner or None))
        await self._remove_spare(owner, [memory_id for memory_id in indexed if memory_id not in wanted])
        missing = [memory_id for memory_id in wanted if memory_id not in indexed]
        present = [memory_id for memory_id in wanted if memory_id in indexed]
        for start in range(0, len(present), _CHUNK):
            missing += await self._load(owner, present[start : start + _CHUNK])
        self._indexer.want(owner, missing)

    async def _load(self, owner: str, ids: Sequence[str]) -> list[str]:
        """Put vectors on the shelf; returns the ids whose vectors are of another text or are not there."""
        assert self._indexer is not None
        # The indexer gives the shelf what it writes, and waits for this: nothing older comes after it.
        async with self._indexer.order:
            found = await self._index.vectors(owner or None, ids)
            now = await self._texts(owner, ids)
            rows = {
                memory_id: row
                for row, (memory_id, text) in enumerate(zip(found.ids, found.texts, strict=True))
                if now.get(memory_id) == text
            }
            if rows:
                await self._shelves.give_vectors(owner, list(rows), found.vectors[list(rows.values())])
        return [memory_id for memory_id in now if memory_id not in rows]

    async def _remove_spare(self, owner: str, ids: Sequence[str]) -> None:
        assert self._indexer is not None
        if not ids:
            return
        async with self._indexer.order:
            # One that came meanwhile is not spare.
            now = await self._texts(owner, ids)
            await self._index.remove(owner or None, [memory_id for memory_id in ids if memory_id not in now])

    async def _texts(self, owner: str, ids: Sequence[str]) -> dict[str, str]:
        """The texts of those memories that may be recalled."""
        found = await self._store.read_owner(
            owner, lambda connection, number: queries.found_texts(connection, number, ids)
        )
        return found or {}


def _strangers(connection: apsw.Connection, owner: str, ids: Sequence[str]) -> list[str]:
    number = queries.owner_number(connection, owner)
    known = set() if number is None else queries.known_ids(connection, number, ids)
    return [
        memory_id
        for memory_id in ids
        if memory_id not in known and not entries.is_gone(connection, owner, memory_id)
    ]


def _adopt(connection: apsw.Connection, owner: str, records: Sequence[Record]) -> list[Card]:
    number = entries.ensure_owner(connection, owner)
    cards: list[Card] = []
    for record in records:
        details = details_from(decode_metadata(record.metadata))
        _, card = entries.put(connection, number, Entry(0, record, "active", details))
        if card is not None:
            cards.append(card)
    return cards
