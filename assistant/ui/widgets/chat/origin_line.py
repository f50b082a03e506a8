"""Says under a reply that it is an earlier answer, and offers to ask again."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from assistant.ui.theme import SPACE
from assistant.ui.widgets.chat.flow import place_in_rows

TEXT = "From an earlier answer  ·"
ASK = "Ask again"


class OriginLine(QWidget):
    """One calm line.

    Signals:
        ask_requested: the model is to be asked after all.
    """

    ask_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = QLabel(TEXT, self)
        self._text.setProperty("kind", "muted")
        self._text.setToolTip(
            "You asked the same before, in the same situation. Nothing was sent for this reply."
        )
        self.ask_button = QPushButton(ASK, self)
        self.ask_button.setProperty("kind", "link")
        self.ask_button.setToolTip("Send the question to the model and get another reply")
        self.ask_button.clicked.connect(self.ask_requested)

    def height_at(self, width: int) -> int:
        """Lay out in `width` pixels; the height it takes."""
        return place_in_rows((self._text, self.ask_button), 0, 0, width, gap=SPACE.xs // 2)
