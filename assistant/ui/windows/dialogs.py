"""Small dialogs: an error, a question, the text of a memory, the wipe.

None blocks: each is opened and tells its outcome by signal or callback.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent, QTextCursor, QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from assistant.core.errors import AssistantError
from assistant.ui.theme import SPACE
from assistant.ui.words import count

_WIDTH = 460
_FRAME = 24
"""Pixels that a window's frame and the space around it may take."""
_MOST_LINES = 8


def is_open(dialog: QWidget) -> bool:
    """Whether a dialog is still there: while something was awaited it may have been closed, and so deleted."""
    return isValid(dialog) and dialog.isVisible()


def close(dialog: QDialog) -> None:
    """Accept a dialog, if it is still there."""
    if is_open(dialog):
        dialog.accept()


class Dialog(QDialog):
    """A heading, a body and a row of buttons in the house style."""

    def __init__(self, parent: QWidget | None, heading: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(heading)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(_WIDTH)
        self._main_button: QPushButton | None = None
        self._was_shown = False
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.l)
        self.body.setSpacing(SPACE.m)
        title = QLabel(heading)
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setProperty("kind", "title")
        title.setWordWrap(True)
        self.body.addWidget(title)
        self.buttons = QHBoxLayout()
        self.buttons.setSpacing(SPACE.s)

    def say(self, text: str, kind: str = "") -> QLabel:
        """Add a paragraph of plain text."""
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        if kind:
            label.setProperty("kind", kind)
        self.body.addWidget(label)
        return label

    def button(self, text: str, action: Callable[[], object], kind: str = "") -> QPushButton:
        """Add a button to the row."""
        button = QPushButton(text)
        if kind:
            button.setProperty("kind", kind)
        button.setAutoDefault(kind in ("primary",))
        button.clicked.connect(lambda: action())
        if kind == "primary":
            self._main_button = button
        self.buttons.addWidget(button)
        return button

    def finish_layout(self) -> None:
        """Put the row of buttons at the bottom, with the focus on the main one."""
        self.body.addSpacing(SPACE.s)
        self.body.addLayout(self.buttons)
        if self._main_button is not None:
            self._main_button.setFocus()

    def fit(self) -> None:
        """As high as what it says needs at its width; a layout's own guess leaves gaps between paragraphs."""
        if self.body.hasHeightForWidth():
            width = max(self.width(), self.minimumWidth())
            self.resize(width, self.body.totalHeightForWidth(width))

    def showEvent(self, event: QShowEvent) -> None:
        """The first time, take the right size."""
        super().showEvent(event)
        if not self._was_shown:
            self._was_shown = True
            self.fit()
            room = self.screen().availableGeometry().size()
            # Buttons below the edge of the screen can't be pressed.
            self.resize(self.size().boundedTo(room - QSize(_FRAME, 2 * _FRAME)))


class ErrorDialog(Dialog):
    """What happened, what is safe, what to do; details behind a button."""

    def __init__(self, parent: QWidget | None, error: AssistantError) -> None:
        super().__init__(parent, error.title)
        self.say(error.message)
        if error.hint:
            self.say(error.hint, "muted")
        self._details = QPlainTextEdit(error.detail)
        self._details.setProperty("kind", "field")
        self._details.setReadOnly(True)
        self._details.setMinimumHeight(160)
        self._details.hide()
        self.body.addWidget(self._details)
        if error.detail:
            self.button("Details", self._toggle_details, "quiet")
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()

    def _toggle_details(self) -> None:
        self._details.setVisible(self._details.isHidden())
        self.fit()


