"""The agent's use of the answer cache: late or broken, it never stops a turn."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass
from typing import Any, TypeVar

from assistant.agent.answer_book import session_mark
from assistant.agent.echoes import Echoes, Place, place_of
from assistant.agent.remembering import Recollection
from assistant.agent.waiting import started
from assistant.cache.base import CachedAnswer
from assistant.cache.keys import context_digest
from assistant.cache.semantic_cache import SemanticCache
from assistant.core.tasks import Supervisor
from assistant.core.types import CallerContext, Message, current_caller
from assistant.memory.base import MemoryResult
from assistant.memory.learning.base import Learned
from assistant.models.base import ChatModel, ChatOptions

T = TypeVar("T")
_log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds that a turn waits for the cache; the first use of the embedding model may take longer."""


@dataclass(frozen=True, slots=True)
class Situation:
    """What an answer depends on.

    Attributes:
        question: what the user says, as it is sent.
        caller: whom it is for, None for nobody.
        model: the model and where it is.
        instructions: what the model is told to be.
        context: digest of everything else that is sent.
        used: ids of the memories that are quoted, and the mark of the conversation.
        since: the cache's moment when the turn began.
    """

    question: str
    caller: CallerContext | None
    model: str
    instructions: str
    context: str
    used: tuple[str, ...]
    since: int

    def keys(self) -> dict[str, Any]:
        """The arguments that `get`, `put` and `discard` share."""
        return {
            "caller": self.caller,
            "model": self.model,
            "instructions": self.instructions,
            "context": self.context,
        }


class TurnAnswers:
    """The answer cache as one agent uses it.

    Args:
        cache: None for none.
        tasks: owns what runs on after a turn.
    """

    def __init__(self, cache: SemanticCache | None, tasks: Supervisor) -> None:
        self._cache = cache
        self._tasks = tasks
        self._echoes = Echoes()

    def places(self, memories: Sequence[MemoryResult]) -> list[Place]:
        """Where those were said that the answer may have been given from; empty without a cache."""
        found = [] if self._cache is None else map(place_of, memories)
        return [place for place in found if place is not None]

    def moment(self) -> int:
        """When a turn begins, for the cache: what is forgotten from now on keeps its answer out."""
        return 0 if self._cache is None else self._cache.moment

    def situation(
        self,
        prompt: Sequence[Message],
        recollection: Recollection,
        *,
        quoted: int | None,
        model: ChatModel,
        instructions: str,
        options: ChatOptions,
        context: Context,
        since: int,
        asked_before: Mapping[Place, str],
        session_id: str | None = None,
    ) -> Situation:
        """What the answer to `prompt` depends on.

        Args:
            prompt: as it is sent; the last message is the question.
            quoted: the place of the message with the memories; ids and versions stand for it.
            asked_before: see Echoes.without.
            session_id: the conversation, with which the answer goes.
        """
        earlier = [message for place, message in enumerate(prompt[:-1]) if place != quoted]
        question = prompt[-1].content
        caller = context.get(current_caller)
        new = (
            recollection.memories
            if caller is None
            else self._echoes.without(recollection.memories, question, caller, asked_before)
        )
        memories = [
            (memory.memory_id, (memory.content, memory.created_at, memory.updated_at)) for memory in new
        ]
        return Situation(
            question=question,
            caller=caller,
            model=f"{model.name} at {model.host}",
            instructions=instructions,
            context=context_digest(earlier, memories, extra=_shape(options)),
            used=(*(memory.memory_id for memory in recollection.memories), *_marks(session_id)),
            since=since,
        )

    async def find(self, situation: Situation, context: Context) -> CachedAnswer | None:
        """An answer that was given in this situation, None when there is none or it takes too long."""
        if self._cache is None or situation.caller is None:
            return None
        found = await self._in_time(self._cache.get(situation.question, **situation.keys()), None, context)
        if found is not None:
            self._echoes.said(situation.question, found.answer, situation.caller)
        return found

    async def keep(self, situation: Situation, answer: str, finish: str, context: Context) -> None:
        """Keep a whole answer for the next time."""
        if self._cache is None or situation.caller is None:
            return
        self._echoes.said(situation.question, answer, situation.caller)
        keeping = self._cache.put(
            situation.question,
            answer,
            **situation.keys(),
            used=situation.used,
            finish=finish,
            since=situation.since,
        )
        await self._in_time(keeping, False, context)

    async def discard(self, situation: Situation, found: CachedAnswer, context: Context) -> None:
        """Remove an answer that must not be given again."""
        if self._cache is not None and situation.caller is not None:
            await self._in_time(self._cache.discard(found, **situation.keys()), None, context)

    async def outdated(self, learned: Learned, context: Context) -> None:
        """Remove the answers that were made with a memory whose place another one has taken."""
        gone = replaced_by(learned)
        if self._cache is not None and gone:
            await self._in_time(self._cache.forget(gone), 0, context)

    async def forget(self, memory_ids: Iterable[str]) -> int:
        """Remove the answers that were made with one of these memories; how many.

        Raises:
            StorageError: it failed; what is left is not known.
        """
        return 0 if self._cache is None else await self._cache.forget(memory_ids)

    async def _in_time(self, work: Coroutine[Any, Any, T], late: T, context: Context) -> T:
        """The result of `work`, which goes on by itself when the turn does not wait for it any longer."""
        task = started(self._tasks, work, name="use the answer cache", context=context)
        await asyncio.wait([task], timeout=PATIENCE)
        if not task.done() or task.cancelled():
            return late
        error = task.exception()
        if error is None:
            return task.result()
        _log.warning("the answer cache failed: %s", type(error).__name__, exc_info=error)
        return late


def replaced_by(learned: Learned) -> list[str]:
    """Ids of the memories whose place others have taken."""
    from assistant.memory.learning.keeping import replaced_ids

    active = [kept for kept in learned.kept if not kept.waits]
    named = {kept.replaced: None for kept in active if kept.replaced is not None}
    return list(named | {memory_id: None for kept in active for memory_id in replaced_ids(kept.metadata)})


def _shape(options: ChatOptions) -> str:
    """What shapes a reply beside the messages, empty for nothing."""
    schema = None if options.json_schema is None else dict(options.json_schema)
    asked = {"max_tokens": options.max_tokens, "temperature": options.temperature, "json_schema": schema}
    given = {name: value for name, value in asked.items() if value is not None}
    return json.dumps(given, sort_keys=True, default=str) if given else ""


def _marks(session_id: str | None) -> tuple[str, ...]:
    return () if session_id is None else (session_mark(session_id),)
