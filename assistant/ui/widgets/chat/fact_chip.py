"""A pill with a few words about a memory, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import icon
from assistant.ui.words import plain_tooltip

_CHIP_HEIGHT = 22
_LONGEST = 360
"""Pixels of words; the rest is in the tooltip."""
_BETWEEN = 2
_ARROW = 16


class FactChip(QWidget):
    """Words, then buttons; the words give way, the buttons do not.

    Args:
        words: what is said.
        tooltip: all of it.
        buttons: action and label of each button.
        muted: it is over: nothing is remembered.
        opens: it has more behind it: "closed" or "open"; empty when not.

    Signals:
        acted(action): a button was pressed; "fold" when what is behind it is to be shown or hidden.
    """

    acted = Signal(str)

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        words: str,
        *,
        tooltip: str,
        buttons: Sequence[tuple[str, str]] = (),
        muted: bool = False,
        opens: str = "",
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._muted = muted
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setProperty("kind", "chipmuted" if muted else "chiptext")
        self._label.setToolTip(plain_tooltip(tooltip))
        self._label.setAccessibleName(words)
        self._label.ensurePolished()
        self._text = f"{words}  ·" if buttons else words
        self.buttons = {action: self._button(action, label) for action, label in buttons}
        if opens:
            verb = "show" if opens == "closed" else "hide"
            self.buttons["fold"] = self._button("fold", "", f"{words}: {verb} them")
            self._show_arrow(opens)
            theme.changed.connect(lambda: self._show_arrow(opens))

    @property
    def undo_button(self) -> QPushButton | None:
        """Takes the memory back; None when there is nothing to take back."""
        return self.buttons.get("undo")

    def focus_first(self) -> None:
        """Give the focus to the first button, if there is one."""
        for button in self.buttons.values():
            button.setFocus(Qt.FocusReason.OtherFocusReason)
            return

    def sizeHint(self) -> QSize:
        """As wide as the words, up to a limit."""
        text = min(self._label.fontMetrics().horizontalAdvance(self._text) + 2, _LONGEST)
        taken = sum(self._width(button) + _BETWEEN for button in self.buttons.values())
        return QSize(text + taken + 2 * SPACE.m - (SPACE.xs if taken else 0), _CHIP_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        right = self.width() - (SPACE.s if self.buttons else SPACE.m)
        for button in reversed(self.buttons.values()):
            height = min(button.sizeHint().height(), self.height())
            width = self._width(button)
            right -= width
            button.setGeometry(right, (self.height() - height) // 2, width, height)
            right -= _BETWEEN
        room = max(0, right - SPACE.m)
        shown = self._label.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        self._label.setText(shown)
        self._label.setGeometry(SPACE.m, 0, room, self.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The words of a pill that opens are part of its arrow."""
        if "fold" in self.buttons and self.rect().contains(event.position().toPoint()):
            self.buttons["fold"].click()
        else:
            super().mouseReleaseEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The pill."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("sunken" if self._muted else "memory_soft"))
        painter.drawRoundedRect(
            QRect(0, 0, self.width(), self.height()), self.height() / 2, self.height() / 2
        )
        painter.end()

    def _button(self, action: str, label: str, name: str = "") -> QPushButton:
        button = QPushButton(label, self)
        button.setProperty("kind", "memorylink")
        button.setAccessibleName(name or f"{label}: {self._label.accessibleName()}")
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(lambda: self.acted.emit(action))
        return button

    def _width(self, button: QPushButton) -> int:
        return _ARROW + SPACE.s if not button.text() else button.sizeHint().width()

    def _show_arrow(self, opens: str) -> None:
        name = "chevron-right" if opens == "closed" else "chevron-down"
        self.buttons["fold"].setIcon(icon(name, self._theme.tokens.memory))
