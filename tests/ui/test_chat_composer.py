"""The composer: what is typed is kept exactly, and sent when it is meant to be."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QMimeData, Qt, QUrl
from PySide6.QtGui import QImage, QInputMethodEvent
from PySide6.QtWidgets import QApplication

from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.composer import COUNTED_FROM, Composer
from assistant.ui.widgets.chat.composer_input import LONGEST_PIECE, MOST_LINES
from tests.ui.chat_support import light_theme, press, settle, shown, until

SHIFT = Qt.KeyboardModifier.ShiftModifier


class Heard:
    """What a composer signalled."""

    def __init__(self, composer: Composer) -> None:
        self.sent: list[str] = []
        self.drafts: list[str] = []
        self.stops = self.destinations = 0
        composer.send_requested.connect(self.sent.append)
        composer.draft_changed.connect(self.drafts.append)
        composer.stop_requested.connect(self._stop)
        composer.destination_clicked.connect(self._destination)

    def _stop(self) -> None:
        self.stops += 1

    def _destination(self) -> None:
        self.destinations += 1


def composer_with(qapp: Any, text: str = "") -> tuple[Composer, Heard]:
    composer = Composer(light_theme(qapp))
    heard = Heard(composer)
    shown(composer, 700, 300)
    composer.set_text(text)
    settle()
    return composer, heard


def paste(composer: Composer, text: str) -> None:
    content = QMimeData()
    content.setText(text)
    composer.input.insertFromMimeData(content)


def compose(composer: Composer, preedit: str, commit: str = "") -> None:
    """What an input method does: show text that is not final, then commit it."""
    event = QInputMethodEvent(preedit, [])
    event.setCommitString(commit)
    QApplication.sendEvent(composer.input, event)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_sends_and_leaves_the_text(qapp: Any, key: Qt.Key) -> None:
    composer, heard = composer_with(qapp, "Hello\nthere")
    press(composer.input, key)
    assert heard.sent == ["Hello\nthere"]
    assert composer.text() == "Hello\nthere"


def test_shift_and_enter_breaks_the_line(qapp: Any) -> None:
    composer, heard = composer_with(qapp, "a")
    press(composer.input, Qt.Key.Key_Return, SHIFT)
    press(composer.input, Qt.Key.Key_B, text="b")
    assert composer.text() == "a\nb"
    assert heard.sent == []


def test_enter_never_sends_while_an_input_method_composes(qapp: Any) -> None:
    composer, heard = composer_with(qapp, "我")
    compose(composer, "shi")
    press(composer.input, Qt.Key.Key_Return)
    press(composer.input, Qt.Key.Key_Enter)
    assert heard.sent == []
    compose(composer, "", "是")
    assert composer.text() == "我是"
    press(composer.input, Qt.Key.Key_Return)
    assert heard.sent == ["我是"]


def test_escape_ends_a_composition_and_not_the_reply(qapp: Any) -> None:
    composer, heard = composer_with(qapp)
    composer.set_busy(True)
    compose(composer, "shi")
    press(composer.input, Qt.Key.Key_Escape)
    assert heard.stops == 0
    compose(composer, "")
    press(composer.input, Qt.Key.Key_Escape)
    assert heard.stops == 1


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\t \u00a0"])
def test_blank_text_cannot_be_sent(qapp: Any, text: str) -> None:
    composer, heard = composer_with(qapp, text)
    assert not composer.send_button.isEnabled()
    press(composer.input, Qt.Key.Key_Return)
    assert heard.sent == []


def test_the_button_sends_and_while_a_reply_is_written_stops(qapp: Any) -> None:
    composer, heard = composer_with(qapp, "hi")
    composer.send_button.click()
    composer.set_busy(True)
    assert composer.send_button.accessibleName() == "Stop"
    composer.send_button.click()
    press(composer.input, Qt.Key.Key_Return)
    assert (heard.sent, heard.stops) == (["hi"], 1)
    composer.set_busy(False)
    assert composer.send_button.accessibleName() == "Send"


def test_the_next_message_can_be_typed_while_a_reply_is_written(qapp: Any) -> None:
    composer, _heard = composer_with(qapp)
    composer.set_busy(True)
    press(composer.input, Qt.Key.Key_X, text="x")
    assert composer.text() == "x"


def test_a_reason_disables_and_keeps_the_text(qapp: Any) -> None:
    composer, heard = composer_with(qapp, "draft")
    composer.set_enabled_reason("The model is starting.")
    assert composer.status.text() == "The model is starting."
    assert not composer.send_button.isEnabled()
    assert not composer.input.isEnabled()
    composer.clear()
    assert composer.input.placeholderText() == "The model is starting."
    composer.set_text("draft")
    composer.set_enabled_reason("")
    assert composer.text() == "draft"
    press(composer.input, Qt.Key.Key_Return)
    assert heard.sent == ["draft"]


def test_typing_tells_the_draft_once_it_pauses_and_setting_text_does_not(qapp: Any) -> None:
    composer, heard = composer_with(qapp)
    composer.set_text("kept draft")
    for letter in "abc":
        press(composer.input, Qt.Key.Key_A, text=letter)
    until(lambda: bool(heard.drafts))
    assert heard.drafts == ["kept draftabc"]
    composer.clear()
    settle()
    assert heard.drafts == ["kept draftabc"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=80))
def test_text_comes_back_as_it_was_given(qapp: Any, text: str) -> None:
    composer = Composer(light_theme(qapp))
    composer.set_text(text)
    assert composer.text() == clean(text)


def test_a_long_line_comes_back_whole_and_can_be_edited(qapp: Any) -> None:
    composer, _heard = composer_with(qapp)
    line = "0123456789" * (LONGEST_PIECE // 4)
    paste(composer, f"a\n{line}\nb")
    assert composer.text() == f"a\n{line}\nb"
    cursor = composer.input.textCursor()
    cursor.setPosition(2 + LONGEST_PIECE // 2)
    cursor.insertText("!")
    edited = f"a\n{line[: LONGEST_PIECE // 2]}!{line[LONGEST_PIECE // 2 :]}\nb"
    assert composer.text() == edited
    composer.input.selectAll()
    composer.input.cut()
    assert composer.text() == ""
    assert QApplication.clipboard().text() == edited
    composer.input.undo()
    composer.input.redo()
    composer.input.undo()
    assert composer.text() == edited


def test_a_megabyte_can_be_pasted_and_is_counted(qapp: Any) -> None:
    composer, heard = composer_with(qapp)
    composer.set_status("3.1k of 8k tokens")
    text = "word " * 200_000
    paste(composer, text)
    assert composer.text() == text
    assert composer.status.text().startswith("3.1k of 8k tokens · 1,000,")
    assert composer.send_button.isEnabled()
    press(composer.input, Qt.Key.Key_Return)
    assert heard.sent == [text]
    assert len(text) > COUNTED_FROM


def test_paste_takes_text_only(qapp: Any) -> None:
    composer, _heard = composer_with(qapp)
    rich = QMimeData()
    rich.setHtml("<b>bold</b> <img src='file:///etc/hostname'>")
    rich.setText("bold")
    composer.input.insertFromMimeData(rich)
    picture = QMimeData()
    picture.setImageData(QImage(4, 4, QImage.Format.Format_RGB32))
    picture.setUrls([QUrl("file:///etc/hostname")])
    composer.input.insertFromMimeData(picture)
    assert not composer.input.canInsertFromMimeData(picture) or picture.hasText()
    assert composer.text().startswith("bold")
    assert "img" not in composer.text()


def test_it_grows_to_eight_lines_and_then_scrolls(qapp: Any) -> None:
    composer, _heard = composer_with(qapp)
    heights = []
    for count in range(1, MOST_LINES + 4):
        composer.set_text("\n".join("x" * 3 for _ in range(count)))
        settle()
        heights.append(composer.input.height())
    assert heights == sorted(heights)
    assert len(set(heights)) == MOST_LINES
    assert composer.input.verticalScrollBar().maximum() > 0
    composer.set_text("one")
    settle()
    assert composer.input.height() == heights[0]


def test_wrapped_lines_count_as_lines(qapp: Any) -> None:
    composer, _heard = composer_with(qapp)
    one = composer.input.height()
    composer.set_text("word " * 60)
    settle()
    assert composer.input.height() > 2 * one


def test_the_chip_says_where_messages_go(qapp: Any) -> None:
    composer, heard = composer_with(qapp)
    assert composer.destination.text().strip() == "Goes to: this computer"
    composer.set_destination("api.x.test & co", "internet")
    assert composer.destination.text().strip() == "Goes to: api.x.test && co"
    composer.destination.click()
    assert heard.destinations == 1


def test_focus_on_the_composer_is_focus_on_its_text(qapp: Any) -> None:
    composer, _heard = composer_with(qapp)
    composer.setFocus()
    settle()
    assert composer.window().focusWidget() is composer.input


def test_the_focus_comes_back_when_it_can_be_used_again(qapp: Any) -> None:
    composer, _heard = composer_with(qapp)
    composer.focus()
    composer.set_enabled_reason("The model is starting.")
    composer.set_enabled_reason("")
    settle()
    assert composer.window().focusWidget() is composer.input
