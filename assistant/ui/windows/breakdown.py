"""What fills the model's window, part by part; and what to do with a message that is larger than it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QProgressBar, QWidget

from assistant.core.errors import ContextTooLongError
from assistant.ui.models.context import ContextView, LayerRow
from assistant.ui.theme import SPACE
from assistant.ui.windows.dialogs import Dialog

_FINE = 1000


class BreakdownDialog(Dialog):
    """A row for each part, what stayed out, and how it was counted.

    Args:
        sent: what the button says that shows the text itself.

    Signals:
        sent_requested: the text itself is to be shown.
    """

    sent_requested = Signal()

    def __init__(self, parent: QWidget, view: ContextView, sent: str) -> None:
        super().__init__(parent, view.figure if view.level != "over" else f"Too long: {view.figure}")
        if view.about:
            self.say(view.about, "muted")
        if view.rows:
            self.body.addLayout(_table(view.rows))
        if view.trimmed:
            self.say(". ".join(view.trimmed) + ", because not everything fits.", "warn")
        for notice in view.notices:
            self.say(notice, "danger" if view.level == "over" else "warn")
        if view.facts:
            self.say(" ".join(view.facts), "muted")
        if view.level != "over":
            self.button(sent, self._show_sent)
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()

    def _show_sent(self) -> None:
        self.accept()
        self.sent_requested.emit()


class TooLongDialog(Dialog):
    """A message that a model of this size can't read. It stays where it was typed.

    Signals:
        shorten_requested: back to the text.
        model_requested: another model is to be chosen.
        send_requested: the user knows that the model reads more than is assumed.
    """

    shorten_requested = Signal()
    send_requested = Signal()
    model_requested = Signal()

    def __init__(self, parent: QWidget, error: ContextTooLongError) -> None:
        super().__init__(parent, error.title)
        self.say(error.message)
        self.say("Nothing was sent. Your message is still in the field.", "muted")
        if error.assumed:
            self.say(
                "How much this model reads is not known. If you know that it reads more, send it.", "muted"
            )
            self.button("Send anyway", self._send, "quiet")
        self.buttons.addStretch(1)
        self.button("Choose a larger model", self._choose)
        self.button("Shorten", self._shorten, "primary")
        self.rejected.connect(self.shorten_requested)
        self.finish_layout()

    def _choose(self) -> None:
        self.accept()
        self.model_requested.emit()

    def _send(self) -> None:
        self.accept()
        self.send_requested.emit()

    def _shorten(self) -> None:
        self.accept()
        self.shorten_requested.emit()


def _table(rows: tuple[LayerRow, ...]) -> QGridLayout:
    table = QGridLayout()
    table.setHorizontalSpacing(SPACE.m)
    table.setVerticalSpacing(SPACE.s)
    table.setColumnStretch(1, 1)
    for number, row in enumerate(rows):
        name = QLabel(row.name if not row.note else f"{row.name} ({row.note})")
        name.setTextFormat(Qt.TextFormat.PlainText)
        bar = QProgressBar()
        bar.setTextVisible(False)
        bar.setRange(0, _FINE)
        # What is there at all is seen.
        bar.setValue(max(round(row.share * _FINE), 12 if row.tokens else 0))
        bar.setMinimumWidth(120)
        bar.setAccessibleName(f"{row.name}: {row.tokens:,} tokens")
        if row.is_memory:
            bar.setProperty("kind", "memory")
        tokens = QLabel(f"{row.tokens:,}")
        tokens.setProperty("kind", "muted")
        tokens.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        table.addWidget(name, number, 0)
        table.addWidget(bar, number, 1)
        table.addWidget(tokens, number, 2)
    return table
