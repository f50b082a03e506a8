"""Python's cycle collector, in the window's thread only.

Left to itself the collector runs in whichever thread allocates. A cycle that holds a dialog would then be taken apart
in a worker thread, and Qt does not survive a widget that is deleted outside its own thread.
"""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimer

_INTERVAL_MS = 500
_THRESHOLDS = (5_000, 10, 20)
"""Objects, then collections of the younger generation, after which a generation is looked through."""


class GarbageCollector(QObject):
    """Looks for cycles from a timer, as often as there is reason to.

    The automatic collector is off from the start of this object to `stop`.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        gc.disable()
        self._timer = QTimer(self)
        self._timer.setInterval(_INTERVAL_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def look(self) -> int | None:
        """Collect what is due; the generation that was collected, None for nothing."""
        counts = gc.get_count()
        if counts[0] <= _THRESHOLDS[0]:
            return None
        generation = 2 if counts[2] > _THRESHOLDS[2] else 1 if counts[1] > _THRESHOLDS[1] else 0
        gc.collect(generation)
        return generation

    def stop(self) -> None:
        """Give the work back to Python. Safe to call twice."""
        self._timer.stop()
        gc.enable()
