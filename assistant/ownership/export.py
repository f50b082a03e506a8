"""Memories out of Keepsake and back in.

The JSON format: one object with "format", "version", "exported_at" and "memories"; each memory has "id", "content",
"metadata", "created_at" and "updated_at" (ISO 8601, UTC). What it holds comes back exactly.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.core.errors import InvalidInputError, StoreFullError
from assistant.memory.base import TURN, BrowsableMemory, MemoryResult, NewMemory, Progress
from assistant.memory.rules import checked_content, checked_id, decode_metadata, encode_metadata

FORMAT = "keepsake-memories"
VERSION = 1
_PAGE = 500
_AT_ONCE = 320
_LARGEST = 256 << 20
"""Bytes of a file that an import reads; a hundred thousand memories take about 50 MB."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How an import went.

    Attributes:
        imported: memories that are in the store now.
        skipped: entries that could not be used, each with its reason.
    """

    imported: int
    skipped: tuple[str, ...] = ()


async def read_all(
    memory: BrowsableMemory, owner: str, progress: Progress | None = None
) -> list[MemoryResult]:
    """All memories of `owner`, oldest first; without what was said, which is part of the conversations."""
    found: list[MemoryResult] = []
    seen = 0
    while True:
        page = await memory.list(user_id=owner, offset=seen, limit=_PAGE, sort="oldest")
        seen += len(page.items)
        found += [item for item in page.items if item.metadata.get("kind") != TURN]
        if progress is not None:
            progress(seen, page.total)
        if not page.items or seen >= page.total:
            return found


async def export_json(
    memory: BrowsableMemory, owner: str, path: Path, progress: Progress | None = None
) -> int:
    """Write all memories of `owner` to `path` as JSON that `import_json` reads; returns how many.

    The file appears whole or not at all.

    Raises:
        StoreFullError: the file can't be written.
    """
    memories = await read_all(memory, owner, progress)
    await asyncio.to_thread(lambda: _write(path, _document(memories)))
    return len(memories)


async def export_markdown(
    memory: BrowsableMemory, owner: str, path: Path, progress: Progress | None = None
) -> int:
    """Write all memories of `owner` to `path` as a list to read; returns how many.

    Raises:
        StoreFullError: the file can't be written.
    """
    memories = await read_all(memory, owner, progress)
    await asyncio.to_thread(lambda: _write(path, _listing(memories)))
    return len(memories)


async def import_json(
    memory: BrowsableMemory, owner: str, path: Path, progress: Progress | None = None
) -> ImportReport:
    """Add the memories of a file that `export_json` wrote; an id that exists already is replaced, so that
    importing twice changes nothing.

    Raises:
        InvalidInputError: not a file of this format, or of a newer version. The store is unchanged.
    """
    items, skipped = await asyncio.to_thread(_load, path)
    for start in range(0, len(items), _AT_ONCE):

        def tell(done: int, _: int, before: int = start) -> None:
            if progress is not None:
                progress(before + done, len(items))

        await memory.add_many(items[start : start + _AT_ONCE], user_id=owner, progress=tell)
    return ImportReport(len({item.memory_id or number for number, item in enumerate(items)}), skipped)


def _document(memories: Sequence[MemoryResult]) -> str:
    document = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": datetime.now(UTC).isoformat(),
        "memories": [_as_json(m) for m in memories],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _listing(memories: Sequence[MemoryResult]) -> str:
    lines = ["# Memories", "", f"{len(memories)} memories, oldest first.", ""]
    for item in memories:
        when = f" ({item.created_at.date().isoformat()})" if item.created_at else ""
        first, *rest = item.content.splitlines() or [""]
        lines.append(f"- {first}{when if not rest else ''}")
        lines += [f"  {line}" for line in rest]
        if rest and when:
            lines.append(f" {when}")
    return "\n".join(lines) + "\n"


def _load(path: Path) -> tuple[list[NewMemory], tuple[str, ...]]:
    """The memories of a file, and why others of it can't be used."""
    items: list[NewMemory] = []
    skipped: list[str] = []
    for number, entry in enumerate(_entries(_read(path), path.name), start=1):
        try:
            items.append(_as_new(entry))
        except InvalidInputError as exc:
            skipped.append(f"Entry {number}: {exc.message}")
    return items, tuple(skipped)


def _as_json(item: MemoryResult) -> dict[str, Any]:
    return {
        "id": item.memory_id,
        "content": item.content,
        "metadata": dict(item.metadata),
        "created_at": item.created_at.isoformat() if item.created_at else None,
        "updated_at": item.updated_at.isoformat() if item.updated_at else None,
    }


def _entries(text: str, name: str) -> list[Any]:
    hint = "Choose a JSON file that Keepsake exported. Nothing was changed."
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInputError(f"{name} is not a JSON file.", hint=hint) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InvalidInputError(f"{name} holds no memories of Keepsake.", hint=hint)
    version = document.get("version")
    if not isinstance(version, int):
        raise InvalidInputError(f"{name} does not say which version wrote it.", hint=hint)
    if version > VERSION:
        raise InvalidInputError(
            f"{name} was written by a newer version of Keepsake.",
            hint="Update Keepsake, then import it again.",
        )
    entries = document.get("memories")
    if not isinstance(entries, list):
        raise InvalidInputError(f"{name} has no list of memories.", hint=hint)
    return entries


def _as_new(entry: Any) -> NewMemory:
    if not isinstance(entry, Mapping):
        raise InvalidInputError("This is not a memory.")
    content, metadata, memory_id = entry.get("content"), entry.get("metadata"), entry.get("id")
    if not isinstance(content, str):
        raise InvalidInputError("It has no text.")
    return NewMemory(
        checked_content(content),
        decode_metadata(encode_metadata(metadata)),
        None if memory_id is None else checked_id(memory_id),
        _moment(entry.get("created_at")),
        _moment(entry.get("updated_at")),
    )


def _moment(text: Any) -> datetime | None:
    """A time as an export writes it; None for anything else: a memory without its date is still a memory."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None


def _read(path: Path) -> str:
    try:
        if path.stat().st_size > _LARGEST:
            raise InvalidInputError(
                f"{path.name} is larger than an export of Keepsake can be.",
                hint="Choose a JSON file that Keepsake exported. Nothing was changed.",
            )
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError(
            f"{path.name} is not a text file.", hint="Choose a JSON file that Keepsake exported."
        ) from None
    except OSError as exc:
        raise InvalidInputError(
            f"{path.name} can't be read: {exc.strerror or exc}.", hint="Choose another file."
        ) from None


def _write(path: Path, text: str) -> None:
    temporary: str | None = None
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as exc:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
        raise StoreFullError(
            f"{path} could not be written: {exc.strerror or exc}. Nothing was changed.",
            hint="Choose another folder, or free some space.",
        ) from exc
