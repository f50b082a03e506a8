"""The agent's use of a learner: what a turn's message brings to memory, and when a model may read it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractContextManager, ExitStack, nullcontext
from contextvars import Context
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from assistant.agent.waiting import started
from assistant.core.errors import AssistantError, GuardrailError, StoreClosedError
from assistant.core.tasks import Supervisor
from assistant.memory.learning.base import Learned, Utterance
from assistant.memory.learning.gate import CANT_WAIT
from assistant.memory.remember import remember_wish

if TYPE_CHECKING:
    from assistant.agent.transcript import Transcript
    from assistant.agent.turn_options import TurnTask
    from assistant.memory.learning.learner import Learner

_log = logging.getLogger(__name__)

_SAVING = "keep memories"
_CLOSED = "What you asked to remember was not kept: memory was closed."
_SLOW = "Memory is slow; what you asked to remember is still being kept."
_UNASKED = (
    "Something you said was not kept: it must be asked about first, and this memory can't hold what waits."
)
_TEMPORARY = "This conversation is temporary: nothing is remembered from it."


class TurnLearning:
    """Learning as one agent does it: late or broken, it never stops a turn.

    Args:
        learner: None learns nothing.
        timeout: seconds that a turn waits for what the rules find to be kept.
        tasks: owns what runs on after a turn.
        owns: the learner ends with this object.
    """

    def __init__(
        self, learner: Learner | None, timeout: float, tasks: Supervisor, *, owns: bool = False
    ) -> None:
        self._learner = learner
        self._owns = owns
        self._timeout = timeout
        self._tasks = tasks
        self._saving: set[asyncio.Task[Any]] = set()
        self._holding: dict[Utterance, asyncio.Task[None]] = {}

    def turn(self) -> AbstractContextManager[None]:
        """While it lasts a turn is running, and no other question is put to the model."""
        return nullcontext() if self._learner is None else self._learner.busy()

    def hold(self, said: Utterance, owner: str | None, context: Context) -> None:
        """Put a message on disk beside the turn, so that it is learned from even when the turn never comes to it."""
        if self._learner is None:
            return
        try:
            holding = started(
                self._tasks, self._learner.hold(said, user_id=owner), name=_SAVING, context=context
            )
        except StoreClosedError:
            return
        self._saving.add(holding)
        holding.add_done_callback(self._saving.discard)
        self._holding[said] = holding
        holding.add_done_callback(lambda _: self._holding.pop(said, None))

    def learn_later(self, said: Utterance, owner: str | None, context: Context, *, reads: bool) -> None:
        """As `learn`, for a turn that ends at once. What is kept is told by the learner.

        Args:
            reads: whether a model may read the message, too.
        """
        if self._learner is None:
            return
        try:
            saving = self._start(self._learner, said, owner, context, reads=reads)
        except StoreClosedError:
            # It is held, and learned from after the next start.
            return
        saving.add_done_callback(lambda done: self._announce(said, owner, done))

    async def learn(
        self, said: Utterance, owner: str | None, context: Context, *, temporary: bool
    ) -> tuple[Learned, str]:
        """Keep what is worth keeping of a message, and have the model read it later.

        What takes longer than a turn waits goes on, and is waited for by `settle`.

        Args:
            temporary: the message must leave no trace, so that nothing is learned from it.

        Returns:
            What was kept, and why keeping what was asked for failed or is late (empty otherwise).
        """
        learner = self._learner
        if learner is None:
            return Learned(), ""
        wished = remember_wish(said.text) is not None
        if temporary:
            return Learned(), _TEMPORARY if wished else ""
        try:
            saving = self._start(learner, said, owner, context)
        except StoreClosedError:
            return Learned(), _CLOSED if wished else ""
        try:
            # Not waited for through a shield: a turn that is stopped leaves it to be kept.
            await asyncio.wait([saving], timeout=self._timeout)
        except asyncio.CancelledError:
            saving.add_done_callback(lambda done: self._announce(said, owner, done))
            raise
        if not saving.done():
            saving.add_done_callback(lambda done: self._announce(said, owner, done))
            return Learned(), _SLOW if wished else ""
        if saving.cancelled():
            return Learned(), _CLOSED if wished else ""
        failure = saving.exception()
        if failure is None:
            learned = saving.result()
            return learned, _UNASKED if learned.dropped.get(CANT_WAIT) else ""
        _log.warning("nothing was learned: %s", type(failure).__name__, exc_info=failure)
        reason = str(failure) if isinstance(failure, AssistantError) else "Memory failed."
        return Learned(), f"What you asked to remember was not kept. {reason}" if wished else ""

    async def kept(self) -> None:
        """Wait for what is still being kept, however long that takes."""
        while self._saving:
            await asyncio.wait(set(self._saving))

    async def settle(self, grace: float) -> None:
        """Wait, at most `grace` seconds, for what is still being kept; then close the learner, when it is owned."""
        if self._saving:
            await asyncio.wait(set(self._saving), timeout=grace)
        if self._learner is not None and self._owns:
            await self._learner.settle(grace)
            await self._learner.close()

    # ---- inside

    def _start(
        self, learner: Learner, said: Utterance, owner: str | None, context: Context, *, reads: bool = True
    ) -> asyncio.Task[Learned]:
        work = _learn(learner, said, owner, self._holding.get(said), reads)
        saving = started(self._tasks, work, name=_SAVING, context=context)
        self._saving.add(saving)
        saving.add_done_callback(self._saving.discard)
        # What is held is for the background when nobody learns from it: not now.
        busy = ExitStack()
        busy.enter_context(learner.busy())
        saving.add_done_callback(lambda _: busy.close())
        return saving

    def _announce(self, said: Utterance, owner: str | None, saving: asyncio.Task[Learned]) -> None:
        if saving.cancelled():
            return
        failure = saving.exception()
        if failure is not None:
            _log.warning("nothing was learned: %s", type(failure).__name__, exc_info=failure)
        elif self._learner is not None:
            self._learner.announce(owner, said, saving.result())


class TurnLesson:
    """What one turn's message brings to a TurnLearning.

    Args:
        learning: learns from it.
        task: what is to be answered; a message that is answered again was learned from before.
        transcript: where the message is stored, None for nowhere.
        context: context variables that the memory's code sees.
    """

    def __init__(
        self, learning: TurnLearning, task: TurnTask, transcript: Transcript | None, context: Context
    ) -> None:
        self._learning = learning
        self._task = task
        self._transcript = transcript
        self._context = context
        self._said: Utterance | None = None

    def hold(self) -> None:
        """The message is stored: it will be learned from, whatever becomes of the turn."""
        said = self._message()
        if said is not None and not self._temporary:
            self._learning.hold(said, self._task.owner, self._context)

    async def learn(self, host: str | None) -> tuple[Learned, str]:
        """See TurnLearning.learn.

        Args:
            host: where the message was sent, None for nowhere.
        """
        said = self._message()
        if said is None:
            return Learned(), ""
        said = replace(said, host=host)
        return await self._learning.learn(said, self._task.owner, self._context, temporary=self._temporary)

    def learn_later(self, host: str | None, error: BaseException) -> None:
        """The turn ended with `error`: learn from what is stored of it, beside whatever comes. What a guardrail keeps
        from a model is read by none."""
        said = self._message()
        if said is not None and not self._temporary:
            self._learning.learn_later(
                replace(said, host=host),
                self._task.owner,
                self._context,
                reads=not isinstance(error, GuardrailError),
            )

    @property
    def _temporary(self) -> bool:
        return self._transcript is not None and self._transcript.is_temporary

    def _message(self) -> Utterance | None:
        """None for what is not stored, or was learned from before."""
        if self._task.answer_to is not None:
            return None
        if self._said is None:
            text, transcript = self._task.messages[-1].content, self._transcript
            if transcript is None:
                self._said = Utterance(text, datetime.now(UTC))
            elif transcript.question_id is not None:
                self._said = Utterance(
                    text, transcript.asked_at, transcript.session_id, transcript.question_id
                )
        return self._said


async def _learn(
    learner: Learner,
    said: Utterance,
    owner: str | None,
    holding: asyncio.Task[None] | None,
    reads: bool,
) -> Learned:
    if holding is not None:
        await asyncio.wait([holding])
    then = learner.enqueue if reads else learner.let_go
    try:
        learned = await learner.learn_now(said, user_id=owner)
    except StoreClosedError:
        # It stays held, and is learned from after the next start.
        raise
    except Exception:
        await then(said, user_id=owner)
        raise
    await then(said, user_id=owner)
    return learned
