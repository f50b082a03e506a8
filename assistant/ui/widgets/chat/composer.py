"""The composer: the card where a message is written, and the line below it that says where it goes."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON, icon
from assistant.ui.theme.tokens import READING_WIDTH
from assistant.ui.widgets.chat.composer_input import ComposerInput
from assistant.ui.widgets.chat.edit_line import EditLine
from assistant.ui.widgets.elided_label import ElidedLabel
from assistant.ui.widgets.token_meter import TokenMeter

PLACEHOLDER = "Message Keepsake"
TEMPORARY_PLACEHOLDER = "Message Keepsake, kept nowhere"
DRAFT_MS = 400
COUNTED_FROM = 10_000
_SEND = 34


class Composer(QWidget):
    """Takes a message. Enter sends, Shift+Enter breaks the line, Esc stops a reply. The text stays until `clear`.

    Signals:
        send_requested: the text; never blank.
        stop_requested: the reply that is being written is to stop.
        draft_changed: the text, after a short pause in typing.
        destination_clicked: the chip that says where messages go.
        edit_last_requested: Up was pressed in the empty composer.
        edit_cancelled: the message that is being edited stays as it is.
        editing_changed: whether an earlier message is being edited now.
    """

    send_requested = Signal(str)
    stop_requested = Signal()
    draft_changed = Signal(str)
    destination_clicked = Signal()
    edit_last_requested = Signal()
    edit_cancelled = Signal()
    editing_changed = Signal(bool)

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._busy = self._temporary = False
        self._reason = ""
        self._focus_waits = False
        self._status_text = ""
        self._destination_icon = "computer"
        self._card = _Card(self)
        self.input = ComposerInput(self._card)
        self.input.setPlaceholderText(PLACEHOLDER)
        self.input.setAccessibleName("Message")
        self.edit_line = EditLine(self._card)
        self.edit_line.cancelled.connect(self.edit_cancelled)
        self.send_button = QToolButton(self._card)
        self.send_button.setProperty("kind", "send")
        self.send_button.setIconSize(ICON)
        self.send_button.setFixedSize(QSize(_SEND, _SEND))
        self.meter = TokenMeter(self)
        self.status = ElidedLabel()
        self.status.setProperty("kind", "small")
        self.destination = QPushButton(self)
        self.destination.setProperty("kind", "chip")
        self.destination.setCursor(Qt.CursorShape.PointingHandCursor)
        self._draft = QTimer(self)
        self._draft.setSingleShot(True)
        self._draft.setInterval(DRAFT_MS)
        self.setFocusProxy(self.input)
        self._lay_out()
        self._connect()
        self.set_destination("this computer")
        self._refresh()

    # -- the text

    def text(self) -> str:
        """What was typed, exactly."""
        return self.input.text()

    def set_text(self, text: str) -> None:
        """Another text, such as a kept draft; does not count as typing."""
        self.input.set_text(text)
        self._draft.stop()

    def clear(self) -> None:
        """No text; does not count as typing."""
        self.set_text("")

    def focus(self) -> None:
        """Put the cursor here."""
        self.input.setFocus(Qt.FocusReason.OtherFocusReason)

    # -- what the window says

    def set_busy(self, busy: bool) -> None:
        """While a reply is written the button stops it, and the next message can be typed but not sent."""
        self._busy = busy
        self._refresh()

    def set_enabled_reason(self, reason: str) -> None:
        """Why nothing can be sent at present, shown in the input or, when there is a text, below it; empty when it
        can. The text stays."""
        had_focus = self.window().focusWidget() is self.input or self._focus_waits
        self._reason = reason
        self.input.setEnabled(not reason)
        self._focus_waits = bool(reason) and had_focus
        if had_focus and not reason:
            self.focus()
        self.input.setPlaceholderText(reason or self._placeholder())
        self._refresh()

    def set_editing(self, editing: bool) -> None:
        """Whether the text is that of an earlier message."""
        self.edit_line.setVisible(editing)
        self._refresh()
        self.editing_changed.emit(editing)

    @property
    def is_editing(self) -> bool:
        """Whether the text is that of an earlier message."""
        return not self.edit_line.isHidden()

    def set_temporary(self, temporary: bool) -> None:
        """Whether nothing of the conversation is kept: the card shows it."""
        if temporary != self._temporary:
            self._temporary = temporary
            self._card.set_look("temporary", temporary)
            self.input.setPlaceholderText(self._reason or self._placeholder())

    @property
    def is_being_typed(self) -> bool:
        """Whether the last key was pressed a moment ago."""
        return self._draft.isActive()

    def set_status(self, text: str) -> None:
        """The words on the left below, such as what had to stay out of the model's window."""
        self._status_text = text
        self._refresh()

    def set_destination(self, name: str, icon_name: str = "computer") -> None:
        """Where messages go, in words, with an icon of the theme ("computer", "network", "internet")."""
        self._destination_icon = icon_name
        self.destination.setText(f" Goes to: {name}".replace("&", "&&"))
        self.destination.setAccessibleName(f"Messages go to {name}. Change this.")
        self._restyle()

    # -- inside

    def _lay_out(self) -> None:
        card = QVBoxLayout(self._card)
        card.setContentsMargins(SPACE.l, SPACE.s, SPACE.s, SPACE.s)
        card.setSpacing(SPACE.xs)
        card.addWidget(self.edit_line)
        inside = QHBoxLayout()
        inside.setSpacing(SPACE.s)
        card.addLayout(inside)
        inside.addWidget(self.input, 1, Qt.AlignmentFlag.AlignVCenter)
        inside.addWidget(self.send_button, 0, Qt.AlignmentFlag.AlignBottom)
        footer = QHBoxLayout()
        footer.setContentsMargins(0, 0, 0, 0)
        footer.setSpacing(SPACE.xs)
        footer.addWidget(self.meter)
        footer.addWidget(self.status, 1)
        footer.addWidget(self.destination)
        column = QVBoxLayout()
        column.setSpacing(SPACE.s)
        column.addWidget(self._card)
        column.addLayout(footer)
        outside = QHBoxLayout(self)
        outside.setContentsMargins(SPACE.l, 0, SPACE.l, 0)
        middle = QWidget(self)
        middle.setMaximumWidth(READING_WIDTH)
        middle.setLayout(column)
        column.setContentsMargins(0, 0, 0, 0)
        outside.addStretch(1)
        outside.addWidget(middle, 1_000)
        outside.addStretch(1)

    def _connect(self) -> None:
        self.input.submitted.connect(self._send)
        self.input.escaped.connect(self._escape)
        self.input.went_up.connect(self._go_up)
        self.input.textChanged.connect(self._typed)
        self.input.focus_changed.connect(lambda active: self._card.set_look("active", active))
        self._card.clicked.connect(self.focus)
        self.send_button.clicked.connect(self._press)
        self.destination.clicked.connect(self.destination_clicked)
        self._draft.timeout.connect(lambda: self.draft_changed.emit(self.text()))
        self._theme.changed.connect(self._restyle)

    def _is_blank(self) -> bool:
        return self.input.length() < COUNTED_FROM and not self.text().strip()

    def _typed(self) -> None:
        self._draft.start()
        self._refresh()

    def _press(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        else:
            self._send()

    def _send(self) -> None:
        text = self.text()
        if not self._busy and not self._reason and text.strip():
            self._draft.stop()
            self.send_requested.emit(text)

    def _escape(self) -> None:
        if self._busy:
            self.stop_requested.emit()
        elif self.is_editing:
            self.edit_cancelled.emit()

    def _go_up(self) -> None:
        if not self.is_editing:
            self.edit_last_requested.emit()

    def _placeholder(self) -> str:
        return TEMPORARY_PLACEHOLDER if self._temporary else PLACEHOLDER

    def _refresh(self) -> None:
        name = "Stop" if self._busy else "Send"
        self.edit_line.show_key("" if self._busy else "Esc")
        self.send_button.setEnabled(self._busy or (not self._reason and not self._is_blank()))
        if self.send_button.accessibleName() != name:
            self.send_button.setAccessibleName(name)
            self.send_button.setToolTip("Stop (Esc)" if self._busy else "Send (Enter)")
        count = self.input.length()
        counted = f"{count:,} characters" if count >= COUNTED_FROM else ""
        # With no text the reason is in the place of the text, where one looks first.
        reason = self._reason if count else ""
        self.status.show_text(reason or " · ".join(filter(None, (self._status_text, counted))))
        self._restyle()

    def _restyle(self) -> None:
        tokens = self._theme.tokens
        usable = self.send_button.isEnabled()
        self.send_button.setIcon(
            icon("stop" if self._busy else "send", tokens.on_accent if usable else tokens.muted)
        )
        self.destination.setIcon(icon(self._destination_icon, tokens.muted))


class _Card(QFrame):
    """The frame around the input; a click anywhere in it is meant for the input.

    Signals:
        clicked: outside of the input and the button.
    """

    clicked = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "composer")
        self.setCursor(Qt.CursorShape.IBeamCursor)

    def set_look(self, look: str, on: bool) -> None:
        """Whether the input has the focus ("active"), whether nothing is kept ("temporary")."""
        self.setProperty(look, on)
        self.style().unpolish(self)
        self.style().polish(self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.clicked.emit()
        event.accept()
