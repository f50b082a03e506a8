"""The agent's use of a learner: what a turn's message brings to memory, and when a model may read it."""

from __future__ import annotations

import asyncio
import logging
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context
from typing import TYPE_CHECKING

from assistant.agent.waiting import started
from assistant.core.errors import AssistantError, StoreClosedError
from assistant.core.tasks import Supervisor
from assistant.memory.learning.base import Learned, Utterance
from assistant.memory.remember import remember_wish

if TYPE_CHECKING:
    from assistant.memory.learning.learner import Learner

_log = logging.getLogger(__name__)

_SAVING = "keep memories"
_CLOSED = "What you asked to remember was not kept: memory was closed."
_SLOW = "Memory is slow; what you asked to remember is still being kept."
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
        self._saving: set[asyncio.Task[Learned]] = set()

    def turn(self) -> AbstractContextManager[None]:
        """While it lasts a turn is running, and no other question is put to the model."""
        return nullcontext() if self._learner is None else self._learner.busy()

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
            saving = started(self._tasks, _learn(learner, said, owner), name=_SAVING, context=context)
        except StoreClosedError:
            return Learned(), _CLOSED if wished else ""
        self._saving.add(saving)
        saving.add_done_callback(self._saving.discard)
        # Not waited for through a shield: a turn that is stopped leaves it to be kept.
        await asyncio.wait([saving], timeout=self._timeout)
        if not saving.done():
            return Learned(), _SLOW if wished else ""
        if saving.cancelled():
            return Learned(), _CLOSED if wished else ""
        failure = saving.exception()
        if failure is None:
            return saving.result(), ""
        _log.warning("nothing was learned: %s", type(failure).__name__, exc_info=failure)
        reason = str(failure) if isinstance(failure, AssistantError) else "Memory failed."
        return Learned(), f"What you asked to remember was not kept. {reason}" if wished else ""

    async def settle(self, grace: float) -> None:
        """Wait, at most `grace` seconds, for what is still being kept; then close the learner, when it is owned."""
        if self._saving:
            await asyncio.wait(set(self._saving), timeout=grace)
        if self._learner is not None and self._owns:
            await self._learner.settle(grace)
            await self._learner.close()


async def _learn(learner: Learner, said: Utterance, owner: str | None) -> Learned:
    try:
        return await learner.learn_now(said, user_id=owner)
    finally:
        await learner.enqueue(said, user_id=owner)
