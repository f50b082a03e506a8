"""Learns from what a person says: at once what rules can tell, later and beside the turns what a model can."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager
from functools import partial

from assistant.core.errors import AssistantError
from assistant.core.late import Late
from assistant.core.tasks import Supervisor
from assistant.memory.base import MemoryProvider
from assistant.memory.deferred import opened
from assistant.memory.learning.aside import aside
from assistant.memory.learning.base import (
    Candidate,
    Consent,
    Extractor,
    Learned,
    LearnedMemory,
    LearningMemory,
    ReadsTogether,
    Utterance,
    Verdict,
)
from assistant.memory.learning.finds import count, distinct, learned_from, wish_of
from assistant.memory.learning.gate import Cautions, Consolidating, Gate
from assistant.memory.learning.keeping import take_back
from assistant.memory.learning.queue import InMemoryLessons, KeepsLessons, Lesson, LessonQueue, may_read
from assistant.memory.learning.worker import LessonWorker, Pace
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
            it is. None: the rules alone read.
        host: where that model is (see ChatModel); one that is elsewhere reads only what was sent there anyway. None,
            unknown: it reads nothing.
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
        host: str | None = None,
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
        self._host = host
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
            tidy=self._tidied,
            host=lambda: self._host if self._wants_lessons() else None,
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
        wish = wish_of(utterance)
        if wish is not None:
            count(await self._gate.admit(wish, utterance, user_id=user_id), kept, dropped)
        try:
            found = await self._rules.extract(utterance)
            candidates = distinct(found, wish, dropped)
            wary = bool(candidates) and await self._gate.gives_orders(utterance)
            for candidate in candidates:
                outcome = await self._gate.admit(candidate, utterance, user_id=user_id, wary=wary)
                count(outcome, kept, dropped)
        except Exception as error:  # noqa: BLE001  # an extractor is anybody's code, and the wish is kept
            _log.warning("what the rules found was not kept: %s", type(error).__name__, exc_info=error)
            dropped[FAILED] += 1
        return learned_from(kept, dropped)

    async def hold(self, utterance: Utterance, *, user_id: str | None) -> None:
        """Put a message on disk before a turn answers it: if `learn_now` never comes to it, it is learned from later,
        at the latest after the next start. `enqueue` or `let_go` ends that. It never raises, as `enqueue`."""
        if not self._is_enabled() or not utterance.text.strip():
            return
        if self._choice() == "manual" and wish_of(utterance) is None:
            return
        try:
            await (await self._queue()).put(utterance, user_id=user_id, held=True)
        except AssistantError as error:
            _log.warning("a message is learned from after its turn only: %s", error.title, exc_info=error)

    async def enqueue(self, utterance: Utterance, *, user_id: str | None) -> None:
        """Have a model read a message later that `learn_now` has read. It never raises: what can't be queued is
        logged."""
        if not self._wants_lessons():
            await self.let_go(utterance, user_id=user_id)
            return
        if not utterance.text.strip():
            return
        try:
            await (await self._queue()).put(utterance, user_id=user_id)
        except AssistantError as error:
            _log.warning("a message will not be learned from: %s", error.title, exc_info=error)
            return
        self._worker.stir()

    async def let_go(self, utterance: Utterance, *, user_id: str | None) -> None:
        """Learn no more from a message. It never raises, as `enqueue`."""
        if not self._is_enabled():
            return
        try:
            await (await self._queue()).drop(utterance, user_id=user_id)
        except AssistantError as error:
            _log.warning("a message may be learned from again: %s", error.title, exc_info=error)

    def announce(self, user_id: str | None, utterance: Utterance, learned: Learned) -> None:
        """Tell of what was learned when nobody waited for it."""
        if self._on_learned is not None and learned.kept:
            self._on_learned(user_id, utterance, learned)

    def may_read(self, host: str | None) -> bool:
        """Whether the model may read what was sent to `host`."""
        return may_read(self._host, host)

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
        readable = [utterance for utterance in utterances if self.may_read(utterance.host)]
        if not readable:
            return Learned()
        gathered = await self._together.extract_together(readable)
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
            count(outcome, kept, dropped)
            if isinstance(outcome, LearnedMemory):
                learned.append((utterance, outcome))
        if kept and not await still_there():
            await self._take_back(kept, user_id)
            return Learned()
        for utterance, memory in learned:
            self.announce(user_id, utterance, Learned((memory,)))
        return learned_from(kept, dropped)

    async def warmup(self) -> None:
        """Do now what the first message would wait for."""
        await self._prepared.get()

    def start(self) -> None:
        """Go on with what an earlier run left in the queue."""
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
        return await (await self._queue()).drop_session(session_id, user_id=user_id, message_id=message_id)

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
        if lesson.held:
            if not await self._made_up_for(lesson):
                return True
            if self._model_extractor is None or not self._wants_lessons():
                await (await self._queue()).finish(lesson)
                return True
            if not self.may_read(lesson.utterance.host):
                await (await self._queue()).give_back(lesson)
                return True
        extractor = await self._extractor()
        if extractor is None:
            return False
        await self.warmup()
        utterance, user_id = lesson.utterance, lesson.user_id
        found = await self._worker.ask(extractor.extract(utterance))
        kept: list[LearnedMemory] = []
        dropped: Counter[str] = Counter()
        candidates = distinct(found, wish_of(utterance), dropped)
        wary = bool(candidates) and await self._gate.gives_orders(utterance)
        try:
            for candidate in candidates:

                async def asking(candidate: Candidate = candidate) -> Verdict:
                    return await self._worker.ask(self._judging.verdict(candidate, user_id=user_id))

                outcome = await self._gate.admit(
                    candidate, utterance, user_id=user_id, wary=wary, asking=asking
                )
                count(outcome, kept, dropped)
        except BaseException as error:
            # The rest is learned at another time; what is kept by now will be known then, and told by nobody.
            if kept and isinstance(error, Exception) and not await (await self._queue()).learned(lesson):
                await self._take_back(kept, user_id)
            else:
                self.announce(user_id, utterance, learned_from(kept, dropped))
            raise
        if not await (await self._queue()).finish(lesson):
            await self._take_back(kept, user_id)
            return True
        self.announce(user_id, utterance, learned_from(kept, dropped))
        return True

    async def _made_up_for(self, lesson: Lesson) -> bool:
        """Learn what the turn of a held lesson did not; False when it was dropped meanwhile."""
        learned = await self.learn_now(lesson.utterance, user_id=lesson.user_id)
        if not await (await self._queue()).learned(lesson):
            await self._take_back(learned.kept, lesson.user_id)
            return False
        self.announce(lesson.user_id, lesson.utterance, learned)
        return True

    async def _take_back(self, kept: Sequence[LearnedMemory], user_id: str | None) -> None:
        """The conversation or its owner was deleted while it was read."""
        for memory in reversed(kept):
            await take_back(await self._opened(), memory.memory_id, user_id=user_id, forget=False)

    async def _preparation(self) -> None:
        if self._prepare is not None:
            await aside(self._prepare)

    async def _extractor(self) -> Extractor | None:
        chosen = self._model_extractor
        return await chosen() if callable(chosen) else chosen

    async def _opened(self) -> MemoryProvider:
        return await opened(self._memory)

    async def _queue(self) -> LessonQueue:
        if self._lessons is None:
            memory = await self._opened()
            self._lessons = memory.lessons if isinstance(memory, KeepsLessons) else InMemoryLessons()
        return self._lessons

    def _choice(self) -> Consent:
        return self._consent() if callable(self._consent) else self._consent

    def _is_enabled(self) -> bool:
        return self._enabled() if callable(self._enabled) else self._enabled

    async def _tidied(self, queue: LessonQueue) -> bool:
        if not self._is_enabled():
            await queue.clear()
            return False
        if self._choice() == "manual":
            await queue.clear(but="wishes")
        return True

    def _wants_lessons(self) -> bool:
        return self._model_extractor is not None and self._is_enabled() and self._choice() != "manual"
