"""Keeps the agent of the window up to date with what the user chose."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.core.errors import AssistantError, StoreClosedError
from assistant.core.tasks import Supervisor

if TYPE_CHECKING:
    from assistant.agent.after_hours import AfterHours
    from assistant.agent.agent import Agent
    from assistant.agent.answer_book import AnswerBook, KeptAnswers
    from assistant.agent.learning_desk import LearningDesk
    from assistant.agent.reflection import Reflection
    from assistant.agent.switchboard import Switchboard
    from assistant.config.settings_keeper import SettingsKeeper
    from assistant.context.engine import ContextEngine
    from assistant.conversation.base import ConversationStore
    from assistant.memory.learning.base import Learned, Utterance
    from assistant.memory.ledger.deferred import DeferredLedger
    from assistant.models.base import ChatModel

_log = logging.getLogger(__name__)
_REST_TIME = 0.5
"""Seconds to wait at most for memories that are being kept and answers that are being forgotten."""

IDENTITY = (
    "You are Keepsake, a helpful assistant on the user's own computer. Answer in the user's language, plainly and "
    "briefly. When remembered facts are given, use those that fit the question. Say so when you do not know."
)


class Stores(Protocol):
    """What a profile keeps. Each is another object after a wipe.

    Attributes:
        directory: its folder.
        owner_id: whose it is.
        is_open: whether the stores can be used.
    """

    @property
    def directory(self) -> Path: ...

    @property
    def owner_id(self) -> str: ...

    @property
    def is_open(self) -> bool: ...

    @property
    def memory(self) -> DeferredLedger: ...

    @property
    def conversations(self) -> ConversationStore: ...

    def before_closing(self, close: Callable[[], Awaitable[object]]) -> None:
        """Have `close` called each time before the stores close."""
        ...


class AgentDesk:
    """Keeps one agent for the model, the memory and the settings in force, with its context engine and the answers
    that it may give again. They close with the profile, and the next use opens them anew.

    Args:
        settings: what the person chose.
        switchboard: which model answers.
        profile: whose stores.
        learning: which learner keeps memories from turns.
    """

    def __init__(
        self, settings: SettingsKeeper, switchboard: Switchboard, profile: Stores, learning: LearningDesk
    ) -> None:
        self._settings = settings
        self._switchboard = switchboard
        self._profile = profile
        self._learning = learning
        self._making = asyncio.Lock()
        self._agent: Agent | None = None
        self._made_for: tuple[object, ...] = ()
        self._engine: ContextEngine | None = None
        self._engine_for: ChatModel | None = None
        self._widened: tuple[ChatModel | None, int] = (None, 0)
        self._tasks = Supervisor()
        self._caught_up = False
        learning.listen(self._learned)
        profile.before_closing(self.close)

    # These are made when they are first needed, which is after a window's first frame.

    @cached_property
    def _answers(self) -> AnswerBook:
        from assistant.agent.answer_book import AnswerBook, MemoryEmbedder

        profile = self._profile
        return AnswerBook(lambda: profile.directory, MemoryEmbedder(lambda: profile.memory))

    @cached_property
    def _after_hours(self) -> AfterHours:
        from assistant.agent.after_hours import LONGEST, AfterHours

        # Of its own: what waits for hours without a turn is no work that must end before a wipe.
        return AfterHours(Supervisor(), first=lambda: self._learning.settle(LONGEST))

    @cached_property
    def _reflection(self) -> Reflection:
        from assistant.agent.reflection import Reflection

        profile, switchboard = self._profile, self._switchboard
        return Reflection(
            self._after_hours,
            store=lambda: profile.conversations,
            owner=lambda: profile.owner_id,
            learner=self._learning.learner,
            wanted=self._wants_reflection,
            steps_aside=lambda: switchboard.destination[2],
        )

    async def agent(self) -> Agent | None:
        """The agent, None when no model is chosen.

        Raises:
            StoreClosedError: the profile is closed.
            AssistantError: the model can't be made.
        """
        async with self._making:
            if not self._profile.is_open:
                raise StoreClosedError("The profile is closed.")
            self._learning.check()
            model = await self._switchboard.model()
            return None if model is None else await self._agent_for(model)

    async def warm_up(self) -> None:
        """Load what the first prompt for the chosen model would wait for. Loading an encoding keeps the interpreter
        busy for a third of a second. A failure is left to the turn, which tells it. For the first time it also has the
        conversations looked through, later, that an earlier run left behind."""
        # In a thread, so that a window goes on meanwhile.
        await asyncio.to_thread(import_module, "assistant.agent.builder")
        try:
            if await self.agent() is not None and self._engine is not None:
                await self._engine.warmup()
                if not self._caught_up:
                    self._caught_up = True
                    self._reflection.catch_up()
        except AssistantError as error:
            _log.info("the context engine is not ready: %s", error.title)

    async def widen(self, tokens: int) -> None:
        """Take the user's word that the model in force reads at least so many tokens, until another one is chosen.

        Raises:
            AssistantError: the model can't be made.
        """
        async with self._making:
            self._widened = (await self._switchboard.model(), 2 * tokens)
            await self._drop_engine()

    def conversation_left(self, session_id: str) -> None:
        """Another conversation was opened in place of this one: what it established may be proposed, later."""
        self._reflection.left(session_id)

    async def forget_answers(self, memory_ids: Iterable[str]) -> int:
        """Drop the kept answers that were made with one of these memories, which were forgotten or changed; how many.

        Raises:
            StorageError: it failed; what is left is not known.
        """
        return await self._answers.forget(memory_ids)

    async def clear_answers(self) -> int:
        """Drop all kept answers; how many there were. Errors as in forget_answers."""
        return await self._answers.clear(self._profile.owner_id)

    async def kept_answers(self) -> KeptAnswers:
        """How many answers are kept.

        Raises:
            StorageError: they can't be read.
        """
        return await self._answers.kept()

    async def close(self) -> None:
        """Close what the agent works with. Safe to call twice."""
        if "_after_hours" in self.__dict__:
            await self._after_hours.clear()
        self._let_go()
        await self._tasks.rest(grace=_REST_TIME)
        async with self._making:
            self._agent, self._made_for = None, ()
            await self._drop_engine()
            if "_answers" in self.__dict__:
                await self._answers.close()

    def _let_go(self) -> None:
        """Have the agent's memories kept to the end: a reply may still run on in it."""
        agent, self._agent = self._agent, None
        if agent is not None:
            self._tasks.start(agent.kept(), name="keep memories")

    def _learned(self, owner: str | None, said: Utterance, learned: Learned) -> None:
        """A memory took another one's place in the background."""
        from assistant.agent.answers import replaced_by

        gone = replaced_by(learned)
        if gone:
            self._tasks.start(self.forget_answers(gone), name="forget answers")

    def _wants_reflection(self) -> bool:
        s = self._settings.current
        reads = s.memory_enabled and s.memory_extraction and s.memory_consent != "manual"
        return reads and s.memory_reflection and self._profile.is_open

    async def _agent_for(self, model: ChatModel) -> Agent:
        from assistant.agent import build_agent
        from assistant.agent.guardrails import PrivateDataRedactor

        s = self._settings.current
        learner = await self._learning.learner() if s.memory_enabled else None
        cache = await self._answers.cache(s.cache_mode)
        engine = await self._engine_of(model)
        guarded = s.guard_private_data and not self._switchboard.destination[2]
        wanted = (
            model,
            learner,
            cache,
            engine,
            guarded,
            self._profile.memory,
            s.instructions,
            s.memory_enabled,
            s.memory_token_budget,
            s.memory_index_turns,
            s.summaries,
        )
        if self._agent is None or wanted != self._made_for:
            self._let_go()
            self._agent = await build_agent(
                model=model,
                instructions=f"{IDENTITY}\n\n{s.instructions}".strip(),
                memory=self._profile.memory if s.memory_enabled else None,
                learner=learner,
                memory_token_budget=s.memory_token_budget,
                memory_index_turns=s.memory_enabled and s.memory_index_turns,
                memory_recall_turns=s.memory_index_turns,
                conversation_store=self._profile.conversations,
                cache=cache,
                context_engine=engine,
                guardrails=[PrivateDataRedactor(replies=False)] if guarded else [],
                summarise=s.summaries,
                after_hours=self._after_hours,
                on_turn_ended=self._reflection.turn_ended,
                owns=False,
            )
            self._made_for = wanted
        return self._agent

    async def _engine_of(self, model: ChatModel) -> ContextEngine:
        if self._engine is None or self._engine_for is not model:
            from assistant.context.engine import ContextEngine

            await self._drop_engine()
            widened_for, window = self._widened
            self._engine = ContextEngine(model, window=window if widened_for is model else None)
            self._engine_for = model
        return self._engine

    async def _drop_engine(self) -> None:
        engine, self._engine, self._engine_for = self._engine, None, None
        if engine is not None:
            await engine.close()
