"""Says over the composer's text that it is an earlier message, and offers to leave it as it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QWidget

from assistant.ui.theme import SPACE
from assistant.ui.widgets.elided_label import ElidedLabel

TEXT = "Editing an earlier message. Your draft waits."
SHORT = "Editing an earlier message"


class EditLine(QWidget):
    """One line; hidden while nothing is edited.

    Signals:
        cancelled: the message is to stay as it is.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._text = ElidedLabel(SHORT)
        self._text.setProperty("kind", "small")
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setProperty("kind", "link")
        self.cancel_button.setToolTip("Leave the message as it is")
        self.cancel_button.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.s)
        row.addWidget(self._text, 1)
        row.addWidget(self.cancel_button)
        self.hide()

    def text(self) -> str:
        """What it says."""
        return self._text.text()

    def show_draft(self, kept: bool) -> None:
        """Whether there is a draft that comes back afterwards."""
        self._text.show_text(TEXT if kept else SHORT)

    def show_key(self, key: str) -> None:
        """The key that cancels now, empty when it does something else."""
        self.cancel_button.setText(f"Cancel ({key})" if key else "Cancel")
