"""Opening a database: safe settings, numbered migrations, and errors that name the cause."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from assistant.core.errors import (
    StorageError,
    StoreDamagedError,
    StoreInUseError,
    StoreVersionError,
)
from assistant.storage.opening import Migration, Schema, open_connection, pragma_number
from assistant.storage.repair import backups_of
from assistant.storage.rows import rows

REPO = Path(__file__).resolve().parents[2]

FIRST = Migration(1, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT")
SECOND = Migration(2, "ALTER TABLE note ADD COLUMN stars INTEGER NOT NULL DEFAULT 0")


def _third(db: apsw.Connection) -> None:
    db.execute("UPDATE note SET stars = length(text)")


ONE = Schema(77, (FIRST,))
TWO = Schema(77, (FIRST, SECOND))
THREE = Schema(77, (FIRST, SECOND, Migration(3, _third)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.sqlite"


def make(path: Path, schema: Schema = ONE, *texts: str) -> None:
    db = open_connection(path, schema)
    with db:
        db.executemany("INSERT INTO note (text) VALUES (?)", [(text,) for text in texts])
    db.close()


def test_a_database_is_opened_for_safety(path: Path) -> None:
    db = open_connection(path, ONE)
    asked = {
        name: db.pragma(name)
        for name in (
            "journal_mode",
            "synchronous",
            "secure_delete",
            "foreign_keys",
            "temp_store",
            "trusted_schema",
        )
    }
    db.close()
    assert asked == {
        "journal_mode": "wal",
        "synchronous": 2,
        "secure_delete": 1,
        "foreign_keys": 1,
        "temp_store": 2,
        "trusted_schema": 0,
    }


def test_the_file_and_its_journal_are_for_this_user_alone(path: Path) -> None:
    db = open_connection(path, ONE)
    db.execute("INSERT INTO note (text) VALUES ('x')")
    modes = {item.name: stat.S_IMODE(item.stat().st_mode) for item in path.parent.iterdir() if item.is_file()}
    db.close()
    assert modes == {"notes.sqlite": 0o600, "notes.sqlite-wal": 0o600, "notes.sqlite-shm": 0o600}


def test_a_new_file_gets_the_newest_version_and_no_backup(path: Path) -> None:
    db = open_connection(path, THREE)
    assert (pragma_number(db, "user_version"), pragma_number(db, "application_id")) == (3, 77)
    db.close()
    assert backups_of(path) == []


def test_missing_folders_are_made(tmp_path: Path) -> None:
    make(tmp_path / "a" / "b" / "c.sqlite")
    assert (tmp_path / "a" / "b" / "c.sqlite").exists()


def test_an_old_file_is_brought_up_and_a_backup_of_each_version_is_kept(path: Path) -> None:
    make(path, ONE, "four", "sixsix")
    db = open_connection(path, THREE)
    assert rows(db, "SELECT text, stars FROM note") == [("four", 4), ("sixsix", 6)]
    db.close()
    assert {item.name for item in backups_of(path)} == {"notes.sqlite.backup-v1", "notes.sqlite.backup-v2"}
    old = open_connection(path.with_name("notes.sqlite.backup-v1"), ONE)
    assert rows(old, "SELECT * FROM note") == [(1, "four"), (2, "sixsix")]
    old.close()


def test_what_is_only_in_the_journal_is_in_the_backup_too(path: Path) -> None:
    keeper = open_connection(path, ONE)
    keeper.execute("INSERT INTO note (text) VALUES ('in the journal')")
    open_connection(path, TWO).close()
    keeper.close()
    old = open_connection(path.with_name("notes.sqlite.backup-v1"), ONE)
    assert rows(old, "SELECT text FROM note") == [("in the journal",)]
    old.close()


def test_opening_again_migrates_nothing(path: Path) -> None:
    make(path, THREE, "x")
    make(path, THREE)
    assert backups_of(path) == []


def test_a_migration_that_fails_leaves_the_version_before_it(path: Path) -> None:
    make(path, ONE, "kept")

    def broken(db: apsw.Connection) -> None:
        db.execute("UPDATE note SET text = 'half done'")
        raise ValueError("bug")

    with pytest.raises(ValueError, match="bug"):
        open_connection(path, Schema(77, (FIRST, SECOND, Migration(3, broken))))
    db = open_connection(path, TWO)
    assert rows(db, "SELECT text, stars FROM note") == [("kept", 0)]
    db.close()


def test_sql_that_fails_in_a_migration_is_translated(path: Path) -> None:
    with pytest.raises(StorageError):
        open_connection(path, Schema(77, (Migration(1, "CREATE TABLE nonsense"),)))


def test_a_script_goes_on_after_a_statement_that_has_rows(path: Path) -> None:
    script = "CREATE TABLE a (x); SELECT 1; CREATE TABLE b (x); PRAGMA table_list; CREATE TABLE c (x);"
    db = open_connection(path, Schema(77, (Migration(1, script),)))
    names = [name for (name,) in rows(db, "SELECT name FROM sqlite_schema ORDER BY name")]
    db.close()
    assert names == ["a", "b", "c"]


def test_a_migration_may_rebuild_a_table_that_others_refer_to(path: Path) -> None:
    first = "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER NOT NULL REFERENCES a (id));"
    db = open_connection(path, Schema(77, (Migration(1, first),)))
    db.execute("INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)")
    db.close()
    rebuild = """
        CREATE TABLE new_a (id INTEGER PRIMARY KEY, more TEXT);
        INSERT INTO new_a (id) SELECT id FROM a;
        DROP TABLE a;
        ALTER TABLE new_a RENAME TO a;
    """
    db = open_connection(path, Schema(77, (Migration(1, first), Migration(2, rebuild))))
    assert rows(db, "SELECT a FROM b") == [(1,)]
    db.close()


def test_a_migration_that_orphans_rows_is_undone(path: Path) -> None:
    first = "CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (a INTEGER NOT NULL REFERENCES a (id));"
    db = open_connection(path, Schema(77, (Migration(1, first),)))
    db.execute("INSERT INTO a VALUES (1); INSERT INTO b VALUES (1)")
    db.close()
    with pytest.raises(StoreDamagedError):
        open_connection(path, Schema(77, (Migration(1, first), Migration(2, "DELETE FROM a"))))
    db = open_connection(path, Schema(77, (Migration(1, first),)))
    assert rows(db, "SELECT id FROM a") == [(1,)]
    db.close()


def test_migrations_must_be_numbered_without_gaps() -> None:
    with pytest.raises(ValueError, match="without gaps"):
        Schema(77, (FIRST, Migration(3, "")))


def test_a_newer_file_is_refused_and_not_one_byte_changes(path: Path) -> None:
    make(path, THREE, "x")
    before = path.read_bytes()
    with pytest.raises(StoreVersionError, match="newer version"):
        open_connection(path, TWO)
    assert path.read_bytes() == before
    assert [item.name for item in path.parent.iterdir() if item.is_file()] == [path.name]


def test_another_programs_database_is_not_taken_for_ours(path: Path) -> None:
    foreign = apsw.Connection(str(path))
    foreign.execute("CREATE TABLE theirs (x)")
    foreign.close()
    before = path.read_bytes()
    with pytest.raises(StoreDamagedError, match="not what Keepsake expects"):
        open_connection(path, ONE)
    assert path.read_bytes() == before


def test_another_file_of_keepsake_is_not_taken_for_this_one(path: Path) -> None:
    make(path, ONE)
    with pytest.raises(StoreDamagedError):
        open_connection(path, Schema(78, (FIRST,)))


@pytest.mark.parametrize("content", [b"this is no database" * 100, b"SQLite format 3\0" + b"\xff" * 4096])
def test_a_file_that_is_no_database_is_damaged_and_stays(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(StoreDamagedError):
        open_connection(path, ONE)
    assert path.read_bytes() == content


def test_a_cut_off_file_is_found_damaged(path: Path) -> None:
    make(path, ONE, *(f"text {n} " * 50 for n in range(500)))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreDamagedError):
        open_connection(path, ONE, check=True)


def test_a_wrong_byte_in_a_page_is_found_when_asked_for(path: Path) -> None:
    make(path, ONE, *(f"text {n} " * 50 for n in range(500)))
    content = bytearray(path.read_bytes())
    content[3 * 4096 : 3 * 4096 + 64] = b"\x55" * 64
    path.write_bytes(content)
    with pytest.raises(StoreDamagedError):
        open_connection(path, ONE, check=True)
    assert path.read_bytes() == bytes(content)


def test_a_lock_of_another_program_is_said(path: Path) -> None:
    make(path, ONE)
    other = apsw.Connection(str(path))
    other.execute("BEGIN IMMEDIATE").fetchall()
    other.execute("INSERT INTO note (text) VALUES ('x')").fetchall()
    try:
        with pytest.raises(StoreInUseError):
            open_connection(path, TWO, busy_timeout_ms=10)
    finally:
        other.close()


def test_a_folder_in_the_place_of_the_file_is_said(path: Path) -> None:
    path.mkdir()
    with pytest.raises(StorageError):
        open_connection(path, ONE)


def _open_in_child(path: Path, before: str) -> str:
    script = f"""
