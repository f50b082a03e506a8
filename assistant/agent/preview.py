"""What would be sent, without sending it: nothing is stored, and no memory counts as used."""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import Context
from typing import Any

from assistant.agent.guardrails import Guards
from assistant.agent.history import Summary, earlier_messages, earlier_summary, stored_question
from assistant.agent.prompting import assembled, plain_prompt
from assistant.agent.remembering import Recollection, TurnMemory
from assistant.agent.summaries import quoted_summary
from assistant.agent.turn_options import Prompt, TurnOptions, TurnTask
from assistant.context.asking import HasEndpoint
from assistant.context.reports import ContextReport
from assistant.conversation.base import ConversationStore
from assistant.core.types import Message
from assistant.models.base import ChatModel, ShowsRequest, Starts


class Preview:
    """Makes the prompt of a turn as the turn would.

    Args:
        model: is not called. Its server may be asked how much it reads, when it runs on this computer.
        memory: recalls.
        guards: what would be sent passes them.
        store: where the conversation is, None for nowhere.
        options: as for the turn.
        context: context variables that the code of memory and guardrails sees.
    """

    def __init__(
        self,
        *,
        model: ChatModel,
        memory: TurnMemory,
        guards: Guards,
        store: ConversationStore | None,
        options: TurnOptions,
        context: Context,
    ) -> None:
        self._model = model
        self._memory = memory
        self._guards = guards
        self._store = store
        self._options = options
        self._context = context

    async def prompt(self, task: TurnTask, session_id: str | None) -> Prompt:
        """The prompt of `task`; of the conversation alone when it brings no message.

        Raises:
            ContextTooLongError: it would not fit.
            GuardrailError: it would not pass.
            InvalidInputError: there is no such message to answer.
        """
        given, history = await self._said(task, session_id)
        recollection = Recollection("none")
        if given:
            recollection = await self._memory.recall(
                given[-1].content,
                task.owner,
                self._context,
                history=[*history, *given[:-1]],
                session_id=session_id,
                noted=False,
            )
        summary = await self._summary(task, session_id, history)
        messages, recollection, report = await self._assembled(given, history, recollection, summary)
        checked = await self._guards.checked_prompt(messages, recollection.message, quoted_summary(summary))
        return Prompt(tuple(checked), report)

    async def _said(self, task: TurnTask, session_id: str | None) -> tuple[Sequence[Message], list[Message]]:
        """What is to be answered, and what was said before."""
        store, owner = self._store, task.owner
        if store is None or session_id is None or owner is None:
            return task.messages, []
        if await store.get(session_id, user_id=owner) is None:
            return task.messages, []
        given, before = task.messages, None
        if task.answer_to is not None:
            question = await stored_question(store, session_id, task.answer_to, owner=owner)
            given, before = (question.as_message(),), question.position
        elif task.instead_of is not None:
            before = (await stored_question(store, session_id, task.instead_of, owner=owner)).position
        limit = self._options.history_messages
        return given, await earlier_messages(store, session_id, owner=owner, limit=limit, before=before)

    async def _summary(
        self, task: TurnTask, session_id: str | None, history: Sequence[Message]
    ) -> Summary | None:
        store, owner = self._store, task.owner
        if store is None or session_id is None or owner is None or not history:
            return None
        if not self._options.summaries or self._options.context_engine is None:
            return None
        return await earlier_summary(store, session_id, history, owner=owner)

    async def _assembled(
        self,
        given: Sequence[Message],
        history: Sequence[Message],
        recollection: Recollection,
        summary: Summary | None,
    ) -> tuple[Sequence[Message], Recollection, ContextReport | None]:
        options = self._options
        if options.context_engine is None:
            return plain_prompt(options, given, history, recollection.message), recollection, None
        engine = options.context_engine.for_turn(self._model, reply_limit=options.chat.max_tokens)
        if _may_ask(self._model):
            await engine.ask_window()
        assembly, kept = await assembled(
            engine,
            instructions=options.instructions,
            given=given,
            history=history,
            recollection=recollection,
            summary=summary,
            ask=False,
        )
        return assembly.messages, kept, assembly.report


def request_body(model: ChatModel, messages: Sequence[Message], options: TurnOptions) -> dict[str, Any]:
    """The JSON body with which `model` would ask; empty when it does not say."""
    if not isinstance(model, ShowsRequest):
        return {}
    return model.request_body(messages, options=options.chat)


def _may_ask(model: ChatModel) -> bool:
    """Whether a question before the message is sent tells nobody and starts nothing."""
    if isinstance(model, HasEndpoint):
        return model.endpoint.locality == "this computer"
    return isinstance(model, Starts) and model.is_running
