"""How the record lies in SQLite.

`memory` has one row for each memory of any state, `version` what it said before, `owner` whose it is. Each owner has a
full-text table `words_N` (N: the owner's number) over active memories only, whose row ids are the memories' numbers,
and `terms_N`, which tells how many memories hold a word: nobody's words count in somebody else's ranking, and removing
an owner removes the table. `gone` keeps a keyed digest of each id that was removed for good, so that an index that was
restored from somewhere cannot bring a memory back. `forgotten` keeps keyed digests of what statements that were
forgotten say, never their text, and `lesson` the messages that an extraction by a model still has to read.
"""

from __future__ import annotations

from typing import Any

import apsw

from assistant.storage.opening import Migration, Schema

FILE_NAME = "ledger.sqlite"

SCHEMA = Schema(
    application_id=0x4B4C4447,  # "KLDG"
    migrations=(
        Migration(
            1,
            """
            CREATE TABLE owner (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                name TEXT NOT NULL UNIQUE
            ) STRICT;
            CREATE TABLE memory (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                owner INTEGER NOT NULL REFERENCES owner,
                id TEXT NOT NULL,
                state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'superseded')),
                kind TEXT NOT NULL,
                content TEXT NOT NULL,
                metadata TEXT NOT NULL,
                created INTEGER,
                updated INTEGER,
                label TEXT,
                version INTEGER NOT NULL DEFAULT 1,
                quote TEXT,
                source TEXT,
                said_at INTEGER,
                valid_from INTEGER,
                valid_to INTEGER,
                subject TEXT,
                language TEXT,
                sensitivity TEXT,
                speaker TEXT,
                session TEXT,
                position INTEGER,
                length INTEGER NOT NULL,
                questions REAL NOT NULL,
                tells_time INTEGER NOT NULL,
                pinned INTEGER NOT NULL DEFAULT 0,
                barred INTEGER NOT NULL DEFAULT 0,
                uses INTEGER NOT NULL DEFAULT 0,
                used_at INTEGER,
                superseded_by TEXT,
                UNIQUE (owner, id)
            ) STRICT;
            CREATE INDEX memory_by_time ON memory (owner, state, created, id);
            CREATE INDEX memory_by_session ON memory (owner, session) WHERE session IS NOT NULL;
            CREATE INDEX memory_by_label ON memory (owner, label) WHERE label IS NOT NULL;
            CREATE TABLE version (
                memory INTEGER NOT NULL REFERENCES memory ON DELETE CASCADE,
                number INTEGER NOT NULL,
                content TEXT NOT NULL,
                metadata TEXT NOT NULL,
                quote TEXT,
                said_at INTEGER,
                replaced INTEGER NOT NULL,
                PRIMARY KEY (memory, number)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE gone (
                mark BLOB PRIMARY KEY
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE note (
                name TEXT PRIMARY KEY,
                value BLOB NOT NULL
            ) STRICT, WITHOUT ROWID;
            INSERT INTO note VALUES ('key', randomblob(32));
            """,
        ),
        Migration(
            2,
            """
            CREATE TABLE forgotten (
                owner INTEGER NOT NULL REFERENCES owner,
                mark BLOB NOT NULL,
                PRIMARY KEY (owner, mark)
            ) STRICT, WITHOUT ROWID;
            CREATE TABLE lesson (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                owner INTEGER NOT NULL REFERENCES owner,
                label TEXT,
                session TEXT,
                message TEXT,
                text TEXT NOT NULL,
                said_at INTEGER NOT NULL,
                attempts INTEGER NOT NULL DEFAULT 0
            ) STRICT;
            CREATE INDEX lesson_by_owner ON lesson (owner, number);
            """,
        ),
        Migration(
            3,
            """
            ALTER TABLE lesson ADD COLUMN host TEXT;
            ALTER TABLE lesson ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
            ALTER TABLE lesson ADD COLUMN queued INTEGER NOT NULL DEFAULT 0;
            UPDATE lesson SET queued = unixepoch();
            """,
        ),
    ),
)

_TOKENIZER = ("porter", "unicode61", "remove_diacritics", "2", "categories", "L* N* Co M*")


def create_words(connection: apsw.Connection, owner: int) -> None:
    """Make the full-text table of an owner."""
    tokenizer = " ".join(f"'{part}'" if " " in part else part for part in _TOKENIZER)
    connection.execute(
        f'CREATE VIRTUAL TABLE words_{owner} USING fts5(words, tokenize = "{tokenizer}", detail = none)'
    )
    connection.execute(f"INSERT INTO words_{owner}(words_{owner}, rank) VALUES ('secure-delete', 1)")
    connection.execute(f"CREATE VIRTUAL TABLE terms_{owner} USING fts5vocab('words_{owner}', 'row')")


def drop_words(connection: apsw.Connection, owner: int) -> None:
    """Remove the full-text table of an owner with all that it holds."""
    connection.execute(f"DROP TABLE IF EXISTS terms_{owner}")
    connection.execute(f"DROP TABLE IF EXISTS words_{owner}")


def stem(connection: apsw.Connection, word: str) -> str:
    """`word` as the full-text tables hold it."""
    import apsw.fts5

    tokenizer = connection.fts5_tokenizer(_TOKENIZER[0], list(_TOKENIZER[1:]))
    found: list[Any] = list(
        tokenizer(
            word.encode(), apsw.FTS5_TOKENIZE_QUERY, None, include_offsets=False, include_colocated=False
        )
    )
    return str(found[0]) if found else word
