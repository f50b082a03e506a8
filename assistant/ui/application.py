"""Qt's application, with the one event that it must not handle by itself."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication


class Application(QApplication):
    """Tells when it is asked to quit, instead of ending Qt's loop under asyncio's feet.

    An event filter could do the same, but it would see every event of every widget.

    Signals:
        quit_asked: by the system's menu, a logout, or QCoreApplication.quit().
    """

    quit_asked = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Quit:
            self.quit_asked.emit()
            return True
        return super().event(event)
