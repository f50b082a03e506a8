"""A line over a conversation that says what is special about it, with one action."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from assistant.ui.theme import SPACE


class Banner(QFrame):
    """Hidden without a text.

    Signals:
        acted: the action was pressed.
    """

    acted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("kind", "banner")
        self._text = QLabel("")
        self._text.setWordWrap(True)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self.action = QPushButton("")
        self.action.setProperty("kind", "link")
        self.action.clicked.connect(self.acted)
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE.m, SPACE.xs, SPACE.s, SPACE.xs)
        row.setSpacing(SPACE.s)
        row.addWidget(self._text, 1)
        row.addWidget(self.action)
        self.hide()

    def show_text(self, text: str, action: str = "", tip: str = "", *, temporary: bool = False) -> None:
        """Say `text` and offer `action`; empty text hides the line. A line about a temporary conversation looks as its
        composer does."""
        if self.property("temporary") != temporary:
            self.setProperty("temporary", temporary)
            self.style().unpolish(self)
            self.style().polish(self)
        self._text.setText(text)
        self.action.setText(action)
        self.action.setToolTip(tip)
        self.setVisible(bool(text))

    def text(self) -> str:
        """What is said, empty when hidden."""
        return "" if self.isHidden() else self._text.text()
