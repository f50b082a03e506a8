"""Makes the models that people can choose, and asks their endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.models.base import ChatModel, ModelInfo
    from assistant.models.endpoint import Endpoint
    from assistant.models.probe import ConnectionReport, FoundServer


class RealModels:
    """The models at endpoints and on this computer (see agent.switchboard.ModelSource)."""

    def remote(self, endpoint: Endpoint, model: str) -> ChatModel:
        from assistant.models.openai_chat import OpenAIChatModel

        return OpenAIChatModel(endpoint, model)

    def local(self, gguf_path: str) -> ChatModel:
        from assistant.models.local_model import LocalChatModel, LocalModelServer

        return LocalChatModel(LocalModelServer(Path(gguf_path) if gguf_path else None))

    async def list_models(self, endpoint: Endpoint) -> list[ModelInfo]:
        from assistant.models.probe import list_models

        return list(await list_models(endpoint))

    async def test_connection(self, endpoint: Endpoint, model: str) -> ConnectionReport:
        from assistant.models.probe import test_connection

        return await test_connection(endpoint, model)

    async def find_local_servers(self) -> Sequence[FoundServer]:
        from assistant.models.probe import find_local_servers

        return await find_local_servers()
