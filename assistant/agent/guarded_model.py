"""A model behind guardrails, for questions that are no turn's."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from contextvars import copy_context
from typing import Any, cast

from assistant.agent.guardrails import Guardrail, Guards
from assistant.core.tasks import Supervisor
from assistant.core.types import Message
from assistant.models.base import ChatModel, ChatOptions, ModelEvent

_DEFAULTS = ChatOptions()


class GuardedModel:
    """Sends what guardrails let pass; a ChatModel. System messages are the caller's own and are not looked at.

    Args:
        model: who is asked; closed by whoever made it.
        guardrails: what is sent passes them, in this order.
        tasks: owns the checks while they run.
    """

    def __init__(self, model: ChatModel, guardrails: Sequence[Guardrail], tasks: Supervisor) -> None:
        self._model = model
        self._guardrails = tuple(guardrails)
        self._tasks = tasks

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def host(self) -> str:
        return self._model.host

    async def stream(
        self, messages: Sequence[Message], *, options: ChatOptions = _DEFAULTS
    ) -> AsyncGenerator[ModelEvent, None]:
        """See ChatModel.stream.

        Raises:
            GuardrailError: the last message may not be sent.
        """
        guards = Guards(self._guardrails, self._tasks, copy_context())
        checked = await guards.checked_prompt(messages, None)
        # Every model streams with a generator; leaving it early must close the connection.
        stream = cast("Any", self._model.stream(checked, options=options))
        async with aclosing(stream) as events:
            async for event in events:
                yield event

    async def close(self) -> None:
        """Nothing: the model stays open for others."""
