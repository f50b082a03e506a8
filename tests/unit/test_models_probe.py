"""Looking at endpoints: model lists, connection tests, servers on this computer, context windows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from assistant.core.errors import (
    ModelServerError,
    NoSuchModelError,
    RateLimitedError,
    UnreachableError,
    WrongKeyError,
)
from assistant.models import probe
from assistant.models.base import ModelInfo
from assistant.models.endpoint import Endpoint
from assistant.models.network import NetworkGuard
from assistant.models.presets import LLAMA_CPP, LM_STUDIO, OLLAMA, OPENAI
from tests.chat_server import HANG, ChatServer, chunk, event, fails, raw, streams


def at(server: ChatServer, preset_id: str = "custom", key: str = "") -> Endpoint:
    return Endpoint(preset_id, server.base_url, api_key=key)


@pytest.mark.parametrize(
    ("answer", "models"),
    [
        ({"object": "list", "data": [{"id": "a"}, {"id": "b"}]}, [ModelInfo("a"), ModelInfo("b")]),
        ({"data": [{"id": "a", "context_length": 8192}]}, [ModelInfo("a", 8192)]),
        ({"data": [{"id": "a", "max_model_len": 4096}]}, [ModelInfo("a", 4096)]),
        ({"data": [{"id": "a", "meta": {"n_ctx_train": 2048}}]}, [ModelInfo("a", 2048)]),
        ({"data": [{"id": "a", "context_length": "big"}]}, [ModelInfo("a")]),
        ({"models": [{"name": "a:latest"}]}, [ModelInfo("a:latest")]),
        ([{"id": "a"}, "b"], [ModelInfo("a"), ModelInfo("b")]),
        ({"data": []}, []),
        ({"data": [None, 3, {}, {"id": None}, {"id": "a"}, {"id": "a"}]}, [ModelInfo("a")]),
        ({"data": [{"id": "gpt-5-mini"}, {"id": "text-embedding-3-small"}, {"id": "whisper-1"}, {"id": "tts-1"},
                   {"id": "nomic-embed-text"}]}, [ModelInfo("gpt-5-mini")]),
    ],
)  # fmt: skip
async def test_a_model_list_is_read_in_each_of_its_forms(answer: object, models: list[ModelInfo]) -> None:
    async with ChatServer() as server:
        server.on("GET", "/v1/models", fails(200, answer))
        assert await probe.list_models(at(server)) == models


@pytest.mark.parametrize("answer", ["<html>Sign in</html>", {"object": "list"}, {"data": 3}, "", "null"])
async def test_a_model_list_that_is_none_is_the_servers_failure(answer: object) -> None:
    async with ChatServer() as server:
        server.on("GET", "/v1/models", fails(200, answer))
        with pytest.raises(ModelServerError):
            await probe.list_models(at(server))


async def test_a_list_names_the_cause_of_its_failure() -> None:
    async with ChatServer(api_key="right") as server:
        with pytest.raises(WrongKeyError):
            await probe.list_models(at(server, key="wrong"))
        server.on("GET", "/v1/models", fails(404, "404 page not found"))
        with pytest.raises(NoSuchModelError) as caught:
            await probe.list_models(at(server))
        assert "usually ends in /v1" in caught.value.hint
        server.on("GET", "/v1/models", raw(HANG))
        with pytest.raises(UnreachableError):
            await probe.list_models(at(server), timeout=0.2)


async def test_a_good_connection_is_reported_with_its_models_and_time() -> None:
    async with ChatServer(models=["a", "b"], api_key="right") as server:
        report = await probe.test_connection(at(server, key="right"), "a")
        assert report.ok
        assert report.error is None
        assert [info.id for info in report.models] == ["a", "b"]
        assert report.latency_ms is not None
        assert report.latency_ms > 0
        assert server.chats[0].json["model"] == "a"


async def test_a_test_asks_for_a_few_tokens_and_stops_at_the_first() -> None:
    async with ChatServer() as server:
        server.answer(streams(event(chunk("O")), HANG))
        assert (await probe.test_connection(at(server), "test-model")).ok
        assert server.chats[0].json["max_tokens"] <= 16
        await server.chats[0].left.wait()


async def test_a_failed_test_reports_the_cause_and_what_it_had_found() -> None:
    async with ChatServer(models=["a"]) as server:
        server.answer(fails(404, {"error": {"code": "model_not_found", "message": "no"}}), fails(429))
        missing = await probe.test_connection(at(server), "b")
        assert isinstance(missing.error, NoSuchModelError)
        assert not missing.ok
        assert [info.id for info in missing.models] == ["a"]
        limited = await probe.test_connection(at(server), "a")
        assert isinstance(limited.error, RateLimitedError)
        assert "message" not in f"{missing.error} {limited.error}"


async def test_a_wrong_key_is_found_before_a_chat_is_tried() -> None:
    async with ChatServer(api_key="right") as server:
        report = await probe.test_connection(at(server, key="wrong"), "a")
        assert isinstance(report.error, WrongKeyError)
        assert server.chats == []


async def test_a_server_without_a_model_list_can_still_be_tested() -> None:
    async with ChatServer() as server:
        server.on("GET", "/v1/models", fails(404))
        report = await probe.test_connection(at(server), "a")
        assert report.ok
        assert report.models == ()


async def test_without_a_model_the_list_is_the_test() -> None:
    async with ChatServer() as server:
        assert (await probe.test_connection(at(server))).ok
        assert server.chats == []


async def test_servers_on_this_computer_are_found_and_others_are_not() -> None:
    async with (
        ChatServer(models=["llama3.2"]) as ollama,
        ChatServer() as web_page,
        ChatServer() as hanging,
    ):
        web_page.on("GET", "/v1/models", fails(200, "<html>my site</html>"))
        hanging.on("GET", "/v1/models", raw(HANG))
        presets = [
            replace(LM_STUDIO, base_url=hanging.base_url),
            replace(OLLAMA, base_url=ollama.base_url),
            replace(LLAMA_CPP, base_url=web_page.base_url),
            replace(LLAMA_CPP, base_url="http://127.0.0.1:9/v1"),
            OPENAI,
        ]
        guard = NetworkGuard()
        found = await probe.find_local_servers(0.5, presets=presets, guard=guard)
        assert found == [probe.FoundServer("ollama", ollama.base_url, (ModelInfo("llama3.2"),))]
        assert {record.host for record in guard.records} == {"127.0.0.1"}
        assert {record.why for record in guard.records} == {"looking for local servers"}
        assert guard.allowed == frozenset()


async def test_looking_leaves_an_address_allowed_that_was_allowed_before() -> None:
    async with ChatServer() as server:
        guard = NetworkGuard({server.address})
        await probe.find_local_servers(presets=[replace(OLLAMA, base_url=server.base_url)], guard=guard)
        assert guard.allowed == {server.address}


async def test_the_window_of_a_llama_cpp_server_is_what_it_runs_with() -> None:
    async with ChatServer(llamacpp=True, context=2048) as server:
        assert await probe.context_window(at(server, "llamacpp"), "test-model") == 2048


async def test_the_window_of_ollama_is_its_own_default_unless_it_says_more() -> None:
    async with ChatServer(ollama=True, models=["llama3.2"], context=131072) as server:
        endpoint = at(server, "ollama")
        assert await probe.context_window(endpoint, "llama3.2") == 4096
        server.on("POST", "/api/show", fails(200, {"parameters": "stop x\nnum_ctx                 16384"}))
        assert await probe.context_window(endpoint, "llama3.2") == 16384
        running = {"models": [{"name": "llama3.2:latest", "context_length": 32768}]}
        server.on("GET", "/api/ps", fails(200, running))
        assert await probe.context_window(endpoint, "llama3.2") == 32768


async def test_the_window_of_another_server_comes_from_its_list_or_is_unknown() -> None:
    async with ChatServer() as server:
        assert await probe.context_window(at(server), "test-model") is None
        server.on("GET", "/v1/models", fails(200, {"data": [{"id": "a", "context_length": 9000}]}))
        assert await probe.context_window(at(server), "a") == 9000
        assert await probe.context_window(at(server), "b") is None
