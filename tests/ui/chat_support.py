"""Small steps that the chat's tests share."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from assistant.ui.models.messages import MessageItem
from assistant.ui.theme import Theme
from assistant.ui.widgets.chat.conversation_view import ConversationView

LIMIT_SECONDS = 20.0


def settle() -> None:
    """Handle what is pending, deletions included."""
    for _ in range(3):
        QApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def until(condition: Callable[[], bool]) -> None:
    """Handle events until the condition holds."""
    end = monotonic() + LIMIT_SECONDS
    while not condition():
        assert monotonic() < end, "it did not happen"
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


def shown(view: QWidget, width: int = 820, height: int = 700) -> None:
    """Show a widget at a size."""
    view.resize(width, height)
    view.show()
    settle()


def light_theme(qapp: Any) -> Theme:
    """The application's theme, in its light appearance; made once, since each new one restyles everything."""
    theme = qapp.findChild(Theme)
    if theme is None:
        return Theme(qapp, "light")
    theme.choose("light")
    assert isinstance(theme, Theme)
    return theme


def view_with(
    qapp: Any, items: list[MessageItem], *, total_before: int = 0, height: int = 700
) -> ConversationView:
    """A shown conversation."""
    view = ConversationView(light_theme(qapp))
    shown(view, height=height)
    view.set_messages(items, total_before=total_before)
    settle()
    return view


def talk(count: int, words: int = 30) -> list[MessageItem]:
    """That many messages, user and assistant in turn, of different lengths."""
    return [
        MessageItem(
            f"m{number}",
            "user" if number % 2 == 0 else "assistant",
            f"Message {number}. " + "word " * (words + 37 * number % 101),
        )
        for number in range(count)
    ]


def press(
    widget: QWidget,
    key: Qt.Key,
    modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier,
    text: str = "",
) -> None:
    """Press and release a key."""
    for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
        QApplication.sendEvent(widget, QKeyEvent(kind, key.value, modifiers, text))


def turn_wheel(widget: QWidget, notches: int) -> bool:
    """Turn the wheel over the middle of a widget, up is positive; whether the widget took it for itself.

    An event made by hand is not passed on to the parents as one of the wheel is.
    """
    middle = QPointF(widget.rect().center())
    event = QWheelEvent(
        middle,
        QPointF(widget.mapToGlobal(middle.toPoint())),
        QPointF(0, 0).toPoint(),
        QPointF(0, 120 * notches).toPoint(),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def top_of(view: ConversationView, message_id: str) -> int:
    """Where the top of a message is in the viewport."""
    widget = view.widget(message_id)
    assert widget is not None
    return widget.y()
