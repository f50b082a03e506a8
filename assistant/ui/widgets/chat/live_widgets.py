"""The message widgets that exist, and their true heights."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QApplication, QWidget

from assistant.ui.models.messages import MessageItem
from assistant.ui.widgets.chat.message_list import MESSAGE_GAP, MessageList
from assistant.ui.widgets.chat.message_widget import MessageWidget


class LiveWidgets:
    """Makes widgets when they are asked for, measures them once for each width, and lets them go."""

    def __init__(
        self, parent: QWidget, messages: MessageList, make: Callable[[QWidget, MessageItem], MessageWidget]
    ) -> None:
        self._parent = parent
        self._messages = messages
        self._make = make
        self._widgets: dict[str, MessageWidget] = {}
        self._measured: set[str] = set()
        self._left = self._column = 0

    def __len__(self) -> int:
        return len(self._widgets)

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._widgets

    def __iter__(self) -> Iterator[tuple[str, MessageWidget]]:
        return iter(list(self._widgets.items()))

    def get(self, message_id: str) -> MessageWidget | None:
        """The widget of a message, None when it has none at present."""
        return self._widgets.get(message_id)

    def set_column(self, left: int, column: int) -> None:
        """Where the text goes from now on; when that is elsewhere, every height is unknown again."""
        if (left, column) != (self._left, self._column):
            self._left, self._column = left, column
            self._measured.clear()

    def measure(self, index: int) -> int:
        """The true height of a message, gap included; its widget is made when there is none."""
        item = self._messages[index]
        widget = self._widgets.get(item.message_id)
        if widget is None:
            widget = self._widgets[item.message_id] = self._make(self._parent, item)
        if item.message_id not in self._measured:
            width = self._parent.width()
            height = widget.arrange(width, self._left, self._column)
            widget.resize(width, height)
            self._measured.add(item.message_id)
            self._messages.measure(index, height + MESSAGE_GAP)
        return self._messages.heights[index]

    def forget_height(self, message_id: str) -> None:
        """The message wants another height."""
        self._measured.discard(message_id)

    def rename(self, old: str, new: str) -> None:
        """The message has another id."""
        if old in self._widgets:
            self._widgets[new] = self._widgets.pop(old)
        if old in self._measured:
            self._measured.remove(old)
            self._measured.add(new)

    def drop(self, message_id: str) -> None:
        """Let the widget of a message go, if it has one."""
        widget = self._widgets.pop(message_id, None)
        self._measured.discard(message_id)
        if widget is not None:
            for text in widget.texts():
                text.clear_selection()
            widget.hide()
            widget.deleteLater()

    def drop_all(self) -> None:
        """Let all widgets go."""
        for message_id in list(self._widgets):
            self.drop(message_id)


def has_focus(widget: QWidget) -> bool:
    """Whether the focus is on a part of `widget`."""
    focus = QApplication.focusWidget()
    return focus is not None and widget.isAncestorOf(focus)
