"""The chat in the running window: sending, stopping, retrying, drafts, titles, and what memory had to do with it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from assistant.ui.windows.recalled import RecalledDialog
from tests.chat_server import HANG, ChatServer, Gate, chunk, event, fails, says, streams
from tests.ui.app_fixtures import Running, button, click, open_app, press_tool, text_of, until


async def test_a_sent_message_and_its_reply_are_shown_and_stored(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("How are you?")
        assert running.texts() == ["How are you?", "Hello there."]
        assert await running.stored() == [
            ("user", "How are you?", "complete"),
            ("assistant", "Hello there.", "complete"),
        ]


async def test_the_composer_is_cleared_once_the_message_is_stored_not_before(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        running.write("Keep me until I am safe")
        running.press_enter()
        assert running.draft() == "Keep me until I am safe"
        await until(lambda: running.draft() == "", "the composer is empty")
        assert (await running.stored())[0] == ("user", "Keep me until I am safe", "complete")
        await running.quiet()


async def test_what_is_typed_while_a_message_is_being_stored_stays(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        running.write("First")
        running.press_enter()
        QTest.keyClicks(running.window.chat.composer.input, " and second")
        await until(lambda: len(running.items()) == 2, "the reply has begun")
        await running.quiet()
        assert running.texts()[0] == "First"
        assert running.draft().strip() == "and second"


async def test_enter_pressed_twice_sends_once(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        running.write("Once")
        running.press_enter()
        running.press_enter()
        await until(lambda: len(running.items()) == 2, "the reply has begun")
        await running.quiet()
        assert len(server.chats) == 1
        assert len(running.window.sidebar.listed()) == 1


async def test_stop_keeps_what_had_come(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(event(chunk("Once upon")), HANG)
        await running.begin("A story", "Once upon")
        QTest.mouseClick(running.window.chat.composer.send_button, Qt.MouseButton.LeftButton)
        await running.quiet()
        assert (running.items()[-1].text, running.items()[-1].state) == ("Once upon", "stopped")
        assert (await running.stored())[-1] == ("assistant", "Once upon", "stopped")


async def test_escape_stops_the_reply(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(event(chunk("Once upon")), HANG)
        await running.begin("A story", "Once upon")
        QTest.keyClick(running.window.chat.composer.input, Qt.Key.Key_Escape)
        await running.quiet()
        assert running.items()[-1].state == "stopped"


async def test_after_stop_the_next_message_gets_its_reply(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(streams(event(chunk("Once upon")), HANG))
        await running.begin("A story", "Once upon")
        running.app.chat.stop()
        await running.quiet()
        assert (await running.say("Go on")).text == "Hello there."


async def test_retry_makes_another_reply_and_the_old_one_stays_in_the_store(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("First try."), says("Second try."))
        first = await running.say("A riddle please")
        running.window.chat.view.retry_requested.emit(first.message_id)
        await until(lambda: running.texts()[-1] == "Second try.", "the second reply")
        await running.quiet()
        assert running.texts() == ["A riddle please", "Second try."]
        assert [text for _, text, _ in await running.stored()] == ["A riddle please", "Second try."]
        kept = await running.profile.conversations.annotate(first.message_id, {}, user_id=running.owner)
        assert kept.content == "First try."
        assert server.chats[1].messages[-1]["content"] == "A riddle please"


async def test_a_reply_goes_on_while_another_conversation_is_read(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("The other one")
        other = running.app.chat.session_id
        await running.open("")
        gate = Gate()
        server.answer(says("one ", "two ", "three", gate=gate))
        await running.begin("Count", "two")
        counting = running.app.chat.session_id
        await running.open(other)
        assert running.texts() == ["The other one", "Hello there."]
        gate.open()
        await running.quiet()
        assert running.texts() == ["The other one", "Hello there."]
        await running.open(counting)
        assert running.texts() == ["Count", "one two three"]
        assert running.items()[-1].state == "complete"


async def test_coming_back_in_mid_reply_shows_all_of_it(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("The other one")
        other = running.app.chat.session_id
        await running.open("")
        middle, end = Gate(), Gate()
        server.answer(streams(
            event(chunk("one ")), middle, event(chunk("two ")), end, event(chunk("three")),
            event(chunk(finish="stop")), event("[DONE]"),
        ))  # fmt: skip
        await running.begin("Count", "one")
        counting = running.app.chat.session_id
        await running.open(other)
        middle.open()
        await running.open(counting)
        await until(lambda: "two" in running.texts()[-1], "what came meanwhile")
        end.open()
        await running.quiet()
        assert running.texts() == ["Count", "one two three"]
        assert running.items()[-1].state == "complete"


async def test_switching_at_every_moment_of_a_reply_never_loses_its_end(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("The other one")
        other = running.app.chat.session_id
        for number in range(12):
            server.answer(says("a", "b", "c", pause=0.004))
            await running.open("")
            await running.begin(f"Say {number}")
            counting = running.app.chat.session_id
            while running.app.chat.is_running:
                running.window.sidebar.opened.emit(other, "")
                await asyncio.sleep(0.002 * (number % 4))
                running.window.sidebar.opened.emit(counting, "")
                await asyncio.sleep(0.003)
            await running.quiet()
            assert running.app.chat.session_id == counting
            assert [(i.text, i.state) for i in running.items()] == [
                (f"Say {number}", "complete"),
                ("abc", "complete"),
            ]


async def test_a_message_sent_just_before_switching_is_not_a_draft_afterwards(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("The other one")
        other = running.app.chat.session_id
        await running.open("")
        running.write("Sent and left")
        running.press_enter()
        await running.open(other)
        await running.quiet()
        await running.open("")
        assert running.draft() == ""
        sent = next(key for key, title in running.window.sidebar.listed() if title == "Sent and left")
        await running.open(sent)
        assert running.texts() == ["Sent and left", "Hello there."]
        assert running.draft() == ""


async def test_a_draft_is_kept_for_each_conversation(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("One")
        one = running.app.chat.session_id
        running.write("a thought for one")
        await running.open("")
        assert running.draft() == ""
        running.write("a thought for a new one")
        await running.open(one)
        assert running.draft() == "a thought for one"
        await running.open("")
        assert running.draft() == "a thought for a new one"


async def test_a_draft_is_there_at_the_next_start_however_fast_the_window_was_closed(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("One")
            running.write("not sent yet")
            running.window.close()
        async with open_app(tmp_path, server=server) as running:
            assert running.texts() == ["One", "Hello there."]
            assert running.draft() == "not sent yet"


async def test_a_draft_survives_a_crash_soon_after_it_was_typed(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, crash=True) as running:
            typed: list[str] = []
            running.window.chat.composer.draft_changed.connect(typed.append)
            running.write("nearly lost")
            await until(lambda: typed, "a pause in typing")
            await running.settled()
        async with open_app(tmp_path, server=server) as running:
            assert running.draft() == "nearly lost"


async def test_a_title_is_made_from_the_first_message(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("**Trip** to Porto. We leave on Monday.")
        assert running.window.chat.title() == "Trip to Porto"
        assert running.window.sidebar.rows() == ["Today", "Trip to Porto"]
        await running.say("Another subject")
        assert running.window.chat.title() == "Trip to Porto"


async def test_a_suggestion_is_sent_and_spares_what_was_being_written(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        running.write("half a thought")
        click(running.window.chat, "What do you know about me?")
        await until(lambda: len(running.items()) == 2, "the reply has begun")
        await running.quiet()
        assert running.texts()[0] == "What do you know about me?"
        assert running.draft() == "half a thought"


async def test_without_a_model_the_message_is_kept_and_a_model_asked_for(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        running.write("Anybody there?")
        running.press_enter()
        await until(lambda: running.app.models.dialog is not None, "the settings are shown")
        assert running.draft() == "Anybody there?"
        assert "kept" in running.window.toast.text()
        assert running.window.sidebar.listed() == []
        running.app.models.dialog.reject()  # type: ignore[union-attr]
        await running.settled()


# -- memory in the chat


def chip(running: Running, text: str) -> Any:
    """The button with that text among the chips of the last message that has any."""
    view = running.window.chat.view
    return button(view, text)


async def test_remember_that_keeps_a_memory_which_can_be_taken_back(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        reply = await running.say("Remember that the boat is called Möwe.")
        assert [fact.text for fact in reply.remembered] == ["the boat is called Möwe."]
        assert running.memories() == ["the boat is called Möwe."]
        QTest.mouseClick(chip(running, "Undo"), Qt.MouseButton.LeftButton)
        await until(lambda: running.items()[-1].remembered[0].undone, "it is taken back")
        await running.settled()
        assert running.memories() == []
        assert await running.kept() == []


async def test_what_was_remembered_is_still_noted_after_a_restart(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.say("Remember that the boat is called Möwe.")
        async with open_app(tmp_path, server=server) as running:
            assert [fact.text for fact in running.items()[-1].remembered] == ["the boat is called Möwe."]


async def test_what_was_to_be_remembered_is_kept_and_noted_though_the_model_failed(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        server.default = fails(500, "no")
        async with open_app(tmp_path, server=server) as running:
            reply = await running.say("Remember that the boat is called Möwe.")
            assert reply.state == "failed"
            assert [fact.text for fact in reply.remembered] == ["the boat is called Möwe."]
        async with open_app(tmp_path, server=server) as running:
            assert [fact.text for fact in running.items()[-1].remembered] == ["the boat is called Möwe."]
            assert running.items()[-1].error is not None


async def test_a_memory_deleted_in_the_panel_is_no_longer_called_remembered_in_the_chat(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        reply = await running.say("Remember that the boat is called Möwe.")
        running.app.memories.delete(reply.remembered[0].memory_id)
        await running.settled()
        assert running.items()[-1].remembered[0].undone
        running.window.toast.trigger()
        await running.settled()
        assert not running.items()[-1].remembered[0].undone


async def test_remember_this_keeps_a_message(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Lund is in Sweden.")
        message = running.window.chat.view.widget(running.items()[0].message_id)
        assert message is not None
        press_tool(message, "Remember this")
        await running.settled()
        assert running.memories() == ["Lund is in Sweden."]
        assert running.items()[0].remembered[0].text == "Lund is in Sweden."
        assert running.window.toast.text().startswith("Remembered")


async def test_undo_in_the_note_takes_back_what_was_remembered_and_says_so_in_the_chat(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Lund is in Sweden.")
        running.window.chat.view.remember_requested.emit(running.items()[0].message_id, "Lund is in Sweden.")
        await running.settled()
        running.window.toast.trigger()
        await running.settled()
        assert running.memories() == []
        assert running.items()[0].remembered[0].undone


async def test_remember_this_keeps_a_selection(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(says("Lund is in Sweden. It rains."))
        await running.say("Where is Lund?")
        widget = running.window.chat.view.widget(running.items()[1].message_id)
        assert widget is not None
        (text,) = widget.texts()
        text.remember_requested.emit("Lund is in Sweden.")  # type: ignore[attr-defined]
        await running.settled()
        assert running.memories() == ["Lund is in Sweden."]
        assert [fact.text for fact in running.items()[1].remembered] == ["Lund is in Sweden."]


async def test_a_reply_names_the_memories_that_it_used(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.remember("The boat is called Möwe.", "Prefers trains.")
        reply = await running.say("What is the boat called?")
        assert [fact.text for fact in reply.recalled] == ["The boat is called Möwe."]
        assert "The boat is called Möwe." in str(server.chats[0].messages)
        QTest.mouseClick(chip(running, "1 memory used"), Qt.MouseButton.LeftButton)
        dialog = await running.dialog(RecalledDialog)
        assert "The boat is called Möwe." in text_of(dialog)
        assert "this computer" in text_of(dialog) or "127.0.0.1" in text_of(dialog)
        click(dialog, "Close")


async def test_a_memory_used_can_be_deleted_from_the_list(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.remember("The boat is called Möwe.")
        await running.say("What is the boat called?")
        running.window.chat.view.memories_requested.emit(running.items()[-1].message_id)
        click(await running.dialog(RecalledDialog), "Delete")
        await running.settled()
        assert running.memories() == []
        assert "Deleted" in running.window.toast.text()


async def test_an_old_conversation_is_read_from_its_end_and_on_scrolling_from_its_beginning(
    qapp: Any, tmp_path: Path
) -> None:
    from assistant.core.types import Message

    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        store, owner = running.profile.conversations, running.owner
        session = (await store.create(user_id=owner, title="Long")).session_id
        for number in range(150):
            await store.append(session, Message("user", f"Number {number}"), user_id=owner)
        await running.open(session)
        assert running.texts()[-1] == "Number 149"
        assert len(running.items()) == 60
        view = running.window.chat.view
        while len(running.items()) < 150:
            known = len(running.items())
            view.verticalScrollBar().setValue(0)
            await until(lambda k=known: len(running.items()) > k, "older messages")  # type: ignore[misc]
        assert running.texts()[0] == "Number 0"
