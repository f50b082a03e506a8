"""Memories out of Keepsake and back in; the JSON file is described in `portable`."""

from __future__ import annotations

import asyncio
import contextlib
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assistant.core.errors import InvalidInputError, StoreFullError
from assistant.memory.base import TURN, BrowsableMemory, MemoryResult, Progress
from assistant.memory.deferred import opened
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.ownership.portable import FORMAT, VERSION, Exported, document, parsed

__all__ = ["FORMAT", "VERSION", "ImportReport", "export_json", "export_markdown", "import_json", "read_all"]

_PAGE = 500
_AT_ONCE = 320
_NOT_KEPT = "Memories that wait or were replaced are not kept here."
_LARGEST = 256 << 20
"""Bytes of a file that an import reads; a hundred thousand memories take about 50 MB."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """How an import went.

    Attributes:
        imported: memories of the file that are in the store now.
        skipped: entries that could not be used, each with its reason.
    """

    imported: int
    skipped: tuple[str, ...] = ()


async def read_all(
    memory: BrowsableMemory, owner: str, progress: Progress | None = None
) -> list[MemoryResult]:
    """All memories of `owner` that are in use, oldest first; without what was said, which is part of the
    conversations."""
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
    """Write all memories of `owner` to `path` as JSON that `import_json` reads; returns how many. Of a ledger also
    those that wait and those that were replaced.

    The file appears whole or not at all.

    Raises:
        StoreFullError: the file can't be written.
    """
    memories = await _everything(memory, owner, progress)
    await asyncio.to_thread(lambda: _write(path, document(memories)))
    return len(memories)


async def export_markdown(
    memory: BrowsableMemory, owner: str, path: Path, progress: Progress | None = None
) -> int:
    """Write the same to `path` as a list to read; returns how many.

    Raises:
        StoreFullError: the file can't be written.
    """
    memories = await _everything(memory, owner, progress)
    await asyncio.to_thread(lambda: _write(path, _listing(memories)))
    return len(memories)


async def import_json(
    memory: BrowsableMemory, owner: str, path: Path, progress: Progress | None = None
) -> ImportReport:
    """Add the memories of a file that `export_json` wrote. Importing twice changes nothing, and a ledger keeps what was
    decided since (see LedgerExchange.take_in). A memory that is no ledger takes only those in use.

    Raises:
        InvalidInputError: not a file of this format, or of a newer version. The store is unchanged.
    """
    items, skipped = await asyncio.to_thread(lambda: parsed(_read(path), path.name))
    ledger = await _ledger_of(memory)
    if ledger is None:
        usable = [item for item in items if item.state == "active"]
        skipped += (_NOT_KEPT,) * (len(items) - len(usable))
        items = usable
    coming = {item.memory.memory_id: item.state for item in items if item.memory.memory_id is not None}
    for start in range(0, len(items), _AT_ONCE):

        def tell(done: int, _: int, before: int = start) -> None:
            if progress is not None:
                progress(before + done, len(items))

        batch = items[start : start + _AT_ONCE]
        if ledger is not None:
            await ledger.exchange.take_in(batch, user_id=owner, coming=coming, progress=tell)
        else:
            await memory.add_many([item.memory for item in batch], user_id=owner, progress=tell)
    return ImportReport(len(coming) + sum(item.memory.memory_id is None for item in items), skipped)


async def _ledger_of(memory: BrowsableMemory) -> MemoryLedger | None:
    real = await opened(memory)
    return real if isinstance(real, MemoryLedger) else None


async def _everything(memory: BrowsableMemory, owner: str, progress: Progress | None) -> list[Exported]:
    """In the order in which they came, so that they can come in it again."""
    ledger = await _ledger_of(memory)
    if ledger is None:
        return [Exported(item) for item in await read_all(memory, owner, progress)]
    kept = await ledger.exchange.read(user_id=owner, progress=progress)
    return [Exported(each.entry.record.result(), each) for each in kept]


def _listing(memories: Sequence[Exported]) -> str:
    groups = {
        state: sorted(
            (each.result for each in memories if each.state == state),
            key=lambda item: (item.created_at.timestamp() if item.created_at else 0.0, item.memory_id),
        )
        for state in ("active", "pending", "superseded")
    }
    lines = [
        "# Memories",
        "",
        f"{len(groups['active']):,} {'memory' if len(groups['active']) == 1 else 'memories'}, oldest first.",
        "",
        *_lines(groups["active"]),
    ]
    for state, heading in (("pending", "Waiting for your word"), ("superseded", "Earlier")):
        if groups[state]:
            lines += ["", f"## {heading}", "", *_lines(groups[state])]
    return "\n".join(lines) + "\n"


def _lines(memories: Sequence[MemoryResult]) -> list[str]:
    lines: list[str] = []
    for item in memories:
        when = f" ({item.created_at.date().isoformat()})" if item.created_at else ""
        first, *rest = item.content.splitlines() or [""]
        lines.append(f"- {first}{when if not rest else ''}")
        lines += [f"  {line}" for line in rest]
        if rest and when:
            lines.append(f" {when}")
    return lines


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
