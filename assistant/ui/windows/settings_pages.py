"""Pages of the settings: what is remembered, and how answers come about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from assistant.ui.theme import SPACE
from assistant.ui.widgets.model_form import align_labels
from assistant.ui.words import count, size

_INDENT = SPACE.xl


@dataclass(frozen=True, slots=True)
class Option:
    """One of several ways, with what it means in a sentence."""

    value: str
    title: str
    meaning: str


CONSENT = (
    Option("ask", "Ask first", "A new memory waits until you say yes."),
    Option(
        "save",
        "Save, with a way back",
        "It is kept at once and shown under the message with Undo. Sensitive ones still ask.",
    ),
    Option("manual", "Only when I ask", "Nothing is kept unless you say “remember” or add it yourself."),
)
CACHE = (
    Option("off", "Never", "Each message goes to the model."),
    Option(
        "exact",
        "Same words",
        "The same question in the same situation gets the earlier answer, and nothing is sent.",
    ),
    Option(
        "semantic",
        "Same meaning",
        "Other words may do, too, when numbers, names and dates agree. In rare cases the answer does not fit.",
    ),
)


def page() -> tuple[QWidget, QVBoxLayout]:
    """An empty page and its column."""
    widget = QWidget()
    widget.setProperty("kind", "page")
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(SPACE.xs, SPACE.l, SPACE.xs, SPACE.l)
    layout.setSpacing(SPACE.m)
    return widget, layout


def scrolling(widget: QWidget) -> QScrollArea:
    """A page that scrolls where it has no room."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(widget)
    return area


def text(words: str, kind: str) -> QLabel:
    """A paragraph of plain text."""
    label = QLabel(words)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if kind:
        label.setProperty("kind", kind)
    return label


class Choice(QWidget):
    """Several ways of which one is taken, each explained."""

    def __init__(self, name: str, options: Sequence[Option], chosen: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self._values = [option.value for option in options]
        self._group = QButtonGroup(self)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE.xs)
        for number, option in enumerate(options):
            button = QRadioButton(option.title)
            button.setAccessibleDescription(option.meaning)
            button.setChecked(option.value == chosen)
            self._group.addButton(button, number)
            column.addWidget(button)
            column.addLayout(_indented(text(option.meaning, "muted")))

    def value(self) -> str:
        """Which one is taken."""
        return self._values[max(self._group.checkedId(), 0)]

    def buttons(self) -> Sequence[QRadioButton]:
        """The ways, in order."""
        return list(self.findChildren(QRadioButton))

    def choose(self, value: str) -> None:
        """Take one."""
        self._group.button(self._values.index(value)).setChecked(True)


class MemoryPage(QWidget):
    """What is remembered and used."""

    def __init__(
        self,
        *,
        enabled: bool,
        budget: int,
        consent: str,
        extraction: bool,
        reflection: bool,
        earlier: bool,
    ) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        layout = _column(self)
        self.enabled = _check(
            layout,
            "Use memories when answering",
            "Keepsake looks for memories that fit each message and sends them along with it. "
            "Under a reply you see which were used.",
            enabled,
        )
        self.budget = QSpinBox()
        self.budget.setRange(100, 8000)
        self.budget.setSingleStep(100)
        self.budget.setValue(budget)
        self.budget.setSuffix(" tokens")
        self.budget.setFixedWidth(150)
        self.budget.lineEdit().setTextMargins(SPACE.s, 0, 0, 0)
        form = QFormLayout()
        form.setContentsMargins(_INDENT, 0, 0, 0)
        form.addRow("At most per message", self.budget)
        align_labels(form)
        layout.addLayout(form)
        self.earlier = _check(
            layout,
            "Recall earlier conversations",
            "What was said in other conversations can be used as well.",
            earlier,
        )
        layout.addSpacing(SPACE.s)
        layout.addWidget(text("New memories", "heading"))
        self.consent = Choice("What to do with new memories", CONSENT, consent)
        layout.addWidget(self.consent)
        self.extraction = _check(
            layout,
            "Let the model look for more after its reply",
            "It reads your message once more and picks out what is worth keeping: one more request to the same model.",
            extraction,
        )
        self.reflection = _check(
            layout,
            "Let the model look back at a conversation",
            "When it has been left, the model looks for facts that several of your messages establish together. Each "
            "waits for your word.",
            reflection,
        )
        self.enabled.toggled.connect(self._refresh)
        self.extraction.toggled.connect(self._refresh)
        for button in self.consent.buttons():
            button.toggled.connect(self._refresh)
        layout.addStretch(1)
        self._refresh()

    def _refresh(self) -> None:
        used = self.enabled.isChecked()
        for widget in (self.budget, self.earlier, self.consent):
            widget.setEnabled(used)
        learns = used and self.consent.value() != "manual"
        self.extraction.setEnabled(learns)
        self.reflection.setEnabled(learns and self.extraction.isChecked())


