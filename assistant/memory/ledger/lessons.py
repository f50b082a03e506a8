"""The ledger's queue of messages that a model still has to read (see learning.queue.LessonQueue)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import apsw

from assistant.memory.base import MemoryScope
from assistant.memory.learning.base import Utterance
from assistant.memory.learning.queue import HERE, MOST_LESSONS, But, Lesson, shortened, stays
from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.store import LedgerStore
from assistant.memory.rules import label_of, micros_of, moment_of, owner_of
from assistant.storage.rows import row, rows

LONGEST_WAIT = 30 * 24 * 3600
"""Seconds after which a lesson that nobody could read is dropped."""

_SAME = "owner = ? AND label IS ? AND session IS ? AND message IS ? AND said_at = ? AND text = ?"


class LedgerLessons:
    """A LessonQueue in the record: it survives the end of the process.

    Args:
        store: gives the open record, and raises what a closed ledger raises.
        scope: whose lessons are whose; under SHARED a user is a label.
    """

    def __init__(self, store: Callable[[], LedgerStore], scope: MemoryScope) -> None:
        self._store = store
        self._scope = scope
        self._order = asyncio.Lock()

    @property
    def order(self) -> asyncio.Lock:
        return self._order

    async def put(self, utterance: Utterance, *, user_id: str | None, held: bool = False) -> None:
        owner, label = self._home(user_id)
        kept = shortened(utterance)
        values = (label, kept.session_id, kept.message_id, micros_of(kept.said_at), kept.text)

        def work(connection: apsw.Connection) -> None:
            number = entries.ensure_owner(connection, owner)
            if row(connection, f"SELECT 1 FROM lesson WHERE {_SAME}", (number, *values)) is not None:
                connection.execute(
                    f"UPDATE lesson SET held = held AND ?, host = coalesce(?, host) WHERE {_SAME}",
                    (int(held), kept.host, number, *values),
                )
                return
            connection.execute(
                "INSERT INTO lesson(owner, label, session, message, said_at, text, host, held, queued) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, unixepoch())",
                (number, *values, kept.host, int(held)),
            )
            connection.execute(
                "DELETE FROM lesson WHERE number IN (SELECT number FROM lesson WHERE owner = ? AND label IS ? "
                "ORDER BY number DESC LIMIT -1 OFFSET ?)",
                (number, label, MOST_LESSONS),
            )

        await self._store().write(work)

    async def take(self, host: str | None = HERE) -> Lesson | None:
        def work(connection: apsw.Connection) -> tuple[Any, ...] | None:
            connection.execute("DELETE FROM lesson WHERE queued < unixepoch() - ?", (LONGEST_WAIT,))
            found = row(
                connection,
                "SELECT l.number, o.name, l.label, l.text, l.said_at, l.session, l.message, l.host, l.held, "
                "l.attempts + 1 FROM lesson l JOIN owner o ON o.number = l.owner "
                "WHERE l.held OR ? OR l.host = ? ORDER BY l.attempts, l.number LIMIT 1",
                (int(host == HERE), host),
            )
            if found is not None:
                connection.execute("UPDATE lesson SET attempts = attempts + 1 WHERE number = ?", found[:1])
            return found

        found = await self._store().write(work, durable=False)
        if found is None:
            return None
        number, name, label, text, said_at, session, message, sent_to, held, attempts = found
        moment = moment_of(said_at)
        assert moment is not None
        user_id = label if self._scope is MemoryScope.SHARED else name
        return Lesson(
            number, Utterance(text, moment, session, message, sent_to), user_id, attempts, bool(held)
        )

    async def give_back(self, lesson: Lesson) -> None:
        await self._write(
            "UPDATE lesson SET attempts = ? WHERE number = ?", (lesson.attempts - 1, lesson.number)
        )

    async def learned(self, lesson: Lesson) -> bool:
        return await self._write("UPDATE lesson SET held = 0 WHERE number = ?", (lesson.number,)) > 0

    async def drop(self, utterance: Utterance, *, user_id: str | None) -> None:
        owner, label = self._home(user_id)
        kept = shortened(utterance)
        values = (label, kept.session_id, kept.message_id, micros_of(kept.said_at), kept.text)

        def work(connection: apsw.Connection) -> None:
            number = queries.owner_number(connection, owner)
            connection.execute(f"DELETE FROM lesson WHERE {_SAME}", (number, *values))

        await self._store().write(work, durable=False)

    async def finish(self, lesson: Lesson) -> bool:
        # Not durable: a lesson that comes back is learned again, and found to be known.
        return await self._write("DELETE FROM lesson WHERE number = ?", (lesson.number,)) > 0

    async def drop_session(
        self, session_id: str, *, user_id: str | None, message_id: str | None = None
    ) -> int:
        owner, label = self._home(user_id)
        return await self._drop(
            owner,
            "label IS ? AND session = ? AND (? IS NULL OR message = ?)",
            (label, session_id, message_id, message_id),
        )

    async def clear(self, *, user_id: str | None = None, but: But = "nothing") -> int:
        home = None if user_id is None else self._home(user_id)

        def work(connection: apsw.Connection) -> int:
            if home is None:
                found = rows(connection, "SELECT number, text, held FROM lesson")
            else:
                owner = queries.owner_number(connection, home[0])
                found = rows(
                    connection,
                    "SELECT number, text, held FROM lesson WHERE owner = ? AND label IS ?",
                    (owner, home[1]),
                )
            gone = [(number,) for number, text, held in found if not stays(text, bool(held), but)]
            if gone:
                connection.executemany("DELETE FROM lesson WHERE number = ?", gone)
            return len(gone)

        count = await self._store().write(work)
        if count:
            await self._store().erase_traces()
        return count

    async def count(self, *, user_id: str | None = None) -> int:
        if user_id is None:
            return int(
                (
                    await self._store().read(
                        lambda connection: rows(connection, "SELECT count(*) FROM lesson")
                    )
                )[0][0]
            )
        owner, label = self._home(user_id)
        found = await self._store().read_owner(
            owner,
            lambda connection, number: row(
                connection, "SELECT count(*) FROM lesson WHERE owner = ? AND label IS ?", (number, label)
            ),
        )
        return 0 if found is None else int(found[0])

    # ---- inside

    def _home(self, user_id: str | None) -> tuple[str, str | None]:
        """The owner's name and the label of what a user says.

        Raises:
            MemoryIsolationError: PER_USER without a user.
        """
        return owner_of(self._scope, user_id) or "", label_of(self._scope, user_id)

    async def _drop(self, owner: str, condition: str, bindings: tuple[Any, ...]) -> int:
        def work(connection: apsw.Connection) -> int:
            number = queries.owner_number(connection, owner)
            connection.execute(f"DELETE FROM lesson WHERE owner = ? AND {condition}", (number, *bindings))
            return connection.changes()

        count = await self._store().write(work)
        if count:
            await self._store().erase_traces()
        return count

    async def _write(self, sql: str, bindings: tuple[Any, ...]) -> int:
        def work(connection: apsw.Connection) -> int:
            connection.execute(sql, bindings)
            return connection.changes()

        return await self._store().write(work, durable=False)
