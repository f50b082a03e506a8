"""The agent: turns over one model, one memory and one store of conversations."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, aclosing
from contextvars import copy_context

from assistant.agent.answers import TurnAnswers
from assistant.agent.events import TurnDone, TurnEvent, TurnResult
from assistant.agent.guardrails import Guardrail, Guards
from assistant.agent.remembering import MemoryOptions, TurnMemory
from assistant.agent.session_locks import SessionLocks
from assistant.agent.transcript import Transcript
from assistant.agent.turn import Turn, TurnOptions, TurnTask
from assistant.agent.turn_input import TurnInput, check_nothing_new, checked_messages
from assistant.cache.semantic_cache import SemanticCache
from assistant.conversation.base import ConversationStore
from assistant.core.errors import AssistantError, ConversationError, InvalidInputError, StoreClosedError
from assistant.core.tasks import Supervisor
from assistant.core.text import check_text
from assistant.core.types import CallerContext, current_caller
from assistant.memory.base import MemoryProvider
from assistant.models.base import ChatModel

_log = logging.getLogger(__name__)

Closer = Callable[[], Awaitable[None]]


class Agent:
    """Answers messages, with what it remembers. Made by `build_agent`.

    Args:
        model: answers.
        memory: long-term memory, None for none.
        conversation_store: keeps conversations, None for none.
        options: how to answer.
        memory_options: how memory takes part.
        cache: gives answers again, None for none.
        guardrails: what is sent and shown passes them, in this order.
        closers: called by `shutdown`, in order.
    """

    def __init__(
        self,
        model: ChatModel,
        *,
        memory: MemoryProvider | None,
        conversation_store: ConversationStore | None,
        options: TurnOptions,
        memory_options: MemoryOptions,
        cache: SemanticCache | None = None,
        guardrails: Sequence[Guardrail] = (),
        closers: Sequence[Closer] = (),
    ) -> None:
        self._model = model
        self._store = conversation_store
        self._options = options
        self._closers = list(closers)
        # Whoever waits for a task is told of its failure.
        self._tasks = Supervisor(on_failure=lambda name, error: _log.debug("%s failed: %r", name, error))
        self._memory = TurnMemory(memory, memory_options, self._tasks)
        self._answers = TurnAnswers(cache, self._tasks)
        self._guardrails = tuple(guardrails)
        self._locks = SessionLocks()
        self._turns: set[Turn] = set()
        self._closed = False

    async def ainvoke(
        self,
        input: TurnInput,
        *,
        caller: CallerContext | None = None,
        session_id: str | None = None,
    ) -> TurnResult:
        """Take one turn and return its result. Arguments and errors as in `astream`."""
        async with aclosing(self.astream(input, caller=caller, session_id=session_id)) as events:
            async for event in events:
                if isinstance(event, TurnDone):
                    return event.result
        raise StoreClosedError("The assistant was closed before it answered.")

    async def astream(
        self,
        input: TurnInput | None = None,
        *,
        caller: CallerContext | None = None,
        session_id: str | None = None,
        answer_to: str | None = None,
    ) -> AsyncGenerator[TurnEvent, None]:
        """Take one turn and yield what happens: started, recalled, text and reasoning, saved, done.

        Turns on one session wait for each other. Closing the iterator (use `contextlib.aclosing`) or
        cancelling its task stops the reply; what was yielded of it is stored.

        Args:
            input: `{"messages": [...]}`, the last one the user's. With a conversation store and a session only
                the user's new messages: earlier ones are read from the store.
            caller: whom the turn is for. A memory that is kept per user, and a stored conversation, need one.
            session_id: the conversation to store the turn in, made when it does not exist. None: nothing is
                stored.
            answer_to: id of a stored message of the user that gets another reply beside those it has; `input`
                brings no messages then.

        Raises:
            InvalidInputError, InvalidTextError: the input can't be used.
            MemoryIsolationError: memory needs a caller. The model was not called.
            ConversationError: a stored conversation needs a caller, or there is none to answer in again.
            GuardrailError: a guardrail refuses what is to be sent or shown.
            ModelError: the model failed; what had come of the reply is stored.
            StorageError: the conversation can't be written.
            StoreClosedError: after shutdown.
        """
        self._check_open()
        owner = None if caller is None else caller.owner
        task = self._checked_task(input, owner, session_id, answer_to)
        async with AsyncExitStack() as stack:
            transcript = None
            context = copy_context()
            context.run(current_caller.set, caller)
            if self._store is not None and session_id is not None and owner is not None:
                await stack.enter_async_context(self._locks.held(owner, session_id))
                self._check_open()
                transcript = Transcript(self._store, session_id, owner, self._tasks, context)
            turn = Turn(
                task,
                model=self._model,
                memory=self._memory,
                answers=self._answers,
                guards=Guards(self._guardrails, self._tasks, context),
                transcript=transcript,
                options=self._options,
                tasks=self._tasks,
                context=context,
            )
            self._turns.add(turn)
            stack.callback(self._turns.discard, turn)
            events = await stack.enter_async_context(aclosing(turn.run()))
            async for event in events:
                yield event

    async def forget_answers(self, memory_ids: Iterable[str]) -> int:
        """Drop the cached answers that were made with one of these memories, which were forgotten or changed.

        Returns:
            How many there were.

        Raises:
            StorageError: it failed; what is left is not known.
        """
        return await self._answers.forget(memory_ids)

    async def shutdown(self, *, grace: float = 5.0) -> None:
        """Stop running turns (their replies are stored as stopped), wait for memories that are being kept, then
        close what this agent owns. Safe to call twice.

        Args:
            grace: seconds to wait at most.
        """
        if self._closed:
            return
        self._closed = True
        for turn in list(self._turns):
            await turn.stop(grace)
        await self._memory.settle(grace)
        await self._tasks.close()
        failures: list[AssistantError] = []
        for close in self._closers:
            try:
                await close()
            except AssistantError as error:
                _log.error("closing failed: %s", error.title)
                failures.append(error)
        if failures:
            raise failures[0]

    def _checked_task(
        self, turn_input: TurnInput | None, owner: str | None, session_id: str | None, answer_to: str | None
    ) -> TurnTask:
        stored = self._store is not None and session_id is not None
        if session_id is not None:
            if not isinstance(session_id, str) or not session_id:
                raise InvalidInputError("A session_id is a non-empty text, or None.")
            check_text(session_id)
        if answer_to is not None:
            if not stored:
                raise InvalidInputError("answer_to needs a conversation store and a session_id.")
            check_nothing_new(turn_input)
        messages = () if answer_to is not None else tuple(checked_messages(turn_input, only_new=stored))
        self._memory.check_owner(owner)
        if stored and owner is None:
            raise ConversationError(
                "A conversation is stored for its owner, and the turn names nobody.",
                hint="Pass caller=CallerContext(user_id=…). The model was not called.",
            )
        return TurnTask(messages, answer_to, owner)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError("The assistant was closed.")
