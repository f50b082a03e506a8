"""A look at a Chroma directory before Chroma opens it.

Chroma starts an empty store when its database file is empty, and its native index reader ends the process on
some damaged files. Both are found here first.

A Chroma directory holds `chroma.sqlite3` (texts, metadata, and what is not yet indexed) and, for each
collection that has been indexed to disk, a folder named by a UUID with five index files.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from assistant.core.errors import StoreDamagedError

DATABASE = "chroma.sqlite3"
_SQLITE_MAGIC = b"SQLite format 3\0"
_HEADER_BYTES = 100
_SURELY_LINKED = 4000
_INDEX_FILES = ("header.bin", "data_level0.bin", "length.bin", "link_lists.bin")


def check_files(directory: Path) -> None:
    """Find damage that Chroma would not report.

    Raises:
        StoreDamagedError: the database is empty or none although there are indexes, or an index file is
            missing, cut short or blank. Nothing is changed.
    """
    try:
        _check_database(directory)
        for folder in _index_folders(directory):
            _check_index(folder)
    except OSError as exc:
        raise _damaged(directory, f"{type(exc).__name__}: {exc}") from exc


def _check_database(directory: Path) -> None:
    database = directory / DATABASE
    if not database.exists():
        if next(_index_folders(directory), None) is not None:
            raise _damaged(directory, f"{DATABASE} is missing")
        return
    with database.open("rb") as file:
        start = file.read(len(_SQLITE_MAGIC))
    if start == _SQLITE_MAGIC:
        return
    # A first start that was killed leaves an empty file and nothing else.
    if start or next(_index_folders(directory), None) is not None:
        raise _damaged(directory, f"{DATABASE} is not a database")


def _index_folders(directory: Path) -> Iterator[Path]:
    for folder in directory.iterdir():
        if folder.is_dir() and _is_uuid(folder.name):
            yield folder


def _is_uuid(name: str) -> bool:
    try:
        return str(UUID(name)) == name
    except ValueError:
        return False


def _check_index(folder: Path) -> None:
    present = [name for name in _INDEX_FILES if (folder / name).is_file()]
    if not present:
        return
    missing = set(_INDEX_FILES) - set(present)
    if missing:
        raise _damaged(folder, f"{', '.join(sorted(missing))} missing")
    if (folder / "header.bin").stat().st_size < _HEADER_BYTES:
        raise _damaged(folder, "header.bin is cut short")
    links = (folder / "link_lists.bin").read_bytes()
    # Four zero bytes for each memory that is on the lowest level only. One in 32 is not, so a thousand have
    # some, and a blank file was not written to its end.
    if len(links) >= _SURELY_LINKED and not any(links):
        raise _damaged(folder, "link_lists.bin is blank")


def _damaged(place: Path, detail: str) -> StoreDamagedError:
    return StoreDamagedError(
        f"The memory's files in {place} are damaged. Nothing was removed.",
        hint="Restore the folder from a backup.",
        detail=detail,
    )
