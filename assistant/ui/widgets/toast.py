"""A line at the bottom that says what was done and offers to take it back."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from assistant.ui.theme import SPACE
from assistant.ui.words import plain_tooltip

UNDO_MS = 8_000


class Toast(QFrame):
    """Shows one note at a time over the bottom of its parent.

    A newer note replaces the older one, whose `expired` runs then.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._text = QLabel("")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._action = QPushButton("")
        self._action.setProperty("kind", "link")
        self._action.clicked.connect(self._act)
        self._close = QPushButton("Dismiss")
        self._close.setProperty("kind", "link")
        self._close.clicked.connect(self.expire)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.l, SPACE.s, SPACE.s, SPACE.s)
        row.setSpacing(SPACE.s)
        row.addWidget(self._text)
        row.addWidget(self._action)
        row.addWidget(self._close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.expire)
        self._on_action: Callable[[], object] | None = None
        self._on_expired: Callable[[], object] | None = None
        parent.installEventFilter(self)
        self.hide()

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
        metrics = self._text.fontMetrics()
        shown = metrics.elidedText(
            " ".join(text.split()), Qt.TextElideMode.ElideRight, max(200, self._room() - 220)
        )
        self._text.setText(shown)
        self._text.setToolTip(plain_tooltip(text[:1000]) if shown != text else "")
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
        return self._text.text() if self.isVisible() else ""

    def trigger(self) -> None:
        """Take the action, as its button does."""
        self._act()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _act(self) -> None:
        self._timer.stop()
        action, self._on_action, self._on_expired = self._on_action, None, None
        self.hide()
        if action is not None:
            action()

    def _room(self) -> int:
        parent = self.parentWidget()
        return parent.width() if parent is not None else 600

    def _place(self) -> None:
        parent = self.parentWidget()
        if parent is None:
            return
        self.adjustSize()
        self.move((parent.width() - self.width()) // 2, parent.height() - self.height() - 96)
