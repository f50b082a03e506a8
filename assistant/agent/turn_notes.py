"""What a stored reply says about its turn."""

from __future__ import annotations

from typing import Any

from assistant.context.reports import ContextReport, of_sizes
from assistant.core.errors import AssistantError
from assistant.core.text import drop_lone_surrogates
from assistant.memory.recall.result import RecalledMemory


def memory_notes(item: RecalledMemory) -> dict[str, Any]:
    """A recalled memory as the reply keeps it: later changes to the memory do not change what was used."""
    memory = item.memory
    created = memory.created_at
    return {
        "memory_id": memory.memory_id,
        "text": drop_lone_surrogates(memory.content),
        "score": memory.score,
        "created_at": None if created is None else created.isoformat(),
        "kind": item.kind,
        "speaker": item.speaker,
        "said_on": None if item.said_on is None else item.said_on.isoformat(),
        "why": item.why.sentence(),
    }


def context_notes(report: ContextReport | None) -> dict[str, Any]:
    """What a reply says of its prompt when the server seems to have read only a part of it."""
    if report is None or not report.truncation_suspected or report.reported_tokens is None:
        return {}
    sizes = of_sizes(report.reported_tokens, report.tokens)
    return {
        "context_note": f"The server read only about {sizes} tokens of what was sent, so the reply may miss things. "
        "Start a new conversation, or give the model a larger window in its server."
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
