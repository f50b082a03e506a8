"""A table in a text document: hairlines between rows, aligned columns, padding."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
    QTextTableCell,
    QTextTableCellFormat,
    QTextTableFormat,
)

from assistant.ui.theme import SPACE, TYPE
from assistant.ui.widgets.chat.blocks import Align, Runs, Table
from assistant.ui.widgets.chat.prose_document import write_runs
from assistant.ui.widgets.chat.prose_formats import ProseFormats

_ALIGNMENTS = {
    "": Qt.AlignmentFlag.AlignLeading,
    "left": Qt.AlignmentFlag.AlignLeft,
    "center": Qt.AlignmentFlag.AlignHCenter,
    "right": Qt.AlignmentFlag.AlignRight,
}


class TableDocument:
    """Writes one table into `document`; a table that grows gets rows, a change above them writes it anew."""

    def __init__(self, document: QTextDocument, formats: ProseFormats) -> None:
        self.document = document
        self._formats = formats
        self._shown: Table | None = None
        self._table: QTextTable | None = None

    def show(self, table: Table) -> None:
        """Show this table from now on."""
        if table == self._shown:
            return
        cursor = QTextCursor(self.document)
        cursor.beginEditBlock()
        old = self._shown
        if (
            self._table is None
            or old is None
            or (old.header, old.aligns) != (table.header, table.aligns)
            or len(old.rows) > len(table.rows)
        ):
            self._write(cursor, table)
        else:
            if len(table.rows) > len(old.rows):
                self._table.appendRows(len(table.rows) - len(old.rows))
            for row, cells in enumerate(table.rows):
                if row >= len(old.rows) or old.rows[row] != cells:
                    self._write_row(self._table, row + 1, cells, table.aligns)
        cursor.endEditBlock()
        self._shown = table

    def _write(self, cursor: QTextCursor, table: Table) -> None:
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        form = QTextTableFormat()
        form.setBorder(0)
        form.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        form.setBorderCollapse(True)
        form.setCellSpacing(0)
        form.setCellPadding(0)
        form.setHeaderRowCount(1)
        self._table = cursor.insertTable(len(table.rows) + 1, len(table.aligns), form)
        self._write_row(self._table, 0, table.header, table.aligns)
        for row, cells in enumerate(table.rows):
            self._write_row(self._table, row + 1, cells, table.aligns)
        self._flatten_edges(cursor)

    def _flatten_edges(self, cursor: QTextCursor) -> None:
        """The blocks that every document keeps before and after a table take no room."""
        nothing = QTextBlockFormat()
        nothing.setLineHeight(0, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
        for block in (self.document.firstBlock(), self.document.lastBlock()):
            cursor.setPosition(block.position())
            cursor.setBlockFormat(nothing)

    def _write_row(
        self, table: QTextTable, row: int, cells: tuple[Runs, ...], aligns: tuple[Align, ...]
    ) -> None:
        for column, runs in enumerate(cells):
            cell = table.cellAt(row, column)
            cursor = cell.firstCursorPosition()
            end = cell.lastCursorPosition().position()
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            if cursor.hasSelection():
                cursor.removeSelectedText()
            block = QTextBlockFormat()
            block.setAlignment(_ALIGNMENTS[aligns[column]])
            block.setLineHeight(
                round(TYPE.reading * 1.4), QTextBlockFormat.LineHeightTypes.MinimumHeight.value
            )
            cursor.setBlockFormat(block)
            if row == 0:
                runs = tuple(run._replace(bold=True) for run in runs)
            write_runs(cursor, runs, self._formats)
            # Last, because the block's own character format is where Qt keeps the cell's.
            self._style(cell, is_header=row == 0, is_first=column == 0)

    def _style(self, cell: QTextTableCell, *, is_header: bool, is_first: bool) -> None:
        form = QTextTableCellFormat()
        form.setTopPadding(SPACE.xs + 2)
        form.setBottomPadding(SPACE.xs + 2)
        form.setLeftPadding(0 if is_first else SPACE.m)
        form.setRightPadding(SPACE.m)
        form.setBottomBorder(1)
        form.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
        tokens = self._formats.tokens
        form.setBottomBorderBrush(QBrush(QColor(tokens.muted if is_header else tokens.line)))
        cell.setFormat(form)
