"""Answers that are given again, in the running window."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.agent.answer_book import FILE_NAME
from assistant.storage.scan import find_bytes, fragments
from assistant.ui.presenters.ownership import WipedDialog
from assistant.ui.widgets.chat.reply_message import ReplyMessage
from assistant.ui.windows.dialogs import WipeDialog
from assistant.ui.windows.settings_dialog import SettingsDialog
from tests.chat_server import ChatServer, says
from tests.ui.app_fixtures import Running, button, click, open_app, text_of, until

QUESTION = "How do I learn French?"
PLAIN: dict[str, Any] = {"memory_extraction": False}


async def ask(running: Running, question: str = QUESTION) -> str:
    """Ask in a new conversation; the reply."""
    await running.open("")
    return (await running.say(question)).text


def reply_widget(running: Running) -> ReplyMessage:
    widget = running.window.chat.view.widget(running.items()[-1].message_id)
    assert isinstance(widget, ReplyMessage)
    return widget


async def settings_page(running: Running) -> SettingsDialog:
    running.app.models.show_settings(2)
    dialog = await running.dialog(SettingsDialog)
    await running.settled()
    return dialog


async def save(running: Running, dialog: SettingsDialog) -> None:
    dialog.commit()
    await until(lambda: not running.shown(SettingsDialog), "the settings are saved")
    await running.settled()


async def test_the_same_question_in_the_same_situation_costs_no_request(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        server.default = says("Daily", ", a little.")
        assert await ask(running) == "Daily, a little."
        assert not running.items()[-1].cached
        assert await ask(running, "how do I learn french") == "Daily, a little."
        assert running.items()[-1].cached
        assert len(server.chats) == 1
        assert (await running.stored())[-1] == ("assistant", "Daily, a little.", "complete")


async def test_it_says_so_and_asks_again_when_told_to(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        server.answer(says("Daily."), says("Read books."))
        await ask(running)
        await ask(running)
        line = reply_widget(running).origin_line
        assert line is not None
        assert "From an earlier answer" in text_of(line)
        assert line.isVisibleTo(running.window)
        click(line, "Ask again")
        await until(lambda: running.texts()[-1] == "Read books.", "the model's own answer")
        await running.quiet()
        assert len(server.chats) == 2
        assert not running.items()[-1].cached
        assert reply_widget(running).origin_line is None
        assert await ask(running) == "Read books."
        assert len(server.chats) == 2


async def test_after_a_restart_answers_are_there_and_still_say_so(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            await ask(running)
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            await ask(running)
            assert len(server.chats) == 1
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            assert running.items()[-1].cached
            assert reply_widget(running).origin_line is not None


async def test_after_a_crash_answers_are_there(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, **PLAIN, crash=True) as running:
            await ask(running)
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            await ask(running)
            assert len(server.chats) == 1


async def test_earlier_messages_make_another_situation(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await ask(running)
        await running.say(QUESTION)
        assert len(server.chats) == 2


async def test_an_answer_goes_with_the_memory_that_it_used(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer() as server,
        open_app(tmp_path, server=server, **PLAIN, memory_index_turns=False) as running,
    ):
        server.default = says("The violin, since 1994.")
        [memory_id] = await running.remember("My sister Ana plays the violin.")
        question = "What does my sister Ana play?"
        await ask(running, question)
        await ask(running, question)
        assert len(server.chats) == 1
        [row] = [row for row in running.window.memory.rows() if row.memory_id == memory_id]
        running.app.memories.changes.delete(row.memory_id)
        await running.settled()
        assert b"since 1994" not in (running.profile.directory / FILE_NAME).read_bytes()
        await ask(running, question)
        assert len(server.chats) == 2
        assert b"violin" not in server.chats[-1].body


async def test_an_answer_goes_when_a_memory_that_it_used_is_corrected(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer() as server,
        open_app(tmp_path, server=server, **PLAIN, memory_index_turns=False) as running,
    ):
        server.default = says("She plays the violin.")
        [memory_id] = await running.remember("My sister Ana plays the violin.")
        question = "What does my sister Ana play?"
        await ask(running, question)
        assert (await running.services.desk.kept_answers()).count == 1
        running.app.memories.changes.restore_text(memory_id, "My sister Ana plays the cello.")
        await running.settled()
        assert (await running.services.desk.kept_answers()).count == 0


async def test_an_unrelated_new_memory_keeps_answers(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await ask(running)
        await running.remember("The boat is called Möwe.")
        await ask(running)
        assert len(server.chats) == 1


async def test_off_means_off(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer() as server,
        open_app(tmp_path, server=server, **PLAIN, cache_mode="off") as running,
    ):
        await ask(running)
        await ask(running)
        assert len(server.chats) == 2
        assert not (running.profile.directory / FILE_NAME).exists()


async def test_the_mode_takes_effect_at_once(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await ask(running)
        for mode, question, requests in (
            ("off", QUESTION, 2),
            ("exact", "How can I learn French?", 3),
            ("semantic", "How do you learn French?", 3),
        ):
            dialog = await settings_page(running)
            dialog.answers.cache.choose(mode)
            await save(running, dialog)
            assert running.settings.cache_mode == mode
            await ask(running, question)
            assert len(server.chats) == requests, mode


async def test_kept_answers_can_be_counted_and_cleared(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        server.default = says("A word that stands nowhere else: quagga.")
        dialog = await settings_page(running)
        assert dialog.answers.kept.text() == "No answer is kept."
        assert not button(dialog, "Clear").isEnabled()
        dialog.reject()
        await until(lambda: not running.shown(SettingsDialog), "the settings are closed")
        await ask(running)
        dialog = await settings_page(running)
        assert dialog.answers.kept.text().startswith("1 answer is kept (")
        click(dialog, "Clear")
        await running.settled()
        assert dialog.answers.kept.text() == "No answer is kept."
        dialog.reject()
        await ask(running)
        assert len(server.chats) == 2


def _garbage(path: Path) -> None:
    path.write_bytes(b"no database at all" * 1000)


def _newer(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE answers (everything_else TEXT)")
        connection.execute("PRAGMA user_version = 99")
        connection.execute("PRAGMA application_id = 1263747395")


def _directory(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("harm", [_garbage, _newer, _directory])
async def test_a_file_that_cannot_be_used_stops_no_turn(
    qapp: Any, tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            folder = running.profile.directory
        for kept in folder.glob(f"{FILE_NAME}*"):
            kept.unlink()
        harm(folder / FILE_NAME)
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            assert await ask(running) == "Hello there."
            assert await ask(running) == "Hello there."
            assert len(server.chats) == (2 if harm is _directory else 1)


async def test_a_wipe_takes_the_answers_along(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        server.default = says("A word that stands nowhere else: quagga.")
        await ask(running)
        assert (running.profile.directory / FILE_NAME).exists()
        running.app.ownership.ask_wipe()
        dialog = await running.dialog(WipeDialog)
        dialog.type_word("wipe")
        dialog.confirm()
        said = text_of(await running.dialog(WipedDialog))
        assert "no trace left" in said
        await running.settled()
        assert find_bytes(running.profile.directory, fragments("stands nowhere else: quagga")) == []
        await ask(running)
        assert len(server.chats) == 2


async def test_nothing_was_sent_for_an_earlier_answer(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await ask(running)
        await ask(running)
        running.app.context.show_sent(running.items()[-1].message_id)
        from assistant.ui.windows.sent import SentDialog

        dialog = await running.dialog(SentDialog)
        assert "Nothing was sent: the reply is an earlier answer." in text_of(dialog)
        assert len(server.chats) == 1
