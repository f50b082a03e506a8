"""Moving Chroma's files: a damaged index out of the way, a compacted one into its place."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

FRESH, OLD = ".index-new", ".index-old"
DAMAGED = "index.damaged"

_DATABASE = "chroma.sqlite3"
_COMPLETE = ".complete"
_SEGMENT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def has_index(directory: Path) -> bool:
    """Whether there are files of an index, whole or not."""
    return directory.is_dir() and next(_entries(directory), None) is not None


def new_folder(directory: Path) -> Path:
    """An empty folder for a new index, beside the one in use; leftovers are removed."""
    for leftover in (directory / FRESH, directory / OLD):
        shutil.rmtree(leftover, ignore_errors=True)
    fresh = directory / FRESH
    fresh.mkdir(mode=0o700)
    return fresh


def put_in_place(directory: Path) -> None:
    """Replace the index in `directory` by the one in its new folder, which is complete. The old one is removed."""
    (directory / FRESH / _COMPLETE).touch()
    finish(directory)


def finish(directory: Path) -> None:
    """Go on with a replacement wherever it ended; one that was not complete is removed. Safe to repeat."""
    fresh, old = directory / FRESH, directory / OLD
    if (fresh / _COMPLETE).exists():
        # The database moves last: as long as it is here, something is left to do.
        if (fresh / _DATABASE).exists():
            if not (old / _COMPLETE).exists():
                move(directory, old)
                (old / _COMPLETE).touch()
            move(fresh, directory)
        (fresh / _COMPLETE).unlink()
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.rmtree(old, ignore_errors=True)


def move(source: Path, target: Path) -> None:
    """Move Chroma's files from one folder to another: index folders first, the database last."""
    target.mkdir(mode=0o700, exist_ok=True)
    for entry in sorted(_entries(source), key=lambda entry: entry.name.startswith(_DATABASE)):
        os.replace(entry, target / entry.name)


def remove_damaged(directory: Path) -> None:
    """Remove what was moved out of the way."""
    for damaged in directory.glob(f"{DAMAGED}-*"):
        shutil.rmtree(damaged, ignore_errors=True)


def _entries(folder: Path) -> Iterator[Path]:
    for entry in folder.iterdir():
        if entry.name.startswith(_DATABASE) or _SEGMENT.fullmatch(entry.name):
            yield entry
