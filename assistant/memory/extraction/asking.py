"""One bounded question to a chat model whose answer is JSON."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from typing import Any, cast

from assistant.core.errors import ModelError, ModelServerError, ReplyCutError
from assistant.core.text import drop_lone_surrogates
from assistant.core.types import Message
from assistant.models.base import ChatModel, ChatOptions, TextDelta

LONGEST_REPLY = 60_000
"""Characters of an answer that are read; a longer one is cut there."""

_REFUSED = re.compile(r"\A\s*HTTP (?:400|404|415|422|501)\b")
# Signs with which templates of models mark roles; a text that is quoted can't hold them.
_MARKS = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>[]|\u2028\u2029\u0085"}


class StructuredQuestion:
    """Asks a model for JSON.

    Args:
        model: who is asked; not closed here.
        timeout: seconds for the whole of an answer.
        max_tokens: bound of the answer.
        schema: what the answer should look like, for servers that can enforce it.
    """

    def __init__(
        self, model: ChatModel, *, timeout: float, max_tokens: int, schema: Mapping[str, Any]
    ) -> None:
        self._model = model
        self._timeout = timeout
        self._options = ChatOptions(max_tokens=max_tokens, temperature=0.0, json_schema=schema)
        self._accepted = False

    async def ask(self, messages: Sequence[Message]) -> str:
        """The answer, as far as it came; whatever it is.

        A refusal is never answered with a second request. If it may have been about the schema, which some servers
        refuse without a name for it, the next question goes without.

        Raises:
            ModelError: the model failed, or did not end in time.
        """
        try:
            async with asyncio.timeout(self._timeout):
                reply = await self._reply(messages)
        except TimeoutError:
            raise ModelError(
                f"The model did not finish reading the message within {self._timeout:g} seconds. "
                "Nothing was kept of it; your message and the reply are safe."
            ) from None
        except ModelServerError as exc:
            if not self._accepted and _REFUSED.search(exc.detail):
                self._options = replace(self._options, json_schema=None)
            raise
        self._accepted = True
        return reply

    async def _reply(self, messages: Sequence[Message]) -> str:
        parts: list[str] = []
        size = 0
        # Every model streams with a generator; leaving it early must close the connection.
        stream = cast("Any", self._model.stream(messages, options=self._options))
        try:
            async with aclosing(stream) as events:
                async for event in events:
                    if isinstance(event, TextDelta):
                        parts.append(event.text)
                        size += len(event.text)
                        if size >= LONGEST_REPLY:
                            break
        except ReplyCutError as exc:
            return (exc.partial or "".join(parts))[:LONGEST_REPLY]
        return "".join(parts)[:LONGEST_REPLY]


def quoted(fields: Mapping[str, str]) -> str:
    """`fields` as JSON in which no text can end its string, pose as a role or mark one."""
    plain = {name: drop_lone_surrogates(text) for name, text in fields.items()}
    return json.dumps(plain, ensure_ascii=False).translate(_MARKS)
