"""A virtual list of messages: widgets exist for those in sight and next to it, and nothing ever jumps."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QWidget

from assistant.ui.models.messages import MessageItem
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.tokens import READING_WIDTH
from assistant.ui.widgets.chat.focus_order import leave, tab_stops
from assistant.ui.widgets.chat.live_widgets import LiveWidgets, has_focus
from assistant.ui.widgets.chat.message_list import MESSAGE_GAP, MessageList
from assistant.ui.widgets.chat.message_widget import MessageWidget
from assistant.ui.widgets.chat.placement import Anchor, Placement, Viewport

PADDING = SPACE.xl
_STEP = 40
_NOTCH = 96
_FAR = -1_000_000
_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class MessageScroller(QAbstractScrollArea):
    """Places message widgets. Heights are estimated until a message comes near; the anchor keeps what is read in
    its place when an estimate turns out wrong, when a message grows, and when messages are added above.

    Signals:
        arranged: other messages are in sight, or the same ones elsewhere.
    """

    arranged = Signal()

    def __init__(
        self, theme: Theme, make: Callable[[QWidget, MessageItem], MessageWidget], parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self.messages = MessageList(READING_WIDTH)
        self._widgets = LiveWidgets(self.viewport(), self.messages, make)
        self._anchor = Anchor(offset=PADDING)
        self._in_sight = range(0)
        self._wheel_rest = 0.0
        self._setting_bar = False
        self._arranging = False
        self._shows_focus = False
        self._ahead = QTimer(self)
        self._ahead.setSingleShot(True)
        self._ahead.setInterval(0)
        self._ahead.timeout.connect(self._prepare_one)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setProperty("kind", "page")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(_STEP)

    @property
    def is_at_end(self) -> bool:
        """Whether the end of the conversation is in sight and stays there when it grows."""
        return self._anchor.pinned

    @property
    def in_sight(self) -> range:
        """The positions of the messages that can be seen."""
        return self._in_sight

    def widget(self, message_id: str) -> MessageWidget | None:
        """The widget of a message, None when it has none at present."""
        return self._widgets.get(message_id)

    def widgets(self) -> list[MessageWidget]:
        """All that there are at present."""
        return [widget for _, widget in self._widgets]

    def measured(self, message_id: str) -> int:
        """The true height of a message, gap included."""
        return self._widgets.measure(self.messages.index(message_id))

    def widget_count(self) -> int:
        """How many messages have a widget."""
        return len(self._widgets)

    def keeps(self, widget: MessageWidget) -> bool:
        """Whether a widget out of sight must stay."""
        return has_focus(widget)

    def may_prepare(self) -> bool:
        """Whether there is time to make widgets for messages out of sight."""
        return True

    # -- changing what there is

    def drop_widgets(self) -> None:
        """Forget all widgets; those in sight are made anew by `arrange`."""
        self._widgets.drop_all()

    def remeasure(self, message_id: str) -> None:
        """This message wants another height; `arrange` gives it."""
        self._widgets.forget_height(message_id)
        if message_id in self._widgets:
            self._widgets.measure(self.messages.index(message_id))

    def hold(self, message_id: str) -> None:
        """From now on this message stays where it is, instead of the end of the conversation."""
        widget = self._widgets.get(message_id)
        if widget is not None:
            self._anchor = Anchor(message_id, widget.y(), pinned=False)

    def hold_at(self, message_id: str, top: int) -> None:
        """As `hold`, with the top of the message `top` pixels below the top of the viewport. Below the end as much
        may stay empty as that takes, until one scrolls."""
        self._anchor = Anchor(message_id, top, pinned=False, room=self.viewport().height())

    def renamed(self, old: str, new: str) -> None:
        """A message in the list has another id."""
        self._widgets.rename(old, new)
        if self._anchor.message_id == old:
            self._anchor.message_id = new

    def removed(self, message_id: str, index: int) -> None:
        """The message that was at `index` is not in the list any more."""
        self._widgets.drop(message_id)
        if self._anchor.message_id == message_id:
            following = self.messages[min(index, len(self.messages) - 1)] if len(self.messages) else None
            self._anchor.message_id = following.message_id if following is not None else ""

    # -- scrolling

    def scroll_by(self, pixels: int) -> None:
        """Towards the end, or the beginning when negative."""
        if not len(self.messages) or not pixels:
            return
        if self._anchor.pinned:
            if pixels > 0:
                return
            self._anchor = self._top_anchor()
        self._anchor.offset -= pixels
        self.arrange()

    def scroll_to(self, message_id: str) -> None:
        """Bring the top of a message to the top.

        Raises:
            KeyError: no such message.
        """
        self.messages.index(message_id)
        self._anchor = Anchor(message_id, PADDING, pinned=False)
        self.arrange()

    def scroll_to_end(self) -> None:
        """Bring the end of the conversation into sight and keep it there."""
        self._anchor.pinned = True
        self.arrange()

    def reveal(self, widget: QWidget) -> None:
        """Scroll as little as needed to see `widget`, a part of a message."""
        top = widget.mapTo(self.viewport(), QPoint(0, 0)).y()
        bottom = top + widget.height()
        if top < SPACE.s:
            self.scroll_by(top - SPACE.s)
        elif bottom > self.viewport().height() - SPACE.s:
            self.scroll_by(min(top - SPACE.s, bottom + SPACE.s - self.viewport().height()))

    # -- placing

    def arrange(self) -> None:
        """Place the messages around the anchor."""
        if self._arranging or not self.isVisible():
            return
        self._arranging = True
        try:
            self._place()
        finally:
            self._arranging = False
        self._show_bar()
        self.arranged.emit()
        self._ahead.start()

    def _place(self) -> None:
        if not len(self.messages):
            self._anchor = Anchor(offset=PADDING)
            self._in_sight = range(0)
            self.drop_widgets()
            return
        area = Viewport(self.viewport().height(), PADDING, MESSAGE_GAP)
        room = 0 if self._anchor.pinned else self._anchor.room
        placement = Placement(len(self.messages), self._widgets.measure, area, room=room)
        if self._anchor.pinned or self._anchor.message_id not in self.messages:
            placement.from_end()
        else:
            placement.around(self.messages.index(self._anchor.message_id), self._anchor.offset)
        self._anchor.pinned, self._anchor.room = placement.at_end, placement.room
        self._show(placement.tops)

    def _show(self, places: dict[int, int]) -> None:
        height = self.viewport().height()
        seen: list[int] = []
        for index in sorted(places):
            widget = self._widgets.get(self.messages[index].message_id)
            assert widget is not None
            tall = self._widgets.measure(index)
            y = places[index]
            inside = y < height and y + tall > 0
            widget.setGeometry(0, y, self.viewport().width(), tall - MESSAGE_GAP)
            if inside:
                seen.append(index)
                if widget.isHidden():
                    widget.show()
        self._in_sight = range(seen[0], seen[-1] + 1) if seen else range(0)
        if seen:
            self._anchor.message_id = self.messages[seen[0]].message_id
            self._anchor.offset = places[seen[0]]
        self._retire()

    def _retire(self) -> None:
        """Hide what is out of sight, and drop what is far."""
        near = self._near()
        for message_id, widget in self._widgets:
            index = self.messages.index(message_id)
            if index in self._in_sight:
                continue
            if index in near or self.keeps(widget):
                # Hiding would take the focus away.
                widget.move(0, _FAR) if has_focus(widget) else widget.hide()
            else:
                self._widgets.drop(message_id)

    def _near(self) -> range:
        """The positions within one viewport of what is in sight."""
        if not self._in_sight:
            return range(0)
        height = self.viewport().height()
        heights = self.messages.heights
        top = heights.offset(self._in_sight[0]) - height
        bottom = heights.offset(self._in_sight[-1] + 1) + height
        return range(heights.at(max(0, top)), heights.at(bottom) + 1)

    def _prepare_one(self) -> None:
        """Make the widget of one message that is near, so that scrolling finds it made."""
        if not self.isVisible() or not self.may_prepare():
            return
        near = self._near()
        if not near:
            return
        below, above = (
            range(self._in_sight[-1] + 1, near[-1] + 1),
            range(self._in_sight[0] - 1, near[0] - 1, -1),
        )
        for index in (*below, *above):
            if self.messages[index].message_id not in self._widgets:
                self._widgets.measure(index)
                self._show_bar()
                self._ahead.start()
                return

    def _column(self) -> int:
        # The whole width, so that the text does not move when the scroll bar appears.
        return max(120, min(self.width() - 2 * SPACE.xxl, READING_WIDTH))

    def _top_anchor(self) -> Anchor:
        return Anchor(self._anchor.message_id, self._anchor.offset, pinned=False)

    # -- the scroll bar

    def _show_bar(self) -> None:
        bar = self.verticalScrollBar()
        height = self.viewport().height()
        self._setting_bar = True
        total = 2 * PADDING - MESSAGE_GAP + self.messages.heights.total if len(self.messages) else 0
        bar.setPageStep(height)
        bar.setRange(0, max(0, total + self._anchor.room - height))
        if self._anchor.pinned:
            bar.setValue(bar.maximum())
        elif self._anchor.message_id in self.messages:
            above = self.messages.heights.offset(self.messages.index(self._anchor.message_id))
            bar.setValue(above + PADDING - self._anchor.offset)
        self._setting_bar = False

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        """The bar was moved by the user."""
        if self._setting_bar or not len(self.messages):
            return
        bar = self.verticalScrollBar()
        if bar.value() >= bar.maximum():
            self.scroll_to_end()
            return
        index = self.messages.heights.at(max(0, bar.value() - PADDING))
        top = self.messages.heights.offset(index) + PADDING
        self._anchor = Anchor(self.messages[index].message_id, top - bar.value(), pinned=False)
        self.arrange()

    # -- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width means other heights; what is at the top stays there."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._change_width()
        self.arrange()

    def _change_width(self) -> None:
        message_id = self._anchor.message_id
        before = self.messages.heights[self.messages.index(message_id)] if message_id in self.messages else 0
        self.messages.set_column(self._column())
        self._widgets.set_column(max(0, (self.width() - self._column()) // 2), self._column())
        if before and self._anchor.offset < 0 and not self._anchor.pinned and self.isVisible():
            after = self._widgets.measure(self.messages.index(message_id))
            self._anchor.offset = self._anchor.offset * after // before

    def showEvent(self, event: QShowEvent) -> None:
        """Nothing was placed while it was hidden."""
        super().showEvent(event)
        self.arrange()

    def viewportSizeHint(self) -> QSize:
        """The reading column with its margins."""
        return QSize(READING_WIDTH + 2 * SPACE.xxl, 480)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Touch pads give pixels, wheels give notches."""
        if not event.pixelDelta().isNull():
            self.scroll_by(-event.pixelDelta().y())
        else:
            self._wheel_rest -= event.angleDelta().y() / 120 * _NOTCH
            pixels = int(self._wheel_rest)
            self._wheel_rest -= pixels
            self.scroll_by(pixels)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, Page Up and Down, Home and End scroll."""
        page = max(_STEP, self.viewport().height() - 2 * _STEP)
        steps = {
            Qt.Key.Key_Up: -_STEP, Qt.Key.Key_Down: _STEP, Qt.Key.Key_PageUp: -page, Qt.Key.Key_PageDown: page,
        }  # fmt: skip
        key = Qt.Key(event.key())
        if key in steps:
            self.scroll_by(steps[key])
        elif key == Qt.Key.Key_Home and len(self.messages):
            self.scroll_to(self.messages[0].message_id)
        elif key == Qt.Key.Key_End:
            self.scroll_to_end()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """A frame says that the keys scroll here, when the keyboard brought the focus."""
        self._shows_focus = event.reason() in _KEYBOARD
        self.viewport().update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The frame goes."""
        self._shows_focus = False
        self.viewport().update()
        super().focusOutEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The page, and the frame of the keyboard focus."""
        painter = QPainter(self.viewport())
        painter.fillRect(event.rect(), self._theme.color("window"))
        if self._shows_focus:
            painter.setPen(self._theme.color("accent"))
            painter.drawRect(QRect(QPoint(0, 0), self.viewport().size() - QSize(1, 1)))
        painter.end()

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the messages in sight from top to bottom, then on to what follows the conversation."""
        # Qt also asks when a message that has the focus is taken out: what was in sight may be gone.
        shown = (self.messages[index] for index in self._in_sight if index < len(self.messages))
        seen = (self._widgets.get(item.message_id) for item in shown)
        stops = tab_stops(widget for widget in seen if widget is not None)
        focus = QApplication.focusWidget()
        step = 1 if forward else -1
        if focus is self:
            wanted = 0 if forward else -2
        else:
            wanted = (stops.index(focus) if focus in stops else -1) + step
        if 0 <= wanted < len(stops):
            reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
            stops[wanted].setFocus(reason)
            self.reveal(stops[wanted])
            return True
        if wanted == -1:
            self.setFocus(Qt.FocusReason.BacktabFocusReason)
            return True
        return leave(self, forward=forward)
