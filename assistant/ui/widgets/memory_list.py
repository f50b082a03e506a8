"""The list of memories: what its keys, its clicks and its menu ask for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu

from assistant.ui.models.memories import MemoryListModel, MemoryRow
from assistant.ui.theme import Theme

_KEYS: dict[str, dict[Qt.Key, str]] = {
    "fact": {
        Qt.Key.Key_Return: "details",
        Qt.Key.Key_Enter: "details",
        Qt.Key.Key_F2: "edit",
        Qt.Key.Key_P: "pin",
        Qt.Key.Key_Delete: "delete",
    },
    "waiting": {
        Qt.Key.Key_Return: "accept",
        Qt.Key.Key_Enter: "accept",
        Qt.Key.Key_F2: "edit",
        Qt.Key.Key_Delete: "dismiss",
        Qt.Key.Key_Space: "details",
    },
    "earlier": {
        Qt.Key.Key_Return: "details",
        Qt.Key.Key_Enter: "details",
        Qt.Key.Key_Delete: "delete",
    },
    "said": {Qt.Key.Key_Return: "source", Qt.Key.Key_Enter: "source"},
}
_MENUS: dict[str, tuple[tuple[str, str], ...]] = {
    "fact": (("details", "Details\tEnter"), ("pin", "Pin\tP"), ("edit", "Edit…\tF2")),
    "waiting": (
        ("accept", "Remember\tEnter"),
        ("dismiss", "No\tDel"),
        ("edit", "Edit…\tF2"),
        ("details", "Details\tSpace"),
    ),
    "earlier": (("details", "Details\tEnter"),),
    "said": (("source", "Show where it was said\tEnter"),),
}


class MemoryListView(QListView):
    """Memories as cards.

    Args:
        theme: colours.
        model: the rows.

    Signals:
        wanted(action, memory_id): "details", "edit", "delete", "pin", "unpin", "accept", "dismiss" or "source".
        unloaded(row): this row is in sight and not loaded yet.
    """

    wanted = Signal(str, str)
    unloaded = Signal(int)

    def __init__(self, theme: Theme, model: MemoryListModel) -> None:
        super().__init__()
        self._theme = theme
        self._rows = model
        self._missing = QTimer(self)
        self._missing.setSingleShot(True)
        self._missing.setInterval(30)
        self._missing.timeout.connect(self._ask_for_missing)
        self.setAccessibleName("Memories")
        self.setModel(model)
        self.setMouseTracking(True)
        self.setWordWrap(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.verticalScrollBar().setSingleStep(24)
        model.page_wanted.connect(lambda _: self._look_soon())
        self.doubleClicked.connect(self._double_clicked)
        self.clicked.connect(self._clicked)

    def complete(self) -> None:
        """Load what paints the cards: there are none in the first frame."""
        from assistant.ui.delegates.memory_delegate import MemoryDelegate

        delegate = MemoryDelegate(self._theme, self, self._rows)
        delegate.acted.connect(self.wanted)
        self.setItemDelegate(delegate)

    def select(self, memory_id: str) -> None:
        """Mark and show one memory, if it is listed."""
        place = self._rows.place(memory_id)
        if place >= 0:
            self.setCurrentIndex(self._rows.index(place))

    def enter(self) -> None:
        """Take the focus, on the first memory when none is marked."""
        self.setFocus(Qt.FocusReason.TabFocusReason)
        if not self.currentIndex().isValid():
            for number in range(min(2, self._rows.rowCount())):
                index = self._rows.index(number)
                if index.flags() & Qt.ItemFlag.ItemIsEnabled:
                    self.setCurrentIndex(index)
                    return

    def in_sight(self) -> tuple[int, int]:
        """The first and the last row that can be seen; (0, 0) when there is none."""
        first = self.indexAt(QPoint(4, 4))
        last = self.indexAt(QPoint(4, self.viewport().height() - 4))
        start = max(first.row(), 0)
        return start, last.row() if last.isValid() else max(start, self._rows.rowCount() - 1)

    def keeping_place(self, change: Callable[[], None]) -> None:
        """Make a change of the rows that leaves the marked memory marked, and what is in sight where it is."""
        bar = self.verticalScrollBar()
        top = self.indexAt(QPoint(4, 4)) if bar.value() > 0 else QModelIndex()
        first, marked = self._rows.row(top), self._rows.row(self.currentIndex())
        offset = self.visualRect(top).top()
        change()
        self.executeDelayedItemsLayout()
        if marked is not None and (place := self._rows.place(marked.memory_id)) >= 0:
            self.setAutoScroll(False)
            self.selectionModel().setCurrentIndex(
                self._rows.index(place), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )
            self.setAutoScroll(True)
        if first is not None and (place := self._rows.place(first.memory_id)) >= 0:
            bar.setValue(bar.value() + self.visualRect(self._rows.index(place)).top() - offset)

    def event(self, event: QEvent) -> bool:
        """Keys that mean something here are not the window's."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            row = self._rows.row(self.currentIndex())
            if row is not None and Qt.Key(event.key()) in _KEYS.get(row.kind, {}) and not event.modifiers():
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._rows.row(self.currentIndex())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        action = _KEYS.get(row.kind, {}).get(Qt.Key(event.key())) if row is not None and plain else None
        if row is None or action is None:
            super().keyPressEvent(event)
            return
        self._ask(action, row)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """At the pointer, or at the marked memory when a key asks for it."""
        point = event.pos()
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            point = self.visualRect(self.currentIndex()).center()
        row = self._rows.row(self.indexAt(point))
        if row is not None and row.kind != "heading":
            self.menu_for(row).popup(self.viewport().mapToGlobal(point))

    def menu_for(self, row: MemoryRow) -> QMenu:
        """What can be done with a memory."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for action, words in _MENUS.get(row.kind, ()):
            shown = words.replace("Pin", "Unpin") if action == "pin" and row.pinned else words
            menu.addAction(shown, partial(self._ask, action, row))
        menu.addAction("Copy", lambda: QGuiApplication.clipboard().setText(row.text))
        if row.source_session and row.kind != "said":
            menu.addAction("Show where it was said", lambda: self._ask("source", row))
        if row.kind in ("fact", "earlier"):
            menu.addSeparator()
            menu.addAction("Delete\tDel", lambda: self._ask("delete", row))
        return menu

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.scheduleDelayedItemsLayout()

    def _ask(self, action: str, row: MemoryRow) -> None:
        if action == "pin" and row.pinned:
            action = "unpin"
        self.wanted.emit(action, row.memory_id)

    def _clicked(self, index: QModelIndex) -> None:
        row = self._rows.row(index)
        if row is not None and row.kind == "said":
            self.wanted.emit("source", row.memory_id)

    def _double_clicked(self, index: QModelIndex) -> None:
        from assistant.ui.delegates.memory_delegate import MemoryDelegate

        row, delegate = self._rows.row(index), self.itemDelegate()
        point = self.viewport().mapFromGlobal(self.cursor().pos())
        acted = isinstance(delegate, MemoryDelegate) and delegate.action_at(index, point)
        if row is not None and row.kind in ("fact", "earlier", "waiting") and not acted:
            self.wanted.emit("details", row.memory_id)

    def _look_soon(self) -> None:
        # Who scrolls on and on must not put it off each time.
        if not self._missing.isActive():
            self._missing.start()

    def _ask_for_missing(self) -> None:
        first, last = self.in_sight()
        for number in range(first, last + 1):
            if self._rows.row(self._rows.index(number)) is None:
                self.unloaded.emit(number)
                return
