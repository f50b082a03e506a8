"""The file that memories are exported to and imported from.

One JSON object with "format", "version", "exported_at" and "memories"; times are ISO 8601, UTC. Version 1 says of each
memory "id", "content", "metadata", "created_at" and "updated_at". Version 2 adds "state" ("active", "pending" or
"superseded") and, where they say something, "pinned", "superseded_by", "versions" (what it said before, oldest first:
"number", "content", "metadata", "quote", "replaced_at"), "barred", "uses", "used_at" and "details" (what is known of it
beside its metadata).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from assistant.core.errors import InvalidInputError
from assistant.core.text import check_text
from assistant.memory.base import MemoryResult, NewMemory
from assistant.memory.ledger.entry import Details, Entry, MemoryVersion, State, details_from
from assistant.memory.ledger.exchange import Arriving, Kept
from assistant.memory.rules import (
    checked_content,
    checked_id,
    decode_metadata,
    encode_metadata,
    micros_of,
    moment_of,
)

FORMAT = "keepsake-memories"
VERSION = 2
_HINT = "Choose a JSON file that Keepsake exported. Nothing was changed."
_STATES: dict[str, State] = {"active": "active", "pending": "pending", "superseded": "superseded"}
_MOST_USES = 2**53

_TEXTS = ("quote", "source", "subject", "language", "sensitivity", "speaker")
_TIMES = ("said_at", "valid_from", "valid_to")


@dataclass(frozen=True, slots=True)
class Exported:
    """A memory that goes out; `kept` where a ledger knows more of it."""

    result: MemoryResult
    kept: Kept | None = None

    @property
    def state(self) -> State:
        return "active" if self.kept is None else self.kept.entry.state


def document(memories: Sequence[Exported]) -> str:
    """The text of a file of those memories."""
    return json.dumps(
        {
            "format": FORMAT,
            "version": VERSION,
            "exported_at": datetime.now(UTC).isoformat(),
            "memories": [_as_json(memory) for memory in memories],
        },
        ensure_ascii=False,
        indent=1,
    )


def parsed(text: str, name: str) -> tuple[list[Arriving], tuple[str, ...]]:
    """The memories of a file of that name, and why others of it can't be used.

    Raises:
        InvalidInputError: not a file of this format, or of a newer version.
    """
    version, listed = _memories(text, name)
    items: list[Arriving] = []
    skipped: list[str] = []
    for number, told in enumerate(listed, start=1):
        try:
            items.append(_arriving(told, version))
        except InvalidInputError as exc:
            skipped.append(f"Entry {number}: {exc.message}")
    return items, tuple(skipped)


# ---- out


def _as_json(memory: Exported) -> dict[str, Any]:
    item = memory.result
    told: dict[str, Any] = {
        "id": item.memory_id,
        "content": item.content,
        "metadata": dict(item.metadata),
        "created_at": _iso(item.created_at),
        "updated_at": _iso(item.updated_at),
        "state": memory.state,
    }
    if memory.kept is not None:
        entry = memory.kept.entry
        more = {
            "pinned": entry.pinned,
            "superseded_by": entry.superseded_by,
            "versions": [_version_as_json(version) for version in memory.kept.versions],
            "barred": entry.barred,
            "uses": entry.uses,
            "used_at": _iso(moment_of(entry.used_at)),
            "details": _details_as_json(entry),
        }
        told |= {name: value for name, value in more.items() if value or name == "pinned"}
    return told


def _version_as_json(version: MemoryVersion) -> dict[str, Any]:
    return {
        "number": version.number,
        "content": version.content,
        "metadata": dict(version.metadata),
        "quote": version.quote,
        "replaced_at": _iso(version.replaced_at),
    }


def _details_as_json(entry: Entry) -> dict[str, Any]:
    """What is known of an entry that its metadata does not say."""
    told = details_from(decode_metadata(entry.record.metadata))
    known = {field.name: getattr(entry.details, field.name) for field in fields(Details)}
    beside = {name: value for name, value in known.items() if value != getattr(told, name)}
    texts = {name: value for name, value in beside.items() if name in _TEXTS}
    return texts | {name: _iso(moment_of(value)) for name, value in beside.items() if name in _TIMES}


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


# ---- in


def _memories(text: str, name: str) -> tuple[int, list[Any]]:
    try:
        whole = json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidInputError(f"{name} is not a JSON file.", hint=_HINT) from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise InvalidInputError(f"{name} holds no memories of Keepsake.", hint=_HINT)
    version = whole.get("version")
    if not isinstance(version, int):
        raise InvalidInputError(f"{name} does not say which version wrote it.", hint=_HINT)
    if version > VERSION:
        raise InvalidInputError(
            f"{name} was written by a newer version of Keepsake.",
            hint="Update Keepsake, then import it again.",
        )
    listed = whole.get("memories")
    if not isinstance(listed, list):
        raise InvalidInputError(f"{name} has no list of memories.", hint=_HINT)
    return version, listed


def _arriving(told: Any, version: int) -> Arriving:
    if not isinstance(told, Mapping):
        raise InvalidInputError("This is not a memory.")
    content, metadata, memory_id = told.get("content"), told.get("metadata"), told.get("id")
    if not isinstance(content, str):
        raise InvalidInputError("It has no text.")
    memory = NewMemory(
        checked_content(content),
        decode_metadata(encode_metadata(metadata)),
        None if memory_id is None else checked_id(memory_id),
        moment(told.get("created_at")),
        moment(told.get("updated_at")),
    )
    if version < VERSION:
        return Arriving(memory)
    state, successor = told.get("state"), told.get("superseded_by")
    if not isinstance(state, str) or state not in _STATES:
        raise InvalidInputError("It does not say whether it is used, waits or was replaced.")
    used = moment(told.get("used_at"))
    return Arriving(
        memory,
        _STATES[state],
        _flag(told.get("pinned")),
        bool(_flag(told.get("barred"))),
        _uses(told.get("uses")),
        None if used is None else micros_of(used),
        None if successor is None else checked_id(successor),
        _versions(told.get("versions")),
        _details(told.get("details")),
    )


def _versions(told: Any) -> tuple[MemoryVersion, ...]:
    if told is None:
        return ()
    if not isinstance(told, list) or not all(isinstance(each, Mapping) for each in told):
        raise InvalidInputError("What it said before can't be read.")
    return tuple(
        MemoryVersion(
            number,
            checked_content(each.get("content")),
            decode_metadata(encode_metadata(each.get("metadata"))),
            None if each.get("quote") is None else checked_content(each["quote"]),
            moment(each.get("replaced_at")),
        )
        for number, each in enumerate(told, start=1)
    )


def _details(told: Any) -> dict[str, str | int | None]:
    known: dict[str, str | int | None] = {}
    for name, value in told.items() if isinstance(told, Mapping) else ():
        if name in _TIMES:
            at = moment(value)
            known[name] = None if at is None else micros_of(at)
        elif name in _TEXTS and (value is None or isinstance(value, str)):
            known[name] = None if value is None else check_text(value)
    if known.get("source") is not None:
        try:
            json.loads(str(known["source"]))
        except (ValueError, RecursionError):
            del known["source"]
    return known


def _flag(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None


def _uses(value: Any) -> int | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < _MOST_USES
    return value if fits else None


def moment(text: Any) -> datetime | None:
    """A time as an export writes it; None for anything else: a memory without its date is still a memory."""
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo is not None else at.replace(tzinfo=UTC)).astimezone(UTC)
    except (TypeError, ValueError, OverflowError):
        return None
