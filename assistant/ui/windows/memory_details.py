"""All about one memory: where it comes from, what it said before, what took whose place."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from assistant.ui.models.memory_details import MemoryDetails, PastText
from assistant.ui.theme import SPACE
from assistant.ui.windows.dialogs import Dialog
from assistant.ui.windows.scrolled import ScrolledPage
from assistant.ui.words import breakable

_LONGEST = 4000
_WIDTH = 520
_MOST_PAST = 50


class MemoryDetailsDialog(Dialog):
    """One memory. What changes it closes the dialog; the window says what was done, with the way back.

    Signals:
        edit_requested, delete_requested, accept_requested, dismiss_requested: memory id.
        pin_toggled(memory_id, pinned).
        restore_requested(memory_id, text): it is to say again what it said before.
        other_requested(memory_id): the details of the memory that came before or after this one.
        source_requested(session_id, message_id): where it was said.
    """

    edit_requested = Signal(str)
    delete_requested = Signal(str)
    accept_requested = Signal(str)
    dismiss_requested = Signal(str)
    pin_toggled = Signal(str, bool)
    restore_requested = Signal(str, str)
    other_requested = Signal(str)
    source_requested = Signal(str, str)

    def __init__(self, parent: QWidget, details: MemoryDetails) -> None:
        headings = {
            "waiting": "Remember this?",
            "earlier": "Earlier memory",
            "said": "Said in a conversation",
        }
        super().__init__(parent, headings.get(details.row_kind, "Memory"))
        self.setMinimumWidth(_WIDTH)
        self._details = details
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, SPACE.s, 0)
        column.setSpacing(SPACE.m)
        column.addWidget(_paragraph(details.text, "reading", selectable=True))
        if details.replaced_by is not None:
            column.addWidget(self._past(details.replaced_by, "Its place was taken by", link="Show"))
        if details.quote:
            column.addWidget(_paragraph(f"“{details.quote}”", "memory", selectable=True))
        column.addLayout(_table(details.facts))
        if details.session_id and details.row_kind != "said":
            column.addWidget(self._source_link(), 0, Qt.AlignmentFlag.AlignLeft)
        self._add_past(column, "What it took the place of", details.replaced, "Show")
        may_restore = details.row_kind == "fact"
        self._add_past(
            column, "What it said before", details.versions, "Go back to this" if may_restore else ""
        )
        column.addStretch(1)
        self.body.addWidget(ScrolledPage(page))
        self._add_buttons()
        self.finish_layout()

    def _source_link(self) -> QPushButton:
        link = QPushButton("Show where it was said")
        link.setProperty("kind", "link")
        link.clicked.connect(self.accept)
        link.clicked.connect(
            lambda: self.source_requested.emit(self._details.session_id, self._details.message_id)
        )
        return link

    def _add_past(self, column: QVBoxLayout, title: str, past: Sequence[PastText], link: str) -> None:
        if not past:
            return
        heading = QLabel(title)
        heading.setProperty("kind", "small")
        column.addWidget(heading)
        for each in past[:_MOST_PAST]:
            column.addWidget(self._past(each, each.when, link=link))

    def _past(self, past: PastText, caption: str, *, link: str) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        box = QVBoxLayout(card)
        box.setContentsMargins(SPACE.m, SPACE.s, SPACE.s, SPACE.s)
        box.setSpacing(SPACE.xs)
        box.addWidget(_paragraph(past.text, "", selectable=True))
        row = QHBoxLayout()
        row.addWidget(_paragraph(caption, "small"), 1)
        if link:
            button = QPushButton(link)
            button.setProperty("kind", "link")
            button.setAccessibleName(f"{link}: {past.text[:200]}")
            button.clicked.connect(self.accept)
            button.clicked.connect(lambda: self._follow(past))
            row.addWidget(button)
        box.addLayout(row)
        return card

    def _follow(self, past: PastText) -> None:
        if past.memory_id:
            self.other_requested.emit(past.memory_id)
        else:
            self.restore_requested.emit(self._details.memory_id, past.text)

    def _add_buttons(self) -> None:
        details, key = self._details, self._details.memory_id
        if details.row_kind == "waiting":
            self._act("No", lambda: self.dismiss_requested.emit(key), "quiet")
            self._act("Edit…", lambda: self.edit_requested.emit(key), "quiet")
            self.buttons.addStretch(1)
            self.button("Close", self.reject)
            self._act("Remember", lambda: self.accept_requested.emit(key), "primary")
            return
        if details.row_kind == "fact":
            words = "Unpin" if details.pinned else "Pin"
            pin = self._act(words, lambda: self.pin_toggled.emit(key, not details.pinned), "quiet")
            pin.setToolTip("A pinned memory goes with every message.")
            self._act("Edit…", lambda: self.edit_requested.emit(key), "quiet")
        if details.row_kind != "said":
            self._act("Delete", lambda: self.delete_requested.emit(key), "quiet")
        self.buttons.addStretch(1)
        self.button("Close", self.reject, "primary")

    def _act(self, words: str, then: object, kind: str) -> QPushButton:
        button = self.button(words, self.accept, kind)
        button.clicked.connect(then)
        return button


def _paragraph(text: str, kind: str, *, selectable: bool = False) -> QLabel:
    label = QLabel(breakable(text[:_LONGEST]) + ("…" if len(text) > _LONGEST else ""))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if selectable:
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    if kind:
        label.setProperty("kind", kind)
    return label


def _table(facts: Sequence[tuple[str, str]]) -> QGridLayout:
    grid = QGridLayout()
    grid.setHorizontalSpacing(SPACE.l)
    grid.setVerticalSpacing(SPACE.xs)
    grid.setColumnStretch(1, 1)
    for place, (name, said) in enumerate(facts):
        grid.addWidget(_paragraph(name, "muted"), place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(_paragraph(said, ""), place, 1)
    return grid
