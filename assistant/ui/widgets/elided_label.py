"""A line of text that ends in an ellipsis where it has no room."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QSizePolicy

from assistant.ui.words import plain_tooltip


class ElidedLabel(QLabel):
    """Plain text on one line, as wide as there is room; all of it in the tooltip."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.show_text(text)

    def show_text(self, text: str) -> None:
        """Another text."""
        self.setText(text)
        self.setToolTip(plain_tooltip(text) if text else "")

    def minimumSizeHint(self) -> QSize:
        """It can be of any width."""
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """As much as fits."""
        painter = QPainter(self)
        area = self.contentsRect()
        line = " ".join(self.text().split())
        shown = self.fontMetrics().elidedText(line, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, shown)
        painter.end()
