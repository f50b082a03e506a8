"""The window: conversations left, chat centre, memory right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QByteArray, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QPaintEvent, QShortcut
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from assistant.core.errors import AssistantError
from assistant.ui.commands import Command
from assistant.ui.theme import Theme
from assistant.ui.widgets.chat_pane import ChatPane
from assistant.ui.widgets.memory_panel import MemoryPanel
from assistant.ui.widgets.sidebar import Sidebar
from assistant.ui.widgets.toast import Toast
from assistant.ui.windows.panes import Panes


class MainWindow(QMainWindow):
    """Holds the panes, and what lies over them.

    Attributes:
        sidebar, chat, memory, toast: the parts, for presenters.

    Signals:
        closing: the window is about to close.
        first_painted: emitted once, after the first frame.
    """

    closing = Signal()
    first_painted = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setWindowTitle("Keepsake")
        self.setMinimumSize(420, 420)
        self.resize(1200, 800)
        self._theme = theme
        self._painted = False
        self.sidebar = Sidebar(theme)
        self.chat = ChatPane(theme)
        self.memory = MemoryPanel(theme)
        self._centre = QStackedWidget()
        self._centre.addWidget(self.chat)
        self._panes = Panes(self.sidebar, self._centre, self.memory)
        self.setCentralWidget(self._panes)
        self.toast = Toast(self._panes)
        self.toast.keep_above(self.chat.composer)
        self._panes.keep_on_top(self.toast)
        self._panes.centre_wanted.connect(self.chat.focus_composer)
        self.chat.sidebar_toggled.connect(self.toggle_sidebar)
        self.chat.memory_toggled.connect(self.toggle_memory)

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
        self._panes.arrange()

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
        self._panes.want(sidebar=sidebar, memory=memory)

    @property
    def panes(self) -> tuple[bool, bool]:
        """Which of side bar and memory panel the user wants."""
        return self._panes.wanted

    def toggle_sidebar(self) -> None:
        """Show the side bar or fold it."""
        self._panes.toggle_sidebar()

    def toggle_memory(self) -> None:
        """Show the memory panel or fold it."""
        self._panes.toggle_memory()

    def toggle_browser(self) -> None:
        """Open the memory panel to the full browser, or close it again."""
        self._panes.expand(not self._panes.is_expanded)

    @property
    def is_browsing(self) -> bool:
        """Whether the memory panel is opened to the full browser."""
        return self._panes.is_expanded

    def search_conversations(self) -> None:
        """Put the cursor into the side bar's search."""
        self._panes.show_sidebar()
        self.sidebar.focus_search()

    def leave(self) -> bool:
        """Close what lies over the chat or in its place; False when nothing does."""
        if self._panes.close_overlay():
            return True
        if self._panes.is_expanded:
            self._panes.expand(False)
            return True
        return False

    def geometry_text(self) -> str:
        """The window's place and size, for the settings."""
        return bytes(self.saveGeometry().toBase64().data()).decode("ascii")

    def restore_geometry_text(self, text: str) -> None:
        """Put the window where it was; text that makes no sense changes nothing."""
        if text:
            self.restoreGeometry(QByteArray.fromBase64(text.encode("ascii", "replace")))

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            self.first_painted.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.closing.emit()
        super().closeEvent(event)
