"""What a turn reports while it runs, and its result."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypedDict

from assistant.context.reports import ContextReport
from assistant.core.types import MemoryStatus, Message, Usage
from assistant.memory.base import MemoryResult
from assistant.memory.learning.base import Learned
from assistant.memory.recall.result import RecalledMemory


class TurnResult(TypedDict):
    """What `ainvoke` returns.

    Keys:
        messages: those given plus the reply; never an injected one.
        recalled: the memories that were put into the prompt.
        memory_status: "ok", "none" (no memory configured, or no caller), "failed" (the turn ran without).
        memory_note: why memory failed, in plain words; empty otherwise.
        cached: whether the reply came from the answer cache.
        usage: tokens as reported by the server.
        finish: "stop", "length" or the server's own word.
        session_id: the conversation that the turn was stored in, None without a store.
        context: what was put into the prompt, layer by layer; None without a context engine.
    """

    messages: list[Message]
    recalled: list[MemoryResult]
    memory_status: MemoryStatus
    memory_note: str
    cached: bool
    usage: Usage
    finish: str
    session_id: str | None
    context: ContextReport | None


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """The user's message is stored (ids are None without a conversation store)."""

    session_id: str | None
    user_message_id: str | None
    reply_id: str | None


@dataclass(frozen=True, slots=True)
class Recalled:
    """Recall has ended; comes before the first text.

    Attributes:
        memories, memory_status, note: see TurnResult.
        items: the memories with who said them, when, and why they were found.
    """

    memories: tuple[MemoryResult, ...]
    memory_status: MemoryStatus
    note: str = ""
    items: tuple[RecalledMemory, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class ReplyText:
    """More text of the reply; already on disk when a conversation store is used."""

    text: str


@dataclass(frozen=True, slots=True)
class ReplyReasoning:
    """More of what the model thinks aloud."""

    text: str


@dataclass(frozen=True, slots=True)
class MemoryProposed:
    """A memory from this turn waits for the user's word.

    Attributes:
        memory_id, content: the memory.
        reason: why it waits, in plain words.
        replaces: id of the memory whose place it would take, None for none.
    """

    memory_id: str
    content: str
    reason: str
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class MemorySaved:
    """A memory was kept from this turn.

    Attributes:
        memory: the memory.
        replaces: id of the memory whose place it took, None for none.
    """

    memory: MemoryResult
    replaces: str | None = None


@dataclass(frozen=True, slots=True)
class TurnDone:
    """The turn ended well."""

    result: TurnResult


TurnEvent = TurnStarted | Recalled | ReplyText | ReplyReasoning | MemoryProposed | MemorySaved | TurnDone


def memory_events(learned: Learned) -> list[MemorySaved | MemoryProposed]:
    """What was learned as events, in order."""
    return [
        MemoryProposed(kept.memory_id, kept.content, kept.reason, kept.replaced)
        if kept.waits
        else MemorySaved(MemoryResult(kept.content, 1.0, kept.memory_id, kept.metadata), kept.replaced)
        for kept in learned.kept
    ]
