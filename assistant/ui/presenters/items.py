"""Stored messages as the window shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from assistant.agent.events import MemoryProposed, MemorySaved, TurnResult
from assistant.agent.turn_notes import context_notes
from assistant.conversation.base import StoredMessage
from assistant.core.errors import AssistantError
from assistant.memory.recall.result import RecalledMemory
from assistant.ui.models.messages import MessageItem, RecalledFact, RememberedFact, ShownError

NO_WORDS = ShownError(
    "No answer",
    "The model ended its reply without a word. Your message is kept.",
    "Try again; when it happens again, choose another model.",
)
"""For a reply that is complete and empty."""


def message_item(message: StoredMessage) -> MessageItem | None:
    """A stored message for the chat; None for roles that are not shown."""
    if message.role not in ("user", "assistant"):
        return None
    notes = message.metadata
    return MessageItem(
        message_id=message.message_id,
        role="user" if message.role == "user" else "assistant",
        text=message.content,
        state=message.state,
        recalled=tuple(_recalled(entry) for entry in _entries(notes, "recalled")),
        remembered=remembered_facts(notes),
        reasoning=str(notes.get("reasoning") or ""),
        memory_note=str(notes.get("memory_note") or ""),
        error=_error(notes.get("error")) or (NO_WORDS if _is_empty_reply(message) else None),
        host=str(notes.get("host") or ""),
        cached=bool(notes.get("cached")),
        context_note=str(notes.get("context_note") or ""),
        variant=message.variant,
        variants=message.variants,
        created_at=message.created_at,
    )


def _is_empty_reply(message: StoredMessage) -> bool:
    return message.role == "assistant" and message.state == "complete" and not message.content.strip()


def done_notes(result: TurnResult) -> dict[str, Any]:
    """What the result of a turn says under its reply, as fields of a MessageItem."""
    return {
        "memory_note": result["memory_note"],
        "cached": result["cached"],
        "context_note": str(context_notes(result["context"]).get("context_note", "")),
    }


def recalled_facts(items: Sequence[RecalledMemory]) -> tuple[RecalledFact, ...]:
    """What a reply was given, as its message shows it."""
    return tuple(
        RecalledFact(
            item.memory.memory_id,
            item.memory.content,
            item.memory.created_at,
            item.kind,
            item.speaker,
            item.said_on,
            item.why.sentence(),
        )
        for item in items
    )


def with_memory(item: MessageItem | None, event: MemorySaved | MemoryProposed) -> MessageItem | None:
    """A reply with what its turn kept, or would like to keep."""
    if isinstance(event, MemorySaved):
        fact = RememberedFact(event.memory.memory_id, event.memory.content)
    else:
        fact = RememberedFact(event.memory_id, event.content, waits=True, reason=event.reason)
    return None if item is None else replace(item, remembered=(*item.remembered, fact))


def remembered_facts(notes: Mapping[str, Any]) -> tuple[RememberedFact, ...]:
    """What a message's metadata says about the memories that came from it."""
    return tuple(
        RememberedFact(
            str(entry.get("memory_id", "")),
            str(entry.get("text", "")),
            undone=bool(entry.get("undone")),
            waits=bool(entry.get("waits")),
            reason=str(entry.get("reason") or ""),
            replaced=bool(entry.get("replaced")),
        )
        for entry in _entries(notes, "remembered")
    )


def remembered_notes(facts: Sequence[RememberedFact]) -> dict[str, Any]:
    """The metadata that `remembered_facts` reads."""
    return {"remembered": [asdict(fact) for fact in facts]}


def shown_error(error: AssistantError) -> ShownError:
    return ShownError(error.title, error.message, error.hint, error.detail)


def _entries(notes: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = notes.get(key)
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def _recalled(entry: Mapping[str, Any]) -> RecalledFact:
    said = _moment(entry.get("said_on"))
    return RecalledFact(
        str(entry.get("memory_id", "")),
        str(entry.get("text", "")),
        _moment(entry.get("created_at")),
        str(entry.get("kind") or "fact"),
        str(entry.get("speaker") or ""),
        None if said is None else said.date(),
        str(entry.get("why") or ""),
    )


def _moment(value: object) -> datetime | None:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _error(value: object) -> ShownError | None:
    if not isinstance(value, Mapping):
        return None
    return ShownError(
        str(value.get("title", "")),
        str(value.get("message", "")),
        str(value.get("hint", "")),
        str(value.get("detail", "")),
    )
