"""The tables of the conversation store."""

from __future__ import annotations

import apsw

from assistant.storage.opening import Migration, Schema, run_script

# message.parent makes the tree; message.answers is the message that a reply was made for, which is not its parent
# where another turn wrote in between. message.shown marks the path from the first message to conversation.head, which
# is what people see, so that a page of it is one step in an index however long it is.
# message_words holds search_text.word_line of every finished message under the message's key. It keeps those lines
# itself: a table without content leaves words on the disk when rows are deleted, secure-delete or not.
_FIRST = """
CREATE TABLE conversation (
    key INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    head INTEGER,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    UNIQUE (owner, id)
) STRICT;
CREATE INDEX conversation_order ON conversation (owner, pinned DESC, updated DESC, key DESC);

CREATE TABLE message (
    key INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation INTEGER NOT NULL REFERENCES conversation (key),
    parent INTEGER,
    answers INTEGER,
    depth INTEGER NOT NULL,
    shown INTEGER NOT NULL,
    role TEXT NOT NULL,
    content TEXT NOT NULL,
    state TEXT NOT NULL,
    created INTEGER NOT NULL,
    metadata TEXT NOT NULL
) STRICT;
CREATE INDEX message_tree ON message (conversation, parent);
CREATE INDEX message_answers ON message (answers) WHERE answers IS NOT NULL;
CREATE INDEX message_path ON message (conversation, depth) WHERE shown = 1;
CREATE INDEX message_streaming ON message (key) WHERE state = 'streaming';

CREATE TABLE reply_part (
    key INTEGER PRIMARY KEY,
    message INTEGER NOT NULL REFERENCES message (key),
    text TEXT NOT NULL
) STRICT;
CREATE INDEX reply_part_message ON reply_part (message);

CREATE TABLE draft (
    owner TEXT NOT NULL,
    session TEXT NOT NULL,
    text TEXT NOT NULL,
    PRIMARY KEY (owner, session)
) STRICT, WITHOUT ROWID;

CREATE VIRTUAL TABLE message_words USING fts5 (
    words,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
INSERT INTO message_words (message_words, rank) VALUES ('secure-delete', 1);
"""

# message.follow is the message behind this one that was current when the path last left this one for another way.
# title_words holds word_line of every title under the conversation's key.
_SECOND = """
ALTER TABLE conversation ADD COLUMN archived INTEGER NOT NULL DEFAULT 0;
DROP INDEX conversation_order;
CREATE INDEX conversation_order ON conversation (owner, archived, pinned DESC, updated DESC, key DESC);

ALTER TABLE message ADD COLUMN follow INTEGER;

CREATE VIRTUAL TABLE title_words USING fts5 (
    words,
    tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* Co'"
);
INSERT INTO title_words (title_words, rank) VALUES ('secure-delete', 1);
"""


def _archive_variants_and_titles(db: apsw.Connection) -> None:
    from assistant.conversation.search_text import word_line

    run_script(db, _SECOND)
    titles = list(db.execute("SELECT key, title FROM conversation WHERE title <> ''"))
    db.executemany(
        "INSERT INTO title_words (rowid, words) VALUES (?, ?)",
        ((key, word_line(title)) for key, title in titles),
    )


SCHEMA = Schema(  # "KPSC"
    application_id=0x4B505343, migrations=(Migration(1, _FIRST), Migration(2, _archive_variants_and_titles))
)
