"""Chat with a model file on this computer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing
from importlib import import_module
from typing import Any

from assistant.core.errors import ModelError, ModelServerError, UnreachableError
from assistant.core.types import Message
from assistant.models.base import ChatOptions, ModelEvent
from assistant.models.endpoint import Endpoint
from assistant.models.json_client import JsonClient
from assistant.models.local_model_server import LocalModelServer, LocalServerState, StateListener
from assistant.models.network import NetworkGuard
from assistant.models.openai_chat import OpenAIChatModel
from assistant.models.request_shape import RequestShape
from assistant.models.trial_model import trial_model_path

__all__ = ["LocalChatModel", "LocalModelServer", "LocalServerState", "StateListener", "trial_model_path"]

_DEFAULTS = ChatOptions()
_TOKENIZE_TIMEOUT = 30.0


class LocalChatModel:
    """A model that runs on this computer; a ChatModel. Starts its server when it is first used.

    Args:
        server: the server, which this model owns: `close` stops it.
        guard: refuses and records connections; without one only the server may be reached.
    """

    def __init__(self, server: LocalModelServer, *, guard: NetworkGuard | None = None) -> None:
        self._server = server
        self._guard = guard or NetworkGuard()
        self._connecting = asyncio.Lock()
        self._chat: OpenAIChatModel | None = None
        self._questions: JsonClient | None = None
        self._closed = False

    @property
    def name(self) -> str:
        return f"local:{self._server.model_name}"

    @property
    def host(self) -> str:
        return "this computer"

    @property
    def server(self) -> LocalModelServer:
        """The server behind it, for its state."""
        return self._server

    @property
    def is_running(self) -> bool:
        """Whether its server has been started, so that a question to it starts nothing."""
        return self._server.endpoint is not None

    def request_body(
        self, messages: Sequence[Message], *, options: ChatOptions = _DEFAULTS
    ) -> dict[str, Any]:
        """See ShowsRequest."""
        if self._chat is not None:
            return self._chat.request_body(messages, options=options)
        return RequestShape(newer_limit=False).body(self._server.model_name, messages, options)

    async def warmup(self) -> None:
        """Start the server and load the client, so that the first message does not wait for them.

        Raises:
            LocalModelError: the server can't be started.
        """
        await self._connected()

    async def stream(
        self, messages: Sequence[Message], *, options: ChatOptions = _DEFAULTS
    ) -> AsyncGenerator[ModelEvent]:
        """See ChatModel.stream. A request that fails because the server died is sent once more.

        Raises:
            LocalModelError: the server can't be started.
            InvalidTextError: a message holds a lone surrogate.
        """
        begun = False
        try:
            async with aclosing((await self._connected()).stream(messages, options=options)) as events:
                async for event in events:
                    begun = True
                    yield event
            return
        except (UnreachableError, ModelServerError):
            if begun or self._closed or not await self._server.has_ended():
                raise
        async with aclosing((await self._connected()).stream(messages, options=options)) as events:
            async for event in events:
                yield event

    async def tokenize(self, text: str) -> int:
        """How many tokens `text` is for this model, exactly, without marks of beginning and end.

        Raises:
            LocalModelError, ModelError: the server can't be started or asked.
        """
        await self._connected()
        assert self._questions is not None
        root = self._questions.endpoint.server_root
        answer = await self._questions.ask(
            "POST", f"{root}/tokenize", {"content": text, "add_special": False}
        )
        return len(answer["tokens"])

    async def context_window(self) -> int:
        """How many tokens prompt and reply may be together.

        Raises:
            LocalModelError, ModelError: the server can't be started or asked.
        """
        await self._connected()
        assert self._questions is not None
        root = self._questions.endpoint.server_root
        props = await self._questions.ask("GET", f"{root}/props")
        return int(props["default_generation_settings"]["n_ctx"])

    async def close(self) -> None:
        """Stop the server. Safe to call twice."""
        self._closed = True
        await self._server.stop()
        await self._disconnect()

    async def _connected(self) -> OpenAIChatModel:
        async with self._connecting:
            if self._closed:
                raise ModelError("This model has been closed. Your message is kept.", hint="Send it again.")
            endpoint = await self._started()
            if self._chat is None or self._chat.endpoint != endpoint:
                await self._disconnect()
                await self._connect(endpoint)
            assert self._chat is not None
            return self._chat

    async def _started(self) -> Endpoint:
        if (endpoint := self._server.endpoint) is not None:
            return endpoint
        # The library loads while the model does.
        executor = ThreadPoolExecutor(1, thread_name_prefix="keepsake-local-client")
        try:
            loading = asyncio.get_running_loop().run_in_executor(executor, import_module, "openai")
            endpoint = await self._server.start()
            await loading
        finally:
            executor.shutdown(wait=False)
        return endpoint

    async def _connect(self, endpoint: Endpoint) -> None:
        self._guard.allow(*endpoint.address)
        self._chat = OpenAIChatModel(
            endpoint, self._server.model_name, guard=self._guard, label=self._server.model_name
        )
        questions = JsonClient(endpoint, self._guard, why="token count", timeout=_TOKENIZE_TIMEOUT)
        self._questions = await questions.__aenter__()
        await self._chat.warmup()

    async def _disconnect(self) -> None:
        chat, self._chat = self._chat, None
        questions, self._questions = self._questions, None
        if questions is not None:
            await questions.__aexit__(None, None, None)
        if chat is not None:
            self._guard.withdraw(*chat.endpoint.address)
            await chat.close()
