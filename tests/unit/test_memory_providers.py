"""The promises of every memory provider, kept in this process and by Chroma without a server."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from assistant.memory import BrowsableMemory, ChromaProvider, InMemoryProvider, MemoryScope
from tests.memory_conformance import ProviderConformance
from tests.memory_fixtures import HashEmbedder


@asynccontextmanager
async def closing(memory: BrowsableMemory) -> AsyncIterator[BrowsableMemory]:
    try:
        yield memory
    finally:
        await memory.close()


class TestInMemory(ProviderConformance):
    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        return closing(InMemoryProvider(scope))


class TestEphemeralChroma(ProviderConformance):
    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        return closing(ChromaProvider(scope=scope, embedder=HashEmbedder()))


class TestPersistentChroma(ProviderConformance):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path / "memory"

    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        return closing(ChromaProvider(persist_directory=self._folder, scope=scope, embedder=HashEmbedder()))


class TestChromaInItsOwnProcess(ProviderConformance):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path / "memory"

    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        return closing(
            ChromaProvider(
                persist_directory=self._folder, scope=scope, embedder=HashEmbedder(), own_process=True
            )
        )
