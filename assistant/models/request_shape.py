"""What a request holds, and what to leave out when a server does not know a part of it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from assistant.core.text import check_text
from assistant.core.types import Message
from assistant.models.base import ChatOptions


def as_sent(body: dict[str, Any]) -> str:
    """A body as the text that goes over the wire (UTF-8)."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


_NAMED_IN_ERRORS = {
    "usage": re.compile(r"stream_options|include_usage"),
    "limit": re.compile(r"max_(?:completion_)?tokens"),
    "temperature": re.compile(r"temperature"),
    "schema": re.compile(r"response_format|json_schema"),
}


class RequestShape:
    """Builds request bodies and learns from refusals which optional parts a server takes.

    Args:
        newer_limit: name the reply's limit max_completion_tokens, as OpenAI's newer models insist; most other
            servers know only max_tokens.
    """

    def __init__(self, *, newer_limit: bool) -> None:
        self._newer_limit = newer_limit
        self._limit_swapped = False
        self._left_out: set[str] = set()
        self._proven = False

    def body(self, model: str, messages: Sequence[Message], options: ChatOptions) -> dict[str, Any]:
        """The JSON body of a chat request.

        Raises:
            InvalidTextError: a message holds a lone surrogate.
        """
        # In the client library's own order: what is shown of a request is then what is sent, to the byte.
        body: dict[str, Any] = {
            "model": model,
            "stream": True,
            "messages": [{"role": each.role, "content": check_text(each.content)} for each in messages],
        }
        if options.max_tokens is not None and "limit" not in self._left_out:
            body["max_completion_tokens" if self._newer_limit else "max_tokens"] = options.max_tokens
        if options.json_schema is not None and "schema" not in self._left_out:
            body["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "reply", "strict": True, "schema": dict(options.json_schema)},
            }
        if "usage" not in self._left_out:
            body["stream_options"] = {"include_usage": True}
        if options.temperature is not None and "temperature" not in self._left_out:
            body["temperature"] = options.temperature
        return body

    def accepted(self) -> None:
        """The server took a request of this shape: a later refusal is not about its shape."""
        self._proven = True

    def adapt(self, error_text: str, sent: dict[str, Any]) -> bool:
        """Change the shape after a refusal (400, 422); False when there is nothing left to try.

        Args:
            error_text: what the server said.
            sent: the body that it refused.
        """
        fields = {
            "usage": "stream_options" in sent,
            "limit": "max_tokens" in sent or "max_completion_tokens" in sent,
            "temperature": "temperature" in sent,
            "schema": "response_format" in sent,
        }
        for part, was_sent in fields.items():
            if was_sent and _NAMED_IN_ERRORS[part].search(error_text):
                self._give_up(part)
                return True
        # Some servers refuse what they don't know without naming it; usage counts are the likeliest.
        if fields["usage"] and not self._proven:
            self._give_up("usage")
            return True
        return False

    def _give_up(self, part: str) -> None:
        if part == "limit" and not self._limit_swapped:
            self._limit_swapped, self._newer_limit = True, not self._newer_limit
        else:
            self._left_out.add(part)
