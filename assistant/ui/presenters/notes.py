"""What is said under messages about the memories that came from them."""

from __future__ import annotations

from dataclasses import replace

from assistant.core.errors import NoSuchConversationError
from assistant.ui.models.messages import MessageItem, RememberedFact
from assistant.ui.presenters.base import Presenter
from assistant.ui.services import Services
from assistant.ui.widgets.chat.conversation_view import ConversationView


class MemoryNotes(Presenter):
    """Shows "Remembered" under the messages of a conversation, and keeps it with them."""

    def __init__(self, view: ConversationView, services: Services) -> None:
        super().__init__(view, services)
        self._view = view

    async def add(self, message_id: str, memory_id: str, text: str) -> None:
        """A memory came from that message.

        Raises:
            StorageError: it is shown but not kept.
        """
        item = self._view.item(message_id)
        if item is not None:
            facts = (*item.remembered, RememberedFact(memory_id, text))
            await self.keep(replace(item, remembered=facts))

    def mark(self, memory_id: str, *, gone: bool) -> None:
        """A memory was taken back, or is there again."""
        for item in self._view.items():
            facts = tuple(
                replace(fact, undone=gone) if fact.memory_id == memory_id else fact
                for fact in item.remembered
            )
            if facts != item.remembered:
                self.run(self.keep(replace(item, remembered=facts)), "note what was remembered")

    async def keep(self, item: MessageItem) -> None:
        """Show what `item` remembers, keep it, and show what the turn noted at its end.

        Raises:
            StorageError: it is shown but not kept.
        """
        self._view.update_item(item)
        profile = self._services.profile
        notes = [{"memory_id": f.memory_id, "text": f.text, "undone": f.undone} for f in item.remembered]
        try:
            stored = await profile.conversations.annotate(
                item.message_id, {"remembered": notes}, user_id=profile.owner_id
            )
        except NoSuchConversationError:
            return
        shown = self._view.item(item.message_id)
        said = str(stored.metadata.get("memory_note") or "")
        if shown is not None and shown.memory_note != said:
            self._view.update_item(replace(shown, memory_note=said))