class AnswersPage(QWidget):
    """When an earlier answer is given again, and what is masked.

    Signals:
        clear_requested: the kept answers are to go.
    """

    clear_requested = Signal()

    def __init__(self, *, cache: str, masked: bool, summaries: bool) -> None:
        super().__init__()
        self.setProperty("kind", "page")
        layout = _column(self)
        layout.addWidget(text("When you ask the same again", "heading"))
        layout.addWidget(text("Give the earlier answer for:", "muted"))
        self.cache = Choice("When an earlier answer is given again", CACHE, cache)
        layout.addWidget(self.cache)
        self.kept = text("", "muted")
        self.kept.setWordWrap(False)
        self.clear = QPushButton("Clear")
        self.clear.setAccessibleName("Clear kept answers")
        self.clear.clicked.connect(self.clear_requested)
        self.clear.setEnabled(False)
        row = QHBoxLayout()
        row.addWidget(self.kept)
        row.addWidget(self.clear)
        row.addStretch(1)
        layout.addLayout(row)
        layout.addSpacing(SPACE.m)
        layout.addWidget(text("Long conversations", "heading"))
        self.summaries = _check(
            layout,
            "Summarise what no longer fits",
            "The model summarises earlier messages that no longer fit into a request, when nothing else is running: "
            "one more request to the same model.",
            summaries,
        )
        layout.addSpacing(SPACE.m)
        layout.addWidget(text("What leaves this computer", "heading"))
        self.masked = _check(
            layout,
            "Mask keys and personal data",
            "Keys, passwords, e-mail addresses, telephone, card and account numbers are replaced before a message is "
            "sent to another computer. Your conversation here keeps them. Unusual ones can be missed.",
            masked,
        )
        layout.addStretch(1)
        self.show_kept(None, 0)

    def show_kept(self, number: int | None, bytes_kept: int) -> None:
        """How many answers are kept and how large their file is; None when nobody knows."""
        if number is None:
            self.kept.setText("Looking how many answers are kept…")
        elif number == 0:
            self.kept.setText("No answer is kept.")
        else:
            self.kept.setText(f"{count(number, 'answer is', 'answers are')} kept ({size(bytes_kept)}).")
        self.clear.setEnabled(bool(number))

    def show_trouble(self, words: str) -> None:
        """Why the kept answers can't be counted or cleared."""
        self.kept.setText(words)
        self.clear.setEnabled(False)


def _column(widget: QWidget) -> QVBoxLayout:
    layout = QVBoxLayout(widget)
    layout.setContentsMargins(SPACE.xs, SPACE.l, SPACE.m, SPACE.l)
    layout.setSpacing(SPACE.s)
    return layout


def _check(layout: QVBoxLayout, title: str, meaning: str, on: bool) -> QCheckBox:
    box = QCheckBox(title)
    box.setChecked(on)
    box.setAccessibleDescription(meaning)
    layout.addWidget(box)
    layout.addLayout(_indented(text(meaning, "muted")))
    return box


def _indented(label: QLabel) -> QHBoxLayout:
    row = QHBoxLayout()
    row.setContentsMargins(_INDENT, 0, 0, SPACE.xs)
    row.addWidget(label)
    return row
