"""Prose and tables of a reply."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QTextBlock,
    QTextCursor,
    QTextTableCell,
)
from PySide6.QtWidgets import QWidget

from assistant.ui.widgets.chat.blocks import QUOTE, Paragraph, Table
from assistant.ui.widgets.chat.prose_document import ProseDocument
from assistant.ui.widgets.chat.prose_formats import (
    LIST_INDENT,
    READING_LINE,
    ProseFormats,
    indent_of,
    is_right_to_left,
)
from assistant.ui.widgets.chat.table_document import TableDocument
from assistant.ui.widgets.chat.text_view import TextView, keeping_selection

_MARKER_GAP = 8
_QUOTE_LINE = 3
SCROLL_BAR = 10


class ProseView(TextView):
    """Paragraphs, headings, lists, quotations and rules. Markers and lines are painted beside the text."""

    def __init__(self, parent: QWidget, formats: ProseFormats) -> None:
        super().__init__(parent)
        self._formats = formats
        self._prose = ProseDocument(self.document(), formats)
        self._decorated = False

    def show_paragraphs(self, paragraphs: Sequence[Paragraph]) -> None:
        """Show these; text that stays is not touched."""
        with keeping_selection(self):
            self._prose.show(paragraphs)
        self._decorated = any(p.path or p.kind == "rule" for p in paragraphs)
        links = any(run.href for p in paragraphs for run in p.runs)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if links else Qt.FocusPolicy.ClickFocus)

    def selected_text(self) -> str:
        """The selection with the bullets and numbers of whole items."""
        cursor = self.textCursor()
        lines: list[str] = []
        block = self.document().findBlock(cursor.selectionStart())
        end = cursor.selectionEnd()
        while cursor.hasSelection() and block.isValid() and block.position() < end:
            part = QTextCursor(block)
            part.setPosition(max(block.position(), cursor.selectionStart()))
            part.setPosition(min(block.position() + block.length() - 1, end), QTextCursor.MoveMode.KeepAnchor)
            marker = self._prose.paragraphs[block.blockNumber()].marker
            whole = marker and part.selectionStart() == block.position()
            text = part.selectedText().replace("\u2028", "\n")
            lines.append(f"{marker} {text}" if whole else text)
            block = block.next()
        return "\n".join(lines)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The text, then what stands beside it."""
        super().paintEvent(event)
        if not self._decorated:
            return
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        layout = self.document().documentLayout()
        block = self.document().begin()
        above: Paragraph | None = None
        while block.isValid() and block.blockNumber() < len(self._prose.paragraphs):
            area = layout.blockBoundingRect(block)
            if area.top() > event.rect().bottom():
                break
            paragraph = self._prose.paragraphs[block.blockNumber()]
            if area.bottom() >= event.rect().top() and (paragraph.path or paragraph.kind == "rule"):
                self._decorate(painter, block, paragraph, above)
            above = paragraph
            block = block.next()
        painter.end()

    def _decorate(
        self, painter: QPainter, block: QTextBlock, paragraph: Paragraph, above: Paragraph | None
    ) -> None:
        backwards = is_right_to_left(paragraph.text)
        width = float(self.lineWrapColumnOrWidth())
        layout = block.layout()
        first, last = layout.lineAt(0), layout.lineAt(layout.lineCount() - 1)
        bottom = layout.position().y() + last.y() + last.height()
        for depth, container in enumerate(paragraph.path):
            if container == QUOTE:
                joined = above is not None and above.path[: depth + 1] == paragraph.path[: depth + 1]
                # The room of a line is above its letters.
                top = layout.position().y() + first.y() + first.height() - READING_LINE
                top -= block.blockFormat().topMargin() if joined else 0
                x = float(indent_of(paragraph.path[:depth]))
                line = QRectF(width - x - _QUOTE_LINE if backwards else x, top, _QUOTE_LINE, bottom - top)
                painter.fillRect(line, QColor(self._formats.tokens.line))
        if paragraph.kind == "rule":
            left = indent_of(paragraph.path)
            painter.fillRect(
                QRectF(left, round(bottom) - 1, width - left, 1), QColor(self._formats.tokens.line)
            )
        if paragraph.marker:
            self._paint_marker(painter, block, paragraph, backwards, width)

    def _paint_marker(
        self, painter: QPainter, block: QTextBlock, paragraph: Paragraph, backwards: bool, width: float
    ) -> None:
        line = block.layout().lineAt(0)
        if not line.isValid():
            return
        font = self._formats.font()
        size = QFontMetricsF(font).horizontalAdvance(paragraph.marker)
        room = LIST_INDENT - _MARKER_GAP
        if size > room + _MARKER_GAP / 2:
            font.setPixelSize(max(8, int(font.pixelSize() * room / size)))
            size = QFontMetricsF(font).horizontalAdvance(paragraph.marker)
        edge = float(indent_of(paragraph.path))
        x = width - edge + _MARKER_GAP if backwards else edge - _MARKER_GAP - size
        baseline = block.layout().position().y() + line.y() + line.ascent()
        painter.setFont(font)
        painter.setPen(QColor(self._formats.tokens.muted))
        # Marks that turn the dot of a number to the side where the text is.
        shown = f"\u200f{paragraph.marker}\u200f" if backwards else paragraph.marker
        painter.drawText(QPointF(x, baseline), shown)


class TableView(TextView):
    """One table; when it is wider than the page it scrolls sideways."""

    def __init__(self, parent: QWidget, formats: ProseFormats) -> None:
        super().__init__(parent)
        self._table = TableDocument(self.document(), formats)

    def show_table(self, table: Table) -> None:
        """Show this table; rows that stay are not touched."""
        with keeping_selection(self):
            self._table.show(table)
        cells = [runs for row in (table.header, *table.rows) for runs in row]
        links = any(run.href for runs in cells for run in runs)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if links else Qt.FocusPolicy.ClickFocus)

    def selected_text(self) -> str:
        """Cells apart by tabs, rows by lines, as spreadsheets take them; inside of one cell, its text."""
        cells: Any = self.textCursor().selectedTableCells()  # declared to return nothing
        first_row, rows, first_column, columns = cells
        table = self.textCursor().currentTable()
        if table is None or rows < 1:
            return super().selected_text()
        lines = []
        for row in range(first_row, first_row + rows):
            cells = (
                _cell_text(table.cellAt(row, column))
                for column in range(first_column, first_column + columns)
            )
            lines.append("\t".join(cells))
        return "\n".join(lines)

    def height_at(self, width: int) -> int:
        """The height, with room for the scroll bar of a table that is too wide."""
        height = super().height_at(width)
        wide = self.document().size().width() > width + 1
        policy = Qt.ScrollBarPolicy.ScrollBarAlwaysOn if wide else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setHorizontalScrollBarPolicy(policy)
        return height + (SCROLL_BAR if wide else 0)


def _cell_text(cell: QTextTableCell) -> str:
    cursor = cell.firstCursorPosition()
    cursor.setPosition(cell.lastCursorPosition().position(), QTextCursor.MoveMode.KeepAnchor)
    return cursor.selectedText().replace("\u2028", " ")
