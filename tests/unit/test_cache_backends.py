"""The places of cached answers on this computer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assistant.cache.base import CacheBackend
from assistant.cache.in_process import InProcessBackend
from assistant.cache.sqlite_backend import SqliteBackend
from tests.cache_conformance import BackendConformance, OpenBackend


class TestInProcess(BackendConformance):
    @pytest.fixture
    def backend(self) -> OpenBackend:
        @asynccontextmanager
        async def opened() -> AsyncIterator[CacheBackend]:
            place = InProcessBackend()
            await place.open("plain")
            yield place
            await place.close()

        return opened


class TestSqlite(BackendConformance):
    @pytest.fixture
    def backend(self, tmp_path: Path) -> OpenBackend:
        @asynccontextmanager
        async def opened() -> AsyncIterator[CacheBackend]:
            place = SqliteBackend(tmp_path / "answers.db")
            await place.open("plain")
            yield place
            await place.close()

        return opened
