"""Statements of the conversation store. All run inside a transaction, on the store's thread."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import apsw

from assistant.conversation.base import Conversation, MessageState, StoredMessage
from assistant.conversation.checks import (
    decode_metadata,
    merge_metadata,
    no_such_conversation,
    no_such_message,
    not_streaming,
)
from assistant.core.ids import new_id
from assistant.storage.moments import from_micros, to_micros
from assistant.storage.rows import row, rows

_CONVERSATION = """
    SELECT c.id, c.title, c.pinned, coalesce(h.depth + 1, 0), c.created, c.updated
    FROM conversation c LEFT JOIN message h ON h.key = c.head
"""
_MESSAGE = """
    SELECT m.id, m.role, m.content, m.state, m.depth, p.id, m.created, m.metadata, m.key
    FROM message m LEFT JOIN message p ON p.key = m.parent
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a message stands.

    Attributes:
        key, depth, shown, parent: its row.
        conversation: the key of its conversation.
    """

    key: int
    depth: int
    shown: bool
    parent: int | None
    conversation: int


@dataclass(frozen=True, slots=True)
class NewRow:
    """A message to be inserted."""

    role: str
    content: str
    state: MessageState
    metadata: str


def conversation_of(values: tuple[Any, ...]) -> Conversation:
    session_id, title, pinned, count, created, updated = values
    return Conversation(session_id, title, bool(pinned), count, from_micros(created), from_micros(updated))


def find_conversation(db: apsw.Connection, owner: str, session_id: str) -> Conversation | None:
    found = row(db, f"{_CONVERSATION} WHERE c.owner = ? AND c.id = ?", (owner, session_id))
    return None if found is None else conversation_of(found)


def list_conversations(db: apsw.Connection, owner: str, offset: int, limit: int) -> list[Conversation]:
    found = rows(
        db,
        f"{_CONVERSATION} WHERE c.owner = ? ORDER BY c.pinned DESC, c.updated DESC, c.key DESC LIMIT ? OFFSET ?",
        (owner, limit, offset),
    )
    return [conversation_of(values) for values in found]


def session(db: apsw.Connection, owner: str, session_id: str) -> tuple[int, int | None]:
    """Key and head of a conversation. Raises NoSuchConversationError."""
    found = row(db, "SELECT key, head FROM conversation WHERE owner = ? AND id = ?", (owner, session_id))
    if found is None:
        raise no_such_conversation()
    return found[0], found[1]


def place(db: apsw.Connection, owner: str, message_id: str, conversation: int | None = None) -> Place:
    """Where one of the owner's messages is. Raises NoSuchConversationError."""
    found = row(
        db,
        """
        SELECT m.key, m.depth, m.shown, m.parent, m.conversation
        FROM message m JOIN conversation c ON c.key = m.conversation
        WHERE m.id = ?1 AND c.owner = ?2 AND (?3 IS NULL OR c.key = ?3)
        """,
        (message_id, owner, conversation),
    )
    if found is None:
        raise no_such_message()
    return Place(found[0], found[1], bool(found[2]), found[3], found[4])


def place_at(db: apsw.Connection, key: int) -> Place:
    found = row(db, "SELECT key, depth, shown, parent, conversation FROM message WHERE key = ?", (key,))
    if found is None:
        raise no_such_message()
    return Place(found[0], found[1], bool(found[2]), found[3], found[4])


def reply_parent(db: apsw.Connection, asked: Place, leaf: Place | None) -> Place | None:
    """Behind which message a reply to `asked` goes: beside its earlier reply, or behind it, or at the end.

    At the end when another turn has written behind the question meanwhile: a reply in between would start a
    branch and hide what that turn wrote.
    """
    sql = "SELECT parent FROM message WHERE answers = ? ORDER BY key DESC LIMIT 1"
    if (earlier := row(db, sql, (asked.key,))) is not None:
        return None if earlier[0] is None else place_at(db, earlier[0])
    return leaf if asked.shown else asked


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
    _show_only_up_to(db, conversation, parent)
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


def _show_only_up_to(db: apsw.Connection, conversation: int, last: Place | None) -> None:
    if last is not None and not last.shown:
        db.execute("UPDATE message SET shown = 0 WHERE conversation = ? AND shown = 1", (conversation,))
        db.execute(
            """
            WITH RECURSIVE up (key, parent) AS (
                SELECT key, parent FROM message WHERE key = ?
                UNION ALL
                SELECT m.key, m.parent FROM message m JOIN up ON m.key = up.parent
            )
            UPDATE message SET shown = 1 WHERE key IN (SELECT key FROM up)
            """,
            (last.key,),
        )
        return
    db.execute(
        "UPDATE message SET shown = 0 WHERE conversation = ? AND shown = 1 AND depth > ?",
        (conversation, -1 if last is None else last.depth),
    )


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
    message_id, role, content, state, depth, parent, created, metadata, key = values
    if state == "streaming":
        content += parts(db, key)
    return StoredMessage(
        message_id, role, content, state, depth, parent, from_micros(created), decode_metadata(metadata)
    )


def read_page(db: apsw.Connection, conversation: int, before: int, limit: int) -> tuple[StoredMessage, ...]:
    found = rows(
        db,
        f"{_MESSAGE} WHERE m.conversation = ? AND m.shown = 1 AND m.depth < ? ORDER BY m.depth DESC LIMIT ?",
        (conversation, before, limit),
    )
    return tuple(message_of(db, values) for values in reversed(found))


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


def remove_conversation(db: apsw.Connection, key: int) -> None:
    """Remove messages, parts and words of a conversation, and itself."""
    messages = "(SELECT key FROM message WHERE conversation = ?)"
    db.execute(f"DELETE FROM message_words WHERE rowid IN {messages}", (key,))
    db.execute(f"DELETE FROM reply_part WHERE message IN {messages}", (key,))
    db.execute("DELETE FROM message WHERE conversation = ?", (key,))
    db.execute(
        "DELETE FROM draft WHERE (owner, session) = (SELECT owner, id FROM conversation WHERE key = ?)",
        (key,),
    )
    db.execute("DELETE FROM conversation WHERE key = ?", (key,))
