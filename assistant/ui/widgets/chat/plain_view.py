"""The user's own words: plain text, never markup."""

from __future__ import annotations

from PySide6.QtGui import QColor, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QWidget

from assistant.ui.widgets.chat.blocks import Run
from assistant.ui.widgets.chat.prose_formats import READING_LINE, ProseFormats
from assistant.ui.widgets.chat.text_view import TextView


class PlainView(TextView):
    """Text as it was typed, line breaks included."""

    def __init__(self, parent: QWidget, formats: ProseFormats, *, muted: bool = False) -> None:
        super().__init__(parent)
        self._character = QTextCharFormat(formats.character(Run("")))
        if muted:
            self._character.setForeground(QColor(formats.tokens.muted))
        self._shown = ""

    def show_text(self, text: str) -> None:
        """Show `text`, which went through `markdown.clean`; more of the same text is added at the end."""
        if text == self._shown:
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        if text.startswith(self._shown):
            added = text[len(self._shown) :]
            cursor.movePosition(QTextCursor.MoveOperation.End)
        else:
            added = text
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.removeSelectedText()
        block = QTextBlockFormat()
        block.setLineHeight(READING_LINE, QTextBlockFormat.LineHeightTypes.MinimumHeight.value)
        cursor.setBlockFormat(block)
        cursor.insertText(added, self._character)
        cursor.endEditBlock()
        self._shown = text
