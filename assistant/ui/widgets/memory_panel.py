"""Right: what Keepsake remembers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from assistant.ui.models.memories import MemoryListModel, MemoryRow
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON, icon
from assistant.ui.theme.tokens import MEMORY_WIDTH, READING_WIDTH

_SEARCH_DELAY_MS = 220


class MemoryPanel(QWidget):
    """Memories as a list with search, and what can be done with them.

    Signals:
        searched(text): the search text has come to rest; empty for the whole list.
        add_requested, export_requested, import_requested, wipe_requested: from the header.
        edit_requested(memory_id), delete_requested(memory_id), source_requested(session_id, message_id).
        more_wanted: the list was scrolled near its end.
        expand_toggled(bool): fill the window or go back to the side.
        cancel_requested: stop the work whose progress is shown.
    """

    searched = Signal(str)
    add_requested = Signal()
    export_requested = Signal()
    import_requested = Signal()
    wipe_requested = Signal()
    edit_requested = Signal(str)
    delete_requested = Signal(str)
    source_requested = Signal(str, str)
    more_wanted = Signal()
    expand_toggled = Signal(bool)
    cancel_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setProperty("kind", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Memory")
        self._model = MemoryListModel()
        self._model.more_wanted.connect(self.more_wanted)

        self._body = QWidget()
        layout = QVBoxLayout(self._body)
        layout.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        layout.setSpacing(SPACE.s)
        layout.addLayout(self._build_header())
        layout.addWidget(self._build_search())
        layout.addWidget(self._build_status())
        layout.addWidget(self._build_list(), 1)
        layout.addWidget(self._build_empty())
        layout.addStretch(0)
        foot = QLabel("Everything here stays on this computer.")
        foot.setProperty("kind", "small")
        layout.addWidget(foot)

        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addStretch(0)
        outer.addWidget(self._body, 1)
        outer.addStretch(0)
        self.set_expanded(False)
        theme.changed.connect(self.load_icons)

    def _build_header(self) -> QHBoxLayout:
        title = QLabel("Memory")
        title.setProperty("kind", "brand")
        self._count = QLabel("")
        self._count.setProperty("kind", "small")
        self._add = self._button("Add a memory", self.add_requested.emit)
        self._expand = self._button("Open the full browser (Ctrl+Shift+M)", lambda: None)
        self._expand.setCheckable(True)
        self._expand.toggled.connect(self.expand_toggled)
        self._more = self._button("More", lambda: None)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self._more)
        menu.addAction("Export…", self.export_requested.emit)
        menu.addAction("Import…", self.import_requested.emit)
        menu.addSeparator()
        menu.addAction("Wipe everything…", self.wipe_requested.emit)
        self._more.setMenu(menu)
        row = QHBoxLayout()
        row.addWidget(title)
        row.addWidget(self._count)
        row.addStretch(1)
        for button in (self._add, self._expand, self._more):
            row.addWidget(button)
        return row

    def _build_search(self) -> QLineEdit:
        self._search = QLineEdit()
        self._search.setPlaceholderText("Search by meaning")
        self._search.setAccessibleName("Search memories by meaning")
        self._search.installEventFilter(self)
        self._search_timer = QTimer(self)
        self._search_timer.setSingleShot(True)
        self._search_timer.setInterval(_SEARCH_DELAY_MS)
        self._search_timer.timeout.connect(lambda: self.searched.emit(self.search_text()))
        self._search.textChanged.connect(lambda _: self._search_timer.start())
        return self._search

    def _build_status(self) -> QWidget:
        self._status = QWidget()
        self._status_text = QLabel("")
        self._status_text.setProperty("kind", "small")
        self._status_text.setWordWrap(True)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._cancel = QPushButton("Cancel")
        self._cancel.setProperty("kind", "link")
        self._cancel.clicked.connect(self.cancel_requested)
        line = QHBoxLayout()
        line.addWidget(self._status_text, 1)
        line.addWidget(self._cancel)
        box = QVBoxLayout(self._status)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE.xs)
        box.addLayout(line)
        box.addWidget(self._bar)
        self._status.hide()
        return self._status

    def _build_list(self) -> QListView:
        self._list = QListView()
        self._list.setAccessibleName("Memories")
        self._list.setModel(self._model)
        self._list.setMouseTracking(True)
        self._list.setWordWrap(True)
        self._list.setResizeMode(QListView.ResizeMode.Adjust)
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._show_menu)
        self._list.doubleClicked.connect(lambda index: self.edit_requested.emit(self._id(index)))
        self._list.installEventFilter(self)
        return self._list

    def complete(self) -> None:
        """Load what paints the cards: there are none in the first frame."""
        from assistant.ui.delegates.memory_delegate import MemoryDelegate

        delegate = MemoryDelegate(self._theme, self._list)
        delegate.edit_clicked.connect(self.edit_requested)
        delegate.delete_clicked.connect(self.delete_requested)
        self._list.setItemDelegate(delegate)

    def _build_empty(self) -> QWidget:
        self._empty = QWidget()
        self._empty_text = QLabel("")
        self._empty_text.setProperty("kind", "muted")
        self._empty_text.setWordWrap(True)
        self._empty_action = QPushButton("Add a memory")
        self._empty_action.clicked.connect(self.add_requested)
        box = QVBoxLayout(self._empty)
        box.setContentsMargins(0, SPACE.s, 0, 0)
        box.setSpacing(SPACE.m)
        box.addWidget(self._empty_text)
        box.addWidget(self._empty_action, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        self._empty.hide()
        return self._empty

    def _button(self, tip: str, action: object) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip.split(" (")[0])
        button.setIconSize(ICON)
        button.clicked.connect(action)
        return button

    def load_icons(self) -> None:
        """Draw the icons in the theme's colours (after the first frame, then on each theme change)."""
        t = self._theme.tokens
        self._search.setClearButtonEnabled(True)
        self._add.setIcon(icon("add", t.muted, active=t.text))
        self._expand.setIcon(icon("expand", t.muted, active=t.text))
        self._more.setIcon(icon("more", t.muted, active=t.text))
        self._empty_action.setIcon(icon("add", t.text))
        self._list.viewport().update()

    def set_expanded(self, expanded: bool) -> None:
        """Fill the window with a reading column, or be the side panel."""
        self.setProperty("kind", "page" if expanded else "side")
        self.style().unpolish(self)
        self.style().polish(self)
        if expanded:
            self.setMinimumWidth(0)
            self.setMaximumWidth(16_777_215)
            self._body.setMaximumWidth(READING_WIDTH + 2 * SPACE.l)
        else:
            self.setFixedWidth(MEMORY_WIDTH)
            self._body.setMaximumWidth(MEMORY_WIDTH)
        self._expand.setChecked(expanded)
        self._list.scheduleDelayedItemsLayout()

    def show_rows(self, rows: Sequence[MemoryRow], total: int, *, searching: bool = False) -> None:
        """List these memories; `total` is how many there are in all (under the search)."""
        self._model.show(rows, total)
        self._count.setText(f"{total:,}" if total and not searching else "")
        self._list.setVisible(bool(rows))
        self._empty.setVisible(not rows)
        self._empty_action.setVisible(not searching)
        self._empty_text.setText(
            "Nothing here fits these words."
            if searching
            else "What you ask Keepsake to remember will be here. Say “remember that …” in a chat, or add it."
        )

    def extend_rows(self, rows: Sequence[MemoryRow], total: int) -> None:
        """Add the next page."""
        self._model.extend(rows, total)

    def remove_row(self, memory_id: str) -> None:
        """Take a memory out of the list at once."""
        self._model.remove(memory_id)
        total = self._model.total
        self._count.setText(f"{total:,}" if total and not self.search_text() else "")
        if self._model.rowCount() == 0:
            self.show_rows([], 0, searching=bool(self.search_text()))

    def rows(self) -> tuple[MemoryRow, ...]:
        """What is listed now."""
        return self._model.rows()

    def search_text(self) -> str:
        return self._search.text().strip()

    def set_search(self, text: str) -> None:
        """Put `text` into the search field."""
        self._search.setText(text)

    def show_status(self, text: str, *, done: int = 0, total: int = 0, can_cancel: bool = False) -> None:
        """Say what is going on above the list; empty text hides it. `total` 0 hides the bar."""
        self._status.setVisible(bool(text))
        self._status_text.setText(text)
        self._bar.setVisible(total > 0)
        self._bar.setMaximum(max(total, 1))
        self._bar.setValue(done)
        self._cancel.setVisible(can_cancel)

    def focus_search(self) -> None:
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def select(self, memory_id: str) -> None:
        """Mark and show one memory, if it is listed."""
        for number, row in enumerate(self._model.rows()):
            if row.memory_id == memory_id:
                self._list.setCurrentIndex(self._model.index(number))
                return

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._list.scheduleDelayedItemsLayout()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            clears = watched is self._search and event.key() == Qt.Key.Key_Escape and self._search.text()
            edits = watched is self._list and event.key() == Qt.Key.Key_F2
            if clears or edits:
                # The key is ours now, not the window's.
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if watched is self._search:
                if event.key() == Qt.Key.Key_Escape and self._search.text():
                    self._search.clear()
                    return True
                if event.key() == Qt.Key.Key_Down:
                    self._list.setFocus(Qt.FocusReason.TabFocusReason)
                    if not self._list.currentIndex().isValid() and self._model.rowCount():
                        self._list.setCurrentIndex(self._model.index(0))
                    return True
            index = self._list.currentIndex()
            if watched is self._list and index.isValid():
                if event.key() == Qt.Key.Key_Delete:
                    self.delete_requested.emit(self._id(index))
                    return True
                if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2):
                    self.edit_requested.emit(self._id(index))
                    return True
        return super().eventFilter(watched, event)

    def _id(self, index: QModelIndex) -> str:
        return self._model.row(index).memory_id

    def _show_menu(self, point: QPoint) -> None:
        index = self._list.indexAt(point)
        if not index.isValid():
            return
        row = self._model.row(index)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Edit…\tEnter", lambda: self.edit_requested.emit(row.memory_id))
        menu.addAction("Copy", lambda: self._copy(row.text))
        if row.source_session:
            menu.addAction(
                "Show where it was said",
                lambda: self.source_requested.emit(row.source_session, row.source_message),
            )
        menu.addSeparator()
        menu.addAction("Delete\tDel", lambda: self.delete_requested.emit(row.memory_id))
        menu.popup(self._list.viewport().mapToGlobal(point))

    def _copy(self, text: str) -> None:
        from PySide6.QtGui import QGuiApplication

        QGuiApplication.clipboard().setText(text)
