"""Asking a model's server what it reads and how it counts. Only what goes to that server anyway is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from assistant.models.base import ChatModel

if TYPE_CHECKING:
    from assistant.models.endpoint import Endpoint
    from assistant.models.network import NetworkGuard

_AT_ONCE = 8
_OPENAI_HOST = "api.openai.com"


@runtime_checkable
class TellsWindow(Protocol):
    """A model that knows how much it reads."""

    async def context_window(self) -> int:
        """Tokens of prompt and reply together."""
        ...


@runtime_checkable
class Tokenizes(Protocol):
    """A model that counts tokens."""

    async def tokenize(self, text: str) -> int:
        """Tokens of `text`, without marks of beginning and end."""
        ...


@runtime_checkable
class HasEndpoint(Protocol):
    """A model behind an endpoint that can be asked."""

    @property
    def endpoint(self) -> Endpoint: ...

    @property
    def guard(self) -> NetworkGuard: ...


async def ask_window(model: ChatModel, *, timeout: float) -> int | None:
    """How much the model reads, in tokens; None when nobody says.

    OpenAI itself is not asked: its list of models does not tell.

    Args:
        timeout: seconds to connect, and between two pieces of an answer.

    Raises:
        ModelError: it can't be asked.
    """
    if isinstance(model, TellsWindow):
        return await model.context_window()
    if not isinstance(model, HasEndpoint) or model.endpoint.address[0] == _OPENAI_HOST:
        return None
    from assistant.models.probe import context_window

    name = model.name.partition(":")[2]
    return await context_window(model.endpoint, name, guard=model.guard, timeout=timeout)


def can_count(model: ChatModel) -> bool:
    """Whether `ask_counts` is worth a try: a tokenizer near by, not one across the internet."""
    if isinstance(model, Tokenizes):
        return True
    return (
        isinstance(model, HasEndpoint)
        and model.endpoint.preset_id in ("llamacpp", "custom")
        and model.endpoint.locality != "internet"
    )


async def ask_counts(model: ChatModel, texts: Sequence[str], *, timeout: float) -> list[int] | None:
    """The server's token counts of `texts`, in order; None when it has no tokenizer to ask.

    Raises:
        ModelError: it can't be asked.
    """
    if isinstance(model, Tokenizes):
        counts: list[int] = []
        for start in range(0, len(texts), _AT_ONCE):
            counts += await asyncio.gather(*map(model.tokenize, texts[start : start + _AT_ONCE]))
        return counts
    if isinstance(model, HasEndpoint):
        return await _ask_llama_server(model, texts, timeout)
    return None


async def _ask_llama_server(model: HasEndpoint, texts: Sequence[str], timeout: float) -> list[int] | None:
    from assistant.models.json_client import JsonClient

    url = f"{model.endpoint.server_root}/tokenize"
    counts: list[int] = []
    async with JsonClient(model.endpoint, model.guard, why="token count", timeout=timeout) as client:
        for text in texts:
            answer = await client.ask_if_there("POST", url, {"content": text, "add_special": False})
            tokens = answer.get("tokens") if isinstance(answer, dict) else None
            if not isinstance(tokens, list):
                return None
            counts.append(len(tokens))
    return counts
