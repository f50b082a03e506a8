"""Titles of conversations: from the first message, and again from its reply."""

from __future__ import annotations

import logging
from collections.abc import Callable

from assistant.conversation.titles import make_title
from assistant.core.errors import AssistantError
from assistant.ui.services import Services

_log = logging.getLogger(__name__)


class ConversationNames:
    """Names what has no name of the user's.

    Args:
        services: whose profile holds the conversations.
        renamed: is told the id of a conversation and its new title.
    """

    def __init__(self, services: Services, renamed: Callable[[str, str], object]) -> None:
        self._services = services
        self._renamed = renamed

    async def after_message(self, session_id: str, said: str) -> None:
        """Name a conversation after its first message, if it has no title.

        Raises:
            StorageError: it can't be named.
        """
        await self._rename(session_id, "", make_title(said))

    async def after_reply(self, session_id: str, said: str, reply: str) -> None:
        """Name a conversation after its first exchange, unless somebody has given it another title meanwhile."""
        try:
            await self._rename(session_id, make_title(said), make_title(said, reply))
        except AssistantError as error:
            # Nobody asked for it, and the title that there is will do.
            _log.warning("a conversation was not named after its reply: %s", error.title)

    async def _rename(self, session_id: str, before: str, title: str) -> None:
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        known = await store.get(session_id, user_id=owner)
        if known is not None and known.title == before != title:
            await store.rename(session_id, title, user_id=owner)
            self._renamed(session_id, title)
