"""Settings: which model, how it looks, what is remembered, what belongs to the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QPlainTextEdit,
    QPushButton,
    QTabWidget,
    QWidget,
)

from assistant.config.settings import Settings
from assistant.models.choice import ModelChoice
from assistant.models.presets import EndpointPreset
from assistant.ui.theme import SPACE
from assistant.ui.widgets.model_form import ModelForm, align_labels
from assistant.ui.windows.dialogs import Dialog
from assistant.ui.windows.settings_pages import AnswersPage, MemoryPage, page, scrolling, text

_THEMES = (("Follow the system", "system"), ("Light", "light"), ("Dark", "dark"))


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the dialog edits beside the model.

    Attributes:
        theme: "system", "light" or "dark".
        reduced_motion: no animation.
        memory_enabled: recall memories for each message.
        memory_token_budget: how much of a prompt memories may take, in tokens.
        memory_consent: what to do with new memories: "ask", "save" or "manual".
        memory_extraction: the model looks for more after its reply.
        memory_reflection: the model looks for facts in conversations that were left.
        memory_index_turns: earlier conversations are recalled.
        summaries: the model summarises what no longer fits into a request.
        cache_mode: when an earlier answer is given again: "off", "exact" or "semantic".
        guard_private_data: mask what leaves this computer.
        instructions: what the assistant should always know about how to answer.
    """

    theme: str
    reduced_motion: bool
    memory_enabled: bool
    memory_token_budget: int
    memory_consent: str
    memory_extraction: bool
    memory_reflection: bool
    memory_index_turns: bool
    summaries: bool
    cache_mode: str
    guard_private_data: bool
    instructions: str

    @classmethod
    def of(cls, settings: Settings) -> Preferences:
        """As they are set."""
        return cls(**{item.name: getattr(settings, item.name) for item in fields(cls)})


class SettingsDialog(Dialog):
    """Tabs; what is changed takes effect on Save.

    Signals:
        saved(ModelChoice, Preferences): keep this; the dialog closes itself when told to by `accept`.
        export_requested, import_requested, wipe_requested, folder_requested, connections_requested: the data tab.
        forget_key_requested(ModelChoice): remove the stored key.
    """

    saved = Signal(object, object)
    export_requested = Signal()
    import_requested = Signal()
    wipe_requested = Signal()
    folder_requested = Signal()
    connections_requested = Signal()
    forget_key_requested = Signal(object)

    def __init__(
        self,
        parent: QWidget,
        presets: Sequence[EndpointPreset],
        choice: ModelChoice,
        preferences: Preferences,
        *,
        data_folder: str,
        version: str,
    ) -> None:
        super().__init__(parent, "Settings")
        self.setMinimumSize(560, 480)
        self.resize(640, 660)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        self.body.addWidget(self.tabs, 1)
        self.form = ModelForm(presets)
        self.form.set_choice(choice)
        self.memory = MemoryPage(
            enabled=preferences.memory_enabled,
            budget=preferences.memory_token_budget,
            consent=preferences.memory_consent,
            extraction=preferences.memory_extraction,
            reflection=preferences.memory_reflection,
            earlier=preferences.memory_index_turns,
        )
        self.answers = AnswersPage(
            cache=preferences.cache_mode,
            masked=preferences.guard_private_data,
            summaries=preferences.summaries,
        )
        self.tabs.addTab(self._model_page(preferences.instructions), "Model")
        self.tabs.addTab(scrolling(self.memory), "Memory")
        self.tabs.addTab(scrolling(self.answers), "Answers")
        self.tabs.addTab(self._look_page(preferences), "Appearance")
        self.tabs.addTab(self._own_page(data_folder, version), "Your data")
        self._error = self.say("", "danger")
        self._error.hide()
        self.buttons.addStretch(1)
        self.button("Cancel", self.reject)
        self._save = self.button("Save", self._commit, "primary")
        self.finish_layout()

    def preferences(self) -> Preferences:
        """What the fields say now."""
        return Preferences(
            theme=str(self._theme.currentData()),
            reduced_motion=self._motion.isChecked(),
            memory_enabled=self.memory.enabled.isChecked(),
            memory_token_budget=self.memory.budget.value(),
            memory_consent=self.memory.consent.value(),
            memory_extraction=self.memory.extraction.isChecked(),
            memory_reflection=self.memory.reflection.isChecked(),
            memory_index_turns=self.memory.earlier.isChecked(),
            summaries=self.answers.summaries.isChecked(),
            cache_mode=self.answers.cache.value(),
            guard_private_data=self.answers.masked.isChecked(),
            instructions=self._instructions.toPlainText().strip(),
        )

    def fit(self) -> None:
        """It keeps its size, whichever page is shown."""

    def show_error(self, text: str) -> None:
        """Say why it could not be saved; the fields stay."""
        self._error.setText(text)
        self._error.show()
        self._save.setEnabled(True)

    def commit(self) -> None:
        """Press Save."""
        self._commit()

    def _model_page(self, instructions: str) -> QWidget:
        widget, layout = page()
        layout.addWidget(self.form)
        self.form.forget_key_requested.connect(self.forget_key_requested)
        layout.addWidget(text("How should Keepsake answer? (sent with each message)", "heading"))
        self._instructions = QPlainTextEdit()
        self._instructions.setProperty("kind", "field")
        self._instructions.setAccessibleName("Instructions for the assistant")
        self._instructions.setPlaceholderText("For example: answer briefly, use metric units.")
        self._instructions.setMaximumHeight(96)
        self._instructions.setTabChangesFocus(True)
        self._instructions.setPlainText(instructions)
        layout.addWidget(self._instructions)
        layout.addStretch(1)
        return scrolling(widget)

    def _look_page(self, preferences: Preferences) -> QWidget:
        widget, layout = page()
        self._theme = QComboBox()
        for name, value in _THEMES:
            self._theme.addItem(name, value)
        self._theme.setCurrentIndex(max(0, self._theme.findData(preferences.theme)))
        self._motion = QCheckBox("Reduce motion")
        self._motion.setChecked(preferences.reduced_motion)
        form = QFormLayout()
        form.addRow("Colours", self._theme)
        align_labels(form)
        layout.addLayout(form)
        layout.addWidget(self._motion)
        layout.addStretch(1)
        return widget

    def _own_page(self, data_folder: str, version: str) -> QWidget:
        widget, layout = page()
        layout.addWidget(text("Everything is kept in this folder:", "muted"))
        folder = text(data_folder, "")
        folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(folder)
        rows = (
            ("Show the folder", self.folder_requested),
            ("Show connections", self.connections_requested),
            ("Export memories…", self.export_requested),
            ("Import memories…", self.import_requested),
        )
        for name, signal in rows:
            button = QPushButton(name)
            button.clicked.connect(signal)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addSpacing(SPACE.l)
        wipe = QPushButton("Wipe this profile…")
        wipe.setProperty("kind", "danger")
        wipe.clicked.connect(self.wipe_requested)
        layout.addWidget(wipe, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        layout.addWidget(text(f"Keepsake {version}", "small"))
        return widget

    def _commit(self) -> None:
        self._error.hide()
        self._save.setEnabled(False)
        self.saved.emit(self.form.choice(), self.preferences())
