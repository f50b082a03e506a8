"""The gate through which a candidate becomes a memory: forgotten, cautious, consolidated, consented to."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Protocol
from weakref import WeakValueDictionary

from assistant.memory.base import MemoryProvider, MemoryResult, MemoryScope
from assistant.memory.learning.aside import LONG, aside
from assistant.memory.learning.base import (
    Candidate,
    Consent,
    LearnedMemory,
    LearningMemory,
    Utterance,
    Verdict,
)
from assistant.memory.learning.keeping import keep, metadata_of, replaced_ids, waiting_like

KNOWN = "known already"
WAITING = "waiting already"
FORGOTTEN = "forgotten before"
ON_REQUEST = "kept only on request"
CANT_WAIT = "must be asked, and this memory can't wait"

INSTRUCTION = "instruction"
ALWAYS_WAIT = frozenset({INSTRUCTION, "credentials"})
"""Reasons for caution that a person's plain wish does not answer."""

_ASKED_FIRST = "You want to be asked before anything is kept."
_AN_ORDER = "the message reads as an instruction to the assistant"
_PERHAPS = "It may take the place of something else that is remembered."
_TRIES = 3
_READ_FOR_ORDERS = 8_000


class CautionLike(Protocol):
    """Why a text needs care: what it is about, and the end of "This waits because …" (see caution.Caution)."""

    @property
    def reason(self) -> str: ...

    @property
    def phrase(self) -> str: ...


Cautions = Callable[[str], Sequence[CautionLike]]


class Consolidating(Protocol):
    """Compares a candidate with what is known (see consolidation.Consolidator)."""

    async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
        """How the candidate relates to what is known.

        Raises:
            ModelError: a model was asked, and failed.
        """
        ...


Asking = Callable[[], Awaitable[Verdict]]
"""Asks for a verdict that may take as long as a model needs."""


