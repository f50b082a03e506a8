"""Failures that nobody expected: logged, and told once with what is safe."""

from __future__ import annotations

import faulthandler
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import IO

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from assistant.core.errors import AssistantError

_log = logging.getLogger(__name__)

Report = Callable[[AssistantError], None]

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


def as_assistant_error(error: BaseException) -> AssistantError:
    """An error fit for a dialog: our own as they are, any other with its trace behind "Details"."""
    if isinstance(error, AssistantError):
        return error
    detail = "".join(traceback.format_exception(error))
    return AssistantError(
        "Keepsake met an error that it did not expect. What was shown as saved is safe.",
        hint="You can go on. If it comes back, restart Keepsake.",
        detail=detail,
    )


class CrashReports:
    """Catches what falls through and keeps a file for hard crashes.

    Args:
        folder: where crash.log lies.
        redact: removes keys from text before it is shown.
    """

    def __init__(self, folder: Path, redact: Callable[[str], str]) -> None:
        self._redact = redact
        self._report: Report | None = None
        self._file: IO[str] | None = None
        try:
            self._file = (folder / "crash.log").open("a", encoding="utf-8")
            faulthandler.enable(self._file)
        except OSError as exc:
            _log.warning("no crash file: %s", exc)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(self._on_qt_message)

    def tell(self, report: Report | None) -> None:
        """Show errors through `report` from now on (None: only log)."""
        self._report = report

    def failed(self, name: str, error: BaseException) -> None:
        """A task failed (the supervisor's handler)."""
        _log.error("task %s failed", name, exc_info=error)
        self._show(error)

    def close(self) -> None:
        """Undo the hooks. Safe to call twice."""
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        qInstallMessageHandler(None)
        if self._file is not None:
            faulthandler.disable()
            self._file.close()
            self._file = None

    def _show(self, error: BaseException) -> None:
        if self._report is not None:
            shown = as_assistant_error(error)
            shown.detail = self._redact(shown.detail)
            self._report(shown)

    def _on_exception(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        if issubclass(kind, KeyboardInterrupt):
            return
        _log.critical("unexpected", exc_info=(kind, error, trace))
        self._show(error)

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        _log.critical("unexpected in thread %s", args.thread, exc_info=args.exc_value)

    def _on_qt_message(self, kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        _log.log(_LEVELS.get(kind, logging.WARNING), "qt: %s", text)
