"""What memory did in a turn: the memories that a reply used, and those that were kept from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from assistant.memory.base import TURN
from assistant.ui.models.messages import MessageItem, RecalledFact, RememberedFact
from assistant.ui.theme import Theme
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.fact_chip import FactChip
from assistant.ui.widgets.chat.flow import place_in_rows
from assistant.ui.words import count, plain_tooltip

_LISTED = 6
_MOST_APART = 2
"""Memories of one kind that have a pill each; more share one that opens."""
_ACTIONS = {
    "kept": (("undo", "Undo"), ("edit", "Edit")),
    "waits": (("accept", "Remember"), ("dismiss", "No")),
}
_ACTIONS_FOR_ALL = {
    "kept": (("undo", "Undo all"),),
    "waits": (("accept", "Remember all"), ("dismiss", "No to all")),
}
_WORDS = {"kept": "Remembered", "waits": "Remember this?", "gone": "Not kept", "replaced": "Replaced since"}


def one_line(text: str) -> str:
    """`text` on one line, fit for a label."""
    return " ".join(clean(text).split())


def status_of(fact: RememberedFact) -> str:
    """Where a memory is by now: "kept", "waits", "gone" or "replaced"."""
    if fact.undone:
        return "gone"
    if fact.waits:
        return "waits"
    return "replaced" if fact.replaced else "kept"


def words_of(fact: RememberedFact) -> str:
    """What is said about one memory."""
    status = status_of(fact)
    words = _WORDS[status]
    return f"{words} {one_line(fact.text)}" if status == "waits" else f"{words}: {one_line(fact.text)}"


class MemoryChips(QWidget):
    """The row of chips under a message; empty and without height when memory had no part in it.

    Signals:
        memories_requested: the used memories are to be shown.
        undo_requested: the id of the memory to take back.
        facts_requested(action, ids): "undo", "edit", "accept" or "dismiss" for these memories.
        resized: it wants another height.
    """

    memories_requested = Signal()
    undo_requested = Signal(str)
    facts_requested = Signal(str, object)
    resized = Signal()

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self._shown: tuple[tuple[RecalledFact, ...], tuple[RememberedFact, ...]] = ((), ())
        self._opened: set[str] = set()
        self._chips: list[QWidget] = []

    def show_item(self, item: MessageItem) -> None:
        """Show what memory did for this message."""
        wanted = (item.recalled, item.remembered)
        if wanted != self._shown:
            self._shown = wanted
            self._build()

    def height_at(self, width: int, *, right: bool = False) -> int:
        """Lay out in `width` pixels, against the left or the right edge; the height it takes."""
        return place_in_rows(self._chips, 0, 0, width, right=right) if self._chips else 0

    def chips(self) -> Sequence[QWidget]:
        """The chips in order."""
        return self._chips

    def _build(self) -> None:
        focus = QApplication.focusWidget()
        at = next(
            (n for n, chip in enumerate(self._chips) if focus is not None and chip.isAncestorOf(focus)), -1
        )
        for chip in self._chips:
            chip.hide()
            chip.deleteLater()
        recalled, remembered = self._shown
        self._chips = [*self._used_chip(recalled), *self._kept_chips(remembered)]
        for chip in self._chips:
            chip.show()
        if at >= 0:
            # Whoever works with the keyboard stays at the same chip; another memory's buttons are never under the hand.
            here = self._chips[at] if at < len(self._chips) else None
            if isinstance(here, FactChip) and here.buttons:
                here.focus_first()

    def _used_chip(self, recalled: tuple[RecalledFact, ...]) -> list[QWidget]:
        if not recalled:
            return []
        said = sum(1 for fact in recalled if fact.kind == TURN)
        parts = [
            count(number, one, many)
            for number, one, many in (
                (len(recalled) - said, "memory", "memories"),
                (said, "earlier message", "earlier messages"),
            )
            if number
        ]
        title = f"{' and '.join(parts)} used"
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

    def _kept_chips(self, remembered: Sequence[RememberedFact]) -> Iterator[FactChip]:
        """One for each, in their order, so that none takes another's place; many of a kind share one."""
        by_status = {status: [fact for fact in remembered if status_of(fact) == status] for status in _WORDS}
        shared = {status for status, facts in by_status.items() if len(facts) > _MOST_APART}
        for fact in remembered:
            status = status_of(fact)
            if status not in shared:
                yield self._chip(fact)
            elif fact == by_status[status][0]:
                yield self._shared_chip(status, by_status[status])
                if status in self._opened:
                    yield from (self._chip(each) for each in by_status[status])

    def _chip(self, fact: RememberedFact) -> FactChip:
        status = status_of(fact)
        chip = FactChip(
            self,
            self._theme,
            words_of(fact),
            tooltip="\n".join(filter(None, (clean(fact.text), fact.reason if fact.waits else ""))),
            buttons=_ACTIONS.get(status, ()),
            muted=status in ("gone", "replaced"),
        )
        chip.acted.connect(lambda action: self._act(action, [fact.memory_id]))
        return chip

    def _shared_chip(self, status: str, facts: Sequence[RememberedFact]) -> FactChip:
        words = f"Remember these {len(facts)}?" if status == "waits" else f"{_WORDS[status]} {len(facts)}"
        chip = FactChip(
            self,
            self._theme,
            words,
            tooltip="\n".join(one_line(fact.text)[:120] for fact in facts[:_LISTED]),
            buttons=_ACTIONS_FOR_ALL.get(status, ()),
            muted=status in ("gone", "replaced"),
            opens="open" if status in self._opened else "closed",
        )
        ids = [fact.memory_id for fact in facts]
        chip.acted.connect(lambda action: self._act(action, ids, status))
        return chip

    def _act(self, action: str, ids: Sequence[str], status: str = "") -> None:
        if action == "fold":
            self._opened ^= {status}
            self._build()
            self.resized.emit()
        elif action == "undo" and len(ids) == 1:
            self.undo_requested.emit(ids[0])
        else:
            self.facts_requested.emit(action, tuple(ids))
