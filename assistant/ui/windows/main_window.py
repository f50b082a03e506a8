"""The window: conversations left, chat centre, memory right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QStackedWidget, QWidget

from assistant.core.errors import AssistantError
from assistant.ui.commands import Command
from assistant.ui.theme import Theme
from assistant.ui.theme.tokens import MEMORY_WIDTH
from assistant.ui.widgets.chat_pane import ChatPane
from assistant.ui.widgets.memory_panel import MemoryPanel
from assistant.ui.widgets.sidebar import Sidebar
from assistant.ui.widgets.toast import Toast

_MEMORY_FOLDS_BELOW = 900
_SIDEBAR_FOLDS_BELOW = 640


class MainWindow(QMainWindow):
    """Holds the three panes and decides which are seen.

    Attributes:
        sidebar, chat, memory, toast: the parts, for presenters.

    Signals:
        closing: the window is about to close.
        first_painted: emitted once, after the first frame.
        panes_changed: the user folded or unfolded a pane.
    """

    closing = Signal()
    first_painted = Signal()
    panes_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setWindowTitle("Keepsake")
        self.setMinimumSize(420, 420)
        self.resize(1200, 800)
        self._theme = theme
        self._sidebar_wanted = True
        self._memory_wanted = True
        self._painted = False
        self.sidebar = Sidebar(theme)
        self.chat = ChatPane(theme)
        self.memory = MemoryPanel(theme)
        self._centre = QStackedWidget()
        self._centre.addWidget(self.chat)
        self._root = QWidget()
        self._row = QHBoxLayout(self._root)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        self._row.addWidget(self.sidebar)
        self._row.addWidget(self._centre, 1)
        self._row.addWidget(self.memory)
        self.setCentralWidget(self._root)
        self.toast = Toast(self._root)
        self.memory.expand_toggled.connect(self._expand_memory)
        self.chat.sidebar_toggled.connect(self.toggle_sidebar)
        self.chat.memory_toggled.connect(self.toggle_memory)
        self._expanded = False
        self._arrange()

    def add_commands(self, commands: Sequence[Command]) -> None:
        """Bind the commands' shortcuts."""
        for command in commands:
            if command.shortcut:
                self.bind(command.shortcut, command.action)

    def bind(self, keys: str, action: Callable[[], object]) -> QShortcut:
        """Run `action` on these keys anywhere in the window."""
        shortcut = QShortcut(QKeySequence(keys), self)
        shortcut.activated.connect(lambda: action())
        return shortcut

    def show_page(self, page: QWidget | None) -> None:
        """Put a page over the chat (first start), or take it away with None."""
        current = self._centre.currentWidget()
        if page is None:
            self._centre.setCurrentWidget(self.chat)
            if current is not self.chat and current is not None:
                self._centre.removeWidget(current)
                current.deleteLater()
        else:
            self._centre.addWidget(page)
            self._centre.setCurrentWidget(page)
        self._arrange()

    @property
    def page(self) -> QWidget:
        """What the centre shows."""
        return self._centre.currentWidget() or self.chat

    def show_error(self, error: AssistantError) -> None:
        """Open an error dialog; a second one of the same text replaces nothing and is dropped."""
        from assistant.ui.windows.dialogs import ErrorDialog

        for child in self.findChildren(ErrorDialog):
            if child.isVisible() and child.property("told") == str(error):
                return
        dialog = ErrorDialog(self, error)
        dialog.setProperty("told", str(error))
        dialog.open()

    def raise_up(self) -> None:
        """Come to the front, as a second start asks."""
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    def set_panes(self, *, sidebar: bool, memory: bool) -> None:
        """Which panes the user wants, room permitting."""
        self._sidebar_wanted, self._memory_wanted = sidebar, memory
        self._arrange()

    @property
    def panes(self) -> tuple[bool, bool]:
        """Which of side bar and memory panel the user wants."""
        return self._sidebar_wanted, self._memory_wanted

    def toggle_sidebar(self) -> None:
        self._sidebar_wanted = not self.sidebar.isVisible()
        self._arrange(asked="sidebar")
        self.panes_changed.emit()

    def toggle_memory(self) -> None:
        if self._expanded:
            self._expand_memory(False)
            return
        self._memory_wanted = not self.memory.isVisible()
        self._arrange(asked="memory")
        self.panes_changed.emit()

    def toggle_browser(self) -> None:
        """Open the memory panel to the full browser, or close it again."""
        self._expand_memory(not self._expanded)

    @property
    def is_browsing(self) -> bool:
        """Whether the memory panel is opened to the full browser."""
        return self._expanded

    def geometry_text(self) -> str:
        """The window's place and size, for the settings."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def restore_geometry_text(self, text: str) -> None:
        """Put the window where it was; text that makes no sense changes nothing."""
        if text:
            self.restoreGeometry(QByteArray.fromBase64(text.encode("ascii", "replace")))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.first_painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        super().closeEvent(event)

    def _expand_memory(self, expanded: bool) -> None:
        if expanded == self._expanded:
            return
        self._expanded = expanded
        self.memory.set_expanded(expanded)
        self._arrange()
        if expanded:
            self.memory.focus_search()
        else:
            self.chat.focus_composer()

    def _arrange(self, asked: str = "") -> None:
        """Fold what has no room: the memory panel lies over the chat below 900 px, the side bar hides below 640."""
        width = self.width()
        narrow = width < _MEMORY_FOLDS_BELOW
        show_sidebar = self._sidebar_wanted and (width >= _SIDEBAR_FOLDS_BELOW or asked == "sidebar")
        self.sidebar.setVisible(show_sidebar)
        if self._expanded:
            self._take_overlay_back()
            self._centre.hide()
            self.memory.show()
            return
        self._centre.show()
        overlay = narrow and self._memory_wanted and asked == "memory"
        if overlay:
            self._row.removeWidget(self.memory)
            self.memory.setParent(self._root)
            self.memory.setGeometry(width - MEMORY_WIDTH, 0, MEMORY_WIDTH, self._root.height())
            self.memory.show()
            self.memory.raise_()
            self.toast.raise_()
        elif narrow:
            self.memory.hide()
        else:
            self._take_overlay_back()
            self.memory.setVisible(self._memory_wanted)

    def _take_overlay_back(self) -> None:
        if self._row.indexOf(self.memory) < 0:
            self._row.addWidget(self.memory)
