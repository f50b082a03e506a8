"""Statements on messages. All run inside a transaction, on the store's thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, get_args

import apsw

from assistant.conversation.base import MessageState, StoredMessage
from assistant.conversation.checks import decode_metadata, merge_metadata, no_such_message, not_streaming
from assistant.conversation.sqlite_paths import Place, show_only_up_to
from assistant.core.ids import new_id
from assistant.core.types import Role
from assistant.storage.moments import from_micros, to_micros
from assistant.storage.rows import as_text, row, rows

# Text comes as bytes: one that is damaged must not make its whole conversation unreadable.
_MESSAGE = """
    SELECT
        CAST(m.id AS BLOB), CAST(m.role AS BLOB), CAST(m.content AS BLOB), CAST(m.state AS BLOB), m.depth,
        CAST(p.id AS BLOB), m.created, CAST(m.metadata AS BLOB), m.key, (
        SELECT count(*) FROM message s
        WHERE s.conversation = m.conversation AND s.parent IS m.parent AND s.key <= m.key
    ), (
        SELECT count(*) FROM message s WHERE s.conversation = m.conversation AND s.parent IS m.parent
    )
    FROM message m LEFT JOIN message p ON p.key = m.parent
"""


_ROLES: dict[bytes, Role] = {role.encode(): role for role in get_args(Role)}
_STATES: dict[bytes, MessageState] = {state.encode(): state for state in get_args(MessageState)}


@dataclass(frozen=True, slots=True)
class NewRow:
    """A message to be inserted."""

    role: str
    content: str
    state: MessageState
    metadata: str


def insert(
    db: apsw.Connection,
    conversation: int,
    parent: Place | None,
    message: NewRow,
    now: datetime,
    answers: Place | None = None,
) -> StoredMessage:
    """Put a message behind `parent` (None: at the beginning) and make it the current leaf.

    `answers` is what an assistant's message replies to; its parent unless given.
    """
    show_only_up_to(db, conversation, parent)
    moment = to_micros(now)
    asked = (answers or parent) if message.role == "assistant" else None
    db.execute(
        """
        INSERT INTO message
            (id, conversation, parent, answers, depth, shown, role, content, state, created, metadata)
        VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)
        """,
        (
            new_id(),
            conversation,
            None if parent is None else parent.key,
            None if asked is None else asked.key,
            0 if parent is None else parent.depth + 1,
            message.role,
            message.content,
            message.state,
            moment,
            message.metadata,
        ),
    )
    key = db.last_insert_rowid()
    db.execute("UPDATE conversation SET head = ?, updated = ? WHERE key = ?", (key, moment, conversation))
    if message.state != "streaming":
        index(db, key, message.content)
    return read_message(db, key)


def index(db: apsw.Connection, key: int, content: str) -> None:
    """Make a finished message searchable."""
    # Its word tables are large, and a start that only lists conversations needs none of them.
    from assistant.conversation.search_text import word_line

    db.execute("INSERT INTO message_words (rowid, words) VALUES (?, ?)", (key, word_line(content)))


def read_message(db: apsw.Connection, key: int) -> StoredMessage:
    found = row(db, f"{_MESSAGE} WHERE m.key = ?", (key,))
    if found is None:
        raise no_such_message()
    return message_of(db, found)


def message_of(db: apsw.Connection, values: tuple[Any, ...]) -> StoredMessage:
    message_id, role, content, state, depth, parent, created, metadata, key, variant, variants = values
    text = as_text(content)
    if state == b"streaming":
        text += parts(db, key)
    return StoredMessage(
        as_text(message_id),
        # A damaged role is never the user's or the system's: nobody may take the text for an instruction.
        _ROLES.get(role, "assistant"),
        text,
        _STATES.get(state, "cut"),
        depth,
        None if parent is None else as_text(parent),
        from_micros(created),
        decode_metadata(as_text(metadata)),
        variant,
        variants,
    )


def read_page(db: apsw.Connection, conversation: int, before: int, limit: int) -> tuple[StoredMessage, ...]:
    found = rows(
        db,
        f"{_MESSAGE} WHERE m.conversation = ? AND m.shown = 1 AND m.depth < ? ORDER BY m.depth DESC LIMIT ?",
        (conversation, before, limit),
    )
    return tuple(message_of(db, values) for values in reversed(found))


def read_variants(db: apsw.Connection, message: Place) -> list[StoredMessage]:
    """The messages with the same parent, oldest first."""
    found = rows(
        db,
        f"{_MESSAGE} WHERE m.conversation = ? AND m.parent IS ? ORDER BY m.key",
        (message.conversation, message.parent),
    )
    return [message_of(db, values) for values in found]


def annotate(db: apsw.Connection, key: int, metadata: Mapping[str, Any]) -> StoredMessage:
    """Merge `metadata` over a message's own."""
    (old,) = row(db, "SELECT metadata FROM message WHERE key = ?", (key,)) or ("{}",)
    db.execute("UPDATE message SET metadata = ? WHERE key = ?", (merge_metadata(old, metadata), key))
    return read_message(db, key)


def add_part(db: apsw.Connection, key: int, text: str) -> None:
    """Add text to a streaming reply."""
    db.execute("INSERT INTO reply_part (message, text) VALUES (?, ?)", (key, text))


def parts(db: apsw.Connection, key: int) -> str:
    # Joined here and not in SQL, whose text functions end at a NUL.
    return "".join(
        text for (text,) in rows(db, "SELECT text FROM reply_part WHERE message = ? ORDER BY key", (key,))
    )


def check_streaming(db: apsw.Connection, key: int) -> None:
    if row(db, "SELECT 1 FROM message WHERE key = ? AND state = 'streaming'", (key,)) is None:
        raise not_streaming()


def finish(
    db: apsw.Connection,
    key: int,
    state: MessageState,
    content: str | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> None:
    """Fold the parts of a streaming reply into it and end it."""
    found = row(db, "SELECT content, metadata FROM message WHERE key = ?", (key,))
    if found is None:
        raise no_such_message()
    whole = found[0] + parts(db, key) if content is None else content
    db.execute(
        "UPDATE message SET content = ?, state = ?, metadata = ? WHERE key = ?",
        (whole, state, merge_metadata(found[1], metadata), key),
    )
    db.execute("DELETE FROM reply_part WHERE message = ?", (key,))
    index(db, key, whole)


def finish_interrupted(db: apsw.Connection) -> int:
    """End the replies that were being written when the process ended; returns how many."""
    open_ones = rows(db, "SELECT key FROM message WHERE state = 'streaming'")
    for (key,) in open_ones:
        finish(db, key, "cut")
    return len(open_ones)
