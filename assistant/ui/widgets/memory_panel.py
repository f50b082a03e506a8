"""Right: what Keepsake remembers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from assistant.ui.models.memories import MemoryListModel, MemoryRow, MemoryView
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON, icon
from assistant.ui.theme.tokens import MEMORY_WIDTH, READING_WIDTH
from assistant.ui.widgets.memory_list import MemoryListView
from assistant.ui.widgets.memory_status import MemoryStatus

if TYPE_CHECKING:
    from assistant.memory.base import MemorySort
    from assistant.ui.widgets.memory_views import MemoryViews

_SEARCH_DELAY_MS = 220
_FIRST_ROWS = 100
"""Rows that stay when the list changes its width: more would have to be measured anew while the user waits."""
_EMPTY = {
    "now": "What you ask Keepsake to remember will be here. Say “remember that …” in a chat, or add it.",
    "waiting": "Nothing waits for your word. What Keepsake is not sure that you want to keep will be here.",
    "earlier": "Nothing was replaced yet. What you said before something changed will be here.",
}


class MemoryPanel(QWidget):
    """Memories as a list with search, and what can be done with them.

    Signals:
        searched(text): the search text has come to rest; empty for the whole list.
        view_changed: another list is wanted (see `view`, `sort`, `kind`).
        add_requested, export_requested, import_requested, wipe_requested: from the header.
        details_requested, edit_requested, delete_requested, accept_requested, dismiss_requested: memory id.
        pin_requested(memory_id, pinned), source_requested(session_id, message_id).
        accept_all_requested, dismiss_all_requested: the person's word about all that waits.
        more_wanted: the list was scrolled near its end.
        page_wanted(row): a row is in sight that is not loaded.
        expand_toggled(bool): fill the window or go back to the side.
        cancel_requested: stop the work whose progress is shown.
    """

    searched = Signal(str)
    view_changed = Signal()
    add_requested = Signal()
    export_requested = Signal()
    import_requested = Signal()
    wipe_requested = Signal()
    details_requested = Signal(str)
    edit_requested = Signal(str)
    delete_requested = Signal(str)
    accept_requested = Signal(str)
    dismiss_requested = Signal(str)
    pin_requested = Signal(str, bool)
    accept_all_requested = Signal()
    dismiss_all_requested = Signal()
    source_requested = Signal(str, str)
    more_wanted = Signal()
    page_wanted = Signal(int)
    expand_toggled = Signal(bool)
    cancel_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._views: MemoryViews | None = None
        self.setProperty("kind", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Memory")
        self._model = MemoryListModel()
        self._model.more_wanted.connect(self.more_wanted)
        self._status = MemoryStatus()
        self._status.cancel_requested.connect(self.cancel_requested)
        self._list = MemoryListView(theme, self._model)
        self._list.wanted.connect(self._pass_on)
        self._list.unloaded.connect(self.page_wanted)

        self._body = QWidget()
        self._column = QVBoxLayout(self._body)
        self._column.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        self._column.setSpacing(SPACE.s)
        self._column.addLayout(self._build_header())
        self._column.addWidget(self._build_search())
        self._column.addWidget(self._status)
        self._column.addWidget(self._list, 1)
        self._column.addWidget(self._build_empty(), 1)
        foot = QLabel("Everything here stays on this computer.")
        foot.setProperty("kind", "small")
        self._column.addWidget(foot)

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

    def complete(self) -> None:
        """Load what the first frame does without: what paints the cards, and which of them there are to choose."""
        from assistant.ui.widgets.memory_views import MemoryViews

        self._list.complete()
        self._views = MemoryViews(self._theme)
        self._views.changed.connect(self.view_changed)
        self._views.accept_all_requested.connect(self.accept_all_requested)
        self._views.dismiss_all_requested.connect(self.dismiss_all_requested)
        self._views.set_expanded(self._expand.isChecked())
        self._column.insertWidget(self._column.indexOf(self._list), self._views)

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

    def _button(self, tip: str, action: Callable[[], object]) -> QToolButton:
        button = QToolButton()
        button.setToolTip(tip)
        button.setAccessibleName(tip.split(" (")[0])
        button.setIconSize(ICON)
        button.clicked.connect(lambda: action())
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
        if self._views is not None:
            self._views.set_expanded(expanded)
            self._show_loaded()

    # -- which list is wanted

    @property
    def is_expanded(self) -> bool:
        """Whether it fills the window."""
        return self._expand.isChecked()

    @property
    def view(self) -> MemoryView:
        """Which memories are to be listed."""
        return self._views.view if self._views is not None else "now"

    @property
    def sort(self) -> MemorySort:
        """In which order."""
        return self._views.sort if self._views is not None else "newest"

    @property
    def kind(self) -> str:
        """Of which kind; empty for all."""
        return self._views.kind if self._views is not None else ""

    def search_text(self) -> str:
        return self._search.text().strip()

    def set_search(self, text: str) -> None:
        """Put `text` into the search field."""
        self._search.setText(text)

    def show_view(self, view: MemoryView) -> None:
        """Have another list shown."""
        if self._views is not None:
            self._views.show_view(view)

    def set_waiting(self, number: int) -> None:
        """How many memories wait for the person's word."""
        if self._views is not None:
            self._views.set_waiting(number)

    def set_kinds(self, kinds: Mapping[str, str]) -> None:
        """Which kinds there are, with their names."""
        if self._views is not None:
            self._views.set_kinds(kinds)

    # -- what is listed

    def show_rows(
        self,
        rows: Sequence[MemoryRow],
        total: int,
        *,
        searching: bool = False,
        first: int = 0,
        keep_place: bool = False,
    ) -> None:
        """List these memories.

        Args:
            total: how many there are in all (under the search).
            first: where `rows` begin in the whole list; only in the browser, which has the whole length at once.
            keep_place: it is the same list as before: what is in sight stays where it is.
        """
        # Cards are equally high only where the whole length must be known before the cards are.
        partly = first > 0 or total > len(rows)
        even = self.is_expanded and not searching and self.view != "waiting" and partly
        self._list.setUniformItemSizes(even)

        def show() -> None:
            self._model.show(rows, total, stretched=even, first=first)

        if keep_place:
            self._list.keeping_place(show)
        else:
            show()
            self._list.scrollToTop()
        self._show_count(searching)

    def extend_rows(self, rows: Sequence[MemoryRow], total: int) -> None:
        """Add the next page."""
        self._model.extend(rows, total)

    def fill_rows(self, first: int, rows: Sequence[MemoryRow]) -> None:
        """Rows of the browser that were not loaded."""
        self._model.fill(first, rows)

    def remove_row(self, memory_id: str) -> None:
        """Take a memory out of the list at once."""
        self._model.remove(memory_id)
        self._show_count(bool(self.search_text()))

    def rows(self) -> tuple[MemoryRow, ...]:
        """The memories that are loaded, headings left out."""
        return tuple(row for row in self._model.rows() if row.kind != "heading")

    def row(self, memory_id: str) -> MemoryRow | None:
        """A memory that is loaded."""
        return next((row for row in self.rows() if row.memory_id == memory_id), None)

    @property
    def is_stretched(self) -> bool:
        """Whether the list has its whole length, and rows are loaded when they come in sight."""
        return self._model.is_stretched

    def in_sight(self) -> tuple[int, int]:
        """The first and the last row that can be seen."""
        return self._list.in_sight()

    def _show_loaded(self) -> None:
        """The first rows in the other width, until the list was loaded anew."""
        loaded = self._model.rows()[:_FIRST_ROWS]
        self.show_rows(loaded, self._model.total, searching=bool(self.search_text()))
        self._list.scheduleDelayedItemsLayout()

    def _show_count(self, searching: bool) -> None:
        total, is_empty = self._model.total, self._model.rowCount() == 0
        self._count.setText(f"{total:,}" if total and not searching else "")
        if is_empty and self._list.hasFocus():
            # Hidden with the focus, it would give it to whatever comes next in the window.
            self._search.setFocus(Qt.FocusReason.OtherFocusReason)
        self._list.setVisible(not is_empty)
        self._empty.setVisible(is_empty)
        self._empty_action.setVisible(not searching and self.view == "now" and not self.kind)
        if searching:
            self._empty_text.setText("Nothing here fits these words.")
        else:
            self._empty_text.setText("No memory of this kind." if self.kind else _EMPTY[self.view])

    def show_status(self, text: str, *, done: int = 0, total: int = 0, can_cancel: bool = False) -> None:
        """Say what is going on above the list; empty text hides it. `total` 0 hides the bar."""
        self._status.show_asked(text, done=done, total=total, can_cancel=can_cancel)

    def show_indexing(self, done: int, total: int) -> None:
        """Say how many memories can be found by meaning; `total` 0 says nothing."""
        self._status.show_indexing(done, total)

    def focus_search(self) -> None:
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def select(self, memory_id: str) -> None:
        """Mark and show one memory, if it is listed."""
        self._list.select(memory_id)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the search field, Escape empties it and Down goes to the list."""
        if watched is self._search and isinstance(event, QKeyEvent):
            clears = event.key() == Qt.Key.Key_Escape and self._search.text()
            if event.type() == QEvent.Type.ShortcutOverride and clears:
                # The key is ours now, not the window's.
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and clears:
                self._search.clear()
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_Down:
                self._list.enter()
                return True
        return super().eventFilter(watched, event)

    def _pass_on(self, action: str, memory_id: str) -> None:
        row = self.row(memory_id)
        if action == "source" and row is not None:
            self.source_requested.emit(row.source_session, row.source_message)
        elif action in ("pin", "unpin"):
            self.pin_requested.emit(memory_id, action == "pin")
        else:
            signals = {
                "details": self.details_requested,
                "edit": self.edit_requested,
                "delete": self.delete_requested,
                "accept": self.accept_requested,
                "dismiss": self.dismiss_requested,
            }
            if action in signals:
                signals[action].emit(memory_id)
