"""Side bar, centre and memory panel: which are seen, and where."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from assistant.ui.theme.tokens import MEMORY_WIDTH, SIDEBAR_WIDTH
from assistant.ui.widgets.memory_panel import MemoryPanel
from assistant.ui.widgets.sidebar import Sidebar

MEMORY_FOLDS_BELOW = 900
SIDEBAR_FOLDS_BELOW = 640
_SHADE = QColor(0, 0, 0, 56)


class Panes(QWidget):
    """The three in a row. What has no room is folded, and lies over the centre when it is asked for.

    Args:
        sidebar, centre, memory: from left to right.

    Signals:
        centre_wanted: an overlay, or the memory browser, was closed: the centre is what matters now.
    """

    centre_wanted = Signal()

    def __init__(self, sidebar: Sidebar, centre: QWidget, memory: MemoryPanel) -> None:
        super().__init__()
        self._sidebar, self._centre, self._memory = sidebar, centre, memory
        self._sidebar_wanted = self._memory_wanted = True
        self._over: QWidget | None = None
        self._expanded = False
        self._on_top: QWidget | None = None
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(sidebar)
        self._row.addWidget(centre, 1)
        self._row.addWidget(memory)
        self._shade = _Shade(self)
        self._shade.pressed.connect(self.close_overlay)
        memory.expand_toggled.connect(self.expand)

    @property
    def wanted(self) -> tuple[bool, bool]:
        """Which of side bar and memory panel the user wants, room permitting."""
        return self._sidebar_wanted, self._memory_wanted

    def want(self, *, sidebar: bool, memory: bool) -> None:
        """Which of both the user wants."""
        self._sidebar_wanted, self._memory_wanted = sidebar, memory
        self.arrange()

    @property
    def is_expanded(self) -> bool:
        """Whether the memory panel fills the window as a browser."""
        return self._expanded

    def keep_on_top(self, widget: QWidget) -> None:
        """A child that lies above all panes."""
        self._on_top = widget

    def toggle_sidebar(self) -> None:
        """Show the side bar or fold it."""
        if self.width() >= SIDEBAR_FOLDS_BELOW:
            self._sidebar_wanted = not self._sidebar_wanted
            self.arrange()
        else:
            self._toggle_overlay(self._sidebar)

    def toggle_memory(self) -> None:
        """Show the memory panel or fold it."""
        if self._expanded:
            self.expand(False)
        elif self.width() >= MEMORY_FOLDS_BELOW:
            self._memory_wanted = not self._memory_wanted
            self.arrange()
        else:
            self._toggle_overlay(self._memory)

    def show_sidebar(self) -> None:
        """Unfold the side bar, if it is folded."""
        if not self._sidebar.isVisibleTo(self):
            self.toggle_sidebar()

    def expand(self, expanded: bool) -> None:
        """Let the memory panel fill the window, or take it back."""
        if expanded == self._expanded:
            return
        self._expanded, self._over = expanded, None
        self._memory.set_expanded(expanded)
        self.arrange()
        if expanded:
            self._memory.focus_search()
        else:
            self.centre_wanted.emit()

    def close_overlay(self) -> bool:
        """Take away what lies over the centre; False when nothing does."""
        if self._over is None:
            return False
        self._over = None
        self.arrange()
        self.centre_wanted.emit()
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width has room for other panes."""
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Show what is wanted and has room."""
        width = self.width()
        if self._over is self._memory and width >= MEMORY_FOLDS_BELOW:
            self._over, self._memory_wanted = None, True
        elif self._over is self._sidebar and width >= SIDEBAR_FOLDS_BELOW:
            self._over, self._sidebar_wanted = None, True
        self._centre.setVisible(not self._expanded)
        self._shade.setGeometry(self.rect())
        self._shade.setVisible(self._over is not None)
        self._shade.raise_()
        self._place(self._sidebar, 0, self._sidebar_wanted and width >= SIDEBAR_FOLDS_BELOW)
        memory_shown = self._expanded or (self._memory_wanted and width >= MEMORY_FOLDS_BELOW)
        self._place(self._memory, self._row.count(), memory_shown)
        if self._on_top is not None:
            self._on_top.raise_()

    def _toggle_overlay(self, pane: Sidebar | MemoryPanel) -> None:
        if self._over is pane:
            self.close_overlay()
            return
        self._over = pane
        self.arrange()
        pane.focus_search()

    def _place(self, pane: QWidget, index: int, shown: bool) -> None:
        if pane is self._over:
            self._row.removeWidget(pane)
            span = SIDEBAR_WIDTH if pane is self._sidebar else MEMORY_WIDTH
            left = 0 if pane is self._sidebar else self.width() - span
            pane.setGeometry(left, 0, span, self.height())
            pane.show()
            pane.raise_()
            return
        if self._row.indexOf(pane) < 0:
            self._row.insertWidget(index, pane)
        pane.setVisible(shown)


class _Shade(QWidget):
    """Lies between the centre and a pane over it; a press on it is meant to close the pane.

    Signals:
        pressed: somewhere.
    """

    pressed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.hide()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(event.rect(), _SHADE)
        painter.end()
