"""Memories out of a ledger and into one, with all that it knows of them: state, pin, older texts, successors.

What comes in never undoes what was decided here: see `LedgerExchange.take_in`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import apsw

from assistant.memory.base import TURN, MemoryScope, NewMemory, Progress
from assistant.memory.consolidation.marks import marks_of
from assistant.memory.ledger import entries, forgotten, queries
from assistant.memory.ledger.changes import Work
from assistant.memory.ledger.engine import Engine
from assistant.memory.ledger.entry import Details, Entry, MemoryVersion, State, details_from, with_metadata
from assistant.memory.recall.shelf import Card
from assistant.memory.rules import decode_metadata, encode_metadata, micros_of, moment_of, owner_of
from assistant.storage.rows import row, rows

_CHUNK = 500
_Version = tuple[str, str, str | None, int | None, int]
"""Content, metadata, quote, said and replaced, as the record keeps an older text."""


@dataclass(frozen=True, slots=True)
class Kept:
    """A memory as a ledger keeps it, with its older texts, oldest first."""

    entry: Entry
    versions: tuple[MemoryVersion, ...] = ()


@dataclass(frozen=True, slots=True)
class Arriving:
    """A memory that comes in.

    Attributes:
        memory: text, metadata, id and times.
        state: see Entry.
        pinned, barred, uses, used_at: see Entry; None where it is not said.
        superseded_by: id of the memory that took its place.
        versions: what it said before, oldest first; None where it is not said.
        details: fields of Details, with what is known beside the metadata; None where it is not said.
    """

    memory: NewMemory
    state: State = "active"
    pinned: bool | None = None
    barred: bool | None = None
    uses: int | None = None
    used_at: int | None = None
    superseded_by: str | None = None
    versions: tuple[MemoryVersion, ...] | None = None
    details: Mapping[str, str | int | None] | None = None


@dataclass(frozen=True, slots=True)
class _Incoming:
    """An Arriving and the entry that it would be."""

    entry: Entry
    told: Arriving
    coming: Mapping[str, State] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def is_timeless(self) -> bool:
        return self.told.memory.created_at is None and self.told.memory.updated_at is None


class LedgerExchange:
    """Reads all memories of a ledger, and takes in those of another.

    Args:
        engine: gives the open engine, and raises what a closed ledger raises.
        scope: of the ledger; under PER_USER each call needs a user (MemoryIsolationError).
        entry: makes the entry of a new memory of a user, and raises what is wrong with it.
    """

    def __init__(
        self,
        engine: Callable[[], Engine],
        scope: MemoryScope,
        entry: Callable[[NewMemory, str | None], Entry],
    ) -> None:
        self._engine = engine
        self._scope = scope
        self._entry = entry

    async def read(self, *, user_id: str | None = None, progress: Progress | None = None) -> list[Kept]:
        """All memories as they are at one moment, whatever their state, in the order in which the record got them;
        without turns, which are part of the conversations.

        Args:
            progress: called from another thread.
        """

        def work(connection: apsw.Connection, owner: int) -> list[Kept]:
            sql = "SELECT id FROM memory WHERE owner = ? AND kind <> ? ORDER BY number"
            ids = [key for (key,) in rows(connection, sql, (owner, TURN))]
            older = _older_texts(connection, owner)
            found: list[Kept] = []
            for start in range(0, len(ids), _CHUNK):
                part = ids[start : start + _CHUNK]
                known = queries.by_ids(connection, owner, part)
                found += [Kept(known[key], tuple(older.get(known[key].number, ()))) for key in part]
                if progress is not None:
                    progress(len(found), len(ids))
            return found

        engine = self._engine()
        return await engine.store.read_owner(owner_of(self._scope, user_id) or "", work) or []

    async def take_in(
        self,
        arriving: Sequence[Arriving],
        *,
        user_id: str | None = None,
        coming: Mapping[str, State] | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Take memories in, all of them or none.

        - One whose id is not here comes as it is, and may be learned again if it was forgotten.
        - One whose id is here, in the same state, replaces it when it was changed later; what was said here becomes an
          older text. Else what is here stays.
        - One that waits here goes on waiting; one that was replaced here stays replaced, unless what took its place is
          gone.
        - One that is active here becomes history when it was replaced later by a memory that is here or comes too.

        Args:
            coming: ids and states of all that come, when these are not all.
            progress: called when they are in.

        Raises:
            InvalidInputError, InvalidTextError: one of them can't be kept; nothing was changed.
            MemoryIsolationError, StorageError: as in add_many.
        """
        engine, owner = self._engine(), owner_of(self._scope, user_id) or ""
        new = [(self._entry(item.memory, user_id), item) for item in arriving]
        every = coming if coming is not None else {entry.memory_id: item.state for entry, item in new}
        incoming = [_Incoming(_as_told(entry, item), item, every) for entry, item in new]
        found = await engine.commit(owner, taking_in(owner, incoming))
        await engine.settled(owner, found)
        if progress is not None and arriving:
            progress(len(arriving), len(arriving))


