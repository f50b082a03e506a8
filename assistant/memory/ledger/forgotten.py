"""What was forgotten and must not be learned again: keyed digests of what it said, never its text."""

from __future__ import annotations

import hmac
from collections.abc import Iterable, Sequence

import apsw

from assistant.core.text import check_text
from assistant.memory.consolidation.marks import Marks, marks_of
from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.changes import Work
from assistant.memory.ledger.entry import Entry
from assistant.memory.ledger.views import LedgerViews
from assistant.memory.recall.shelf import Card
from assistant.storage.rows import row, rows

_MARK_BYTES = 16


class ForgettingLedger(LedgerViews):
    """The part of a MemoryLedger that forgets for good."""

    async def forget(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> int:
        """Remove memories, whatever their state, with all their versions and with those whose place they took; bar the
        turns that they were taken from; and note that they must not be learned again.

        Returns:
            How many of `memory_ids` there were.
        """
        owner = self._owner(user_id)
        ids = [check_text(memory_id) for memory_id in memory_ids]
        return await self._open_engine().commit(owner, forgetting(owner, ids))

    async def was_forgotten(self, statement: str, *, user_id: str | None = None) -> bool:
        """Whether a statement, or one that says the same in other words, was forgotten."""
        owner = self._owner(user_id)
        marks = marks_of(check_text(statement))
        found = await self._open_engine().store.read_owner(
            owner, lambda connection, number: is_noted(connection, number, owner, marks)
        )
        return bool(found)

    async def may_return(self, statement: str, *, user_id: str | None = None) -> None:
        """Let what a statement says be learned again."""
        owner = self._owner(user_id)
        marks = marks_of(check_text(statement))
        await self._open_engine().store.write_owner(
            owner, lambda connection, number: lift(connection, number, owner, marks.all)
        )


def forgetting(owner: str, ids: Sequence[str]) -> Work[int]:
    """Remove the entries of those ids and what they superseded, bar their sources, and note what they said; how many
    of `ids` there were."""

    def work(connection: apsw.Connection) -> tuple[int, list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        if number is None:
            return 0, [], []
        named = queries.by_ids(connection, number, ids)
        chosen = _with_ancestors(connection, number, named)
        marks: set[str] = set()
        gone: list[str] = []
        for entry in chosen.values():
            marks |= marks_of(entry.record.content).all
            for _, content, *_ in queries.versions(connection, number, entry.memory_id):
                marks |= marks_of(content).all
            gone += entries.bar_sources(connection, number, entry)
        note(connection, number, owner, marks)
        gone += entries.remove(connection, number, list(chosen))
        return len(named), [], gone

    return work


def note(connection: apsw.Connection, number: int, owner: str, marks: Iterable[str]) -> None:
    """Note that what has those marks was forgotten.

    Args:
        number, owner: the owner's number and name.
        marks: see consolidation.marks.
    """
    connection.executemany(
        "INSERT OR IGNORE INTO forgotten(owner, mark) VALUES (?, ?)",
        [(number, digest) for digest in _digests(connection, owner, marks)],
    )


def is_noted(connection: apsw.Connection, number: int, owner: str, marks: Marks) -> bool:
    """Whether what has those marks was forgotten: one of its facts, or all the rest of it."""

    def noted(part: Iterable[str]) -> list[bool]:
        sql = "SELECT 1 FROM forgotten WHERE owner = ? AND mark = ?"
        return [
            row(connection, sql, (number, digest)) is not None for digest in _digests(connection, owner, part)
        ]

    return any(noted(marks.facts)) or (bool(marks.words) and all(noted(marks.words)))


def lift(connection: apsw.Connection, number: int, owner: str, marks: Iterable[str]) -> None:
    """Note that what has those marks may be learned again."""
    connection.executemany(
        "DELETE FROM forgotten WHERE owner = ? AND mark = ?",
        [(number, digest) for digest in _digests(connection, owner, marks)],
    )


def _with_ancestors(connection: apsw.Connection, number: int, named: dict[str, Entry]) -> dict[str, Entry]:
    chosen = dict(named)
    open_ids = list(named)
    while open_ids:
        sql = "SELECT id FROM memory WHERE owner = ? AND superseded_by = ?"
        found = [key for (key,) in rows(connection, sql, (number, open_ids.pop())) if key not in chosen]
        chosen |= queries.by_ids(connection, number, found)
        open_ids += found
    return chosen


def _digests(connection: apsw.Connection, owner: str, marks: Iterable[str]) -> list[bytes]:
    key = entries.mark_key(connection)
    return [
        hmac.digest(key, f"said {len(owner)}:{owner}{mark}".encode(), "sha256")[:_MARK_BYTES]
        for mark in sorted(marks)
    ]
