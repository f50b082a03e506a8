"""What may go to a model, and what may come back.

A guardrail looks at a text and returns it, or another one in its place, or refuses by raising. Its own failure
counts as a refusal: nothing passes unchecked.
"""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextvars import Context
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

from assistant.agent.private_data import CREDENTIALS, PERSONAL, PrivateData
from assistant.agent.waiting import closed_meanwhile, started
from assistant.core.errors import AssistantError, GuardrailError, InvalidInputError
from assistant.core.redact import mask_keys
from assistant.core.tasks import Supervisor
from assistant.core.types import Message

_log = logging.getLogger(__name__)

LEFT_OUT = "[left out]"
"""Stands for an earlier message that a guardrail refuses now."""


@runtime_checkable
class Guardrail(Protocol):
    """Checks texts. Both methods may be coroutines. `current_caller` (core.types) says whom a turn is for."""

    def check_input(self, text: str) -> str | Awaitable[str]:
        """What is sent instead of `text`: usually itself.

        Args:
            text: a message of the user, or memories that are quoted.

        Raises:
            GuardrailError: it must not be sent.
        """
        ...

    def check_output(self, text: str) -> str | Awaitable[str]:
        """What is shown and kept instead of `text`: usually itself.

        Args:
            text: a whole reply, from the model or from the answer cache.

        Raises:
            GuardrailError: it must not be shown.
        """
        ...


class PrivateDataRedactor:
    """A guardrail that replaces credentials and personal data by what they are ("[email removed]").

    Args:
        credentials: keys, tokens, passwords that are announced as such, private keys.
        personal: e-mail addresses, telephone numbers, account and card numbers, national id numbers.
        inputs: look at what is sent.
        outputs: look at what comes back, and at earlier replies that are sent again.
        replies: False leaves a reply as it comes, shown while it is written; it is looked at when it is sent again.
    """

    def __init__(
        self,
        *,
        credentials: bool = True,
        personal: bool = True,
        inputs: bool = True,
        outputs: bool = True,
        replies: bool = True,
    ) -> None:
        self._credentials = credentials
        self._kinds: tuple[PrivateData, ...] = (
            *(CREDENTIALS if credentials else ()),
            *(PERSONAL if personal else ()),
        )
        self._inputs = inputs
        self._outputs = outputs
        self.looks_at_replies = outputs and replies

    def check_input(self, text: str) -> str:
        """See Guardrail; refuses nothing."""
        return self.redacted(text) if self._inputs else text

    def check_output(self, text: str) -> str:
        """See Guardrail; refuses nothing."""
        return self.redacted(text) if self._outputs else text

    def redacted(self, text: str) -> str:
        """`text` without private data. What is redacted already stays as it is."""
        if self._credentials:
            text = mask_keys(text, "[key removed]")
        for kind in self._kinds:
            parts: list[str] = []
            end = 0
            for start, stop in kind.spans(text):
                parts += (text[end:start], f"[{kind.kind} removed]")
                end = stop
            text = "".join((*parts, text[end:]))
        return text


class Guards:
    """The guardrails of one turn, in their order.

    Args:
        guardrails: see `checked_guardrails`.
        tasks: owns the checks while they run.
        context: context variables that their code sees.
    """

    def __init__(self, guardrails: Sequence[Guardrail], tasks: Supervisor, context: Context) -> None:
        self._guardrails = tuple(guardrails)
        self._tasks = tasks
        self._context = context

    @property
    def look_at_replies(self) -> bool:
        """Whether a reply has to be whole before it is shown."""
        return any(map(_looks_at_replies, self._guardrails))

    async def checked_reply(self, text: str) -> str:
        """A whole reply as it may be shown.

        Raises:
            GuardrailError: it may not.
        """
        for guardrail in filter(_looks_at_replies, self._guardrails):
            text = await self._run(_checked(guardrail.check_output, text))
        return text

    async def checked_output(self, text: str) -> str:
        """An earlier reply as it may be sent again.

        Raises:
            GuardrailError: it may not.
        """
        for guardrail in self._guardrails:
            text = await self._run(_checked(guardrail.check_output, text))
        return text

    async def checked_input(self, text: str) -> str:
        """`text` as it may be sent.

        Raises:
            GuardrailError: it may not.
        """
        for guardrail in self._guardrails:
            text = await self._run(_checked(guardrail.check_input, text))
        return text

    async def checked_prompt(self, prompt: Sequence[Message], *quoted: Message | None) -> list[Message]:
        """`prompt` as it may be sent. What was said earlier and is refused now is left out.

        Args:
            quoted: messages with memories or a summary, which are checked too; other system messages are the
                caller's own.

        Raises:
            GuardrailError: the last message may not be sent.
        """
        if not self._guardrails:
            return list(prompt)
        checked = []
        for place, message in enumerate(prompt):
            if message.role == "system" and message not in quoted:
                checked.append(message)
                continue
            check = self.checked_output if message.role == "assistant" else self.checked_input
            try:
                text = await check(message.content)
            except GuardrailError:
                if place == len(prompt) - 1:
                    raise
                text = LEFT_OUT
            checked.append(message if text == message.content else replace(message, content=text))
        return checked

    async def _run(self, check: Coroutine[Any, Any, str]) -> str:
        task = started(self._tasks, check, name="check a text", context=self._context)
        try:
            await asyncio.wait([task])
        finally:
            task.cancel()
        if task.cancelled():
            raise closed_meanwhile()
        return task.result()


def _looks_at_replies(guardrail: Guardrail) -> bool:
    """Guardrails do, unless they say that they do not (PrivateDataRedactor)."""
    return not isinstance(guardrail, PrivateDataRedactor) or guardrail.looks_at_replies


def checked_guardrails(guardrails: Sequence[Guardrail]) -> tuple[Guardrail, ...]:
    """`guardrails` themselves.

    Raises:
        InvalidInputError: one of them is no guardrail.
    """
    for guardrail in guardrails:
        if not isinstance(guardrail, Guardrail):
            raise InvalidInputError(
                f"A guardrail has check_input and check_output; {type(guardrail).__name__} has not."
            )
    return tuple(guardrails)


async def _checked(check: Callable[[str], str | Awaitable[str]], text: str) -> str:
    try:
        answer = check(text)
        result = await answer if inspect.isawaitable(answer) else answer
    except GuardrailError:
        raise
    except AssistantError as error:
        raise _broken(str(error)) from error
    except Exception as error:  # a guardrail is anybody's code, and its failure lets nothing pass
        _log.warning("a guardrail failed: %s", type(error).__name__, exc_info=error)
        raise _broken(type(error).__name__) from error
    if not isinstance(result, str):
        raise _broken(f"it returned {type(result).__name__}")
    return result


def _broken(detail: str) -> GuardrailError:
    return GuardrailError(
        "A check of what is sent and shown failed, so nothing passed it.",
        hint="Switch the check off, or repair it.",
        detail=detail,
    )