def adding(owner: str, new: Sequence[Entry]) -> Work[None]:
    """Write entries, each in place of the one of its id, whose state, pin, bar and uses stay."""

    def work(connection: apsw.Connection) -> tuple[None, list[Card], list[str]]:
        number = entries.ensure_owner(connection, owner)
        written = _Written()
        for entry in new:
            old = queries.fetch(connection, number, entry.memory_id)
            written.note(entries.put(connection, number, entry if old is None else _standing(entry, old)))
        return None, list(written.cards.values()), list(written.gone)

    return work


def taking_in(owner: str, incoming: Sequence[_Incoming]) -> Work[list[str]]:
    """Take memories in as `LedgerExchange.take_in` says; the ids of those that may be found now."""

    def work(connection: apsw.Connection) -> tuple[list[str], list[Card], list[str]]:
        number = entries.ensure_owner(connection, owner)
        written = _Written()
        # What is hidden (see hiding) counts as forgotten too.
        any_mark = "SELECT 1 FROM forgotten WHERE owner IN (?, ?)"
        forgets = row(connection, any_mark, (number, -number)) is not None
        for item in incoming:
            old = queries.fetch(connection, number, item.entry.memory_id)
            new = item.entry if old is None else _decided(connection, number, item, old)
            if new is None:
                continue
            versions = _merged(connection, number, item, old)
            written.note(entries.put(connection, number, new))
            _write_versions(connection, number, new.memory_id, versions)
            if new.state == "superseded":
                for turn in entries.bar_sources(connection, number, new):
                    written.lose(turn)
            elif forgets:
                forgotten.lift(connection, number, owner, marks_of(new.record.content).all)
        return list(written.cards), list(written.cards.values()), list(written.gone)

    return work


class _Written:
    """What a transaction did, for the shelf and the index."""

    def __init__(self) -> None:
        self.cards: dict[str, Card] = {}
        self.gone: set[str] = set()

    def note(self, put: tuple[Entry, Card | None]) -> None:
        entry, card = put
        if card is None:
            self.lose(entry.memory_id)
        else:
            self.cards[entry.memory_id] = card
            self.gone.discard(entry.memory_id)

    def lose(self, memory_id: str) -> None:
        self.cards.pop(memory_id, None)
        self.gone.add(memory_id)


def _as_told(entry: Entry, told: Arriving) -> Entry:
    successor = told.superseded_by if told.superseded_by != entry.memory_id else None
    return replace(
        entry,
        state=told.state,
        details=_known(entry.details, told.details or {}),
        pinned=bool(told.pinned),
        barred=bool(told.barred),
        uses=told.uses or 0,
        used_at=told.used_at,
        superseded_by=successor if told.state == "superseded" else None,
    )


def _known(details: Details, told: Mapping[str, Any]) -> Details:
    return replace(details, **told)


def _standing(entry: Entry, old: Entry) -> Entry:
    """`entry` with what was decided about the one that is here."""
    details = entry.details
    if old.state == "superseded" and details.valid_to is None:
        details = replace(details, valid_to=old.details.valid_to)
    return replace(
        entry,
        state=old.state,
        details=details,
        pinned=old.pinned,
        barred=old.barred,
        uses=old.uses,
        used_at=old.used_at,
        superseded_by=old.superseded_by,
    )


def _decided(connection: apsw.Connection, number: int, item: _Incoming, old: Entry) -> Entry | None:
    """What becomes of an entry that is here; None when it stays as it is."""
    new = item.entry
    if old.state == new.state:
        return _newer(item, old) if _is_newer(item, old) else None
    if old.state == "superseded" and new.state == "active":
        if _fetched(connection, number, old.superseded_by) is not None:
            return None
        own = details_from(decode_metadata(old.record.metadata))
        details = replace(old.details, valid_to=own.valid_to)
        back = replace(old, state="active", details=details, superseded_by=None)
        return _newer(item, back) if _is_newer(item, old) else back
    if old.state == "active" and new.state == "superseded" and _is_newer(item, old):
        successor = _fetched(connection, number, new.superseded_by)
        state = item.coming.get(new.superseded_by or "") if successor is None else successor.state
        if state in ("active", "superseded"):
            return replace(_newer(item, old), state="superseded", superseded_by=new.superseded_by)
    return None


