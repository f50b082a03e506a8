"""Which memories the panel lists: those in force, those that wait, those that were replaced; in which order."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from assistant.memory.base import MemorySort
from assistant.ui.models.memories import MemoryView
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import icon

_NAMES: tuple[tuple[MemoryView, str], ...] = (("now", "Now"), ("waiting", "Pending"), ("earlier", "Earlier"))
_SORTS: tuple[tuple[MemorySort, str], ...] = (
    ("newest", "Newest first"),
    ("oldest", "Oldest first"),
    ("text", "A to Z"),
)
_CHEVRON = 16


class MemoryViews(QWidget):
    """Above the list. In the side panel one line leads to what waits and one back; in the browser all is there.

    Attributes:
        view, sort, kind: what is to be listed; `kind` is empty for all.

    Signals:
        changed: another list is wanted.
        accept_all_requested, dismiss_all_requested: the person's word about all that waits.
    """

    changed = Signal()
    accept_all_requested = Signal()
    dismiss_all_requested = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.view: MemoryView = "now"
        self.sort: MemorySort = "newest"
        self.kind = ""
        self._expanded = False
        self._waiting = 0
        self._pending = LeadingButton(theme)
        self._pending.clicked.connect(lambda: self.show_view("waiting"))
        self._back = QPushButton("‹ All memories")
        self._back.setProperty("kind", "link")
        self._back.clicked.connect(lambda: self.show_view("now"))
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(SPACE.s)
        box.addWidget(self._pending)
        box.addWidget(self._back, 0, Qt.AlignmentFlag.AlignLeft)
        box.addWidget(self._build_browser())
        box.addWidget(self._build_all())
        self._arrange()

    def _build_browser(self) -> QWidget:
        self._browser = QWidget()
        row = QHBoxLayout(self._browser)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.xs)
        self._tabs = QButtonGroup(self)
        self._tab_buttons: dict[MemoryView, QPushButton] = {}
        for view, name in _NAMES:
            tab = QPushButton(name)
            tab.setProperty("kind", "tab")
            tab.setCheckable(True)
            tab.setChecked(view == self.view)
            tab.clicked.connect(lambda _=False, v=view: self.show_view(v))
            self._tabs.addButton(tab)
            self._tab_buttons[view] = tab
            row.addWidget(tab)
        row.addStretch(1)
        self._kinds = QComboBox()
        self._kinds.setAccessibleName("Kind of memory")
        self._kinds.addItem("All kinds", "")
        self._kinds.currentIndexChanged.connect(self._choose_kind)
        self._sorts = QComboBox()
        self._sorts.setAccessibleName("Order of the memories")
        for sort, name in _SORTS:
            self._sorts.addItem(name, sort)
        self._sorts.currentIndexChanged.connect(self._choose_sort)
        row.addWidget(self._kinds)
        row.addWidget(self._sorts)
        return self._browser

    def _build_all(self) -> QWidget:
        self._all = QWidget()
        row = QHBoxLayout(self._all)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE.s)
        for words, signal in (
            ("Remember all", self.accept_all_requested),
            ("No to all", self.dismiss_all_requested),
        ):
            button = QPushButton(words)
            button.setProperty("kind", "link")
            button.clicked.connect(signal)
            row.addWidget(button)
        row.addStretch(1)
        return self._all

    @property
    def waiting(self) -> int:
        """How many memories wait."""
        return self._waiting

    def set_waiting(self, number: int) -> None:
        """How many memories wait."""
        self._waiting = number
        self._pending.setText(f"Pending {number:,}")
        self._pending.setAccessibleName(f"Pending {number:,}: show what waits for your word")
        self._tab_buttons["waiting"].setText(f"Pending {number:,}" if number else "Pending")
        self._arrange()

    def set_kinds(self, kinds: Mapping[str, str]) -> None:
        """Which kinds there are to choose from, with their names."""
        shown = {"": "All kinds", **kinds}
        if [self._kinds.itemData(place) for place in range(self._kinds.count())] == list(shown):
            return
        self._kinds.blockSignals(True)
        self._kinds.clear()
        for kind, name in shown.items():
            self._kinds.addItem(name, kind)
        self.kind = self.kind if self.kind in shown else ""
        self._kinds.setCurrentIndex(self._kinds.findData(self.kind))
        self._kinds.blockSignals(False)
        self._arrange()

    def set_expanded(self, expanded: bool) -> None:
        """Be part of the browser, or of the side panel, which knows one order only."""
        self._expanded = expanded
        plain = self.sort == "newest" and not self.kind
        if not expanded and not plain:
            self.sort, self.kind = "newest", ""
            for box in (self._sorts, self._kinds):
                box.blockSignals(True)
                box.setCurrentIndex(0)
                box.blockSignals(False)
        self._arrange()
        if not expanded and not plain:
            self.changed.emit()

    def show_view(self, view: MemoryView) -> None:
        """List others."""
        self._tab_buttons[view].setChecked(True)
        if view == self.view:
            return
        had_focus = self._pending.hasFocus() or self._back.hasFocus()
        self.view = view
        self._arrange()
        if had_focus and not self._expanded:
            (self._back if view != "now" else self._pending).setFocus(Qt.FocusReason.TabFocusReason)
        self.changed.emit()

    def _arrange(self) -> None:
        side = not self._expanded
        self._pending.setVisible(side and self.view == "now" and self._waiting > 0)
        self._back.setVisible(side and self.view != "now")
        self._browser.setVisible(self._expanded)
        self._kinds.setVisible(self._kinds.count() > 2 and self.view == "now")
        self._sorts.setVisible(self.view != "waiting")
        self._all.setVisible(self.view == "waiting" and self._waiting > 1)
        self.setVisible(self._expanded or self.view != "now" or self._waiting > 0)

    def _choose_kind(self) -> None:
        self.kind = str(self._kinds.currentData())
        self.changed.emit()

    def _choose_sort(self) -> None:
        self.sort = self._sorts.currentData()
        self.changed.emit()


class LeadingButton(QPushButton):
    """A line that leads elsewhere: words at the left, an arrow at the right."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setProperty("kind", "leading")
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        left, top = self.width() - _CHEVRON - SPACE.s, (self.height() - _CHEVRON) // 2
        arrow = icon("chevron-right", self._theme.tokens.memory)
        arrow.paint(painter, QRect(left, top, _CHEVRON, _CHEVRON))
        painter.end()
