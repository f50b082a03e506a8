"""Statements that read the record. Each runs inside the transaction of whoever calls it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from assistant.memory.base import MemorySort
from assistant.memory.ledger.entry import MICROS_A_DAY, Details, Entry, folded_name
from assistant.memory.recall.shelf import UNKNOWN_POSITION, Card
from assistant.memory.record import Record
from assistant.storage.rows import row, rows

_FIELDS = (
    "number, id, content, metadata, created, updated, label, state, kind, quote, source, said_at, valid_from, "
    "valid_to, subject, language, sensitivity, speaker, session, position, version, pinned, barred, uses, used_at, "
    "superseded_by"
)
_CHUNK = 500

_ORDER: dict[MemorySort, str] = {
    "newest": "created DESC, id DESC",
    "oldest": "created, id",
    "text": "casefolded(content), content, id",
}


def owner_number(connection: apsw.Connection, name: str) -> int | None:
    """The number of an owner, None when nothing was ever kept for it."""
    found = row(connection, "SELECT number FROM owner WHERE name = ?", (name,))
    return None if found is None else int(found[0])


def owner_names(connection: apsw.Connection) -> list[str]:
    """All owners."""
    return [name for (name,) in rows(connection, "SELECT name FROM owner WHERE number > 0 ORDER BY number")]


def fetch(connection: apsw.Connection, owner: int, memory_id: str) -> Entry | None:
    """The entry of that id, whatever its state."""
    found = row(connection, f"SELECT {_FIELDS} FROM memory WHERE owner = ? AND id = ?", (owner, memory_id))
    return None if found is None else _entry(found)


def by_ids(connection: apsw.Connection, owner: int, ids: Sequence[str]) -> dict[str, Entry]:
    """The entries of those ids that are there, whatever their state."""
    found: dict[str, Entry] = {}
    for start in range(0, len(ids), _CHUNK):
        part = ids[start : start + _CHUNK]
        marks = ", ".join("?" * len(part))
        sql = f"SELECT {_FIELDS} FROM memory WHERE owner = ? AND id IN ({marks})"
        for item in connection.execute(sql, (owner, *part)):
            entry = _entry(item)
            found[entry.memory_id] = entry
    return found


def replaced_by(connection: apsw.Connection, owner: int, memory_id: str) -> Entry | None:
    """The newest entry that the one of that id superseded."""
    sql = f"SELECT {_FIELDS} FROM memory WHERE owner = ? AND superseded_by = ? AND state = 'superseded'"
    found = row(connection, f"{sql} ORDER BY number DESC", (owner, memory_id))
    return None if found is None else _entry(found)


def versions(connection: apsw.Connection, owner: int, memory_id: str) -> list[tuple[Any, ...]]:
    """Older texts of a memory, oldest first: number, content, metadata, quote, replaced."""
    return rows(
        connection,
        "SELECT v.number, v.content, v.metadata, v.quote, v.replaced FROM version v "
        "JOIN memory m ON m.number = v.memory WHERE m.owner = ? AND m.id = ? ORDER BY v.number",
        (owner, memory_id),
    )


def count(
    connection: apsw.Connection, owner: int, state: str, kinds: Sequence[str] = (), but: Sequence[str] = ()
) -> int:
    """How many memories of that state (of those kinds, and not of the others) there are."""
    clause, bindings = _filter(owner, state, kinds, but)
    found = row(connection, f"SELECT count(*) FROM memory WHERE {clause}", bindings)
    return 0 if found is None else int(found[0])


def page(
    connection: apsw.Connection,
    owner: int,
    *,
    state: str,
    kinds: Sequence[str],
    but: Sequence[str],
    contains: str,
    sort: MemorySort,
    offset: int,
    limit: int,
) -> tuple[list[Entry], int]:
    """A slice of the entries of a state, and how many there are in all."""
    clause, bindings = _filter(owner, state, kinds, but)
    if contains:
        clause += " AND holds(content, ?)"
        bindings += (contains.casefold(),)
    found = row(connection, f"SELECT count(*) FROM memory WHERE {clause}", bindings)
    total = 0 if found is None else int(found[0])
    sql = f"SELECT {_FIELDS} FROM memory WHERE {clause} ORDER BY {_ORDER[sort]} LIMIT ? OFFSET ?"
    # SQLite's numbers end at 2**63.
    bounds = (max(limit, 0), min(offset, 2**62))
    return [_entry(item) for item in connection.execute(sql, (*bindings, *bounds))], total


def cards(connection: apsw.Connection, owner: int) -> list[Card]:
    """The cards of all memories that may be recalled."""
    sql = (
        "SELECT number, id, kind = 'turn', coalesce(session, ''), coalesce(position, ?), "
        "coalesce(said_at, created, 0) / ?, speaker, length, questions, tells_time, pinned FROM memory "
        "WHERE owner = ? AND state = 'active' AND NOT barred ORDER BY number"
    )
    return [
        Card(
            number,
            memory_id,
            bool(is_turn),
            session if is_turn else "",
            position,
            said,
            folded_name(speaker),
            length,
            questions if is_turn else 0.0,
            bool(tells_time),
            bool(pinned),
        )
        for (
            number, memory_id, is_turn, session, position, said, speaker, length, questions, tells_time, pinned
        ) in connection.execute(sql, (UNKNOWN_POSITION, float(MICROS_A_DAY), owner))
    ]  # fmt: skip


def known_ids(connection: apsw.Connection, owner: int, ids: Sequence[str]) -> set[str]:
    """Those of `ids` that are there, whatever their state, hidden ones (see hiding) too."""
    sql = f"SELECT id FROM memory WHERE owner IN (?, ?) AND id IN ({', '.join('?' * len(ids))})"
    return {key for (key,) in connection.execute(sql, (owner, -owner, *ids))}


def found_texts(connection: apsw.Connection, owner: int, ids: Sequence[str]) -> dict[str, str]:
    """The texts of those memories that are there and may be recalled, by id."""
    sql = (
        f"SELECT id, content FROM memory WHERE owner = ? AND id IN ({', '.join('?' * len(ids))}) "
        "AND +state = 'active' AND NOT barred"
    )
    # The plus keeps SQLite from going through all active ones.
    return dict(rows(connection, sql, (owner, *ids)))


def found_ids(connection: apsw.Connection, owner: int) -> list[str]:
    """Ids of all memories that may be recalled."""
    sql = "SELECT id FROM memory WHERE owner = ? AND state = 'active' AND NOT barred"
    return [key for (key,) in rows(connection, sql, (owner,))]


def labelled(connection: apsw.Connection, owner: int, label: str) -> list[str]:
    """Ids of the memories that carry a label."""
    return [
        key
        for (key,) in rows(connection, "SELECT id FROM memory WHERE owner = ? AND label = ?", (owner, label))
    ]


def turns_of(connection: apsw.Connection, owner: int, session: str) -> Iterator[Entry]:
    """The turns of a conversation."""
    sql = f"SELECT {_FIELDS} FROM memory WHERE owner = ? AND session = ? AND kind = 'turn'"
    return (_entry(item) for item in rows(connection, sql, (owner, session)))


def add_functions(connection: apsw.Connection) -> None:
    """Give a connection the functions that `page` uses: SQLite's own know the cases of English letters only."""

    def casefolded(*values: Any) -> str:
        return str(values[0]).casefold()

    def holds(*values: Any) -> bool:
        return values[1] in str(values[0]).casefold()

    connection.create_scalar_function("casefolded", casefolded, 1, deterministic=True)
    connection.create_scalar_function("holds", holds, 2, deterministic=True)


def _filter(owner: int, state: str, kinds: Sequence[str], but: Sequence[str]) -> tuple[str, tuple[Any, ...]]:
    clause, bindings = "owner = ? AND state = ?", (owner, state, *kinds, *but)
    if kinds:
        clause += f" AND kind IN ({', '.join('?' * len(kinds))})"
    if but:
        clause += f" AND kind NOT IN ({', '.join('?' * len(but))})"
    return clause, bindings


def _entry(item: tuple[Any, ...]) -> Entry:
    number, memory_id, content, metadata, created, updated, label, state, *rest = item[:26]
    *details, version, pinned, barred, uses, used_at, superseded_by = rest
    return Entry(
        number=number,
        record=Record(memory_id, content, metadata, created, updated, label),
        state=state,
        details=Details(*details),
        version=version,
        pinned=bool(pinned),
        barred=bool(barred),
        uses=uses,
        used_at=used_at,
        superseded_by=superseded_by,
    )
