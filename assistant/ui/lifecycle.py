"""From start to exit: one loop, one way to end it, and a deadline for closing."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import NoReturn

from PySide6.QtCore import QObject, QSocketNotifier
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from assistant.ui.application import Application

_log = logging.getLogger(__name__)

CLOSE_DEADLINE = 0.8
"""Seconds that closing may take; what is not closed by then is left to the next start, which repairs it."""


class Lifecycle(QObject):
    """Turns every way of ending the application into one event.

    Ways: the last window closed, Ctrl+Q, the system's session ending, SIGINT, SIGTERM, SIGHUP.

    Attributes:
        stop: set once the application should end.
    """

    def __init__(self, application: QApplication) -> None:
        super().__init__(application)
        self.stop = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        application.setQuitOnLastWindowClosed(False)
        application.lastWindowClosed.connect(self.request_stop)
        application.commitDataRequest.connect(self._session_ends)
        if isinstance(application, Application):
            application.quit_asked.connect(self.request_stop)
        self._restore_signals = self._catch_signals()

    def request_stop(self) -> None:
        """Ask the application to end; safe to call any number of times, from any place in the loop's thread."""
        self.stop.set()

    def release(self) -> None:
        """Give the signals back."""
        self._restore_signals()

    def _session_ends(self, manager: QSessionManager) -> None:
        manager.setRestartHint(QSessionManager.RestartHint.RestartNever)
        self.request_stop()

    def _catch_signals(self) -> Callable[[], None]:
        """Python runs signal handlers between byte codes only; a wake-up pipe makes Qt notice them at once."""
        if sys.platform == "win32":
            return lambda: None
        reader, writer = os.pipe()
        os.set_blocking(reader, False)
        os.set_blocking(writer, False)
        notifier = QSocketNotifier(reader, QSocketNotifier.Type.Read, self)
        notifier.activated.connect(lambda *_: self._drain(reader))
        old_wakeup = signal.set_wakeup_fd(writer)
        watched = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        old = {number: signal.signal(number, lambda *_: self.request_stop()) for number in watched}

        def restore() -> None:
            notifier.setEnabled(False)
            for number, handler in old.items():
                signal.signal(number, handler)
            signal.set_wakeup_fd(old_wakeup)
            os.close(reader)
            os.close(writer)

        return restore

    def _drain(self, reader: int) -> None:
        try:
            os.read(reader, 64)
        except BlockingIOError:
            return


def run(application: QApplication, main: Callable[[Lifecycle], Awaitable[int]]) -> int:
    """Run `main` on Qt's loop and return its exit code.

    `main` gets the lifecycle, waits for its `stop` and closes what it opened before it returns.
    """

    async def whole() -> int:
        restore = close_dropped_generators(asyncio.get_running_loop())
        lifecycle = Lifecycle(application)
        try:
            return await main(lifecycle)
        finally:
            lifecycle.release()
            restore()

    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        return runner.run(whole())


def close_dropped_generators(loop: asyncio.AbstractEventLoop) -> Callable[[], None]:
    """Close async generators that are dropped in mid-iteration, as asyncio's own loops do and qasync does not.

    Returns a function that puts the former hooks back.
    """
    before = sys.get_asyncgen_hooks()

    def close(generator: AsyncGenerator[object, object]) -> None:
        if not loop.is_closed():
            loop.call_soon_threadsafe(loop.create_task, generator.aclose())

    sys.set_asyncgen_hooks(finalizer=close)
    return lambda: sys.set_asyncgen_hooks(*before)


def leave(code: int) -> NoReturn:
    """End the process now.

    Everything that matters is closed and on disk by then. Taking the interpreter apart with its libraries takes
    longer than closing did, and a library's import or a running inference in a worker thread can't be interrupted.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


async def close_in_time(*steps: tuple[str, Callable[[], Awaitable[object]]]) -> None:
    """Run the closing steps in order within CLOSE_DEADLINE seconds in all; a late or failing one is logged."""
    loop = asyncio.get_running_loop()
    end = loop.time() + CLOSE_DEADLINE
    for name, step in steps:
        left = max(0.05, end - loop.time())
        try:
            async with asyncio.timeout(left):
                await step()
        except TimeoutError:
            _log.warning("closing: %s was not done in time", name)
        except Exception:  # noqa: BLE001 - a failing step must not keep the later ones from closing
            _log.exception("closing: %s failed", name)
