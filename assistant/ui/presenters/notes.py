"""What is said under messages about the memories that came from them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from assistant.core.errors import AssistantError, NoSuchConversationError
from assistant.memory.learning.base import Learned, Utterance
from assistant.ui.models.messages import MessageItem, RememberedFact
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.items import remembered_facts, remembered_notes
from assistant.ui.services import Services
from assistant.ui.widgets.chat.conversation_view import ConversationView

if TYPE_CHECKING:
    from assistant.conversation.base import StoredMessage
    from assistant.memory.ledger.entry import Entry

Facts = tuple[RememberedFact, ...]

_log = logging.getLogger(__name__)


class MemoryNotes(Presenter):
    """Shows "Remembered" and "Remember this?" under the messages of a conversation, and keeps it with them.

    What a message says follows the memory: what was decided, corrected or forgotten elsewhere is said to be.
    """

    def __init__(self, view: ConversationView, services: Services) -> None:
        super().__init__(view, services)
        self._view = view
        # A message's notes are read, changed and written: one at a time.
        self._order = asyncio.Lock()

    async def add(self, message_id: str, facts: Sequence[RememberedFact]) -> None:
        """Memories came from that message, whichever conversation is shown.

        Raises:
            StorageError: they are not kept with the message.
        """
        if facts:
            await self._change(message_id, lambda known: joined(known, facts))

    async def keep(self, item: MessageItem) -> None:
        """Show and keep what `item` remembers, and show what the turn noted at its end.

        Raises:
            StorageError: it is shown but not kept.
        """
        self._view.update_item(item)
        stored = await self._change(item.message_id, lambda known: joined(known, item.remembered))
        shown = self._view.item(item.message_id)
        said = "" if stored is None else str(stored.metadata.get("memory_note") or "")
        if stored is not None and shown is not None and shown.memory_note != said:
            self._view.update_item(replace(shown, memory_note=said))
        # What was taken back while the turn ran is not in `item`.
        await self._check()

    async def learned(self, owner: str | None, utterance: Utterance, learned: Learned) -> None:
        """Something was learned from a message in the background. Errors as in add."""
        if owner != self._services.profile.owner_id or utterance.message_id is None:
            return
        await self.add(
            utterance.message_id,
            [
                RememberedFact(kept.memory_id, kept.content, waits=kept.waits, reason=kept.reason)
                for kept in learned.kept
            ],
        )

    def check(self) -> None:
        """Compare what is shown with the memory, soon."""
        self.run(self._check(), "compare notes with memories", replaces=True)

    async def _check(self) -> None:
        items = [item for item in self._view.items() if item.remembered and item.state != "streaming"]
        if not items or not self._services.profile.memory.is_ready:
            return
        try:
            known = await self._entries(fact for item in items for fact in item.remembered)
        except AssistantError as error:
            _log.warning("notes under messages were not compared: %s", error.title)
            return
        for item in items:
            facts = tuple(as_it_is(fact, known.get(fact.memory_id)) for fact in item.remembered)
            if facts != item.remembered:
                await self._change(item.message_id, lambda stored, facts=facts: joined(stored, facts))  # type: ignore[misc]

    async def _entries(self, facts: Iterable[RememberedFact]) -> dict[str, Entry]:
        profile = self._services.profile
        ids = list(dict.fromkeys(fact.memory_id for fact in facts))
        return await (await profile.memory.ledger()).browser.entries(ids, user_id=profile.owner_id)

    async def _change(self, message_id: str, change: Callable[[Facts], Facts]) -> StoredMessage | None:
        """Change what a stored message says, and show it where the message is shown; None when it is gone."""
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        async with self._order:
            try:
                before = await store.annotate(message_id, {}, user_id=owner)
                facts = change(remembered_facts(before.metadata))
                stored = await store.annotate(message_id, remembered_notes(facts), user_id=owner)
            except NoSuchConversationError:
                return None
        shown = self._view.item(message_id)
        if shown is not None and shown.remembered != facts:
            self._view.update_item(replace(shown, remembered=facts))
        return stored


def joined(known: Facts, new: Iterable[RememberedFact]) -> Facts:
    """Facts with others: each once, as it was said last, in the order in which they came."""
    by_id = {fact.memory_id: fact for fact in known}
    by_id.update((fact.memory_id, fact) for fact in new)
    return tuple(by_id.values())


def as_it_is(fact: RememberedFact, entry: Entry | None) -> RememberedFact:
    """A fact as the memory has it now; None: it is gone."""
    if entry is None:
        return replace(fact, undone=True)
    return replace(
        fact,
        text=entry.record.content,
        undone=False,
        waits=entry.state == "pending",
        replaced=entry.state == "superseded",
    )
