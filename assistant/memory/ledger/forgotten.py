"""What was forgotten and must not be learned again: keyed digests of what it said, never its text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import apsw

from assistant.core.text import check_text
from assistant.memory.consolidation.marks import Marks, marks_of
from assistant.memory.ledger import entries, hiding, queries, sources
from assistant.memory.ledger.changes import Work
from assistant.memory.ledger.entry import source_message, source_session, turn_message
from assistant.memory.ledger.hiding import Hidden
from assistant.memory.ledger.views import LedgerViews
from assistant.memory.recall.shelf import Card
from assistant.storage.rows import row


@dataclass(frozen=True, slots=True)
class Traced:
    """Where memories that are to be forgotten have left their text.

    Attributes:
        ids: of the memories, with those whose place they took.
        texts: what they said, and the words that they were taken from.
        barred: ids of the turns that say the same.
        messages: (conversation, message) that they were taken from or that say the same; a message may be unknown.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    barred: tuple[str, ...]
    messages: tuple[tuple[str, str | None], ...]


class ForgettingLedger(LedgerViews):
    """The part of a MemoryLedger that forgets for good."""

    async def forget(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> int:
        """Remove memories, whatever their state, hidden ones too, with all their versions and with those whose place
        they took; bar the turns that say the same, in whatever conversation; and note that they must not be learned
        again.

        Returns:
            How many of `memory_ids` there were.
        """
        owner = self._owner(user_id)
        ids = [check_text(memory_id) for memory_id in memory_ids]
        return await self._open_engine().commit(owner, forgetting(owner, ids))

    async def hide(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> list[Hidden]:
        """Put memories out of sight with all that `forget` would remove, so that nothing finds or lists them: until
        they are brought back or forgotten, also by a later process.

        Returns:
            What went out of sight; ids that do not exist, or are hidden, are left out.
        """
        owner = self._owner(user_id)
        ids = [check_text(memory_id) for memory_id in memory_ids]
        return await self._open_engine().commit(owner, hiding.hiding(owner, ids))

    async def bring_back(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> list[str]:
        """Undo `hide`: all is as it was. The ids of those that were hidden."""
        owner = self._owner(user_id)
        ids = [check_text(memory_id) for memory_id in memory_ids]
        engine = self._open_engine()
        back = await engine.commit(owner, hiding.bringing_back(owner, ids))
        await engine.settled(owner, back)
        return back

    async def hidden(self, *, user_id: str | None = None) -> list[str]:
        """The ids of the memories that were hidden."""
        found = await self._open_engine().store.read_owner(self._owner(user_id), hiding.hidden)
        return [each.memory_id for each in found or []]

    async def traced(self, memory_ids: Sequence[str], *, user_id: str | None = None) -> Traced:
        """Where those of `memory_ids` that are hidden have left their text."""
        wanted = {check_text(memory_id) for memory_id in memory_ids}
        found = await self._open_engine().store.read_owner(
            self._owner(user_id), lambda connection, number: _traced(connection, number, wanted)
        )
        return found or Traced((), (), (), ())

    async def erase_traces(self) -> None:
        """Empty the record's journal, which holds pages from before a deletion."""
        await self._open_engine().store.erase_traces()

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
    """Remove the entries of those ids and what they superseded, bar the turns that say the same, and note what they
    said; how many of `ids` there were."""

    def work(connection: apsw.Connection) -> tuple[int, list[Card], list[str]]:
        number = queries.owner_number(connection, owner)
        if number is None:
            return 0, [], []
        back = hiding.restored(connection, number, ids)
        gone = [key for each in back for key in each.barred]
        # What was written anew under the id of a hidden one is not what was deleted.
        anew = {each.memory_id for each in back if each.memory_id not in each.ids}
        named = queries.by_ids(connection, number, [key for key in ids if key not in anew])
        chosen = hiding.with_ancestors(connection, number, named)
        wanted = sources.of_entries(connection, number, chosen.values())
        gone += sources.bar_turns(connection, number, list(chosen.values()), wanted)
        waited = {key for each in back for key in each.ids}
        old, new = (
            sources.of_entries(
                connection, number, [e for e in chosen.values() if (e.memory_id in waited) is was]
            )
            for was in (True, False)
        )
        note(connection, number, owner, new.marks | _still_held(connection, number, owner, old.marks))
        gone += entries.remove(connection, number, list(chosen))
        hiding.note_marks(connection, number, owner)
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
        [(number, digest) for digest in entries.digests(connection, owner, marks)],
    )


def is_noted(connection: apsw.Connection, number: int, owner: str, marks: Marks) -> bool:
    """Whether what has those marks was forgotten: one of its facts, or all the rest of it."""

    def noted(part: Iterable[str]) -> list[bool]:
        sql = "SELECT 1 FROM forgotten WHERE owner IN (?, ?) AND mark = ?"
        return [
            row(connection, sql, (number, -number, digest)) is not None
            for digest in entries.digests(connection, owner, part)
        ]

    return any(noted(marks.facts)) or (bool(marks.words) and all(noted(marks.words)))


def _still_held(connection: apsw.Connection, number: int, owner: str, marks: Iterable[str]) -> set[str]:
    """Those marks of hidden memories that were not lifted since: what was said anew meanwhile is wanted."""
    sql = "SELECT 1 FROM forgotten WHERE owner = ? AND mark = ?"
    held = zip(sorted(marks), entries.digests(connection, owner, marks), strict=True)
    return {mark for mark, digest in held if row(connection, sql, (-number, digest)) is not None}


def lift(connection: apsw.Connection, number: int, owner: str, marks: Iterable[str]) -> None:
    """Note that what has those marks may be learned again."""
    connection.executemany(
        "DELETE FROM forgotten WHERE owner IN (?, ?) AND mark = ?",
        [(number, -number, digest) for digest in entries.digests(connection, owner, marks)],
    )


def _traced(connection: apsw.Connection, number: int, wanted: set[str]) -> Traced:
    chosen = [each for each in hiding.hidden(connection, number) if each.memory_id in wanted]
    ids = list(dict.fromkeys(key for each in chosen for key in each.ids))
    barred = list(dict.fromkeys(key for each in chosen for key in each.barred))
    told = queries.by_ids(connection, -number, ids).values()
    messages = [(session, source_message(entry)) for entry in told if (session := source_session(entry))]
    messages += [
        (turn.details.session, turn_message(turn))
        for turn in queries.by_ids(connection, number, barred).values()
        if turn.details.session
    ]
    texts = sources.of_entries(connection, -number, told).texts
    return Traced(tuple(ids), texts, tuple(barred), tuple(dict.fromkeys(messages)))
