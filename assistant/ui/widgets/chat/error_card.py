"""An error under a message: what happened, what can be done, and the details behind a button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QWidget

from assistant.ui.models.messages import ShownError
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import icon
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.flow import place_in_rows, place_label

_ICON = 20


class ErrorCard(QFrame):
    """Shows a `ShownError`.

    Signals:
        retry_requested: "Try again".
        model_requested: "Choose another model".
        resized: the details were shown or hidden by the user.
    """

    retry_requested = Signal()
    model_requested = Signal()
    resized = Signal()

    def __init__(self, parent: QWidget, theme: Theme, error: ShownError) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self._sign = QLabel(self)
        self._sign.setPixmap(icon("warning", theme.tokens.danger).pixmap(_ICON, _ICON))
        self._title = self._label("heading", error.title)
        self._message = self._label("", error.message)
        self._hint = self._label("muted", error.hint)
        self.retry_button = QPushButton("Try again", self)
        self.retry_button.setProperty("kind", "primary")
        self.retry_button.clicked.connect(self.retry_requested)
        self.model_button = QPushButton("Choose another model", self)
        self.model_button.clicked.connect(self.model_requested)
        self.details_button = QPushButton("Details", self)
        self.details_button.setProperty("kind", "quiet")
        self.details_button.clicked.connect(self._toggle)
        self.details_button.setVisible(bool(error.detail))
        self._detail = self._label("detail", error.detail)
        self._detail.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._detail.hide()
        self.setAccessibleName(f"{error.title}. {error.message} {error.hint}".strip())

    def height_at(self, width: int) -> int:
        """Lay out in `width` pixels; the height it takes."""
        left = SPACE.l + _ICON + SPACE.m
        room = width - left - SPACE.l
        y = SPACE.l
        self._sign.setGeometry(SPACE.l, y, _ICON, _ICON)
        y += place_label(self._title, left, y, room)
        for label in (self._message, self._hint):
            if not label.isHidden():
                y += SPACE.xs
                y += place_label(label, left, y, room)
        y += SPACE.m
        y += place_in_rows((self.retry_button, self.model_button, self.details_button), left, y, room)
        if not self._detail.isHidden():
            y += SPACE.m
            y += place_label(self._detail, left, y, room)
        return y + SPACE.l

    def _label(self, kind: str, text: str) -> QLabel:
        label = QLabel(clean(text), self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("kind", kind)
        label.setWordWrap(True)
        label.setVisible(bool(text))
        return label

    def _toggle(self) -> None:
        shown = self._detail.isHidden()
        self._detail.setVisible(shown)
        self.details_button.setText("Hide details" if shown else "Details")
        self.resized.emit()
