"""One message: the user's words as typed, a reply with all that can be below it."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QEnterEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QPushButton, QWidget

from assistant.ui.models.messages import MessageItem, RecalledFact, RememberedFact, ShownError
from assistant.ui.widgets.chat.conversation_view import ConversationView
from assistant.ui.widgets.chat.fact_chip import FactChip
from assistant.ui.widgets.chat.reply_message import ReplyMessage
from assistant.ui.widgets.chat.user_message import FOLD_LINES, UNFOLD_STEP, UserMessage
from tests.ui.chat_support import settle, view_with

MARKUP = "<b>bold</b> <img src='http://tracker.test/p.png'> &amp;"


def user_message(view: ConversationView, message_id: str = "u") -> UserMessage:
    widget = view.widget(message_id)
    assert isinstance(widget, UserMessage)
    return widget


def reply(view: ConversationView, message_id: str = "a") -> ReplyMessage:
    widget = view.widget(message_id)
    assert isinstance(widget, ReplyMessage)
    return widget


def labels(widget: QWidget) -> list[str]:
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]


def test_the_users_words_are_never_markup(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("u", "user", f"# no heading\n**not bold**\n{MARKUP}")])
    assert user_message(view).view.toPlainText() == f"# no heading\n**not bold**\n{MARKUP}"


def test_the_bubble_is_at_the_right_and_leaves_a_quarter_free(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("s", "user", "short"), MessageItem("l", "user", "long " * 100)])
    short, long = user_message(view, "s").bubble.geometry(), user_message(view, "l").bubble.geometry()
    assert short.right() == long.right()
    assert short.width() < 100
    assert 0.7 * 720 <= long.width() <= 0.75 * 720 + 1


def test_a_long_message_is_folded_and_unfolds(qapp: Any) -> None:
    text = "\n".join(f"line {number}" for number in range(100))
    view = view_with(qapp, [MessageItem("u", "user", text)])
    widget = user_message(view)
    assert widget.view.document().blockCount() == FOLD_LINES
    folded = widget.height()
    assert widget.more_button is not None
    widget.more_button.click()
    settle()
    assert widget.view.toPlainText() == text
    assert widget.height() > 2 * folded
    widget.more_button.click()
    settle()
    assert widget.height() == folded


def test_a_megabyte_unfolds_step_by_step(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("u", "user", "x" * 1_000_000)])
    widget = user_message(view)
    assert widget.more_button is not None
    assert widget.more_button.text() == "Show more (997,600 characters)"
    widget.more_button.click()
    assert len(widget.view.toPlainText()) < UNFOLD_STEP + 10_000


def test_text_with_half_characters_and_nul_is_shown(qapp: Any) -> None:
    view = view_with(
        qapp, [MessageItem("u", "user", "a\ud800\0b"), MessageItem("a", "assistant", "c\udfff\0d")]
    )
    assert user_message(view).view.toPlainText() == "a\ufffd\ufffdb"
    assert reply(view).body.texts()[0].toPlainText() == "c\ufffd\ufffdd"


def test_copy_puts_the_whole_message_on_the_clipboard_and_says_so(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "**bold** text")])
    copied: list[str] = []
    view.copy_requested.connect(copied.append)
    button = reply(view).action_row.button("copy")
    button.click()
    assert copied == ["a"]
    assert QGuiApplication.clipboard().text() == "**bold** text"


def test_retry_and_remember_name_their_message(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("u", "user", "hi"), MessageItem("a", "assistant", "the reply")])
    retried: list[str] = []
    remembered: list[tuple[str, str]] = []
    view.retry_requested.connect(retried.append)
    view.remember_requested.connect(lambda message_id, text: remembered.append((message_id, text)))
    reply(view).action_row.button("retry").click()
    reply(view).action_row.button("remember").click()
    user_message(view).action_row.button("remember").click()
    assert retried == ["a"]
    assert remembered == [("a", "the reply"), ("u", "hi")]


def test_a_selection_can_be_remembered_alone(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "one two three")])
    remembered: list[tuple[str, str]] = []
    view.remember_requested.connect(lambda message_id, text: remembered.append((message_id, text)))
    reply(view).body.texts()[0].remember_requested.emit("two")
    assert remembered == [("a", "two")]


def test_actions_appear_on_hover_without_moving_anything(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "text"), MessageItem("u", "user", "next")])
    widget = reply(view)
    before = [widget.geometry(), user_message(view).geometry()]
    middle = QPointF(5, 5)
    QApplication.sendEvent(widget, QEnterEvent(middle, middle, middle))
    assert widget.action_row.is_revealed
    assert [widget.geometry(), user_message(view).geometry()] == before
    QApplication.sendEvent(widget, QEvent(QEvent.Type.Leave))
    assert not widget.action_row.is_revealed


def test_actions_appear_on_keyboard_focus(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "text")])
    view.activateWindow()
    row = reply(view).action_row
    row.button("copy").setFocus(Qt.FocusReason.TabFocusReason)
    settle()
    assert row.is_revealed
    view.setFocus()
    settle()
    assert not row.is_revealed


def test_every_button_has_a_name_for_screen_readers(qapp: Any) -> None:
    item = MessageItem(
        "a", "assistant", "```py\nx = 1\n```", recalled=(RecalledFact("m", "fact"),),
        remembered=(RememberedFact("n", "other"),), reasoning="hm", error=ShownError("T", "M", detail="D"),
    )  # fmt: skip
    view = view_with(qapp, [item])
    widget = reply(view)
    buttons = [child for child in widget.findChildren(QAbstractButton) if child.isVisibleTo(widget)]
    assert len(buttons) >= 8
    for button in buttons:
        assert button.accessibleName() or button.text(), button


def test_used_memories_are_counted_and_asked_for(qapp: Any) -> None:
    two = (RecalledFact("m1", "one"), RecalledFact("m2", MARKUP))
    view = view_with(qapp, [MessageItem("a", "assistant", "text", recalled=two)])
    asked: list[str] = []
    view.memories_requested.connect(asked.append)
    chips = reply(view).chips
    assert chips is not None
    (chip,) = chips.chips()
    assert isinstance(chip, QPushButton)
    assert chip.text() == "2 memories used"
    chip.click()
    assert asked == ["a"]
    assert "<b>" not in chip.toolTip()
    view.update_item(MessageItem("a", "assistant", "text", recalled=two[:1]))
    (chip,) = chips.chips()
    assert isinstance(chip, QPushButton)
    assert chip.text() == "1 memory used"


def test_a_kept_memory_can_be_undone_and_then_says_so(qapp: Any) -> None:
    kept = RememberedFact("m1", "Moved to\nPorto & <b>likes</b> it")
    item = MessageItem("a", "assistant", "text", remembered=(kept,))
    view = view_with(qapp, [item])
    undone: list[tuple[str, str]] = []
    view.undo_requested.connect(lambda message_id, memory_id: undone.append((message_id, memory_id)))
    chips = reply(view).chips
    assert chips is not None
    (chip,) = chips.chips()
    assert isinstance(chip, FactChip)
    assert chip.undo_button is not None
    assert "Remembered: Moved to Porto & <b>likes</b> it" in labels(chip)[0]
    chip.undo_button.click()
    assert undone == [("a", "m1")]
    view.update_item(item.with_(remembered=(RememberedFact("m1", kept.text, undone=True),)))
    (chip,) = chips.chips()
    assert isinstance(chip, FactChip)
    assert chip.undo_button is None
    assert labels(chip)[0].startswith("Not kept: ")


def test_notes_say_how_a_reply_ended_and_that_memory_was_missing(qapp: Any) -> None:
    view = view_with(
        qapp,
        [
            MessageItem("a", "assistant", "one", state="stopped"),
            MessageItem("b", "assistant", "two", state="cut", memory_note="Memory did not answer."),
        ],
    )
    assert "Stopped" in labels(reply(view, "a"))
    assert {"The connection ended here; this part was kept.", "Memory did not answer."} <= set(
        labels(reply(view, "b"))
    )


def test_an_error_offers_another_try_another_model_and_details(qapp: Any) -> None:
    error = ShownError("No connection", "host.test does not answer.", "Check the network.", f"trace {MARKUP}")
    view = view_with(qapp, [MessageItem("a", "assistant", "", state="failed", error=error)])
    retried: list[str] = []
    models: list[bool] = []
    view.retry_requested.connect(retried.append)
    view.model_requested.connect(lambda: models.append(True))
    card = reply(view).error_card
    assert card is not None
    assert labels(card)[-3:] == ["No connection", "host.test does not answer.", "Check the network."]
    card.retry_button.click()
    card.model_button.click()
    assert (retried, models) == (["a"], [True])
    before = reply(view).height()
    card.details_button.click()
    settle()
    assert f"trace {MARKUP}" in labels(card)
    assert reply(view).height() > before


def test_an_error_goes_when_the_reply_comes(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "", state="failed", error=ShownError("T", "M"))])
    view.update_item(MessageItem("a", "assistant", "better"))
    assert reply(view).error_card is None


def test_what_the_model_thought_is_behind_a_disclosure(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "text", reasoning="First\n**I** think.")])
    widget = reply(view)
    before = widget.height()
    assert widget.thinking_button is not None
    widget.thinking_button.click()
    settle()
    assert widget.thoughts is not None
    assert widget.thoughts.toPlainText() == "First\n**I** think."
    assert widget.height() > before
    widget.thinking_button.click()
    settle()
    assert widget.height() == before


def test_the_time_of_a_message_is_told_on_hover(qapp: Any) -> None:
    moment = datetime(2026, 11, 3, 14, 32)  # noqa: DTZ001
    view = view_with(qapp, [MessageItem("a", "assistant", "text", created_at=moment)])
    row = reply(view).action_row
    assert "14:32" not in labels(row)
    row.set_hovered(True)
    assert "14:32" in labels(row)


def test_a_right_to_left_reply_is_laid_out_from_the_right(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "مرحبا بك في بورتو")])
    text = reply(view).body.texts()[0]
    layout = text.document().firstBlock().layout()
    assert layout.lineAt(0).naturalTextRect().left() > 300
