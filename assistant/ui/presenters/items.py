"""Stored messages and memories as the window shows them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from assistant.conversation.base import StoredMessage
from assistant.core.errors import AssistantError
from assistant.memory.base import MemoryResult
from assistant.ui.models.memories import MemoryRow
from assistant.ui.models.messages import MessageItem, RecalledFact, RememberedFact, ShownError
from assistant.ui.words import day

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
        remembered=tuple(
            RememberedFact(
                str(entry.get("memory_id", "")), str(entry.get("text", "")), bool(entry.get("undone"))
            )
            for entry in _entries(notes, "remembered")
        ),
        reasoning=str(notes.get("reasoning") or ""),
        memory_note=str(notes.get("memory_note") or ""),
        error=_error(notes.get("error")) or (NO_WORDS if _is_empty_reply(message) else None),
        host=str(notes.get("host") or ""),
        created_at=message.created_at,
    )


def _is_empty_reply(message: StoredMessage) -> bool:
    return message.role == "assistant" and message.state == "complete" and not message.content.strip()


def recalled_facts(memories: tuple[MemoryResult, ...]) -> tuple[RecalledFact, ...]:
    return tuple(RecalledFact(m.memory_id, m.content, m.created_at) for m in memories)


def shown_error(error: AssistantError) -> ShownError:
    return ShownError(error.title, error.message, error.hint, error.detail)


def memory_row(memory: MemoryResult, now: datetime) -> MemoryRow:
    """A memory for the panel."""
    source = memory.metadata.get("source")
    source = source if isinstance(source, Mapping) else {}
    session = str(source.get("session_id") or "")
    origin = "from a chat" if session else "imported" if source.get("kind") == "import" else "you added it"
    if session and memory.metadata.get("kind") == "explicit":
        origin = "you said"
    parts = [day(memory.created_at, now)] if memory.created_at else []
    if (
        memory.updated_at
        and memory.created_at
        and (memory.updated_at - memory.created_at).total_seconds() > 1
    ):
        parts.append(f"edited {day(memory.updated_at, now)}")
    return MemoryRow(
        memory_id=memory.memory_id,
        text=memory.content,
        caption=" · ".join([*parts, origin]),
        created_at=memory.created_at,
        source_session=session,
        source_message=str(source.get("message_id") or ""),
    )


def _entries(notes: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = notes.get(key)
    return [entry for entry in value if isinstance(entry, Mapping)] if isinstance(value, list) else []


def _recalled(entry: Mapping[str, Any]) -> RecalledFact:
    created = entry.get("created_at")
    moment = None
    if isinstance(created, str):
        try:
            moment = datetime.fromisoformat(created)
        except ValueError:
            moment = None
    return RecalledFact(str(entry.get("memory_id", "")), str(entry.get("text", "")), moment)


def _error(value: object) -> ShownError | None:
    if not isinstance(value, Mapping):
        return None
    return ShownError(
        str(value.get("title", "")),
        str(value.get("message", "")),
        str(value.get("hint", "")),
        str(value.get("detail", "")),
    )
