"""The agent: ties memory, conversations and a model together, turn by turn."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.agent.agent import Agent
    from assistant.agent.builder import build_agent
    from assistant.agent.events import (
        MemoryProposed,
        MemorySaved,
        Recalled,
        ReplyReasoning,
        ReplyText,
        TurnDone,
        TurnEvent,
        TurnResult,
        TurnStarted,
    )

_EVENTS = (
    "MemoryProposed",
    "MemorySaved",
    "Recalled",
    "ReplyReasoning",
    "ReplyText",
    "TurnDone",
    "TurnEvent",
    "TurnResult",
    "TurnStarted",
)
_HOMES = {
    "Agent": "assistant.agent.agent",
    "build_agent": "assistant.agent.builder",
    **dict.fromkeys(_EVENTS, "assistant.agent.events"),
}

__all__ = [
    "build_agent", "Agent", "TurnEvent", "TurnResult",
    "TurnStarted", "Recalled", "ReplyText", "ReplyReasoning", "MemoryProposed", "MemorySaved", "TurnDone",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
