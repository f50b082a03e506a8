"""What the window's tests share: Qt's own complaints fail the test that caused them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtWidgets import QApplication

ALLOWED_QT_MESSAGES = (
    # The offscreen platform has no window manager to tell about sizes.
    r"This plugin does not support propagateSizeHints\(\)",
    # The offscreen platform has no input focus to take or to hand on.
    r"This plugin does not support raise\(\)",
    r"This plugin does not support grabbing the keyboard",
    # Some fonts of a test machine carry tables that Qt cannot read; text is drawn with another one.
    r"OpenType support missing for .*",
)
_SERIOUS = (QtMsgType.QtWarningMsg, QtMsgType.QtCriticalMsg)


@pytest.fixture(autouse=True)
def qt_messages() -> Iterator[list[str]]:
    """The warnings of Qt during this test; one that is not allowed fails it.

    A test that provokes a warning on purpose takes it out of the list.
    """
    messages: list[str] = []

    def keep(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
        if kind in _SERIOUS and not any(re.fullmatch(allowed, message) for allowed in ALLOWED_QT_MESSAGES):
            messages.append(message)

    before: Any = qInstallMessageHandler(keep)
    yield messages
    qInstallMessageHandler(before)
    assert not messages, f"Qt warned: {messages}"


@pytest.fixture(autouse=True)
def slots_succeed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Qt can't pass on an exception of a slot or an event handler: it is printed, and here it fails the test."""
    raised: list[BaseException] = []
    printed = sys.excepthook

    def keep(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        raised.append(error)
        printed(kind, error, trace)

    monkeypatch.setattr(sys, "excepthook", keep)
    yield
    assert not raised, f"raised in a slot: {raised}"


@pytest.fixture(autouse=True)
def windows_close() -> Iterator[None]:
    """A window that a test leaves behind goes with it; each one left would make the next tests slower."""
    yield
    if QApplication.instance() is None:
        return
    for window in QApplication.topLevelWidgets():
        window.hide()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
