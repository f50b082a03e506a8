"""The conversation: what the window puts in, what the user asks for, and replies as they are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from assistant.ui.models.messages import MessageItem
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON, icon
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.drag_scroll import DragScroll
from assistant.ui.widgets.chat.markdown import BlockParser
from assistant.ui.widgets.chat.message_list import MESSAGE_GAP
from assistant.ui.widgets.chat.message_widget import MessageWidget, SelectableText
from assistant.ui.widgets.chat.pointing import Pointing
from assistant.ui.widgets.chat.prose_formats import ProseFormats
from assistant.ui.widgets.chat.reply_message import ReplyMessage
from assistant.ui.widgets.chat.scroller import MessageScroller
from assistant.ui.widgets.chat.stream_buffer import StreamBuffer
from assistant.ui.widgets.chat.user_message import UserMessage

_JUMP = 36
_NEAR_TOP = 3


class ConversationView(MessageScroller):
    """Shows messages and a reply that is being written. Ids are unique; calls for a message that is not shown (any
    more) do nothing.

    Attributes:
        pointing: shows which message one was looking for.

    While a message streams, its text comes through `extend_stream` only: the text of an item given to `update_item`
    is not looked at until `finish_stream`.

    Signals:
        copy_requested: message id; the text is on the clipboard already.
        retry_requested: message id; from its actions or its error.
        edit_requested: message id; one of the user.
        variant_requested: message id, and -1 for the version before it or 1 for the one after.
        remember_requested: message id, and the selected text or else the whole text of the message.
        remember_refused: that was asked for in a conversation of which nothing is kept.
        memories_requested: message id; the memories it used are to be shown.
        undo_requested: message id, memory id.
        facts_requested: what is to be done ("undo", "edit", "accept", "dismiss"), ids of memories.
        sent_requested: message id; what was sent for this reply is to be shown.
        model_requested: another model is to be chosen.
        link_activated: address of a link; nothing was opened.
        older_requested: the top is near and there are older messages; comes once until `prepend`.
        painted: the window was painted after more text came in.
    """

    copy_requested = Signal(str)
    retry_requested = Signal(str)
    edit_requested = Signal(str)
    variant_requested = Signal(str, int)
    remember_requested = Signal(str, str)
    remember_refused = Signal()
    memories_requested = Signal(str)
    undo_requested = Signal(str, str)
    facts_requested = Signal(str, object)
    sent_requested = Signal(str)
    model_requested = Signal()
    link_activated = Signal(str)
    older_requested = Signal()
    painted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, self._make_widget, parent)
        self._formats = ProseFormats(theme)
        self._parser = BlockParser()
        self._older = 0
        self._older_asked = False
        self._selected: SelectableText | None = None
        self._unpainted = False
        self._edited = ""
        self._keeps_nothing = False
        self.pointing = Pointing(self)
        self._switchable = True
        self._drag_scroll = DragScroll(self)
        self._buffer = StreamBuffer(self)
        self._buffer.flushed.connect(self._take_text)
        self.jump_button = QToolButton(self)
        self.jump_button.setProperty("kind", "jump")
        self.jump_button.setIconSize(ICON)
        self.jump_button.setFixedSize(_JUMP, _JUMP)
        self.jump_button.setToolTip("Go to the latest message")
        self.jump_button.setAccessibleName("Go to the latest message")
        self.jump_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.jump_button.clicked.connect(self.scroll_to_end)
        self.jump_button.hide()
        self.arranged.connect(self._look_around)
        theme.changed.connect(self._restyle)
        self.setAccessibleName("Conversation")

    # -- content

    def set_messages(self, items: Sequence[MessageItem], total_before: int = 0) -> None:
        """Show this conversation from its end; `total_before` messages come before the first of `items`."""
        self._buffer.clear()
        self._selected = None
        self.pointing.message_id = ""
        self.drop_widgets()
        self.messages.replace_all(items)
        self._older, self._older_asked = total_before, False
        for item in items:
            if item.state == "streaming":
                self._buffer.begin(item.message_id)
        self.scroll_to_end()

    def prepend(self, items: Iterable[MessageItem], total_before: int | None = None) -> None:
        """Older messages, which directly precede the first one, with `total_before` still older ones before them.
        When that is not said they are counted down, and no items means that there are no more."""
        older = list(items)
        if total_before is None:
            total_before = max(0, self._older - len(older)) if older else 0
        self._older = total_before
        self._older_asked = False
        self.messages.prepend(older)
        self.arrange()

    def append(self, item: MessageItem) -> None:
        """A new message. The user's own brings the end into sight."""
        self.messages.append(item)
        if item.state == "streaming":
            self._buffer.begin(item.message_id)
        if item.role == "user":
            self.scroll_to_end()
        else:
            self.arrange()

    def update_item(self, item: MessageItem) -> None:
        """Another state of a message; of one that streams, it is seen with the next repaint."""
        shown = self.item(item.message_id)
        if shown is None:
            return
        if item.message_id not in self._buffer:
            self._show_item(item)
        elif item.state == "streaming":
            self.messages.replace(item.with_(text=shown.text))
            self._buffer.touch(item.message_id)
        else:
            self.finish_stream(item)

    def remove(self, message_id: str) -> None:
        """Take a message out."""
        if message_id not in self.messages:
            return
        index = self.messages.index(message_id)
        self._buffer.end(message_id)
        self.messages.remove(message_id)
        self.removed(message_id, index)
        self.arrange()

    def replace_from(self, message_id: str, items: Sequence[MessageItem], *, hold: bool) -> None:
        """These instead of that message and all behind it: the path went on another way.

        Args:
            hold: the first of them stands where that message stood, instead of the end coming into sight.
        """
        if message_id not in self.messages:
            return
        index, before = self.messages.index(message_id), self.widget(message_id)
        switch = None if before is None else before.action_row.variants
        step = 0 if switch is None else switch.focused_step
        top, bottom = (0, 0) if before is None else (before.y(), before.geometry().bottom())
        for later in [item.message_id for item in self.messages][index:]:
            self._buffer.end(later)
            self.removed(later, index)
        self.messages.replace_from(index, items)
        for item in items:
            if item.state == "streaming":
                self._buffer.begin(item.message_id)
        if not hold or not items or before is None:
            self.scroll_to_end()
            return
        first = items[0].message_id
        # Of a message that begins above, what one sees and presses is its end.
        self.hold_at(first, top)
        if top < 0:
            self.hold_at(first, bottom + 1 - (self.measured(first) - MESSAGE_GAP))
        self.arrange()
        after = self.widget(first)
        if step and after is not None and after.action_row.variants is not None:
            after.action_row.variants.take_focus(step)

    def replace_id(self, old: str, new: str) -> None:
        """The message `old` is called `new` from now on."""
        if old == new or old not in self.messages:
            return
        self.messages.rename(old, new)
        self._buffer.rename(old, new)
        self.renamed(old, new)
        widget = self.widget(new)
        if widget is not None:
            widget.item = widget.item.with_(message_id=new)

    def scroll_to(self, message_id: str) -> None:
        """Bring the top of a message to the top."""
        if message_id in self.messages:
            super().scroll_to(message_id)

    def show_edited(self, message_id: str) -> None:
        """Mark the message that is being edited; empty for none."""
        before, self._edited = self._edited, message_id
        for each in (before, message_id):
            widget = self.widget(each)
            if isinstance(widget, UserMessage):
                widget.show_editing(each == message_id)

    def set_temporary(self, temporary: bool) -> None:
        """Whether nothing may be remembered from this conversation."""
        self._keeps_nothing = temporary

    def set_switchable(self, switchable: bool) -> None:
        """Whether another version of a message may be shown now."""
        self._switchable = switchable
        for widget in self.widgets():
            widget.set_switchable(switchable)

    def item(self, message_id: str) -> MessageItem | None:
        """A message as it is shown (of one that streams, the text up to the last repaint); None without one."""
        return self.messages[self.messages.index(message_id)] if message_id in self.messages else None

    def items(self) -> list[MessageItem]:
        """All messages in order."""
        return list(self.messages)

    # -- a reply as it is written

    def begin_stream(self, message_id: str) -> None:
        """Text for this message is to come."""
        item = self.item(message_id)
        if item is None:
            return
        self._buffer.begin(message_id)
        if item.state != "streaming":
            self._show_item(item.with_(state="streaming"))

    def extend_stream(self, message_id: str, text: str) -> None:
        """More text; it is shown with the next repaint, of which there are at most thirty a second."""
        if message_id not in self._buffer:
            self.begin_stream(message_id)
        if message_id in self._buffer:
            self._buffer.add(message_id, text)

    def finish_stream(self, item: MessageItem) -> None:
        """The reply is complete, or as complete as it gets; `item` is its final state."""
        self._buffer.flush()
        self._buffer.end(item.message_id)
        if item.message_id in self.messages:
            self._show_item(item)

    def keeps(self, widget: MessageWidget) -> bool:
        """A reply that is being written stays, and so does a selection."""
        if widget.item.message_id in self._buffer or super().keeps(widget):
            return True
        return self._selected is not None and any(text is self._selected for text in widget.texts())

    def may_prepare(self) -> bool:
        """Not while a reply is written: its repaints come first."""
        return not self._buffer.is_running

    def selected_text(self) -> str:
        """The selection in the conversation, empty without one."""
        return self._selected.selected_text() if self._selected is not None else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+C copies the selection, Esc ends it; the rest scrolls."""
        if event.matches(QKeySequence.StandardKey.Copy) and self.selected_text():
            self._copy(self.selected_text())
        elif event.key() == Qt.Key.Key_Escape and self._selected is not None:
            self._selected.clear_selection()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The page; counts the frames of a reply."""
        super().paintEvent(event)
        if self._unpainted:
            self._unpainted = False
            self.painted.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The button stays at the bottom."""
        super().resizeEvent(event)
        area = self.viewport().geometry()
        place = QPoint(area.center().x() - _JUMP // 2, area.bottom() - _JUMP - SPACE.m)
        self.jump_button.move(place)

    def _take_text(self, message_id: str, text: str) -> None:
        item = self.messages[self.messages.index(message_id)]
        item = item.with_(text=item.text + text)
        self.messages.replace(item)
        widget = self.widget(message_id)
        if isinstance(widget, ReplyMessage):
            if text:
                widget.extend(text)
            if widget.differs_beside_text(item):
                widget.show_item(item)
            self.remeasure(message_id)
        self._unpainted = True
        self.arrange()

    def _show_item(self, item: MessageItem) -> None:
        self.messages.replace(item)
        widget = self.widget(item.message_id)
        if widget is not None:
            widget.show_item(item)
            self.remeasure(item.message_id)
        self.arrange()

    def _make_widget(self, parent: QWidget, item: MessageItem) -> MessageWidget:
        widget: MessageWidget
        if item.role == "user":
            widget = UserMessage(parent, self._theme, self._formats, item)
            widget.show_editing(item.message_id == self._edited)
        else:
            widget = ReplyMessage(parent, self._theme, self._formats, self._parser, item)
        widget.set_switchable(self._switchable)
        self.pointing.mark(widget)
        widget.edit_requested.connect(lambda: self.edit_requested.emit(widget.item.message_id))
        widget.variant_requested.connect(
            lambda step: self.variant_requested.emit(widget.item.message_id, step)
        )
        widget.copy_requested.connect(lambda: self._copy_message(widget.item.message_id))
        widget.retry_requested.connect(lambda: self.retry_requested.emit(widget.item.message_id))
        widget.memories_requested.connect(lambda: self.memories_requested.emit(widget.item.message_id))
        widget.model_requested.connect(self.model_requested)
        widget.sent_requested.connect(lambda: self.sent_requested.emit(widget.item.message_id))
        widget.link_activated.connect(self.link_activated)
        widget.remember_requested.connect(lambda text: self._remember(widget.item.message_id, text))
        widget.undo_requested.connect(lambda memory: self.undo_requested.emit(widget.item.message_id, memory))
        widget.facts_requested.connect(self.facts_requested)
        widget.selection_changed.connect(self._select)
        widget.dragged.connect(self._drag_scroll.follow)
        widget.drag_ended.connect(self._drag_scroll.stop)
        widget.resized.connect(lambda by_user: self._resized(widget.item.message_id, by_user))
        return widget

    def _copy_message(self, message_id: str) -> None:
        self._copy(self.messages[self.messages.index(message_id)].text)
        self.copy_requested.emit(message_id)

    def _copy(self, text: str) -> None:
        QGuiApplication.clipboard().setText(clean(text))

    def _remember(self, message_id: str, text: str) -> None:
        if self._keeps_nothing:
            self.remember_refused.emit()
            return
        whole = self.messages[self.messages.index(message_id)].text
        self.remember_requested.emit(message_id, text or whole)

    def _select(self, text: SelectableText) -> None:
        """One selection in the conversation, not one in each text."""
        if not text.selected_text():
            if text is self._selected:
                self._selected = None
            return
        before, self._selected = self._selected, text
        if before is not None and before is not text:
            before.clear_selection()

    def _resized(self, message_id: str, by_user: bool) -> None:
        if by_user:
            self.hold(message_id)
        self.remeasure(message_id)
        self.arrange()

    def _look_around(self) -> None:
        """After a move: is the latest message far, is the oldest near."""
        bar = self.verticalScrollBar()
        far = not self.is_at_end and bar.maximum() - bar.value() > _JUMP * 2
        if far and self.jump_button.isHidden():
            self.jump_button.setIcon(icon("down", self._theme.tokens.text))
            self.jump_button.raise_()
        self.jump_button.setVisible(far)
        if self._older and not self._older_asked and self.in_sight and self.in_sight[0] <= _NEAR_TOP:
            self._older_asked = True
            QTimer.singleShot(0, self, self.older_requested.emit)

    def _restyle(self) -> None:
        self._selected = None
        self._formats = ProseFormats(self._theme)
        self.jump_button.setIcon(icon("down", self._theme.tokens.text))
        self.drop_widgets()
        self.arrange()
