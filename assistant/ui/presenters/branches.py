"""The versions of a message: which of them is shown, and with it the way the conversation took from there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal

from assistant.core.errors import NoSuchConversationError
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.message_pages import MessagePages
from assistant.ui.services import Services
from assistant.ui.widgets.chat.conversation_view import ConversationView


class Branches(Presenter):
    """Between the view and the paths of a stored conversation.

    Args:
        view: shows the messages of one conversation.
        pages: reads them.
        shown: tells which one that is.
        may_switch: tells whether another path may be shown now.

    Signals:
        switched(session_id): another path of that conversation is shown.
    """

    switched = Signal(str)

    def __init__(
        self,
        view: ConversationView,
        services: Services,
        pages: MessagePages,
        *,
        shown: Callable[[], str],
        may_switch: Callable[[], bool],
    ) -> None:
        super().__init__(view, services)
        self._view = view
        self._pages = pages
        self._shown = shown
        self._may_switch = may_switch
        view.variant_requested.connect(self.switch)

    def switch(self, message_id: str, step: int) -> None:
        """Show the version before (-1) or after (1) a message."""
        if self._shown() and self._may_switch():
            self.run(self._switch(self._shown(), message_id, step), "switch versions")

    async def choose(self, session_id: str, message_id: str) -> bool:
        """Make the path through a message the current one; False when there is no such message.

        Raises:
            StorageError: it can't be done.
        """
        profile = self._services.profile
        try:
            await profile.conversations.choose(session_id, message_id, user_id=profile.owner_id)
        except NoSuchConversationError:
            return False
        return True

    async def show(self, session_id: str, before: str, after: str, *, hold: bool) -> None:
        """Show the current path from message `after` on, in the place of `before` and what was behind it.

        Args:
            hold: see ConversationView.replace_from.

        Raises:
            StorageError: it can't be read.
        """
        items, _ = await self._pages.last(session_id, after)
        if session_id != self._shown():
            return
        ids = [item.message_id for item in items]
        if after in ids:
            self._view.replace_from(before, items[ids.index(after) :], hold=hold)
            self.switched.emit(session_id)

    async def _switch(self, session_id: str, message_id: str, step: int) -> None:
        profile = self._services.profile
        variants = await profile.conversations.variants(session_id, message_id, user_id=profile.owner_id)
        ids = [variant.message_id for variant in variants]
        at = ids.index(message_id) + step
        if 0 <= at < len(ids) and self._may_switch() and await self.choose(session_id, ids[at]):
            await self.show(session_id, message_id, ids[at], hold=True)
