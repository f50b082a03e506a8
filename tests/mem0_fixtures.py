"""Parts for tests of mem0: providers that are closed at the end, and a model server that extracts as it is told."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from assistant.memory.base import MemoryScope
from assistant.memory.mem0_provider import Mem0Provider
from assistant.models.endpoint import Endpoint
from assistant.models.openai_chat import OpenAIChatModel
from tests.chat_server import ChatServer, Reply, says
from tests.memory_fixtures import HashEmbedder


@asynccontextmanager
async def verbatim(
    folder: Path | None, scope: MemoryScope = MemoryScope.PER_USER, **options: Any
) -> AsyncIterator[Mem0Provider]:
    """A provider that keeps texts as they are."""
    options.setdefault("embedder", HashEmbedder())
    memory = Mem0Provider(persist_directory=folder, scope=scope, **options)
    try:
        yield memory
    finally:
        await memory.close()


@asynccontextmanager
async def extracting(folder: Path, server: ChatServer, **options: Any) -> AsyncIterator[Mem0Provider]:
    """A provider whose memories the model at `server` extracts."""
    model = OpenAIChatModel(Endpoint("custom", server.base_url, api_key="key-of-the-caller"), "test-model")
    try:
        async with verbatim(folder, infer=True, model=model, **options) as memory:
            yield memory
    finally:
        await model.close()


def extracts(*texts: str) -> Reply:
    """The model finds these memories."""
    return says(json.dumps({"memory": [{"text": text, "attributed_to": "user"} for text in texts]}))
