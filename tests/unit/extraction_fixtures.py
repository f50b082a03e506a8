"""What the tests of extraction share."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from assistant.memory.learning.base import Candidate, Utterance

SAID_AT = datetime(2026, 11, 2, 9, 30, tzinfo=UTC)


def said(text: str) -> Utterance:
    """A message of 2 November 2026, a Monday."""
    return Utterance(text, SAID_AT)


def proposed(quote: str, content: str | None = None, *, subject: str = "user") -> Candidate:
    """What a model proposes: the quote itself when no content is given."""
    return Candidate(quote if content is None else content, quote, subject=subject, origin="model")


def answer(*facts: dict[str, str]) -> str:
    """A model's answer in the shape that it was asked for."""
    return json.dumps({"facts": list(facts)}, ensure_ascii=False)


def fact(quote: str, content: str | None = None, **more: str) -> dict[str, str]:
    """One entry of such an answer."""
    return {
        "quote": quote,
        "content": quote if content is None else content,
        "kind": "fact",
        "subject": "user",
        **more,
    }
