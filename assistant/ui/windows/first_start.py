"""The first page: who should answer? Each way can be skipped."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from assistant.models.choice import ModelChoice
from assistant.models.presets import EndpointPreset, preset
from assistant.models.probe import FoundServer
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON, icon
from assistant.ui.widgets.model_form import ModelForm

_WIDTH = 600


class FirstStartPage(QScrollArea):
    """Three ways to begin, in the centre of the window.

    Signals:
        chosen(ModelChoice): start with this.
        skipped: look around first.
        search_requested: look for model servers on this computer again.
    """

    chosen = Signal(object)
    skipped = Signal()
    search_requested = Signal()

    def __init__(self, theme: Theme, presets: Sequence[EndpointPreset], *, has_trial_model: bool) -> None:
        super().__init__()
        self._theme = theme
        self.setWidgetResizable(True)
        self.setFrameShape(QScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        page = QWidget()
        page.setProperty("kind", "page")
        column = QWidget()
        column.setMaximumWidth(_WIDTH)
        column.setMinimumWidth(320)
        outer = QHBoxLayout(page)
        outer.addStretch(1)
        outer.addWidget(column, 100)
        outer.addStretch(1)
        layout = QVBoxLayout(column)
        layout.setContentsMargins(SPACE.l, SPACE.xxl + SPACE.l, SPACE.l, SPACE.xxl)
        layout.setSpacing(SPACE.m)
        layout.addWidget(_label("A chat that remembers", "welcome"))
        layout.addWidget(
            _label(
                "Chats and memories stay on this computer. Choose who answers; it can be changed at any time.",
                "reading",
            )
        )
        layout.addSpacing(SPACE.s)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._trial = self._choice(
            "Start now, on this computer",
            "The built-in model is small: good for trying things out, often wrong. Nothing leaves this computer."
            if has_trial_model
            else "The built-in model is not installed. Run “make setup” to add it.",
        )
        self._trial.setEnabled(has_trial_model)
        self._server = self._choice(
            "A model server on this computer", "Looking for Ollama, LM Studio and llama.cpp…"
        )
        self._server.setEnabled(False)
        self._key = self._choice("A service with a key", "OpenAI, OpenRouter or any compatible address.")
        for button in (self._trial, self._server, self._key):
            layout.addWidget(button)
        self._found: tuple[FoundServer, ...] = ()
        self._busy = False
        self._form = ModelForm([row for row in presets if row.id != "local"])
        self._form.set_choice(ModelChoice("openai"))
        self._form.hide()
        layout.addWidget(self._form)
        self._error = _label("", "danger")
        self._error.hide()
        layout.addWidget(self._error)
        layout.addSpacing(SPACE.s)
        layout.addLayout(self._build_buttons())
        layout.addStretch(1)
        self._group.buttonClicked.connect(lambda _: self._chosen())
        self._trial.setChecked(has_trial_model)
        self.setWidget(page)
        theme.changed.connect(self.load_icons)
        self._refresh()
        self.load_icons()

    def _build_buttons(self) -> QHBoxLayout:
        self._skip = QPushButton("Skip for now")
        self._skip.setProperty("kind", "quiet")
        self._skip.clicked.connect(self.skipped)
        self._again = QPushButton("Look again")
        self._again.setProperty("kind", "quiet")
        self._again.clicked.connect(self.search_requested)
        self._start = QPushButton("Start")
        self._start.setProperty("kind", "primary")
        self._start.setDefault(True)
        self._start.clicked.connect(self._commit)
        row = QHBoxLayout()
        row.addWidget(self._skip)
        row.addWidget(self._again)
        row.addStretch(1)
        row.addWidget(self._start)
        return row

    @property
    def form(self) -> ModelForm:
        """The form for a service with a key."""
        return self._form

    @property
    def uses_form(self) -> bool:
        """Whether the form says who answers."""
        return self._key.isChecked()

    def load_icons(self) -> None:
        t = self._theme.tokens
        for button, name in ((self._trial, "chip"), (self._server, "computer"), (self._key, "key")):
            button.setIcon(icon(name, t.accent))

    def show_servers(self, servers: Sequence[FoundServer]) -> None:
        """Say which model servers answer on this computer."""
        self._found = tuple(servers)
        usable = [s for s in servers if s.models]
        if usable:
            names = ", ".join(f"{preset(s.preset_id).name} ({s.models[0].id})" for s in usable)
            self._set_choice_text(self._server, f"Found: {names}")
        elif servers:
            self._set_choice_text(
                self._server,
                f"{preset(servers[0].preset_id).name} answers, but has no model yet. Add one there, then look again.",
            )
        else:
            self._set_choice_text(
                self._server,
                "None answers at the usual ports. Start Ollama, LM Studio or llama.cpp, then look again.",
            )
        self._server.setEnabled(bool(usable))
        self._refresh()

    def choose_trial(self) -> None:
        """Mark the model on this computer and start."""
        self._trial.setChecked(True)
        self._chosen()
        self._commit()

    def show_error(self, text: str) -> None:
        """Say why it could not begin; empty when it can."""
        self._error.setText(text)
        self._error.setVisible(bool(text))

    def set_busy(self, busy: bool) -> None:
        """While a choice is tried, no other is begun."""
        self._busy = busy
        self._start.setText("Trying…" if busy else "Start")
        self._refresh()

    def _choice(self, heading: str, text: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "choice")
        # A button's own policy would keep it at its size, however many lines its texts take.
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        button.setCheckable(True)
        button.setIconSize(ICON)
        button.setAccessibleName(heading)
        inner = QVBoxLayout(button)
        inner.setContentsMargins(SPACE.xxl + SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        inner.setSpacing(2)
        inner.addStretch(1)
        title = _label(heading, "heading")
        note = _label(text, "muted")
        note.setObjectName("note")
        for label in (title, note):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inner.addWidget(label)
        inner.addStretch(1)
        self._group.addButton(button)
        return button

    def _set_choice_text(self, button: QPushButton, text: str) -> None:
        note = button.findChild(QLabel, "note")
        if note is not None:
            note.setText(text)
        button.setAccessibleDescription(text)

    def _chosen(self) -> None:
        self.show_error("")
        self._refresh()

    def _refresh(self) -> None:
        self._form.setVisible(self._key.isChecked())
        chosen = self._group.checkedButton()
        self._start.setEnabled(not self._busy and chosen is not None and chosen.isEnabled())

    def _commit(self) -> None:
        if self._trial.isChecked():
            self.chosen.emit(ModelChoice("local"))
        elif self._server.isChecked():
            server = next(s for s in self._found if s.models)
            self.chosen.emit(ModelChoice(server.preset_id, server.base_url, server.models[0].id))
        elif self._key.isChecked():
            self.chosen.emit(self._form.choice())


def _label(text: str, kind: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("kind", kind)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label
