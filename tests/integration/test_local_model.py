"""The model on this computer: a real llama.cpp server with the real trial model in a process of its own."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import struct
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from assistant.core.errors import AssistantError, ContextTooLongError, LocalModelError, ReplyCutError
from assistant.core.types import Message
from assistant.models.base import ChatOptions, Finished, ModelEvent, TextDelta
from assistant.models.local_model import LocalChatModel, LocalModelServer
from assistant.models.network import NetworkGuard
from assistant.models.trial_model import trial_model_path

REPO = Path(__file__).resolve().parents[2]
QUESTION = [Message("user", "Say hello in one short sentence.")]
LONG = [Message("user", "Tell me a long story about the sea, the wind and an old ship.")]


@asynccontextmanager
async def local_model(**options: Any) -> AsyncIterator[LocalChatModel]:
    model = LocalChatModel(LocalModelServer(**options))
    try:
        yield model
    finally:
        await model.close()


async def ask(model: LocalChatModel, messages: list[Message] = QUESTION, limit: int = 24) -> list[ModelEvent]:
    return [event async for event in model.stream(messages, options=ChatOptions(max_tokens=limit))]


async def answers(model: LocalChatModel) -> bool:
    events = await ask(model)
    return any(isinstance(event, TextDelta) for event in events) and isinstance(events[-1], Finished)


def gone(pid: int) -> None:
    """Wait until the process has ended."""
    try:
        psutil.Process(pid).wait(timeout=30)
    except psutil.NoSuchProcess:
        return


def pid_of(model: LocalChatModel) -> int:
    pid = model.server.pid
    assert pid is not None
    return pid


async def begun(server: LocalModelServer) -> int:
    """The id of the process as soon as there is one, long before it is ready; nothing announces that."""
    while server.pid is None:  # noqa: ASYNC110
        await asyncio.sleep(0.001)
    return server.pid


async def rest_of(events: AsyncIterator[ModelEvent]) -> list[ModelEvent]:
    return [event async for event in events]


def status_of(
    url: str, *, key: str = "", origin: str = "", method: str = "GET"
) -> tuple[int, dict[str, str]]:
    headers = {"Origin": origin} if origin else {}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers, method=method)) as answer:
            return answer.status, dict(answer.headers)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, dict(error.headers)


# --- chatting ---------------------------------------------------------------------------------------------------


async def test_it_starts_when_it_is_first_used_and_streams_a_reply() -> None:
    async with local_model() as model:
        assert model.server.pid is None
        events = await ask(model)
        pieces = [event for event in events if isinstance(event, TextDelta)]
        assert len(pieces) > 1
        end = events[-1]
        assert isinstance(end, Finished)
        assert end.usage.completion_tokens is not None
        assert end.usage.completion_tokens >= len(pieces)
        assert (model.name, model.host) == ("local:SmolLM2-135M-Instruct", "this computer")


async def test_it_counts_tokens_exactly_and_knows_its_window() -> None:
    async with local_model() as model:
        assert await model.tokenize("") == 0
        assert await model.tokenize("hello") == 1
        assert await model.tokenize("hello " * 100) > 100
        assert await model.context_window() == 8192


async def test_a_smaller_window_may_be_chosen_and_a_longer_message_is_refused_by_name() -> None:
    async with local_model(context=512) as model:
        assert await model.context_window() == 512
        with pytest.raises(ContextTooLongError) as caught:
            await ask(model, [Message("user", "long " * 2000)])
        assert "Your message is kept." in caught.value.message
        assert await answers(model)


async def test_a_reply_can_be_held_to_a_schema() -> None:
    schema = {
        "type": "object",
        "properties": {"colour": {"enum": ["red", "green"]}},
        "required": ["colour"],
        "additionalProperties": False,
    }
    async with local_model() as model:
        options = ChatOptions(max_tokens=40, json_schema=schema)
        events = model.stream([Message("user", "A colour?")], options=options)
        text = "".join([event.text async for event in events if isinstance(event, TextDelta)])
        assert json.loads(text)["colour"] in ("red", "green")


async def test_each_connection_is_recorded_and_goes_to_this_computer() -> None:
    guard = NetworkGuard()
    model = LocalChatModel(LocalModelServer(), guard=guard)
    await ask(model)
    await model.tokenize("hello")
    await model.close()
    assert [(record.host, record.why) for record in guard.records] == [
        ("127.0.0.1", "chat"),
        ("127.0.0.1", "token count"),
    ]
    assert guard.allowed == frozenset()


def test_it_works_in_the_windows_own_loop(qapp: Any) -> None:
    from qasync import QEventLoop

    async def chat() -> None:
        async with local_model() as model:
            assert await answers(model)
            async with aclosing(model.stream(LONG)) as events:
                await anext(events)
            assert await model.tokenize("hello") == 1

    with asyncio.Runner(loop_factory=lambda: QEventLoop(qapp)) as runner:
        runner.run(asyncio.wait_for(chat(), 60))


# --- who may talk to it -----------------------------------------------------------------------------------------


async def test_only_its_own_key_is_accepted_and_only_this_computer_can_connect() -> None:
    async with local_model() as model:
        await model.warmup()
        endpoint = model.server.endpoint
        assert endpoint is not None
        for path in ("/v1/models", "/props", "/slots", "/v1/chat/completions"):
            for key in ("", "wrong"):
                method = "POST" if path.endswith("completions") else "GET"
                status, _ = await asyncio.to_thread(
                    status_of, endpoint.server_root + path, key=key, method=method
                )
                assert status == 401, path
        status, _ = await asyncio.to_thread(status_of, f"{endpoint.base_url}/models", key=endpoint.api_key)
        assert status == 200
        listening = psutil.Process(pid_of(model)).net_connections()
        assert {each.laddr.ip for each in listening} == {"127.0.0.1"}


async def test_no_web_page_is_allowed_in_or_served() -> None:
    async with local_model() as model:
        await model.warmup()
        endpoint = model.server.endpoint
        assert endpoint is not None
        for method in ("OPTIONS", "GET"):
            _, headers = await asyncio.to_thread(
                status_of, f"{endpoint.base_url}/models", origin="http://page.example", method=method
            )
            assert headers.get("Access-Control-Allow-Origin") not in ("*", "http://page.example", "null")
        assert (await asyncio.to_thread(status_of, endpoint.server_root + "/"))[0] == 404


async def test_the_key_is_new_each_time_and_in_no_place_that_others_see() -> None:
    async with local_model() as model:
        await model.warmup()
        first = model.server.endpoint
        process = psutil.Process(pid_of(model))
        assert first is not None
        assert first.api_key not in " ".join(process.cmdline())
        assert first.api_key not in " ".join(process.environ().values())
        await model.server.stop()
        second = await model.server.start()
        assert second.api_key != first.api_key


# --- ending -----------------------------------------------------------------------------------------------------


async def test_stopping_ends_the_process_and_it_starts_again_when_asked() -> None:
    states: list[str] = []
    async with local_model(on_state=states.append) as model:
        await model.warmup()
        pid = pid_of(model)
        await model.server.stop()
        await model.server.stop()
        assert not psutil.pid_exists(pid)
        assert await answers(model)
        assert states == ["starting", "ready", "stopped", "starting", "ready"]


async def test_closing_in_mid_reply_ends_the_process_and_the_reply() -> None:
    model = LocalChatModel(LocalModelServer())
    events = model.stream(LONG)
    await anext(events)
    pid = pid_of(model)
    await model.close()
    await model.close()
    assert not psutil.pid_exists(pid)
    with pytest.raises(AssistantError):
        await rest_of(events)


async def test_stopping_while_it_starts_leaves_no_process() -> None:
    server = LocalModelServer()
    starting = asyncio.ensure_future(server.start())
    pid = await begun(server)
    await server.stop()
    assert not psutil.pid_exists(pid)
    with pytest.raises(LocalModelError):
        await starting


async def test_a_wait_that_is_cancelled_does_not_undo_the_start() -> None:
    async with local_model() as model:
        waiting = asyncio.ensure_future(model.server.start())
        pid = await begun(model.server)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await model.server.start()
        assert model.server.pid == pid


async def test_those_who_need_it_at_once_share_one_process() -> None:
    async with local_model() as model:
        endpoints = await asyncio.gather(*(model.server.start() for _ in range(4)))
        assert len(set(map(id, endpoints))) == 1


HOLDER = """
import asyncio, sys
from assistant.models.local_model import LocalModelServer

