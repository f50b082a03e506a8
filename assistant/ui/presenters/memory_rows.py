"""Entries of the memory as the window shows them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any

from assistant.memory.base import TURN
from assistant.memory.learning.keeping import REPLACES
from assistant.memory.rules import decode_metadata, moment_of
from assistant.ui.models.memories import MemoryRow, RowKind
from assistant.ui.models.memory_details import MemoryDetails, PastText, UsedMemory
from assistant.ui.models.messages import RecalledFact
from assistant.ui.words import count, day, exact_day

if TYPE_CHECKING:
    from assistant.memory.ledger.entry import Entry, MemoryVersion

_SPEAKERS = {"user": "you said", "assistant": "Keepsake said"}
_KINDS = {
    "fact": "Fact",
    "preference": "Preference",
    "plan": "Plan",
    "event": "Event",
    "relation": "Person",
    "explicit": "On request",
    TURN: "Said in a conversation",
}


def kind_name(kind: str) -> str:
    """A kind of memory in a word or two."""
    return _KINDS.get(kind) or kind[:40].capitalize()


def row_kind(entry: Entry) -> RowKind:
    """How an entry is shown."""
    if entry.details.kind == TURN:
        return "said"
    return {"pending": "waiting", "superseded": "earlier"}.get(entry.state, "fact")  # type: ignore[return-value]


def source_of(entry: Entry) -> tuple[str, str]:
    """Conversation and message that an entry comes from; empty for none."""
    if entry.details.kind == TURN:
        metadata = decode_metadata(entry.record.metadata)
        return entry.details.session or "", _text(metadata.get("message_id"))
    source = _source(entry)
    return _text(source.get("session_id")), _text(source.get("message_id"))


def memory_row(entry: Entry, now: datetime, was: Entry | None = None) -> MemoryRow:
    """An entry for the panel.

    Args:
        was: what it took the place of, or would take.
    """
    session, message = source_of(entry)
    kind = row_kind(entry)
    note = ""
    if kind == "waiting":
        note = _waiting_note(entry, was)
    elif was is not None:
        note = f"was: {was.record.content}"
    return MemoryRow(
        memory_id=entry.memory_id,
        text=entry.record.content,
        caption=_caption(entry, kind, now),
        created_at=moment_of(entry.record.created),
        source_session=session,
        source_message=message,
        kind=kind,
        pinned=entry.pinned,
        note=note,
    )


def said_row(entry: Entry, now: datetime, title: str) -> MemoryRow:
    """Something that was said, for the panel; `title` is that of its conversation."""
    session, message = source_of(entry)
    said = _SPEAKERS.get(entry.details.speaker or "", f"{entry.details.speaker or 'somebody'} said")
    parts = [*_day(entry.said, now), f"{said} in “{title}”" if title else said]
    return MemoryRow(
        memory_id=entry.memory_id,
        text=entry.record.content,
        caption=" · ".join(parts),
        created_at=moment_of(entry.said),
        source_session=session,
        source_message=message,
        kind="said",
    )


def memory_details(
    entry: Entry,
    now: datetime,
    *,
    versions: Sequence[MemoryVersion] = (),
    replaced: Sequence[Entry] = (),
    replaced_by: Entry | None = None,
    title: str = "",
) -> MemoryDetails:
    """All that is known of an entry.

    Args:
        versions: what it said before, oldest first.
        replaced: what it took the place of, newest first.
        replaced_by: what took its place.
        title: of the conversation that it comes from.
    """
    session, message = source_of(entry)
    kind = row_kind(entry)
    quote = entry.details.quote or ""
    return MemoryDetails(
        memory_id=entry.memory_id,
        text=entry.record.content,
        row_kind=kind,
        facts=tuple(_facts(entry, kind, now, title)),
        quote="" if _folded(quote) == _folded(entry.record.content) else quote,
        session_id=session,
        message_id=message,
        pinned=entry.pinned,
        versions=tuple(
            PastText(
                version.content, f"until {exact_day(version.replaced_at, now)}" if version.replaced_at else ""
            )
            for version in reversed(versions)
        ),
        replaced=tuple(_past(old, now) for old in replaced),
        replaced_by=None if replaced_by is None else _past(replaced_by, now),
    )


def used_memory(
    fact: RecalledFact, entry: Entry | None, now: datetime, *, is_known: bool = True
) -> UsedMemory:
    """A memory that a reply was given; `entry` is what the memory holds of it now, None for nothing.

    Args:
        is_known: whether the memory could be read.
    """
    said = _SPEAKERS.get(fact.speaker, f"{fact.speaker} said" if fact.speaker else "")
    session, message = ("", "") if entry is None else source_of(entry)
    when = ""
    if fact.said_on is not None:
        when = day(datetime.combine(fact.said_on, datetime.min.time(), now.tzinfo), now)
    elif fact.created_at is not None:
        when = day(fact.created_at, now)
    changed = ""
    if entry is None:
        changed = "no longer remembered" if is_known else ""
    elif entry.barred:
        changed = "not used any more"
    elif entry.state == "superseded":
        changed = "replaced since"
    elif entry.record.content != fact.text:
        changed = "edited since"
    return UsedMemory(
        memory_id=fact.memory_id,
        text=fact.text,
        caption=" · ".join(part for part in (when, said, changed) if part),
        why=fact.why,
        is_turn=fact.kind == TURN,
        is_there=entry is not None and entry.state == "active",
        is_barred=entry is not None and entry.barred,
        session_id=session,
        message_id=message,
    )


def _caption(entry: Entry, kind: RowKind, now: datetime) -> str:
    parts = _day(entry.said, now)
    parts.append(_origin(entry))
    if entry.version > 1:
        parts.append("edited")
    if entry.uses:
        parts.append(f"used {entry.uses:,}×")
    if kind == "earlier":
        until = _day(entry.details.valid_to or entry.record.updated, now)
        parts += [f"until {moment}" for moment in until]
    return " · ".join(parts)


def _facts(entry: Entry, kind: RowKind, now: datetime, title: str) -> list[tuple[str, str]]:
    said = moment_of(entry.said)
    origin = _origin(entry)
    where = f"{origin} in “{title}”" if title else origin
    facts = [("Kind", kind_name(entry.details.kind))]
    if kind == "waiting" and _reason(entry):
        facts.append(("Waiting", _reason(entry)))
    facts.append(("From", f"{exact_day(said, now)}, {where}" if said is not None else where))
    created = moment_of(entry.record.created)
    if created is not None and said is not None and created.date() != said.date():
        facts.append(("Kept", exact_day(created, now)))
    valid_to = moment_of(entry.details.valid_to)
    if valid_to is not None:
        facts.append(("Until", exact_day(valid_to, now)))
    if kind != "waiting":
        used = "not yet"
        if entry.uses:
            last = moment_of(entry.used_at)
            used = count(entry.uses, "time", "times") + (f", last {day(last, now)}" if last else "")
        facts.append(("Used", used))
    return facts


def _past(entry: Entry, now: datetime) -> PastText:
    begin = moment_of(entry.said)
    end = moment_of(entry.details.valid_to) if entry.state == "superseded" else None
    words = [f"from {exact_day(begin, now)}"] if begin is not None else []
    if end is not None:
        until = f"until {exact_day(end, now)}"
        # "from today until today" says less than "until today".
        words = [until] if words == [f"from {exact_day(end, now)}"] else [*words, until]
    return PastText(entry.record.content, " ".join(words), entry.memory_id)


def _origin(entry: Entry) -> str:
    source = _source(entry)
    if _text(source.get("session_id")):
        return "you said" if entry.details.quote or entry.details.kind == "explicit" else "from a chat"
    return "imported" if source.get("kind") == "import" else "you added it"


def _reason(entry: Entry) -> str:
    return _text(decode_metadata(entry.record.metadata).get("reason"))


def _waiting_note(entry: Entry, was: Entry | None) -> str:
    """Why it waits, and what it would take the place of."""
    reason = _reason(entry)
    if was is None or was.record.content in reason:
        return reason
    return f"{reason} May replace: {was.record.content}".strip()


def would_replace(entry: Entry) -> str:
    """The id of the memory whose place a waiting one would take; empty for none."""
    if entry.state != "pending":
        return ""
    return _text(decode_metadata(entry.record.metadata).get(REPLACES))


def _source(entry: Entry) -> Mapping[str, Any]:
    source = json.loads(entry.details.source) if entry.details.source is not None else None
    return source if isinstance(source, Mapping) else {}


def _day(micros: int | None, now: datetime) -> list[str]:
    moment = moment_of(micros) if micros else None
    return [] if moment is None else [day(moment, now)]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
