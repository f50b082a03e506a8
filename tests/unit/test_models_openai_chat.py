"""Chat over real HTTP with a scripted server: replies, refusals, cut connections, stopping."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest

from assistant.core.errors import (
    AssistantError,
    ContextTooLongError,
    InvalidTextError,
    ModelError,
    ModelServerError,
    NoSuchModelError,
    RateLimitedError,
    ReplyCutError,
    UnreachableError,
    WrongKeyError,
)
from assistant.core.types import Message, Usage
from assistant.models.base import ChatOptions, Finished, ModelEvent, ReasoningDelta, TextDelta
from assistant.models.endpoint import Endpoint
from assistant.models.openai_chat import OpenAIChatModel
from tests.chat_server import (
    CLOSE,
    HANG,
    RESET,
    ChatServer,
    Gate,
    Reply,
    chunk,
    event,
    fails,
    raw,
    says,
    streams,
)

QUESTION = [Message("system", "Be brief."), Message("user", "Hello?")]
KEY = "sk-test-0123456789abcdef"
SO_FAR = event(chunk("so far"))
SSE_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"


@asynccontextmanager
async def chatting(
    *replies: Reply, preset_id: str = "custom", key: str = KEY, **options: Any
) -> AsyncIterator[tuple[ChatServer, OpenAIChatModel]]:
    async with ChatServer() as server:
        server.answer(*replies)
        model = OpenAIChatModel(Endpoint(preset_id, server.base_url, api_key=key), "test-model", **options)
        try:
            yield server, model
        finally:
            await model.close()


async def ask(
    model: OpenAIChatModel, messages: Sequence[Message] = QUESTION, options: ChatOptions | None = None
) -> list[ModelEvent]:
    return [each async for each in model.stream(messages, options=options or ChatOptions())]


async def failure(model: OpenAIChatModel, messages: Sequence[Message] = QUESTION) -> AssistantError:
    try:
        events = await ask(model, messages)
    except AssistantError as error:
        return error
    raise AssertionError(f"it did not fail, but said {events}")


# --- replies ----------------------------------------------------------------------------------------------------


async def test_a_reply_streams_and_ends_with_its_usage() -> None:
    async with chatting(says("Hel", "lo", reasoning=["Hm."], usage=(9, 2))) as (_, model):
        assert await ask(model) == [
            ReasoningDelta("Hm."),
            TextDelta("Hel"),
            TextDelta("lo"),
            Finished("stop", Usage(9, 2)),
        ]


async def test_text_shows_before_the_reply_is_complete() -> None:
    gate = Gate()
    async with chatting(says("first", "last", gate=gate)) as (_, model):
        events = model.stream(QUESTION)
        assert await anext(events) == TextDelta("first")
        gate.open()
        assert [each async for each in events] == [TextDelta("last"), Finished("stop", Usage(7, 3))]


async def test_the_request_holds_the_messages_as_given_and_the_key() -> None:
    text = 'NUL \x00, "quotes", שלום, 你好, 😀' + "x" * 1_000_000
    async with chatting() as (server, model):
        await ask(model, [Message("user", text, {"note": "not sent"})])
        request = server.chats[0]
        assert request.messages == [{"role": "user", "content": text}]
        assert request.json["model"] == "test-model"
        assert request.json["stream"] is True
        assert request.headers["authorization"] == f"Bearer {KEY}"


async def test_without_a_key_no_key_is_sent_even_when_the_environment_has_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-from-the-environment")
    async with chatting(key="") as (server, model):
        await ask(model)
        assert "authorization" not in server.chats[0].headers


async def test_no_header_describes_the_computer_or_its_accounts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-private")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Private: yes")
    async with chatting() as (server, model):
        await ask(model)
        assert set(server.chats[0].headers) == {
            "host", "accept", "accept-encoding", "content-type", "content-length", "connection", "user-agent",
            "authorization",
        }  # fmt: skip
        assert server.chats[0].headers["user-agent"] == "Keepsake"


async def test_options_are_sent_only_when_given() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    options = ChatOptions(max_tokens=5, temperature=0.3, json_schema=schema)
    async with chatting() as (server, model):
        await ask(model)
        await ask(model, options=options)
        plain, full = (request.json for request in server.chats)
        assert set(plain) == {"model", "messages", "stream", "stream_options"}
        assert (full["max_tokens"], full["temperature"]) == (5, 0.3)
        assert full["response_format"]["json_schema"]["schema"] == schema


async def test_openai_gets_the_newer_name_of_the_limit() -> None:
    async with chatting(preset_id="openai") as (server, model):
        await ask(model, options=ChatOptions(max_tokens=5))
        assert server.chats[0].json["max_completion_tokens"] == 5
        assert "max_tokens" not in server.chats[0].json


@pytest.mark.parametrize(
    ("refusal", "gone"),
    [
        ("unknown field: stream_options", "stream_options"),
        ("Unsupported parameter: 'temperature' is not supported with this model.", "temperature"),
        ("response_format is not supported", "response_format"),
        ("Bad Request", "stream_options"),
    ],
)
async def test_a_part_that_a_server_refuses_is_left_out_from_then_on(refusal: str, gone: str) -> None:
    options = ChatOptions(temperature=1.0, json_schema={"type": "object"})
    async with chatting(fails(400, {"error": {"message": refusal}}), says("a"), says("b")) as (server, model):
        assert (await ask(model, options=options))[0] == TextDelta("a")
        assert (await ask(model, options=options))[0] == TextDelta("b")
        assert [gone in request.json for request in server.chats] == [True, False, False]


async def test_the_limit_is_sent_under_its_other_name_before_it_is_left_out() -> None:
    refusal = fails(400, {"error": {"message": "max_tokens is not supported"}})
    async with chatting(refusal, refusal, says("a")) as (server, model):
        await ask(model, options=ChatOptions(max_tokens=5))
        sent = [set(request.json) & {"max_tokens", "max_completion_tokens"} for request in server.chats]
        assert sent == [{"max_tokens"}, {"max_completion_tokens"}, set()]


async def test_a_refusal_that_stays_is_told_in_the_servers_words() -> None:
    refusal = fails(400, {"error": {"message": "No such role: system"}})
    async with chatting(refusal, refusal) as (server, model):
        error = await failure(model)
        assert type(error) is ModelServerError
        assert "No such role: system" in error.message
        assert len(server.chats) == 2


async def test_a_lone_surrogate_is_refused_before_anything_is_sent() -> None:
    async with chatting() as (server, model):
        assert isinstance(await failure(model, [Message("user", "a\ud800")]), InvalidTextError)
        assert server.requests == []


async def test_two_replies_may_stream_at_once() -> None:
    gate = Gate()
    async with chatting(says("one", "!", gate=gate), says("two", "!", gate=gate)) as (server, model):
        both = asyncio.gather(ask(model), ask(model))
        await server.arrival(2).wait()
        gate.open()
        firsts = {events[0] for events in await both}
        assert firsts == {TextDelta("one"), TextDelta("two")}


# --- refusals ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}, WrongKeyError),
        (401, "", WrongKeyError),
        (403, {"error": "forbidden"}, WrongKeyError),
        (404, {"error": {"message": "It does not exist", "code": "model_not_found"}}, NoSuchModelError),
        (404, {"error": {"message": "The model `test-model` does not exist"}}, NoSuchModelError),
        (404, {"error": {"message": 'model "test-model" not found, try pulling it first'}}, NoSuchModelError),
        (404, "404 page not found", NoSuchModelError),
        (400, {"error": {"message": "test-model is not a valid model ID", "code": 400}}, NoSuchModelError),
        (400, {"error": "No models loaded. Please load a model in the developer page."}, NoSuchModelError),
        (413, "", ContextTooLongError),
        (400, {"error": {"code": "context_length_exceeded", "message": "too much"}}, ContextTooLongError),
        (400, {"error": {"message": "too much", "type": "exceed_context_size_error"}}, ContextTooLongError),
        (400, {"error": "exceeds the available context size (8192 tokens)"}, ContextTooLongError),
        (400, {"error": "Trying to keep the first 5000 tokens when context the overflows."}, ContextTooLongError),
        (400, {"error": {"message": "the input length exceeds the context length"}}, ContextTooLongError),
        (429, "", RateLimitedError),
        (429, {"error": {"message": "no", "code": "insufficient_quota"}}, RateLimitedError),
        (402, {"error": {"message": "Insufficient credits"}}, RateLimitedError),
        (500, "boom", ModelServerError),
        (502, "<html>Bad gateway</html>", ModelServerError),
        (503, {"error": {"message": "Loading model", "type": "unavailable_error"}}, ModelServerError),
        (529, "", ModelServerError),
        (418, "", ModelServerError),
        (301, "", ModelServerError),
    ],
)  # fmt: skip
async def test_each_refusal_has_its_error(status: int, body: Any, kind: type[ModelError]) -> None:
    async with chatting(fails(status, body), fails(status, body)) as (_, model):
        error = await failure(model)
        assert type(error) is kind
        assert "Your message is kept." in error.message
        assert error.hint
        assert f"HTTP {status}" in error.detail


async def test_a_wrong_key_and_a_missing_key_are_told_apart() -> None:
    async with chatting(fails(401)) as (_, model):
        assert "does not accept the key" in (await failure(model)).message
    async with chatting(fails(401), key="") as (_, model):
        assert "none is set" in (await failure(model)).message


async def test_a_rate_limit_says_how_long_to_wait() -> None:
    async with chatting(fails(429, "", {"Retry-After": "7"})) as (_, model):
        error = await failure(model)
        assert isinstance(error, RateLimitedError)
        assert error.retry_after == 7
        assert "7 seconds" in error.message


async def test_nothing_is_sent_twice_after_a_failure_of_the_server() -> None:
    async with chatting(fails(500), fails(429)) as (server, model):
        await failure(model)
        assert len(server.chats) == 1


async def test_an_error_page_is_not_quoted_in_the_message() -> None:
    async with chatting(fails(502, "<html><h1>Bad gateway</h1></html>")) as (_, model):
        error = await failure(model)
        assert "<" not in error.message
        assert "Bad gateway" in error.detail


async def test_no_error_repeats_the_key() -> None:
    body = {"error": {"message": f"Incorrect API key provided: {KEY}"}}
    for status in (400, 401, 403, 404, 429, 500):
        async with chatting(fails(status, body), fails(status, body)) as (_, model):
            error = await failure(model)
            assert KEY not in f"{error} {error.detail}"


async def test_a_redirect_is_not_followed() -> None:
    async with ChatServer() as other, chatting() as (server, model):
        server.answer(fails(302, "", {"Location": f"{other.base_url}/chat/completions"}))
        error = await failure(model)
        assert "points to another address" in error.message
        assert other.requests == []


# --- cut and broken answers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "reply",
    [
        streams(SO_FAR, CLOSE),
        streams(SO_FAR, RESET),
        streams(SO_FAR, framed=False),
        raw(SSE_HEAD + b"Content-Length: 9999\r\n\r\n" + SO_FAR, CLOSE),
        streams(SO_FAR, event({"error": {"message": "out of memory"}})),
        raw(SSE_HEAD + b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\nnonsense" % (len(SO_FAR), SO_FAR), CLOSE),
    ],
    ids=["closed", "reset", "unframed", "short", "error inside", "broken framing"],
)  # fmt: skip
async def test_a_reply_that_is_cut_keeps_what_had_come(reply: Reply) -> None:
    async with chatting(reply) as (_, model):
        events = model.stream(QUESTION)
        assert await anext(events) == TextDelta("so far")
        with pytest.raises(ReplyCutError) as caught:
            await anext(events)
        assert caught.value.partial == "so far"


@pytest.mark.parametrize(
    "reply",
    [
        raw(RESET), raw(CLOSE), raw(b"HTTP/1.1 200", CLOSE), raw(b"\x00\x01\x02 nonsense\r\n\r\n", CLOSE),
        streams(CLOSE), streams(), streams(b"data: nonsense\n\n"), streams(event("[DONE]")),
        streams(b"<html>Sign in</html>", content_type="text/html"), fails(200, {"object": "list"}), fails(200, "OK"),
        streams(event(chunk(role="assistant", content="")), CLOSE), streams(event({"error": "boom"})),
        streams(b"x" * (9 * 1024 * 1024)),
    ],
)  # fmt: skip
async def test_an_answer_that_is_none_is_the_servers_failure(reply: Reply) -> None:
    async with chatting(reply) as (_, model):
        error = await failure(model)
        assert type(error) is ModelServerError
        assert "Your message is kept." in error.message


async def test_an_error_inside_a_stream_names_its_cause_when_nothing_had_come() -> None:
    limit = streams(event({"error": {"code": 429, "message": "Rate limit exceeded"}}))
    length = streams(b'event: error\ndata: {"message": "exceeds the context length"}\n\n')
    async with chatting(limit, length) as (_, model):
        assert isinstance(await failure(model), RateLimitedError)
        assert isinstance(await failure(model), ContextTooLongError)


async def test_a_server_that_hangs_before_it_answers_is_given_up() -> None:
    async with chatting(raw(HANG), read_timeout=0.2) as (_, model):
        error = await failure(model)
        assert isinstance(error, UnreachableError)
        assert "did not answer" in error.message


async def test_a_server_that_hangs_in_the_middle_leaves_what_had_come() -> None:
    async with chatting(streams(SO_FAR, HANG), read_timeout=0.2) as (_, model):
        error = await failure(model)
        assert isinstance(error, ReplyCutError)
        assert error.partial == "so far"


async def test_keep_alives_hold_the_wait_open() -> None:
    async def slow(exchange: Any) -> None:
        await exchange.head(headers={"Content-Type": "text/event-stream"}, chunked=True)
        for _ in range(5):
            await exchange.body(b": still there\n\n")
            await asyncio.sleep(0.1)
        await exchange.body(event(chunk("at last", finish="stop")) + event("[DONE]"))
        await exchange.end()

    async with chatting(slow, read_timeout=0.3) as (_, model):
        assert (await ask(model))[0] == TextDelta("at last")


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_nobody_at_the_address_is_unreachable() -> None:
    model = OpenAIChatModel(Endpoint("ollama", f"http://127.0.0.1:{unused_port()}"), "llama3.2")
    error = await failure(model)
    await model.close()
    assert isinstance(error, UnreachableError)
    assert error.message == f"{model.endpoint.netloc} does not answer. Your message is kept."
    assert "Start Ollama" in error.hint


async def test_a_name_that_does_not_exist_is_said_to_be_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    model = OpenAIChatModel(Endpoint("custom", "https://nowhere.invalid/v1"), "m")
    error = await failure(model)
    await model.close()
    assert isinstance(error, UnreachableError)
    assert "nowhere.invalid can't be found" in error.message


async def test_a_plain_server_at_an_encrypted_address_is_unreachable() -> None:
    async with ChatServer() as server:
        model = OpenAIChatModel(Endpoint("custom", f"https://127.0.0.1:{server.port}/v1"), "m")
        error = await failure(model)
        await model.close()
        assert isinstance(error, UnreachableError)
        assert "encrypted" in error.message


async def test_the_app_can_go_on_after_every_failure() -> None:
    broken = [fails(500), raw(RESET), streams(SO_FAR, RESET), streams(b"nonsense"), raw(b"garbage\r\n\r\n")]
    async with chatting(*broken, says("fine")) as (_, model):
        for _ in broken:
            await failure(model)
        assert (await ask(model))[0] == TextDelta("fine")


# --- stopping ---------------------------------------------------------------------------------------------------


async def test_closing_the_stream_closes_the_connection() -> None:
    async with chatting(streams(SO_FAR, HANG)) as (server, model):
        events = model.stream(QUESTION)
        assert await anext(events) == TextDelta("so far")
        await events.aclose()
        await server.chats[0].left.wait()


async def test_cancelling_the_task_closes_the_connection() -> None:
    async with chatting(streams(SO_FAR, HANG)) as (server, model):
        task = asyncio.create_task(ask(model))
        await server.arrival().wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.chats[0].left.wait()


async def test_cancelling_before_the_first_byte_closes_the_connection() -> None:
    async with chatting(raw(HANG)) as (server, model):
        task = asyncio.create_task(ask(model))
        await server.arrival().wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await server.chats[0].left.wait()


async def test_after_a_stop_the_model_answers_again() -> None:
    async with chatting(streams(SO_FAR, HANG), says("again")) as (_, model):
        events = model.stream(QUESTION)
        await anext(events)
        await events.aclose()
        assert (await ask(model))[0] == TextDelta("again")


async def test_closing_the_model_ends_a_running_stream_with_an_error() -> None:
    async with chatting(streams(SO_FAR, HANG)) as (_, model):
        events = model.stream(QUESTION)
        await anext(events)
        await model.close()
        with pytest.raises(ModelError):
            await anext(events)


async def test_a_closed_model_says_so_and_closing_twice_is_safe() -> None:
    async with chatting() as (server, model):
        await model.close()
        await model.close()
        assert isinstance(await failure(model), ModelError)
        assert server.requests == []


async def test_the_client_library_is_loaded_off_the_loop() -> None:
    async with chatting() as (_, model):
        ticking = asyncio.create_task(asyncio.sleep(0))
        await model.warmup()
        assert ticking.done()


def test_a_stream_in_the_windows_own_loop_leaves_nothing_behind(qapp: Any) -> None:
    from qasync import QEventLoop

    async def stop_in_the_middle() -> None:
        async with chatting(streams(SO_FAR, HANG), says("whole")) as (server, model):
            events = model.stream(QUESTION)
            await anext(events)
            await events.aclose()
            await server.chats[0].left.wait()
            assert (await ask(model))[0] == TextDelta("whole")

    # Qt's loop has no hook for generators that are left in the middle: one would fail as unraisable here.
    with asyncio.Runner(loop_factory=lambda: QEventLoop(qapp)) as runner:
        runner.run(asyncio.wait_for(stop_in_the_middle(), 30))


async def test_names_say_provider_model_and_place() -> None:
    remote = OpenAIChatModel(Endpoint("openai", api_key=KEY), "gpt-5-mini")
    assert (remote.name, remote.host) == ("openai:gpt-5-mini", "api.openai.com")
    local = OpenAIChatModel(Endpoint("ollama"), "llama3.2:1b")
    assert (local.name, local.host) == ("ollama:llama3.2:1b", "this computer")


async def test_details_hold_the_servers_answer_but_not_endlessly() -> None:
    async with chatting(fails(500, json.dumps({"error": "é" * 50_000}))) as (_, model):
        error = await failure(model)
        assert len(error.detail) < 3000
        assert len(error.message) < 500
