"""Where a message is typed."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QInputMethodEvent, QKeyEvent, QResizeEvent, QTextBlock
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QSizePolicy, QWidget

from assistant.ui.theme import TYPE
from assistant.ui.widgets.chat.cleaning import clean

MOST_LINES = 8
LONGEST_PIECE = 4_000
_SEAM = "\u2060\u200b\u2060"


class ComposerInput(QPlainTextEdit):
    """Plain text that grows to `MOST_LINES` lines.

    A line of more than `LONGEST_PIECE` characters is held in pieces, since laying out one line of a megabyte at
    every key would take a third of a second. A piece ends with a seam of characters that have no width, which goes
    through editing and undo like any text; `text()` has neither the seam nor the line break after it.

    Signals:
        submitted: Enter was pressed, outside of an input method's composition.
        escaped: Esc was pressed.
        went_up: Up was pressed, and there is no text to go up in.
        focus_changed: it has the focus now, or has lost it.
        grown: another height is wanted.
    """

    submitted = Signal()
    escaped = Signal()
    went_up = Signal()
    focus_changed = Signal(bool)
    grown = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "composer")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setTabChangesFocus(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWordWrapMode(self.wordWrapMode().WrapAtWordBoundaryOrAnywhere)
        font = self.font()
        font.setPixelSize(TYPE.reading)
        self.setFont(font)
        self.document().setDocumentMargin(2)
        self._composing = False
        self._height = 0
        self.textChanged.connect(self._grow)
        self._grow()

    @property
    def is_composing(self) -> bool:
        """Whether an input method shows text that is not final."""
        return self._composing

    def text(self) -> str:
        """What was typed, exactly, no-break spaces included."""
        return _joined(self.document().toRawText())

    def length(self) -> int:
        """About how many characters there are; cheap."""
        return self.document().characterCount() - 1

    def set_text(self, text: str) -> None:
        """Another text, with the cursor at its end."""
        self.clear()
        self._insert(text)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Paste and drop take text only."""
        if source.hasText():
            self._insert(source.text())

    def createMimeDataFromSelection(self) -> QMimeData:
        """Copy gives what `text` would."""
        content = QMimeData()
        content.setText(_joined(self.textCursor().selectedText()))
        return content

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Text only."""
        return source.hasText()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Keep track of whether the input method is in the middle of something."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)
        self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends, Shift+Enter breaks the line, Esc is passed on."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._composing:
                event.ignore()
            elif event.modifiers() & (Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier):
                self.textCursor().insertBlock()
                self.ensureCursorVisible()
            else:
                self.submitted.emit()
        elif event.key() == Qt.Key.Key_Escape and not self._composing:
            self.escaped.emit()
        elif event.key() == Qt.Key.Key_Up and not self._composing and not self.length():
            self.went_up.emit()
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The card around it shows the focus."""
        super().focusInEvent(event)
        self.focus_changed.emit(True)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """A composition ends with the focus."""
        super().focusOutEvent(event)
        self._composing = False
        self.focus_changed.emit(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lines wrap elsewhere at another width."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._grow()
        if self.verticalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff:
            # It scrolled to the cursor before it had grown.
            self.verticalScrollBar().setValue(0)

    def sizeHint(self) -> QSize:
        """As high as its lines, up to `MOST_LINES`."""
        return QSize(200, self._height)

    def minimumSizeHint(self) -> QSize:
        """The same: the height is not negotiable."""
        return QSize(80, self._height)

    def _insert(self, text: str) -> None:
        cursor = self.textCursor()
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        cursor.insertText("\n".join(_in_pieces(line) for line in clean(text).split("\n")))
        cursor.endEditBlock()
        self.setTextCursor(cursor)
        self.ensureCursorVisible()

    def _grow(self) -> None:
        line = self.fontMetrics().lineSpacing()
        lines = 0
        block: QTextBlock = self.document().begin()
        while block.isValid() and lines < MOST_LINES:
            self.document().documentLayout().blockBoundingRect(block)
            lines += max(1, block.layout().lineCount())
            block = block.next()
        more = block.isValid() or lines > MOST_LINES
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if more else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)
        height = min(lines, MOST_LINES) * line + 2 * round(self.document().documentMargin())
        if height != self._height:
            self._height = height
            self.updateGeometry()
            self.grown.emit()


def _in_pieces(line: str) -> str:
    if len(line) <= LONGEST_PIECE:
        return line
    pieces = (line[start : start + LONGEST_PIECE] for start in range(0, len(line), LONGEST_PIECE))
    return f"{_SEAM}\n".join(pieces)


def _joined(raw: str) -> str:
    # U+2029 is the document's own line end, U+2028 what Shift+Enter of some input methods leaves.
    text = raw.replace("\u2029", "\n").replace("\u2028", "\n")
    return text.replace(f"{_SEAM}\n", "").replace(_SEAM, "")
