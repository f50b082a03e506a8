"""The actions of a message. Their place is always kept; they are seen on hover and on keyboard focus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON_SMALL, icon
from assistant.ui.widgets.chat.variant_switch import VariantSwitch

ROW_HEIGHT = 28
_CONFIRMED_MS = 2_000


@dataclass(frozen=True, slots=True)
class Action:
    """A button: its icon's name, its name in words, and what it is called by in `triggered`."""

    name: str
    icon: str
    title: str


COPY = Action("copy", "copy", "Copy")
RETRY = Action("retry", "retry", "Try again")
EDIT = Action("edit", "edit", "Edit")
REMEMBER = Action("remember", "remember", "Remember this")
SENT = Action("sent", "sent", "What was sent")


class _ActionButton(QToolButton):
    """A button that is there for the keyboard and for screen readers also while it is not painted."""

    def __init__(self, row: ActionsRow) -> None:
        super().__init__(row)
        self._row = row

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._row.is_revealed:
            super().paintEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._row.look_again()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._row.look_again()


class ActionsRow(QWidget):
    """Copy, try again, remember, and when the message was written; always seen: which of its versions it is.

    Signals:
        triggered: the `name` of the action.
        variant_requested: the version before (-1) or after (1) is to be shown.
    """

    triggered = Signal(str)
    variant_requested = Signal(int)

    def __init__(
        self,
        parent: QWidget,
        theme: Theme,
        actions: Sequence[Action],
        created_at: datetime | None,
        *,
        right: bool,
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._right = right
        self._hovered = False
        self.is_revealed = False
        self._actions = tuple(actions)
        self._has_icons = False
        self._buttons = {action.name: self._button(action) for action in actions}
        self._time = QLabel(created_at.strftime("%H:%M") if created_at is not None else "", self)
        self._time.setProperty("kind", "small")
        if created_at is not None:
            self._time.setToolTip(created_at.strftime("%A, %d %B %Y, %H:%M"))
        self._time.hide()
        self._variants: VariantSwitch | None = None

    @property
    def variants(self) -> VariantSwitch | None:
        """Goes from version to version; None for a message that has only one."""
        return self._variants

    def show_variants(self, variant: int, variants: int, *, usable: bool) -> None:
        """Say which version of how many it is, and whether another may be shown now."""
        if variants > 1 and self._variants is None:
            self._variants = VariantSwitch(self)
            self._variants.requested.connect(self.variant_requested)
            self._variants.show()
        if self._variants is not None:
            self._variants.setVisible(variants > 1)
            self._variants.show_place(variant, variants, usable=usable)

    def button(self, name: str) -> QToolButton:
        """The button of an action.

        Raises:
            KeyError: the message has no such action.
        """
        return self._buttons[name]

    def set_hovered(self, hovered: bool) -> None:
        """Whether the pointer is over the message."""
        self._hovered = hovered
        self.look_again()

    def look_again(self) -> None:
        """Show or hide the actions, after the pointer or the focus went elsewhere."""
        revealed = self._hovered or any(button.hasFocus() for button in self._buttons.values())
        if revealed != self.is_revealed:
            self.is_revealed = revealed
            self._fetch_icons()
            self._time.setVisible(revealed and bool(self._time.text()))
            self.update()

    def confirm_copy(self) -> None:
        """A check in place of the copy icon for two seconds."""
        self._fetch_icons()
        self._set_icon("copy", "check", self._theme.tokens.ok)
        QTimer.singleShot(
            _CONFIRMED_MS, self, lambda: self._set_icon("copy", "copy", self._theme.tokens.muted)
        )

    def lay_out(self, width: int) -> None:
        """Place the buttons in `width` pixels."""
        size = ROW_HEIGHT
        count = len(self._buttons)
        clock = self._time.sizeHint().width()
        # Always seen, so it stands at the edge, where it leaves no gap beside it.
        switch = 0
        if self._variants is not None and not self._variants.isHidden():
            switch = self._variants.sizeHint().width()
            self._variants.setGeometry(width - switch if self._right else 0, 0, switch, size)
            switch += SPACE.xs
        x = width - switch - count * size - clock - SPACE.s if self._right else switch
        if self._right:
            self._time.setGeometry(x, 0, clock, size)
            x += clock + SPACE.s
        for button in self._buttons.values():
            button.setGeometry(x, 0, size, size)
            x += size
        if not self._right:
            self._time.setGeometry(x + SPACE.xs, 0, clock, size)

    def _button(self, action: Action) -> QToolButton:
        button = _ActionButton(self)
        button.setIconSize(ICON_SMALL)
        button.setToolTip(action.title)
        button.setAccessibleName(action.title)
        button.clicked.connect(lambda: self.triggered.emit(action.name))
        return button

    def _fetch_icons(self) -> None:
        """Icons on first need: most messages are scrolled past and never pointed at."""
        if not self._has_icons:
            self._has_icons = True
            for action in self._actions:
                self._set_icon(action.name, action.icon, self._theme.tokens.muted)

    def _set_icon(self, action: str, name: str, color: str) -> None:
        self._buttons[action].setIcon(icon(name, color, active=self._theme.tokens.text))
