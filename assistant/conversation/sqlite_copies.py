"""Takes a whole conversation in. Runs inside a transaction, on the store's thread."""

from __future__ import annotations

import apsw

from assistant.conversation.base import Conversation
from assistant.conversation.copies import CopiedConversation
from assistant.conversation.sqlite_rows import index
from assistant.conversation.sqlite_sessions import add_conversation, conversation_at, set_draft
from assistant.storage.moments import to_micros


def add_copy(db: apsw.Connection, owner: str, copy: CopiedConversation) -> Conversation:
    """Insert a conversation with all its messages. Raises InvalidInputError when its id is taken."""
    conversation = add_conversation(db, owner, copy.conversation)
    keys: dict[str | None, int | None] = {None: None}
    depths: dict[str | None, int] = {None: -1}
    shown = _path(copy)
    for message in copy.messages:
        depths[message.message_id] = depths[message.parent_id] + 1
        db.execute(
            """
            INSERT INTO message
                (id, conversation, parent, answers, depth, shown, role, content, state, created, metadata)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (
                message.message_id,
                conversation,
                keys[message.parent_id],
                keys[message.answers_id],
                depths[message.message_id],
                int(message.message_id in shown),
                message.role,
                message.content,
                message.state,
                to_micros(message.created_at),
                message.metadata,
            ),
        )
        key = keys[message.message_id] = db.last_insert_rowid()
        if message.state != "streaming":
            index(db, key, message.content)
    db.executemany(
        "UPDATE message SET follow = ? WHERE key = ?",
        [(keys[each.follow_id], keys[each.message_id]) for each in copy.messages if each.follow_id],
    )
    db.execute("UPDATE conversation SET head = ? WHERE key = ?", (keys[copy.head_id], conversation))
    set_draft(db, owner, copy.conversation.session_id, copy.draft)
    return conversation_at(db, conversation)


def _path(copy: CopiedConversation) -> set[str]:
    parents = {message.message_id: message.parent_id for message in copy.messages}
    shown: set[str] = set()
    at = copy.head_id
    while at is not None:
        shown.add(at)
        at = parents[at]
    return shown
