"""What is shown when Keepsake can't start: what is wrong, what is safe, what to do."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Signal

from assistant.core.errors import AssistantError
from assistant.ui.windows.dialogs import Dialog

Way = Literal["quit", "retry", "restore", "empty"]


class StartTrouble(Dialog):
    """A window of its own, since there is no other yet.

    Signals:
        decided(way): "quit", "retry", "restore" (set the damaged file aside, take the backup) or "empty" (set it
            aside, begin anew).
    """

    decided = Signal(str)

    def __init__(self, error: AssistantError, *, can_set_aside: bool, has_backup: bool) -> None:
        super().__init__(None, error.title)
        self.say(error.message)
        if error.hint:
            self.say(error.hint, "muted")
        if error.detail:
            self.say(error.detail[:400], "small")
        self.buttons.addStretch(1)
        self.button("Quit", lambda: self._decide("quit"))
        if not can_set_aside:
            self.button("Try again", lambda: self._decide("retry"), "primary")
        else:
            self.button("Set aside, begin empty", lambda: self._decide("empty"))
            if has_backup:
                self.button("Set aside, use the backup", lambda: self._decide("restore"), "primary")
        self.finish_layout()
        self.rejected.connect(lambda: self._decide("quit"))
        self._decided = False

    def _decide(self, way: Way) -> None:
        if not self._decided:
            self._decided = True
            self.decided.emit(way)
            self.close()
