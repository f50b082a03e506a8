"""The agent: turns over one model, one memory and one store of conversations."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, aclosing
from contextvars import copy_context
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assistant.agent.after_hours import AfterHours
from assistant.agent.answers import TurnAnswers
from assistant.agent.events import TurnDone, TurnEvent, TurnResult
from assistant.agent.guardrails import Guardrail, Guards
from assistant.agent.learning import TurnLearning
from assistant.agent.preview import Preview, request_body
from assistant.agent.prompting import check_room
from assistant.agent.remembering import MemoryOptions, TurnMemory
from assistant.agent.session_locks import SessionLocks
from assistant.agent.transcript import Transcript
from assistant.agent.turn import Turn
from assistant.agent.turn_input import TurnInput, check_nothing_new, checked_messages
from assistant.agent.turn_options import OnPrompt, OnTurnEnded, Prompt, TurnOptions, TurnTask
from assistant.cache.semantic_cache import SemanticCache
from assistant.conversation.base import ConversationStore
from assistant.core.errors import AssistantError, ConversationError, InvalidInputError, StoreClosedError
from assistant.core.tasks import Supervisor
from assistant.core.text import check_text
from assistant.core.types import CallerContext, Message, current_caller
from assistant.memory.base import MemoryProvider
from assistant.models.base import ChatModel

if TYPE_CHECKING:
    from assistant.memory.learning.learner import Learner

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
        learner: keeps memories from turns, None keeps none.
        owns_learner: `shutdown` closes it.
        tasks: owns what runs beside turns; closed by `shutdown`.
        cache: gives answers again, None for none.
        guardrails: what is sent and shown passes them, in this order.
        after_hours: is told when a turn is running, None for nobody.
        on_turn_ended: told of each stored turn, however it ended.
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
        learner: Learner | None = None,
        owns_learner: bool = False,
        tasks: Supervisor | None = None,
        cache: SemanticCache | None = None,
        guardrails: Sequence[Guardrail] = (),
        after_hours: AfterHours | None = None,
        on_turn_ended: Sequence[OnTurnEnded] = (),
        closers: Sequence[Closer] = (),
    ) -> None:
        self._model = model
        self._store = conversation_store
        self._options = options
        self._closers = list(closers)
        self._tasks = tasks or agent_tasks()
        self._memory = TurnMemory(memory, memory_options, self._tasks)
        self._learning = TurnLearning(learner, memory_options.timeout, self._tasks, owns=owns_learner)
        self._answers = TurnAnswers(cache, self._tasks)
        self._guardrails = tuple(guardrails)
        self._after_hours = after_hours
        self._on_turn_ended = tuple(on_turn_ended)
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
        instead_of: str | None = None,
        on_prompt: OnPrompt | None = None,
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
            instead_of: id of a stored message of the user beside which `input` begins another branch, as when that
                message is edited; what is behind it stays on its own branch.
            on_prompt: called with what goes to the model, just before it does; not for an answer from the cache.

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
        task = self._checked_task(input, owner, session_id, answer_to, instead_of)
        task = replace(task, on_prompt=on_prompt)
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
                learning=self._learning,
                answers=self._answers,
                guards=Guards(self._guardrails, self._tasks, context),
                transcript=transcript,
                options=self._options,
                tasks=self._tasks,
                context=context,
            )
            self._turns.add(turn)
            stack.callback(self._turn_ended, turn)
            stack.enter_context(self._learning.turn())
            if self._after_hours is not None:
                stack.enter_context(self._after_hours.busy())
            events = await stack.enter_async_context(aclosing(turn.run()))
            async for event in events:
                yield event

    async def preview(
        self,
        messages: Sequence[Message] = (),
        *,
        caller: CallerContext | None = None,
        session_id: str | None = None,
        answer_to: str | None = None,
        instead_of: str | None = None,
    ) -> Prompt:
        """What a turn would send now. Nothing is stored or sent, and no memory counts as used.

        Args:
            messages: what the user would say; none for what the conversation alone costs.
            caller, session_id, answer_to, instead_of: as in `astream`.

        Raises:
            As `astream`, as far as they can come without a model.
        """
        self._check_open()
        owner = None if caller is None else caller.owner
        task = TurnTask((), None, owner)
        if messages or answer_to is not None:
            task = self._checked_task({"messages": list(messages)}, owner, session_id, answer_to, instead_of)
        context = copy_context()
        context.run(current_caller.set, caller)
        preview = Preview(
            model=self._model,
            memory=self._memory,
            guards=Guards(self._guardrails, self._tasks, context),
            store=self._store,
            options=self._options,
            context=context,
        )
        return await preview.prompt(task, session_id)

    async def check_room(self, message: Message) -> None:
        """Look whether a message of the user fits into the model's window, before it is stored or sent.

        Raises:
            ContextTooLongError: instructions and message alone are too large.
        """
        self._check_open()
        engine = self._options.context_engine
        if engine is not None:
            turn = engine.for_turn(self._model, reply_limit=self._options.chat.max_tokens)
            await check_room(turn, self._options.instructions, [message])

    def request_body(self, messages: Sequence[Message]) -> dict[str, Any]:
        """The JSON body that asks the model for a reply to `messages`; empty when the model does not say."""
        return request_body(self._model, messages, self._options)

    async def forget_answers(self, memory_ids: Iterable[str]) -> int:
        """Drop the cached answers that were made with one of these memories, which were forgotten or changed.

        Returns:
            How many there were.

        Raises:
            StorageError: it failed; what is left is not known.
        """
        return await self._answers.forget(memory_ids)

    async def kept(self) -> None:
        """Wait until no memory of a turn is being kept any more."""
        await self._learning.kept()

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
        await self._learning.settle(grace)
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
        self,
        turn_input: TurnInput | None,
        owner: str | None,
        session_id: str | None,
        answer_to: str | None,
        instead_of: str | None,
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
        if instead_of is not None and (not stored or answer_to is not None):
            raise InvalidInputError(
                "instead_of needs a conversation store and a session_id, and new messages to put there."
            )
        messages = () if answer_to is not None else tuple(checked_messages(turn_input, only_new=stored))
        self._memory.check_owner(owner)
        if stored and owner is None:
            raise ConversationError(
                "A conversation is stored for its owner, and the turn names nobody.",
                hint="Pass caller=CallerContext(user_id=…). The model was not called.",
            )
        return TurnTask(messages, answer_to, owner, instead_of=instead_of)

    def _turn_ended(self, turn: Turn) -> None:
        self._turns.discard(turn)
        ended = turn.ended
        if ended is not None and not self._closed:
            for tell in self._on_turn_ended:
                tell(ended)

    def _check_open(self) -> None:
        if self._closed:
            raise StoreClosedError("The assistant was closed.")


def agent_tasks() -> Supervisor:
    """What owns an agent's work. Whoever waits for a task is told of its failure."""
    return Supervisor(on_failure=lambda name, error: _log.debug("%s failed: %r", name, error))
