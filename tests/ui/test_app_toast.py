"""The note at the bottom: what it offers stays on offer until its own time is over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from assistant.ui.widgets.toast import Toast


@pytest.fixture
def page(qapp: QApplication) -> Iterator[QWidget]:
    page = QWidget()
    field = QLineEdit()
    QVBoxLayout(page).addWidget(field)
    page.resize(600, 400)
    page.show()
    page.activateWindow()
    assert QTest.qWaitForWindowActive(page)
    field.setFocus()
    yield page
    page.deleteLater()


def test_a_newer_note_leaves_the_older_one_its_time(page: QWidget) -> None:
    ended: list[str] = []
    toast = Toast(page)
    toast.say("Deleted: one", action="Undo", on_action=lambda: None, on_expired=lambda: ended.append("one"))
    toast.say("Deleted: two", action="Undo", on_action=lambda: None, on_expired=lambda: ended.append("two"))
    assert (toast.text(), ended) == ("Deleted: two", [])


def test_the_older_note_is_back_when_the_newer_one_has_gone(page: QWidget) -> None:
    undone: list[str] = []
    toast = Toast(page)
    toast.say("Deleted: one", action="Undo", on_action=lambda: undone.append("one"))
    toast.say("Deleted: two", action="Undo", on_action=lambda: undone.append("two"))
    toast.trigger()
    assert (toast.text(), undone) == ("Deleted: one", ["two"])
    toast.trigger()
    assert (toast.text(), undone) == ("", ["two", "one"])


def test_what_is_taken_back_does_not_end(page: QWidget) -> None:
    ended: list[str] = []
    toast = Toast(page)
    toast.say("Deleted: one", action="Undo", on_action=lambda: None, on_expired=lambda: ended.append("one"))
    toast.trigger()
    toast.expire_all()
    assert ended == []


def test_a_note_without_an_offer_is_not_shown_again(page: QWidget) -> None:
    toast = Toast(page)
    toast.say("Exported.")
    toast.say("Imported.")
    toast.expire()
    assert toast.text() == ""


def test_all_notes_end_together_when_they_must(page: QWidget) -> None:
    ended: list[str] = []
    toast = Toast(page)
    toast.say("one", action="Undo", on_action=lambda: None, on_expired=lambda: ended.append("one"))
    toast.say("two", action="Undo", on_action=lambda: None, on_expired=lambda: ended.append("two"))
    toast.expire_all()
    assert (sorted(ended), toast.text()) == (["one", "two"], "")


def test_the_focus_returns_to_where_it_was(page: QWidget) -> None:
    toast = Toast(page)
    toast.say("Deleted: one", action="Undo", on_action=lambda: None)
    [undo] = [button for button in toast.findChildren(QWidget) if getattr(button, "text", str)() == "Undo"]
    undo.setFocus()
    QTest.keyClick(undo, Qt.Key.Key_Space)
    assert isinstance(page.focusWidget(), QLineEdit)


def test_time_stands_still_while_the_keyboard_is_on_it(page: QWidget) -> None:
    toast = Toast(page)
    toast.say("Deleted: one", action="Undo", on_action=lambda: None)
    assert any(timer.isActive() for timer in toast.findChildren(QTimer))
    [undo] = [button for button in toast.findChildren(QWidget) if getattr(button, "text", str)() == "Undo"]
    undo.setFocus()
    assert not any(timer.isActive() for timer in toast.findChildren(QTimer))
