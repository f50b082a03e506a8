"""Asking servers what they read and how they count: real ones on loopback, and the real model on this computer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from assistant.context import Assembly, ContextEngine
from assistant.core.errors import StoreClosedError
from assistant.core.types import Message, Usage
from assistant.models.base import ChatOptions, Finished
from assistant.models.endpoint import Endpoint
from assistant.models.local_model import LocalChatModel, LocalModelServer
from assistant.models.openai_chat import OpenAIChatModel
from tests.chat_server import CLOSE, ChatServer, fails, raw


@asynccontextmanager
async def engine_at(
    server: ChatServer, preset: str, model: str = "test-model"
) -> AsyncIterator[ContextEngine]:
    chat = OpenAIChatModel(Endpoint(preset, server.base_url), model)
    engine = ContextEngine(chat)
    engine.add_layer("user message", content="How are you today?")
    try:
        yield engine
    finally:
        await engine.close()
        await chat.close()


def paths(server: ChatServer) -> list[str]:
    return [request.path for request in server.requests]


async def test_a_llama_cpp_server_tells_its_window_and_counts() -> None:
    async with ChatServer(llamacpp=True, context=2048) as server, engine_at(server, "llamacpp") as engine:
        report = (await engine.aassemble()).report
        assert (report.window, report.window_source, report.notes) == (2048, "server", ())
        layer = report.layer("user_message")
        assert layer is not None
        assert layer.counting == report.counting == "server"
        # Its tokens are words.
        assert layer.tokens == 4 + 6


async def test_ollama_tells_the_window_that_it_really_runs_with() -> None:
    async with ChatServer(ollama=True, context=131072, models=("llama3.1",)) as server:
        running = {"models": [{"name": "llama3.1:latest", "context_length": 16384}]}
        async with engine_at(server, "ollama", "llama3.1") as engine:
            assert (await engine.aassemble()).report.window == 4096
            server.on("GET", "/api/ps", fails(200, running))
            assert (await engine.aassemble()).report.window == 4096, "asked again within the minute"
            engine.learn(await engine.aassemble(), Usage(20))
            report = (await engine.aassemble()).report
            assert (report.window, report.window_source, report.counting) == (16384, "server", "estimate")


async def test_a_model_list_that_gives_the_window_is_believed() -> None:
    async with ChatServer() as server:
        server.on("GET", "/v1/models", fails(200, {"data": [{"id": "test-model", "max_model_len": 9000}]}))
        async with engine_at(server, "custom") as engine:
            report = (await engine.aassemble()).report
            assert (report.window, report.window_source) == (9000, "server")


async def test_a_server_that_tells_nothing_leaves_a_cautious_window() -> None:
    async with ChatServer() as server, engine_at(server, "custom") as engine:
        report = (await engine.aassemble()).report
        assert (report.window, report.window_source, report.counting) == (4096, "assumed", "estimate")
        assert "4,096 tokens are assumed" in report.notes[0]
        await engine.aassemble()
        assert paths(server).count("/tokenize") == 1


async def test_a_server_is_asked_once_a_minute_and_for_new_texts_alone() -> None:
    async with ChatServer(llamacpp=True) as server, engine_at(server, "llamacpp") as engine:
        await engine.aassemble()
        await engine.aassemble()
        assert paths(server) == ["/props", "/tokenize"]
        engine.add_layer("memory", content="Likes tea.")
        await engine.aassemble()
        assert paths(server) == ["/props", "/tokenize", "/tokenize"]


async def test_only_what_can_fit_is_counted_by_the_server_newest_first() -> None:
    async with ChatServer(llamacpp=True, context=512) as server, engine_at(server, "llamacpp") as engine:
        earlier = [
            Message(("user", "assistant")[number % 2], f"{number} " + "word " * 40) for number in range(100)
        ]
        engine.add_layer("conversation", content=earlier)
        prompt = await engine.aassemble()
        asked = [request.json["content"] for request in server.requests if request.path == "/tokenize"]
        assert asked[1:] == [message.content for message in reversed(earlier)][: len(asked) - 1]
        assert len(prompt) - 1 <= len(asked) - 1 < 20
        assert prompt.report.counting == "server"


@pytest.mark.parametrize("trouble", [fails(500, "busy"), fails(401, "no"), raw(CLOSE)])
async def test_a_server_in_trouble_does_not_keep_a_prompt_from_being_made(trouble: object) -> None:
    async with ChatServer() as server:
        for path in (("GET", "/props"), ("GET", "/v1/models"), ("POST", "/tokenize")):
            server.on(*path, trouble)  # type: ignore[arg-type]
        async with engine_at(server, "llamacpp") as engine:
            prompt = await engine.aassemble()
            assert (prompt.report.window_source, prompt.report.counting) == ("assumed", "estimate")


async def test_a_server_that_is_not_there_is_no_failure() -> None:
    async with ChatServer() as server:
        gone = server
    async with engine_at(gone, "llamacpp") as engine:
        assert (await engine.aassemble()).report.window_source == "assumed"


async def test_an_openai_model_counts_exactly_and_asks_nobody_for_that() -> None:
    async with (
        ChatServer(llamacpp=True, context=5000) as server,
        engine_at(server, "custom", "gpt-4o") as engine,
    ):
        await engine.warmup()
        report = (await engine.aassemble()).report
        assert (report.counting, report.window) == ("exact", 5000)
        assert "/tokenize" not in paths(server)


async def test_a_window_that_the_caller_set_stays() -> None:
    async with ChatServer(llamacpp=True, context=5000) as server:
        chat = OpenAIChatModel(Endpoint("llamacpp", server.base_url), "test-model")
        engine = ContextEngine(chat, window=700)
        report = (await engine.aassemble()).report
        assert (report.window, report.window_source) == (700, "given")
        await engine.close()
        await chat.close()


async def test_the_loop_goes_on_while_a_long_prompt_is_counted() -> None:
    engine = ContextEngine("openai:gpt-5-mini", window=10**8)
    await engine.warmup()
    engine.add_layer("user message", content="word " * 400_000)
    turns = 0
    counting = asyncio.ensure_future(engine.aassemble())
    while not counting.done():
        turns += 1
        await asyncio.sleep(0)
    assert (await counting).report.tokens > 400_000
    assert turns > 3
    await engine.close()


async def test_a_cancelled_prompt_leaves_an_engine_that_works() -> None:
    engine = ContextEngine("openai:gpt-5-mini", window=10**8)
    engine.add_layer("user message", content="word " * 400_000)
    counting = asyncio.ensure_future(engine.aassemble())
    await asyncio.sleep(0)
    counting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await counting
    engine.add_layer("user message", content="Hi")
    assert [message.content for message in await engine.aassemble()] == ["Hi"]
    await engine.close()


async def test_a_closed_engine_says_so() -> None:
    engine = ContextEngine("openai:gpt-4")
    await engine.aassemble()
    await engine.close()
    await engine.close()
    for work in (engine.aassemble(), engine.warmup()):
        with pytest.raises(StoreClosedError):
            await work


async def test_the_model_on_this_computer_reads_what_was_counted_and_never_more_than_fits() -> None:
    model = LocalChatModel(LocalModelServer(context=512))
    engine = ContextEngine(response_reserve=192)
    try:
        for number in range(2):
            turn = engine.for_turn(model)
            turn.add_layer("identity", content="You are brief.")
            turn.add_layer(
                "conversation",
                content=[
                    Message(
                        ("user", "assistant")[each % 2], f"Nachricht {each}: 今日は{each * 7919} naïve words."
                    )
                    for each in range(60)
                ],
            )
            turn.add_layer("user message", content=f"Say {number}.")
            prompt = await turn.aassemble()
            report = turn.learn(prompt, await usage_of(model, prompt))
            assert (report.window, report.window_source, report.counting) == (512, "server", "server")
            assert report.reported_tokens is not None
            assert report.reported_tokens <= report.budget == 320
            assert not report.truncation_suspected
            assert 0 <= report.tokens - report.reported_tokens < 60
            assert report.layer("conversation").kept > 4  # type: ignore[union-attr]
    finally:
        await engine.close()
        await model.close()


async def usage_of(model: LocalChatModel, prompt: Assembly) -> Usage:
    events = [event async for event in model.stream(prompt.messages, options=ChatOptions(max_tokens=2))]
    assert isinstance(events[-1], Finished)
    return events[-1].usage
