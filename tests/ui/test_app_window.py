"""The window itself: panes that fold, the palette, shortcuts, notes at the bottom, and a second start."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from PySide6.QtCore import QRect, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QMenu, QPlainTextEdit, QToolButton, QWidget

from assistant.core.errors import AssistantError
from assistant.ui.single_instance import SingleInstance
from assistant.ui.windows.dialogs import ErrorDialog, MemoryDialog, QuestionDialog
from assistant.ui.windows.palette import CommandPalette, ShortcutsDialog
from assistant.ui.windows.settings_dialog import SettingsDialog
from tests.chat_server import HANG, ChatServer, chunk, event, says, streams
from tests.ui.app_fixtures import Running, button, click, open_app, text_of, until

CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier


async def resize(running: Running, width: int, height: int = 700) -> None:
    running.window.resize(width, height)
    await until(lambda: running.window.width() == width, "the new width")
    await asyncio.sleep(0)


def place(running: Running, widget: QWidget) -> QRect:
    """Where a widget is in the window."""
    return QRect(widget.mapTo(running.window, widget.rect().topLeft()), widget.size())


# -- panes


async def test_all_three_panes_stand_beside_each_other_in_a_wide_window(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await resize(running, 1200)
        left, centre, right = (
            place(running, w) for w in (running.window.sidebar, running.window.chat, running.window.memory)
        )
        assert left.right() < centre.left()
        assert centre.right() < right.left()
        assert right.right() < 1200


async def test_below_900_pixels_the_memory_folds_and_comes_as_an_overlay(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await resize(running, 880)
        assert not running.window.memory.isVisible()
        chat = place(running, running.window.chat)
        running.window.toggle_memory()
        assert running.window.memory.isVisible()
        assert place(running, running.window.memory).right() == 879
        assert place(running, running.window.chat) == chat
        running.window.toggle_memory()
        assert not running.window.memory.isVisible()


async def test_the_overlay_keeps_to_the_edge_while_the_window_is_resized_and_becomes_a_pane_again(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        await resize(running, 880)
        running.window.toggle_memory()
        await resize(running, 700, 600)
        assert running.window.memory.isVisible()
        assert place(running, running.window.memory).right() == 699
        assert running.window.memory.height() == 600
        await resize(running, 1200)
        assert running.window.memory.isVisible()
        await until(
            lambda: (
                place(running, running.window.chat).right() < place(running, running.window.memory).left()
            ),
            "both stand beside each other",
        )


async def test_a_press_beside_an_overlay_closes_it(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await resize(running, 500)
        for toggle, pane in (
            (running.window.toggle_memory, running.window.memory),
            (running.window.toggle_sidebar, running.window.sidebar),
        ):
            toggle()
            assert pane.isVisible()
            beside = 20 if pane is running.window.memory else 480
            under = running.window.childAt(beside, 300)
            assert under is not None
            QTest.mouseClick(under, Qt.MouseButton.LeftButton)
            assert not pane.isVisible()


async def test_ctrl_f_unfolds_the_side_bar(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, sidebar_open=False) as running:
        for width in (1200, 500):
            await resize(running, width)
            QTest.keyClick(running.window, Qt.Key.Key_F, CTRL)
            assert running.window.sidebar.isVisible()
            field = QApplication.focusWidget()
            assert field is not None
            assert running.window.sidebar.isAncestorOf(field)


async def test_escape_closes_the_overlay(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await resize(running, 880)
        running.window.toggle_memory()
        QTest.keyClick(running.window, Qt.Key.Key_Escape)
        assert not running.window.memory.isVisible()


async def test_below_640_pixels_the_side_bar_folds_and_can_be_asked_for(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await resize(running, 630)
        assert not running.window.sidebar.isVisible()
        QTest.keyClick(running.window, Qt.Key.Key_B, CTRL)
        assert running.window.sidebar.isVisible()
        QTest.keyClick(running.window, Qt.Key.Key_B, CTRL)
        assert not running.window.sidebar.isVisible()
        await resize(running, 1200)
        assert running.window.sidebar.isVisible()


async def test_a_side_bar_over_a_narrow_chat_goes_when_a_conversation_was_chosen(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("One")
        session = running.app.chat.session_id
        await resize(running, 500)
        running.window.toggle_sidebar()
        await running.open(session)
        assert not running.window.sidebar.isVisible()
        await resize(running, 1200)
        assert running.window.sidebar.isVisible()


async def test_the_smallest_window_shows_everything_that_is_needed(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = says("A long answer. " * 60)
        await running.say("A question that is longer than the window is wide. " * 5)
        await resize(running, 420, 420)
        composer = running.window.chat.composer
        for widget in (composer.input, composer.send_button, composer.destination):
            area = place(running, widget)
            assert running.window.rect().contains(area), widget
        assert running.window.width() == 420


async def test_folded_panes_stay_folded_at_the_next_start(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        QTest.keyClick(running.window, Qt.Key.Key_B, CTRL)
        QTest.keyClick(running.window, Qt.Key.Key_M, CTRL)
    async with open_app(tmp_path) as running:
        assert not running.window.sidebar.isVisible()
        assert not running.window.memory.isVisible()


async def test_a_window_is_where_and_as_large_as_it_was(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        running.window.setGeometry(60, 50, 555, 444)
        await until(lambda: running.window.width() == 555, "the new size")
    async with open_app(tmp_path) as running:
        assert running.window.geometry() == QRect(60, 50, 555, 444)


async def test_a_geometry_that_makes_no_sense_is_no_obstacle(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, window_geometry="n\u00f6nsense====") as running:
        assert running.window.width() >= 420


async def test_the_memory_browser_fills_the_window_and_escape_closes_it(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("The boat is called Möwe.")
        QTest.keyClick(running.window, Qt.Key.Key_M, CTRL | SHIFT)
        assert not running.window.chat.isVisible()
        assert isinstance(running.window.focusWidget(), QLineEdit)
        QTest.keyClick(running.window, Qt.Key.Key_Escape)
        assert running.window.chat.isVisible()


async def test_the_memory_browser_works_in_a_narrow_window_too(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await resize(running, 600)
        running.window.toggle_browser()
        assert running.window.memory.isVisible()
        await until(lambda: place(running, running.window.memory).width() == 600, "it fills the window")
        running.window.toggle_browser()
        assert not running.window.memory.isVisible()
        await until(lambda: place(running, running.window.chat).width() == 600, "the chat is back")


async def test_escape_closes_the_browser_though_another_conversation_gets_a_reply(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(event(chunk("Once upon")), HANG)
        await running.begin("A story", "Once upon")
        await running.open("")
        running.window.toggle_browser()
        QTest.keyClick(running.window, Qt.Key.Key_Escape)
        assert not running.window.is_browsing
        assert running.app.chat.is_running
        running.app.chat.stop_all()
        await running.quiet()


# -- the first page


async def test_the_browser_opens_and_closes_over_the_first_page(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, first_start_done=False) as running:
        page = running.window.page
        running.window.toggle_browser()
        running.window.toggle_browser()
        assert running.window.page is page
        assert page.isVisible()


async def test_choosing_a_conversation_leaves_the_browser(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("One")
        session = running.app.chat.session_id
        running.window.toggle_browser()
        await running.open(session)
        assert running.window.chat.isVisible()
        running.window.toggle_browser()
        QTest.keyClick(running.window, Qt.Key.Key_N, CTRL)
        await running.settled()
        assert running.window.chat.isVisible()


# -- palette and shortcuts


async def palette(running: Running) -> CommandPalette:
    QTest.keyClick(running.window, Qt.Key.Key_K, CTRL)
    return await running.dialog(CommandPalette)


async def test_the_palette_finds_commands_by_a_few_letters_and_runs_them(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        found = await palette(running)
        assert len(found.shown()) >= 10
        QTest.keyClicks(found.focusWidget(), "add mem")
        assert found.shown() == ["Add a memory"]
        QTest.keyClick(found.focusWidget(), Qt.Key.Key_Return)
        (await running.dialog(MemoryDialog)).reject()


async def test_the_palette_opens_conversations(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Trip to Porto")
        session = running.app.chat.session_id
        await running.open("")
        found = await palette(running)
        found.type_text("porto")
        assert found.shown() == ["Trip to Porto"]
        QTest.keyClick(found.focusWidget(), Qt.Key.Key_Return)
        await running.settled()
        assert running.app.chat.session_id == session


async def test_the_palette_can_be_walked_and_left(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        found = await palette(running)
        field = found.focusWidget()
        for _ in range(50):
            QTest.keyClick(field, Qt.Key.Key_Down)
        QTest.keyClick(field, Qt.Key.Key_Up)
        found.type_text("no such command")
        QTest.keyClick(field, Qt.Key.Key_Down)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert found.isVisible()
        QTest.keyClick(field, Qt.Key.Key_Escape)
        await until(lambda: not running.shown(CommandPalette), "the palette is closed")


async def test_a_second_palette_does_not_come(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        running.app.show_palette()
        running.app.show_palette()
        assert len(running.shown(CommandPalette)) == 1
        running.shown(CommandPalette)[0].reject()


async def test_every_shortcut_is_listed_and_does_what_it_says(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        QTest.keyClick(running.window, Qt.Key.Key_Slash, CTRL)
        dialog = await running.dialog(ShortcutsDialog)
        for keys in ("Ctrl+N", "Ctrl+K", "Ctrl+F", "Ctrl+Shift+M", "Ctrl+,", "F2", "Esc", "Ctrl+/", "Ctrl+Q"):
            assert keys in text_of(dialog)
        click(dialog, "Close")
        QTest.keyClick(running.window, Qt.Key.Key_Comma, CTRL)
        (await running.dialog(SettingsDialog)).reject()
        await running.settled()
        running.window.activateWindow()
        await until(running.window.isActiveWindow, "the window has the keyboard")
        QTest.keyClick(running.window, Qt.Key.Key_F, CTRL)
        assert running.window.sidebar.isAncestorOf(running.window.focusWidget())
        QTest.keyClick(running.window, Qt.Key.Key_Q, CTRL)
        await until(lambda: not running.window.isVisible(), "the window is closed")


async def test_ctrl_n_begins_anew(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("One")
        QTest.keyClick(running.window, Qt.Key.Key_N, CTRL)
        await running.settled()
        assert running.items() == []
        assert running.window.chat.composer.input.hasFocus()
        await running.say("Two")
        assert len(running.window.sidebar.listed()) == 2


# -- notes and dialogs


async def test_a_note_goes_when_its_time_is_over_and_says_so_once(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        seen: list[str] = []
        toast = running.window.toast
        toast.say("Done.", action="Undo", on_action=lambda: seen.append("undone"),
                  on_expired=lambda: seen.append("over"), milliseconds=1)  # fmt: skip
        await until(lambda: not toast.text(), "the note goes")
        toast.expire()
        toast.trigger()
        assert seen == ["over"]


async def test_a_newer_note_ends_the_older_one(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        seen: list[str] = []
        toast = running.window.toast
        toast.say("One.", action="Undo", on_expired=lambda: seen.append("one"))
        toast.say("Two.", action="Undo", on_action=lambda: seen.append("two"))
        assert seen == ["one"]
        toast.trigger()
        assert seen == ["one", "two"]


async def test_a_long_note_fits_the_window_and_clears_the_composer(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        for width in (1200, 420):
            await resize(running, width)
            running.window.toast.say("Deleted: " + "a very long memory " * 50, action="Undo")
            await asyncio.sleep(0)
            area = place(running, running.window.toast)
            assert running.window.rect().contains(area)
            assert not area.intersects(place(running, running.window.chat.composer))
            running.window.toast.expire()


async def test_an_error_is_told_once_with_its_details_behind_a_button(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        error = AssistantError("It broke.", title="Trouble", hint="Mend it.", detail="line 1\nline 2")
        running.app.show_error(error)
        running.app.show_error(error)
        dialog = await running.dialog(ErrorDialog)
        assert text_of(dialog).splitlines() == ["Trouble", "It broke.", "Mend it."]
        assert not button(dialog, "Details").isDefault()
        click(dialog, "Details")
        click(dialog, "Close")
        await until(lambda: not running.shown(ErrorDialog), "it is closed")


async def test_a_link_is_shown_in_full_before_it_is_opened(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        running.window.chat.view.link_activated.emit("https://x.test/" + "a" * 500)
        dialog = await running.dialog(QuestionDialog)
        (shown,) = dialog.findChildren(QPlainTextEdit)
        assert shown.toPlainText() == "https://x.test/" + "a" * 500
        assert dialog.width() <= running.window.width()
        click(dialog, "Cancel")


async def test_every_button_has_a_name_for_those_who_do_not_see_it(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Hello")
        nameless = [
            each
            for each in running.window.findChildren(QToolButton)
            if not (each.accessibleName() or each.text()) and not isinstance(each.parent(), (QLineEdit, QMenu))
            and each.objectName() not in ("qt_toolbar_ext_button", "ScrollLeftButton", "ScrollRightButton")
        ]  # fmt: skip
        assert nameless == []


async def test_text_typed_before_the_window_is_complete_stays(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("One")
            running.write("an old draft")
        async with open_app(tmp_path, server=server, warm=False) as running:
            QTest.keyClicks(running.window.chat.composer.input, "quick fingers")
            await running.app.warm_up()
            await running.settled()
            assert running.draft() == "an old draft\nquick fingers"


# -- a second start


async def test_a_second_start_raises_the_first_window_and_ends(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        first, second = (SingleInstance(running.profile.directory, running.window) for _ in range(2))
        first.raise_requested.connect(running.window.raise_up)
        assert first.first()
        first.listen()
        running.window.showMinimized()
        assert not await asyncio.to_thread(second.first)
        await until(lambda: not running.window.isMinimized(), "the window is back")
        assert running.window.isVisible()
        first.close()
        assert second.first()
        second.close()


async def test_another_profile_gets_a_window_of_its_own(qapp: Any, tmp_path: Path) -> None:
    one, other = (SingleInstance(tmp_path / name, QApplication.instance()) for name in ("one", "other"))
    assert one.first()
    assert other.first()
    one.close()
    other.close()
