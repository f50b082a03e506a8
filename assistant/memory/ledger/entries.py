"""Statements that write the record. Each runs inside the transaction of whoever calls it."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import apsw

from assistant.memory.ledger import queries
from assistant.memory.ledger.entry import Entry, card_of, source_message, source_session, turn_message
from assistant.memory.ledger.schema import create_words, drop_words
from assistant.memory.recall.shelf import Card
from assistant.memory.recall.traits import traits_of
from assistant.storage.rows import row, rows

_MARK_BYTES = 16


# ---- owners


def ensure_owner(connection: apsw.Connection, name: str) -> int:
    """The number of an owner, who is noted at the first time."""
    number = queries.owner_number(connection, name)
    if number is None:
        connection.execute("INSERT INTO owner(name) VALUES (?)", (name,))
        number = connection.last_insert_rowid()
        create_words(connection, number)
    return number


def forget_owner(connection: apsw.Connection, owner: int) -> list[str]:
    """Remove all memories of an owner, and the owner; returns the ids of those that were active or pending."""
    ids = [
        key
        for (key,) in rows(
            connection, "SELECT id FROM memory WHERE owner = ? AND state <> 'superseded'", (owner,)
        )
    ]
    sql = "SELECT id FROM memory WHERE owner IN (?, ?)"
    every = [key for (key,) in rows(connection, sql, (owner, -owner))]
    note_gone(connection, owner, every)
    drop_words(connection, owner)
    connection.execute("DELETE FROM note WHERE name GLOB ?", (f"{hidden_note(owner, '')}*",))
    for table in ("memory", "forgotten", "lesson"):
        connection.execute(f"DELETE FROM {table} WHERE owner IN (?, ?)", (owner, -owner))
    connection.execute("DELETE FROM owner WHERE number IN (?, ?)", (owner, -owner))
    return ids


# ---- writing


def put(connection: apsw.Connection, owner: int, entry: Entry) -> tuple[Entry, Card | None]:
    """Write an entry, in place of the one of its id: what that said becomes an older version.

    Returns:
        The entry with its number and version, and its card when it may be recalled.
    """
    old = queries.fetch(connection, owner, entry.memory_id)
    version = 1 if old is None else _keep_version(connection, old, entry)
    traits = traits_of(entry.record.content, entry.details.speaker or "")
    values = _values(entry, version) | {
        "length": traits.length,
        "questions": traits.questions,
        "tells_time": int(traits.tells_time),
        "owner": owner,
    }
    if old is None:
        connection.execute(
            f"INSERT INTO memory({', '.join(values)}) VALUES ({', '.join('?' * len(values))})",
            tuple(values.values()),
        )
        number = connection.last_insert_rowid()
        connection.execute(
            "DELETE FROM gone WHERE mark = ?", (_mark(connection, _name(connection, owner), entry.memory_id),)
        )
    else:
        number = old.number
        connection.execute(
            f"UPDATE memory SET {', '.join(f'{name} = ?' for name in values)} WHERE number = ?",
            (*values.values(), number),
        )
        connection.execute(f"DELETE FROM words_{owner} WHERE rowid = ?", (number,))
    written = Entry(
        number, entry.record, entry.state, entry.details, version, entry.pinned, entry.barred, entry.uses,
        entry.used_at, entry.superseded_by,
    )  # fmt: skip
    if not written.is_found:
        return written, None
    connection.execute(f"INSERT INTO words_{owner}(rowid, words) VALUES (?, ?)", (number, traits.words))
    return written, card_of(written, traits.length, traits.questions, traits.tells_time)


def remove(connection: apsw.Connection, owner: int, ids: Sequence[str]) -> list[str]:
    """Remove entries with all their versions, and return the ids of those that were there."""
    removed: list[str] = []
    for memory_id in ids:
        found = row(connection, "SELECT number FROM memory WHERE owner = ? AND id = ?", (owner, memory_id))
        if found is not None:
            connection.execute(f"DELETE FROM words_{owner} WHERE rowid = ?", found)
            connection.execute("DELETE FROM memory WHERE number = ?", found)
            removed.append(memory_id)
    note_gone(connection, owner, removed)
    return removed


def note_gone(connection: apsw.Connection, owner: int, ids: Iterable[str]) -> None:
    """Note that those ids were removed for good."""
    name = _name(connection, owner)
    marks = [(_mark(connection, name, memory_id),) for memory_id in ids]
    connection.executemany("INSERT OR IGNORE INTO gone VALUES (?)", marks)


def mark_key(connection: apsw.Connection) -> bytes:
    """The key of all digests of this record."""
    found = row(connection, "SELECT value FROM note WHERE name = 'key'")
    assert found is not None
    key: bytes = found[0]
    return key


def digests(connection: apsw.Connection, owner: str, marks: Iterable[str]) -> list[bytes]:
    """What is kept of the marks of something that an owner (by name) forgot."""
    key = mark_key(connection)
    return [
        hmac.digest(key, f"said {len(owner)}:{owner}{mark}".encode(), "sha256")[:_MARK_BYTES]
        for mark in sorted(marks)
    ]


def hidden_note(owner: int, memory_id: str) -> str:
    """The name of the note about an entry that is hidden (see hiding); of them all when the id is empty."""
    return f"hidden {owner} {memory_id}"


def is_gone(connection: apsw.Connection, owner: str, memory_id: str) -> bool:
    """Whether that id of an owner (by name) was removed for good."""
    mark = _mark(connection, owner, memory_id)
    return row(connection, "SELECT 1 FROM gone WHERE mark = ?", (mark,)) is not None


def bar_sources(connection: apsw.Connection, owner: int, fact: Entry) -> list[str]:
    """Bar the turns that a fact was taken from, and return their ids: those of its source's conversation that hold its
    quote, and the one of its source's message."""
    session, quote, message = source_session(fact), fact.details.quote, source_message(fact)
    if session is None or (quote is None and message is None):
        return []
    barred = []
    for turn in queries.turns_of(connection, owner, session):
        holds = quote is not None and quote.casefold() in turn.record.content.casefold()
        if turn.is_found and (holds or (message is not None and turn_message(turn) == message)):
            put(connection, owner, replace(turn, barred=True))
            barred.append(turn.memory_id)
    return barred


