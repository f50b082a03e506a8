"""Looks for text in files, byte by byte: what it does not find is gone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.core.errors import InvalidInputError, StorageError
from assistant.core.text import check_text

CHUNK = 1 << 20
_FRAGMENT = 24


@dataclass(frozen=True, slots=True)
class Hit:
    """A needle found in a file.

    Attributes:
        path: the file.
        offset: 0-based position of its first byte.
        needle: as it was given.
        encoding: "bytes", "utf-8", "utf-16-le", "utf-16-be" or "json" (with \\u escapes).
    """

    path: Path
    offset: int
    needle: str | bytes
    encoding: str


def find_bytes(folder: Path, needles: Sequence[str | bytes], *, chunk: int = CHUNK) -> list[Hit]:
    """Every place in the files below `folder` (or in the file `folder`) that holds one of `needles`. Blocks.

    Text is looked for as UTF-8, as UTF-16 of both byte orders and as JSON escapes it. A database may split a
    long text over its pages, so give short pieces of it: see `fragments`. Symbolic links are not followed; a
    missing folder has no hits; a file that goes away meanwhile is left out.

    Args:
        chunk: bytes read at a time.

    Raises:
        InvalidInputError: an empty needle, which every file holds.
        InvalidTextError: a needle that no file can hold.
        StorageError: a file can't be read; what was not looked at is not proved to be clean.
    """
    wanted = _encoded(needles)
    if not wanted:
        return []
    hits: list[Hit] = []
    for path in _files(folder):
        try:
            hits += _scan(path, wanted, chunk)
        except FileNotFoundError:
            continue
        except OSError as exc:
            raise _unreadable(path, exc) from exc
    return hits


def fragments(text: str, *, length: int = _FRAGMENT) -> list[str]:
    """Short pieces of `text` for `find_bytes`: overlapping, so that wherever a page ends, one is whole.

    Args:
        length: characters in a piece; a text that is not longer is its own only piece.

    Returns:
        The pieces in order, without repeats; none for blank text.
    """
    if not text.strip():
        return []
    if len(text) <= length:
        return [text]
    starts = [*range(0, len(text) - length, length // 2), len(text) - length]
    return list(dict.fromkeys(piece for start in starts if (piece := text[start : start + length]).strip()))


def _encoded(needles: Sequence[str | bytes]) -> dict[bytes, list[tuple[str | bytes, str]]]:
    wanted: dict[bytes, list[tuple[str | bytes, str]]] = {}
    for needle in needles:
        if not needle:
            raise InvalidInputError("There is nothing to look for: a needle is empty.")
        if isinstance(needle, bytes):
            forms = {needle: "bytes"}
        else:
            check_text(needle)
            forms = {
                json.dumps(needle)[1:-1].encode(): "json",
                needle.encode("utf-16-be"): "utf-16-be",
                needle.encode("utf-16-le"): "utf-16-le",
                needle.encode(): "utf-8",
            }
        for form, encoding in forms.items():
            wanted.setdefault(form, []).append((needle, encoding))
    return wanted


def _files(folder: Path) -> Iterator[Path]:
    if folder.is_file() and not folder.is_symlink():
        yield folder
        return
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as exc:
        raise _unreadable(folder, exc) from exc
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            yield from _files(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path)


def _scan(path: Path, wanted: dict[bytes, list[tuple[str | bytes, str]]], chunk: int) -> list[Hit]:
    overlap = max(map(len, wanted)) - 1
    found: set[tuple[int, bytes]] = set()
    with path.open("rb") as file:
        start, tail = 0, b""
        while block := file.read(chunk):
            window = tail + block
            for form in wanted:
                position = window.find(form)
                while position >= 0:
                    found.add((start + position, form))
                    position = window.find(form, position + 1)
            tail = window[-overlap:] if overlap else b""
            start += len(window) - len(tail)
    return [
        Hit(path, offset, needle, encoding)
        for offset, form in sorted(found)
        for needle, encoding in wanted[form]
    ]


def _unreadable(path: Path, exc: OSError) -> StorageError:
    return StorageError(
        f"{path.name} can't be read, so it is not known what it holds.",
        hint="Check who may read it and try again.",
        detail=f"{path}: {type(exc).__name__}: {exc}",
    )
