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
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from assistant.core.errors import InvalidInputError, StoreFullError
from assistant.core.text import check_text
from assistant.memory.base import BrowsableMemory, MemoryResult, NewMemory, Progress

FORMAT = "keepsake-memories"
VERSION = 1
_PAGE = 500


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
    """All memories of `owner`, oldest first."""
    found: list[MemoryResult] = []
    while True:
        page = await memory.list(user_id=owner, offset=len(found), limit=_PAGE, sort="oldest")
        found += page.items
        if progress is not None:
            progress(len(found), page.total)
        if not page.items or len(found) >= page.total:
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
    document = {
        "format": FORMAT,
        "version": VERSION,
        "exported_at": datetime.now(UTC).isoformat(),
        "memories": [_as_json(m) for m in memories],
    }
    await asyncio.to_thread(_write, path, json.dumps(document, ensure_ascii=False, indent=1))
    return len(memories)


async def export_markdown(
    memory: BrowsableMemory, owner: str, path: Path, progress: Progress | None = None
) -> int:
    """Write all memories of `owner` to `path` as a list to read; returns how many.

    Raises:
        StoreFullError: the file can't be written.
    """
    memories = await read_all(memory, owner, progress)
    lines = ["# Memories", "", f"{len(memories)} memories, oldest first.", ""]
    for item in memories:
        when = f" ({item.created_at.date().isoformat()})" if item.created_at else ""
        first, *rest = item.content.splitlines() or [""]
        lines.append(f"- {first}{when if not rest else ''}")
        lines += [f"  {line}" for line in rest]
        if rest and when:
            lines.append(f" {when}")
    await asyncio.to_thread(_write, path, "\n".join(lines) + "\n")
    return len(memories)


async def import_json(
    memory: BrowsableMemory, owner: str, path: Path, progress: Progress | None = None
) -> ImportReport:
    """Add the memories of a file that `export_json` wrote; an id that exists already is replaced, so that
    importing twice changes nothing.

    Raises:
        InvalidInputError: not a file of this format, or of a newer version. The store is unchanged.
    """
    text = await asyncio.to_thread(_read, path)
    entries = _entries(text, path.name)
    items: list[NewMemory] = []
    skipped: list[str] = []
    for number, entry in enumerate(entries, start=1):
        try:
            items.append(_as_new(entry))
        except InvalidInputError as exc:
            skipped.append(f"Entry {number}: {exc.message}")
    await memory.add_many(items, user_id=owner, progress=progress)
    return ImportReport(len(items), tuple(skipped))


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
    if not isinstance(version, int) or version > VERSION:
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
        raise InvalidInputError("not a memory.")
    content, metadata, memory_id = entry.get("content"), entry.get("metadata"), entry.get("id")
    if not isinstance(content, str) or not content.strip():
        raise InvalidInputError("no text.")
    check_text(content)
    if metadata is not None and not isinstance(metadata, Mapping):
        raise InvalidInputError("its metadata is not an object.")
    if memory_id is not None and (not isinstance(memory_id, str) or not memory_id):
        raise InvalidInputError("its id is not a text.")
    created = entry.get("created_at")
    moment: datetime | None = None
    if isinstance(created, str):
        with contextlib.suppress(ValueError):
            moment = datetime.fromisoformat(created)
            if moment.tzinfo is None:
                moment = moment.replace(tzinfo=UTC)
    return NewMemory(content, dict(metadata or {}), memory_id, moment)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
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
