"""What is special about the conversation that is shown: temporary, or archived."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from assistant.core.errors import AssistantError
from assistant.ui.presenters.base import Presenter
from assistant.ui.services import Services
from assistant.ui.widgets.chat_pane import ChatPane

if TYPE_CHECKING:
    from assistant.conversation.base import Conversation

TEMPORARY = "Temporary: nothing of this conversation is kept."
ARCHIVED = "This conversation is archived."
KEPT = "This conversation is kept from now on."
REFUSED = "Temporary: nothing is remembered from it."

_log = logging.getLogger(__name__)


class Standing(Presenter):
    """Between the line over a conversation and the store.

    Attributes:
        is_temporary: nothing of the conversation that is shown may touch the disk.
        is_archived: it is out of the way.

    Signals:
        kept(session_id): a temporary conversation is a lasting one from now on.
        unarchive_requested(session_id): it is to be listed with the others again.
    """

    kept = Signal(str)
    unarchive_requested = Signal(str)

    def __init__(self, pane: ChatPane, services: Services) -> None:
        super().__init__(pane, services)
        self._pane = pane
        self._session = ""
        self.is_temporary = self.is_archived = False
        pane.banner.acted.connect(self._act)

    def show(self, conversation: Conversation | None) -> None:
        """This conversation is shown from now on; None for a new one."""
        self._session = "" if conversation is None else conversation.session_id
        self.is_temporary = conversation is not None and conversation.temporary
        self.is_archived = conversation is not None and conversation.archived
        self._pane.set_temporary(self.is_temporary)
        if self.is_temporary:
            tip = "Save it with your other conversations"
            self._pane.banner.show_text(TEMPORARY, "Keep it", tip, temporary=True)
        elif self.is_archived:
            self._pane.banner.show_text(ARCHIVED, "Unarchive", "List it with your other conversations again")
        else:
            self._pane.banner.show_text("")

    async def look_again(self) -> None:
        """Show what the conversation is now.

        Raises:
            StorageError: it can't be read.
        """
        session, profile = self._session, self._services.profile
        if session:
            conversation = await profile.conversations.get(session, user_id=profile.owner_id)
            if session == self._session and conversation is not None:
                self.show(conversation)

    async def new_temporary(self) -> str:
        """A temporary conversation without a message; its id. From the first word on it has its own draft.

        Raises:
            StorageError: it can't be made.
        """
        profile = self._services.profile
        made = await profile.conversations.create(user_id=profile.owner_id, temporary=True)
        return made.session_id

    async def drop_empty(self, session_id: str) -> None:
        """Remove a temporary conversation in which nothing was said, now that it is left."""
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        try:
            left = await store.get(session_id, user_id=owner)
            if left is not None and left.temporary and not left.message_count:
                await store.delete(session_id, user_id=owner)
        except AssistantError as error:
            _log.warning("an empty temporary conversation stays: %s", error.title)

    def keep(self, session_id: str) -> None:
        """Make a temporary conversation a lasting one."""
        self.run(self._keep(session_id), "keep conversation")

    def _act(self) -> None:
        if self.is_temporary:
            self.keep(self._session)
        elif self._session:
            self.unarchive_requested.emit(self._session)

    async def _keep(self, session_id: str) -> None:
        profile = self._services.profile
        await profile.conversations.keep(session_id, user_id=profile.owner_id)
        if session_id == self._session:
            await self.look_again()
        self.kept.emit(session_id)
