"""What recall gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol, runtime_checkable

from assistant.core.types import Message
from assistant.memory.base import MemoryProvider, MemoryResult


@dataclass(frozen=True, slots=True)
class Why:
    """Why a memory was found. Everything is relative to the query.

    Attributes:
        similarity: cosine of query and memory, -1..1; None while the memory was not indexed.
        words: words of the query that it holds, in the query's order.
        nearby: found by what was said just before or after it rather than by its own words.
        speaker: its speaker, when the query names that person.
        period: words of the query for the time in which it was said ("last week").
        answers: it follows a question, as answers do.
        tells_time: the query asks when, and it mentions a time.
        pinned: kept in every prompt by its owner.
        follow_up: the query was completed from the turns before it.
    """

    similarity: float | None = None
    words: tuple[str, ...] = ()
    nearby: bool = False
    speaker: str | None = None
    period: str | None = None
    answers: bool = False
    tells_time: bool = False
    pinned: bool = False
    follow_up: bool = False

    def sentence(self) -> str:
        """The reasons in plain English, strongest first; never empty."""
        parts: list[str] = []
        if self.pinned:
            parts.append("pinned")
        if self.words:
            parts.append("has the words " + ", ".join(f"“{word}”" for word in self.words))
        if self.similarity is not None and self.similarity >= _ALIKE:
            parts.append(f"close in meaning ({self.similarity:.0%})")
        if self.nearby:
            parts.append("said next to something that fits")
        if self.speaker:
            parts.append(f"said by {self.speaker}")
        if self.period:
            parts.append(f"from the time asked for ({self.period})")
        if self.tells_time:
            parts.append("tells when")
        if self.follow_up:
            parts.append("continues the question before")
        return "; ".join(parts) or "nearest to the question"


_ALIKE = 0.25


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """One memory that fits.

    Attributes:
        memory: as search would return it.
        kind: "fact", "turn" or whatever was stored.
        said_on: the day on which it was said or learned, None when unknown.
        speaker: who said it; empty when unknown.
        tokens: estimated cost in a prompt.
        why: see Why.
    """

    memory: MemoryResult
    kind: str
    said_on: date | None
    speaker: str
    tokens: int
    why: Why


@dataclass(frozen=True, slots=True)
class Recall:
    """What a turn may use.

    Attributes:
        items: best first, pinned ones before all.
        query: what was looked for; longer than the question when that was a follow-up.
        tokens: estimated cost of all items in a prompt.
        keywords_only: the vectors were not available, so that only words were compared.
        left_out: memories that fit but not into the budget.
    """

    items: tuple[RecalledMemory, ...] = field(default=())
    query: str = ""
    tokens: int = 0
    keywords_only: bool = False
    left_out: int = 0

    @property
    def memories(self) -> tuple[MemoryResult, ...]:
        """The memories alone, in order."""
        return tuple(item.memory for item in self.items)


@runtime_checkable
class RecallingMemory(MemoryProvider, Protocol):
    """A memory that decides itself what is worth a place in a prompt (the ledger)."""

    async def recall(
        self,
        query: str,
        *,
        user_id: str | None,
        history: Sequence[Message | Mapping[str, Any]] = (),
        session_id: str | None = None,
        token_budget: int,
        said: bool = True,
    ) -> Recall:
        """See MemoryLedger.recall."""
        ...


@runtime_checkable
class ForeseeingMemory(RecallingMemory, Protocol):
    """A memory that can say what it would recall, without noting that it was used."""

    async def would_recall(
        self,
        query: str,
        *,
        user_id: str | None,
        history: Sequence[Message | Mapping[str, Any]] = (),
        session_id: str | None = None,
        token_budget: int,
        said: bool = True,
    ) -> Recall:
        """See MemoryLedger.recall."""
        ...


def as_recalled(memory: MemoryResult) -> RecalledMemory:
    """What a plain search found, as a recall gives it."""
    known = memory.updated_at or memory.created_at
    return RecalledMemory(memory, "fact", known.date() if known is not None else None, "", 0, Why())
