"""A damaged file is set aside, never deleted, and its last backup is offered."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.core.errors import StorageError
from assistant.storage.opening import Migration, Schema, open_connection
from assistant.storage.repair import backups_of, restore_backup, set_aside
from assistant.storage.rows import rows

SCHEMA = Schema(77, (Migration(1, "CREATE TABLE note (text TEXT) STRICT"),))


class StoppedClock:
    def now(self) -> datetime:
        return datetime(2026, 11, 29, 19, 0, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "notes.sqlite"


def test_a_damaged_file_is_renamed_with_its_journal(path: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).write_text(f"content{suffix}")
    result = set_aside(path, clock=StoppedClock())
    assert result.moved_to == path.with_name("notes.sqlite.damaged-20261129-190000")
    assert result.backup is None
    for suffix in ("", "-wal", "-shm"):
        assert not path.with_name(path.name + suffix).exists()
        assert result.moved_to.with_name(result.moved_to.name + suffix).read_text() == f"content{suffix}"


def test_a_second_damaged_file_does_not_replace_the_first(path: Path) -> None:
    kept = []
    for text in ("first", "second"):
        path.write_text(text)
        kept.append(set_aside(path, clock=StoppedClock()).moved_to)
    assert [item.read_text() for item in kept] == ["first", "second"]


def test_the_newest_backup_is_offered(path: Path) -> None:
    path.write_text("damaged")
    for age, name in enumerate(["backup-v2", "backup-v1", "backup-v3"]):
        backup = path.with_name(f"notes.sqlite.{name}")
        backup.write_text(name)
        os.utime(backup, (1_000_000 - age, 1_000_000 - age))
    path.with_name("notes.sqlite.backup-v9.tmp").write_text("half written")
    path.with_name("other.sqlite.backup-v9").write_text("of another file")
    backup_names = [item.name for item in backups_of(path)]
    assert backup_names == ["notes.sqlite.backup-v2", "notes.sqlite.backup-v1", "notes.sqlite.backup-v3"]
    assert set_aside(path).backup == path.with_name("notes.sqlite.backup-v2")


def test_a_name_with_wildcards_finds_only_its_own_backups(tmp_path: Path) -> None:
    (tmp_path / "a[1].sqlite.backup-v1").write_text("")
    (tmp_path / "a1.sqlite.backup-v1").write_text("")
    assert [item.name for item in backups_of(tmp_path / "a[1].sqlite")] == ["a[1].sqlite.backup-v1"]


def test_a_restored_backup_opens_and_the_backup_stays(path: Path) -> None:
    db = open_connection(path, SCHEMA)
    db.execute("INSERT INTO note VALUES ('kept')")
    db.close()
    backup = path.with_name("notes.sqlite.backup-v1")
    path.rename(backup)
    restore_backup(backup, path)
    db = open_connection(path, SCHEMA, check=True)
    assert rows(db, "SELECT text FROM note") == [("kept",)]
    db.close()
    assert backup.exists()


def test_restoring_never_replaces_a_file(path: Path) -> None:
    path.write_text("here")
    backup = path.with_name("notes.sqlite.backup-v1")
    backup.write_text("old")
    with pytest.raises(StorageError):
        restore_backup(backup, path)
    assert path.read_text() == "here"


def test_a_leftover_journal_keeps_a_backup_from_being_put_under_it(path: Path) -> None:
    path.with_name("notes.sqlite-wal").write_text("of the damaged file")
    backup = path.with_name("notes.sqlite.backup-v1")
    backup.write_text("old")
    with pytest.raises(StorageError):
        restore_backup(backup, path)
    assert not path.exists()


def test_a_missing_backup_is_said(path: Path) -> None:
    with pytest.raises(StorageError):
        restore_backup(path.with_name("none"), path)
    assert [item for item in path.parent.iterdir() if item.is_file()] == []
