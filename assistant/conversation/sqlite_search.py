"""Search in the conversation store.

The keys of messages ascend with time, and the word index gives them in either order, so the newest hits come first
without a look at all of them. What a frequent word, or the first letter of many, would cost in the index is saved by
reading the newest messages as they are first: they hold enough hits for it.
"""

from __future__ import annotations

from typing import Any

import apsw

from assistant.conversation.base import MessageHit
from assistant.conversation.search_text import SearchQuery
from assistant.storage.database import Database
from assistant.storage.moments import from_micros
from assistant.storage.rows import as_text, row, rows

_NEWEST = 3_000
_STRETCH = 20_000
# Text comes as bytes: one that is damaged must not end the search.
_HIT = "{}, {}, {}, {}, m.depth, m.created, m.shown".format(
    *(f"CAST({column} AS BLOB)" for column in ("c.id", "m.id", "c.title", "m.content"))
)
_OF_OWNER = "CROSS JOIN conversation c ON c.key = m.conversation AND c.owner = ?"
_FIRST_MESSAGE = "SELECT CAST(id AS BLOB) FROM message WHERE conversation = ? AND shown = 1 AND depth = 0"


async def search(database: Database, owner: str, query: SearchQuery, limit: int) -> list[MessageHit]:
    """Hits in messages of all paths and in titles, newest first."""
    if query.pieces:
        hits = await database.read(lambda db: _by_words(db, owner, query, limit))
    else:
        hits = await _by_signs(database, owner, query, limit)
    hits += await database.read(lambda db: _in_titles(db, owner, query, limit))
    hits.sort(key=lambda hit: hit.created_at, reverse=True)
    return hits[:limit]


def _by_words(db: apsw.Connection, owner: str, query: SearchQuery, limit: int) -> list[MessageHit]:
    border = _newest_key(db) - _NEWEST
    lines = " AND ".join("instr(w.c0, ?) > 0" for _ in query.pieces)
    found = rows(
        db,
        f"""
        SELECT {_HIT} FROM message_words_content w CROSS JOIN message m ON m.key = w.id {_OF_OWNER}
        WHERE w.id > ? AND {lines} ORDER BY w.id DESC LIMIT ?
        """,
        (owner, border, *(f" {piece}" for piece in query.pieces), limit),
    )
    if len(found) < limit:
        found += rows(
            db,
            f"""
            SELECT {_HIT} FROM message_words w CROSS JOIN message m ON m.key = w.rowid {_OF_OWNER}
            WHERE message_words MATCH ? AND w.rowid <= ? ORDER BY w.rowid DESC LIMIT ?
            """,
            (owner, query.match_expression, border, limit - len(found)),
        )
    return [_hit(values, query) for values in found]


async def _by_signs(database: Database, owner: str, query: SearchQuery, limit: int) -> list[MessageHit]:
    """The index knows words only; emoji and other signs are looked for in the texts, stretch by stretch so that
    other calls come in between."""
    sql = f"""
        SELECT {_HIT} FROM message m {_OF_OWNER}
        WHERE m.key <= ? AND m.key > ? AND m.state <> 'streaming' AND instr(m.content, ?) > 0
        ORDER BY m.key DESC LIMIT ?
    """
    found: list[tuple[Any, ...]] = []
    top = await database.read(_newest_key)
    while top > 0 and len(found) < limit:
        bindings = (owner, top, top - _STRETCH, query.text, limit - len(found))
        found += await database.read(lambda db, bindings=bindings: rows(db, sql, bindings))  # type: ignore[misc]
        top -= _STRETCH
    return [_hit(values, query) for values in found]


def _in_titles(db: apsw.Connection, owner: str, query: SearchQuery, limit: int) -> list[MessageHit]:
    source, test, wanted = "conversation c", "instr(c.title, ?) > 0", query.text
    if query.pieces:
        source = "title_words w CROSS JOIN conversation c ON c.key = w.rowid"
        test, wanted = "title_words MATCH ?", query.match_expression
    found = rows(
        db,
        f"""
        SELECT c.key, CAST(c.id AS BLOB), CAST(c.title AS BLOB), c.updated FROM {source}
        WHERE {test} AND c.owner = ? ORDER BY c.updated DESC LIMIT ?
        """,
        (wanted, owner, limit),
    )
    hits = []
    for key, session, title, updated in found:
        (message,) = row(db, _FIRST_MESSAGE, (key,)) or (b"",)
        shown = as_text(title)
        hits.append(
            MessageHit(
                as_text(session), as_text(message), shown, query.snippet(shown), 0, from_micros(updated)
            )
        )
    return hits


def _newest_key(db: apsw.Connection) -> int:
    (newest,) = row(db, "SELECT max(key) FROM message") or (None,)
    return newest or 0


def _hit(values: tuple[Any, ...], query: SearchQuery) -> MessageHit:
    session, message, title, content = map(as_text, values[:4])
    depth, created, shown = values[4:]
    return MessageHit(
        session, message, title, query.snippet(content), depth, from_micros(created), bool(shown)
    )
