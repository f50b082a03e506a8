"""What the record keeps of conversations: which of their messages it has."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import apsw

from assistant.core.text import check_text
from assistant.memory.base import TURN, MemoryScope
from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.changes import removing
from assistant.memory.ledger.engine import Engine
from assistant.memory.rules import owner_of
from assistant.storage.rows import rows

_CHUNK = 500


class LedgerSaid:
    """The turns in a ledger.

    Args:
        engine: the open engine.
        scope: of the ledger.
    """

    def __init__(self, engine: Callable[[], Engine], scope: MemoryScope) -> None:
        self._engine = engine
        self._scope = scope

    async def counts(self, *, user_id: str | None = None) -> dict[str, int]:
        """How many messages of each conversation have memories of kind "turn", by the conversation's id. A memory
        whose metadata names no message counts as one."""

        def read(connection: apsw.Connection, number: int) -> dict[str, int]:
            sql = (
                "SELECT session, count(DISTINCT coalesce(json_extract(metadata, '$.message_id'), id)) FROM memory "
                "WHERE owner = ? AND session IS NOT NULL AND kind = ? GROUP BY session"
            )
            return dict(rows(connection, sql, (number, TURN)))

        owner = owner_of(self._scope, user_id) or ""
        return await self._engine().store.read_owner(owner, read) or {}

    async def unknown(self, ids: Sequence[str], *, user_id: str | None = None) -> list[str]:
        """Those of `ids` that are not in the record, in whatever state, and were never removed from it."""
        owner = owner_of(self._scope, user_id) or ""
        wanted = [check_text(memory_id) for memory_id in ids]

        def read(connection: apsw.Connection) -> list[str]:
            number = queries.owner_number(connection, owner)
            known: set[str] = set()
            for start in range(0, len(wanted) if number is not None else 0, _CHUNK):
                known |= queries.known_ids(connection, number or 0, wanted[start : start + _CHUNK])
            return [
                memory_id
                for memory_id in wanted
                if memory_id not in known and not entries.is_gone(connection, owner, memory_id)
            ]

        return await self._engine().store.read(read)

    async def remove(self, session_id: str, *, user_id: str | None = None) -> int:
        """Remove the turns of a conversation, which was deleted; how many there were. Facts from it stay."""
        owner = owner_of(self._scope, user_id) or ""
        check_text(session_id)

        def turns(connection: apsw.Connection, number: int) -> Sequence[str]:
            return [turn.memory_id for turn in queries.turns_of(connection, number, session_id)]

        return len(await self._engine().commit(owner, removing(owner, turns)))
