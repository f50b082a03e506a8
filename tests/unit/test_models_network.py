"""The guard: one host passes, everything else is refused and recorded, and nothing personal is added."""

from __future__ import annotations

import asyncio
import socket
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from assistant.core.errors import ConfigError, HostNotAllowedError, ModelError, UnreachableError
from assistant.core.types import Message
from assistant.models.endpoint import Endpoint
from assistant.models.network import NetworkGuard, NetworkRecord
from assistant.models.openai_chat import OpenAIChatModel
from tests.chat_server import HANG, ChatServer, Exchange, chunk, event, fails, raw, says, streams

QUESTION = [Message("user", "Hello?")]


class HandClock:
    """A clock that goes only when it is told to."""

    def __init__(self) -> None:
        self.time = datetime(2026, 11, 1, tzinfo=UTC)

    def now(self) -> datetime:
        self.time += timedelta(seconds=1)
        return self.time


async def talk(endpoint: Endpoint, guard: NetworkGuard) -> None:
    model = OpenAIChatModel(endpoint, "test-model", guard=guard)
    try:
        async for _ in model.stream(QUESTION):
            pass
    finally:
        await model.close()


async def test_a_host_that_is_not_allowed_is_refused_before_anything_is_looked_up_or_opened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    touched: list[object] = []
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: touched.append(a))
    monkeypatch.setattr(socket.socket, "connect", lambda *a: touched.append(a))
    guard = NetworkGuard({("127.0.0.1", 1)})
    with pytest.raises(HostNotAllowedError):
        await talk(Endpoint("custom", "https://elsewhere.example/v1"), guard)
    assert touched == []
    assert [(record.host, record.outcome) for record in guard.records] == [("elsewhere.example", "refused")]


async def test_another_port_of_an_allowed_host_is_refused() -> None:
    async with ChatServer() as server:
        with pytest.raises(HostNotAllowedError):
            await talk(Endpoint("custom", server.base_url), NetworkGuard({("127.0.0.1", server.port + 1)}))
        assert server.requests == []


async def test_without_a_guard_of_its_own_a_model_reaches_its_endpoint_and_nothing_else() -> None:
    async with ChatServer() as server:
        model = OpenAIChatModel(Endpoint("custom", server.base_url), "test-model")
        assert model.guard.allowed == {server.address}
        await model.close()


async def test_a_host_may_be_allowed_and_withdrawn_while_running() -> None:
    async with ChatServer() as server:
        guard = NetworkGuard()
        guard.allow("127.0.0.1", server.port)
        await talk(Endpoint("custom", server.base_url), guard)
        guard.withdraw("127.0.0.1", server.port)
        with pytest.raises(HostNotAllowedError):
            await talk(Endpoint("custom", server.base_url), guard)
        assert len(server.chats) == 1


def test_host_names_are_compared_without_case() -> None:
    guard = NetworkGuard({("API.Example.com", 443)})
    guard.check("api.example.COM", 443, why="chat")


async def test_each_request_is_recorded_with_time_host_bytes_and_purpose() -> None:
    async with ChatServer() as server:
        guard = NetworkGuard({server.address}, clock=HandClock())
        await talk(Endpoint("custom", server.base_url), guard)
        (record,) = guard.records
        body = len(server.chats[0].body)
        assert (record.host, record.port, record.why) == ("127.0.0.1", server.port, "chat")
        assert record.outcome == "done"
        assert body < record.sent < body + 500
        assert record.received > 500
        assert record.ended_at is not None
        assert record.ended_at > record.started_at


async def test_a_listener_sees_a_request_begin_and_end() -> None:
    async with ChatServer() as server:
        guard = NetworkGuard({server.address})
        seen: list[NetworkRecord] = []
        stop = guard.listen(seen.append)
        await talk(Endpoint("custom", server.base_url), guard)
        assert [(record.number, record.outcome) for record in seen] == [(1, "open"), (1, "done")]
        stop()
        stop()
        await talk(Endpoint("custom", server.base_url), guard)
        assert len(seen) == 2
        assert len(guard.records) == 2


async def test_a_stopped_reply_is_recorded_as_ended() -> None:
    async with ChatServer() as server:
        server.answer(streams(event(chunk("a")), HANG))
        guard = NetworkGuard({server.address})
        model = OpenAIChatModel(Endpoint("custom", server.base_url), "test-model", guard=guard)
        events = model.stream(QUESTION)
        await anext(events)
        assert [record.outcome for record in guard.records] == ["open"]
        await events.aclose()
        assert [record.outcome for record in guard.records] == ["done"]
        await model.close()


async def test_a_broken_connection_is_recorded_as_failed() -> None:
    async with ChatServer() as server:
        server.answer(raw(b"nonsense\r\n\r\n"))
        guard = NetworkGuard({server.address})
        with pytest.raises(ModelError):
            await talk(Endpoint("custom", server.base_url), guard)
        assert [record.outcome for record in guard.records] == ["failed"]


