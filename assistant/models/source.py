"""Makes the models that people can choose, and asks their endpoints; all through one guard."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.models.network import NetworkGuard

if TYPE_CHECKING:
    from assistant.models.base import ChatModel, ModelInfo
    from assistant.models.endpoint import Endpoint
    from assistant.models.probe import ConnectionReport, FoundServer


class RealModels:
    """The models at endpoints and on this computer (see agent.switchboard.ModelSource).

    Only the endpoint of the model made last may be reached, and one that is being asked while it is asked.

    Args:
        guard: refuses every other host and records each connection.
    """

    def __init__(self, guard: NetworkGuard) -> None:
        self._guard = guard
        self._chosen: tuple[str, int] | None = None

    def remote(self, endpoint: Endpoint, model: str) -> ChatModel:
        from assistant.models.openai_chat import OpenAIChatModel

        self._choose(endpoint.address)
        return OpenAIChatModel(endpoint, model, guard=self._guard)

    def local(self, gguf_path: str) -> ChatModel:
        from assistant.models.local_model import LocalChatModel, LocalModelServer

        self._choose(None)
        server = LocalModelServer(Path(gguf_path) if gguf_path else None)
        return LocalChatModel(server, guard=self._guard)

    async def list_models(self, endpoint: Endpoint) -> list[ModelInfo]:
        from assistant.models.probe import list_models

        with self._allowing(endpoint.address):
            return list(await list_models(endpoint, guard=self._guard))

    async def test_connection(self, endpoint: Endpoint, model: str) -> ConnectionReport:
        from assistant.models.probe import test_connection

        with self._allowing(endpoint.address):
            return await test_connection(endpoint, model, guard=self._guard)

    async def find_local_servers(self) -> Sequence[FoundServer]:
        from assistant.models.probe import find_local_servers

        return await find_local_servers(guard=self._guard)

    def _choose(self, address: tuple[str, int] | None) -> None:
        if self._chosen is not None:
            self._guard.withdraw(*self._chosen)
        self._chosen = address
        if address is not None:
            self._guard.allow(*address)

    @contextmanager
    def _allowing(self, address: tuple[str, int]) -> Iterator[None]:
        self._guard.allow(*address)
        try:
            yield
        finally:
            if address != self._chosen:
                self._guard.withdraw(*address)
