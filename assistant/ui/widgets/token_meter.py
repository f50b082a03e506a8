"""How full the model's window is, in the composer's line; pressed, it says what fills it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget

from assistant.ui.models.context import ContextView
from assistant.ui.words import plain_tooltip


class TokenMeter(QPushButton):
    """ "3.1k of 8k tokens"; not there while nobody knows. Its signal `clicked` asks for the breakdown."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "meter")
        self.setProperty("level", "")
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.view: ContextView | None = None
        self.hide()

    def show_view(self, view: ContextView | None) -> None:
        """Show the size of a prompt; None for none."""
        if view == self.view:
            return
        self.view = view
        self.setVisible(view is not None)
        if view is None:
            return
        text = f"Too long: {view.figure}" if view.level == "over" else view.figure
        self.setText(text)
        said = [view.about, *(f"{sentence}." for sentence in view.trimmed), *view.notices, *view.facts[:1]]
        self.setToolTip(plain_tooltip("\n".join([*filter(None, said), "Press to see what fills it"])))
        self.setAccessibleName(f"{text}. Show what fills it.")
        if self.property("level") != view.level:
            self.setProperty("level", view.level)
            self.style().unpolish(self)
            self.style().polish(self)