def test_the_oldest_records_go_first() -> None:
    guard = NetworkGuard(keep=3)
    for port in range(1, 6):
        with pytest.raises(HostNotAllowedError):
            guard.check("a.example", port, why="chat")
    assert [record.port for record in guard.records] == [3, 4, 5]


async def test_no_cookie_is_kept() -> None:
    async with ChatServer() as server:

        async def with_cookie(exchange: Exchange) -> None:
            await exchange.head(headers={"Set-Cookie": "track=1; Path=/"}, chunked=True)
            await exchange.body(event(chunk("a", finish="stop")) + event("[DONE]"))
            await exchange.end()

        server.answer(with_cookie, says("b"))
        model = OpenAIChatModel(Endpoint("custom", server.base_url), "test-model")
        for _ in range(2):
            async for _ in model.stream(QUESTION):
                pass
        await model.close()
        assert "cookie" not in server.chats[1].headers


# --- proxies ----------------------------------------------------------------------------------------------------


async def test_nothing_is_taken_from_the_environment_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    async with ChatServer() as server:
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.setenv(name, f"http://127.0.0.1:{server.port}")
        endpoint = Endpoint("custom", "http://model.example/v1")
        model = OpenAIChatModel(endpoint, "test-model")
        monkeypatch.setattr(socket, "getaddrinfo", _unknown)
        with pytest.raises(UnreachableError):
            async for _ in model.stream(QUESTION):
                pass
        await model.close()
        assert server.requests == []


def _unknown(*_: Any, **__: Any) -> Any:
    raise socket.gaierror(socket.EAI_NONAME, "unknown")


@pytest.mark.parametrize("named_by_system", [False, True])
async def test_a_proxy_that_was_chosen_carries_the_request(
    named_by_system: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ChatServer() as proxy:
        address = f"http://127.0.0.1:{proxy.port}"
        if named_by_system:
            monkeypatch.setenv("http_proxy", address)
        endpoint = Endpoint(
            "custom", "http://model.example/v1", proxy="system" if named_by_system else address
        )
        guard = NetworkGuard({endpoint.address})
        proxy.on("POST", "http://model.example/v1/chat/completions", says("through the proxy"))
        await talk(endpoint, guard)
        assert [request.path for request in proxy.requests] == ["http://model.example/v1/chat/completions"]
        (record,) = guard.records
        assert (record.host, record.through) == ("model.example", f"127.0.0.1:{proxy.port}")


async def test_an_encrypted_request_is_tunnelled_and_a_refusing_proxy_is_named() -> None:
    async with ChatServer() as proxy:
        endpoint = Endpoint("custom", "https://model.example/v1", proxy=f"http://127.0.0.1:{proxy.port}")
        proxy.on("CONNECT", "model.example:443", fails(403))
        with pytest.raises(UnreachableError) as caught:
            await talk(endpoint, NetworkGuard({endpoint.address}))
        assert "proxy" in caught.value.message
        assert [request.method for request in proxy.requests] == ["CONNECT"]


async def test_a_server_on_this_computer_is_never_asked_through_a_proxy() -> None:
    async with ChatServer() as server, ChatServer() as proxy:
        endpoint = Endpoint("custom", server.base_url, proxy=f"http://127.0.0.1:{proxy.port}")
        await talk(endpoint, NetworkGuard({endpoint.address}))
        assert proxy.requests == []
        assert len(server.chats) == 1


async def test_a_proxy_leads_nowhere_that_the_guard_does_not_allow() -> None:
    async with ChatServer() as proxy:
        endpoint = Endpoint("custom", "http://model.example/v1", proxy=f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(HostNotAllowedError):
            await talk(endpoint, NetworkGuard({proxy.address}))
        assert proxy.requests == []


async def test_a_ca_file_that_can_not_be_read_is_said_before_anything_is_sent(tmp_path: Any) -> None:
    broken = tmp_path / "ca.pem"
    broken.write_text("not a certificate")
    for path in (tmp_path / "missing.pem", broken):
        with pytest.raises(ConfigError) as caught:
            await talk(Endpoint("custom", "https://model.example", ca_file=path), NetworkGuard())
        assert str(path) in caught.value.message


async def test_concurrent_requests_keep_their_own_records() -> None:
    async with ChatServer() as server:
        guard = NetworkGuard({server.address})
        endpoint = Endpoint("custom", server.base_url)
        await asyncio.gather(*(talk(endpoint, guard) for _ in range(5)))
        assert sorted(record.number for record in guard.records) == [1, 2, 3, 4, 5]
        assert {record.outcome for record in guard.records} == {"done"}
