"""What an answer cache gives, and what a place to keep answers promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal, Protocol

CacheScope = Literal["per_user", "shared"]
CacheMatch = Literal["semantic", "exact"]
CacheBackendName = Literal["memory", "sqlite", "redis"]
MatchKind = Literal["exact", "wording", "semantic"]
"""The very same question; the same one in other words; one that is near enough and that no guard refused."""


@dataclass(frozen=True, slots=True)
class CachedAnswer:
    """An answer that can be given again.

    Attributes:
        answer: the whole text.
        question: the question that it was given to.
        match: how that one fits the question that was asked.
        similarity: 0..1; 1.0 for exact and wording, else the cosine of both questions.
        created_at: when it was kept, UTC.
        used: ids of the memories that it was made with.
    """

    answer: str
    question: str
    match: MatchKind
    similarity: float
    created_at: datetime
    used: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CacheStats:
    """What a cache did since it was made.

    Attributes:
        exact, wording, semantic: hits of each kind.
        misses: questions without an answer here.
        skipped: questions that no answer is kept for: nobody asks, or the answer changes with the hour.
        stored: answers kept.
        dropped: answers not kept: partial, empty, or out of date before they were complete.
        failures: calls that the place of the answers failed.
        refused: how often each guard kept two similar questions apart.
    """

    exact: int = 0
    wording: int = 0
    semantic: int = 0
    misses: int = 0
    skipped: int = 0
    stored: int = 0
    dropped: int = 0
    failures: int = 0
    refused: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def hits(self) -> int:
        return self.exact + self.wording + self.semantic


@dataclass(frozen=True, slots=True)
class AnswerKeys:
    """Where an answer stands. Each is a digest: nothing can be read from it.

    Attributes:
        owner: whose it is.
        shelf: owner (or everybody), model, instructions and context together; answers of two shelves never mix.
        exact: the question's normal form.
        gist: the words that carry its meaning.
    """

    owner: str
    shelf: str
    exact: str
    gist: str


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One answer as a backend keeps it.

    Attributes:
        keys: where it stands.
        body: question, answer and memory ids; unreadable when the cache is encrypted.
        memories: digests of the ids of the memories that it was made with.
        created, expires: microseconds since 1970; expires is None for never.
    """

    keys: AnswerKeys
    body: bytes
    memories: tuple[str, ...]
    created: int
    expires: int | None


@dataclass(frozen=True, slots=True)
class Limits:
    """How many answers are kept; the oldest go first.

    Attributes:
        per_owner: of one owner.
        total: of all.
    """

    per_owner: int
    total: int


class CacheBackend(Protocol):
    """A place for answers. Every call may raise StorageError."""

    async def open(self, fingerprint: str) -> None:
        """Get ready. Safe to call twice.

        Args:
            fingerprint: says how bodies and keys were made; what was kept under another one is cleared.
        """
        ...

    async def find(self, shelf: str, exact: str, gist: str, *, now: int, limit: int) -> Sequence[KeptAnswer]:
        """Answers of `shelf` whose exact key, or whose gist, is this; the exact one first, then the newest.

        Args:
            gist: empty for exact ones alone.
            now: microseconds since 1970; what has expired by then is not given.
            limit: at most so many.
        """
        ...

    async def put(self, answer: KeptAnswer, *, limits: Limits, now: int) -> None:
        """Keep `answer` instead of one of the same shelf and exact key, and let the oldest go beyond `limits`."""
        ...

    async def remove(self, keys: AnswerKeys) -> None:
        """Remove one answer."""
        ...

    async def remove_owner(self, owner: str) -> int:
        """Remove all answers of an owner; how many there were. No trace is left where it kept them."""
        ...

    async def remove_memories(self, memories: Sequence[str]) -> int:
        """Remove all answers that were made with one of these memories; how many. No trace is left."""
        ...

    async def count(self, owner: str | None = None) -> int:
        """How many answers there are (of one owner)."""
        ...

    async def close(self) -> None:
        """Let go. Safe to call twice."""
        ...
