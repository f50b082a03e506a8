"""The lines of a code block."""

from __future__ import annotations

from math import ceil

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QWidget

from assistant.ui.theme import TYPE, Theme
from assistant.ui.widgets.chat.text_view import SCROLLING_KEYS, keeping_selection


class CodeText(QPlainTextEdit):
    """Read-only code in the fixed-width font; grows at its end without touching what is there.

    Attributes:
        line_count: lines of code.

    Signals:
        remember_requested: "Remember this" was chosen; the selected text, or "" for all of it.
        selection_changed: there is a selection now, or a different one.
    """

    remember_requested = Signal(str)
    selection_changed = Signal()

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setProperty("kind", "code")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        font = theme.mono_font(TYPE.code)
        self.document().setDefaultFont(font)
        self.setFont(font)
        self.document().setDocumentMargin(0)
        self.setTabStopDistance(4 * self.fontMetrics().horizontalAdvance(" "))
        self._scrolls_inside = False
        self._shown = ""
        self.line_count = 1
        self.selectionChanged.connect(self.selection_changed)

    def show_code(self, text: str) -> None:
        """Show `text`; when it continues what is shown, only the rest is inserted."""
        if text == self._shown:
            return
        if text.startswith(self._shown):
            added = text[len(self._shown) :]
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            with keeping_selection(self):
                cursor.insertText(added)
            self.line_count += added.count("\n")
        else:
            self.setPlainText(text)
            self.line_count = text.count("\n") + 1
        self._shown = text

    def line_height(self) -> int:
        """The height of one line in pixels, as the layout makes it."""
        return ceil(self.blockBoundingRect(self.document().firstBlock()).height())

    def set_inner_scrolling(self, on: bool) -> None:
        """Whether it has a scroll bar and takes the wheel without having been clicked."""
        if on != self._scrolls_inside:
            self._scrolls_inside = on
            policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if on else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
            self.setVerticalScrollBarPolicy(policy)

    def selected_text(self) -> str:
        """The selection as plain text, empty without one."""
        return self.textCursor().selectedText().replace("\u2029", "\n")

    def clear_selection(self) -> None:
        """Select nothing."""
        cursor = self.textCursor()
        if cursor.hasSelection():
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def copy_selection(self) -> None:
        """Put the selected text on the clipboard."""
        QGuiApplication.clipboard().setText(self.selected_text())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the conversation, except sideways, and inside once the code was clicked."""
        delta = event.angleDelta() if event.pixelDelta().isNull() else event.pixelDelta()
        if abs(delta.x()) > abs(delta.y()):
            bar, amount = self.horizontalScrollBar(), delta.x()
        else:
            bar, amount = self.verticalScrollBar(), delta.y()
            if not (self._scrolls_inside or self.hasFocus()):
                event.ignore()
                return
        at_end = bar.value() <= bar.minimum() if amount > 0 else bar.value() >= bar.maximum()
        event.ignore() if at_end else super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scrolling keys are the conversation's unless there is more code than can be seen."""
        inside = self.verticalScrollBar().maximum() > 0
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.key() in SCROLLING_KEYS and not shifted and not inside:
            event.ignore()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection() if self.textCursor().hasSelection() else event.ignore()
        elif event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy, select, remember."""
        menu = self.menu_at(event.pos())
        menu.popup(event.globalPos())
        event.accept()

    def menu_at(self, position: QPoint) -> QMenu:
        """The context menu; it deletes itself when it closes."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selected = self.selected_text()
        menu.addAction("Copy", self.copy_selection).setEnabled(bool(selected))
        menu.addAction("Copy code", lambda: QGuiApplication.clipboard().setText(self._shown))
        menu.addAction("Select all", self.selectAll)
        menu.addSeparator()
        title = "Remember selection" if selected else "Remember this"
        menu.addAction(title, lambda: self.remember_requested.emit(selected))
        return menu
