"""Cached answers on a real Redis server: shared, bounded, and never in a chat's way."""

from __future__ import annotations

import asyncio
import logging
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from assistant import SemanticCache, build_agent
from assistant.cache.base import CacheBackend
from assistant.cache.redis_backend import RedisBackend
from assistant.core.errors import StorageError
from assistant.core.types import CallerContext
from assistant.models.scripted import ScriptedModel
from tests.agent_fixtures import ALICE, says
from tests.cache_conformance import BackendConformance, OpenBackend
from tests.cache_fixtures import BOB, HOSTILE_OWNERS, ROOMY, SetClock, answer_to, ask, keep, kept, opened

QUESTION = "How do I learn French?"


class RedisServer:
    """A server process on a free loopback port.

    Attributes:
        url: its address.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port: int = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it and wait until it answers."""
        program = shutil.which("redis-server")
        assert program is not None, "install redis-server"
        command = [
            program,
            "--port",
            str(self._port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            str(self._folder),
        ]
        with (self._folder / "redis.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        deadline = time.monotonic() + 30
        while not self._answers():
            assert self._process.poll() is None, "redis-server ended at once"
            assert time.monotonic() < deadline, "redis-server does not answer"
            time.sleep(0.02)

    def kill(self) -> None:
        """End it at once, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def freeze(self) -> None:
        """Let it take connections and answer nothing."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def _answers(self) -> bool:
        try:
            with socket.create_connection(("127.0.0.1", self._port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.kill()


@pytest.fixture
def server(running: RedisServer) -> RedisServer:
    """The running server, empty."""
    import redis

    with redis.Redis.from_url(running.url) as client:
        client.flushall()
    return running


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[RedisServer]:
    """A server that a test may kill."""
    server = RedisServer(tmp_path)
    server.start()
    yield server
    server.kill()


def on(server: RedisServer, **options: Any) -> Any:
    return opened(backend="redis", redis_url=server.url, **options)


def everything(server: RedisServer) -> dict[bytes, bytes]:
    """Each key with what is under it, as bytes."""
    import redis

    with redis.Redis.from_url(server.url) as client:
        return {key: client.dump(key) or b"" for key in client.scan_iter()}


class TestRedis(BackendConformance):
    @pytest.fixture
    def backend(self, server: RedisServer) -> OpenBackend:
        @asynccontextmanager
        async def open_one() -> AsyncIterator[CacheBackend]:
            place = RedisBackend(server.url, timeout=5)
            await place.open("plain")
            yield place
            await place.close()

        return open_one


async def test_processes_share_their_answers(server: RedisServer) -> None:
    async with on(server) as one, on(server) as other:
        await keep(one, QUESTION, "Daily.", used=["m1"])
        assert await answer_to(other, "How can I learn French?") == "Daily."
        assert await other.forget(["m1"]) == 1
        assert await ask(one, QUESTION) is None


async def test_hostile_owners_never_share(server: RedisServer) -> None:
    async with on(server) as cache:
        for name in HOSTILE_OWNERS:
            await keep(cache, QUESTION, f"for {name!r}", CallerContext(name))
        for name in HOSTILE_OWNERS:
            assert await answer_to(cache, QUESTION, CallerContext(name)) == f"for {name!r}"
        for name in HOSTILE_OWNERS:
            assert await cache.purge_user(name) == 1
    assert everything(server) == {}


async def test_a_purge_leaves_nothing_of_the_owner_and_all_of_the_others(server: RedisServer) -> None:
    async with on(server) as cache:
        for number in range(30):
            await keep(cache, f"Question {number}?", used=[f"m{number % 3}"])
        await keep(cache, QUESTION, "Bob's.", BOB)
        assert await cache.purge_user("alice") == 30
        assert await answer_to(cache, QUESTION, BOB) == "Bob's."
        assert await cache.count() == 1
        assert await cache.purge_user("bob") == 1
    assert everything(server) == {}


async def test_answers_expire_by_the_caches_clock_and_on_the_server(server: RedisServer) -> None:
    import redis

    clock = SetClock()
    async with on(server, ttl=3600, clock=clock) as cache:
        await keep(cache, QUESTION, used=["m"])
        clock.advance(minutes=59)
        assert await ask(cache, QUESTION) is not None
        clock.advance(minutes=1)
        assert await ask(cache, QUESTION) is None
    with redis.Redis.from_url(server.url) as client:
        lives = {
            key: client.pttl(key)
            for key in client.scan_iter()
            if b":owner:" not in key and b":all" not in key
        }
        assert lives
        assert all(0 < life <= 3_600_000 for life in lives.values())


async def test_a_lookup_reads_a_bounded_number_of_answers(server: RedisServer) -> None:
    place = RedisBackend(server.url, timeout=5)
    await place.open("plain")
    for number in range(40):
        await place.put(kept(f"q{number}", created=number), limits=ROOMY, now=number)
    assert len(await place.find("s", "none", "g", now=40, limit=100)) <= 8
    assert await place.remove_owner("o") == 40
    await place.close()
    assert everything(server) == {}


async def test_a_sealed_answer_can_be_read_by_nobody_else(server: RedisServer) -> None:
    key = Fernet.generate_key()
    async with on(server, encrypt=True, key=lambda: key) as cache:
        await keep(
            cache, "How do I learn the Xylographic alphabet?", "The Quillworth primer.", used=["zanzibar"]
        )
        at_rest = b"".join(key + value for key, value in everything(server).items())
        for word in (b"Xylographic", b"Quillworth", b"zanzibar", b"alice"):
            assert word not in at_rest
        assert await answer_to(cache, "How can I learn the Xylographic alphabet?") == "The Quillworth primer."
    async with on(server, encrypt=True, key=Fernet.generate_key) as other:
        assert await ask(other, "How do I learn the Xylographic alphabet?") is None


async def test_owners_and_memories_are_not_readable_without_encryption_either(server: RedisServer) -> None:
    async with on(server) as cache:
        await keep(cache, QUESTION, used=["zanzibar"], caller=CallerContext("quillworth"))
    keys = b"".join(everything(server))
    assert b"quillworth" not in keys
    assert b"zanzibar" not in keys


async def test_what_is_no_answer_is_a_miss(server: RedisServer) -> None:
    import redis

    async with on(server) as cache:
        await keep(cache, QUESTION)
        with redis.Redis.from_url(server.url) as client:
            for key in client.scan_iter("*:answer:*"):
                client.set(key, b"\xff not an answer")
        assert await ask(cache, QUESTION) is None


# A server that is down, slow, or restarts


async def test_the_chat_goes_on_while_the_server_is_killed_and_comes_back(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.cache.outage.PAUSE", 0.0)
    model = ScriptedModel([f"Answer {number}." for number in range(10)])
    cache = SemanticCache(backend="redis", redis_url=own_server.url, match="exact")
    monkeypatch.setattr(cache._outage, "_pause", 0.0)
    agent = await build_agent(model, cache=cache)

    async def said(question: str = QUESTION) -> tuple[str, bool]:
        result = await agent.ainvoke(says(question), caller=ALICE)
        return result["messages"][-1].content, result["cached"]

    with caplog.at_level(logging.INFO, "assistant.cache"):
        assert await said() == ("Answer 0.", False)
        assert await said() == ("Answer 0.", True)
        own_server.kill()
        assert await said() == ("Answer 1.", False)
        assert await said() == ("Answer 2.", False)
        assert await said("Another one?") == ("Answer 3.", False)
        own_server.start()
        assert await said() == ("Answer 4.", False)
        assert await said() == ("Answer 4.", True)
        own_server.kill()
        own_server.start()
        answers = [await said() for _ in range(3)]
        assert answers[-1][1]
    said_in_log = [record.levelname for record in caplog.records]
    assert said_in_log[:2] == ["WARNING", "INFO"]
    assert said_in_log.count("WARNING") <= 2
    await agent.shutdown()


async def test_a_server_that_is_down_from_the_start_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = RedisServer(tmp_path)
    model = ScriptedModel([f"Answer {number}." for number in range(5)])
    agent = await build_agent(
        model, cache=SemanticCache(backend="redis", redis_url=server.url, match="exact")
    )
    with caplog.at_level(logging.INFO, "assistant.cache"):
        for number in range(5):
            result = await agent.ainvoke(says(QUESTION), caller=ALICE)
            assert result["messages"][-1].content == f"Answer {number}."
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert str(server.url) not in caplog.text
    await agent.shutdown()


async def test_a_server_that_answers_nothing_is_a_miss_in_time(own_server: RedisServer) -> None:
    async with on(own_server, match="exact") as cache:
        await keep(cache, QUESTION)
        own_server.freeze()
        async with asyncio.timeout(20):
            assert await ask(cache, QUESTION) is None
            assert not await keep(cache, QUESTION)
            with pytest.raises(StorageError):
                await cache.purge_user("alice")
        own_server.thaw()


async def test_forgetting_on_a_server_that_is_down_raises(tmp_path: Path) -> None:
    async with on(RedisServer(tmp_path)) as cache:
        with pytest.raises(StorageError):
            await cache.forget(["m1"])
        with pytest.raises(StorageError):
            await cache.purge_user("alice")


async def test_a_password_in_the_address_is_in_no_error() -> None:
    place = RedisBackend("redis://user:hunter2secret@127.0.0.1:1/0")
    await place.open("plain")
    with pytest.raises(StorageError) as caught:
        await place.count()
    assert "hunter2secret" not in f"{caught.value} {caught.value.detail} {caught.value.__cause__}"
    await place.close()
