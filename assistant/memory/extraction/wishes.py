"""Keeps what a person asked to remember from being found a second time."""

from __future__ import annotations

from types import MappingProxyType

from assistant.memory.extraction.reading import folded
from assistant.memory.learning.base import Extraction

ASKED_FOR = "asked for already"


def without_wish(extraction: Extraction, wish: str | None) -> Extraction:
    """`extraction` without what the explicit wish (see remember_wish) says already; those are counted as dropped."""
    if not wish:
        return extraction
    asked = _bare(wish)
    kept = tuple(
        each for each in extraction.candidates if not _repeats(asked, _bare(each.content), _bare(each.quote))
    )
    repeated = len(extraction.candidates) - len(kept)
    if not repeated:
        return extraction
    reasons = dict(extraction.dropped)
    reasons[ASKED_FOR] = reasons.get(ASKED_FOR, 0) + repeated
    return Extraction(kept, MappingProxyType(reasons))


def _repeats(asked: str, content: str, quote: str) -> bool:
    return any(_within(part, whole) for part, whole in ((content, asked), (quote, asked), (asked, content)))


def _within(part: str, whole: str) -> bool:
    return f" {part} " in f" {whole} " or (not part.isascii() and part in whole)


def _bare(text: str) -> str:
    return folded(text).strip(" .,;:!?\"'。、，！？")