@dataclass(slots=True, weakref_slot=True)
class _Desk:
    """Where the candidates of one owner are decided upon, one at a time."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    kept: int = 0


@dataclass(frozen=True, slots=True)
class _Case:
    """A candidate at the gate."""

    candidate: Candidate
    utterance: Utterance
    user_id: str | None
    memory: MemoryProvider
    consent: Consent
    wary: bool
    because: str

    @property
    def is_wish(self) -> bool:
        return self.candidate.origin == "wish"

    @property
    def learning(self) -> LearningMemory | None:
        """The memory, when it can hold what waits."""
        return self.memory if isinstance(self.memory, LearningMemory) else None


class Gate:
    """Decides on candidates, and keeps those that may be kept.

    Consent decides last: `save` keeps, `ask` lets wait, `manual` drops all but wishes. Whatever consent says,

    * what was forgotten is dropped, unless it is a wish, which lets it return;
    * what reads as an instruction or holds a credential waits, a wish too; so does what stands in a message that
      reads as an instruction, unless it is a wish;
    * what is sensitive waits, unless it is a wish under `save` or `manual`: whoever asks in plain words to keep
      something about their health needs no second question. Under `ask` it waits;
    * what may or may not replace something known waits; a wish is kept beside it.

    What must wait is dropped where the memory can't hold it.

    Args:
        memory: gives the memory, once it is open.
        consolidator: compares with what is known, without a model.
        cautions: why a text needs care; nothing for one that needs none.
        consent: the person's choice in force.
    """

    def __init__(
        self,
        memory: Callable[[], Awaitable[MemoryProvider]],
        consolidator: Consolidating,
        cautions: Cautions,
        consent: Callable[[], Consent],
    ) -> None:
        self._memory = memory
        self._consolidator = consolidator
        self._cautions = cautions
        self._consent = consent
        self._desks: WeakValueDictionary[str | None, _Desk] = WeakValueDictionary()

    async def admit(
        self,
        candidate: Candidate,
        utterance: Utterance,
        *,
        user_id: str | None,
        wary: bool = False,
        because: str = "",
        asking: Asking | None = None,
    ) -> LearnedMemory | str:
        """Take a candidate through the gate.

        Args:
            wary: the message around it gives orders (see gives_orders): it waits, unless it is a wish.
            because: why it must wait whatever it says, as a sentence; empty for no reason. Not for a wish.
            asking: gets the verdict from a model. Others are decided upon meanwhile; when something was kept by
                then it is asked again, and in the end does without.

        Returns:
            The memory, or why there is none.

        Raises:
            ModelError: a model failed.
            MemoryStoreError, StorageError: the memory failed.
        """
        case = _Case(candidate, utterance, user_id, await self._memory(), self._consent(), wary, because)
        if case.consent == "manual" and not case.is_wish:
            return ON_REQUEST
        if case.is_wish and case.learning is not None:
            await case.learning.may_return(candidate.content, user_id=user_id)
        shared = case.memory.scope is MemoryScope.SHARED
        desk = self._desks.setdefault(None if shared else user_id, _Desk())
        for _ in range(0 if asking is None else _TRIES):
            assert asking is not None
            if await _was_forgotten(case):
                return FORGOTTEN
            kept_before = desk.kept
            verdict = await asking()
            async with desk.lock:
                if desk.kept == kept_before:
                    return await self._decided(case, verdict, desk)
        async with desk.lock:
            verdict = await self._consolidator.verdict(candidate, user_id=user_id)
            return await self._decided(case, verdict, desk)

    async def gives_orders(self, utterance: Utterance) -> bool:
        """Whether a message reads as an instruction to the assistant: what it says beside that may be made up too."""
        text = utterance.text[:_READ_FOR_ORDERS]

        def look() -> bool:
            return any(caution.reason == INSTRUCTION for caution in self._cautions(text))

        return look() if len(text) <= LONG else await aside(look)

    async def _decided(self, case: _Case, verdict: Verdict, desk: _Desk) -> LearnedMemory | str:
        if await _was_forgotten(case):
            return FORGOTTEN
        if verdict.action == "forgotten" and not case.is_wish:
            return FORGOTTEN
        if verdict.action == "same":
            return KNOWN
        reason, sensitivity = self._reasons(case, verdict)
        if reason and case.learning is None:
            return CANT_WAIT
        waiting = None
        if case.learning is not None:
            # The consolidator has looked at what waits, except for a wish, which answers it.
            waiting = await waiting_like(
                case.learning,
                case.candidate.content,
                language=case.candidate.language,
                reworded=case.is_wish,
                user_id=case.user_id,
            )
        if waiting is not None:
            return await self._waited(case, waiting, bool(reason), desk)
        replaces = verdict.memory_id if verdict.action in ("supersede", "ask") else None
        metadata = metadata_of(
            case.candidate,
            case.utterance,
            sensitivity=sensitivity,
            reason=reason,
            replaces=replaces,
            also_replaces=verdict.others,
        )
        content = case.candidate.content
        if reason and case.learning is not None:
            made = await case.learning.propose(content, metadata=metadata, user_id=case.user_id)
            kept = LearnedMemory(made, content, True, reason, replaces, MappingProxyType(metadata))
        else:
            taken = replaces if verdict.action == "supersede" else None
            kept = await keep(case.memory, content, metadata, replaces=taken, user_id=case.user_id)
        desk.kept += 1
        return kept

    async def _waited(
        self, case: _Case, waiting: MemoryResult, must_wait: bool, desk: _Desk
    ) -> LearnedMemory | str:
        """A wish for what waits is the person's word for it."""
        if must_wait or not case.is_wish or case.learning is None:
            return WAITING
        if not await case.learning.accept(waiting.memory_id, user_id=case.user_id):
            return WAITING
        desk.kept += 1
        replaced = next(iter(replaced_ids(waiting.metadata)), None)
        return LearnedMemory(waiting.memory_id, waiting.content, replaced=replaced, metadata=waiting.metadata)

    def _reasons(self, case: _Case, verdict: Verdict) -> tuple[str, str]:
        """Why a candidate must wait, in plain words, and how it is sensitive; empty for no reason."""
        texts = dict.fromkeys((case.candidate.content, case.candidate.quote))
        found = {caution.reason: caution.phrase for text in texts for caution in self._cautions(text)}
        sensitivity = ", ".join(found)
        answered = case.is_wish and case.consent != "ask"
        heavy = [phrase for reason, phrase in found.items() if reason in ALWAYS_WAIT or not answered]
        if case.wary and not case.is_wish and INSTRUCTION not in found:
            heavy.append(_AN_ORDER)
        if heavy:
            return f"This waits because {' and '.join(heavy)}.", sensitivity
        if case.is_wish:
            return "", sensitivity
        if verdict.action == "ask":
            return verdict.reason or _PERHAPS, sensitivity
        if case.because:
            return case.because, sensitivity
        return _ASKED_FIRST if case.consent == "ask" else "", sensitivity


async def _was_forgotten(case: _Case) -> bool:
    if case.is_wish or case.learning is None:
        return False
    texts = dict.fromkeys((case.candidate.content, case.candidate.quote))
    for text in texts:
        if await case.learning.was_forgotten(text, user_id=case.user_id):
            return True
    return False
