"""Learns from what a person says: at once what rules can tell, later and beside the turns what a model can."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from types import MappingProxyType

from assistant.core.errors import AssistantError
from assistant.core.late import Late
from assistant.core.tasks import Supervisor
from assistant.memory.base import MemoryProvider
from assistant.memory.deferred import DeferredMemory
from assistant.memory.extraction.wishes import without_wish
from assistant.memory.learning.aside import aside
from assistant.memory.learning.base import (
    Candidate,
    Consent,
    Extraction,
    Extractor,
    Learned,
    LearnedMemory,
    LearningMemory,
    ReadsTogether,
    Utterance,
    Verdict,
)
from assistant.memory.learning.gate import KNOWN, Cautions, Consolidating, Gate
from assistant.memory.learning.keeping import normal, take_back
from assistant.memory.learning.queue import InMemoryLessons, KeepsLessons, Lesson, LessonQueue
from assistant.memory.learning.worker import LessonWorker, Pace
from assistant.memory.remember import remember_wish
from assistant.memory.rules import owner_of

OnLearned = Callable[[str | None, Utterance, Learned], None]
ModelExtractor = Extractor | Callable[[], Awaitable[Extractor | None]] | None

_log = logging.getLogger(__name__)

_DEFAULT_PACE = Pace()
FAILED = "memory failed"
_TOGETHER = "This waits because it was put together from several messages of a conversation."


class Learner:
    """The line from what was said to what is remembered.

    A turn calls `learn_now` (no model is asked) and `enqueue`; a model reads what was queued when no turn is running.
    The queue is on disk where the memory keeps one (the ledger), so an utterance of a temporary conversation must
    not be queued.

    Args:
        memory: stays the caller's to close. A deferred one is waited for when it is needed.
        rules: an extractor without a model.
        model_extractor: reads what was queued; a function gives it when it is needed, None of it leaves the queue as
            it is. None: nothing is queued.
        consolidator: compares with what is known, without a model.
        judging: as consolidator, for what is read in the background; may ask a model. None: the same.
        cautions: why a text needs care (see Gate).
        consent: the person's choice, asked for anew each time when it is a function.
        together: reads several messages at once (see reflect); None for nobody.
        enabled: whether anything is learned at all; what waits in the queue is dropped when not.
        on_learned: called in the event loop after something queued was read, when it brought something.
        steps_aside: whether a model that is asked is interrupted when a turn begins.
        prepare: blocking work that must be done once before anything can be learned (loading word lists); runs in a
            thread.
        tasks: owns the background work.
        pace: see Pace.
    """

    def __init__(
        self,
        memory: MemoryProvider,
        *,
        rules: Extractor,
        model_extractor: ModelExtractor,
        consolidator: Consolidating,
        cautions: Cautions,
        tasks: Supervisor,
        judging: Consolidating | None = None,
        together: ReadsTogether | None = None,
        consent: Callable[[], Consent] | Consent = "save",
        enabled: Callable[[], bool] | bool = True,
        on_learned: OnLearned | None = None,
        steps_aside: Callable[[], bool] | bool = True,
        prepare: Callable[[], None] | None = None,
        pace: Pace = _DEFAULT_PACE,
    ) -> None:
        self._memory = memory
        self._rules = rules
        self._model_extractor = model_extractor
        self._judging = judging or consolidator
        self._together = together
        self._consent = consent
        self._enabled = enabled
        self._on_learned = on_learned
        self._lessons: LessonQueue | None = None
        self._prepare = prepare
        self._prepared = Late(self._preparation, name="prepare to learn", closed="Learning was closed.")
        self._gate = Gate(self._opened, consolidator, cautions, self._choice)
        self._worker = LessonWorker(
            self._queue,
            self._study,
            wanted=self._wants_lessons,
            steps_aside=steps_aside if callable(steps_aside) else lambda: steps_aside,
            tasks=tasks,
            pace=pace,
        )

    # ---- learning

    async def learn_now(self, utterance: Utterance, *, user_id: str | None) -> Learned:
        """Keep what a message asks in plain words to keep, and what the rules find in it.

        Raises:
            MemoryIsolationError: the memory is kept for each person, and nobody is named.
            MemoryStoreError, StorageError: a wish was not kept. A failure with what nobody asked for is logged and
                counted.
        """
        owner_of(self._memory.scope, user_id)
        if not self._is_enabled():
            return Learned()
        await self.warmup()
        kept: list[LearnedMemory] = []
        dropped: Counter[str] = Counter()
        wish = _wish(utterance)
        if wish is not None:
            _note(await self._gate.admit(wish, utterance, user_id=user_id), kept, dropped)
        try:
            found = await self._rules.extract(utterance)
            candidates = _distinct(found, wish, dropped)
            wary = bool(candidates) and await self._gate.gives_orders(utterance)
            for candidate in candidates:
                outcome = await self._gate.admit(candidate, utterance, user_id=user_id, wary=wary)
                _note(outcome, kept, dropped)
        except Exception as error:  # noqa: BLE001  # an extractor is anybody's code, and the wish is kept
            _log.warning("what the rules found was not kept: %s", type(error).__name__, exc_info=error)
            dropped[FAILED] += 1
        return _learned(kept, dropped)

    async def enqueue(self, utterance: Utterance, *, user_id: str | None) -> None:
        """Have a model read a message later. It never raises: what can't be queued is logged."""
        if not self._wants_lessons() or not utterance.text.strip():
            return
        try:
            await (await self._queue()).put(utterance, user_id=user_id)
        except AssistantError as error:
            _log.warning("a message will not be learned from: %s", error.title, exc_info=error)
            return
        self._worker.stir()

    @property
    def reflects(self) -> bool:
        """Whether `reflect` reads anything now."""
        return self._together is not None and self._wants_lessons()

    async def reflect(
        self,
        utterances: Sequence[Utterance],
        *,
        user_id: str | None,
        still_there: Callable[[], Awaitable[bool]],
    ) -> Learned:
        """Propose what several messages say together. All of it waits for the person's word.

        It may be cancelled at any await; what was proposed until then waits, and is known when it is proposed again.

        Args:
            utterances: messages of one person in one conversation, oldest first.
            still_there: whether that conversation has not been deleted meanwhile; when it has, nothing is kept.

        Raises:
            ModelError: the model failed.
            MemoryStoreError, StorageError: the memory failed.
        """
        if self._together is None or not self._wants_lessons():
            return Learned()
        await self.warmup()
        gathered = await self._together.extract_together(utterances)
        kept: list[LearnedMemory] = []
        dropped = Counter(gathered.dropped)
        learned: list[tuple[Utterance, LearnedMemory]] = []
        for utterance, candidate in gathered.found if await still_there() else ():
            outcome = await self._gate.admit(
                candidate,
                utterance,
                user_id=user_id,
                wary=await self._gate.gives_orders(utterance),
                because=_TOGETHER,
                asking=partial(self._judging.verdict, candidate, user_id=user_id),
            )
            _note(outcome, kept, dropped)
            if isinstance(outcome, LearnedMemory):
                learned.append((utterance, outcome))
        if kept and not await still_there():
            for memory in reversed(kept):
                await take_back(await self._opened(), memory.memory_id, user_id=user_id, forget=False)
            return Learned()
        for utterance, memory in learned if self._on_learned is not None else ():
            assert self._on_learned is not None
            self._on_learned(user_id, utterance, Learned((memory,)))
        return _learned(kept, dropped)

    async def warmup(self) -> None:
        """Do now what the first message would wait for."""
        await self._prepared.get()

    def start(self) -> None:
        """Go on with what an earlier run left in the queue."""
        if self._model_extractor is not None:
            self._worker.stir()

    def busy(self) -> AbstractContextManager[None]:
        """While it lasts, no model is asked: a turn is running. May be nested, and entered by several at once."""
        return self._worker.busy()

    @property
    def given_up(self) -> int:
        """Lessons that no attempt could read, since the start."""
        return self._worker.given_up

    async def waiting(self, *, user_id: str | None = None) -> int:
        """How many messages a model still has to read (of one owner, when named)."""
        return await (await self._queue()).count(user_id=user_id)

    async def drop_session(
        self, session_id: str, *, user_id: str | None, message_id: str | None = None
    ) -> int:
        """Read nothing more of a conversation that was deleted (or of one message of it); how many messages waited.
        What is being read of it is not kept."""
        queue = await self._queue()
        return await queue.drop_session(session_id, user_id=user_id, message_id=message_id)

    async def settle(self, grace: float) -> bool:
        """Wait, at most `grace` seconds, until the queue is worked through; False when it is not."""
        return await self._worker.rest(grace)

    async def close(self) -> None:
        """Stop reading; what is not read stays in the queue. Safe to call twice."""
        await self._worker.close()
        await self._prepared.close()

    # ---- the person's word

    async def accept(self, memory_id: str, *, user_id: str | None) -> bool:
        """Keep a waiting memory; False when there is none of that id."""
        memory = await self._opened()
        return isinstance(memory, LearningMemory) and await memory.accept(memory_id, user_id=user_id)

    async def dismiss(self, memory_id: str, *, user_id: str | None) -> bool:
        """Remove a waiting memory, which is not proposed again; False when there is none of that id."""
        memory = await self._opened()
        return isinstance(memory, LearningMemory) and await memory.forget([memory_id], user_id=user_id) > 0

    async def undo(self, memory_id: str, *, user_id: str | None) -> bool:
        """Remove a memory that was kept, which is not learned again, and bring back what it replaced; False when
        there is none of that id."""
        return await take_back(await self._opened(), memory_id, user_id=user_id)

    # ---- inside

    async def _study(self, lesson: Lesson) -> bool:
        extractor = await self._extractor()
        if extractor is None:
            return False
        await self.warmup()
        utterance, user_id = lesson.utterance, lesson.user_id
        found = await self._worker.ask(extractor.extract(utterance))
        kept: list[LearnedMemory] = []
        dropped: Counter[str] = Counter()
        candidates = _distinct(found, _wish(utterance), dropped)
        wary = bool(candidates) and await self._gate.gives_orders(utterance)
        for candidate in candidates:

            async def asking(candidate: Candidate = candidate) -> Verdict:
                return await self._worker.ask(self._judging.verdict(candidate, user_id=user_id))

            outcome = await self._gate.admit(candidate, utterance, user_id=user_id, wary=wary, asking=asking)
            _note(outcome, kept, dropped)
        if not await (await self._queue()).finish(lesson):
            # The conversation or its owner was deleted while the model read.
            for memory in reversed(kept):
                await take_back(await self._opened(), memory.memory_id, user_id=user_id, forget=False)
            return True
        learned = _learned(kept, dropped)
        if self._on_learned is not None and learned.kept:
            self._on_learned(user_id, utterance, learned)
        return True

    async def _preparation(self) -> None:
        if self._prepare is not None:
            await aside(self._prepare)

    async def _extractor(self) -> Extractor | None:
        chosen = self._model_extractor
        return await chosen() if callable(chosen) else chosen

    async def _opened(self) -> MemoryProvider:
        if isinstance(self._memory, DeferredMemory):
            return await self._memory.ready()
        return self._memory

    async def _queue(self) -> LessonQueue:
        if self._lessons is None:
            memory = await self._opened()
            self._lessons = memory.lessons if isinstance(memory, KeepsLessons) else InMemoryLessons()
        return self._lessons

    def _choice(self) -> Consent:
        return self._consent() if callable(self._consent) else self._consent

    def _is_enabled(self) -> bool:
        return self._enabled() if callable(self._enabled) else self._enabled

    def _wants_lessons(self) -> bool:
        return self._model_extractor is not None and self._is_enabled() and self._choice() != "manual"


def _wish(utterance: Utterance) -> Candidate | None:
    wish = remember_wish(utterance.text)
    return None if wish is None else Candidate(wish, wish, kind="explicit", origin="wish")


def _distinct(found: Extraction, wish: Candidate | None, dropped: Counter[str]) -> list[Candidate]:
    """Candidates that repeat neither one another nor the wish; what is left out is counted."""
    new = without_wish(found, None if wish is None else wish.content)
    dropped.update(new.dropped)
    distinct: dict[str, Candidate] = {}
    for candidate in new.candidates:
        distinct.setdefault(normal(candidate.content), candidate)
    dropped[KNOWN] += len(new.candidates) - len(distinct)
    return list(distinct.values())


def _note(outcome: LearnedMemory | str, kept: list[LearnedMemory], dropped: Counter[str]) -> None:
    if isinstance(outcome, LearnedMemory):
        kept.append(outcome)
    else:
        dropped[outcome] += 1


def _learned(kept: Iterable[LearnedMemory], dropped: Mapping[str, int]) -> Learned:
    return Learned(
        tuple(kept), MappingProxyType({reason: count for reason, count in dropped.items() if count})
    )
