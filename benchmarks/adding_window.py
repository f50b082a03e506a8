"""The application in its window, at rest and while it adds facts: how late a precise 5 ms timer fires.

Started by benchmarks.adding; prints one line of JSON, or ends with what went wrong, after LIMIT seconds at the latest.

    python -m benchmarks.adding_window FACTS REST_SECONDS
"""

from __future__ import annotations

import asyncio
import faulthandler
import json
import sys
import time
import traceback

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer

import assistant.ui.app as app_module
from assistant.bootstrap import run_app
from assistant.memory.base import NewMemory
from benchmarks.adding import WINDOW_LIMIT, facts

_PERIOD_MS = 5
_SETTLE_SECONDS = 3.0


class Meter(QObject):
    """How late the window's thread is."""

    def __init__(self) -> None:
        super().__init__()
        self._late: list[float] = []
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_PERIOD_MS)
        self._timer.timeout.connect(self._tick)

    def start(self) -> None:
        self._late.clear()
        self._clock.start()
        self._timer.start()

    def stop(self) -> tuple[float, float]:
        """The 99th percentile and the longest, in milliseconds."""
        self._timer.stop()
        late = sorted(self._late)
        return late[int(len(late) * 0.99)], late[-1]

    def _tick(self) -> None:
        self._late.append(max(0.0, self._clock.nsecsElapsed() / 1e6 - _PERIOD_MS))
        self._clock.restart()


async def measured(app: app_module.App, count: int, rest: float) -> dict[str, float]:
    """The window's stalls at rest for `rest` seconds, then while `count` facts are added."""
    profile = app._services.profile
    new = [NewMemory(text) for text in facts(count)]
    await asyncio.sleep(_SETTLE_SECONDS)
    meter = Meter()
    meter.start()
    await asyncio.sleep(rest)
    idle = meter.stop()
    meter.start()
    begun = time.monotonic()
    await profile.memory.add_many(new, user_id=profile.owner_id)
    took = time.monotonic() - begun
    busy = meter.stop()
    return {
        "idle_p99": idle[0],
        "idle_max": idle[1],
        "p99": busy[0],
        "max": busy[1],
        "seconds": took,
    }


def main() -> int:
    """Run the application until it is measured."""
    count, rest = int(sys.argv[1]), float(sys.argv[2])
    del sys.argv[1:]
    # Whatever hangs says where, and ends.
    faulthandler.dump_traceback_later(WINDOW_LIMIT, exit=True)
    real_warm_up = app_module.App.warm_up

    async def warm_up(self: app_module.App) -> None:
        try:
            await real_warm_up(self)
            print(json.dumps(await measured(self, count, rest)), flush=True)
        except Exception:
            traceback.print_exc()
            raise
        finally:
            # A failure must not leave a window open that nobody closes.
            self.window.close()

    app_module.App.warm_up = warm_up  # type: ignore[method-assign]
    return run_app()


if __name__ == "__main__":
    sys.exit(main())
