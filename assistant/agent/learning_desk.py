"""Keeps the learner of the window up to date with the model, the memory and the settings in force."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from assistant.core.errors import AssistantError, StoreClosedError
from assistant.core.tasks import Supervisor

if TYPE_CHECKING:
    from assistant.agent.switchboard import Switchboard
    from assistant.config.settings_keeper import SettingsKeeper
    from assistant.memory.base import MemoryProvider
    from assistant.memory.learning.base import Learned, Utterance
    from assistant.memory.learning.learner import Learner, OnLearned
    from assistant.memory.learning.queue import But
    from assistant.models.base import ChatModel


_log = logging.getLogger(__name__)


class HasMemory(Protocol):
    """What a profile keeps; another object after a wipe. See Profile."""

    @property
    def memory(self) -> MemoryProvider: ...

    def before_closing(self, close: Callable[[], Awaitable[object]]) -> None: ...


class LearningDesk:
    """Keeps one learner, which goes on with what an earlier run left unread. It closes with the profile, and the next
    use makes another.

    Args:
        settings: what the person chose.
        switchboard: which model reads what was said.
        profile: whose memory.
    """

    def __init__(self, settings: SettingsKeeper, switchboard: Switchboard, profile: HasMemory) -> None:
        self._settings = settings
        self._switchboard = switchboard
        self._profile = profile
        # Of its own: a learner that waits for a model that is away is no work that must end before a wipe.
        self._tasks = Supervisor(lambda name, error: _log.error("%s failed", name, exc_info=error))
        self._listeners: list[OnLearned] = []
        self._learner: Learner | None = None
        self._made_for: tuple[object, ...] = ()
        self._tidied: But | None = None
        settings.listen(self.check)
        profile.before_closing(self.close)

    async def learner(self) -> Learner:
        """The learner for what is in force now.

        Raises:
            AssistantError: the model that is chosen can't be made.
        """
        from assistant.memory.learning.making import make_learner

        settings = self._settings.current
        model: ChatModel | None = await self._switchboard.model() if settings.memory_extraction else None
        memory = self._profile.memory
        guarded = settings.guard_private_data and not self._switchboard.destination[2]
        wanted = (model, memory, guarded)
        if self._learner is None or wanted != self._made_for:
            before, self._made_for = self._learner, wanted
            self._learner = make_learner(
                memory,
                self._guarded(model) if guarded and model is not None else model,
                consent=lambda: self._settings.current.memory_consent,
                enabled=lambda: self._settings.current.memory_enabled,
                on_learned=self._tell,
                tasks=self._tasks,
            )
            if before is not None:
                await before.close()
            self._learner.start()
        return self._learner

    def check(self) -> None:
        """Have what waits to be read and may not be any more dropped, as the settings say now: once, until they say
        something else. Nobody waits for it."""
        if self._stays() != self._tidied:
            self._tasks.start(self._tidy(), name="drop what may not be read", replaces=True)

    def listen(self, listener: OnLearned) -> None:
        """Have `listener` told what was learned in the background."""
        self._listeners.append(listener)

    async def settle(self, grace: float) -> None:
        """Wait, at most `grace` seconds, until the learner has read what waits for it, or can't now."""
        if self._learner is not None:
            await self._learner.settle(grace)

    async def close(self) -> None:
        """Stop learning; what is not read yet stays queued. Safe to call twice."""
        learner, self._learner, self._made_for = self._learner, None, ()
        self._tidied = None
        if learner is not None:
            await learner.close()

    def _stays(self) -> But | None:
        """What of the queue may stay; None for all of it."""
        settings = self._settings.current
        if not settings.memory_enabled:
            return "nothing"
        if settings.memory_consent == "manual":
            return "wishes"
        return None if settings.memory_extraction else "held"

    async def _tidy(self) -> None:
        """A failure is logged, and the next check tries again."""
        from assistant.memory.deferred import opened
        from assistant.memory.learning.queue import KeepsLessons

        but = self._stays()
        if but is None or but == self._tidied:
            self._tidied = but
            return
        try:
            memory = await opened(self._profile.memory)
            if isinstance(memory, KeepsLessons):
                await memory.lessons.clear(but=but)
            self._tidied = but
        except StoreClosedError:
            return
        except AssistantError as error:
            _log.warning("messages still wait to be read: %s", error.title, exc_info=error)

    def _guarded(self, model: ChatModel) -> ChatModel:
        from assistant.agent.guarded_model import GuardedModel
        from assistant.agent.guardrails import PrivateDataRedactor

        return GuardedModel(model, [PrivateDataRedactor(replies=False)], self._tasks)

    def _tell(self, owner: str | None, said: Utterance, learned: Learned) -> None:
        for listener in self._listeners:
            listener(owner, said, learned)
