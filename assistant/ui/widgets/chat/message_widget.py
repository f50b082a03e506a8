"""One message: what both kinds have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from PySide6.QtCore import QEvent, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QEnterEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QTextEdit, QWidget

from assistant.ui.models.messages import MessageItem
from assistant.ui.theme import SPACE, Theme
from assistant.ui.widgets.chat.actions_row import (
    COPY,
    EDIT,
    REMEMBER,
    RETRY,
    ROW_HEIGHT,
    SENT,
    Action,
    ActionsRow,
)
from assistant.ui.widgets.chat.chips import MemoryChips
from assistant.ui.widgets.chat.code_block import CodeBlock
from assistant.ui.widgets.chat.error_card import ErrorCard
from assistant.ui.widgets.chat.flow import place_label
from assistant.ui.widgets.chat.prose_formats import ProseFormats
from assistant.ui.widgets.chat.text_view import TextView

GAP = SPACE.s
_LINE = 3
_NOTES = {"stopped": "Stopped", "cut": "The connection ended here; this part was kept."}


class SelectableText(Protocol):
    """A part of a message whose text can be selected."""

    def selected_text(self) -> str: ...

    def clear_selection(self) -> None: ...


class MessageWidget(QWidget):
    """The parts below a message's text: notes, error, chips, actions. Subclasses place the text above them.

    Signals:
        copy_requested, retry_requested, edit_requested, memories_requested, model_requested, sent_requested: the button
            was pressed.
        variant_requested: the version before (-1) or after (1) is to be shown.
        remember_requested: the selected text, or "" for all of it.
        undo_requested: the id of the memory to take back.
        facts_requested(action, ids): see MemoryChips.
        link_activated: the address of a link.
        selection_changed: the text that has a selection now, or a different one.
        dragged: the text in which the pointer selects, and where the pointer is on the screen.
        drag_ended: the button was let go.
        resized: it wants another height; true when the user asked for it.
    """

    copy_requested = Signal()
    retry_requested = Signal()
    edit_requested = Signal()
    variant_requested = Signal(int)
    memories_requested = Signal()
    model_requested = Signal()
    sent_requested = Signal()
    remember_requested = Signal(str)
    undo_requested = Signal(str)
    facts_requested = Signal(str, object)
    link_activated = Signal(str)
    selection_changed = Signal(object)
    dragged = Signal(object, QPoint)
    drag_ended = Signal()
    resized = Signal(bool)

    def __init__(self, parent: QWidget, theme: Theme, formats: ProseFormats, item: MessageItem) -> None:
        super().__init__(parent)
        self.theme = theme
        self.formats = formats
        self.item = item
        self._error: ErrorCard | None = None
        self._chips: MemoryChips | None = None
        self._note: QLabel | None = None
        self._memory_note: QLabel | None = None
        self._context_note: QLabel | None = None
        self.action_row = ActionsRow(self, theme, self._offered(), item.created_at, right=item.role == "user")
        self.action_row.triggered.connect(self._act)
        self.action_row.variant_requested.connect(self.variant_requested)
        self._switchable = True
        self._pointed_out = False
        self._edge = 0

    @property
    def error_card(self) -> ErrorCard | None:
        """The error under the message."""
        return self._error

    @property
    def chips(self) -> MemoryChips | None:
        """What memory did; None until there was something."""
        return self._chips

    def texts(self) -> Sequence[SelectableText]:
        """The selectable texts from top to bottom."""
        raise NotImplementedError

    def code_blocks(self) -> Sequence[CodeBlock]:
        """The code blocks from top to bottom."""
        return ()

    def show_item(self, item: MessageItem) -> None:
        """Show `item`, which is the same message in another state."""
        previous, self.item = self.item, item
        self._memory_note = self._labelled(self._memory_note, item.memory_note)
        self._context_note = self._labelled(self._context_note, item.context_note)
        self._note = self._labelled(self._note, _NOTES.get(item.state, ""))
        if item.error != (previous.error if self._error is not None else None):
            self._show_error()
        if (item.recalled or item.remembered) and self._chips is None:
            self._chips = MemoryChips(self, self.theme)
            self._chips.memories_requested.connect(self.memories_requested)
            self._chips.undo_requested.connect(self.undo_requested)
            self._chips.facts_requested.connect(self.facts_requested)
            self._chips.resized.connect(lambda: self.resized.emit(True))
            self._chips.show()
        if self._chips is not None:
            self._chips.show_item(item)
        self._show_variants()
        self.action_row.setVisible(item.state != "streaming")

    def set_switchable(self, switchable: bool) -> None:
        """Whether another version of the message may be shown now."""
        if switchable != self._switchable:
            self._switchable = switchable
            self._show_variants()

    def point_out(self, pointed: bool) -> None:
        """Draw a line beside the message that one was looking for, or take it away."""
        self._pointed_out = pointed
        self.update()

    def find_words(self, words: str) -> QRect | None:
        """Select the first of these words in the message; where it is, None when it is in no text."""
        wanted = [words, *sorted(words.split(), key=len, reverse=True)]
        for word in filter(None, wanted):
            for text in self.texts():
                if isinstance(text, QTextEdit | QPlainTextEdit):
                    cursor = text.document().find(word)
                    if not cursor.isNull():
                        text.setTextCursor(cursor)
                        place = text.cursorRect(cursor)
                        return place.translated(text.viewport().mapTo(self, QPoint(0, 0)))
        return None

    def paintEvent(self, event: QPaintEvent) -> None:
        """The line beside a message that is pointed out."""
        if self._pointed_out:
            painter = QPainter(self)
            height = self.action_row.y() - SPACE.xs
            painter.fillRect(max(0, self._edge), 0, _LINE, height, self.theme.color("accent"))
            painter.end()

    def differs_beside_text(self, item: MessageItem) -> bool:
        """Whether `item` has anything but its text that is not shown yet."""
        return item != self.item.with_(text=item.text)

    def arrange(self, width: int, left: int, column: int) -> int:
        """Lay out in `width` pixels with the text in the `column` pixels from `left` on; the height it takes."""
        raise NotImplementedError

    def arrange_below(self, y: int, left: int, column: int) -> int:
        """Place what stands below the text, which ends at `y`; where the message ends."""
        right = self.item.role == "user"
        for note in (self._memory_note, self._context_note, self._note):
            if note is not None and not note.isHidden():
                y += GAP
                y += place_label(note, left, y, column)
        if self._error is not None:
            height = self._error.height_at(column)
            y += GAP if y else 0
            self._error.setGeometry(left, y, column, height)
            y += height
        if self._chips is not None and (self.item.recalled or self.item.remembered):
            y += SPACE.m
            height = self._chips.height_at(column, right=right)
            self._chips.setGeometry(left, y, column, height)
            y += height
        y += SPACE.xs
        self._edge = left + column + SPACE.m - _LINE if right else left - SPACE.m
        inset = SPACE.xs + SPACE.xs // 2
        self.action_row.setGeometry(left if right else left - inset, y, column + inset, ROW_HEIGHT)
        self.action_row.lay_out(column + inset)
        return y + ROW_HEIGHT

    def watch(self, view: TextView) -> None:
        """Pass on what happens in a text of this message."""
        view.link_activated.connect(self.link_activated)
        view.remember_requested.connect(self.remember_requested)
        view.selection_changed.connect(lambda: self.selection_changed.emit(view))
        view.dragged.connect(lambda pointer: self.dragged.emit(view, pointer))
        view.drag_ended.connect(self.drag_ended)

    def enterEvent(self, event: QEnterEvent) -> None:
        """The pointer is over the message: its actions are seen."""
        self.action_row.set_hovered(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """The pointer went elsewhere."""
        self.action_row.set_hovered(False)
        super().leaveEvent(event)

    def _offered(self) -> tuple[Action, ...]:
        return (COPY, EDIT, REMEMBER) if self.item.role == "user" else (COPY, RETRY, REMEMBER, SENT)

    def _act(self, name: str) -> None:
        if name == COPY.name:
            self.action_row.confirm_copy()
            self.copy_requested.emit()
        elif name == RETRY.name:
            self.retry_requested.emit()
        elif name == SENT.name:
            self.sent_requested.emit()
        elif name == EDIT.name:
            self.edit_requested.emit()
        else:
            self.remember_requested.emit("")

    def _show_variants(self) -> None:
        self.action_row.show_variants(self.item.variant, self.item.variants, usable=self._switchable)

    def _show_error(self) -> None:
        if self._error is not None:
            self._error.hide()
            self._error.deleteLater()
            self._error = None
        if self.item.error is not None:
            self._error = ErrorCard(self, self.theme, self.item.error)
            self._error.retry_requested.connect(self.retry_requested)
            self._error.model_requested.connect(self.model_requested)
            self._error.resized.connect(lambda: self.resized.emit(True))
            self._error.show()

    def _labelled(self, label: QLabel | None, text: str) -> QLabel | None:
        if label is None and text:
            label = QLabel(self)
            label.setTextFormat(Qt.TextFormat.PlainText)
            label.setProperty("kind", "muted")
            label.setWordWrap(True)
        if label is not None:
            label.setText(text)
            label.setVisible(bool(text))
        return label
