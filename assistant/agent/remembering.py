"""The agent's use of long-term memory: recall before a turn, keeping what the user asks to keep after it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from contextvars import Context
from dataclasses import dataclass
from typing import Any

from assistant.agent.waiting import started
from assistant.core.errors import AssistantError, MemoryIsolationError, StoreClosedError
from assistant.core.tasks import Supervisor
from assistant.core.types import MemoryStatus, Message
from assistant.memory.base import MemoryProvider, MemoryResult, MemoryScope
from assistant.memory.injection import inject
from assistant.memory.remember import remember_wish

_log = logging.getLogger(__name__)

_QUERY_HEAD, _QUERY_TAIL = 600, 400
_SAVING = "keep a memory"
_CLOSED = "What you asked to remember was not kept: memory was closed."


@dataclass(frozen=True, slots=True)
class MemoryOptions:
    """How memory takes part in turns.

    Attributes:
        limit: memories to one turn at most.
        min_score: 0..1; what scores lower is not used.
        token_budget: estimated tokens that quoted memories may cost.
        timeout: seconds that a turn waits for memory.
        auto_store: keep what the user asks to remember.
    """

    limit: int
    min_score: float
    token_budget: int
    timeout: float
    auto_store: bool


@dataclass(frozen=True, slots=True)
class Recollection:
    """What recall brought.

    Attributes:
        status, note: see TurnResult.
        memories: those that are quoted, best first.
        message: the system message that quotes them; None for none.
    """

    status: MemoryStatus
    note: str = ""
    memories: tuple[MemoryResult, ...] = ()
    message: Message | None = None


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
        self._saving: set[asyncio.Task[str]] = set()

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

    async def recall(self, question: str, owner: str | None, context: Context) -> Recollection:
        """The memories that fit `question`.

        Raises:
            MemoryIsolationError: the provider refuses the owner.
        """
        if self._provider is None or self._options.limit <= 0:
            return Recollection("none")
        search = self._provider.search(_query(question), limit=self._options.limit, user_id=owner)
        try:
            found = await self._in_time(search, "recall memories", context)
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
        injection = inject(self._usable(found), token_budget=self._options.token_budget)
        if injection is None:
            return Recollection("ok")
        return Recollection("ok", memories=injection.used, message=injection.message)

    async def keep_wish(
        self, said: str, owner: str | None, source: dict[str, Any], context: Context
    ) -> tuple[MemoryResult | None, str]:
        """Keep what the user asks to remember, when that is what the message does.

        What takes longer than a turn waits goes on, and is waited for by `settle`.

        Returns:
            The kept memory or None, and why keeping it failed or is late (empty otherwise).
        """
        wish = remember_wish(said) if self._options.auto_store else None
        if wish is None or self._provider is None:
            return None, ""
        metadata = {"source": source, "kind": "explicit"}
        work = self._provider.add(wish, metadata=metadata, user_id=owner)
        try:
            adding = started(self._tasks, work, name=_SAVING, context=context)
        except StoreClosedError:
            return None, _CLOSED
        self._saving.add(adding)
        adding.add_done_callback(self._saving.discard)
        # Not waited for through a shield: a turn that is stopped leaves the wish to be kept.
        await asyncio.wait([adding], timeout=self._options.timeout)
        if not adding.done():
            return None, "Memory is slow; what you asked to remember is still being kept."
        if adding.cancelled():
            return None, _CLOSED
        failure = adding.exception()
        if failure is not None:
            reason = str(failure) if isinstance(failure, AssistantError) else "Memory failed."
            return None, f"What you asked to remember was not kept. {reason}"
        return MemoryResult(wish, 1.0, adding.result(), metadata), ""

    async def settle(self, grace: float) -> None:
        """Wait, at most `grace` seconds, for what is still being kept."""
        if self._saving:
            await asyncio.wait(set(self._saving), timeout=grace)

    def _usable(self, found: list[MemoryResult]) -> list[MemoryResult]:
        seen: set[str] = set()
        usable = []
        for memory in found[: self._options.limit]:
            if memory.score >= self._options.min_score and memory.content not in seen:
                seen.add(memory.content)
                usable.append(memory)
        return usable

    async def _in_time(
        self, work: Coroutine[Any, Any, list[MemoryResult]], name: str, context: Context
    ) -> list[MemoryResult]:
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
