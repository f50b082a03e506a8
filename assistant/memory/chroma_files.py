"""A look at a Chroma directory before and after Chroma opens it, for damage that Chroma would not report.

A Chroma directory holds `chroma.sqlite3` (texts, metadata, and what is not yet indexed) and for each collection a
folder, named by the UUID of its segment, with the index files (see chroma_index_check).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from uuid import UUID

from assistant.core.errors import StoreDamagedError
from assistant.memory.chroma_index_check import damage_of, element_count

_DATABASE = "chroma.sqlite3"
_SQLITE_MAGIC = b"SQLite format 3\0"
# Segments that were indexed up to some point of the log, which is then no longer kept.
_INDEXED = """
    select segments.id from segments join max_seq_id on max_seq_id.segment_id = segments.id
    where segments.scope = 'VECTOR'
"""


def check_before_opening(directory: Path) -> None:
    """Find what Chroma would take for an empty store, and what its native code would fall over.

    Raises:
        StoreDamagedError: there is such damage. Nothing is changed.
    """
    try:
        detail = _database_damage(directory)
        for folder in _index_folders(directory):
            detail = detail or damage_of(folder)
    except OSError as exc:
        detail = f"{type(exc).__name__}: {exc}"
    if detail:
        raise _damaged(directory, detail)


def check_after_opening(directory: Path) -> None:
    """Find indexes that are gone: Chroma would go on without the memories in them.

    Raises:
        StoreDamagedError: an index is missing. Nothing is changed.
    """
    address = f"{(directory / _DATABASE).absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as database:
            indexed = [str(row[0]) for row in database.execute(_INDEXED)]
    except sqlite3.Error as exc:
        raise _damaged(directory, f"{type(exc).__name__}: {exc}") from exc
    lost = [segment for segment in indexed if not element_count(directory / segment)]
    if lost:
        raise _damaged(directory, f"index {lost[0]} is missing")


def _database_damage(directory: Path) -> str:
    database = directory / _DATABASE
    has_indexes = next(_index_folders(directory), None) is not None
    if not database.exists():
        return f"{_DATABASE} is missing" if has_indexes else ""
    with database.open("rb") as file:
        start = file.read(len(_SQLITE_MAGIC))
    # A first start that was killed leaves an empty file and nothing else.
    if start == _SQLITE_MAGIC or (not start and not has_indexes):
        return ""
    return f"{_DATABASE} is not a database"


def _index_folders(directory: Path) -> Iterator[Path]:
    for folder in directory.iterdir():
        if folder.is_dir() and _is_uuid(folder.name):
            yield folder


def _is_uuid(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False


def _damaged(directory: Path, detail: str) -> StoreDamagedError:
    return StoreDamagedError(
        f"The memory's files in {directory} are damaged. Nothing was removed.",
        hint="Restore the folder from a backup.",
        detail=detail,
    )