async def hold():
    server = LocalModelServer()
    if sys.argv[1] == "ready":
        await server.start()
    else:
        starting = asyncio.ensure_future(server.start())
        while server.pid is None:
            await asyncio.sleep(0)
    print(server.pid, flush=True)
    await asyncio.sleep(60)

asyncio.run(hold())
"""


@pytest.mark.parametrize("moment", ["ready", "loading"])
def test_it_dies_with_a_parent_that_is_killed(moment: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, moment], stdout=subprocess.PIPE, env=environment
    ) as holder:
        assert holder.stdout is not None
        pid = int(holder.stdout.readline())
        assert psutil.pid_exists(pid)
        holder.kill()
        gone(pid)


LEAVER = """
import asyncio
from assistant.core.types import Message
from assistant.models import open_model

async def chat():
    model = open_model("local:trial")
    async for event in model.stream([Message("user", "Hello?")]):
        break
    await model.close()

asyncio.run(chat())
"""


def test_a_whole_life_writes_nothing_to_the_terminal() -> None:
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    ended = subprocess.run(
        [sys.executable, "-c", LEAVER], capture_output=True, text=True, env=environment, timeout=60
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")


# --- crashing ---------------------------------------------------------------------------------------------------


async def test_the_next_message_starts_it_again_after_a_crash() -> None:
    async with local_model() as model:
        assert await answers(model)
        pid = pid_of(model)
        os.kill(pid, signal.SIGKILL)
        assert await answers(model)
        assert pid_of(model) != pid


async def test_a_crash_in_mid_reply_keeps_what_had_come_and_the_next_message_is_answered() -> None:
    async with local_model() as model:
        events = model.stream(LONG)
        first = await anext(events)
        assert isinstance(first, TextDelta)
        os.kill(pid_of(model), signal.SIGKILL)
        with pytest.raises(ReplyCutError) as caught:
            await rest_of(events)
        assert caught.value.partial.startswith(first.text)
        assert await answers(model)


async def test_a_crash_after_a_while_is_mended_without_being_asked() -> None:
    states: asyncio.Queue[str] = asyncio.Queue()
    async with local_model(steady_after=0.0, on_state=states.put_nowait) as model:
        await model.warmup()
        pid = pid_of(model)
        os.kill(pid, signal.SIGKILL)
        seen = [await states.get() for _ in range(5)]
        assert seen == ["starting", "ready", "crashed", "starting", "ready"]
        assert pid_of(model) != pid


async def test_a_crash_just_after_the_start_waits_for_the_next_message() -> None:
    states: asyncio.Queue[str] = asyncio.Queue()
    async with local_model(on_state=states.put_nowait) as model:
        await model.warmup()
        os.kill(pid_of(model), signal.SIGKILL)
        assert [await states.get() for _ in range(3)] == ["starting", "ready", "crashed"]
        assert model.server.pid is None
        assert await answers(model)


# --- files that can't be used -----------------------------------------------------------------------------------


async def failure(path: Path) -> LocalModelError:
    states: list[str] = []
    async with local_model(gguf_path=path, on_state=states.append) as model:
        with pytest.raises(LocalModelError) as caught:
            await model.warmup()
        assert states == ["starting", "failed"]
        assert model.server.pid is None
    return caught.value


async def test_a_file_that_is_gone_or_no_model_is_said_before_a_process_starts(tmp_path: Path) -> None:
    assert "not there any more" in (await failure(tmp_path / "gone.gguf")).message
    other = tmp_path / "other.gguf"
    other.write_text("no model")
    assert "not a model file" in (await failure(other)).message


async def test_a_file_that_ends_too_early_can_not_be_loaded(tmp_path: Path) -> None:
    short = tmp_path / "short.gguf"
    with trial_model_path().open("rb") as whole:
        short.write_bytes(whole.read(5_000_000))
    error = await failure(short)
    assert "can't be loaded" in error.message
    assert "exit code" in error.detail


async def test_a_file_larger_than_the_memory_is_refused_with_both_sizes(tmp_path: Path) -> None:
    huge = tmp_path / "huge.gguf"
    huge.write_bytes(b"GGUF" + struct.pack("<IQQ", 3, 0, 0))
    os.truncate(huge, psutil.virtual_memory().total + 10_000_000_000)
    assert "this computer has" in (await failure(huge)).message


async def test_after_a_bad_file_the_same_server_can_start_once_the_file_is_good(tmp_path: Path) -> None:
    path = tmp_path / "late.gguf"
    async with local_model(gguf_path=path) as model:
        with pytest.raises(LocalModelError):
            await model.warmup()
        path.symlink_to(trial_model_path())
        assert await answers(model)
