"""A line at the bottom that says what was done and offers to take it back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from assistant.ui.theme import SPACE
from assistant.ui.widgets.elided_label import ElidedLabel

UNDO_MS = 8_000
_WIDEST = 640
_MOVES = (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show, QEvent.Type.Hide)


class Toast(QFrame):
    """Shows one note at a time over the bottom of its parent.

    A newer note replaces the older one, whose `expired` runs then.
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
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.expire)
        self._on_action: Callable[[], object] | None = None
        self._on_expired: Callable[[], object] | None = None
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
            on_expired: runs when the note goes away without it.
        """
        self.expire()
        self._label.show_text(text[:1000])
        self.setAccessibleName(text[:1000])
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self._on_action, self._on_expired = on_action, on_expired
        self._timer.start(milliseconds)
        self.show()
        self._place()
        self.raise_()

    def expire(self) -> None:
        """End the note as if its time were over."""
        self._timer.stop()
        expired, self._on_action, self._on_expired = self._on_expired, None, None
        self.hide()
        if expired is not None:
            expired()

    def text(self) -> str:
        """What is shown now, empty when hidden."""
        return self._label.text() if self.isVisible() else ""

    def trigger(self) -> None:
        """Take the action, as its button does."""
        self._act()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _MOVES and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _act(self) -> None:
        self._timer.stop()
        action, self._on_action, self._on_expired = self._on_action, None, None
        self.hide()
        if action is not None:
            action()

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