def _fetched(connection: apsw.Connection, number: int, memory_id: str | None) -> Entry | None:
    return None if memory_id is None else queries.fetch(connection, number, memory_id)


def _is_newer(item: _Incoming, old: Entry) -> bool:
    new = item.entry.record
    if item.is_timeless:
        # Without a time it is the word of whoever imports it, once.
        return (new.content, new.metadata) != (old.record.content, old.record.metadata)
    return (new.updated or 0) > (old.record.updated or 0)


def _newer(item: _Incoming, old: Entry) -> Entry:
    """The entry that is here with what a newer one says; what that does not say stays."""
    new, told = item.entry, item.told
    base = with_metadata(old, new.record.metadata, new.record.updated or 0)
    created = old.record.created if told.memory.created_at is None else new.record.created
    return replace(
        base,
        record=replace(base.record, content=new.record.content, created=created),
        details=base.details if told.details is None else new.details,
        pinned=old.pinned if told.pinned is None else told.pinned,
        barred=old.barred if told.barred is None else told.barred,
        uses=max(old.uses, new.uses),
        used_at=max((at for at in (old.used_at, new.used_at) if at is not None), default=None),
        superseded_by=old.superseded_by or new.superseded_by,
    )


# ---- older texts


def _older_texts(connection: apsw.Connection, owner: int) -> dict[int, list[MemoryVersion]]:
    found: dict[int, list[MemoryVersion]] = {}
    sql = (
        "SELECT v.memory, v.number, v.content, v.metadata, v.quote, v.replaced FROM version v "
        "JOIN memory m ON m.number = v.memory WHERE m.owner = ? ORDER BY v.memory, v.number"
    )
    for memory, number, content, metadata, quote, replaced in connection.execute(sql, (owner,)):
        version = MemoryVersion(number, content, decode_metadata(metadata), quote, moment_of(replaced))
        found.setdefault(memory, []).append(version)
    return found


def _merged(connection: apsw.Connection, number: int, item: _Incoming, old: Entry | None) -> list[_Version]:
    """The older texts of a memory that is about to be written: those here and those that come, in order."""
    new = item.entry.record
    told = [_as_version(version, new.updated or 0) for version in item.told.versions or ()]
    if old is None:
        return told
    sql = "SELECT content, metadata, quote, said_at, replaced FROM version WHERE memory = ? ORDER BY number"
    here: list[_Version] = list(rows(connection, sql, (old.number,)))
    if old.record.content != new.content and _is_newer(item, old) and not _holds(told, old.record.content):
        quote, said = old.details.quote, old.details.said_at
        here.append((old.record.content, old.record.metadata, quote, said, new.updated or 0))
    elif not _is_newer(item, old):
        return here
    known = {(content, replaced) for content, _, _, _, replaced in here}
    every = here + [version for version in told if (version[0], version[4]) not in known]
    return sorted(every, key=lambda version: version[4])


def _holds(versions: Sequence[_Version], content: str) -> bool:
    return any(version[0] == content for version in versions)


def _as_version(version: MemoryVersion, otherwise: int) -> _Version:
    said = details_from(version.metadata).said_at
    replaced = otherwise if version.replaced_at is None else micros_of(version.replaced_at)
    return version.content, encode_metadata(version.metadata), version.quote, said, replaced


def _write_versions(
    connection: apsw.Connection, owner: int, memory_id: str, versions: Sequence[_Version]
) -> None:
    found = row(connection, "SELECT number FROM memory WHERE owner = ? AND id = ?", (owner, memory_id))
    assert found is not None
    [memory] = found
    connection.execute("DELETE FROM version WHERE memory = ?", (memory,))
    connection.executemany(
        "INSERT INTO version(memory, number, content, metadata, quote, said_at, replaced) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(memory, place, *version) for place, version in enumerate(versions, start=1)],
    )
    connection.execute("UPDATE memory SET version = ? WHERE number = ?", (len(versions) + 1, memory))
