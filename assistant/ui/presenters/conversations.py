"""The side bar: lists, finds, renames, pins, archives and deletes conversations."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from PySide6.QtCore import Signal

from assistant.conversation.base import Conversation
from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import AssistantError
from assistant.ui.models.conversations import ConversationRow, local_now, with_headings, with_special
from assistant.ui.presenters.base import Presenter
from assistant.ui.services import Services
from assistant.ui.widgets.sidebar import Sidebar
from assistant.ui.widgets.toast import UNDO_MS, Toast

_KIND = "conversation"
_LIMIT = 2_000
_HITS = 60
_LEAD = 14
"""Characters of a snippet before what was looked for."""

_log = logging.getLogger(__name__)


class ConversationsPresenter(Presenter):
    """Between the side bar and the conversation store.

    A deleted conversation is hidden at once, can be brought back while the note is shown, and is removed for good
    when the note ends or at the next start.

    Signals:
        deleted(session_id): it is no longer listed.
        brought_back(session_id): it is listed again.
        renamed(session_id, title): it has another title.
        archived(session_id, archived): it was put out of the way, or back.
        removed: what was said in one was removed from the memory.
    """

    deleted = Signal(str)
    brought_back = Signal(str)
    renamed = Signal(str, str)
    archived = Signal(str, bool)
    removed = Signal()

    def __init__(
        self, sidebar: Sidebar, toast: Toast, services: Services, clock: Clock | None = None
    ) -> None:
        super().__init__(sidebar, services)
        self._sidebar = sidebar
        self._toast = toast
        self._clock = clock or SystemClock()
        self._query = ""
        self._folded = True
        self._gone: set[str] = set()
        sidebar.searched.connect(self._search)
        sidebar.rename_requested.connect(self._rename)
        sidebar.pin_requested.connect(self._pin)
        sidebar.archive_requested.connect(self.archive)
        sidebar.archived_toggled.connect(self._toggle_archived)
        sidebar.delete_requested.connect(self.delete)

    @property
    def query(self) -> str:
        """What is searched for, empty for nothing."""
        return self._query

    def refresh(self) -> None:
        """List again, soon."""
        self.run(self.load(), "list conversations", replaces=True)

    async def load(self) -> None:
        """List conversations, or what fits the search."""
        profile = self._services.profile
        hidden = self._gone | set(await profile.record.hidden(_KIND))
        query = self._query
        if query:
            rows = await self._hits(query, hidden)
        else:
            rows = await self._listed(hidden)
        if query == self._query:
            self._sidebar.show_rows(rows, searching=bool(query))

    async def _listed(self, hidden: set[str]) -> list[ConversationRow]:
        store, owner = self._services.profile.conversations, self._services.profile.owner_id
        found = await store.list(user_id=owner, limit=_LIMIT)
        temporary = await store.list(user_id=owner, limit=_LIMIT, temporary=True, archived=None)
        archived = await store.list(user_id=owner, limit=_LIMIT, archived=True)
        return with_special(
            with_headings(_rows(found, hidden), local_now()),
            temporary=_rows(temporary, hidden),
            archived=_rows(archived, hidden),
            folded=self._folded,
        )

    async def settle(self) -> None:
        """Remove for good what was deleted before the last end of the application."""
        profile = self._services.profile
        for session_id in await profile.record.hidden(_KIND):
            try:
                await profile.conversations.delete(session_id, user_id=profile.owner_id)
            except AssistantError as error:
                # It stays hidden, and the next start tries again.
                _log.warning("a deleted conversation is still on disk: %s", error.title)
            else:
                # The memory is not open yet, and nobody shall wait for it.
                self.run(self._settle(session_id), f"settle {session_id}")

    def delete(self, session_id: str) -> None:
        """Hide a conversation and offer to bring it back."""
        self.run(self._hide(session_id), "delete conversation")

    async def _hide(self, session_id: str) -> None:
        profile = self._services.profile
        conversation = await profile.conversations.get(session_id, user_id=profile.owner_id)
        if conversation is None:
            return
        if conversation.temporary:
            # Not even that it was there is noted on disk.
            self._gone.add(session_id)
            remove = self._remove_temporary
        else:
            until = self._clock.now() + timedelta(milliseconds=UNDO_MS)
            await profile.record.hide(_KIND, session_id, until)
            remove = self._remove
        await self.load()
        self.deleted.emit(session_id)
        self._toast.say(
            f"Deleted: {_name(conversation)}",
            action="Undo",
            on_action=lambda: self.run(self._bring_back(session_id), "undo delete"),
            on_expired=lambda: self.run(remove(session_id), "remove conversation"),
        )

    async def _bring_back(self, session_id: str) -> None:
        if session_id in self._gone:
            self._gone.discard(session_id)
        else:
            await self._services.profile.record.unhide(_KIND, session_id)
        await self.load()
        self.brought_back.emit(session_id)

    async def _remove_temporary(self, session_id: str) -> None:
        profile = self._services.profile
        await profile.conversations.delete(session_id, user_id=profile.owner_id)
        self._gone.discard(session_id)

    async def _remove(self, session_id: str) -> None:
        profile = self._services.profile
        await profile.conversations.delete(session_id, user_id=profile.owner_id)
        ledger, owner = await profile.memory.ledger(), profile.owner_id
        await ledger.said.remove(session_id, user_id=owner)
        await ledger.lessons.drop_session(session_id, user_id=owner)
        await ledger.erase_traces()
        from assistant.agent.answer_book import session_mark
        from assistant.ownership.forget import note_forgotten

        await note_forgotten(profile)
        await self._services.forget_answers([session_mark(session_id)])
        await profile.record.settled(_KIND, session_id)
        self.removed.emit()

    async def _settle(self, session_id: str) -> None:
        try:
            await self._remove(session_id)
        except AssistantError as error:
            # It stays hidden, and the next start tries again.
            _log.warning("what was said in a deleted conversation is still kept: %s", error.title)

    def _search(self, text: str) -> None:
        self._query = text
        self.refresh()

    async def _hits(self, query: str, hidden: set[str]) -> list[ConversationRow]:
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        hits = await store.search(query, user_id=owner, limit=_HITS)
        put_away = {c.session_id for c in await store.list(user_id=owner, limit=_LIMIT, archived=True)}
        rows = [
            ConversationRow(
                hit.session_id,
                hit.title,
                hit.created_at,
                message_id=hit.message_id,
                snippet=_from_hit(hit.snippet, query),
                archived=hit.session_id in put_away,
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

    def archive(self, session_id: str, archived: bool) -> None:
        """Put a conversation out of the way, or back."""
        self.run(self._archive(session_id, archived), "archive", replaces=False)

    async def _archive(self, session_id: str, archived: bool, *, undone: bool = False) -> None:
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        conversation = await store.get(session_id, user_id=owner)
        if conversation is None or conversation.archived == archived:
            return
        await store.archive(session_id, archived, user_id=owner)
        await self.load()
        self.archived.emit(session_id, archived)
        if not undone:
            self._toast.say(
                f"{'Archived' if archived else 'Back in the list'}: {_name(conversation)}",
                action="Undo",
                on_action=lambda: self.run(
                    self._archive(session_id, not archived, undone=True), "undo archive"
                ),
            )

    def _toggle_archived(self) -> None:
        self._folded = not self._folded
        self.refresh()


def _rows(conversations: Sequence[Conversation], hidden: set[str]) -> list[ConversationRow]:
    return [
        ConversationRow(
            c.session_id,
            c.title,
            c.updated_at,
            c.pinned,
            archived=c.archived,
            temporary=c.temporary,
        )
        for c in conversations
        if c.session_id not in hidden
    ]


def _name(conversation: Conversation) -> str:
    return conversation.title or ("Temporary conversation" if conversation.temporary else "New conversation")


def _from_hit(snippet: str, query: str) -> str:
    """A snippet that begins soon before what was looked for: the side bar has room for a few words."""
    folded = snippet.casefold()
    at = min((place for word in query.casefold().split() if (place := folded.find(word)) >= 0), default=0)
    if at <= _LEAD or len(folded) != len(snippet):
        return snippet
    cut = snippet.find(" ", at - _LEAD, at) + 1
    return f"…{snippet[cut or at :]}"
