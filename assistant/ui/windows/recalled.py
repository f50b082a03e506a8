"""Which memories a reply was given."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from assistant.ui.models.memory_details import UsedMemory
from assistant.ui.theme import SPACE
from assistant.ui.windows.dialogs import Dialog
from assistant.ui.windows.scrolled import ScrolledPage

THIS_COMPUTER = "this computer"
_LONGEST = 2000


class RecalledDialog(Dialog):
    """A list of memories with when and by whom each was said, why it was found, and what can be done with it.

    Signals:
        edit_requested, forget_requested, details_requested: id of a fact.
        bar_requested: id of something that was said, which is not to be used again.
        source_requested(session_id, message_id): where it was said.
    """

    edit_requested = Signal(str)
    forget_requested = Signal(str)
    details_requested = Signal(str)
    bar_requested = Signal(str)
    source_requested = Signal(str, str)

    def __init__(
        self, parent: QWidget, memories: Sequence[UsedMemory], host: str, *, cached: bool = False
    ) -> None:
        super().__init__(parent, "Memories used for this reply")
        self.setMinimumWidth(520)
        if cached:
            self.say("Nothing was sent for this reply: it was given before, with these.", "muted")
        elif host == THIS_COMPUTER:
            self.say("The model on this computer was given these with your message.", "muted")
        else:
            self.say(f"These were sent with your message to {host or 'the model'}.", "muted")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, SPACE.s, 0)
        column.setSpacing(SPACE.s)
        for memory in memories:
            column.addWidget(self._card(memory))
        column.addStretch(1)
        self.body.addWidget(ScrolledPage(page))
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()

    def _card(self, memory: UsedMemory) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        box = QVBoxLayout(card)
        box.setContentsMargins(SPACE.m, SPACE.s, SPACE.s, SPACE.s)
        box.setSpacing(SPACE.xs)
        box.addWidget(_label(memory.text[:_LONGEST]))
        box.addWidget(_label(memory.caption, "small"))
        if memory.why:
            box.addWidget(_label(f"Found because: {memory.why}", "small"))
        row = QHBoxLayout()
        row.setSpacing(SPACE.xs)
        row.addStretch(1)
        for words, signal, values in self._actions(memory):
            button = QPushButton(words)
            button.setProperty("kind", "link")
            button.setAccessibleName(f"{words}: {memory.text[:200]}")
            button.clicked.connect(self.accept)
            button.clicked.connect(lambda _=False, s=signal, v=values: s.emit(*v))
            row.addWidget(button)
        box.addLayout(row)
        return card

    def _actions(self, memory: UsedMemory) -> list[tuple[str, SignalInstance, tuple[str, ...]]]:
        offered: list[tuple[str, SignalInstance, tuple[str, ...]]] = []
        if memory.session_id:
            where = (memory.session_id, memory.message_id)
            offered.append(("Show where it was said", self.source_requested, where))
        if not memory.is_there:
            return offered
        if memory.is_turn:
            if not memory.is_barred:
                offered.append(("Don't use again", self.bar_requested, (memory.memory_id,)))
            return offered
        return [
            *offered,
            ("Details", self.details_requested, (memory.memory_id,)),
            ("Edit", self.edit_requested, (memory.memory_id,)),
            ("Delete", self.forget_requested, (memory.memory_id,)),
        ]


def _label(text: str, kind: str = "") -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if kind:
        label.setProperty("kind", kind)
    return label