class QuestionDialog(Dialog):
    """A question with one action beside Cancel.

    Args:
        verbatim: shown in full above the text.

    Signals:
        agreed: the action was chosen.
    """

    agreed = Signal()

    def __init__(
        self,
        parent: QWidget | None,
        heading: str,
        text: str,
        action: str,
        *,
        verbatim: str = "",
        danger: bool = False,
    ) -> None:
        super().__init__(parent, heading)
        if verbatim:
            self._show_verbatim(verbatim)
        self.say(text)
        self.buttons.addStretch(1)
        cancel = self.button("Cancel", self.reject)
        self.button(action, self._agree, "danger" if danger else "primary")
        self.finish_layout()
        cancel.setFocus()

    def _show_verbatim(self, text: str) -> None:
        """`text` to the last character, such as an address, which may have no place to break a line."""
        field = QPlainTextEdit(text)
        field.setProperty("kind", "field")
        field.setReadOnly(True)
        field.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)
        field.setTabChangesFocus(True)
        per_line = (_WIDTH - 2 * SPACE.xl - 2 * SPACE.l) // max(1, field.fontMetrics().averageCharWidth())
        lines = min(_MOST_LINES, len(text) // max(1, per_line) + 1)
        field.setFixedHeight(lines * field.fontMetrics().lineSpacing() + 2 * SPACE.m)
        self.body.addWidget(field)

    def _agree(self) -> None:
        self.agreed.emit()
        self.accept()


class MemoryDialog(Dialog):
    """Write or correct one memory.

    Args:
        text, caption: the memory as it is, and where it comes from; empty for a new one.
        waits: it waits for the person's word, so that saving keeps it.

    Signals:
        saved(text): the text to keep; the dialog stays until `accept`, so that a failure loses nothing.
    """

    saved = Signal(str)

    def __init__(
        self, parent: QWidget | None, text: str = "", caption: str = "", *, waits: bool = False
    ) -> None:
        heading = "Correct and remember" if waits else "Edit memory" if text else "Add a memory"
        super().__init__(parent, heading)
        self._before = "" if waits else text
        self._field = QPlainTextEdit(text)
        self._field.setProperty("kind", "field")
        self._field.setAccessibleName("Memory")
        self._field.setPlaceholderText("One fact, in your own words")
        self._field.setMinimumHeight(110)
        self._field.setTabChangesFocus(True)
        self.body.addWidget(self._field)
        if caption:
            self.say(caption, "small")
        self._error = self.say("", "danger")
        self._error.hide()
        self.buttons.addStretch(1)
        self.button("Cancel", self.reject)
        self._save = self.button("Remember" if waits else "Save", self._commit, "primary")
        self._field.textChanged.connect(self._refresh)
        self._refresh()
        shortcut = QShortcut(QKeySequence("Ctrl+Return"), self)
        shortcut.activated.connect(self._commit)
        self.finish_layout()
        self._field.moveCursor(QTextCursor.MoveOperation.End)
        self._field.setFocus()

    def show_error(self, text: str) -> None:
        """Say why it could not be saved; the text stays."""
        self._error.setText(text)
        self._error.show()
        self._save.setEnabled(True)

    def text(self) -> str:
        return self._field.toPlainText()

    def set_text(self, text: str) -> None:
        self._field.setPlainText(text)

    def _refresh(self) -> None:
        text = self.text().strip()
        self._save.setEnabled(bool(text) and text != self._before)

    def _commit(self) -> None:
        if self._save.isEnabled():
            self._error.hide()
            self._save.setEnabled(False)
            self.saved.emit(self.text().strip())


def memories_and_conversations(memories: int | None, conversations: int | None) -> str:
    """ "2 memories and 1 conversation"; None for a number that nobody knows."""
    some = count(memories, "memory", "memories") if memories is not None else "all memories"
    others = (
        count(conversations, "conversation", "conversations")
        if conversations is not None
        else "all conversations"
    )
    return f"{some} and {others}"


class WipeDialog(Dialog):
    """Says what goes, offers the export, and asks for a typed word.

    Signals:
        export_requested: export first.
        confirmed: the word was typed and Wipe chosen.
    """

    export_requested = Signal()
    confirmed = Signal()
    WORD = "wipe"

    def __init__(
        self, parent: QWidget | None, *, memories: int | None, conversations: int | None, profile: str
    ) -> None:
        super().__init__(parent, "Wipe this profile")
        self._working = False
        self.say(
            f"This removes {memories_and_conversations(memories, conversations)} of {profile} from this "
            "computer. Settings and keys stay. It cannot be undone."
        )
        self.say(f"Type {self.WORD} to go on.", "muted")
        self._word = QLineEdit()
        self._word.setAccessibleName(f"Type {self.WORD} to confirm")
        self._word.setPlaceholderText(self.WORD)
        self.body.addWidget(self._word)
        self._progress = self.say("", "muted")
        self._progress.hide()
        self._export = self.button("Export first", self.export_requested.emit)
        self.buttons.addStretch(1)
        self._cancel = self.button("Cancel", self.reject)
        self._wipe = self.button("Wipe", self._confirm, "danger")
        self._wipe.setEnabled(False)
        self._word.textChanged.connect(
            lambda text: self._wipe.setEnabled(text.strip().casefold() == self.WORD)
        )
        self.finish_layout()
        self._word.setFocus()

    def type_word(self, word: str) -> None:
        """Put text into the confirmation field."""
        self._word.setText(word)

    def confirm(self) -> None:
        """Press Wipe, if it can be pressed."""
        self._wipe.click()

    def finish(self) -> None:
        """The wipe has ended, well or not."""
        self._working = False
        self.accept()

    def reject(self) -> None:
        """Not while it works: nobody should think that it was stopped."""
        if not self._working:
            super().reject()

    def _confirm(self) -> None:
        self._working = True
        for widget in (self._wipe, self._export, self._cancel, self._word):
            widget.setEnabled(False)
        self._progress.setText("Closing and removing…")
        self._progress.show()
        self.confirmed.emit()
