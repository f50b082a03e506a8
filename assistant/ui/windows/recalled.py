"""Which memories a reply was given."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from assistant.ui.models.conversations import local_now
from assistant.ui.models.messages import RecalledFact
from assistant.ui.theme import SPACE
from assistant.ui.windows.dialogs import Dialog
from assistant.ui.words import day

THIS_COMPUTER = "this computer"


class RecalledDialog(Dialog):
    """A list of facts with the way to each.

    Signals:
        edit_requested(memory_id), forget_requested(memory_id).
    """

    edit_requested = Signal(str)
    forget_requested = Signal(str)

    def __init__(self, parent: QWidget, facts: Sequence[RecalledFact], host: str) -> None:
        super().__init__(parent, "Memories used for this reply")
        if host == THIS_COMPUTER:
            self.say("The model on this computer was given these with your message.", "muted")
        else:
            self.say(f"These were sent with your message to {host or 'the model'}.", "muted")
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, SPACE.s, 0)
        column.setSpacing(SPACE.s)
        for fact in facts:
            column.addWidget(self._card(fact))
        column.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(page)
        area.setMinimumHeight(min(360, 84 * len(facts) + 12))
        self.body.addWidget(area)
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()

    def _card(self, fact: RecalledFact) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        text = QLabel(fact.text[:2000])
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        when = QLabel(day(fact.created_at, local_now()) if fact.created_at else "")
        when.setProperty("kind", "small")
        edit, forget = QPushButton("Edit"), QPushButton("Delete")
        for button, signal in ((edit, self.edit_requested), (forget, self.forget_requested)):
            button.setProperty("kind", "link")
            button.clicked.connect(self.accept)
            button.clicked.connect(lambda _=False, s=signal: s.emit(fact.memory_id))
        row = QHBoxLayout()
        row.addWidget(when)
        row.addStretch(1)
        row.addWidget(edit)
        row.addWidget(forget)
        box = QVBoxLayout(card)
        box.setContentsMargins(SPACE.m, SPACE.s, SPACE.s, SPACE.s)
        box.addWidget(text)
        box.addLayout(row)
        return card
