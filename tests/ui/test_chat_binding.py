"""The Qt binding that is installed can be used for hours."""

from __future__ import annotations

import sys
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget


def test_calls_into_qt_lose_no_reference_to_none(qapp: Any) -> None:
    # PySide6 6.12.0 on Python 3.11 drops one with every call that returns nothing; some thousand calls later the
    # interpreter ends with "none_dealloc".
    timer, widget = QTimer(), QWidget()
    before = sys.getrefcount(None)
    for number in range(300):
        timer.setInterval(number)
        widget.setGeometry(0, 0, number, number)
    assert sys.getrefcount(None) > before - 300
