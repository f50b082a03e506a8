"""Which path of a conversation is the current one. All run inside a transaction, on the store's thread."""

from __future__ import annotations

from dataclasses import dataclass

import apsw

from assistant.conversation.checks import no_such_message
from assistant.storage.rows import row, rows


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


def parent_of(db: apsw.Connection, message: Place) -> Place | None:
    return None if message.parent is None else place_at(db, message.parent)


def reply_parent(db: apsw.Connection, asked: Place, leaf: Place | None) -> Place | None:
    """Behind which message a reply to `asked` goes: beside its earlier reply, or behind it, or at the end.

    At the end when another turn has written behind the question meanwhile: a reply in between would start a
    branch and hide what that turn wrote.
    """
    sql = "SELECT parent FROM message WHERE answers = ? ORDER BY key DESC LIMIT 1"
    if (earlier := row(db, sql, (asked.key,))) is not None:
        return None if earlier[0] is None else place_at(db, earlier[0])
    return leaf if asked.shown else asked


def show_only_up_to(db: apsw.Connection, conversation: int, last: Place | None) -> None:
    """End the current path at `last` (None: before its first message), whichever path that is on."""
    if last is None or last.shown:
        _leave(db, conversation, -1 if last is None else last.depth)
        return
    chain = rows(
        db,
        """
        WITH RECURSIVE up (key, parent, depth, shown) AS (
            SELECT key, parent, depth, shown FROM message WHERE key = ?
            UNION ALL
            SELECT m.key, m.parent, m.depth, m.shown FROM message m JOIN up ON m.key = up.parent WHERE up.shown = 0
        )
        SELECT key, depth, shown FROM up
        """,
        (last.key,),
    )
    _, depth, shown = chain[-1]
    _leave(db, conversation, depth if shown else -1)
    _show(db, [key for key, _, shown in chain if not shown])


def choose(db: apsw.Connection, chosen: Place) -> None:
    """Make the path through a message current, down to the leaf that was current behind it last."""
    if chosen.shown:
        return
    show_only_up_to(db, chosen.conversation, chosen)
    below = rows(
        db,
        """
        WITH RECURSIVE down (key, follow) AS (
            SELECT key, follow FROM message WHERE key = ?1
            UNION ALL
            SELECT m.key, m.follow FROM down JOIN message m ON m.key = coalesce(
                down.follow, (SELECT max(key) FROM message WHERE conversation = ?2 AND parent = down.key)
            )
        )
        SELECT key FROM down
        """,
        (chosen.key, chosen.conversation),
    )
    keys = [key for (key,) in below]
    _show(db, keys[1:])
    db.execute("UPDATE conversation SET head = ? WHERE key = ?", (keys[-1], chosen.conversation))


def _leave(db: apsw.Connection, conversation: int, depth: int) -> None:
    """Take what is behind `depth` off the current path, and note the way that it went."""
    behind = "SELECT 1 FROM message WHERE conversation = ? AND shown = 1 AND depth > ? LIMIT 1"
    if row(db, behind, (conversation, depth)) is None:
        return
    db.execute(
        """
        UPDATE message SET follow = path.next, shown = message.depth <= ?2 FROM (
            SELECT key, lead(key) OVER (ORDER BY depth) AS next
            FROM message WHERE conversation = ?1 AND shown = 1 AND depth >= ?2
        ) AS path WHERE message.key = path.key
        """,
        (conversation, depth),
    )


def _show(db: apsw.Connection, keys: list[int]) -> None:
    db.executemany("UPDATE message SET shown = 1 WHERE key = ?", [(key,) for key in keys])
