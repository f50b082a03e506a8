"""A line at the bottom that says what was done and offers to take it back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QCursor, QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget
from shiboken6 import isValid

from assistant.ui.theme import SPACE
from assistant.ui.widgets.elided_label import ElidedLabel

UNDO_MS = 8_000
_WIDEST = 640
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


@dataclass(eq=False)
class _Note:
    """One note, with its own time.

    Attributes:
        timer: ends it.
        left: milliseconds that were left when the timer was held.
    """

    text: str
    action: str
    on_action: Callable[[], object] | None
    on_expired: Callable[[], object] | None
    timer: QTimer
    left: int


class Toast(QFrame):
    """Shows notes over the bottom of its parent, the newest one at a time.

    A newer note hides the older one, which keeps its own time and comes back when the newer one has gone before. While
    the pointer or the keyboard is on it, its time stands still.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._above: QWidget | None = None
        self._label = ElidedLabel()
        self._action = QPushButton("")
        self._action.setProperty("kind", "link")
        self._action.clicked.connect(self._act)
        self._close = QPushButton("Dismiss")
        self._close.setProperty("kind", "link")
        self._close.clicked.connect(self.expire)
        self._row = row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.l, SPACE.s, SPACE.s, SPACE.s)
        row.setSpacing(SPACE.s)
        row.addWidget(self._label, 1)
        row.addWidget(self._action)
        row.addWidget(self._close)
        self._notes: list[_Note] = []
        self._came_from: QWidget | None = None
        self._pointer = QPoint()
        for button in (self._action, self._close):
            button.installEventFilter(self)
        parent.installEventFilter(self)
        self.hide()

    def keep_above(self, widget: QWidget) -> None:
        """Notes stand above this part of the parent, as long as it is seen."""
        self._above = widget
        widget.installEventFilter(self)

    def say(
        self,
        text: str,
        *,
        action: str = "",
        on_action: Callable[[], object] | None = None,
        on_expired: Callable[[], object] | None = None,
        milliseconds: int = UNDO_MS,
    ) -> None:
        """Show `text` with an optional action.

        Args:
            on_action: runs when the action is taken.
            on_expired: runs when the time of the note is over without it.
        """
        for shown in tuple(self._notes):
            # What offers nothing has nothing to come back for.
            if shown.on_action is None:
                self._end(shown)
        timer = QTimer(self)
        timer.setSingleShot(True)
        note = _Note(text[:1000], action, on_action, on_expired, timer, milliseconds)
        timer.timeout.connect(lambda: self._end(note))
        timer.start(milliseconds)
        self._notes.append(note)
        self._show_last()

    def expire(self) -> None:
        """End the note that is shown as if its time were over."""
        if self._notes:
            self._end(self._notes[-1])

    def expire_all(self) -> None:
        """End every note as if its time were over."""
        while self._notes:
            self._end(self._notes[-1])

    def text(self) -> str:
        """What is shown now, empty when hidden."""
        return self._label.text() if self.isVisible() else ""

    def trigger(self) -> None:
        """Take the action, as its button does."""
        self._act()

    def enterEvent(self, event: QEnterEvent) -> None:
        """Somebody reads; a note that appears under a resting pointer is not read for that."""
        super().enterEvent(event)
        if QCursor.pos() != self._pointer:
            self._hold()

    def leaveEvent(self, event: QEvent) -> None:
        """Time goes on."""
        super().leaveEvent(event)
        if not self._has_focus():
            self._go_on()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched in (self._action, self._close):
            if event.type() == QEvent.Type.FocusIn:
                self._hold()
            elif event.type() == QEvent.Type.FocusOut and not self.underMouse():
                self._go_on()
        elif event.type() in _MOVES and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _act(self) -> None:
        if not self._notes:
            return
        note = self._notes[-1]
        note.on_expired = None
        self._end(note)
        if note.on_action is not None:
            note.on_action()

    def _end(self, note: _Note) -> None:
        if note not in self._notes:
            return
        self._notes.remove(note)
        note.timer.stop()
        note.timer.deleteLater()
        self._show_last()
        if note.on_expired is not None:
            note.on_expired()

    def _show_last(self) -> None:
        if not self._notes:
            had_focus = self._has_focus()
            self.hide()
            if had_focus and self._came_from is not None and isValid(self._came_from):
                self._came_from.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        note, self._pointer = self._notes[-1], QCursor.pos()
        if not self._has_focus():
            self._came_from = self.window().focusWidget()
        self._label.show_text(note.text)
        self.setAccessibleName(note.text)
        self._action.setText(note.action)
        self._action.setVisible(bool(note.action))
        self.show()
        self._place()
        self.raise_()

    def _has_focus(self) -> bool:
        return self._action.hasFocus() or self._close.hasFocus()

    def _hold(self) -> None:
        for note in self._notes:
            if note.timer.isActive():
                note.left = note.timer.remainingTime()
                note.timer.stop()

    def _go_on(self) -> None:
        for note in self._notes:
            if not note.timer.isActive():
                note.timer.start(max(note.left, 1_500))

    def _place(self) -> None:
        parent, above = self.parentWidget(), self._above
        if parent is None:
            return
        centre, bottom = parent.width() // 2, parent.height() - SPACE.xxl
        room = parent.width() - 2 * SPACE.l
        if above is not None and above.isVisible():
            corner = above.mapTo(parent, QPoint(0, 0))
            centre, bottom = corner.x() + above.width() // 2, corner.y() - SPACE.s
            room = min(room, above.width())
        wanted = self._row.sizeHint().width() + self._label.fontMetrics().horizontalAdvance(
            self._label.text()
        )
        width = min(wanted + SPACE.s, room, _WIDEST)
        height = self.sizeHint().height()
        self.setGeometry(centre - width // 2, bottom - height, width, height)
