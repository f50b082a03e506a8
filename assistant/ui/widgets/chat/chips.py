"""What memory did in a turn: the memories that a reply used, and those that were kept from it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from assistant.ui.models.messages import MessageItem, RecalledFact, RememberedFact
from assistant.ui.theme import SPACE, Theme
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.flow import place_in_rows
from assistant.ui.words import plain_tooltip

_CHIP_HEIGHT = 22
_LONGEST_FACT = 360
_LISTED = 6


def one_line(text: str) -> str:
    """`text` on one line, fit for a label."""
    return " ".join(clean(text).split())


class RememberedChip(QWidget):
    """One kept memory with Undo; once undone, it says so.

    Signals:
        undo_requested: the memory's id.
    """

    undo_requested = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme, fact: RememberedFact) -> None:
        super().__init__(parent)
        self._theme = theme
        self._fact = fact
        self._text = (
            f"Not kept: {one_line(fact.text)}" if fact.undone else f"Remembered: {one_line(fact.text)}"
        )
        self._label = QLabel(self)
        self._label.setTextFormat(Qt.TextFormat.PlainText)
        self._label.setProperty("kind", "chipmuted" if fact.undone else "chiptext")
        self._label.setToolTip(plain_tooltip(clean(fact.text)))
        self._label.setAccessibleName(self._text)
        self._label.ensurePolished()
        self.undo_button: QPushButton | None = None
        if not fact.undone:
            self._text += "  ·"
            self.undo_button = QPushButton("Undo", self)
            self.undo_button.setProperty("kind", "memorylink")
            self.undo_button.setAccessibleName(f"Undo: {self._label.accessibleName()}")
            self.undo_button.setCursor(Qt.CursorShape.PointingHandCursor)
            self.undo_button.clicked.connect(lambda: self.undo_requested.emit(fact.memory_id))

    def sizeHint(self) -> QSize:
        """As wide as the fact, up to a limit."""
        text = min(self._label.fontMetrics().horizontalAdvance(self._text) + 2, _LONGEST_FACT)
        button = self.undo_button.sizeHint().width() + 2 if self.undo_button is not None else 0
        return QSize(text + button + 2 * SPACE.m - (SPACE.xs if button else 0), _CHIP_HEIGHT)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The fact gives way, Undo does not."""
        right = self.width() - SPACE.m
        if self.undo_button is not None:
            size = self.undo_button.sizeHint()
            right = self.width() - SPACE.s - size.width()
            self.undo_button.setGeometry(
                right, (self.height() - size.height()) // 2, size.width(), size.height()
            )
            right -= 2
        room = max(0, right - SPACE.m)
        shown = self._label.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, room)
        self._label.setText(shown)
        self._label.setGeometry(SPACE.m, 0, room, self.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """The pill."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("sunken" if self._fact.undone else "memory_soft"))
        painter.drawRoundedRect(self.rect(), self.height() / 2, self.height() / 2)
        painter.end()


class MemoryChips(QWidget):
    """The row of chips under a message; empty and without height when memory had no part in it.

    Signals:
        memories_requested: the used memories are to be shown.
        undo_requested: the id of the memory to take back.
    """

    memories_requested = Signal()
    undo_requested = Signal(str)

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[tuple[RecalledFact, ...], tuple[RememberedFact, ...]] = ((), ())
        self._chips: list[QWidget] = []

    def show_item(self, item: MessageItem) -> None:
        """Show what memory did for this message."""
        wanted = (item.recalled, item.remembered)
        if wanted == self._shown:
            return
        self._shown = wanted
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        self._chips = [*self._used_chip(item.recalled), *(self._kept_chip(fact) for fact in item.remembered)]
        for chip in self._chips:
            chip.show()

    def height_at(self, width: int, *, right: bool = False) -> int:
        """Lay out in `width` pixels, against the left or the right edge; the height it takes."""
        return place_in_rows(self._chips, 0, 0, width, right=right) if self._chips else 0

    def chips(self) -> Sequence[QWidget]:
        """The chips in order."""
        return self._chips

    def _used_chip(self, recalled: tuple[RecalledFact, ...]) -> list[QWidget]:
        if not recalled:
            return []
        title = "1 memory used" if len(recalled) == 1 else f"{len(recalled)} memories used"
        chip = QPushButton(title, self)
        chip.setProperty("kind", "memorychip")
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        facts = [one_line(fact.text)[:120] for fact in recalled[:_LISTED]]
        if len(recalled) > _LISTED:
            facts.append(f"and {len(recalled) - _LISTED} more")
        chip.setToolTip(plain_tooltip("\n".join(facts)))
        chip.setAccessibleName(f"{title}: show them")
        chip.clicked.connect(self.memories_requested)
        return [chip]

    def _kept_chip(self, fact: RememberedFact) -> QWidget:
        chip = RememberedChip(self, self._theme, fact)
        chip.undo_requested.connect(self.undo_requested)
        return chip
