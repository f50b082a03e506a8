"""The memory panel: lists and finds memories, and passes on what is to be done with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from assistant.core.errors import AssistantError
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.memory_changes import MemoryChanges
from assistant.ui.presenters.memory_reading import Listing, MemoryReader
from assistant.ui.services import Services
from assistant.ui.widgets.memory_panel import MemoryPanel
from assistant.ui.widgets.toast import Toast

if TYPE_CHECKING:
    from assistant.memory.ledger.indexer import IndexProgress

_PAGE = 100
_LARGEST_PAGE = 1000
_LARGEST_EXTENSION = 400
_SMALL = 200
"""Memories whose indexing is over before anybody has read that it goes on."""


class MemoryPresenter(Presenter):
    """Between the memory panel and the long-term memory.

    Attributes:
        reader: reads what is there.
        changes: what is done with memories.
    """

    def __init__(self, panel: MemoryPanel, toast: Toast, services: Services, window: QWidget) -> None:
        super().__init__(panel, services)
        self._panel = panel
        self._listed: Listing | None = None
        self.reader = MemoryReader(services.profile)
        self.changes = changes = MemoryChanges(toast, services, self.reader, window)
        panel.searched.connect(lambda _: self.refresh())
        panel.view_changed.connect(self.refresh)
        panel.expand_toggled.connect(lambda _: self.refresh())
        panel.more_wanted.connect(self._load_more)
        panel.page_wanted.connect(self._load_page)
        panel.add_requested.connect(changes.ask_new)
        panel.edit_requested.connect(changes.ask_edit)
        panel.delete_requested.connect(changes.delete)
        panel.pin_requested.connect(changes.pin)
        panel.accept_requested.connect(lambda memory_id: changes.accept([memory_id]))
        panel.dismiss_requested.connect(lambda memory_id: changes.dismiss([memory_id]))
        panel.accept_all_requested.connect(changes.accept_all)
        panel.dismiss_all_requested.connect(changes.dismiss_all)
        panel.details_requested.connect(self.show_details)
        changes.failed.connect(self.failed)
        changes.changed.connect(self.refresh)
        changes.gone.connect(panel.remove_row)
        changes.decided.connect(self._decided)
        services.on_indexing(self.show_indexing)

    def refresh(self) -> None:
        """List again, soon."""
        self.run(self.load(), "list memories", replaces=True)

    async def load(self) -> None:
        """List memories, or what fits the search; the same list again stays where it is."""
        listing = self._wanted()
        if not self._services.profile.memory.is_ready:
            self._panel.show_status("Opening the memory…")
        try:
            waiting = await self.reader.waiting()
            if self._panel.is_expanded:
                self._panel.set_kinds(await self.reader.kinds())
            if listing.query:
                rows, first = await self.reader.find(listing), 0
                total = len(rows)
            else:
                first, limit = self._slice(listing)
                rows, total = await self.reader.page(listing, offset=first, limit=limit)
                if first and not rows:
                    first = 0
                    rows, total = await self.reader.page(listing, offset=0, limit=_PAGE)
        except AssistantError as error:
            self._panel.show_status(f"{error.message} {error.hint}".strip())
            return
        if listing != self._wanted():
            return
        self._panel.show_status("")
        self._panel.set_waiting(waiting)
        self._panel.show_rows(
            rows,
            total,
            searching=bool(listing.query),
            first=first,
            keep_place=listing == self._listed,
        )
        self._listed = listing

    def ask_new(self) -> None:
        """Open the dialog for a new memory."""
        self.changes.ask_new()

    def ask_edit(self, memory_id: str) -> None:
        """Open the dialog for an existing memory."""
        self.changes.ask_edit(memory_id)

    def delete(self, memory_id: str) -> None:
        """Remove a memory and offer to bring it back."""
        self.changes.delete(memory_id)

    def show_details(self, memory_id: str) -> None:
        """Open the dialog that tells all about one memory."""
        from assistant.ui.presenters.memory_stories import show_details

        self.run(
            show_details(self._panel.window(), self.reader, self.changes, self._panel, memory_id),
            "show memory",
            replaces=True,
        )

    def show_indexing(self, progress: IndexProgress) -> None:
        """Say how many memories can be found by meaning, when it takes a while."""
        done = progress.done >= progress.total
        going_on = progress.total >= _SMALL and not done
        self._panel.show_indexing(progress.done if going_on else 0, progress.total if going_on else 0)

    def _wanted(self) -> Listing:
        panel = self._panel
        return Listing(panel.view, panel.sort, panel.kind, panel.search_text())

    def _slice(self, listing: Listing) -> tuple[int, int]:
        """Which rows to read: of the same list those that are loaded or in sight, of another the first ones."""
        if listing != self._listed:
            return 0, _PAGE
        if self._panel.is_expanded and self._panel.is_stretched:
            first, last = self._panel.in_sight()
            return max(first - _PAGE // 2, 0), last - first + _PAGE
        return 0, min(max(len(self._panel.rows()), _PAGE), _LARGEST_PAGE)

    def _decided(self, memory_id: str) -> None:
        if self._panel.view == "waiting":
            self._panel.remove_row(memory_id)

    def _load_more(self) -> None:
        if not self._panel.search_text():
            self.run(self._extend(), "more memories", replaces=True)

    async def _extend(self) -> None:
        listing, known = self._wanted(), self._panel.rows()
        # Each page makes the list measure all of its rows again: fewer, larger ones as it grows.
        limit = min(max(_PAGE, len(known) // 8), _LARGEST_EXTENSION)
        rows, total = await self.reader.page(listing, offset=len(known), limit=limit)
        # Another list may be shown by now; this page would belong to the one before.
        if listing == self._wanted() and known == self._panel.rows():
            self._panel.extend_rows(rows, total)

    def _load_page(self, row: int) -> None:
        self.run(self._fill(row), "more memories", replaces=True)

    async def _fill(self, row: int) -> None:
        listing, first = self._wanted(), row // _PAGE * _PAGE
        rows, _ = await self.reader.page(listing, offset=first, limit=_PAGE)
        if listing == self._wanted() and self._panel.is_stretched:
            self._panel.fill_rows(first, rows)
