"""A page in a dialog that scrolls once it is longer than a dialog may be."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget

_MOST = 420
"""Pixels of a page that a dialog shows at once."""


class ScrolledPage(QScrollArea):
    """As high as its page at its width, up to a limit."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self._page = page
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        page.setProperty("kind", "page")
        self.setWidget(page)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        layout = self._page.layout()
        wanted = layout.totalHeightForWidth(width) if layout is not None else 0
        return min(max(wanted, 1), _MOST)

    def sizeHint(self) -> QSize:
        width = self.width() if self.width() > 0 else 400
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, 60)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setMinimumHeight(self.heightForWidth(self.viewport().width()))
