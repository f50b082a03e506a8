"""The promises of every memory provider, kept by a real Chroma server; and what only a server can do."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from itertools import count
from pathlib import Path
from typing import ClassVar

import pytest

from assistant.core.errors import MemoryStoreError
from assistant.memory import BrowsableMemory, ChromaProvider, MemoryScope
from tests.memory_conformance import ProviderConformance
from tests.memory_fixtures import HashEmbedder, chroma_server
from tests.memory_isolation import Isolation, isolation_settings
from tests.unit.test_models_tls import self_signed

_names = count()


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with chroma_server(tmp_path_factory.mktemp("chroma")) as port:
        yield port


@asynccontextmanager
async def connected(port: int, scope: MemoryScope, name: str) -> AsyncIterator[ChromaProvider]:
    memory = ChromaProvider(name, scope=scope, embedder=HashEmbedder(), host="127.0.0.1", port=port)
    try:
        yield memory
    finally:
        await memory.close()


class TestChromaServer(ProviderConformance):
    @pytest.fixture(autouse=True)
    def server(self, port: int) -> None:
        self._port = port

    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        return connected(self._port, scope, f"memory{next(_names)}")


class ServerIsolation(Isolation):
    port: ClassVar[int]

    def provider(self) -> BrowsableMemory:
        return ChromaProvider(
            f"isolation{next(_names)}",
            scope=MemoryScope.PER_USER,
            embedder=HashEmbedder(),
            host="127.0.0.1",
            port=self.port,
        )


class TestServerIsolation(ServerIsolation.TestCase):  # type: ignore[misc,valid-type]  # made by hypothesis
    settings = isolation_settings(examples=4, steps=20)

    @pytest.fixture(autouse=True)
    def server(self, port: int) -> None:
        ServerIsolation.port = port


async def test_two_programs_at_one_server_see_each_others_memories(port: int) -> None:
    async with (
        connected(port, MemoryScope.PER_USER, "both") as here,
        connected(port, MemoryScope.PER_USER, "both") as there,
    ):
        first = await here.add("The key is under the mat", user_id="alice")
        assert (await there.search("key", user_id="alice"))[0].memory_id == first
        await there.list(user_id="alice")
        await here.add("The mat is green", user_id="alice")
        assert (await there.list(user_id="alice")).total == 2
        assert await there.purge_user("alice") == 2
        assert await here.search("key", user_id="alice") == []
        assert await here.count(user_id="alice") == 0
        await here.add("A new start", user_id="alice")
        assert await there.count(user_id="alice") == 1


async def test_a_server_that_is_not_there_is_an_error_with_its_address() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = probe.getsockname()[1]
    async with connected(free, MemoryScope.SHARED, "nobody") as memory:
        with pytest.raises(MemoryStoreError, match=f"127.0.0.1:{free}"):
            await memory.search("tea")


async def test_what_answers_but_is_no_chroma_is_an_error() -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server, connected(server.sockets[0].getsockname()[1], MemoryScope.SHARED, "web") as memory:
        with pytest.raises(MemoryStoreError):
            await memory.add("tea")


async def test_headers_go_to_the_server_and_stay_out_of_errors(tmp_path: Path) -> None:
    heads: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(b"HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with server:
        memory = ChromaProvider(
            embedder=HashEmbedder(),
            host="127.0.0.1",
            port=server.sockets[0].getsockname()[1],
            headers={"x-chroma-token": "hunter2"},
        )
        with pytest.raises(MemoryStoreError) as caught:
            await memory.search("tea")
        await memory.close()
    assert b"x-chroma-token: hunter2" in heads[0]
    assert "hunter2" not in str(caught.value) + caught.value.detail


@pytest.mark.parametrize("name", ["HTTP_PROXY", "http_proxy", "ALL_PROXY"])
async def test_a_proxy_in_the_environment_sees_nothing(
    port: int, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        seen.append(await reader.read(100))
        writer.close()

    proxy = await asyncio.start_server(answer, "127.0.0.1", 0)
    async with proxy:
        monkeypatch.setenv(name, f"http://127.0.0.1:{proxy.sockets[0].getsockname()[1]}")
        async with connected(port, MemoryScope.SHARED, f"direct{next(_names)}") as memory:
            kept = await memory.add("The key is under the mat")
            assert (await memory.search("key"))[0].memory_id == kept
    assert seen == []


async def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(
    tmp_path: Path,
) -> None:
    heard: list[bytes] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(100))
        writer.close()

    context, _ = self_signed(tmp_path)
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        memory = ChromaProvider(
            embedder=HashEmbedder(),
            host="127.0.0.1",
            port=server.sockets[0].getsockname()[1],
            headers={"x-chroma-token": "hunter2"},
            ssl=True,
        )
        with pytest.raises(MemoryStoreError) as caught:
            await memory.search("tea")
        await memory.close()
    assert b"hunter2" not in b"".join(heard)
    assert "certificate" in caught.value.detail.lower()
