"""The window's token meter, its breakdown, and what is sent: before and afterwards."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QProgressBar, QPushButton

from assistant.ui.presenters.context import ContextPresenter
from assistant.ui.widgets.token_meter import TokenMeter
from assistant.ui.windows.breakdown import BreakdownDialog, TooLongDialog
from assistant.ui.windows.sent import SentDialog
from assistant.ui.windows.settings_dialog import SettingsDialog
from tests.chat_server import HANG, ChatServer, chunk, event, fails, says, streams
from tests.ui.app_fixtures import Running, button, click, open_app, text_of, until

FRAME, EACH = 8, 6
"""What a chat adds to a prompt, and to each message of it, where the server does not say."""
PLAIN: dict[str, Any] = {"memory_extraction": False, "cache_mode": "off"}


def meter(running: Running) -> TokenMeter:
    return running.window.chat.composer.meter


def cost_of(messages: list[dict[str, Any]]) -> int:
    """Tokens of a prompt for a server to which each word is one."""
    return FRAME + sum(EACH + len(message["content"].split()) for message in messages)


async def draft(running: Running, text: str) -> None:
    """Type, and wait until the meter has looked."""
    running.write(text)
    wanted = "For the message you are writing"
    await until(
        lambda: (view := meter(running).view) is not None and view.about == wanted, "the meter looked"
    )
    await running.settled()


async def sent_dialog(running: Running, message_id: str = "") -> SentDialog:
    """The text of what was sent for a reply, or of what is sent next."""
    if message_id:
        running.window.chat.view.sent_requested.emit(message_id)
    else:
        running.app.context.show_next()
    dialog = await running.dialog(SentDialog)
    await running.settled()
    return dialog


# -- the meter


async def test_after_a_turn_the_meter_says_what_was_sent(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer(llamacpp=True, context=4096) as server,
        open_app(tmp_path, server=server, **PLAIN) as running,
    ):
        await running.say("How are you today?")
        cost = cost_of(server.chats[0].messages)
        assert meter(running).text() == f"{cost} of 3.1k tokens"
        view = meter(running).view
        assert view is not None
        assert view.about == "For the last reply"
        assert sum(row.tokens for row in view.rows) == cost


async def test_without_a_model_there_is_no_meter(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        running.write("Is anybody there?")
        await until(lambda: not running.window.chat.composer.is_being_typed, "typing has paused")
        await running.settled()
        assert not meter(running).isVisible()


async def test_a_conversation_that_is_opened_says_what_it_costs(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(llamacpp=True) as server:
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            await running.say("How are you today?")
            session = running.app.chat.session_id
        async with open_app(tmp_path, server=server, **PLAIN, last_session_id=session) as running:
            view = meter(running).view
            assert view is not None
            assert view.about == "For this conversation as it is"
            assert [row.name for row in view.rows] == [
                "What Keepsake is", "Earlier messages", "Around the messages",
            ]  # fmt: skip


async def test_what_is_typed_counts_before_it_is_sent(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(llamacpp=True) as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await running.say("How are you today?")
        before = meter(running).view
        await draft(running, "And what is the weather like in Porto, in November, on a Sunday?")
        view = meter(running).view
        assert before is not None
        assert view is not None
        [mine] = [row for row in view.rows if row.name == "Your message"]
        assert mine.tokens > 12
        assert sum(row.tokens for row in view.rows) > sum(row.tokens for row in before.rows)


async def test_looking_sends_stores_and_uses_nothing(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(llamacpp=True) as server, open_app(tmp_path, server=server, **PLAIN) as running:
        [memory_id] = await running.remember("My sister Ana plays the violin.")
        await draft(running, "What does my sister Ana play?")
        view = meter(running).view
        assert view is not None
        assert "Memories" in [row.name for row in view.rows]
        (await sent_dialog(running)).accept()
        assert server.chats == []
        # The draft's own text goes nowhere before it is sent, not even to be counted.
        assert all(
            b"violin" not in request.body and b"Ana" not in request.body for request in server.requests
        )
        assert running.window.sidebar.listed() == []
        entry = await running.profile.memory.entry(memory_id, user_id=running.owner)
        assert entry is not None
        assert entry.uses == 0


async def test_what_had_to_stay_out_is_said(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer(llamacpp=True, context=400) as server,
        open_app(tmp_path, server=server, **PLAIN) as running,
    ):
        server.default = says("word " * 60, usage=None)
        for number in range(6):
            await running.say(f"Question {number}")
        earlier = len(await running.stored()) - 2
        sent = [m for m in server.chats[-1].messages if m["role"] != "system"]
        lost = earlier - (len(sent) - 1)
        assert lost > 0
        assert running.window.chat.composer.status.text() == f"{lost} earlier messages left out"
        assert f"{lost} earlier messages left out" in meter(running).toolTip()
        running.app.context.show_breakdown()
        said = text_of(await running.dialog(BreakdownDialog))
        assert f"{lost} earlier messages left out" in said
        assert f"Earlier messages ({len(sent) - 1} of {earlier})" in said


async def test_the_breakdown_opens_from_the_keyboard_and_says_how_it_was_counted(
    qapp: Any, tmp_path: Path
) -> None:
    async with (
        ChatServer(llamacpp=True, context=4096) as server,
        open_app(tmp_path, server=server, **PLAIN) as running,
    ):
        await running.say("How are you today?")
        meter(running).setFocus()
        QTest.keyClick(meter(running), Qt.Key.Key_Space)
        dialog = await running.dialog(BreakdownDialog)
        said = text_of(dialog)
        for line in (
            "What Keepsake is",
            "Your message",
            "Counted by the model's own server.",
            "The model reads 4,096 tokens: its server says so.",
            "1,024 of them are kept free for the reply.",
        ):
            assert line in said
        bars = [bar.accessibleName() for bar in dialog.findChildren(QProgressBar)]
        assert f"Your message: {EACH + 4} tokens" in bars
        click(dialog, "What was sent")
        assert (await running.dialog(SentDialog)).view.heading == "What was sent"


async def test_a_window_that_nobody_tells_is_said_to_be_assumed(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await running.say("How are you today?")
        running.app.context.show_breakdown()
        said = text_of(await running.dialog(BreakdownDialog))
        assert "How much the model reads is not known; 4,096 tokens are assumed, to be careful." in said
        assert "Estimated from the length of the text." in said


async def test_another_model_has_another_window(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer(llamacpp=True, context=4096) as small,
        ChatServer(llamacpp=True, context=32768) as large,
        open_app(tmp_path, server=small, **PLAIN) as running,
    ):
        await running.say("How are you today?")
        running.app.models.show_settings(0)
        dialog = await running.dialog(SettingsDialog)
        await running.settled()
        choice = dialog.form.choice()
        dialog.form.set_choice(type(choice)("custom", large.base_url, choice.model))
        dialog.commit()
        await until(lambda: not running.shown(SettingsDialog), "the settings are saved")
        await running.settled()
        assert meter(running).text().endswith("of 29k tokens")


async def test_a_server_that_read_less_is_told_under_the_reply_and_stays_told(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer(llamacpp=True, context=8192) as server:
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            server.default = says("Fine.", usage=(512, 1))
            item = await running.say("word " * 2000)
            cost = cost_of(server.chats[0].messages)
            assert f"The server read only about 512 of {cost / 1000:.1f}k tokens" in item.context_note
            shown = running.window.chat.view.widget(item.message_id)
            assert shown is not None
            assert item.context_note in text_of(shown)
            running.app.context.show_breakdown()
            assert item.context_note in text_of(await running.dialog(BreakdownDialog))
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            assert running.items()[-1].context_note == item.context_note


async def test_while_a_reply_is_written_the_next_message_is_looked_at_later(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[str] = []
    look = ContextPresenter._look

    def counted(self: ContextPresenter) -> None:
        looks.append(self._composer.text())
        look(self)

    monkeypatch.setattr(ContextPresenter, "_look", counted)
    async with ChatServer(llamacpp=True) as server, open_app(tmp_path, server=server, **PLAIN) as running:
        server.default = streams(event(chunk("Once")), HANG)
        await running.begin("A story", "Once")
        looks.clear()
        for text in ("And", "And then", "And then what?"):
            running.write(text)
            running.window.chat.composer.draft_changed.emit(text)
        assert looks == []
        await until(lambda: looks, "the draft was looked at")
        assert looks == ["And then what?"]
        running.app.chat.stop()
        await running.quiet()


# -- over the limit


async def test_a_message_that_is_too_long_is_not_sent_and_stays(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer(llamacpp=True, context=2048) as server,
        open_app(tmp_path, server=server, **PLAIN) as running,
    ):
        text = "word " * 9000
        running.write(text)
        running.press_enter()
        dialog = await running.dialog(TooLongDialog)
        assert "This message alone is larger than the model can read (9k of 1.5k tokens)." in text_of(dialog)
        click(dialog, "Shorten")
        await running.settled()
        assert running.draft() == text
        assert running.window.focusWidget() is running.window.chat.composer.input
        assert server.chats == []
        assert running.window.sidebar.listed() == []
        assert meter(running).text() == "Too long: 9k of 1.5k tokens"
        assert (await running.say("word")).text == "Hello there."


async def test_a_larger_model_is_one_press_away(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer(llamacpp=True, context=2048) as server,
        open_app(tmp_path, server=server, **PLAIN) as running,
    ):
        running.write("word " * 9000)
        running.press_enter()
        click(await running.dialog(TooLongDialog), "Choose a larger model")
        assert (await running.dialog(SettingsDialog)).tabs.currentIndex() == 0


async def test_where_nobody_knows_the_limit_the_message_can_be_sent_all_the_same(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        text = "word " * 9000
        running.write(text)
        running.press_enter()
        dialog = await running.dialog(TooLongDialog)
        assert "How much this model reads is not known." in text_of(dialog)
        click(dialog, "Send anyway")
        await until(lambda: len(running.items()) == 2, "the reply has begun")
        await running.quiet()
        assert server.chats[0].messages[-1]["content"] == text
        assert running.draft() == ""


async def test_a_limit_that_the_server_tells_is_not_passed_over(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(llamacpp=True) as server, open_app(tmp_path, server=server, **PLAIN) as running:
        running.write("word " * 9000)
        running.press_enter()
        dialog = await running.dialog(TooLongDialog)
        assert "Send anyway" not in [b.text() for b in dialog.findChildren(QPushButton)]


async def test_the_meter_says_that_it_is_too_long_while_it_is_typed(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        running.write("word " * 9000)
        await until(lambda: meter(running).text().startswith("Too long"), "the meter looked")
        await running.settled()
        click_meter(running)
        assert "Shorten it, or choose a larger model." in text_of(await running.dialog(BreakdownDialog))


def click_meter(running: Running) -> None:
    QTest.mouseClick(meter(running), Qt.MouseButton.LeftButton)


# -- what is sent


async def test_what_was_sent_is_what_the_server_got_byte_for_byte(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(llamacpp=True) as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await running.remember("My sister Ana plays the violin.")
        await running.say('Grüße — "quoted" \\ 漢字 🙂\nWhat does my sister Ana play?')
        item = await running.say("And my <b>sister's</b> violin, Ana's?")
        assert len(server.chats) == 2
        for number, shown in enumerate(i for i in running.items() if i.role == "assistant"):
            dialog = await sent_dialog(running, shown.message_id)
            assert dialog.view.body.encode() == server.chats[number].body
            got = [(m["role"], m["content"]) for m in server.chats[number].messages]
            assert [(m.role, m.text) for m in dialog.view.messages] == got
            dialog.accept()
        dialog = await sent_dialog(running, item.message_id)
        assert "This stayed on this computer." in text_of(dialog)
        assert [m.layer for m in dialog.view.messages] == [
            "What Keepsake is", "Memories", "Earlier messages", "Earlier messages", "Your message",
        ]  # fmt: skip
        assert "And my <b>sister's</b> violin, Ana's?" in dialog.text.toPlainText()


async def test_what_is_sent_next_is_known_before(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(llamacpp=True) as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await running.remember("My sister Ana plays the violin.")
        await running.say("Hello")
        text = "What does my sister Ana play?"
        await draft(running, text)
        dialog = await sent_dialog(running)
        foreseen = dialog.view.body
        assert dialog.view.messages[-1].text == text
        dialog.accept()
        await running.say(text)
        assert server.chats[-1].body.decode() == foreseen


async def test_the_request_is_the_one_that_the_server_took(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        server.answer(fails(400, {"error": {"message": "unknown field stream_options"}}))
        item = await running.say("Hello")
        assert len(server.chats) == 2
        dialog = await sent_dialog(running, item.message_id)
        assert dialog.view.body.encode() == server.chats[1].body
        assert "stream_options" not in dialog.view.body


async def test_what_was_sent_is_known_for_a_reply_that_failed(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        server.answer(fails(500, "no"))
        item = await running.say("Hello")
        assert item.error is not None
        dialog = await sent_dialog(running, item.message_id)
        assert dialog.view.body.encode() == server.chats[0].body


async def test_the_exact_request_can_be_seen_and_copied(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        item = await running.say("Hello")
        dialog = await sent_dialog(running, item.message_id)
        click(dialog, "Show the exact request")
        assert json.loads(dialog.text.toPlainText()) == server.chats[0].json
        click(dialog, "Copy")
        assert QGuiApplication.clipboard().text().encode() == server.chats[0].body
        click(dialog, "Show the messages")
        assert dialog.text.toPlainText().startswith("What Keepsake is")


async def test_nothing_of_a_request_is_rendered(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        text = "<h1>big</h1> **bold** <img src='http://127.0.0.1:9/x.png'>"
        item = await running.say(text)
        dialog = await sent_dialog(running, item.message_id)
        assert text in dialog.text.toPlainText()
        running.write(text)
        assert (await running.say(text)).text == "Hello there."
        assert len(server.chats) == 2


async def test_for_a_reply_of_an_earlier_run_it_says_what_would_be_sent_now(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            first = await running.say("Hello")
            await running.say("And again")
        async with open_app(tmp_path, server=server, **PLAIN) as running:
            dialog = await sent_dialog(running, first.message_id)
            assert "known only until Keepsake is closed" in text_of(dialog)
            assert dialog.view.body.encode() == server.chats[0].body
            assert len(server.chats) == 2


async def test_without_a_draft_the_conversation_is_shown(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await running.say("Hello")
        dialog = await sent_dialog(running)
        assert "You have not written anything yet" in text_of(dialog)
        assert [m.text for m in dialog.view.messages[1:]] == ["Hello", "Hello there."]


async def test_every_reply_offers_what_was_sent(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        item = await running.say("Hello")
        shown = running.window.chat.view.widget(item.message_id)
        assert shown is not None
        shown.action_row.button("sent").click()
        assert button(await running.dialog(SentDialog), "Close")


async def test_after_a_wipe_nothing_is_known_of_what_was_sent(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, **PLAIN) as running:
        await running.say("A very secret thing")
        running.app.context.forget()
        assert not running.app.context._prompts._kept
