"""Compares what may become a memory with what is known."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import ModelError
from assistant.memory.base import MemoryProvider, MemoryResult
from assistant.memory.consolidation.frames import USER
from assistant.memory.consolidation.neighbours import neighbours, waiting
from assistant.memory.consolidation.reading import Reading, read
from assistant.memory.consolidation.relation import (
    Relation,
    about_the_same,
    opposed,
    overlap,
    related,
    same_details,
)
from assistant.memory.learning.base import Candidate, Judge, LearningMemory, Verdict

_log = logging.getLogger(__name__)

_MOST_JUDGED = 2
_SIMILAR = 0.8
_USER = frozenset({"", "user", "me", "i", "ich", "je", "yo", "io", "我", "私"})


class Consolidator:
    """Decides whether a candidate is new, known, a new value of something known, or must be asked about.

    Similarity only finds neighbours; rules decide (see relation), and a judge where they can't.

    Args:
        memory: what is known.
        judge: asked about neighbours that rules leave open; None asks nobody. One that fails is not asked.
        clock: tells whether something is over.
    """

    def __init__(
        self, memory: MemoryProvider, *, judge: Judge | None = None, clock: Clock | None = None
    ) -> None:
        self._memory = memory
        self._judge = judge
        self._clock = clock or SystemClock()

    async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
        """How a candidate relates to what is known.

        A wish is never "forgotten": the person asked for it.

        Raises:
            MemoryIsolationError, InvalidTextError, StorageError: as in MemoryProvider.search.
        """
        is_wish = candidate.origin == "wish"
        memory = self._memory
        learning = memory if isinstance(memory, LearningMemory) and not is_wish else None
        if learning is not None and await learning.was_forgotten(candidate.content, user_id=user_id):
            return Verdict("forgotten", reason="It was forgotten before.")
        beside = _Beside(candidate)
        near = await neighbours(memory, candidate.content, beside.itself, user_id)
        current = self._holds_now(candidate)
        relations = [
            (result, known, related(known, beside.read(known), current=current))
            for result in near
            if beside.is_about_the_same(result.metadata, known := _read(result))
        ]
        for result, _, relation in relations:
            if relation.kind == "same":
                return Verdict("same", result.memory_id, relation.reason)
        # A wish for what waits is an answer to it.
        for result in [] if is_wish else await waiting(memory, user_id):
            known = _read(result)
            if not beside.is_about_the_same(result.metadata, known):
                continue
            if related(known, beside.read(known)).kind == "same":
                return Verdict("same", result.memory_id, "It waits for an answer already.")
        updated = [(result, relation) for result, _, relation in relations if relation.kind == "update"]
        if updated:
            first, relation = updated[0]
            others = tuple(result.memory_id for result, _ in updated[1:])
            return Verdict("supersede", first.memory_id, relation.reason, others)
        return await self._open_cases(candidate, beside.itself, relations, current)

    async def _open_cases(
        self,
        candidate: Candidate,
        new: Reading,
        relations: Sequence[tuple[MemoryResult, Reading, Relation]],
        current: bool,
    ) -> Verdict:
        """What the judge says of neighbours that rules leave open; without an answer, conflicts are asked about."""
        cases = [case for case in relations if case[2].kind in {"conflict", "near"}]
        cases += [case for case in relations if case[2].kind == "different" and case[0].score >= _SIMILAR]
        cases.sort(key=lambda case: (case[2].kind != "conflict", -overlap(case[1], new)))
        doubt: Verdict | None = None
        for place, (result, known, relation) in enumerate(cases):
            answer = "unsure"
            if self._judge is not None and place < _MOST_JUDGED:
                answer = await self._judged(result.content, candidate.content)
            is_same = answer == "same" and same_details(known, new) and not opposed(known, new)
            if is_same and about_the_same(known, new):
                return Verdict("same", result.memory_id, "It is known already.")
            if answer == "update" and current and about_the_same(known, new):
                return Verdict("supersede", result.memory_id, "It is newer than what is known.")
            if doubt is None and relation.kind == "conflict" and answer != "different":
                doubt = Verdict("ask", result.memory_id, relation.reason)
        return doubt or Verdict("add")

    async def _judged(self, known: str, new: str) -> str:
        assert self._judge is not None
        try:
            return await self._judge.relation(known, new)
        except ModelError as exc:
            _log.info("nobody could compare two statements: %s", exc.title)
            return "unsure"

    def _holds_now(self, candidate: Candidate) -> bool:
        now = self._clock.now().astimezone(UTC)
        if candidate.kind == "plan" or (
            candidate.valid_from is not None and _utc(candidate.valid_from) > now
        ):
            return False
        return candidate.valid_to is None or _utc(candidate.valid_to) > now


class _Beside:
    """A candidate, read for comparison with what is known.

    Attributes:
        itself: as its own words say.
    """

    def __init__(self, candidate: Candidate) -> None:
        self._candidate = candidate
        self.itself = read(candidate.content, candidate.language)
        self._by_language: dict[str, Reading] = {}

    def read(self, known: Reading) -> Reading:
        """In the language of what is known where its own words leave that open."""
        if self._candidate.language is not None or known.language == self.itself.language:
            return self.itself
        if known.language not in self._by_language:
            self._by_language[known.language] = read(self._candidate.content, known.language)
        return self._by_language[known.language]

    def is_about_the_same(self, metadata: Mapping[str, Any], known: Reading) -> bool:
        """Whether both may be about the same one; what they were filed under decides where the texts do not."""
        told = metadata.get("subject")
        if not isinstance(told, str) or _subject(told) == _subject(self._candidate.subject):
            return True
        mine = {frame.subject for frame in self.itself.frames}
        theirs = {frame.subject for frame in known.frames}
        return bool(mine & theirs) and USER not in mine | theirs


def _utc(moment: datetime) -> datetime:
    return moment.astimezone(UTC)


def _read(result: MemoryResult) -> Reading:
    language = result.metadata.get("language")
    return read(result.content, language if isinstance(language, str) else None)


def _subject(name: str) -> str:
    folded = " ".join(name.casefold().split())
    return "user" if folded in _USER else folded
