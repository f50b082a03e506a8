"""Versions of messages in the running window: editing, asking again, and going from version to version."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QToolButton, QWidget

from assistant.core.types import Message
from assistant.ui.widgets.chat.message_widget import MessageWidget
from assistant.ui.widgets.chat.variant_switch import VariantSwitch
from assistant.ui.windows.settings_dialog import SettingsDialog
from tests.chat_server import HANG, ChatServer, chunk, event, fails, says, streams
from tests.ui.app_fixtures import Running, click, open_app, until


def focused() -> QWidget:
    """What the keys go to."""
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def widget_of(running: Running, message_id: str) -> MessageWidget:
    found = running.window.chat.view.widget(message_id)
    assert found is not None
    return found


def switch_of(running: Running, place: int) -> VariantSwitch:
    """The switch under the message at that place of the conversation."""
    switch = widget_of(running, running.items()[place].message_id).action_row.variants
    assert switch is not None
    assert not switch.isHidden()
    return switch


def versions(running: Running) -> list[str]:
    """What stands under the messages: "2 / 3", empty where there is one version only."""
    return [f"{i.variant} / {i.variants}" if i.variants > 1 else "" for i in running.items()]


async def go(running: Running, place: int, step: int) -> None:
    """Press the switch under a message."""
    before = running.items()[place].message_id
    QTest.mouseClick(switch_of(running, place).button(step), Qt.MouseButton.LeftButton)
    await until(lambda: running.items()[place].message_id != before, "another version")
    await running.settled()


async def edit(running: Running, place: int, text: str) -> None:
    """Edit the message at that place and wait for the end of the turn."""
    item = running.items()[place]
    running.window.chat.view.edit_requested.emit(item.message_id)
    assert running.draft() == item.text
    running.write(text)
    running.press_enter()
    await until(lambda: text in running.texts(), "the edited message")
    await running.quiet()


def edit_line(running: Running) -> str:
    line = running.window.chat.composer.edit_line
    return "" if line.isHidden() else line.text()


async def stored_talk(running: Running, exchanges: int, words: int = 60) -> str:
    """A stored conversation, opened."""
    store, owner = running.profile.conversations, running.owner
    session = (await store.create(user_id=owner, title="Long")).session_id
    for number in range(exchanges):
        await store.append(session, Message("user", f"Question {number}"), user_id=owner)
        await store.append(
            session, Message("assistant", f"Answer {number}. " + "word " * words), user_id=owner
        )
    await running.open(session)
    return session


# Editing


async def test_an_edited_message_gets_its_own_reply_and_the_old_way_is_one_press_away(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("Boats float."), says("Go on then."), says("Planes fly."))
        await running.say("Tell me about boats")
        await running.say("More")
        await edit(running, 0, "Tell me about planes")
        assert running.texts() == ["Tell me about planes", "Planes fly."]
        assert [m["content"] for m in server.chats[-1].messages if m["role"] != "system"] == [
            "Tell me about planes"
        ]
        assert versions(running) == ["2 / 2", ""]
        assert switch_of(running, 0).text() == "2 / 2"
        await go(running, 0, -1)
        assert running.texts() == ["Tell me about boats", "Boats float.", "More", "Go on then."]
        assert versions(running) == ["1 / 2", "", "", ""]
        await go(running, 0, 1)
        assert running.texts() == ["Tell me about planes", "Planes fly."]


async def test_the_version_that_is_shown_is_the_one_that_goes_on_and_stays_after_a_restart(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            server.answer(says("Boats float."), says("Planes fly."), says("Ships too."))
            await running.say("Boats")
            await edit(running, 0, "Planes")
            await go(running, 0, -1)
            await running.say("And ships?")
            sent = [m["content"] for m in server.chats[-1].messages if m["role"] != "system"]
            assert sent == ["Boats", "Boats float.", "And ships?"]
        async with open_app(tmp_path, server=server) as running:
            assert running.texts() == ["Boats", "Boats float.", "And ships?", "Ships too."]
            assert versions(running) == ["1 / 2", "", "", ""]


async def test_editing_is_announced_and_escape_brings_the_draft_back(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        running.write("half a thought")
        running.window.chat.view.edit_requested.emit(running.items()[0].message_id)
        assert running.draft() == "Boats"
        assert edit_line(running).startswith("Editing an earlier message")
        assert running.window.chat.composer.edit_line.cancel_button.text() == "Cancel (Esc)"
        running.write("Planes")
        QTest.keyClick(running.window.chat.composer.input, Qt.Key.Key_Escape)
        assert running.draft() == "half a thought"
        assert edit_line(running) == ""
        await running.settled()
        assert running.texts() == ["Boats", "Hello there."]
        assert len(server.chats) == 1


async def test_cancel_can_be_pressed(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        running.window.chat.view.edit_requested.emit(running.items()[0].message_id)
        click(running.window.chat.composer, "Cancel (Esc)")
        assert (running.draft(), edit_line(running)) == ("", "")


async def test_the_draft_survives_an_edit_that_is_sent(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("Boats")
            running.write("half a thought")
            await edit(running, 0, "Planes")
            assert running.draft() == "half a thought"
            assert edit_line(running) == ""
        async with open_app(tmp_path, server=server) as running:
            assert running.draft() == "half a thought"


async def test_what_is_edited_is_no_draft_after_a_crash(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, crash=True) as running:
            await running.say("Boats")
            running.write("half a thought")
            running.window.chat.view.edit_requested.emit(running.items()[0].message_id)
            QTest.keyClicks(running.window.chat.composer.input, " and planes")
            await until(lambda: not running.window.chat.composer.is_being_typed, "typing has come to rest")
            await running.settled()
            session = running.app.chat.session_id
        async with open_app(tmp_path, server=server) as running:
            await running.open(session)
            assert running.draft() == "half a thought"


async def test_an_edit_waits_while_another_conversation_is_read(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        session = running.app.chat.session_id
        running.write("half a thought")
        running.window.chat.view.edit_requested.emit(running.items()[0].message_id)
        running.write("Planes, in progress")
        await running.open("")
        assert (running.draft(), edit_line(running)) == ("", "")
        await running.open(session)
        assert running.draft() == "Planes, in progress"
        assert edit_line(running)
        QTest.keyClick(running.window.chat.composer.input, Qt.Key.Key_Escape)
        assert running.draft() == "half a thought"


async def test_up_in_the_empty_composer_edits_the_last_own_message(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("First")
        await running.say("Second")
        field = running.window.chat.composer.input
        running.write("something")
        QTest.keyClick(field, Qt.Key.Key_Up)
        assert running.draft() == "something"
        running.write("")
        QTest.keyClick(field, Qt.Key.Key_Up)
        assert running.draft() == "Second"
        assert edit_line(running)


@pytest.mark.parametrize("key", [Qt.Key.Key_E, Qt.Key.Key_F2, Qt.Key.Key_Return])
async def test_keys_edit_the_message_that_has_the_focus(qapp: Any, tmp_path: Path, key: Qt.Key) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        text = widget_of(running, running.items()[0].message_id).texts()[0]
        assert hasattr(text, "setFocus")
        text.setFocus()
        QTest.keyClick(focused(), key)
        assert running.draft() == "Boats"
        assert running.shown(QInputDialog) == []


async def test_the_edit_button_is_reached_by_tab(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        running.window.chat.view.setFocus()
        for _ in range(10):
            focus = focused()
            if isinstance(focus, QToolButton) and focus.accessibleName() == "Edit":
                break
            QTest.keyClick(focus, Qt.Key.Key_Tab)
        QTest.keyClick(focused(), Qt.Key.Key_Space)
        assert running.draft() == "Boats"


async def test_the_message_that_is_edited_is_marked(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        bubble = widget_of(running, running.items()[0].message_id).bubble  # type: ignore[attr-defined]
        running.app.chat.edit_last()
        assert bubble.property("editing") is True
        running.app.chat.editing.cancel()
        assert bubble.property("editing") is False


async def test_an_edit_can_be_sent_after_another_version_was_looked_at(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("Boats float."), says("They do."), says("Planes fly."), says("Big ones too."))
        await running.say("Boats")
        await running.say("Really?")
        await edit(running, 0, "Planes")
        await go(running, 0, -1)
        running.window.chat.view.edit_requested.emit(running.items()[2].message_id)
        running.write("Big ones?")
        await go(running, 0, 1)
        running.press_enter()
        await until(lambda: "Big ones?" in running.texts(), "the edited message")
        await running.quiet()
        assert running.texts() == ["Boats", "Boats float.", "Big ones?", "Big ones too."]
        assert versions(running) == ["1 / 2", "", "2 / 2", ""]


async def test_an_edited_message_that_no_model_can_answer_stays_in_the_composer(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        running.services.settings.change(endpoint="", base_url="", model="")
        running.app.chat.edit_last()
        running.write("Planes")
        running.press_enter()
        await running.settled()
        assert running.draft() == "Planes"
        assert edit_line(running)
        assert versions(running) == ["", ""]
        (await running.dialog(SettingsDialog)).reject()
        await running.settled()


async def test_what_an_edited_message_asks_to_remember_is_remembered(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Hello")
        await edit(running, 0, "Remember that I prefer metric units")
        await until(lambda: running.items()[-1].remembered, "it is said to be remembered")
        await running.settled()
        assert any("metric" in text for text in await running.kept())


# Asking again


async def test_asking_again_keeps_both_replies(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("First try."), says("Second try."), says("Third try."))
        first = await running.say("A riddle please")
        for wanted in ("Second try.", "Third try."):
            running.window.chat.view.retry_requested.emit(running.items()[-1].message_id)
            await until(lambda wanted=wanted: running.texts()[-1] == wanted, "another reply")  # type: ignore[misc]
            await running.quiet()
        assert versions(running) == ["", "3 / 3"]
        await go(running, 1, -1)
        await go(running, 1, -1)
        assert (running.texts()[-1], running.items()[-1].message_id) == ("First try.", first.message_id)
        assert not switch_of(running, 1).button(-1).isEnabled()
        assert switch_of(running, 1).button(1).isEnabled()


async def test_a_reply_that_failed_is_a_version_too(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(fails(500), says("Now it works."))
        failed = await running.say("Hello?")
        assert failed.state == "failed"
        running.window.chat.view.retry_requested.emit(failed.message_id)
        await until(lambda: running.texts()[-1] == "Now it works.", "the second reply")
        await running.quiet()
        assert versions(running) == ["", "2 / 2"]
        assert running.items()[-1].error is None


async def test_asking_again_in_the_middle_hides_nothing_for_good(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("One."), says("Two."), says("Another one."))
        first = await running.say("a")
        await running.say("b")
        running.window.chat.view.retry_requested.emit(first.message_id)
        await until(lambda: running.texts()[-1] == "Another one.", "the reply")
        await running.quiet()
        assert running.texts() == ["a", "Another one."]
        await go(running, 1, -1)
        assert running.texts() == ["a", "One.", "b", "Two."]


async def test_no_version_can_be_chosen_while_a_reply_is_written(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        await edit(running, 0, "Planes")
        server.default = streams(event(chunk("Once upon")), HANG)
        await running.begin("A story", "Once upon")
        switch = switch_of(running, 0)
        assert not switch.button(-1).isEnabled()
        assert "when the reply has ended" in switch.button(-1).toolTip()
        running.window.chat.view.variant_requested.emit(running.items()[0].message_id, -1)
        await running.settled_but_turns()
        assert running.texts()[0] == "Planes"
        running.app.chat.stop()
        await running.quiet()
        assert switch_of(running, 0).button(-1).isEnabled()


# What is seen


async def test_the_switched_message_stays_where_it_is(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        session = await stored_talk(running, 12)
        store, owner = running.profile.conversations, running.owner
        asked = running.items()[10].message_id
        await store.branch(session, asked, Message("user", "Another question"), user_id=owner)
        await store.choose(session, asked, user_id=owner)
        await running.open("")
        await running.open(session)
        view = running.window.chat.view
        view.scroll_to(asked)
        view.scroll_by(-120)
        top = widget_of(running, asked).y()
        assert 60 < top < view.viewport().height()
        await go(running, 10, 1)
        assert running.texts()[-1] == "Another question"
        assert widget_of(running, running.items()[10].message_id).y() == top
        await go(running, 10, -1)
        assert widget_of(running, asked).y() == top
        assert len(running.items()) == 24


async def test_of_a_tall_reply_the_switch_stays_under_the_pointer(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("Short."), says("A paragraph of a long reply.\n\n" * 60))
        await running.say("Tell me")
        running.window.chat.view.retry_requested.emit(running.items()[-1].message_id)
        await until(lambda: running.items()[-1].text.startswith("A paragraph"), "the long reply")
        await running.quiet()
        view = running.window.chat.view
        view.scroll_to_end()
        tall = widget_of(running, running.items()[-1].message_id)
        assert tall.y() < 0
        await go(running, 1, -1)
        short = widget_of(running, running.items()[-1].message_id)
        assert short.y() >= 0
        assert short.geometry().bottom() <= view.viewport().height()


async def test_the_keyboard_goes_through_the_versions(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("One."), says("Two."), says("Three."))
        await running.say("Again and again")
        for wanted in ("Two.", "Three."):
            running.window.chat.view.retry_requested.emit(running.items()[-1].message_id)
            await until(lambda wanted=wanted: running.texts()[-1] == wanted, "another reply")  # type: ignore[misc]
            await running.quiet()
        switch_of(running, 1).button(-1).setFocus()
        QTest.keyClick(focused(), Qt.Key.Key_Space)
        await until(lambda: running.texts()[-1] == "Two.", "the version before")
        await running.settled()
        QTest.keyClick(focused(), Qt.Key.Key_Left)
        await until(lambda: running.texts()[-1] == "One.", "the first version")
        await running.settled()
        # That way ends here, so the other button has the focus.
        assert focused() is switch_of(running, 1).button(1)
        QTest.keyClick(focused(), Qt.Key.Key_Right)
        await until(lambda: running.texts()[-1] == "Two.", "the second version again")
        await running.settled()


async def test_screen_readers_hear_which_version_it_is(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        await edit(running, 0, "Planes")
        switch = switch_of(running, 0)
        assert switch.accessibleName() == "Version 2 of 2"
        assert [switch.button(step).accessibleName() for step in (-1, 1)] == [
            "Earlier version",
            "Later version",
        ]


async def test_messages_of_one_version_have_no_switch(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Boats")
        for item in running.items():
            assert widget_of(running, item.message_id).action_row.variants is None


async def test_a_version_far_up_in_a_long_conversation_can_be_chosen(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        session = await stored_talk(running, 120, words=3)
        store, owner = running.profile.conversations, running.owner
        page = await store.messages(session, user_id=owner, before=21, limit=1)
        early = page.items[0]
        branch = await store.branch(session, early.message_id, Message("user", "Otherwise"), user_id=owner)
        await store.choose(session, early.message_id, user_id=owner)
        await running.app.chat.open(session, message_id=early.message_id)
        await running.settled()
        place = [item.message_id for item in running.items()].index(early.message_id)
        await go(running, place, 1)
        assert running.items()[-1].message_id == branch.message_id
        place = len(running.items()) - 1
        await go(running, place, -1)
        assert running.texts()[-1].startswith("Answer 119")
