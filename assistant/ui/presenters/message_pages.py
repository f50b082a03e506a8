"""Reads stored messages for the view, with the reply that is being written as it is now."""

from __future__ import annotations

from dataclasses import replace

from assistant.core.errors import NoSuchConversationError
from assistant.ui.models.messages import MessageItem
from assistant.ui.presenters.items import message_item
from assistant.ui.presenters.turns import TurnRunner
from assistant.ui.services import Services

_PAGE = 60


class MessagePages:
    """The current path of a conversation, as much of it as is shown."""

    def __init__(self, services: Services, turns: TurnRunner) -> None:
        self._services = services
        self._turns = turns

    async def last(self, session_id: str, message_id: str = "") -> tuple[list[MessageItem], int]:
        """The last messages, back to `message_id` at least, and how many come before them.

        Raises:
            NoSuchConversationError: there is no such conversation.
            StorageError: it can't be read.
        """
        profile = self._services.profile
        limit = _PAGE
        while True:
            turn = self._turns.of(session_id)
            page = await profile.conversations.messages(session_id, user_id=profile.owner_id, limit=limit)
            if turn is not self._turns.of(session_id):
                # A reply began or ended while its conversation was read: what was read may be half of it.
                continue
            if message_id and limit < page.total and all(m.message_id != message_id for m in page.items):
                limit *= 4
                continue
            items = [item for m in page.items if (item := message_item(m)) is not None]
            if turn is not None and turn.item is not None:
                items = [_live(item, turn.item, turn.text) for item in items]
            return items, page.total - len(page.items)

    async def before(self, session_id: str, position: int) -> tuple[list[MessageItem], int] | None:
        """The messages just before `position`, and how many come before them; None when the conversation is gone.

        Raises:
            StorageError: it can't be read.
        """
        profile = self._services.profile
        try:
            page = await profile.conversations.messages(
                session_id, user_id=profile.owner_id, before=position, limit=_PAGE
            )
        except NoSuchConversationError:
            return None
        items = [item for m in page.items if (item := message_item(m)) is not None]
        return items, position - len(page.items)


def _live(stored: MessageItem, written: MessageItem, text: str) -> MessageItem:
    if stored.message_id != written.message_id:
        return stored
    return replace(written, text=text, variant=stored.variant, variants=stored.variants)