def note_use(connection: apsw.Connection, owner: int, ids: Sequence[str], moment: int) -> None:
    """Count that memories were injected."""
    connection.executemany(
        "UPDATE memory SET uses = uses + 1, used_at = ? WHERE owner = ? AND id = ?",
        [(moment, owner, memory_id) for memory_id in ids],
    )


def rebuild_words(connection: apsw.Connection, owner: int) -> None:
    """Make an owner's full-text table anew from the texts."""
    drop_words(connection, owner)
    create_words(connection, owner)
    found = rows(
        connection,
        "SELECT number, content, speaker FROM memory WHERE owner = ? AND state = 'active' AND NOT barred",
        (owner,),
    )
    connection.executemany(
        f"INSERT INTO words_{owner}(rowid, words) VALUES (?, ?)",
        ((number, traits_of(content, speaker or "").words) for number, content, speaker in found),
    )


# ---- inside


def _keep_version(connection: apsw.Connection, old: Entry, entry: Entry) -> int:
    if old.record.content == entry.record.content:
        return old.version
    connection.execute(
        "INSERT OR REPLACE INTO version VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            old.number,
            old.version,
            old.record.content,
            old.record.metadata,
            old.details.quote,
            old.details.said_at,
            entry.record.updated,
        ),
    )
    return old.version + 1


def _values(entry: Entry, version: int) -> dict[str, Any]:
    record, details = entry.record, entry.details
    return {
        "id": record.memory_id,
        "content": record.content,
        "metadata": record.metadata,
        "created": record.created,
        "updated": record.updated,
        "label": record.label,
        "state": entry.state,
        "kind": details.kind,
        "quote": details.quote,
        "source": details.source,
        "said_at": details.said_at,
        "valid_from": details.valid_from,
        "valid_to": details.valid_to,
        "subject": details.subject,
        "language": details.language,
        "sensitivity": details.sensitivity,
        "speaker": details.speaker,
        "session": details.session,
        "position": details.position,
        "version": version,
        "pinned": int(entry.pinned),
        "barred": int(entry.barred),
        "uses": entry.uses,
        "used_at": entry.used_at,
        "superseded_by": entry.superseded_by,
    }


def _mark(connection: apsw.Connection, owner: str, memory_id: str) -> bytes:
    return hmac.digest(mark_key(connection), f"{len(owner)}:{owner}{memory_id}".encode(), "sha256")[
        :_MARK_BYTES
    ]


def _name(connection: apsw.Connection, owner: int) -> str:
    found = row(connection, "SELECT name FROM owner WHERE number = ?", (owner,))
    return "" if found is None else str(found[0])
