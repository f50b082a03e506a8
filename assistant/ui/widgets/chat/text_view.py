"""Read-only text that is as high as it needs to be: the base of prose, tables and the user's own words."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import ceil

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QPointF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QTextCursor,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QMenu, QPlainTextEdit, QTextBrowser, QTextEdit, QToolTip, QWidget

SCROLLING_KEYS = (
    Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown, Qt.Key.Key_Home, Qt.Key.Key_End,
)  # fmt: skip


_BY_TAB = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)


class TextView(QTextBrowser):
    """Selectable text without scrolling of its own. It never loads anything and never follows a link itself.

    Signals:
        link_activated: a link was clicked, or pressed with Enter; its address.
        remember_requested: "Remember this" was chosen; the selected text, or "" for all of it.
        selection_changed: there is a selection now, or a different one.
        dragged: the pointer selects and is at this place on the screen.
        drag_ended: the button was let go.
    """

    link_activated = Signal(str)
    remember_requested = Signal(str)
    selection_changed = Signal()
    dragged = Signal(QPoint)
    drag_ended = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "prose")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setWordWrapMode(self.wordWrapMode().WrapAtWordBoundaryOrAnywhere)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        self.anchorClicked.connect(lambda url: self.link_activated.emit(_address(url)))
        self.highlighted.connect(self._show_address)
        self.selectionChanged.connect(self.selection_changed)

    def height_at(self, width: int) -> int:
        """Lay the text out in `width` pixels; the height it takes."""
        if self.lineWrapColumnOrWidth() != width:
            self.setLineWrapColumnOrWidth(width)
        return ceil(self.document().size().height())

    def ideal_width(self) -> int:
        """The width at which no line is wrapped."""
        return ceil(self.document().idealWidth()) + 1

    def selected_text(self) -> str:
        """The selection as plain text, empty without one."""
        return self.textCursor().selection().toPlainText().replace("\u2028", "\n").replace("\xa0", " ")

    def clear_selection(self) -> None:
        """Select nothing."""
        cursor = self.textCursor()
        if cursor.hasSelection():
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def loadResource(self, kind: int, name: QUrl | str) -> QByteArray:
        """Nothing: no image, no style sheet, no document, wherever it is said to be.

        It is an empty value and not none at all, for which the document would look by itself.
        """
        return QByteArray()

    def createMimeDataFromSelection(self) -> QMimeData:
        """The selection as plain text: the page's colours and fonts are of no use elsewhere."""
        content = QMimeData()
        content.setText(self.selected_text())
        return content

    def select_to(self, pointer: QPoint) -> None:
        """Go on selecting to a place on the screen, after the text moved under the pointer."""
        place = QPointF(self.viewport().mapFromGlobal(pointer))
        move = QMouseEvent(
            QEvent.Type.MouseMove,
            place,
            QPointF(pointer),
            Qt.MouseButton.NoButton,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        super().mouseMoveEvent(move)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Selecting by dragging is told, since the text may have to move for it."""
        super().mouseMoveEvent(event)
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The end of dragging is told."""
        super().mouseReleaseEvent(event)
        self.drag_ended.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """A turn of the wheel scrolls the conversation, unless it goes sideways over a wide table."""
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        if sideways and self.horizontalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Scrolling keys are the conversation's; copying and links are this text's."""
        if event.key() in SCROLLING_KEYS and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            event.ignore()
        elif event.matches(QKeySequence.StandardKey.Copy):
            self.copy_selection() if self.textCursor().hasSelection() else event.ignore()
        else:
            super().keyPressEvent(event)

    def copy_selection(self) -> None:
        """Put the selected text on the clipboard."""
        QGuiApplication.clipboard().setText(self.selected_text())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tab comes for the links: the first one (or the last) is marked at once."""
        super().focusInEvent(event)
        if event.reason() in _BY_TAB:
            QTextBrowser.focusNextPrevChild(self, event.reason() == Qt.FocusReason.TabFocusReason)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The mark of a link goes with the focus that Tab brought; a selection stays."""
        super().focusOutEvent(event)
        if event.reason() in _BY_TAB:
            self.clear_selection()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Copy, copy a link's address, remember."""
        menu = self.menu_at(self.viewport().mapFrom(self, event.pos()))
        menu.popup(event.globalPos())
        event.accept()

    def menu_at(self, position: QPoint) -> QMenu:
        """The context menu for a place in the viewport; it deletes itself when it closes."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        selected = self.selected_text()
        copying = menu.addAction("Copy", self.copy_selection)
        copying.setEnabled(bool(selected))
        address = self.anchorAt(position)
        if address:
            menu.addAction("Copy link", lambda: QGuiApplication.clipboard().setText(address))
        menu.addAction("Select all", self.selectAll)
        menu.addSeparator()
        title = "Remember selection" if selected else "Remember this"
        menu.addAction(title, lambda: self.remember_requested.emit(selected))
        return menu

    def leaveEvent(self, event: QEvent) -> None:
        """The tooltip of a link goes with the pointer."""
        QToolTip.hideText()
        super().leaveEvent(event)

    def _show_address(self, url: QUrl) -> None:
        if url.isEmpty():
            QToolTip.hideText()
            return
        address = _address(url)
        shown = address if len(address) <= 120 else f"{address[:100]} … {address[-18:]}"
        # Encoded addresses hold no markup characters but "&" and "'", and rich text is not wanted here at all.
        QToolTip.showText(QCursor.pos(), shown, self)


@contextmanager
def keeping_selection(view: QTextEdit | QPlainTextEdit) -> Iterator[None]:
    """Text that is added at the end meanwhile does not become part of a selection that ends there."""
    before = view.textCursor()
    selected, anchor, position = before.hasSelection(), before.anchor(), before.position()
    yield
    now = view.textCursor()
    if selected and max(now.anchor(), now.position()) > max(anchor, position):
        now.setPosition(anchor)
        now.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        view.setTextCursor(now)


def _address(url: QUrl) -> str:
    """The address in its encoded form, which can't pose as another one by characters that look alike."""
    return bytes(url.toEncoded().data()).decode("ascii")
