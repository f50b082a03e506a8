"""Temporary conversations in the running window: said to be temporary, on no disk, kept when one wants it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView

from assistant.memory.base import TURN
from assistant.storage.scan import find_bytes
from assistant.ui.models.conversations import ConversationRole
from assistant.ui.widgets.chat.composer import PLACEHOLDER, TEMPORARY_PLACEHOLDER
from assistant.ui.windows.palette import CommandPalette
from tests.chat_server import HANG, ChatServer, Gate, chunk, event, says, streams
from tests.ui.app_fixtures import Running, button, click, open_app, press_tool, until

BANNER = "Temporary: nothing of this conversation is kept."


async def open_temporary(running: Running) -> str:
    """Open one by its keys; its id."""
    before = running.app.chat.session_id
    keys = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(running.window, Qt.Key.Key_N, keys)
    await until(lambda: running.app.chat.session_id != before, "the conversation is open")
    await running.settled_but_turns()
    return running.app.chat.session_id


def rows(running: Running) -> list[str]:
    return running.window.sidebar.rows()


def banner(running: Running) -> str:
    return running.window.chat.banner.text()


def on_disk(folder: Path, *words: str) -> list[Any]:
    return list(find_bytes(folder, list(words)))


async def test_it_looks_and_says_that_nothing_is_kept(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        chat = running.window.chat
        assert (banner(running), chat.composer.input.placeholderText()) == ("", PLACEHOLDER)
        await open_temporary(running)
        assert banner(running) == BANNER
        assert chat.composer.input.placeholderText() == TEMPORARY_PLACEHOLDER
        assert chat.boundary().startswith("No message, draft or memory of it is saved.")
        assert not any(
            b.isVisibleTo(chat)
            for b in chat.findChildren(type(button(chat, "Keep it")))
            if b.text() == "What do you know about me?"
        )
        assert QApplication.focusWidget() is chat.composer.input
        await running.open("")
        assert (banner(running), chat.composer.input.placeholderText()) == ("", PLACEHOLDER)
        assert button(chat, "What do you know about me?")


async def test_the_button_and_the_palette_open_one_too(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        press_tool(running.window.sidebar, "New temporary conversation")
        await until(lambda: banner(running) == BANNER, "a temporary conversation")
        await running.settled()
        await running.open("")
        running.app.show_palette()
        palette = await running.dialog(CommandPalette)
        palette.type_text("temporary")
        assert palette.shown() == ["New temporary conversation"]
        QTest.keyClick(palette.focusWidget(), Qt.Key.Key_Return)
        await until(lambda: banner(running) == BANNER, "a temporary conversation")
        await running.settled()


async def test_nothing_said_or_typed_in_it_is_on_disk(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("The bandicoot answers."), says("Numbat."), says("Kookaburra."))
        session = await open_temporary(running)
        await running.say("A question of the wallaby")
        running.window.chat.view.retry_requested.emit(running.items()[-1].message_id)
        await until(lambda: running.texts()[-1] == "Numbat.", "another reply")
        await running.quiet()
        running.app.chat.edit_last()
        running.write("A question of the quokka")
        running.press_enter()
        await until(lambda: "A question of the quokka" in running.texts(), "the edited message")
        await running.quiet()
        QTest.keyClicks(running.window.chat.composer.input, "platypus")
        await until(lambda: not running.window.chat.composer.is_being_typed, "typing has come to rest")
        await running.settled()
        words = ("bandicoot", "Numbat", "wallaby", "quokka", "platypus", "Kookaburra", session)
        assert on_disk(tmp_path, *words) == []
        await running.open("")
        running.app.keep_state()
        assert on_disk(tmp_path, *words) == []
        await running.open(session)
        assert running.draft() == "platypus"
        assert running.texts() == ["A question of the quokka", "Kookaburra."]
    assert on_disk(tmp_path, *words) == []


async def test_it_stays_reachable_in_a_group_of_its_own_until_the_end(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("A lasting one")
            lasting = running.app.chat.session_id
            session = await open_temporary(running)
            await running.say("Passing words")
            assert rows(running) == ["Temporary", "Passing words", "Today", "A lasting one"]
            await running.open(lasting)
            await running.open(session)
            assert running.texts() == ["Passing words", "Hello there."]
            assert banner(running) == BANNER
        async with open_app(tmp_path, server=server) as running:
            assert rows(running) == ["Today", "A lasting one"]
            assert running.app.chat.session_id == lasting


async def test_one_in_which_nothing_was_said_goes_when_it_is_left(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await open_temporary(running)
        assert rows(running) == ["Temporary", "Temporary conversation"]
        await running.open("")
        assert rows(running) == []


async def test_one_with_a_draft_only_stays(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        session = await open_temporary(running)
        running.write("half a thought")
        await running.open("")
        assert running.draft() == ""
        await running.open(session)
        assert running.draft() == "half a thought"


async def test_asking_for_one_in_an_empty_one_stays_there(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        session = await open_temporary(running)
        running.app.links.open_temporary()
        await running.settled()
        assert running.app.chat.session_id == session


async def test_a_draft_of_an_ordinary_conversation_is_not_taken_along(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        running.write("an ordinary draft")
        await open_temporary(running)
        assert running.draft() == ""
        await running.open("")
        assert running.draft() == "an ordinary draft"


async def test_memories_are_used_but_nothing_is_learned(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.remember("Prefers metric units")
        await open_temporary(running)
        reply = await running.say("Which units do I prefer, metric units?")
        assert [fact.text for fact in reply.recalled] == ["Prefers metric units"]
        reply = await running.say("Remember that I live in Porto")
        assert "temporary" in reply.memory_note
        assert await running.kept() == ["Prefers metric units"]
        assert await running.profile.memory.count(user_id=running.owner, kinds=[TURN]) == 0


async def test_remember_this_says_why_not_and_offers_to_keep_the_conversation(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await open_temporary(running)
        reply = await running.say("Passing words")
        widget = running.window.chat.view.widget(reply.message_id)
        assert widget is not None
        widget.remember_requested.emit("")
        toast = running.window.toast
        assert toast.text() == "Temporary: nothing is remembered from it."
        assert await running.kept() == []
        toast.trigger()
        await running.settled()
        assert banner(running) == ""


async def test_keep_makes_it_a_lasting_conversation_with_its_draft_and_branches(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            server.answer(says("One."), says("Two."))
            session = await open_temporary(running)
            await running.say("Passing words")
            running.window.chat.view.retry_requested.emit(running.items()[-1].message_id)
            await until(lambda: running.texts()[-1] == "Two.", "another reply")
            await running.quiet()
            running.write("half a thought")
            click(running.window.chat.banner, "Keep it")
            await running.settled()
            assert banner(running) == ""
            assert running.window.toast.text() == "This conversation is kept from now on."
            assert rows(running) == ["Today", "Passing words"]
            assert running.draft() == "half a thought"
        async with open_app(tmp_path, server=server) as running:
            assert running.app.chat.session_id == session
            assert running.texts() == ["Passing words", "Two."]
            assert (running.items()[-1].variant, running.items()[-1].variants) == (2, 2)
            assert running.draft() == "half a thought"


async def test_a_kept_conversation_is_found_and_recalled(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await open_temporary(running)
        await running.say("The numbat lives in Perth")
        running.window.sidebar.searched.emit("numbat")
        await running.settled()
        assert rows(running) == []
        click(running.window.chat.banner, "Keep it")
        await running.settled()
        assert "The numbat lives in Perth" in rows(running)
        said = await running.profile.memory.list(user_id=running.owner, kinds=[TURN], limit=10)
        assert "The numbat lives in Perth" in [memory.content for memory in said.items]


async def test_keeping_in_the_middle_of_a_reply_loses_nothing(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        gate = Gate()
        server.answer(says("one ", "two ", "three", gate=gate))
        session = await open_temporary(running)
        await running.begin("Count", "two")
        click(running.window.chat.banner, "Keep it")
        await until(lambda: banner(running) == "", "it is kept")
        gate.open()
        await running.quiet()
        assert running.texts() == ["Count", "one two three"]
        assert await running.stored(session) == [
            ("user", "Count", "complete"),
            ("assistant", "one two three", "complete"),
        ]
        said = await running.profile.memory.list(user_id=running.owner, kinds=[TURN], limit=10)
        assert {memory.content for memory in said.items} == {"Count", "one two three"}


async def test_deleting_one_can_be_undone_and_leaves_nothing_afterwards(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        session = await open_temporary(running)
        await running.say("Passing words")
        running.window.sidebar.delete_requested.emit(session)
        await running.settled()
        assert rows(running) == []
        assert banner(running) == ""
        assert on_disk(tmp_path, session, "Passing words") == []
        running.window.toast.trigger()
        await running.settled()
        assert rows(running) == ["Temporary", "Passing words"]
        running.window.sidebar.delete_requested.emit(session)
        await running.settled()
        running.window.toast.expire()
        await running.settled()
        assert rows(running) == []
        assert await running.profile.conversations.get(session, user_id=running.owner) is None
        assert on_disk(tmp_path, session, "Passing words") == []


async def test_deleting_one_ends_its_reply(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(event(chunk("Once upon")), HANG)
        session = await open_temporary(running)
        await running.begin("A story", "Once upon")
        running.window.sidebar.delete_requested.emit(session)
        await running.quiet()
        running.window.toast.expire()
        await running.settled()
        assert rows(running) == []


async def test_it_is_not_archived_but_the_way_is_shown(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await open_temporary(running)
        QTest.keyClick(running.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        await running.settled()
        assert running.window.toast.text() == "A temporary conversation can't be archived. Keep it first."


async def test_its_menu_offers_to_keep_it(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        session = await open_temporary(running)
        view = running.window.sidebar.findChild(QListView)
        assert view is not None
        index = view.model().index(1, 0)
        assert index.data(ConversationRole.SESSION_ID) == session
        menu = running.window.sidebar.menu_of(view.model().row(index))  # type: ignore[attr-defined]
        texts = [action.text().split("\t")[0] for action in menu.actions() if action.text()]
        assert texts == ["Open", "Rename…", "Keep", "Delete"]
        next(action for action in menu.actions() if action.text() == "Keep").trigger()
        menu.deleteLater()
        await running.settled()
        assert rows(running) == ["Today", "New conversation"]


async def test_its_answers_are_given_from_no_cache_file(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer() as server,
        open_app(tmp_path, server=server, cache_mode="semantic") as running,
    ):
        server.default = says("The bandicoot answers.")
        await open_temporary(running)
        await running.say("What does the wallaby say?")
        await running.open("")
        reply = await running.say("What does the wallaby say")
        assert not reply.cached
        assert len(server.chats) == 2


async def test_after_a_wipe_none_is_left(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await open_temporary(running)
        await running.say("Passing words")
        running.app.ownership.ask_wipe()
        await until(lambda: running.app.ownership.wipe_dialog is not None, "the wipe dialog")
        dialog = running.app.ownership.wipe_dialog
        assert dialog is not None
        dialog.type_word("wipe")
        dialog.confirm()
        await until(lambda: running.app.ownership.wipe_dialog is None, "the wipe is done")
        await running.settled()
        assert (rows(running), running.items(), banner(running)) == ([], [], "")
