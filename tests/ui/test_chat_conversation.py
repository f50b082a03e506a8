"""The conversation: a virtual list that stays where it is, and replies as they are written."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from assistant.ui.models.messages import MessageItem, RecalledFact
from assistant.ui.widgets.chat.conversation_view import ConversationView
from assistant.ui.widgets.chat.markdown import parse
from assistant.ui.widgets.chat.message_widget import MessageWidget
from assistant.ui.widgets.chat.reply_message import ReplyMessage
from assistant.ui.widgets.chat.scroller import PADDING
from assistant.ui.widgets.chat.stream_buffer import FRAME_MS
from assistant.ui.widgets.chat.text_view import TextView
from tests.ui.chat_support import (
    light_theme,
    press,
    settle,
    shown,
    talk,
    top_of,
    turn_wheel,
    until,
    view_with,
)

REPLY = (
    "# Title\n\nSome *text* with `code`.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    "```python\nprint('hi')\n```\n\n> quote\n\nThe end of it, مرحبا, 漢字."
)


def reply(view: ConversationView, message_id: str) -> ReplyMessage:
    widget = view.widget(message_id)
    assert isinstance(widget, ReplyMessage)
    return widget


def streaming_view(qapp: Any, before: int = 40, **options: Any) -> ConversationView:
    view = view_with(qapp, talk(before), **options)
    view.append(MessageItem("s", "assistant", "", state="streaming"))
    settle()
    return view


def shown_text(view: ConversationView, message_id: str) -> str:
    return "\n".join(text.toPlainText() for text in reply(view, message_id).body.texts())


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


# -- the list


def test_ten_thousand_messages_have_few_widgets_wherever_one_looks(qapp: Any) -> None:
    view = view_with(qapp, talk(10_000))
    counts = [view.widget_count()]
    for place in ("m0", "m5000", "m2500", "m9999"):
        view.scroll_to(place)
        settle()
        counts.append(view.widget_count())
    for _ in range(100):
        view.scroll_by(-300)
        settle()
    counts.append(view.widget_count())
    assert max(counts) <= 40


def test_widgets_that_are_let_go_are_gone(qapp: Any) -> None:
    view = view_with(qapp, talk(600))
    for _ in range(150):
        view.scroll_by(-400)
        settle()
    assert len(view.viewport().findChildren(MessageWidget)) == view.widget_count()


def test_a_conversation_opens_at_its_end(qapp: Any) -> None:
    view = view_with(qapp, talk(200))
    assert view.in_sight[-1] == 199
    assert view.is_at_end
    assert view.verticalScrollBar().value() == view.verticalScrollBar().maximum()


def test_few_messages_start_at_the_top(qapp: Any) -> None:
    view = view_with(qapp, talk(2, words=3))
    assert top_of(view, "m0") == PADDING
    assert view.verticalScrollBar().maximum() == 0


def test_messages_set_while_hidden_are_there_when_shown(qapp: Any) -> None:
    view = ConversationView(light_theme(qapp))
    view.set_messages(talk(50))
    assert view.widget_count() == 0
    shown(view)
    assert view.in_sight[-1] == 49


def test_an_empty_conversation_takes_everything(qapp: Any) -> None:
    view = view_with(qapp, [])
    view.scroll_by(100)
    view.scroll_to_end()
    view.prepend([])
    for message_id in ("nobody",):
        view.scroll_to(message_id)
        view.remove(message_id)
        view.replace_id(message_id, "x")
        view.begin_stream(message_id)
        view.extend_stream(message_id, "x")
        view.update_item(MessageItem(message_id, "assistant", "x"))
        view.finish_stream(MessageItem(message_id, "assistant", "x"))
        assert view.item(message_id) is None
    assert view.items() == []
    for key in (Qt.Key.Key_Up, Qt.Key.Key_End, Qt.Key.Key_Home, Qt.Key.Key_PageDown):
        press(view, key)


def test_items_are_kept_in_order_through_every_change(qapp: Any) -> None:
    view = view_with(qapp, talk(4))
    view.append(MessageItem("new", "user", "hello"))
    view.prepend([MessageItem("old", "user", "before")])
    view.remove("m2")
    view.replace_id("new", "renamed")
    view.update_item(MessageItem("m1", "assistant", "changed"))
    assert [item.message_id for item in view.items()] == ["old", "m0", "m1", "m3", "renamed"]
    changed = view.item("m1")
    assert changed is not None
    assert changed.text == "changed"
    assert view.item("new") is None
    assert reply(view, "m1").body.texts()[0].toPlainText() == "changed"


# -- staying in place


def scrolled_view(qapp: Any) -> tuple[ConversationView, str, int]:
    """A view in the middle of a conversation, a message in it, and where that is."""
    view = view_with(qapp, talk(300))
    view.scroll_to("m150")
    view.scroll_by(37)
    settle()
    return view, "m152", top_of(view, "m152")


def test_older_messages_come_in_above_without_a_jump(qapp: Any) -> None:
    view, message, top = scrolled_view(qapp)
    view.prepend([MessageItem(f"o{n}", "user", "older " * n) for n in range(50)])
    settle()
    assert top_of(view, message) == top


def test_new_messages_come_in_below_without_a_jump(qapp: Any) -> None:
    view, message, top = scrolled_view(qapp)
    view.append(MessageItem("new", "assistant", "text " * 300))
    settle()
    assert top_of(view, message) == top


def test_a_message_above_that_grows_or_goes_moves_nothing(qapp: Any) -> None:
    view, message, top = scrolled_view(qapp)
    view.update_item(MessageItem("m100", "user", "much longer " * 500))
    view.update_item(MessageItem("m149", "assistant", "much longer " * 500))
    view.remove("m120")
    view.remove("m148")
    settle()
    assert top_of(view, message) == top


def test_a_reply_written_below_moves_nothing_while_one_reads_above(qapp: Any) -> None:
    view, message, top = scrolled_view(qapp)
    view.append(MessageItem("s", "assistant", "", state="streaming"))
    for _ in range(30):
        view.extend_stream("s", "word " * 30 + "\n\n")
    until(lambda: len(getattr(view.item("s"), "text", "")) >= 30 * 150)
    assert top_of(view, message) == top
    assert not view.is_at_end
    assert view.jump_button.isVisible()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(-900, 900), max_size=12))
def test_scrolling_moves_by_exactly_what_was_asked(qapp: Any, steps: list[int]) -> None:
    view, _message, _top = scrolled_view(qapp)
    for step in steps:
        seen = {
            view.messages[index].message_id: top_of(view, view.messages[index].message_id)
            for index in view.in_sight
        }
        view.scroll_by(step)
        still = [name for name in seen if view.messages.index(name) in view.in_sight]
        assert all(top_of(view, name) == seen[name] - step for name in still)


def test_another_width_keeps_the_message_at_the_top(qapp: Any) -> None:
    view, _message, _top = scrolled_view(qapp)
    first = view.messages[view.in_sight[0]].message_id
    view.resize(520, 700)
    settle()
    assert view.messages[view.in_sight[0]].message_id == first
    view.resize(900, 700)
    settle()
    assert view.messages[view.in_sight[0]].message_id == first


def test_the_end_stays_in_sight_when_the_window_changes(qapp: Any) -> None:
    view = view_with(qapp, talk(100))
    for width, height in ((500, 700), (820, 300), (1200, 900)):
        view.resize(width, height)
        settle()
        assert view.in_sight[-1] == 99
        assert view.is_at_end


def test_opening_what_the_model_thought_leaves_the_button_where_it_is(qapp: Any) -> None:
    items = [*talk(40), MessageItem("t", "assistant", "short", reasoning="thought\n" * 60)]
    view = view_with(qapp, items)
    button = reply(view, "t").thinking_button
    assert button is not None
    before = button.mapTo(view, button.rect().topLeft())
    button.click()
    settle()
    assert button.mapTo(view, button.rect().topLeft()) == before


def test_dragging_the_bar_goes_through_the_whole_conversation(qapp: Any) -> None:
    view = view_with(qapp, talk(2_000))
    bar = view.verticalScrollBar()
    bar.setValue(0)
    settle()
    assert view.in_sight[0] == 0
    assert top_of(view, "m0") == PADDING
    bar.setValue(bar.maximum() // 2)
    settle()
    assert 700 < view.in_sight[0] < 1_300
    bar.setValue(bar.maximum())
    settle()
    assert view.is_at_end


def test_older_messages_are_asked_for_once_near_the_top(qapp: Any) -> None:
    view = view_with(qapp, talk(60), total_before=30)
    asked: list[bool] = []
    view.older_requested.connect(lambda: asked.append(True))
    settle()
    assert asked == []
    press(view, Qt.Key.Key_Home)
    view.scroll_by(10)
    settle()
    assert asked == [True]
    view.prepend([MessageItem(f"o{n}", "user", "older") for n in range(30)])
    press(view, Qt.Key.Key_Home)
    settle()
    assert asked == [True]


# -- keys and wheel


def test_keys_scroll(qapp: Any) -> None:
    view = view_with(qapp, talk(200))
    bar = view.verticalScrollBar()
    end = bar.value()
    press(view, Qt.Key.Key_Up)
    up = bar.value()
    press(view, Qt.Key.Key_PageUp)
    page = bar.value()
    press(view, Qt.Key.Key_Home)
    assert page < up < end
    assert view.in_sight[0] == 0
    press(view, Qt.Key.Key_Down)
    assert top_of(view, "m0") < PADDING
    press(view, Qt.Key.Key_PageDown)
    press(view, Qt.Key.Key_End)
    assert view.is_at_end


def test_the_wheel_scrolls_and_leaves_the_end(qapp: Any) -> None:
    view = view_with(qapp, talk(200))
    turn_wheel(view.viewport(), 3)
    settle()
    assert not view.is_at_end
    turn_wheel(view.viewport(), -4)
    settle()
    assert view.is_at_end


def test_the_wheel_over_a_message_is_left_to_the_conversation(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", REPLY)])
    for text in reply(view, "a").body.texts():
        assert not turn_wheel(text.viewport(), -1)


def test_tab_goes_through_what_is_in_sight_and_then_on(qapp: Any) -> None:
    window = QWidget()
    before, view, after = QLineEdit(), ConversationView(light_theme(qapp)), QLineEdit()
    layout = QVBoxLayout(window)
    for widget in (before, view, after):
        layout.addWidget(widget)
    shown(window)
    window.activateWindow()
    view.set_messages(
        [MessageItem("u", "user", "hi"), MessageItem("a", "assistant", "see [this](https://x.test)")]
    )
    settle()
    before.setFocus()
    visited: list[QWidget] = []
    while focused() is not after and len(visited) < 30:
        press(focused(), Qt.Key.Key_Tab)
        visited.append(focused())
    assert visited[0] is view
    names = [widget.accessibleName() for widget in visited[1:-1]]
    assert names == [
        "Copy",
        "Edit",
        "Remember this",
        "",
        "Copy",
        "Try again",
        "Remember this",
        "What was sent",
    ]
    press(focused(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert focused() is view or view.isAncestorOf(focused())


def test_one_selection_at_a_time_and_ctrl_c_copies_it(qapp: Any) -> None:
    view = view_with(
        qapp, [MessageItem("a", "assistant", "first words"), MessageItem("b", "assistant", "second words")]
    )
    first, second = reply(view, "a").body.texts()[0], reply(view, "b").body.texts()[0]
    first.selectAll()
    second.selectAll()
    assert first.selected_text() == ""
    assert view.selected_text() == "second words"
    press(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "second words"
    press(view, Qt.Key.Key_Escape)
    assert view.selected_text() == ""


def test_a_selection_survives_being_scrolled_away(qapp: Any) -> None:
    view = view_with(qapp, talk(300))
    view.scroll_to("m101")
    settle()
    reply(view, "m101").body.texts()[0].selectAll()
    selected = view.selected_text()
    view.scroll_to("m250")
    settle()
    assert view.selected_text() == selected != ""
    view.scroll_to("m101")
    settle()
    assert reply(view, "m101").body.texts()[0].selected_text() == selected


# -- replies as they are written


def test_a_streamed_reply_ends_as_the_same_reply_shown_whole(qapp: Any) -> None:
    streamed = view_with(qapp, [MessageItem("a", "assistant", "", state="streaming")], height=900)
    whole = view_with(qapp, [MessageItem("a", "assistant", REPLY)], height=900)
    for start in range(0, len(REPLY), 3):
        streamed.extend_stream("a", REPLY[start : start + 3])
        if start % 30 == 0:
            QApplication.processEvents()
    streamed.finish_stream(MessageItem("a", "assistant", REPLY))
    settle()
    assert reply(streamed, "a").body.blocks == reply(whole, "a").body.blocks == parse(REPLY)
    assert shown_text(streamed, "a") == shown_text(whole, "a")
    assert reply(streamed, "a").height() == reply(whole, "a").height()


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, len(REPLY)), max_size=6))
def test_widgets_follow_whatever_way_the_text_was_cut(qapp: Any, cuts: list[int]) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "", state="streaming")])
    body = reply(view, "a").body
    places = [0, *sorted(cuts), len(REPLY)]
    for start, end in pairwise(places):
        body.extend(REPLY[start:end])
    body.finish()
    whole = view_with(qapp, [MessageItem("a", "assistant", REPLY)])
    assert [text.toPlainText() for text in body.texts()] == [
        text.toPlainText() for text in reply(whole, "a").body.texts()
    ]
    assert body.height_at(600) == reply(whole, "a").body.height_at(600)


def test_text_that_comes_between_two_repaints_is_shown_by_one(qapp: Any) -> None:
    view = streaming_view(qapp)
    repaints: list[bool] = []
    for _ in range(300):
        view.extend_stream("s", "word ")
    view.painted.connect(lambda: repaints.append(True))
    until(lambda: bool(repaints))
    settle()
    assert shown_text(view, "s").count("word") == 300
    assert repaints == [True]
    assert FRAME_MS >= 1000 / 30


def test_a_reply_keeps_the_end_in_sight_when_one_is_there(qapp: Any) -> None:
    view = streaming_view(qapp)
    view.extend_stream("s", "line\n\n" * 100)
    until(lambda: reply(view, "s").height() > 2_000)
    assert view.is_at_end
    assert not view.jump_button.isVisible()


def test_the_button_jumps_to_the_latest_message(qapp: Any) -> None:
    view = view_with(qapp, talk(100))
    view.scroll_to("m10")
    settle()
    assert view.jump_button.isVisible()
    view.jump_button.click()
    settle()
    assert view.is_at_end
    assert not view.jump_button.isVisible()


def test_a_caret_waits_for_the_first_word(qapp: Any) -> None:
    view = streaming_view(qapp)
    waiting = [child.accessibleName() for child in reply(view, "s").findChildren(QWidget)]
    assert "Waiting for the reply" in waiting
    view.extend_stream("s", "Here")
    until(lambda: shown_text(view, "s") == "Here")
    settle()
    waiting = [child.accessibleName() for child in reply(view, "s").findChildren(QWidget)]
    assert "Waiting for the reply" not in waiting


def test_what_memory_did_is_shown_during_a_reply_and_does_not_touch_its_text(qapp: Any) -> None:
    view = streaming_view(qapp)
    view.extend_stream("s", "Hello")
    view.update_item(
        MessageItem(
            "s",
            "assistant",
            "stale",
            state="streaming",
            recalled=(RecalledFact("m", "fact"),),
            reasoning="hm",
        )
    )
    until(lambda: reply(view, "s").chips is not None)
    assert shown_text(view, "s") == "Hello"
    assert reply(view, "s").thinking_button is not None
    item = view.item("s")
    assert item is not None
    assert item.text == "Hello"


def test_a_reply_that_is_scrolled_away_goes_on(qapp: Any) -> None:
    view = streaming_view(qapp, before=200)
    view.extend_stream("s", "first ")
    until(lambda: shown_text(view, "s") == "first")
    view.scroll_to("m5")
    settle()
    view.extend_stream("s", "second")
    view.finish_stream(MessageItem("s", "assistant", "first second"))
    view.scroll_to_end()
    settle()
    assert shown_text(view, "s") == "first second"


def test_a_reply_can_end_with_another_text_than_was_streamed(qapp: Any) -> None:
    view = streaming_view(qapp)
    view.extend_stream("s", "draft")
    view.finish_stream(MessageItem("s", "assistant", "final **text**", state="stopped"))
    settle()
    assert shown_text(view, "s") == "final text"


def test_a_message_gets_its_final_name_in_the_middle_of_a_reply(qapp: Any) -> None:
    view = streaming_view(qapp)
    view.extend_stream("s", "one ")
    view.replace_id("s", "stored")
    view.extend_stream("stored", "two")
    view.finish_stream(MessageItem("stored", "assistant", "one two"))
    settle()
    assert shown_text(view, "stored") == "one two"
    copied: list[str] = []
    view.copy_requested.connect(copied.append)
    reply(view, "stored").action_row.button("copy").click()
    assert copied == ["stored"]


def test_a_conversation_is_left_in_the_middle_of_a_reply(qapp: Any) -> None:
    view = streaming_view(qapp)
    view.extend_stream("s", "text")
    view.set_messages(talk(3))
    view.extend_stream("s", "more")
    settle()
    assert [item.message_id for item in view.items()] == ["m0", "m1", "m2"]


def test_a_reply_goes_on_when_its_conversation_is_opened_again(qapp: Any) -> None:
    view = view_with(
        qapp, [MessageItem("u", "user", "hi"), MessageItem("s", "assistant", "so far", state="streaming")]
    )
    view.begin_stream("s")
    view.extend_stream("s", " and on")
    until(lambda: shown_text(view, "s") == "so far and on")


def test_the_selection_in_a_reply_survives_more_text(qapp: Any) -> None:
    view = streaming_view(qapp)
    view.extend_stream("s", "Some words that stay. ")
    until(lambda: shown_text(view, "s").startswith("Some words"))
    text = reply(view, "s").body.texts()[0]
    cursor = QTextCursor(text.document())
    cursor.setPosition(5)
    cursor.setPosition(10, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    view.extend_stream("s", "And **more** of it.\n\n- item")
    until(lambda: "item" in shown_text(view, "s"))
    view.finish_stream(MessageItem("s", "assistant", "Some words that stay. And **more** of it.\n\n- item"))
    assert view.selected_text() == "words"


def test_a_long_stored_reply_appears_in_slices(qapp: Any) -> None:
    text = "\n\n".join(f"Paragraph {number} with some words in it." for number in range(4_000))
    view = view_with(qapp, [MessageItem("a", "assistant", text)])
    until(lambda: reply(view, "a").body.is_complete)
    assert reply(view, "a").body.blocks == parse(text)
    settle()
    assert view.is_at_end


@pytest.mark.parametrize(
    "text",
    ["x" * 50_000, "**" * 5_000, "[" * 3_000, "> " * 500 + "deep", "|" * 2_000, "`" * 3_001, "- " * 400],
)
def test_odd_markdown_is_shown(qapp: Any, text: str) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", text)])
    until(lambda: reply(view, "a").body.is_complete)
    assert reply(view, "a").height() > 0


# -- appearance


def test_another_theme_redraws_in_place(qapp: Any) -> None:
    theme = light_theme(qapp)
    view = ConversationView(theme)
    shown(view)
    view.set_messages([*talk(20), MessageItem("s", "assistant", "", state="streaming")])
    view.extend_stream("s", "Half a ")
    until(lambda: shown_text(view, "s") == "Half a")
    theme.choose("dark")
    settle()
    view.extend_stream("s", "reply")
    until(lambda: shown_text(view, "s") == "Half a reply")
    text = reply(view, "s").body.texts()[0]
    color = text.document().firstBlock().begin().fragment().charFormat().foreground().color()
    assert color == theme.color("text")
    theme.choose("light")


def test_a_selection_dragged_past_the_edge_scrolls_and_goes_on(qapp: Any) -> None:
    view = view_with(qapp, [MessageItem("a", "assistant", "\n\n".join(f"Paragraph {n}." for n in range(60)))])
    press(view, Qt.Key.Key_Home)
    text = reply(view, "a").body.texts()[0]
    assert isinstance(text, TextView)
    QTest.mousePress(text.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, 5))
    below = view.viewport().mapToGlobal(QPoint(200, view.viewport().height() + 40))
    text.dragged.emit(below)
    until(lambda: view.is_at_end)
    text.drag_ended.emit()
    assert text.selected_text().startswith("Paragraph 0.\nParagraph 1.")
    assert "Paragraph 50." in text.selected_text()
