"""Settings: which model, how it looks, what is remembered, what belongs to the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from assistant.models.choice import ModelChoice
from assistant.models.presets import EndpointPreset
from assistant.ui.theme import SPACE
from assistant.ui.widgets.model_form import ModelForm, align_labels
from assistant.ui.windows.dialogs import Dialog

_THEMES = (("Follow the system", "system"), ("Light", "light"), ("Dark", "dark"))


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the dialog edits beside the model.

    Attributes:
        theme: "system", "light" or "dark".
        reduced_motion: no animation.
        memory_enabled: recall memories for each message.
        memory_token_budget: how much of a prompt memories may take, in tokens.
        instructions: what the assistant should always know about how to answer.
    """

    theme: str
    reduced_motion: bool
    memory_enabled: bool
    memory_token_budget: int
    instructions: str


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
        self.tabs.addTab(self._model_page(), "Model")
        self.tabs.addTab(self._memory_page(preferences), "Memory")
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
            memory_enabled=self._memory.isChecked(),
            memory_token_budget=self._budget.value(),
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

    def _model_page(self) -> QWidget:
        page, layout = _page()
        layout.addWidget(self.form)
        self.form.forget_key_requested.connect(self.forget_key_requested)
        layout.addWidget(_text("How should Keepsake answer? (sent with each message)", "heading"))
        self._instructions = QPlainTextEdit()
        self._instructions.setProperty("kind", "field")
        self._instructions.setAccessibleName("Instructions for the assistant")
        self._instructions.setPlaceholderText("For example: answer briefly, use metric units.")
        self._instructions.setMaximumHeight(96)
        self._instructions.setTabChangesFocus(True)
        layout.addWidget(self._instructions)
        layout.addStretch(1)
        return _scrolling(page)

    def _memory_page(self, preferences: Preferences) -> QWidget:
        self._instructions.setPlainText(preferences.instructions)
        page, layout = _page()
        self._memory = QCheckBox("Use memories when answering")
        self._memory.setChecked(preferences.memory_enabled)
        layout.addWidget(self._memory)
        layout.addWidget(
            _text(
                "Keepsake looks for memories that fit each message and sends them along with it. "
                "Under a reply you see which were used.",
                "muted",
            )
        )
        self._budget = QSpinBox()
        self._budget.setRange(100, 8000)
        self._budget.setSingleStep(100)
        self._budget.setValue(preferences.memory_token_budget)
        self._budget.setSuffix(" tokens")
        self._budget.setFixedWidth(150)
        self._budget.lineEdit().setTextMargins(SPACE.s, 0, 0, 0)
        form = QFormLayout()
        form.addRow("At most per message", self._budget)
        align_labels(form)
        layout.addLayout(form)
        layout.addStretch(1)
        return page

    def _look_page(self, preferences: Preferences) -> QWidget:
        page, layout = _page()
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
        return page

    def _own_page(self, data_folder: str, version: str) -> QWidget:
        page, layout = _page()
        layout.addWidget(_text("Everything is kept in this folder:", "muted"))
        folder = _text(data_folder, "")
        folder.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        layout.addWidget(folder)
        rows = (
            ("Show the folder", self.folder_requested),
            ("Show connections", self.connections_requested),
            ("Export memories…", self.export_requested),
            ("Import memories…", self.import_requested),
        )
        for text, signal in rows:
            button = QPushButton(text)
            button.clicked.connect(signal)
            layout.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addSpacing(SPACE.l)
        wipe = QPushButton("Wipe this profile…")
        wipe.setProperty("kind", "danger")
        wipe.clicked.connect(self.wipe_requested)
        layout.addWidget(wipe, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        layout.addWidget(_text(f"Keepsake {version}", "small"))
        return page

    def _commit(self) -> None:
        self._error.hide()
        self._save.setEnabled(False)
        self.saved.emit(self.form.choice(), self.preferences())


def _page() -> tuple[QWidget, QVBoxLayout]:
    page = QWidget()
    page.setProperty("kind", "page")
    layout = QVBoxLayout(page)
    layout.setContentsMargins(SPACE.xs, SPACE.l, SPACE.xs, SPACE.l)
    layout.setSpacing(SPACE.m)
    return page, layout


def _scrolling(page: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setWidget(page)
    return area


def _text(text: str, kind: str) -> QLabel:
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    if kind:
        label.setProperty("kind", kind)
    return label
