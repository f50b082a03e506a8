"""A selection that is dragged past the edge goes on beyond it."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, QTimer

from assistant.ui.widgets.chat.scroller import MessageScroller
from assistant.ui.widgets.chat.text_view import TextView

_TICK_MS = 30
_FASTEST = 60


class DragScroll(QObject):
    """Scrolls while the pointer, with its button held in a text, is above or below the conversation."""

    def __init__(self, scroller: MessageScroller) -> None:
        super().__init__(scroller)
        self._scroller = scroller
        self._text: TextView | None = None
        self._pointer = QPoint()
        self._timer = QTimer(self)
        self._timer.setInterval(_TICK_MS)
        self._timer.timeout.connect(self._tick)

    @property
    def is_running(self) -> bool:
        """Whether the pointer is outside and the button held."""
        return self._timer.isActive()

    def follow(self, text: TextView, pointer: QPoint) -> None:
        """The pointer moved to this place on the screen, selecting in `text`."""
        self._text, self._pointer = text, pointer
        if self._distance() and not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        """The button was let go."""
        self._timer.stop()
        self._text = None

    def _distance(self) -> int:
        """How far the pointer is below the viewport; negative above it."""
        area = self._scroller.viewport()
        y = area.mapFromGlobal(self._pointer).y()
        return min(y, 0) or max(y - area.height(), 0)

    def _tick(self) -> None:
        distance = self._distance()
        if not distance or self._text is None:
            self._timer.stop()
            return
        self._scroller.scroll_by(max(-_FASTEST, min(_FASTEST, distance)))
        self._text.select_to(self._pointer)
