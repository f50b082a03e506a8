"""Memories that were deleted and can still be brought back: kept whole, and out of every list and of recall.

Their rows lie under a number of their own, the owner's with a minus, so that whatever asks for the owner's memories
does not see them; a note of each says which rows went with it and which turns were barred for it. What they say counts
as forgotten meanwhile.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

import apsw

from assistant.memory.ledger import entries, queries, sources
from assistant.memory.ledger.changes import Work
from assistant.memory.ledger.entry import Entry
from assistant.memory.recall.shelf import Card
from assistant.storage.rows import row, rows


@dataclass(frozen=True, slots=True)
class Hidden:
    """What went out of sight with one memory.

    Attributes:
        memory_id: its id.
        ids: of its rows: its own, and of those that it had superseded.
        barred: of the turns that were barred for it.
    """

    memory_id: str
    ids: tuple[str, ...]
    barred: tuple[str, ...]


def hiding(owner: str, ids: Sequence[str]) -> Work[list[Hidden]]:
    """Hide the entries of those ids with what they superseded, and bar the turns that say the same."""

    def work(connection: apsw.Connection) -> tuple[list[Hidden], list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        if number is None:
            return [], [], []
        found: list[Hidden] = []
        for memory_id in ids:
            named = queries.by_ids(connection, number, [memory_id])
            if named:
                chosen = with_ancestors(connection, number, named)
                found.append(_hide(connection, number, memory_id, list(chosen.values())))
        note_marks(connection, number, owner)
        return found, [], [key for each in found for key in (*each.ids, *each.barred)]

    return work


def bringing_back(owner: str, ids: Sequence[str]) -> Work[list[str]]:
    """Bring hidden entries back as they were, with all that went with them; the ids of those that were hidden."""

    def work(connection: apsw.Connection) -> tuple[list[str], list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        if number is None:
            return [], [], []
        cards: list[Card] = []
        back = restored(connection, number, ids)
        still = {key for each in hidden(connection, number) for key in each.barred}
        for each in back:
            known = queries.by_ids(connection, number, [*each.ids, *each.barred])
            for key, entry in known.items():
                if key in each.ids:
                    _, card = entries.put(connection, number, entry)
                elif key not in still:
                    _, card = entries.put(connection, number, replace(entry, barred=False))
                else:
                    card = None
                cards += [card] if card else []
        note_marks(connection, number, owner)
        return [each.memory_id for each in back], cards, []

    return work


def hidden(connection: apsw.Connection, number: int) -> list[Hidden]:
    """What an owner has hidden."""
    prefix = entries.hidden_note(number, "")
    sql = "SELECT name, value FROM note WHERE substr(name, 1, ?) = ?"
    found = rows(connection, sql, (len(prefix), prefix))
    return [_read(name.removeprefix(prefix), value) for name, value in found]


def restored(connection: apsw.Connection, number: int, ids: Sequence[str]) -> list[Hidden]:
    """Give the owner the rows of hidden entries again, without their words; what was hidden of `ids`.

    A row whose id was written anew meanwhile is dropped: the new one is in force.
    """
    back: list[Hidden] = []
    for memory_id in dict.fromkeys(ids):
        name = entries.hidden_note(number, memory_id)
        found = row(connection, "SELECT value FROM note WHERE name = ?", (name,))
        if found is None:
            continue
        each = _read(memory_id, found[0])
        taken = queries.by_ids(connection, number, each.ids)
        connection.executemany(
            "DELETE FROM memory WHERE owner = ? AND id = ?", [(-number, key) for key in taken]
        )
        connection.executemany(
            "UPDATE memory SET owner = ? WHERE owner = ? AND id = ?",
            [(number, -number, key) for key in each.ids if key not in taken],
        )
        connection.execute("DELETE FROM note WHERE name = ?", (name,))
        back.append(replace(each, ids=tuple(key for key in each.ids if key not in taken)))
    return back


def with_ancestors(connection: apsw.Connection, number: int, named: dict[str, Entry]) -> dict[str, Entry]:
    """Entries, with those that they superseded, and those that these did."""
    chosen = dict(named)
    open_ids = list(named)
    while open_ids:
        sql = "SELECT id FROM memory WHERE owner = ? AND superseded_by = ?"
        found = [key for (key,) in rows(connection, sql, (number, open_ids.pop())) if key not in chosen]
        chosen |= queries.by_ids(connection, number, found)
        open_ids += found
    return chosen


def note_marks(connection: apsw.Connection, number: int, owner: str) -> None:
    """Note what the hidden ones say, and nothing else, as held back for now."""
    connection.execute("DELETE FROM forgotten WHERE owner = ?", (-number,))
    ids = [key for each in hidden(connection, number) for key in each.ids]
    chosen = queries.by_ids(connection, -number, ids).values()
    for digest in entries.digests(connection, owner, sources.of_entries(connection, -number, chosen).marks):
        connection.execute("INSERT OR IGNORE INTO forgotten(owner, mark) VALUES (?, ?)", (-number, digest))


# ---- inside


def _hide(connection: apsw.Connection, number: int, memory_id: str, chosen: Sequence[Entry]) -> Hidden:
    wanted = sources.of_entries(connection, number, chosen)
    barred = sources.bar_turns(connection, number, chosen, wanted)
    # What is barred for another one that may come back stays barred when that comes back.
    others = {key for each in hidden(connection, number) for key in each.barred}
    for key, turn in queries.by_ids(connection, number, sorted(others)).items():
        if key not in barred and sources.says(connection, turn, wanted):
            barred.append(key)
    ids = tuple(entry.memory_id for entry in chosen)
    each = Hidden(memory_id, ids, tuple(key for key in dict.fromkeys(barred) if key not in ids))
    connection.execute(
        "INSERT OR IGNORE INTO owner(number, name) VALUES (?, ?)",
        (-number, f"hidden {secrets.token_hex(16)}"),
    )
    for entry in chosen:
        connection.execute(f"DELETE FROM words_{number} WHERE rowid = ?", (entry.number,))
        connection.execute("DELETE FROM memory WHERE owner = ? AND id = ?", (-number, entry.memory_id))
        connection.execute("UPDATE memory SET owner = ? WHERE number = ?", (-number, entry.number))
    value = json.dumps({"ids": each.ids, "barred": each.barred}).encode()
    connection.execute(
        "INSERT OR REPLACE INTO note VALUES (?, ?)", (entries.hidden_note(number, memory_id), value)
    )
    return each


def _read(memory_id: str, value: bytes) -> Hidden:
    told = json.loads(value)
    return Hidden(memory_id, tuple(told["ids"]), tuple(told["barred"]))
