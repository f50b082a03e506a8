"""The ledger keeps the promises of every memory provider."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest

from assistant.memory.base import BrowsableMemory, MemoryScope
from assistant.memory.ledger import open_memory
from tests.memory_conformance import ProviderConformance
from tests.memory_fixtures import HashEmbedder


class TestLedger(ProviderConformance):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path / "memory"

    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        return self._opened(scope)

    @asynccontextmanager
    async def _opened(self, scope: MemoryScope) -> AsyncIterator[BrowsableMemory]:
        memory = await open_memory(self._folder, scope=scope, embedder=HashEmbedder())
        try:
            yield memory
        finally:
            await memory.close()
