"""Model servers and memories that fail, in the running window: clear text, nothing lost, still usable."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from assistant.agent.builder import build_agent
from assistant.core.errors import MemoryStoreError
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.ui.models.messages import ShownError
from assistant.ui.widgets.chat.error_card import ErrorCard
from assistant.ui.windows.settings_dialog import SettingsDialog
from tests.chat_server import CLOSE, HANG, RESET, ChatServer, Reply, chunk, event, fails, raw, streams
from tests.ui.app_fixtures import Running, click, open_app, text_of, until
from tests.ui.broken_memories import deaf


async def failed_reply(running: Running, text: str = "Are you there?") -> ShownError:
    """Send a message whose reply fails; what is shown under it."""
    reply = await running.say(text)
    assert reply.error is not None
    return reply.error


def card(running: Running) -> ErrorCard:
    """The one error card that is shown."""
    (found,) = (each for each in running.window.chat.view.findChildren(ErrorCard) if each.isVisible())
    return found


FAILING: dict[str, tuple[Reply, str, str]] = {
    "401": (fails(401, {"error": {"message": "no"}}), "asks for a key", "Settings"),
    "403": (fails(403, {"error": {"message": "no"}}), "asks for a key", "Settings"),
    "404": (fails(404, {"error": {"code": "model_not_found"}}), "has no model “test-model”", "another model"),
    "404 elsewhere": (fails(404, "404 page not found"), "has no model “test-model”", "address"),
    "413": (fails(413, "Payload Too Large"), "longer than “test-model” can read", "Shorten"),
    "too long": (
        fails(400, {"error": {"message": "maximum context length is 10 tokens"}}),
        "longer than “test-model” can read",
        "Shorten",
    ),
    "429": (fails(429, "slow down", {"Retry-After": "7"}), "asks to wait 7 seconds", "Send it again"),
    "429 unsaid": (fails(429, "slow down"), "asks to wait a while", "Send it again"),
    "500": (fails(500, "oh"), "failed (error 500)", "Try again"),
    "503": (fails(503, "loading model"), "busy or still loading", "Try again"),
    "302": (fails(302, "", {"Location": "http://other.test/"}), "points to another address", "Settings"),
    "garbage": (raw(b"SSH-2.0-OpenSSH_9\r\n", CLOSE), "", ""),
    "a web page": (fails(200, "<html>Sign in to the Wi-Fi</html>", {"Content-Type": "text/html"}), "", ""),
    "broken JSON": (streams(b'data: {"choices": [\n\n', b"data: [DONE]\n\n"), "", ""),
    "closed at once": (raw(CLOSE), "ended the connection before it answered", "Try again"),
    "reset at once": (raw(RESET), "ended the connection before it answered", "Try again"),
    "error in the stream": (
        streams(event({"error": {"message": "out of memory", "code": 500}})),
        "failed",
        "",
    ),
}


@pytest.mark.parametrize("name", FAILING)
async def test_a_failing_server_is_told_under_the_message_which_is_kept_and_can_be_tried_again(
    qapp: Any, tmp_path: Path, name: str
) -> None:
    reply, said, hint = FAILING[name]
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            server.answer(reply)
            error = await failed_reply(running)
            assert said in error.message
            assert hint in error.hint
            assert error.message
            assert error.hint
            shown = text_of(card(running))
            assert error.message in shown
            assert "Traceback" not in shown
            assert running.texts()[0] == "Are you there?"
        async with open_app(tmp_path, server=server) as running:
            assert running.items()[-1].error == error
            click(card(running), "Try again")
            await until(lambda: running.texts()[-1] == "Hello there.", "another reply")
            await running.quiet()
            assert running.texts() == ["Are you there?", "Hello there."]
            assert running.items()[-1].error is None


async def test_choose_another_model_opens_the_settings(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(fails(500, "oh"))
        await failed_reply(running)
        click(card(running), "Choose another model")
        dialog = await running.dialog(SettingsDialog)
        dialog.reject()
        await running.settled()


async def test_a_server_that_is_not_there_is_told(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        pass
    async with open_app(tmp_path, server=server) as running:
        error = await failed_reply(running)
        assert error.title == "No connection"
        assert "does not answer" in error.message
        assert "kept" in error.message


@pytest.mark.parametrize("steps", [(HANG,), (event(chunk("Once")), HANG)], ids=["at once", "in mid-reply"])
async def test_a_hanging_server_can_be_stopped(qapp: Any, tmp_path: Path, steps: tuple[Any, ...]) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(streams(*steps))
        await running.begin("Are you there?", "Once" if len(steps) > 1 else "")
        await until(lambda: server.chats, "the server was asked")
        QTest.mouseClick(running.window.chat.composer.send_button, Qt.MouseButton.LeftButton)
        await running.quiet()
        await server.chats[0].left.wait()
        assert running.items()[-1].state == "stopped"
        assert (await running.say("And now?")).text == "Hello there."


async def test_a_server_that_never_accepts_can_be_stopped(qapp: Any, tmp_path: Path) -> None:
    async def ignore(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    silent = await asyncio.start_server(ignore, "127.0.0.1", 0)
    port = silent.sockets[0].getsockname()[1]
    address = f"http://127.0.0.1:{port}/v1"
    async with open_app(tmp_path, endpoint="custom", base_url=address, model="m") as running:
        await running.begin("Are you there?")
        running.app.chat.stop()
        await running.quiet()
        assert running.items()[-1].state == "stopped"
    silent.close()


@pytest.mark.parametrize("end", [CLOSE, RESET], ids=["closed", "reset"])
async def test_a_connection_that_ends_early_keeps_what_came_and_says_so(
    qapp: Any, tmp_path: Path, end: Any
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            server.answer(streams(event(chunk("Once upon")), end))
            reply = await running.say("A story")
            assert (reply.text, reply.state) == ("Once upon", "cut")
            assert reply.error is not None
            assert "What had arrived is kept." in reply.error.message
        async with open_app(tmp_path, server=server) as running:
            assert (running.items()[-1].text, running.items()[-1].state) == ("Once upon", "cut")


async def test_what_is_typed_while_a_reply_fails_stays(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(streams(event(chunk("Once upon")), CLOSE))
        running.write("A story")
        running.press_enter()
        await until(lambda: running.draft() == "", "it is sent")
        running.write("the next thought")
        await running.quiet()
        assert running.draft() == "the next thought"


async def test_a_key_never_reaches_the_text_of_an_error(qapp: Any, tmp_path: Path) -> None:
    key = "sk-test-4f9a1c27e8b04d3fa2b7c6d5e4f30918"
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        switchboard = running.services.switchboard
        await switchboard.use(replace(switchboard.choice, api_key=key))
        server.answer(fails(401, {"error": {"message": f"Incorrect API key provided: {key}"}}))
        error = await failed_reply(running)
        assert server.chats[0].headers["authorization"] == f"Bearer {key}"
        assert key not in repr(error)
        click(card(running), "Details")
        assert key not in text_of(card(running))


# -- memory


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            MemoryStoreError("The disk of the memory has gone.", hint="Plug it in again."),
            "The disk of the memory",
        ),
        (RuntimeError("a bug"), "Memory failed"),
        (OSError(5, "Input/output error"), "Memory failed"),
    ],
    ids=["told", "a bug", "the disk"],
)
async def test_a_failing_memory_leaves_the_reply_and_is_said_under_it(
    qapp: Any, tmp_path: Path, error: Exception, said: str
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, memory=deaf(error)) as running:
            reply = await running.say("Hello")
            assert (reply.text, reply.state) == ("Hello there.", "complete")
            assert said in reply.memory_note
            assert reply.memory_note in text_of(running.window.chat.view)
        async with open_app(tmp_path, server=server) as running:
            assert running.items()[-1].memory_note == reply.memory_note


async def test_a_slow_memory_leaves_the_reply_and_is_said_under_it(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert build_agent.__kwdefaults__ is not None
    monkeypatch.setitem(build_agent.__kwdefaults__, "memory_timeout", 0.05)
    async with ChatServer() as server, open_app(tmp_path, server=server, memory=deaf(None)) as running:
        reply = await running.say("Hello")
        assert (reply.text, reply.state) == ("Hello there.", "complete")
        assert "did not answer within" in reply.memory_note


async def test_what_could_not_be_remembered_is_said_under_the_reply(qapp: Any, tmp_path: Path) -> None:
    gone = MemoryStoreError("The disk of the memory has gone.")
    async with ChatServer() as server, open_app(tmp_path, server=server, memory=deaf(gone)) as running:
        reply = await running.say("Remember that the boat is called Möwe.")
        assert reply.remembered == ()
        assert "What you asked to remember was not kept." in reply.memory_note
        server.answer(fails(500, "oh"))
        reply = await running.say("Remember that the car is called Ente.")
        assert reply.error is not None
        assert "What you asked to remember was not kept." in reply.memory_note


async def test_a_memory_that_cannot_be_opened_leaves_the_chat(qapp: Any, tmp_path: Path) -> None:
    async def fail(folder: Path) -> MemoryLedger:
        raise MemoryStoreError("The memory is damaged.", hint="Restart Keepsake.")

    async with ChatServer() as server, open_app(tmp_path, server=server, memory=fail) as running:
        reply = await running.say("Hello")
        assert (reply.text, reply.state) == ("Hello there.", "complete")
        assert "The memory is damaged." in reply.memory_note
        running.window.chat.view.remember_requested.emit(running.items()[0].message_id, "Hello")
        assert "The memory is damaged." in await running.take_error()
