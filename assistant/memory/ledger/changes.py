"""What is done to the record in one transaction, ready to be committed (see Engine.commit).

Each gives its result, the cards of memories that may be recalled now, and the ids of those that may not any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import apsw

from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.entry import Entry, details_from
from assistant.memory.recall.shelf import Card
from assistant.memory.rules import decode_metadata

T = TypeVar("T")

Work = Callable[[apsw.Connection], tuple[T, list[Card], list[str]]]
Change = Callable[[Entry], Entry | None]
Choice = Callable[[apsw.Connection, int], Sequence[str]]


def putting(owner: str, new: Sequence[Entry]) -> Work[None]:
    """Write entries, each in place of the one of its id."""

    def work(connection: apsw.Connection) -> tuple[None, list[Card], list[str]]:
        number = entries.ensure_owner(connection, owner)
        cards: dict[str, Card] = {}
        gone: set[str] = set()
        for entry in new:
            _, card = entries.put(connection, number, entry)
            if card is None:
                cards.pop(entry.memory_id, None)
                gone.add(entry.memory_id)
            else:
                cards[card.memory_id] = card
                gone.discard(entry.memory_id)
        return None, list(cards.values()), list(gone)

    return work


def changing(owner: str, memory_id: str, change: Change) -> Work[bool]:
    """Replace an entry by what `change` makes of it. Whether there was one, and `change` made something."""

    def work(connection: apsw.Connection) -> tuple[bool, list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        old = None if number is None else queries.fetch(connection, number, memory_id)
        new = None if old is None else change(old)
        if number is None or new is None:
            return False, [], []
        _, card = entries.put(connection, number, new)
        return True, [card] if card else [], [] if card else [memory_id]

    return work


def accepting(owner: str, memory_id: str, now: int | None) -> Work[bool]:
    """Make a pending entry an active one, in the place of those that it was proposed to replace and that are still
    there. Whether there was a pending one."""

    def work(connection: apsw.Connection) -> tuple[bool, list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        waiting = None if number is None else queries.fetch(connection, number, memory_id)
        if number is None or waiting is None or waiting.state != "pending":
            return False, [], []
        new = replace(waiting, state="active")
        gone = [key for old in replaced_ids(new) for key in _make_history(connection, number, old, new, now)]
        _, card = entries.put(connection, number, new)
        return True, [card] if card else [], gone

    return work


def superseding(owner: str, memory_id: str, new: Entry, now: int | None) -> Work[bool]:
    """Make an active entry history, with the others that the new one replaces; bar the turns that they were taken from,
    and write the new one."""

    def work(connection: apsw.Connection) -> tuple[bool, list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        gone = [] if number is None else _make_history(connection, number, memory_id, new, now)
        if number is None or not gone:
            return False, [], []
        for other in replaced_ids(new):
            gone += _make_history(connection, number, other, new, now)
        _, card = entries.put(connection, number, new)
        return True, [card] if card else [], gone

    return work


def replaced_ids(entry: Entry) -> list[str]:
    """Whose place an entry takes, as its metadata says: "replaces" (an id) and "also_replaces" (a list of ids)."""
    told = decode_metadata(entry.record.metadata)
    also = told.get("also_replaces")
    ids = [told.get("replaces"), *(also if isinstance(also, list) else [])]
    return [
        memory_id for memory_id in dict.fromkeys(map(_id, ids)) if memory_id and memory_id != entry.memory_id
    ]


def _id(value: object) -> str:
    return value if isinstance(value, str) else ""


def _make_history(
    connection: apsw.Connection, number: int, memory_id: str, new: Entry, now: int | None
) -> list[str]:
    """Make an active entry history; the ids of what may not be recalled any more, empty when there is none such."""
    old = queries.fetch(connection, number, memory_id)
    if old is None or old.state != "active":
        return []
    past = replace(
        old,
        record=replace(old.record, updated=now),
        state="superseded",
        details=replace(old.details, valid_to=new.details.valid_from or now),
        superseded_by=new.memory_id,
    )
    entries.put(connection, number, past)
    return [memory_id, *entries.bar_sources(connection, number, old)]


def restoring(owner: str, memory_id: str, now: int | None) -> Work[str | None]:
    """Make what an active entry superseded active again, and have the entry wait; the older one's id (of several, the
    newest one's). Turns that were barred stay so: another reason may bar them too."""

    def work(connection: apsw.Connection) -> tuple[str | None, list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        new = None if number is None else queries.fetch(connection, number, memory_id)
        newest = None if number is None else queries.replaced_by(connection, number, memory_id)
        if number is None or new is None or new.state != "active" or newest is None:
            return None, [], []
        cards: list[Card] = []
        old: Entry | None = newest
        while old is not None:
            told = details_from(decode_metadata(old.record.metadata))
            again = replace(
                old,
                record=replace(old.record, updated=now),
                state="active",
                details=replace(old.details, valid_to=told.valid_to),
                superseded_by=None,
            )
            _, card = entries.put(connection, number, again)
            cards += [card] if card else []
            old = queries.replaced_by(connection, number, memory_id)
        entries.put(connection, number, replace(new, state="pending"))
        return newest.memory_id, cards, [memory_id]

    return work


def removing(owner: str, choose: Choice) -> Work[list[str]]:
    """Remove the entries whose ids `choose` gives; the ids of those that were there."""

    def work(connection: apsw.Connection) -> tuple[list[str], list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        gone = [] if number is None else entries.remove(connection, number, choose(connection, number))
        return gone, [], gone

    return work
