"""‹ 2 / 3 ›: which version of a message is shown, and the way to the others."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

_BUTTON = QSize(22, 24)
_BUSY = "Can be switched when the reply has ended"
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class VariantSwitch(QWidget):
    """Two small buttons around two numbers. The arrow keys do what the buttons do.

    Signals:
        requested: -1 for the version before, 1 for the one after.
    """

    requested = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._buttons = {-1: self._button("‹", -1), 1: self._button("›", 1)}
        self._place = QLabel(self)
        self._place.setProperty("kind", "small")
        self._usable = True
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._buttons[-1])
        row.addWidget(self._place)
        row.addWidget(self._buttons[1])

    def button(self, step: int) -> QToolButton:
        """The button for the version before (-1) or after (1)."""
        return self._buttons[step]

    def text(self) -> str:
        """ "2 / 3"."""
        return self._place.text()

    def show_place(self, variant: int, variants: int, *, usable: bool) -> None:
        """Say which version of how many is shown, and whether another may be shown now."""
        self._usable = usable
        self._place.setText(f"{variant} / {variants}")
        self.setAccessibleName(f"Version {variant} of {variants}")
        self._enable(-1, variant > 1, "Earlier version")
        self._enable(1, variant < variants, "Later version")

    @property
    def focused_step(self) -> int:
        """The button that has the focus: -1 or 1; 0 for none."""
        return next((step for step, button in self._buttons.items() if button.hasFocus()), 0)

    def take_focus(self, step: int) -> None:
        """Focus the button for `step`, or the other one where that way ends."""
        wanted = self._buttons[step] if self._buttons[step].isEnabled() else self._buttons[-step]
        wanted.setFocus(Qt.FocusReason.TabFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The arrow keys press the buttons."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = _STEPS.get(Qt.Key(event.key()), 0)
            if step:
                self._buttons[step].click()
                return True
        return super().eventFilter(watched, event)

    def _button(self, sign: str, step: int) -> QToolButton:
        button = QToolButton(self)
        button.setText(sign)
        button.setProperty("kind", "variant")
        button.setFixedSize(_BUTTON)
        button.installEventFilter(self)
        button.clicked.connect(lambda: self.requested.emit(step))
        return button

    def _enable(self, step: int, there: bool, name: str) -> None:
        button = self._buttons[step]
        button.setEnabled(there and self._usable)
        button.setAccessibleName(name)
        button.setToolTip(name if self._usable or not there else _BUSY)
