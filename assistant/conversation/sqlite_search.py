"""Search in the conversation store."""

from __future__ import annotations

from typing import Any

import apsw

from assistant.conversation.base import MessageHit
from assistant.conversation.search_text import SearchQuery
from assistant.storage.moments import from_micros
from assistant.storage.rows import row, rows

_HIT = "c.id, m.id, c.title, m.content, m.depth, m.created"


def search(db: apsw.Connection, owner: str, query: SearchQuery, limit: int) -> list[MessageHit]:
    """Hits in messages of current paths and in titles, newest first."""
    found = _by_words(db, owner, query, limit) if query.pieces else _by_signs(db, owner, query, limit)
    hits = [
        MessageHit(session, message, title, query.snippet(content), depth, from_micros(created))
        for session, message, title, content, depth, created in found
    ]
    hits += _in_titles(db, owner, query)
    hits.sort(key=lambda hit: hit.created_at, reverse=True)
    return hits[:limit]


def _by_words(db: apsw.Connection, owner: str, query: SearchQuery, limit: int) -> list[tuple[Any, ...]]:
    sql = f"""
        SELECT {_HIT} FROM message_words w
        JOIN message m ON m.key = w.rowid JOIN conversation c ON c.key = m.conversation
        WHERE message_words MATCH ? AND c.owner = ? AND m.shown = 1
        ORDER BY m.created DESC, m.key DESC LIMIT ?
    """
    return rows(db, sql, (query.match_expression, owner, limit))


def _by_signs(db: apsw.Connection, owner: str, query: SearchQuery, limit: int) -> list[tuple[Any, ...]]:
    # The index knows words only; emoji and other signs are looked for in the texts themselves.
    sql = f"""
        SELECT {_HIT} FROM conversation c JOIN message m ON m.conversation = c.key
        WHERE c.owner = ? AND m.shown = 1 AND m.state <> 'streaming' AND instr(m.content, ?) > 0
        ORDER BY m.created DESC, m.key DESC LIMIT ?
    """
    return rows(db, sql, (owner, query.text, limit))


def _in_titles(db: apsw.Connection, owner: str, query: SearchQuery) -> list[MessageHit]:
    hits = []
    titles = rows(
        db, "SELECT key, id, title, updated FROM conversation WHERE owner = ? AND title <> ''", (owner,)
    )
    for key, session, title, updated in titles:
        if query.matches(title):
            first = row(
                db, "SELECT id FROM message WHERE conversation = ? AND shown = 1 AND depth = 0", (key,)
            )
            message = "" if first is None else first[0]
            hits.append(MessageHit(session, message, title, query.snippet(title), 0, from_micros(updated)))
    return hits
