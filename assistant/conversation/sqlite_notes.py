"""What replies keep about memories and summaries, changed in all conversations of an owner at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import apsw

from assistant.conversation.checks import decode_metadata, encode_metadata
from assistant.storage.rows import rows

Rewrite = Callable[[str, Mapping[str, Any]], Mapping[str, Any] | None]
"""Gets a conversation's id and a message's metadata; gives other metadata, None to leave them."""


def rewrite_notes(db: apsw.Connection, owner: str, keys: tuple[str, ...], rewrite: Rewrite) -> int:
    """Rewrite the metadata of the messages of an owner that have one of `keys`, on every path; how many changed."""
    holds = " OR ".join("instr(m.metadata, ?) > 0" for _ in keys)
    sql = (
        "SELECT m.key, c.id, m.metadata FROM message m JOIN conversation c ON c.key = m.conversation "
        f"WHERE c.owner = ? AND ({holds})"
    )
    changed = 0
    for key, session_id, encoded in rows(db, sql, (owner, *(f'"{name}"' for name in keys))):
        new = rewrite(session_id, decode_metadata(encoded))
        if new is not None:
            db.execute("UPDATE message SET metadata = ? WHERE key = ?", (encode_metadata(new), key))
            changed += 1
    return changed
