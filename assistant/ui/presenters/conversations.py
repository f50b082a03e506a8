"""The side bar: lists, finds, renames, pins and deletes conversations."""

from __future__ import annotations

import logging
from datetime import timedelta

from PySide6.QtCore import Signal

from assistant.conversation.base import Conversation
from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import AssistantError
from assistant.ui.models.conversations import ConversationRow, local_now, with_headings
from assistant.ui.presenters.base import Presenter
from assistant.ui.services import Services
from assistant.ui.widgets.sidebar import Sidebar
from assistant.ui.widgets.toast import UNDO_MS, Toast

_KIND = "conversation"
_LIMIT = 2_000

_log = logging.getLogger(__name__)


class ConversationsPresenter(Presenter):
    """Between the side bar and the conversation store.

    A deleted conversation is hidden at once, can be brought back while the note is shown, and is removed for good
    when the note ends or at the next start.

    Signals:
        deleted(session_id): it is no longer listed.
        renamed(session_id, title): it has another title.
    """

    deleted = Signal(str)
    renamed = Signal(str, str)

    def __init__(
        self, sidebar: Sidebar, toast: Toast, services: Services, clock: Clock | None = None
    ) -> None:
        super().__init__(sidebar, services)
        self._sidebar = sidebar
        self._toast = toast
        self._clock = clock or SystemClock()
        self._query = ""
        sidebar.searched.connect(self._search)
        sidebar.rename_requested.connect(self._rename)
        sidebar.pin_requested.connect(self._pin)
        sidebar.delete_requested.connect(self.delete)

    def refresh(self) -> None:
        """List again, soon."""
        self.run(self.load(), "list conversations", replaces=True)

    async def load(self) -> None:
        """List conversations, or what fits the search."""
        profile = self._services.profile
        hidden = set(await profile.record.hidden(_KIND))
        query = self._query
        if query:
            rows = await self._hits(query, hidden)
        else:
            found = await profile.conversations.list(user_id=profile.owner_id, limit=_LIMIT)
            rows = with_headings([_row(c) for c in found if c.session_id not in hidden], local_now())
        if query == self._query:
            self._sidebar.show_rows(rows, searching=bool(query))

    async def settle(self) -> None:
        """Remove for good what was deleted before the last end of the application."""
        for session_id in await self._services.profile.record.hidden(_KIND):
            try:
                await self._remove(session_id)
            except AssistantError as error:
                # It stays hidden, and the next start tries again.
                _log.warning("a deleted conversation is still on disk: %s", error.title)

    def delete(self, session_id: str) -> None:
        """Hide a conversation and offer to bring it back."""
        self.run(self._hide(session_id), "delete conversation")

    async def _hide(self, session_id: str) -> None:
        profile = self._services.profile
        conversation = await profile.conversations.get(session_id, user_id=profile.owner_id)
        if conversation is None:
            return
        until = self._clock.now() + timedelta(milliseconds=UNDO_MS)
        await profile.record.hide(_KIND, session_id, until)
        await self.load()
        self.deleted.emit(session_id)
        self._toast.say(
            f"Deleted: {conversation.title or 'New conversation'}",
            action="Undo",
            on_action=lambda: self.run(self._bring_back(session_id), "undo delete"),
            on_expired=lambda: self.run(self._remove(session_id), "remove conversation"),
        )

    async def _bring_back(self, session_id: str) -> None:
        await self._services.profile.record.unhide(_KIND, session_id)
        await self.load()

    async def _remove(self, session_id: str) -> None:
        profile = self._services.profile
        await profile.conversations.delete(session_id, user_id=profile.owner_id)
        await profile.record.settled(_KIND, session_id)

    def _search(self, text: str) -> None:
        self._query = text
        self.refresh()

    async def _hits(self, query: str, hidden: set[str]) -> list[ConversationRow]:
        profile = self._services.profile
        hits = await profile.conversations.search(query, user_id=profile.owner_id, limit=60)
        rows = [
            ConversationRow(
                hit.session_id, hit.title, hit.created_at, message_id=hit.message_id, snippet=hit.snippet
            )
            for hit in hits
            if hit.session_id not in hidden
        ]
        return [ConversationRow("", "Found"), *rows] if rows else []

    def _rename(self, session_id: str, title: str) -> None:
        self.run(self._do_rename(session_id, title), "rename")

    async def _do_rename(self, session_id: str, title: str) -> None:
        profile = self._services.profile
        await profile.conversations.rename(session_id, title, user_id=profile.owner_id)
        self.renamed.emit(session_id, title)
        await self.load()

    def _pin(self, session_id: str, pinned: bool) -> None:
        self.run(self._do_pin(session_id, pinned), "pin")

    async def _do_pin(self, session_id: str, pinned: bool) -> None:
        profile = self._services.profile
        await profile.conversations.pin(session_id, pinned, user_id=profile.owner_id)
        await self.load()


def _row(conversation: Conversation) -> ConversationRow:
    return ConversationRow(
        conversation.session_id, conversation.title, conversation.updated_at, conversation.pinned
    )
