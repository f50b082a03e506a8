"""An earlier message in the composer: its text is edited there, and the draft comes back afterwards."""

from __future__ import annotations

from assistant.ui.presenters.drafts import DraftKeeper
from assistant.ui.widgets.chat.composer import Composer
from assistant.ui.widgets.chat.conversation_view import ConversationView


class Editing:
    """At most one message of each conversation is edited at a time. What was not sent is there again when one comes
    back to the conversation, until the application ends.

    Args:
        composer: holds the text.
        view: marks the message.
        drafts: holds the draft back meanwhile.
    """

    def __init__(self, composer: Composer, view: ConversationView, drafts: DraftKeeper) -> None:
        self._composer = composer
        self._view = view
        self._drafts = drafts
        self._left: dict[str, tuple[str, str]] = {}
        self.message_id = ""
        composer.edit_cancelled.connect(self.cancel)

    def begin(self, message_id: str, text: str) -> None:
        """Put the text of a message into the composer."""
        if not self.message_id:
            self._drafts.hold()
        self.message_id = message_id
        self._composer.set_text(text)
        self._composer.edit_line.show_draft(bool(self._drafts.typed().strip()))
        self._composer.set_editing(True)
        self._view.show_edited(message_id)
        self._composer.focus()

    def cancel(self) -> bool:
        """Leave the message as it is; False when none is edited."""
        return self.end("")

    def end(self, sent: str) -> bool:
        """The message is sent as `sent` (empty: not sent), and the draft is back; False when none is edited."""
        if not self.message_id:
            return False
        typed = self._composer.text()
        # What was typed in the moment in which the message was stored is no part of it.
        rest = typed[len(sent) :].lstrip() if sent and typed.startswith(sent) else ""
        self.message_id = ""
        self._view.show_edited("")
        self._composer.set_editing(False)
        self._drafts.release(rest)
        return True

    def leave(self, session_id: str) -> None:
        """Another conversation is to be shown: what is edited in this one stays for later."""
        if self.message_id:
            self._left[session_id] = (self.message_id, self._composer.text())
            self.cancel()

    def come_back(self, session_id: str) -> None:
        """That conversation is shown: go on with what was edited in it."""
        message_id, text = self._left.pop(session_id, ("", ""))
        if message_id and self._view.item(message_id) is not None:
            self.begin(message_id, text)

    def forget(self) -> None:
        """Nothing is edited any more, after a wipe."""
        self._left.clear()
        self.cancel()
