"""What a stored reply says about its turn."""

from __future__ import annotations

from typing import Any

from assistant.core.errors import AssistantError
from assistant.core.text import drop_lone_surrogates
from assistant.memory.base import MemoryResult


def memory_notes(memory: MemoryResult) -> dict[str, Any]:
    """A recalled memory as the reply keeps it: later changes to the memory do not change what was used."""
    created = memory.created_at
    return {
        "memory_id": memory.memory_id,
        "text": drop_lone_surrogates(memory.content),
        "score": memory.score,
        "created_at": None if created is None else created.isoformat(),
    }


def error_notes(error: AssistantError) -> dict[str, Any]:
    """An error as a reply keeps it."""
    return {
        "error": {
            "title": error.title,
            "message": drop_lone_surrogates(error.message),
            "hint": error.hint,
            "detail": drop_lone_surrogates(error.detail),
        }
    }
