"""Paragraphs in a text document: one text block each, and only what changed is written again."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtGui import QTextBlockFormat, QTextCursor, QTextDocument

from assistant.ui.widgets.chat.blocks import Paragraph, Run, Runs
from assistant.ui.widgets.chat.code_tokens import utf16_length
from assistant.ui.widgets.chat.prose_formats import ProseFormats

_LINE_BREAK = "\u2028"


def write_runs(cursor: QTextCursor, runs: Sequence[Run], formats: ProseFormats, level: int = 0) -> None:
    """Insert `runs` at the cursor; a line break stays in its paragraph."""
    for run in runs:
        cursor.insertText(run.text.replace("\n", _LINE_BREAK), formats.character(run, level))


class ProseDocument:
    """Writes paragraphs into `document` and remembers them.

    Attributes:
        document: one block for each paragraph, in order.
        paragraphs: what it shows.
    """

    def __init__(self, document: QTextDocument, formats: ProseFormats) -> None:
        self.document = document
        self.paragraphs: list[Paragraph] = []
        self._formats = formats

    def show(self, paragraphs: Sequence[Paragraph]) -> None:
        """Show these from now on. Text that stays keeps its place, and so does a selection in it."""
        old = self.paragraphs
        same = 0
        limit = min(len(old), len(paragraphs))
        while same < limit and old[same] == paragraphs[same]:
            same += 1
        if same == len(old) == len(paragraphs):
            return
        cursor = QTextCursor(self.document)
        cursor.beginEditBlock()
        if same < limit:
            self._rewrite(cursor, same, paragraphs)
            same += 1
        self._cut(cursor, same, paragraphs)
        for index in range(same, len(paragraphs)):
            self._append(cursor, index, paragraphs)
        cursor.endEditBlock()
        self.paragraphs = list(paragraphs)

    def _rewrite(self, cursor: QTextCursor, index: int, paragraphs: Sequence[Paragraph]) -> None:
        """Make block `index` show its paragraph, leaving the text that both have in common alone."""
        old, new = self.paragraphs[index], paragraphs[index]
        block = self.document.findBlockByNumber(index)
        above = paragraphs[index - 1] if index else None
        cursor.setPosition(block.position())
        self._format(cursor, new, above)
        keep, rest = _common(old.runs, new.runs) if old.level == new.level else (0, new.runs)
        cursor.setPosition(block.position() + keep)
        cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
        if cursor.hasSelection():
            cursor.removeSelectedText()
        write_runs(cursor, rest, self._formats, new.level)

    def _cut(self, cursor: QTextCursor, count: int, paragraphs: Sequence[Paragraph]) -> None:
        """Remove all blocks from the number `count` on."""
        if count >= len(self.paragraphs):
            return
        block = self.document.findBlockByNumber(count)
        cursor.setPosition(max(0, block.position() - 1))
        cursor.movePosition(QTextCursor.MoveOperation.End, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        # A block that is empty takes over the format of what was removed after it.
        if count:
            above = paragraphs[count - 2] if count > 1 else None
            self._format(cursor, paragraphs[count - 1], above)
        else:
            cursor.setBlockFormat(QTextBlockFormat())

    def _append(self, cursor: QTextCursor, index: int, paragraphs: Sequence[Paragraph]) -> None:
        paragraph = paragraphs[index]
        above = paragraphs[index - 1] if index else None
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if index:
            cursor.insertBlock()
        self._format(cursor, paragraph, above)
        write_runs(cursor, paragraph.runs, self._formats, paragraph.level)

    def _format(self, cursor: QTextCursor, paragraph: Paragraph, above: Paragraph | None) -> None:
        cursor.setBlockFormat(self._formats.block(paragraph, above))
        cursor.setBlockCharFormat(self._formats.character(Run(""), paragraph.level))


def _common(old: Runs, new: Runs) -> tuple[int, Runs]:
    """How many UTF-16 units both begin with in the same look, and what `new` has after that."""
    units = 0
    for index, run in enumerate(new):
        if index >= len(old) or not run.looks_like(old[index]):
            return units, new[index:]
        if run.text != old[index].text:
            if run.text.startswith(old[index].text):
                shared = len(old[index].text)
                return units + utf16_length(run.text[:shared]), (
                    run._replace(text=run.text[shared:]),
                    *new[index + 1 :],
                )
            return units, new[index:]
        units += utf16_length(run.text)
    return units, ()
