"""The memory panel: lists, finds, adds, corrects and deletes memories."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from assistant.core.errors import AssistantError
from assistant.memory.base import MemoryResult, NewMemory
from assistant.ui.models.conversations import local_now
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.items import memory_row
from assistant.ui.services import Services
from assistant.ui.widgets.memory_panel import MemoryPanel
from assistant.ui.widgets.toast import Toast
from assistant.ui.windows.dialogs import MemoryDialog, close, is_open

_PAGE = 100
_FOUND = 50
_FITS = 0.25
"""Cosine below which a memory does not fit the search words."""


class MemoryPresenter(Presenter):
    """Between the memory panel and the long-term memory.

    A deleted memory is gone from the store at once, so that no reply can use it and no crash brings it back;
    undoing adds it again under its old id and date.

    Signals:
        changed: memories were added, corrected or removed.
        removed(memory_id), restored(memory_id): for the notes under messages.
    """

    changed = Signal()
    removed = Signal(str)
    restored = Signal(str)

    def __init__(self, panel: MemoryPanel, toast: Toast, services: Services, window: QWidget) -> None:
        super().__init__(panel, services)
        self._panel = panel
        self._toast = toast
        self._window = window
        panel.searched.connect(lambda _: self.refresh())
        panel.more_wanted.connect(self._load_more)
        panel.add_requested.connect(self.ask_new)
        panel.edit_requested.connect(self.ask_edit)
        panel.delete_requested.connect(self.delete)

    def refresh(self) -> None:
        """List again, soon."""
        self.run(self.load(), "list memories", replaces=True)

    async def load(self) -> None:
        """List memories, or what fits the search."""
        query = self._panel.search_text()
        profile = self._services.profile
        if not profile.memory.is_ready:
            self._panel.show_status("Opening the memory…")
        try:
            if query:
                found = await self._find(query)
                total = len(found)
            else:
                page = await profile.memory.list(user_id=profile.owner_id, limit=_PAGE)
                found, total = list(page.items), page.total
        except AssistantError as error:
            self._panel.show_status(f"{error.message} {error.hint}".strip())
            return
        if query == self._panel.search_text():
            self._panel.show_status("")
            now = local_now()
            self._panel.show_rows([memory_row(m, now) for m in found], total, searching=bool(query))

    async def add(self, text: str, *, session_id: str = "", message_id: str = "") -> str:
        """Keep `text` as the user's explicit wish and return its id.

        Raises:
            AssistantError: it was not kept.
        """
        profile = self._services.profile
        metadata: dict[str, object] = {"kind": "explicit"}
        if session_id:
            metadata["source"] = {"session_id": session_id, "message_id": message_id}
        memory_id = await profile.memory.add(text, metadata=metadata, user_id=profile.owner_id)
        self.changed.emit()
        self.refresh()
        self._toast.say(f"Remembered: {text}", action="Undo", on_action=lambda: self.take_back(memory_id))
        return memory_id

    def take_back(self, memory_id: str) -> None:
        """Remove a memory that was just kept."""
        self.run(self._take_back(memory_id), "undo remember")

    def ask_new(self) -> None:
        """Open the dialog for a new memory."""
        dialog = MemoryDialog(self._window)
        dialog.saved.connect(lambda text: self.run(self._add_from(dialog, text), "add memory"))
        dialog.open()

    def ask_edit(self, memory_id: str) -> None:
        """Open the dialog for an existing memory."""
        self.run(self._open_edit(memory_id), "open memory")

    def delete(self, memory_id: str) -> None:
        """Remove a memory and offer to bring it back."""
        self.run(self._delete(memory_id), "delete memory")

    async def _find(self, query: str) -> list[MemoryResult]:
        """What holds the words, then what fits by meaning."""
        profile = self._services.profile
        page = await profile.memory.list(user_id=profile.owner_id, contains=query, limit=_FOUND)
        near = await profile.memory.search(query, limit=_FOUND, user_id=profile.owner_id)
        known = {m.memory_id for m in page.items}
        return [*page.items, *(m for m in near if m.score >= _FITS and m.memory_id not in known)]

    def _load_more(self) -> None:
        if not self._panel.search_text():
            self.run(self._extend(), "more memories", replaces=True)

    async def _extend(self) -> None:
        profile = self._services.profile
        known = self._panel.rows()
        page = await profile.memory.list(user_id=profile.owner_id, offset=len(known), limit=_PAGE)
        # Another list may be shown by now; this page would belong to the one before.
        if known == self._panel.rows():
            now = local_now()
            self._panel.extend_rows([memory_row(m, now) for m in page.items], page.total)

    async def _add_from(self, dialog: MemoryDialog, text: str) -> None:
        if await self._saved(dialog, self.add(text)):
            close(dialog)

    async def _open_edit(self, memory_id: str) -> None:
        profile = self._services.profile
        memory = await profile.memory.get(memory_id, user_id=profile.owner_id)
        if memory is None:
            self._toast.say("This memory is no longer there.")
            return
        dialog = MemoryDialog(self._window, memory.content, memory_row(memory, local_now()).caption)
        dialog.saved.connect(lambda text: self.run(self._update(dialog, memory, text), "edit memory"))
        dialog.open()

    async def _update(self, dialog: MemoryDialog, memory: MemoryResult, text: str) -> None:
        if not await self._saved(dialog, self._replace_text(memory, text)):
            return
        close(dialog)
        self.changed.emit()
        self.refresh()
        self._toast.say(
            "Memory changed.",
            action="Undo",
            on_action=lambda: self.run(self._restore_text(memory), "undo edit"),
        )

    async def _saved(self, dialog: MemoryDialog, work: Coroutine[Any, Any, object]) -> bool:
        """Whether `work` went well; when not, the dialog says why and keeps its text."""
        try:
            await work
        except AssistantError as error:
            if not is_open(dialog):
                raise
            dialog.show_error(str(error))
            return False
        return True

    async def _replace_text(self, memory: MemoryResult, text: str) -> None:
        profile = self._services.profile
        if not await profile.memory.update(memory.memory_id, text, user_id=profile.owner_id):
            # It was deleted meanwhile: what was just written is still wanted.
            again = NewMemory(text, memory.metadata, memory.memory_id, memory.created_at)
            await profile.memory.add_many([again], user_id=profile.owner_id)

    async def _restore_text(self, memory: MemoryResult) -> None:
        await self._put_back(memory)
        self.changed.emit()
        self.refresh()

    async def _take_back(self, memory_id: str) -> None:
        profile = self._services.profile
        await profile.memory.delete(memory_id, user_id=profile.owner_id)
        self._panel.remove_row(memory_id)
        self.removed.emit(memory_id)
        self.changed.emit()

    async def _delete(self, memory_id: str) -> None:
        profile = self._services.profile
        memory = await profile.memory.get(memory_id, user_id=profile.owner_id)
        if memory is None:
            self._panel.remove_row(memory_id)
            return
        await profile.memory.delete(memory_id, user_id=profile.owner_id)
        self._panel.remove_row(memory_id)
        self.removed.emit(memory_id)
        self.changed.emit()
        self._toast.say(
            f"Deleted: {memory.content}",
            action="Undo",
            on_action=lambda: self.run(self._bring_back(memory), "undo delete"),
        )

    async def _bring_back(self, memory: MemoryResult) -> None:
        await self._put_back(memory)
        self.restored.emit(memory.memory_id)
        self.changed.emit()
        self.refresh()

    async def _put_back(self, memory: MemoryResult) -> None:
        """As it was, with its id and times."""
        profile = self._services.profile
        again = NewMemory(
            memory.content, memory.metadata, memory.memory_id, memory.created_at, memory.updated_at
        )
        await profile.memory.add_many([again], user_id=profile.owner_id)
