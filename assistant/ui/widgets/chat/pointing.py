"""Shows which message one was looking for, and where in it."""

from __future__ import annotations

from assistant.ui.widgets.chat.message_widget import MessageWidget
from assistant.ui.widgets.chat.scroller import PADDING, MessageScroller


class Pointing:
    """Points out one message of a conversation at a time.

    Attributes:
        message_id: that message; empty for none.
    """

    def __init__(self, view: MessageScroller) -> None:
        self._view = view
        self.message_id = ""

    def begin(self, message_id: str, words: str = "") -> None:
        """Bring a message to the top, draw a line beside it, and select the first of these words in it."""
        view = self._view
        if message_id not in view.messages:
            return
        self.end()
        self.message_id = message_id
        view.scroll_to(message_id)
        widget = view.widget(message_id)
        if widget is None:
            return
        self.mark(widget)
        place = widget.find_words(words) if words else None
        if place is not None and widget.y() + place.bottom() > view.viewport().height() - 2 * PADDING:
            view.scroll_by(widget.y() + place.top() - view.viewport().height() // 3)

    def mark(self, widget: MessageWidget) -> None:
        """Draw the line, if this is the message."""
        widget.point_out(widget.item.message_id == self.message_id)

    def end(self) -> None:
        """No message is pointed out any more."""
        widget, self.message_id = self._view.widget(self.message_id), ""
        if widget is not None:
            widget.point_out(False)
