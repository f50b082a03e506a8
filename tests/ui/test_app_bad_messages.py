"""Messages and replies that nobody should send, in the running window: clear text, nothing lost, still usable."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QListView

from assistant.ui.widgets.chat.text_view import TextView
from assistant.ui.windows.breakdown import TooLongDialog
from tests.chat_server import ChatServer, chunk, event, fails, says, streams
from tests.ui.app_fixtures import Running, click, open_app, until

RTL = "مرحبا، كيف حالك؟ שלום 123"
CJK = "漢字かな交じり文と한국어 文章。"


def paste(running: Running, text: str) -> None:
    mime = QMimeData()
    mime.setText(text)
    running.window.chat.composer.input.insertFromMimeData(mime)


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \u00a0\u2003"])
async def test_what_is_empty_or_blank_is_never_sent(qapp: Any, tmp_path: Path, text: str) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        running.write(text)
        running.press_enter()
        running.app.chat.send(text)
        await running.settled()
        assert running.items() == []
        assert server.chats == []
        assert running.window.sidebar.listed() == []


async def test_a_message_of_a_megabyte_is_sent_whole(qapp: Any, tmp_path: Path) -> None:
    text = "".join(f"Line {number} of a long report.\n" for number in range(36_000)) + "The end"
    assert len(text) > 1_000_000
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        paste(running, text)
        running.press_enter()
        click(await running.dialog(TooLongDialog), "Send anyway")
        await until(lambda: len(running.items()) >= 2, "the reply has begun")
        await running.quiet()
        assert server.chats[0].messages[-1]["content"] == text
        assert running.items()[-1].text == "Hello there."
        assert running.draft() == ""
        assert running.window.chat.title() == "Line 0 of a long report"


async def test_a_megabyte_that_the_server_refuses_is_kept_and_can_be_sent_again(
    qapp: Any, tmp_path: Path
) -> None:
    text = "word " * 200_000
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.answer(fails(413, "Payload Too Large"))
        paste(running, text)
        running.press_enter()
        click(await running.dialog(TooLongDialog), "Send anyway")
        await until(lambda: len(running.items()) >= 2, "the reply has begun")
        await running.quiet()
        failed = running.items()[-1]
        assert failed.error is not None
        assert failed.error.title == "Too long for this model"
        assert "kept" in failed.error.message
        assert len(running.items()[0].text) == len(text)
        running.window.chat.view.retry_requested.emit(failed.message_id)
        await until(lambda: running.items()[-1].text == "Hello there.", "another reply")
        await running.quiet()


async def test_a_draft_of_a_megabyte_is_kept_over_a_restart(qapp: Any, tmp_path: Path) -> None:
    text = "x" * 1_000_000
    async with open_app(tmp_path) as running:
        paste(running, text)
        assert running.draft() == text
    async with open_app(tmp_path) as running:
        assert running.draft() == text


@pytest.mark.parametrize(
    "text",
    [
        "a\0b",
        "half \ud83d of a face",
        "\udc00\ud800",
        RTL,
        CJK,
        "👩‍👩‍👧‍👦",
        "\u202eevil",
        "\ufeffmark",
        "a\r\nb\rc\u2028d",
    ],
)
async def test_any_text_can_be_sent_and_is_there_after_a_restart(
    qapp: Any, tmp_path: Path, text: str
) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            running.window.chat.composer.set_text(text)
            running.press_enter()
            await until(lambda: len(running.items()) >= 2, "the reply has begun")
            await running.quiet()
            sent = server.chats[0].messages[-1]["content"]
            assert running.items()[0].text == sent
            assert running.items()[-1].text == "Hello there."
            running.window.grab()
        async with open_app(tmp_path, server=server) as running:
            assert running.items()[0].text == sent
    if text in (RTL, CJK):
        assert sent == text


@pytest.mark.parametrize(
    "text",
    [
        "a\0b",
        "half \ud83d of a face",
        "\ud800",
        RTL,
        CJK,
        "\u2028\u2029\x0b\x0c",
        "\ufffe\uffff",
        "&#0; &nbsp; &lt;",
    ],
)
async def test_any_text_can_come_from_the_model(qapp: Any, tmp_path: Path, text: str) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            server.default = says("so: ", text, " end")
            reply = await running.say("Say it")
            assert reply.state == "complete"
            assert reply.text.startswith("so: ")
            assert reply.text.endswith(" end")
            running.window.grab()
        async with open_app(tmp_path, server=server) as running:
            assert running.items()[-1].text == reply.text


async def test_enter_that_ends_a_composition_sends_nothing(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        field = running.window.chat.composer.input
        QApplication.sendEvent(field, QInputMethodEvent("かんじ", []))
        QTest.keyClick(field, Qt.Key.Key_Return)
        await running.settled()
        assert server.chats == []
        done = QInputMethodEvent("", [])
        done.setCommitString("漢字")
        QApplication.sendEvent(field, done)
        QTest.keyClick(field, Qt.Key.Key_Return)
        await until(lambda: len(running.items()) >= 2, "the reply has begun")
        await running.quiet()
        assert running.texts()[0] == "漢字"


async def test_ten_thousand_lines_of_code_are_shown_and_can_be_copied(qapp: Any, tmp_path: Path) -> None:
    code = "\n".join(f"print({number})" for number in range(10_000))
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        text = f"Here:\n\n```python\n{code}\n```\n\nDone."
        pieces = [text[start : start + 2_000] for start in range(0, len(text), 2_000)]
        server.default = says(*pieces)
        reply = await running.say("Count")
        assert reply.text == text
        assert reply.state == "complete"
        widget = running.window.chat.view.widget(reply.message_id)
        assert widget is not None
        (block,) = widget.code_blocks()
        running.window.grab()
        QTest.mouseClick(block.copy_button, Qt.MouseButton.LeftButton)
        assert QApplication.clipboard().text() == code
        assert (await running.say("And now?")).state == "complete"


BROKEN = [
    "```never closed\nx = 1",
    "**bold *and _lost",
    "| a | b |\n|---|\n| 1 |",
    "[link](javascript:alert(1)) [x](file:///etc/passwd)",
    "> " * 500 + "deep",
    "- " * 300 + "deep",
    "# " * 100,
    "`" * 1001,
    "[" * 5000,
    "*" * 5000,
    "|" * 3000 + "\n" + "|-" * 3000,
    "\\" * 3001,
]


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
async def test_broken_markdown_is_shown_as_far_as_it_makes_sense(
    qapp: Any, tmp_path: Path, text: str
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = says(*(text[start : start + 40] for start in range(0, len(text), 40)))
        reply = await running.say("Say it")
        assert (reply.text, reply.state) == (text, "complete")
        running.window.grab()


async def test_html_and_images_of_a_reply_are_text_and_nothing_is_loaded(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as images, ChatServer() as server:
        address = f"{images.root_url}/pixel.png"
        local = tmp_path / "secret.png"
        local.write_bytes(b"\x89PNG")
        text = (
            f"<img src='{address}'> ![pixel]({address}) <script>alert(1)</script>\n\n"
            f"<style>@import url({address})</style>\n\n![local]({QUrl.fromLocalFile(str(local)).toString()})\n\n"
            f"<b>bold</b> <a href='{address}'>x</a> [link]({address})\n\n<table background='{address}'></table>"
        )
        async with open_app(tmp_path / "home", server=server) as running:
            server.default = says(text)
            reply = await running.say("Show me")
            widget = running.window.chat.view.widget(reply.message_id)
            assert widget is not None
            running.window.grab()
            await running.settled()
            said = "\n".join(view.document().toPlainText() for view in widget.findChildren(TextView))
            for part in (
                "<img src=",
                "<script>alert(1)</script>",
                "<style>",
                "<b>bold</b>",
                "<table background=",
            ):
                assert part in said
        assert images.requests == []


async def test_a_title_made_of_markup_is_shown_as_text(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as images, ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Hello")
        session = running.app.chat.session_id
        title = f"<img src='{images.root_url}/a.png'> <b>x</b> & y"
        running.window.sidebar.rename_requested.emit(session, title)
        await running.settled()
        assert running.window.chat.title() == title
        listed = running.window.sidebar.findChild(QListView)
        assert listed is not None
        assert "&lt;img" in listed.model().index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
        (heading,) = (each for each in running.window.chat.findChildren(QLabel) if each.text() == title)
        assert heading.textFormat() is Qt.TextFormat.PlainText
        assert "&lt;img" in heading.toolTip()
        running.window.grab()
        await running.settled()
        assert images.requests == []


async def test_a_reply_of_thoughts_only_is_no_empty_page(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(
            event(chunk(reasoning_content="Let me think.")), event(chunk(finish="stop")), event("[DONE]")
        )
        reply = await running.say("Think")
        assert reply.reasoning == "Let me think."
        assert reply.error is not None


async def test_a_reply_without_a_word_says_what_to_do_also_after_a_restart(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        server.default = says()
        async with open_app(tmp_path, server=server) as running:
            reply = await running.say("Nothing?")
            assert reply.error is not None
            assert reply.error.message == "The model ended its reply without a word. Your message is kept."
        async with open_app(tmp_path, server=server) as running:
            assert running.items()[-1].error == reply.error
