"""What is sent: each message as the model gets it, and the request itself."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QPushButton, QWidget

from assistant.ui.models.context import SentMessage, SentView
from assistant.ui.theme import Theme
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.windows.dialogs import Dialog

_ROLES = {"system": "Instructions", "user": "You", "assistant": "Model", "tool": "Tool"}


class SentDialog(Dialog):
    """The text of a request. All of it is plain text: nothing in it is rendered.

    Attributes:
        text: the messages, or the request.
    """

    def __init__(self, parent: QWidget, theme: Theme, view: SentView) -> None:
        super().__init__(parent, view.heading)
        self.setMinimumSize(400, 360)
        self.resize(680, 620)
        self._theme = theme
        self._view = view
        self.say(view.where, "muted")
        if view.note:
            self.say(view.note, "warn")
        self.text = QPlainTextEdit()
        self.text.setProperty("kind", "field")
        self.text.setReadOnly(True)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(view.heading)
        self.body.addWidget(self.text, 1)
        self._toggle: QPushButton | None = None
        if view.body:
            self._toggle = self.button("Show the exact request", self._show_other)
            self._toggle.setCheckable(True)
            self._copy = self.button("Copy", self.copy)
            self._copy.setToolTip("Copy the exact request (JSON)")
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()
        self._show_messages()
        self.text.setFocus()

    @property
    def view(self) -> SentView:
        """What it shows."""
        return self._view

    def fit(self) -> None:
        """It keeps its size."""

    def copy(self) -> None:
        """Put the exact request on the clipboard."""
        QGuiApplication.clipboard().setText(self._view.body)
        self._copy.setText("Copied")

    def _show_other(self) -> None:
        assert self._toggle is not None
        if self._toggle.isChecked():
            self._toggle.setText("Show the messages")
            self.text.clear()
            self.text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
            self.text.setCurrentCharFormat(QTextCharFormat())
            self.text.setPlainText(self._view.body)
        else:
            self._toggle.setText("Show the exact request")
            self.text.setFont(QFont())
            self._show_messages()
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _show_messages(self) -> None:
        self.text.clear()
        cursor = self.text.textCursor()
        plain = QTextCharFormat()
        for number, message in enumerate(self._view.messages):
            cursor.insertText("\n\n" if number else "", plain)
            cursor.insertText(_title(message), self._title_format(message))
            cursor.insertText(f"\n{clean(message.text)}", plain)
        self.text.moveCursor(QTextCursor.MoveOperation.Start)

    def _title_format(self, message: SentMessage) -> QTextCharFormat:
        form = QTextCharFormat()
        form.setFontWeight(QFont.Weight.DemiBold)
        form.setForeground(self._theme.color("memory" if message.is_memory else "muted"))
        return form


def _title(message: SentMessage) -> str:
    role = _ROLES.get(message.role, message.role)
    return f"{message.layer} · {message.role}" if message.layer else role
