"""Statements on conversations and drafts. All run inside a transaction, on the store's thread."""

from __future__ import annotations

from typing import Any

import apsw

from assistant.conversation.base import Conversation
from assistant.conversation.checks import id_taken, no_such_conversation
from assistant.storage.moments import from_micros, to_micros
from assistant.storage.rows import as_text, row, rows

GONE = ""
"""The owner of a conversation that is deleted and not yet removed from the file: nobody can be that."""

# Text comes as bytes: one that is damaged must not make the whole list unreadable.
_CONVERSATION = """
    SELECT
        CAST(c.id AS BLOB), CAST(c.title AS BLOB), c.pinned, coalesce(h.depth + 1, 0),
        c.created, c.updated, c.archived
    FROM conversation c LEFT JOIN message h ON h.key = c.head
"""


def find_conversation(db: apsw.Connection, owner: str, session_id: str) -> Conversation | None:
    found = row(db, f"{_CONVERSATION} WHERE c.owner = ? AND c.id = ?", (owner, session_id))
    return None if found is None else _conversation_of(found)


def conversation_at(db: apsw.Connection, key: int) -> Conversation:
    found = row(db, f"{_CONVERSATION} WHERE c.key = ?", (key,))
    if found is None:
        raise no_such_conversation()
    return _conversation_of(found)


def list_conversations(
    db: apsw.Connection, owner: str, offset: int, limit: int, archived: bool | None
) -> list[Conversation]:
    which = "" if archived is None else f"AND c.archived = {int(archived)}"
    found = rows(
        db,
        f"{_CONVERSATION} WHERE c.owner = ? {which} "
        "ORDER BY c.pinned DESC, c.updated DESC, c.key DESC LIMIT ? OFFSET ?",
        (owner, limit, offset),
    )
    return [_conversation_of(values) for values in found]


def session(db: apsw.Connection, owner: str, session_id: str) -> tuple[int, int | None]:
    """Key and head of a conversation. Raises NoSuchConversationError."""
    found = row(db, "SELECT key, head FROM conversation WHERE owner = ? AND id = ?", (owner, session_id))
    if found is None:
        raise no_such_conversation()
    return found[0], found[1]


def add_conversation(db: apsw.Connection, owner: str, new: Conversation) -> int:
    """Insert an empty conversation; returns its key. Raises InvalidInputError when its id is taken."""
    if row(db, "SELECT 1 FROM conversation WHERE owner = ? AND id = ?", (owner, new.session_id)) is not None:
        raise id_taken()
    db.execute(
        """
        INSERT INTO conversation (owner, id, title, pinned, archived, created, updated)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        (
            owner,
            new.session_id,
            new.title,
            int(new.pinned),
            int(new.archived),
            to_micros(new.created_at),
            to_micros(new.updated_at),
        ),
    )
    key = db.last_insert_rowid()
    _index_title(db, key, new.title)
    return key


def set_title(db: apsw.Connection, key: int, title: str) -> None:
    db.execute("UPDATE conversation SET title = ? WHERE key = ?", (title, key))
    _index_title(db, key, title)


def set_flag(db: apsw.Connection, key: int, column: str, value: bool) -> None:
    """Set "pinned" or "archived"."""
    db.execute(f"UPDATE conversation SET {column} = ? WHERE key = ?", (int(value), key))


def touch(db: apsw.Connection, key: int, moment: int) -> None:
    """Note that a conversation changed; `moment` in microseconds."""
    db.execute("UPDATE conversation SET updated = ? WHERE key = ?", (moment, key))


def set_draft(db: apsw.Connection, owner: str, session_id: str, text: str) -> None:
    db.execute("DELETE FROM draft WHERE owner = ? AND session = ?", (owner, session_id))
    if text:
        db.execute("INSERT INTO draft VALUES (?, ?, ?)", (owner, session_id, text))


def find_draft(db: apsw.Connection, owner: str, session_id: str) -> str:
    found = row(db, "SELECT text FROM draft WHERE owner = ? AND session = ?", (owner, session_id))
    return "" if found is None else str(found[0])


def owners(db: apsw.Connection) -> list[str]:
    found = rows(db, "SELECT DISTINCT owner FROM conversation WHERE owner <> ?", (GONE,))
    return [owner for (owner,) in found]


def _index_title(db: apsw.Connection, key: int, title: str) -> None:
    # Its word tables are large, and a start that only lists conversations needs none of them.
    from assistant.conversation.search_text import word_line

    db.execute("DELETE FROM title_words WHERE rowid = ?", (key,))
    if title:
        db.execute("INSERT INTO title_words (rowid, words) VALUES (?, ?)", (key, word_line(title)))


def _conversation_of(values: tuple[Any, ...]) -> Conversation:
    session_id, title, pinned, count, created, updated, archived = values
    return Conversation(
        as_text(session_id),
        as_text(title),
        bool(pinned),
        count,
        from_micros(created),
        from_micros(updated),
        bool(archived),
    )
