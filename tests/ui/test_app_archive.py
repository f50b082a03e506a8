"""Archived conversations in the running window: out of the way, never out of reach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView

from assistant.core.types import Message
from assistant.ui.models.conversations import ConversationRole
from tests.chat_server import ChatServer
from tests.ui.app_fixtures import Running, click, open_app, until


async def conversation(running: Running, title: str, *messages: str) -> str:
    """A stored conversation; its id."""
    store, owner = running.profile.conversations, running.owner
    session_id = (await store.create(user_id=owner, title=title)).session_id
    for message in messages:
        await store.append(session_id, Message("user", message), user_id=owner)
    await running.app.conversations.load()
    return session_id


def sidebar_list(running: Running) -> QListView:
    found = running.window.sidebar.findChild(QListView)
    assert found is not None
    return found


def rows(running: Running) -> list[str]:
    return running.window.sidebar.rows()


async def archive(running: Running, session_id: str, archived: bool = True) -> None:
    running.window.sidebar.archive_requested.emit(session_id, archived)
    await running.settled()


async def unfold(running: Running) -> None:
    """Click the heading of the archived conversations."""
    view = sidebar_list(running)
    before = len(rows(running))
    place = next(n for n, text in enumerate(rows(running)) if text.startswith("Archived ("))
    rect = view.visualRect(view.model().index(place, 0))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    await until(lambda: len(rows(running)) != before, "the section is open, or folded")
    await running.settled()


async def test_an_archived_conversation_goes_into_its_section_at_the_end(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        old = await conversation(running, "Old", "Some words")
        await conversation(running, "New", "Other words")
        await archive(running, old)
        assert rows(running) == ["Today", "New", "Archived (1)"]
        await unfold(running)
        assert rows(running) == ["Today", "New", "Archived (1)", "Old"]
        await running.open(old)
        assert running.texts() == ["Some words"]
        await unfold(running)
        assert rows(running) == ["Today", "New", "Archived (1)"]


async def test_archiving_can_be_undone(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session = await conversation(running, "Old", "Some words")
        await archive(running, session)
        assert running.window.toast.text() == "Archived: Old"
        running.window.toast.trigger()
        await running.settled()
        assert rows(running) == ["Today", "Old"]


async def test_an_archived_conversation_says_so_and_comes_back_at_a_press(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        session = running.app.chat.session_id
        QTest.keyClick(running.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: running.window.chat.banner.text(), "the line over the conversation")
        await running.settled()
        assert running.app.chat.session_id == session
        assert running.texts() == ["Boats", "Hello there."]
        assert running.window.chat.banner.text() == "This conversation is archived."
        click(running.window.chat.banner, "Unarchive")
        await running.settled()
        assert running.window.chat.banner.text() == ""
        assert rows(running) == ["Today", "Boats"]


async def test_ctrl_e_twice_is_as_before(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        for wanted in (["Archived (1)"], ["Today", "Boats"]):
            QTest.keyClick(running.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
            await until(lambda wanted=wanted: rows(running) == wanted, f"{wanted}")  # type: ignore[misc]
            await running.settled()


async def test_ctrl_e_without_a_conversation_says_that_there_is_nothing(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        QTest.keyClick(running.window, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        assert running.window.toast.text() == "There is nothing to archive yet."


async def test_ctrl_e_in_the_list_archives_the_row_and_the_next_one_is_marked(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        for title in ("C", "B", "A"):
            await conversation(running, title, title)
        view = sidebar_list(running)
        view.setFocus()
        view.setCurrentIndex(view.model().index(2, 0))
        assert view.currentIndex().data() == "B"
        QTest.keyClick(view, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
        await until(lambda: rows(running) == ["Today", "A", "C", "Archived (1)"], "B is archived")
        await running.settled()
        assert view.currentIndex().data() == "C"


async def test_the_section_opens_by_keyboard_and_keeps_the_mark(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await archive(running, await conversation(running, "Old", "x"))
        view = sidebar_list(running)
        view.setFocus()
        view.setCurrentIndex(view.model().index(0, 0))
        QTest.keyClick(view, Qt.Key.Key_Return)
        await until(lambda: rows(running) == ["Archived (1)", "Old"], "the section is open")
        await running.settled()
        assert view.currentIndex().data() == "Archived (1)"
        QTest.keyClick(view, Qt.Key.Key_Down)
        assert view.currentIndex().data() == "Old"


async def test_the_menu_offers_what_can_be_done(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session = await conversation(running, "Old", "x")
        sidebar = running.window.sidebar

        def offered() -> list[str]:
            view = sidebar_list(running)
            (index,) = (
                view.model().index(n, 0)
                for n in range(view.model().rowCount())
                if view.model().index(n, 0).data(ConversationRole.SESSION_ID) == session
            )
            menu = sidebar.menu_of(view.model().row(index))  # type: ignore[attr-defined]
            texts = [action.text().split("\t")[0] for action in menu.actions() if action.text()]
            menu.deleteLater()
            return texts

        assert offered() == ["Open", "Rename…", "Pin", "Archive", "Delete"]
        await archive(running, session)
        await unfold(running)
        assert offered() == ["Open", "Rename…", "Pin", "Unarchive", "Delete"]


async def test_search_finds_archived_conversations_and_says_so(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        old = await conversation(running, "Old boats", "A dinghy is small")
        await conversation(running, "New boats", "A dinghy floats")
        await archive(running, old)
        running.window.sidebar.searched.emit("dinghy")
        await running.settled()
        assert rows(running) == ["Found", "New boats", "Old boats"]
        model = sidebar_list(running).model()
        marked = [model.index(n, 0).data(ConversationRole.ARCHIVED) for n in range(3)]
        assert marked == [False, False, True]
        spoken = model.index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        assert spoken == "Old boats, archived"
        running.window.sidebar.opened.emit(old, model.index(2, 0).data(ConversationRole.MESSAGE_ID))
        await running.settled()
        assert running.window.chat.banner.text() == "This conversation is archived."


@pytest.mark.parametrize("pinned", [False, True])
async def test_an_archived_conversation_that_is_deleted_comes_back_archived(
    qapp: Any, tmp_path: Path, pinned: bool
) -> None:
    async with open_app(tmp_path) as running:
        session = await conversation(running, "Old", "x")
        running.window.sidebar.pin_requested.emit(session, pinned)
        await running.settled()
        await archive(running, session)
        running.window.sidebar.delete_requested.emit(session)
        await running.settled()
        assert rows(running) == []
        running.window.toast.trigger()
        await running.settled()
        assert rows(running) == ["Archived (1)"]


async def test_archived_conversations_stay_archived(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("Boats")
            await archive(running, running.app.chat.session_id)
        async with open_app(tmp_path, server=server) as running:
            assert rows(running) == ["Archived (1)"]
            assert running.window.chat.banner.text() == "This conversation is archived."
            assert QApplication.focusWidget() is running.window.chat.composer.input
