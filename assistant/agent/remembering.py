"""The agent's use of long-term memory: recall before a turn, and what was said kept after it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import Any, TypeVar

from assistant.agent.said import SaidMessage, SaidTurns
from assistant.agent.waiting import started
from assistant.core.errors import AssistantError, MemoryIsolationError
from assistant.core.tasks import Supervisor
from assistant.core.types import MemoryStatus, Message
from assistant.memory.base import MemoryProvider, MemoryResult, MemoryScope
from assistant.memory.injection import inject
from assistant.memory.recall.result import ForeseeingMemory, RecalledMemory, RecallingMemory, as_recalled

T = TypeVar("T")
_log = logging.getLogger(__name__)

_QUERY_HEAD, _QUERY_TAIL = 600, 400
_RECENT = 100
"""Messages before the question that recall is told of: those that can be in its prompt."""


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """How memory takes part in turns.

    Attributes:
        limit: memories to one turn at most.
        min_score: 0..1; what scores lower is not used.
        token_budget: estimated tokens that quoted memories may cost.
        timeout: seconds that a turn waits for memory.
        index_said: keep what was said in stored conversations, for later ones to recall.
        recall_said: use what was kept of conversations.
    """

    limit: int
    min_score: float
    token_budget: int
    timeout: float
    index_said: bool = False
    recall_said: bool = True


@dataclass(frozen=True, slots=True)
class Recollection:
    """What recall brought.

    Attributes:
        status, note: see TurnResult.
        items: what is quoted, best first.
        message: the system message that quotes them; None for none.
    """

    status: MemoryStatus
    note: str = ""
    items: tuple[RecalledMemory, ...] = ()
    message: Message | None = None

    @property
    def memories(self) -> tuple[MemoryResult, ...]:
        """Those that are quoted, best first."""
        return tuple(item.memory for item in self.items)


class TurnMemory:
    """Long-term memory as one agent uses it: late or broken, it never stops a turn.

    Args:
        provider: the memory, None for none.
        options: see MemoryOptions.
        tasks: owns what runs on after a turn.
    """

    def __init__(self, provider: MemoryProvider | None, options: MemoryOptions, tasks: Supervisor) -> None:
        self._provider = provider
        self._options = options
        self._tasks = tasks
        self._said = SaidTurns(provider if options.index_said else None, tasks)

    def check_owner(self, owner: str | None) -> None:
        """Refuse a turn for nobody on a memory that is kept for each person.

        Raises:
            MemoryIsolationError: PER_USER without an owner.
        """
        provider = self._provider
        if provider is not None and provider.scope is MemoryScope.PER_USER and not owner:
            raise MemoryIsolationError(
                "This memory is kept for each person separately, and the turn names nobody.",
                hint="Pass caller=CallerContext(user_id=…). The model was not called.",
            )

    async def recall(
        self,
        question: str,
        owner: str | None,
        context: Context,
        *,
        history: Sequence[Message] = (),
        session_id: str | None = None,
        noted: bool = True,
    ) -> Recollection:
        """The memories that fit `question`.

        Args:
            history: the messages before it.
            session_id: the conversation that runs; what was said in it is in the prompt anyway.
            noted: False when they are not going to be used.

        Raises:
            MemoryIsolationError: the provider refuses the owner.
        """
        if self._provider is None or self._options.limit <= 0:
            return Recollection("none")
        looking = self._look(self._provider, _query(question), owner, history, session_id, noted)
        try:
            found = await self._in_time(looking, "recall memories", context)
        except MemoryIsolationError:
            raise
        except TimeoutError:
            return Recollection("failed", f"Memory did not answer within {self._options.timeout:g} seconds.")
        except AssistantError as error:
            _log.warning("recall failed: %s", error.title, exc_info=error)
            return Recollection("failed", str(error))
        except Exception as error:  # noqa: BLE001  # a provider is anybody's code, and the turn must go on
            _log.warning("recall failed: %s", type(error).__name__, exc_info=error)
            return Recollection("failed", "Memory failed for an unknown reason.")
        injection = inject(found, token_budget=self._options.token_budget)
        if injection is None:
            return Recollection("ok")
        return Recollection("ok", items=injection.items, message=injection.message)

    def keep_said(self, messages: Sequence[SaidMessage], owner: str | None, context: Context) -> None:
        """Keep what was said, in the background, when this is wanted."""
        self._said.keep(messages, owner, context)

    async def settle(self, grace: float) -> None:
        """Wait, at most `grace` seconds, for what is still being kept."""
        await self._said.settle(grace)

    async def _look(
        self,
        provider: MemoryProvider,
        query: str,
        owner: str | None,
        history: Sequence[Message],
        session_id: str | None,
        noted: bool,
    ) -> list[RecalledMemory]:
        if isinstance(provider, RecallingMemory):
            look = provider.recall
            if not noted and isinstance(provider, ForeseeingMemory):
                look = provider.would_recall
            recall = await look(
                query,
                user_id=owner,
                history=history[-_RECENT:],
                session_id=session_id,
                token_budget=self._options.token_budget,
                said=self._options.recall_said,
            )
            return list(recall.items)
        found = await provider.search(query, limit=self._options.limit, user_id=owner)
        return [as_recalled(memory) for memory in self._usable(found)]

    def _usable(self, found: list[MemoryResult]) -> list[MemoryResult]:
        seen: set[str] = set()
        usable = []
        for memory in found[: self._options.limit]:
            if memory.score >= self._options.min_score and memory.content not in seen:
                seen.add(memory.content)
                usable.append(memory)
        return usable

    async def _in_time(self, work: Coroutine[Any, Any, T], name: str, context: Context) -> T:
        """The result of `work`, which is left to itself when it is late: it may not heed a cancellation."""
        task = started(self._tasks, work, name=name, context=context)
        try:
            await asyncio.wait([task], timeout=self._options.timeout)
        finally:
            if not task.done():
                task.cancel()
        if not task.done() or task.cancelled():
            raise TimeoutError
        return task.result()


def _query(question: str) -> str:
    """The part of a message that is searched for: all of it, or of a long one its beginning and its end."""
    if len(question) <= _QUERY_HEAD + _QUERY_TAIL:
        return question
    return f"{question[:_QUERY_HEAD]} {question[-_QUERY_TAIL:]}"
