"""Backups of a database, and what to do with a damaged one. Nothing here deletes anything of the user's."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

import apsw

from assistant.core.clock import Clock, SystemClock
from assistant.storage.failures import translated

_PARTS = ("", "-wal", "-shm")


@dataclass(frozen=True, slots=True)
class SetAside:
    """A damaged file out of the way.

    Attributes:
        moved_to: where it is now.
        backup: the newest backup that could take its place, None when there is none.
    """

    moved_to: Path
    backup: Path | None


def backup_path(path: Path, version: int) -> Path:
    """Where the copy of `path` from before the migration away from `version` is kept."""
    return path.with_name(f"{path.name}.backup-v{version}")


def backups_of(path: Path) -> list[Path]:
    """The backups beside `path`, newest first.

    They hold what the file held: forgetting must reach them too.
    """
    found = path.parent.glob(f"{_literal(path.name)}.backup-*")
    return sorted((item for item in found if not item.name.endswith(".tmp")), key=_modified, reverse=True)


def copy_online(connection: apsw.Connection, target: Path) -> None:
    """Copy the open database to `target` in one step, while it may be written. Blocks.

    Raises:
        apsw.Error, OSError: translated by the caller; an older copy at `target` is then still there.
    """
    part = target.with_name(f"{target.name}.tmp")
    part.unlink(missing_ok=True)
    try:
        os.close(os.open(part, os.O_RDWR | os.O_CREAT, 0o600))
        copy = apsw.Connection(str(part))
        try:
            with copy.backup("main", connection, "main") as backup:
                while not backup.done:
                    backup.step(2048)
            # The copy is one file: its journal mode came along with the header.
            copy.pragma("journal_mode", "delete")
        finally:
            copy.close(True)
        _flush(part)
        os.replace(part, target)
        _flush(target.parent)
    finally:
        part.unlink(missing_ok=True)


def set_aside(path: Path, *, clock: Clock | None = None) -> SetAside:
    """Rename a damaged database (with its journal) to NAME.damaged-TIME. It must be closed.

    Raises:
        StorageError: it can't be renamed.
    """
    stamp = (clock or SystemClock()).now().strftime("%Y%m%d-%H%M%S")
    target = path.with_name(f"{path.name}.damaged-{stamp}")
    count = 1
    while target.exists():
        count += 1
        target = path.with_name(f"{path.name}.damaged-{stamp}-{count}")
    with translated(path):
        for part in _PARTS:
            source = path.with_name(path.name + part)
            if source.exists():
                source.rename(target.with_name(target.name + part))
        _flush(path.parent)
    return SetAside(target, next(iter(backups_of(path)), None))


def put_aside(path: Path, *, restore: bool) -> None:
    """Set a damaged database aside and, when `restore` says so, put its newest backup in its place.

    Raises:
        StorageError: as set_aside and restore_backup.
    """
    aside = set_aside(path)
    if restore and aside.backup is not None:
        restore_backup(aside.backup, path)


def restore_backup(backup: Path, path: Path) -> None:
    """Put a copy of `backup` at `path`, where no file may be (see set_aside).

    Raises:
        StorageError: there is a file at `path`, or the copy failed.
    """
    part = path.with_name(f"{path.name}.restoring.tmp")
    with translated(path):
        if any(path.with_name(path.name + suffix).exists() for suffix in _PARTS):
            raise FileExistsError(f"{path} exists")
        try:
            shutil.copyfile(backup, part)
            part.chmod(0o600)
            _flush(part)
            os.replace(part, path)
            _flush(path.parent)
        finally:
            part.unlink(missing_ok=True)


def _flush(path: Path) -> None:
    if os.name == "nt" and path.is_dir():
        return
    descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _modified(path: Path) -> float:
    return path.stat().st_mtime


def _literal(name: str) -> str:
    return "".join(f"[{char}]" if char in "*?[" else char for char in name)
