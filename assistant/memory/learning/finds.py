"""What is found in a message, and what becomes of it, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from assistant.memory.extraction.wishes import without_wish
from assistant.memory.learning.base import Candidate, Extraction, Learned, LearnedMemory, Utterance
from assistant.memory.learning.gate import KNOWN
from assistant.memory.learning.keeping import normal
from assistant.memory.remember import remember_wish


def wish_of(utterance: Utterance) -> Candidate | None:
    """What a message asks in plain words to keep."""
    wish = remember_wish(utterance.text)
    return None if wish is None else Candidate(wish, wish, kind="explicit", origin="wish")


def distinct(found: Extraction, wish: Candidate | None, dropped: Counter[str]) -> list[Candidate]:
    """Candidates that repeat neither one another nor the wish; what is left out is counted."""
    new = without_wish(found, None if wish is None else wish.content)
    dropped.update(new.dropped)
    first: dict[str, Candidate] = {}
    for candidate in new.candidates:
        first.setdefault(normal(candidate.content), candidate)
    dropped[KNOWN] += len(new.candidates) - len(first)
    return list(first.values())


def count(outcome: LearnedMemory | str, kept: list[LearnedMemory], dropped: Counter[str]) -> None:
    """Note what became of a candidate at the gate."""
    if isinstance(outcome, LearnedMemory):
        kept.append(outcome)
    else:
        dropped[outcome] += 1


def learned_from(kept: Iterable[LearnedMemory], dropped: Mapping[str, int]) -> Learned:
    """What was learned, with only those reasons that dropped something."""
    return Learned(
        tuple(kept), MappingProxyType({reason: count for reason, count in dropped.items() if count})
    )
