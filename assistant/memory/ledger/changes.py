"""What is done to the record in one transaction, ready to be committed (see Engine.commit).

Each gives its result, the cards of memories that may be recalled now, and the ids of those that may not any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

import apsw

from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.entry import Entry
from assistant.memory.recall.shelf import Card

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


def superseding(owner: str, memory_id: str, new: Entry, now: int | None) -> Work[bool]:
    """Make an active entry history, bar the turns that it was taken from, and write the new one."""

    def work(connection: apsw.Connection) -> tuple[bool, list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        old = None if number is None else queries.fetch(connection, number, memory_id)
        if number is None or old is None or old.state != "active":
            return False, [], []
        past = replace(
            old,
            record=replace(old.record, updated=now),
            state="superseded",
            details=replace(old.details, valid_to=new.details.valid_from or now),
            superseded_by=new.memory_id,
        )
        entries.put(connection, number, past)
        barred = entries.bar_sources(connection, number, old)
        _, card = entries.put(connection, number, new)
        return True, [card] if card else [], [memory_id, *barred]

    return work


def removing(owner: str, choose: Choice) -> Work[list[str]]:
    """Remove the entries whose ids `choose` gives; the ids of those that were there."""

    def work(connection: apsw.Connection) -> tuple[list[str], list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        gone = [] if number is None else entries.remove(connection, number, choose(connection, number))
        return gone, [], gone

    return work
