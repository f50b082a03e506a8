"""What goes on in the memory: work that was asked for, and what goes on by itself."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from assistant.ui.theme import SPACE


class MemoryStatus(QWidget):
    """A line with a bar; hidden while nothing goes on. Work that was asked for is shown before the rest.

    Signals:
        cancel_requested: stop the work that was asked for.
    """

    cancel_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._asked: tuple[str, int, int, bool] = ("", 0, 0, False)
        self._indexing: tuple[str, int, int, bool] = ("", 0, 0, False)
        self._text = QLabel("")
        self._text.setProperty("kind", "small")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._cancel = QPushButton("Cancel")
        self._cancel.setProperty("kind", "link")
        self._cancel.clicked.connect(self.cancel_requested)
        line = QHBoxLayout()
        line.addWidget(self._text, 1)
        line.addWidget(self._cancel)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE.xs)
        box.addLayout(line)
        box.addWidget(self._bar)
        self.hide()

    def show_asked(self, text: str, *, done: int, total: int, can_cancel: bool) -> None:
        """Work that was asked for; empty text for none."""
        self._asked = (text, done, total, can_cancel)
        self._show()

    def show_indexing(self, done: int, total: int) -> None:
        """How many memories can be found by meaning; nothing is shown when `total` is 0."""
        text = (
            f"Getting {done:,} of {total:,} memories ready to be found by meaning. Chatting works meanwhile."
            if total
            else ""
        )
        self._indexing = (text, done, total, False)
        self._show()

    def _show(self) -> None:
        text, done, total, can_cancel = self._asked if self._asked[0] else self._indexing
        self._text.setText(text)
        self._bar.setVisible(total > 0)
        self._bar.setMaximum(max(total, 1))
        self._bar.setValue(done)
        self._cancel.setVisible(can_cancel)
        self.setVisible(bool(text))
