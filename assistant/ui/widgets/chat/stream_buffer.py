"""Text that arrives faster than it is worth painting."""

from __future__ import annotations

from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer, Signal

FRAME_MS = 34
_IDLE_SHARE = 2.0
_LONGEST_MS = 1_000


class StreamBuffer(QObject):
    """Collects text by message and hands it on at most thirty times a second.

    When handling it takes long (a paragraph of many thousand characters), it hands on less often, so that a third
    of the time at most goes into it and the window stays usable.

    Signals:
        flushed: message id, and what came since the last time.
    """

    flushed = Signal(str, str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pieces: dict[str, list[str]] = {}
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(FRAME_MS)
        self._timer.timeout.connect(self.flush)

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._pieces

    @property
    def is_running(self) -> bool:
        """Whether any message streams."""
        return bool(self._pieces)

    def begin(self, message_id: str) -> None:
        """Text for this message is to come."""
        self._pieces.setdefault(message_id, [])
        if not self._timer.isActive():
            self._timer.start(FRAME_MS)

    def add(self, message_id: str, text: str) -> None:
        """More text.

        Raises:
            KeyError: the message does not stream.
        """
        self._pieces[message_id].append(text)

    def touch(self, message_id: str) -> None:
        """Something else about the message changed: it is handed on with the next text, or with none.

        Raises:
            KeyError: the message does not stream.
        """
        self._pieces[message_id].append("")

    def end(self, message_id: str) -> None:
        """No more text for this message; what was not handed on is dropped."""
        self._pieces.pop(message_id, None)
        if not self._pieces:
            self._timer.stop()

    def rename(self, old: str, new: str) -> None:
        """The message has another id."""
        if old in self._pieces:
            self._pieces[new] = self._pieces.pop(old)

    def clear(self) -> None:
        """No message streams."""
        self._pieces.clear()
        self._timer.stop()

    def flush(self) -> None:
        """Hand on what there is."""
        start = perf_counter()
        for message_id, pieces in list(self._pieces.items()):
            if pieces:
                text = "".join(pieces)
                pieces.clear()
                self.flushed.emit(message_id, text)
        spent = (perf_counter() - start) * 1000
        wanted = min(_LONGEST_MS, max(FRAME_MS, int(spent * _IDLE_SHARE)))
        if self._timer.isActive() and (wanted > FRAME_MS or self._timer.interval() > FRAME_MS):
            self._timer.start(wanted)
