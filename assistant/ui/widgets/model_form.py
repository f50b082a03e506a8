"""The form that says which model answers; used at first start and in the settings."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from assistant.models.choice import ModelChoice
from assistant.models.presets import EndpointPreset
from assistant.ui.theme import SPACE

_ADDRESS, _KEY, _KEY_NOTE, _MODEL, _FILE, _CA, _PROXY = range(2, 9)
"""Rows of the form, after the preset and its hint."""
_FIELD_HEIGHT = 32


class ModelForm(QWidget):
    """Preset, address, key and model, with a test.

    Signals:
        test_requested(ModelChoice): try this choice.
        models_wanted(ModelChoice): the list of models is asked for.
        changed: any field changed, or the form is seen.
        forget_key_requested(ModelChoice): remove the stored key.
    """

    test_requested = Signal(object)
    models_wanted = Signal(object)
    changed = Signal()
    forget_key_requested = Signal(object)

    def __init__(self, presets: Sequence[EndpointPreset]) -> None:
        super().__init__()
        self._presets = {row.id: row for row in presets}
        self._preset = QComboBox()
        self._preset.setAccessibleName("Where the model runs")
        self._preset.setMinimumWidth(180)
        for row in presets:
            self._preset.addItem(row.name, row.id)
        self._hint = QLabel("")
        self._hint.setProperty("kind", "small")
        self._hint.setWordWrap(True)
        self._hint.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._url = QLineEdit()
        self._url.setPlaceholderText("http://127.0.0.1:8080/v1")
        self._key = QLineEdit()
        self._key.setEchoMode(QLineEdit.EchoMode.Password)
        self._key_note = QLabel("")
        self._key_note.setProperty("kind", "small")
        self._key_note.setWordWrap(True)
        self._forget = QPushButton("Remove the stored key")
        self._forget.setProperty("kind", "link")
        self._forget.clicked.connect(lambda: self.forget_key_requested.emit(self.choice()))
        self._forget.hide()
        self._model = QComboBox()
        self._model.setEditable(True)
        self._model.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self._model.setAccessibleName("Model")
        self._load = QPushButton("List models")
        self._load.clicked.connect(lambda: self.models_wanted.emit(self.choice()))
        self._file = QLineEdit()
        self._file.setPlaceholderText("The built-in trial model")
        self._browse = QPushButton("Choose file…")
        self._browse.clicked.connect(self._pick_file)
        self._ca = QLineEdit()
        self._ca.setPlaceholderText("The system's certificates")
        self._proxy = QLineEdit()
        self._proxy.setPlaceholderText("None")
        self._test = QPushButton("Test connection")
        self._test.clicked.connect(lambda: self.test_requested.emit(self.choice()))
        self._status = QLabel("")
        self._status.setWordWrap(True)
        self._status.setTextFormat(Qt.TextFormat.PlainText)
        self._lay_out()
        self._preset.currentIndexChanged.connect(lambda _: self._preset_changed())
        for field in (self._url, self._key, self._file, self._ca, self._proxy):
            field.textEdited.connect(lambda _: self.changed.emit())
        self._model.editTextChanged.connect(lambda _: self.changed.emit())
        self._preset_changed()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setHorizontalSpacing(SPACE.l)
        form.setVerticalSpacing(SPACE.s)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.addRow("Runs at", self._preset)
        form.addRow("", self._hint)
        form.addRow("Address", self._url)
        form.addRow("Key", self._key)
        form.addRow("", _pair(self._key_note, self._forget))
        form.addRow("Model", _pair(self._model, self._load))
        form.addRow("Model file", _pair(self._file, self._browse))
        form.addRow("CA file", self._ca)
        form.addRow("Proxy", self._proxy)
        self._form = form
        align_labels(form)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(SPACE.m)
        layout.addLayout(form)
        row = QHBoxLayout()
        row.addWidget(self._test)
        row.addWidget(self._status, 1)
        layout.addLayout(row)

    def showEvent(self, event: QShowEvent) -> None:
        """From now on it matters what the fields say."""
        super().showEvent(event)
        self.changed.emit()

    def choice(self) -> ModelChoice:
        """What the fields say now."""
        preset_id = str(self._preset.currentData())
        local = preset_id == "local"
        return ModelChoice(
            preset_id=preset_id,
            base_url="" if local else self._url.text().strip(),
            model="" if local else self._model.currentText().strip(),
            api_key="" if local else self._key.text().strip(),
            gguf_path=self._file.text().strip() if local else "",
            ca_file="" if local else self._ca.text().strip(),
            proxy="" if local else self._proxy.text().strip(),
        )

    def set_choice(self, choice: ModelChoice) -> None:
        """Fill the fields; a key is never shown."""
        index = self._preset.findData(choice.preset_id)
        self._preset.setCurrentIndex(max(index, 0))
        self._preset_changed()
        if choice.base_url:
            self._url.setText(choice.base_url)
        self._model.setEditText(choice.model)
        self._file.setText(choice.gguf_path)
        self._ca.setText(choice.ca_file)
        self._proxy.setText(choice.proxy)
        if choice.api_key:
            self._key.setText(choice.api_key)

    def show_models(self, models: Sequence[str]) -> None:
        """Offer these models, keeping what is typed when it is among them or nothing is."""
        typed = self._model.currentText()
        self._model.blockSignals(True)
        self._model.clear()
        self._model.addItems(list(models))
        self._model.setEditText(typed or (models[0] if models else ""))
        self._model.blockSignals(False)
        self.changed.emit()

    def show_status(self, text: str, kind: str = "muted") -> None:
        """Say how the test went; `kind` is muted, ok or danger."""
        self._status.setProperty("kind", kind)
        self._status.style().unpolish(self._status)
        self._status.style().polish(self._status)
        self._status.setText(text)

    def status(self) -> str:
        return self._status.text()

    def set_busy(self, busy: bool) -> None:
        """No second test while one runs."""
        self._test.setEnabled(not busy)
        self._load.setEnabled(not busy)

    def set_key_note(self, stored: bool, announcement: str = "") -> None:
        """Say whether a key is stored, and where a new one will be kept."""
        self._key.setPlaceholderText("Stored. Type to replace it" if stored else "Paste the key here")
        self._forget.setVisible(stored)
        self._key_note.setText(announcement or "Kept in this computer's key store, nowhere else.")

    def key_note(self) -> str:
        return self._key_note.text()

    def set_key(self, key: str) -> None:
        self._key.setText(key)

    def _preset_changed(self) -> None:
        row = self._presets[str(self._preset.currentData())]
        local = row.id == "local"
        self._hint.setText(row.hint)
        self._url.setText(row.base_url)
        # A key that was typed for one service must not be sent to another.
        self._key.clear()
        self._model.clear()
        with_key = not local and row.id not in ("ollama", "lmstudio")
        shown = {
            _ADDRESS: not local,
            _KEY: with_key,
            _KEY_NOTE: with_key,
            _MODEL: not local,
            _FILE: local,
            _CA: not local,
            _PROXY: not local,
        }
        for number, visible in shown.items():
            self._form.setRowVisible(number, visible)
        self._test.setVisible(not local)
        self._status.setVisible(not local)
        self.show_status("")
        self.changed.emit()

    def _pick_file(self) -> None:
        dialog = QFileDialog(self, "Choose a model file")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setNameFilter("GGUF models (*.gguf);;All files (*)")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._file.setText)
        dialog.fileSelected.connect(lambda _: self.changed.emit())
        dialog.open()


def align_labels(form: QFormLayout) -> None:
    """Put the words of each row beside the middle of its field, not of its top."""
    for row in range(form.rowCount()):
        item = form.itemAt(row, QFormLayout.ItemRole.LabelRole)
        label = item.widget() if item is not None else None
        if isinstance(label, QLabel) and label.text():
            label.setMinimumHeight(_FIELD_HEIGHT)
            label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


def _pair(field: QWidget, button: QPushButton) -> QWidget:
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(SPACE.s)
    row.addWidget(field, 1)
    row.addWidget(button)
    return box
