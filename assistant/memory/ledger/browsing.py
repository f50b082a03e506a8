"""Looking through a ledger: pages of its entries, what took whose place, and the way back of what was removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import apsw

from assistant.core.text import check_text
from assistant.memory.base import TURN, MemoryScope, MemorySort
from assistant.memory.ledger import queries
from assistant.memory.ledger.changes import putting
from assistant.memory.ledger.engine import Engine
from assistant.memory.ledger.entry import Entry, State
from assistant.memory.rules import checked_page, owner_of
from assistant.storage.rows import row, rows

T = TypeVar("T")

_LARGEST_OFFSET = 2**62
_CHUNK = 500

# Unpinned ones after pinned ones; "created" says when a fact was learned.
_ORDER: dict[MemorySort, str] = {
    "newest": "pinned DESC, created DESC, id DESC",
    "oldest": "pinned DESC, created, id",
    "text": "pinned DESC, casefolded(content), content, id",
}


@dataclass(frozen=True, slots=True)
class EntryPage:
    """A slice of the entries.

    Attributes:
        items: in the order that was asked for, pinned ones first.
        total: how many there are in all under the same filter.
    """

    items: tuple[Entry, ...]
    total: int


class LedgerBrowser:
    """Reads a ledger the way people do.

    Args:
        engine: gives the open engine, and raises what a closed ledger raises.
        scope: of the ledger; under PER_USER each call needs a user (MemoryIsolationError).
    """

    def __init__(self, engine: Callable[[], Engine], scope: MemoryScope) -> None:
        self._engine = engine
        self._scope = scope

    async def page(
        self,
        *,
        user_id: str | None = None,
        state: State = "active",
        kinds: Sequence[str] = (),
        but: Sequence[str] = (TURN,),
        contains: str = "",
        sort: MemorySort = "newest",
        offset: int = 0,
        limit: int = 50,
    ) -> EntryPage:
        """Entries of a state, pinned ones first. Arguments as in MemoryLedger.list; without turns unless asked for."""
        checked_page(offset, limit, sort)
        check_text(contains)

        def read(connection: apsw.Connection, owner: int) -> EntryPage:
            clause, bindings = _filter(owner, state, kinds, but, contains)
            found = row(connection, f"SELECT count(*) FROM memory WHERE {clause}", bindings)
            sql = f"SELECT id FROM memory WHERE {clause} ORDER BY {_ORDER[sort]} LIMIT ? OFFSET ?"
            bounds = (max(limit, 0), min(offset, _LARGEST_OFFSET))
            ids = [key for (key,) in rows(connection, sql, (*bindings, *bounds))]
            known = queries.by_ids(connection, owner, ids)
            return EntryPage(tuple(known[key] for key in ids), 0 if found is None else int(found[0]))

        return await self._read(user_id, read) or EntryPage((), 0)

    async def kinds(self, *, user_id: str | None = None, state: State = "active") -> dict[str, int]:
        """How many entries there are of each kind, turns left out."""

        def read(connection: apsw.Connection, owner: int) -> dict[str, int]:
            sql = (
                "SELECT kind, count(*) FROM memory WHERE owner = ? AND state = ? AND kind <> ? GROUP BY kind"
            )
            return dict(rows(connection, sql, (owner, state, TURN)))

        return await self._read(user_id, read) or {}

    async def entries(self, ids: Sequence[str], *, user_id: str | None = None) -> dict[str, Entry]:
        """Those of `ids` that are there, whatever their state."""
        wanted = [check_text(memory_id) for memory_id in ids]
        found = await self._read(user_id, lambda connection, owner: queries.by_ids(connection, owner, wanted))
        return found or {}

    async def replaced(self, ids: Sequence[str], *, user_id: str | None = None) -> dict[str, Entry]:
        """What each of `ids` took the place of, where it took one; of several the newest."""
        wanted = [check_text(memory_id) for memory_id in ids]

        def read(connection: apsw.Connection, owner: int) -> dict[str, Entry]:
            pairs: dict[str, str] = {}
            for start in range(0, len(wanted), _CHUNK):
                part = wanted[start : start + _CHUNK]
                sql = (
                    "SELECT superseded_by, id FROM memory WHERE owner = ? AND state = 'superseded' "
                    f"AND superseded_by IN ({', '.join('?' * len(part))}) ORDER BY number"
                )
                pairs |= dict(rows(connection, sql, (owner, *part)))
            known = queries.by_ids(connection, owner, list(pairs.values()))
            return {new: known[old] for new, old in pairs.items() if old in known}

        return await self._read(user_id, read) or {}

    async def history(
        self, memory_id: str, *, user_id: str | None = None, limit: int = 100
    ) -> tuple[Entry, ...]:
        """The entries that came before one, each superseded by the next; newest first, at most `limit`."""
        found: list[Entry] = []
        seen = {memory_id}
        newest = memory_id
        while len(found) < limit:
            before = (await self.replaced([newest], user_id=user_id)).get(newest)
            if before is None or before.memory_id in seen:
                break
            found.append(before)
            newest = before.memory_id
            seen.add(newest)
        return tuple(found)

    async def put_back(self, entry: Entry, *, user_id: str | None = None) -> None:
        """Write an entry as it was read: its state, pin and uses with it. Older versions do not come back.

        Raises:
            MemoryStoreError, StorageError: it was not written.
        """
        engine, owner = self._engine(), self._owner(user_id)
        await engine.commit(owner, putting(owner, [entry]))
        if entry.is_found:
            await engine.settled(owner, [entry.memory_id])

    def _owner(self, user_id: str | None) -> str:
        return owner_of(self._scope, user_id) or ""

    async def _read(self, user_id: str | None, work: Callable[[apsw.Connection, int], T]) -> T | None:
        return await self._engine().store.read_owner(self._owner(user_id), work)


def _filter(
    owner: int, state: State, kinds: Sequence[str], but: Sequence[str], contains: str
) -> tuple[str, tuple[object, ...]]:
    clause, bindings = "owner = ? AND state = ?", (owner, state, *kinds, *but)
    if kinds:
        clause += f" AND kind IN ({', '.join('?' * len(kinds))})"
    if but:
        clause += f" AND kind NOT IN ({', '.join('?' * len(but))})"
    if contains:
        clause += " AND holds(content, ?)"
        return clause, (*bindings, contains.casefold())
    return clause, bindings
