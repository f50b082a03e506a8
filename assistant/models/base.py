"""What a chat model promises."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, runtime_checkable

from assistant.core.types import Message, Usage


@dataclass(frozen=True, slots=True)
class TextDelta:
    """More text of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class ReasoningDelta:
    """More of what the model thinks aloud; never part of the reply."""

    text: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The reply is complete.

    Attributes:
        reason: "stop", "length" (the token limit ended it) or the server's own word.
        usage: counts as reported.
    """

    reason: str = "stop"
    usage: Usage = field(default_factory=Usage)


ModelEvent = TextDelta | ReasoningDelta | Finished


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """How to answer.

    Attributes:
        max_tokens: upper bound of the reply, None for the server's own.
        temperature: 0..2, None for the server's own.
        json_schema: constrain the reply to this JSON schema where the server can.
    """

    max_tokens: int | None = None
    temperature: float | None = None
    json_schema: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """One entry of an endpoint's model list.

    Attributes:
        id: what a request names.
        context_window: tokens, None when the list does not say.
    """

    id: str
    context_window: int | None = None


Locality = Literal["this computer", "local network", "internet"]


@runtime_checkable
class WarmsUp(Protocol):
    """A model that can do the slow part of its first reply beforehand."""

    async def warmup(self) -> None:
        """Load libraries, start a server. Safe to call at any time, any number of times.

        Raises:
            ModelError: it can't be started.
        """
        ...


@runtime_checkable
class ShowsRequest(Protocol):
    """A model that can say what it would send."""

    def request_body(
        self, messages: Sequence[Message], *, options: ChatOptions = ChatOptions()
    ) -> dict[str, Any]:
        """The JSON body with which `stream` would ask now; nothing is sent.

        Raises:
            InvalidTextError: a message holds a lone surrogate.
        """
        ...


@runtime_checkable
class Starts(Protocol):
    """A model whose server has to be started."""

    @property
    def is_running(self) -> bool:
        """Whether it has been, so that a question to it starts nothing."""
        ...


class ChatModel(Protocol):
    """A model at an endpoint.

    Attributes:
        name: "preset:model", such as "openai:gpt-5-mini" or "local:SmolLM2-135M-Instruct".
        host: where messages go ("api.openai.com"), for people to read; "this computer" when they stay.
    """

    @property
    def name(self) -> str: ...

    @property
    def host(self) -> str: ...

    def stream(
        self, messages: Sequence[Message], *, options: ChatOptions = ChatOptions()
    ) -> AsyncIterator[ModelEvent]:
        """Send `messages` and yield the reply as it comes, ending with exactly one `Finished`.

        Closing the iterator, or cancelling its task, closes the connection.

        Raises:
            ModelError: one of its subclasses; a ReplyCutError when text had come before.
        """
        ...

    async def close(self) -> None:
        """Close connections. Safe to call twice."""
        ...