import os, resource, sys
from pathlib import Path
from assistant.core.errors import StorageError
from assistant.storage.opening import Migration, Schema, open_connection
path = Path(sys.argv[1])
schema = Schema(77, (Migration(1, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"),))
{before}
try:
    db = open_connection(path, schema)
    db.close()
    print("opened")
except StorageError as error:
    print(type(error).__name__, error.title)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=True, cwd=REPO
    )
    return done.stdout.strip()


def test_a_disk_without_space_is_said(path: Path) -> None:
    assert _open_in_child(path, "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))") == (
        "StoreFullError The disk is full"
    )


def test_a_read_only_file_is_said(tmp_path: Path) -> None:
    import shutil
    import tempfile

    folder = Path(tempfile.mkdtemp())
    try:
        make(folder / "notes.sqlite", ONE)
        os.chmod(folder / "notes.sqlite", 0o444)
        os.chmod(folder, 0o555)
        said = _open_in_child(folder / "notes.sqlite", "if os.geteuid() == 0: os.setuid(65534)")
    finally:
        os.chmod(folder, 0o755)
        shutil.rmtree(folder)
    assert said == "StoreFullError The folder is read-only"


def test_no_error_is_of_sqlites_own_kind(path: Path) -> None:
    path.write_bytes(b"x" * 5000)
    with pytest.raises(StoreDamagedError) as caught:
        open_connection(path, ONE)
    assert isinstance(caught.value.__cause__, apsw.Error)
    assert str(path) in caught.value.detail
