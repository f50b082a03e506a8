"""A memory as the record keeps it, and what a caller's metadata says about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, Literal

from assistant.core.errors import InvalidTextError
from assistant.core.text import check_text
from assistant.memory.base import TURN
from assistant.memory.recall.shelf import UNKNOWN_POSITION, Card
from assistant.memory.record import Record
from assistant.memory.rules import decode_metadata, micros_of

State = Literal["pending", "active", "superseded"]

FACT = "fact"

MICROS_A_DAY = 86_400_000_000
_LARGEST = 2**53
_LONGEST_WORD = 200


@dataclass(frozen=True, slots=True)
class Details:
    """What is known of a memory beside its text; None where nothing is.

    Attributes:
        kind: "turn" for something that was said in a conversation, otherwise a fact of some kind.
        quote: the words of the user that a fact was taken from.
        source: where it comes from, as JSON text.
        said_at, valid_from, valid_to: microseconds since 1970.
        subject: whom or what it is about.
        language: a language tag.
        sensitivity: why it needs care ("health", "money" …).
        speaker: who said it.
        session, position: the conversation of a turn, and its place there.
    """

    kind: str = FACT
    quote: str | None = None
    source: str | None = None
    said_at: int | None = None
    valid_from: int | None = None
    valid_to: int | None = None
    subject: str | None = None
    language: str | None = None
    sensitivity: str | None = None
    speaker: str | None = None
    session: str | None = None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory of the record.

    Attributes:
        number: unique in the record.
        record: id, text, metadata, times and label, as every provider keeps them.
        state: "active" ones are found; "pending" ones wait for the user's word; "superseded" ones are history.
        details: see Details.
        version: 1 for the first text.
        pinned: injected into every prompt.
        barred: a turn that must not be recalled any more.
        uses: how often it was injected.
        used_at: when last, microseconds since 1970.
        superseded_by: id of the memory that took its place.
    """

    number: int
    record: Record
    state: State
    details: Details
    version: int = 1
    pinned: bool = False
    barred: bool = False
    uses: int = 0
    used_at: int | None = None
    superseded_by: str | None = None

    @property
    def memory_id(self) -> str:
        return self.record.memory_id

    @property
    def is_found(self) -> bool:
        """Whether recall may find it."""
        return self.state == "active" and not self.barred

    @property
    def said(self) -> int:
        """When it was said, or else kept; microseconds since 1970."""
        return self.details.said_at if self.details.said_at is not None else self.record.created or 0


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """What a memory said before.

    Attributes:
        number: 1 for the first.
        content, metadata: as they were.
        quote: the words that it was taken from, None for none.
        replaced_at: when another text took its place; UTC.
    """

    number: int
    content: str
    metadata: Mapping[str, Any]
    quote: str | None
    replaced_at: datetime | None


def details_from(metadata: Mapping[str, Any]) -> Details:
    """What a caller's metadata says, where it says it in the form expected; anything else is left alone."""
    kind = _word(metadata, "kind") or FACT
    is_turn = kind == TURN
    source = metadata.get("source")
    return Details(
        kind=kind,
        quote=_text(metadata, "quote"),
        source=None if source is None else json.dumps(source, ensure_ascii=False),
        said_at=_moment(metadata, "said_at"),
        valid_from=_moment(metadata, "valid_from"),
        valid_to=_moment(metadata, "valid_to"),
        subject=_word(metadata, "subject"),
        language=_word(metadata, "language"),
        sensitivity=_word(metadata, "sensitivity"),
        speaker=_word(metadata, "speaker"),
        session=_text(metadata, "session_id") if is_turn else None,
        position=_number(metadata, "position") if is_turn else None,
    )


def card_of(entry: Entry, length: int, questions: float, tells_time: bool) -> Card:
    """What the ranking gets of an entry."""
    details = entry.details
    is_turn = details.kind == TURN
    return Card(
        number=entry.number,
        memory_id=entry.memory_id,
        is_turn=is_turn,
        session=details.session or "" if is_turn else "",
        position=UNKNOWN_POSITION if details.position is None else details.position,
        said=entry.said / MICROS_A_DAY,
        speaker=folded_name(details.speaker),
        length=length,
        questions=questions if is_turn else 0.0,
        tells_time=tells_time,
        pinned=entry.pinned,
    )


def folded_name(speaker: str | None) -> str:
    """A speaker's name for comparison."""
    return " ".join(speaker.casefold().split()) if speaker else ""


def source_session(entry: Entry) -> str | None:
    """The conversation that a fact was learned in, None when its source does not say."""
    return _told_by_source(entry, "session_id")


def source_message(entry: Entry) -> str | None:
    """The message that a fact was learned from, None when its source does not say."""
    return _told_by_source(entry, "message_id")


def turn_message(turn: Entry) -> str | None:
    """The message that a turn is, None when its metadata does not say."""
    return _text(decode_metadata(turn.record.metadata), "message_id")


def with_metadata(entry: Entry, metadata: str, updated: int) -> Entry:
    """`entry` with other metadata, and what that says; what it does not say stays."""
    told = details_from(decode_metadata(metadata))
    known = {
        field.name: getattr(told, field.name)
        for field in fields(Details)
        if getattr(told, field.name) is not None
    }
    record = replace(entry.record, metadata=metadata, updated=updated)
    return replace(entry, record=record, details=replace(entry.details, **known))


def _told_by_source(entry: Entry, name: str) -> str | None:
    if entry.details.source is None:
        return None
    source = json.loads(entry.details.source)
    return _text(source, name) if isinstance(source, dict) else None


def _text(metadata: Mapping[str, Any], key: str) -> str | None:
    value = metadata.get(key)
    return value if isinstance(value, str) and value else None


def _word(metadata: Mapping[str, Any], key: str) -> str | None:
    value = _text(metadata, key)
    return value if value is not None and value.strip() and len(value) <= _LONGEST_WORD else None


def _number(metadata: Mapping[str, Any], key: str) -> int | None:
    value = metadata.get(key)
    fits = isinstance(value, int) and not isinstance(value, bool) and -_LARGEST < value < _LARGEST
    return value if fits else None


def _moment(metadata: Mapping[str, Any], key: str) -> int | None:
    value = metadata.get(key)
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(check_text(value))
    except (ValueError, InvalidTextError):
        return None
    # A time without a zone is taken as UTC: the order of what was said is right in any case.
    try:
        return micros_of(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    except OverflowError:
        return None
