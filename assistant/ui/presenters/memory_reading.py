"""What the memory panel reads: pages of memories, what fits a search, the whole story of one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.core.errors import AssistantError
from assistant.memory.base import TURN, MemorySort
from assistant.ui.models.conversations import local_now
from assistant.ui.models.memories import MemoryRow, MemoryView
from assistant.ui.models.memory_details import MemoryDetails, UsedMemory
from assistant.ui.models.messages import RecalledFact
from assistant.ui.presenters.memory_rows import (
    kind_name,
    memory_details,
    memory_row,
    said_row,
    source_of,
    used_memory,
    would_replace,
)

if TYPE_CHECKING:
    from assistant.memory.ledger.browsing import LedgerBrowser
    from assistant.memory.ledger.entry import Entry, State
    from assistant.ownership.profile import Profile

_STATES: dict[MemoryView, State] = {"now": "active", "waiting": "pending", "earlier": "superseded"}
_FOUND = 50
_SAID = 20
_LOOKED_AT = 200
"""Hits of a search that are sorted into facts and what was said."""
_FITS = 0.26
"""Score below which a memory does not fit the search words."""
SAID_HEADING = MemoryRow("", "Said in conversations", kind="heading")


@dataclass(frozen=True, slots=True)
class Listing:
    """Which memories to list.

    Attributes:
        view, sort, kind: see MemoryViews.
        query: search words, empty for all.
    """

    view: MemoryView = "now"
    sort: MemorySort = "newest"
    kind: str = ""
    query: str = ""


class MemoryReader:
    """Reads the memory of a profile.

    Args:
        profile: its memory may still be opening; each call waits for it, and raises what its opening raised.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile

    async def page(self, listing: Listing, *, offset: int, limit: int) -> tuple[list[MemoryRow], int]:
        """A slice of the list, and how many there are in all."""
        browser = await self._browser()
        owner = self._profile.owner_id
        page = await browser.page(
            user_id=owner,
            state=_STATES[listing.view],
            kinds=(listing.kind,) if listing.kind else (),
            contains=listing.query,
            sort=listing.sort,
            offset=offset,
            limit=limit,
        )
        return await self._rows(browser, page.items), page.total

    async def find(self, listing: Listing) -> list[MemoryRow]:
        """What holds the words, then what fits by meaning; what was said comes after a heading."""
        rows, _ = await self.page(listing, offset=0, limit=_FOUND)
        if listing.view != "now":
            return rows
        owner, browser = self._profile.owner_id, await self._browser()
        near = await self._profile.memory.search(listing.query, limit=_LOOKED_AT, user_id=owner)
        known = {row.memory_id for row in rows}
        ids = [m.memory_id for m in near if m.score >= _FITS and m.memory_id not in known]
        found = await browser.entries(ids, user_id=owner)
        entries = [found[key] for key in ids if key in found]
        fit = [e for e in entries if e.details.kind != TURN and listing.kind in ("", e.details.kind)]
        said = [e for e in entries if e.details.kind == TURN and not listing.kind][:_SAID]
        rows += await self._rows(browser, fit[:_FOUND])
        return [*rows, SAID_HEADING, *await self._said_rows(said)] if said else rows

    async def waiting(self) -> int:
        """How many memories wait for the person's word."""
        return await self._profile.memory.count(user_id=self._profile.owner_id, state="pending")

    async def kinds(self) -> Mapping[str, str]:
        """The kinds of memories that there are, with their names."""
        found = await (await self._browser()).kinds(user_id=self._profile.owner_id)
        return {kind: kind_name(kind) for kind in sorted(found, key=kind_name)}

    async def entry(self, memory_id: str) -> Entry | None:
        """One memory, whatever its state."""
        return await self._profile.memory.entry(memory_id, user_id=self._profile.owner_id)

    async def entries(self, ids: Sequence[str]) -> Mapping[str, Entry]:
        """Those of `ids` that are there."""
        return await (await self._browser()).entries(ids, user_id=self._profile.owner_id)

    async def details(self, memory_id: str) -> MemoryDetails | None:
        """All that is known of one memory; None when it is gone."""
        entry = await self.entry(memory_id)
        if entry is None:
            return None
        owner, browser = self._profile.owner_id, await self._browser()
        later = None
        if entry.superseded_by is not None:
            later = await self.entry(entry.superseded_by)
        session, _ = source_of(entry)
        return memory_details(
            entry,
            local_now(),
            versions=await self._profile.memory.versions(memory_id, user_id=owner),
            replaced=await browser.history(memory_id, user_id=owner),
            replaced_by=later,
            title=(await self._titles([session])).get(session, ""),
        )

    async def used(self, facts: Sequence[RecalledFact]) -> list[UsedMemory]:
        """Memories that a reply was given, with what has become of them, if that can be read."""
        now = local_now()
        try:
            found = await self.entries([fact.memory_id for fact in facts])
        except AssistantError:
            return [used_memory(fact, None, now, is_known=False) for fact in facts]
        return [used_memory(fact, found.get(fact.memory_id), now) for fact in facts]

    async def _browser(self) -> LedgerBrowser:
        return (await self._profile.memory.ledger()).browser

    async def _rows(self, browser: LedgerBrowser, entries: Sequence[Entry]) -> list[MemoryRow]:
        now = local_now()
        ids = [entry.memory_id for entry in entries]
        owner = self._profile.owner_id
        before = await browser.replaced(ids, user_id=owner) if ids else {}
        wanted = {entry.memory_id: other for entry in entries if (other := would_replace(entry))}
        others = await browser.entries(list(wanted.values()), user_id=owner) if wanted else {}
        before |= {key: others[other] for key, other in wanted.items() if other in others}
        return [memory_row(entry, now, before.get(entry.memory_id)) for entry in entries]

    async def _said_rows(self, said: Sequence[Entry]) -> list[MemoryRow]:
        now = local_now()
        titles = await self._titles([entry.details.session or "" for entry in said])
        return [said_row(entry, now, titles.get(entry.details.session or "", "")) for entry in said]

    async def _titles(self, sessions: Sequence[str]) -> dict[str, str]:
        """The titles of conversations; those that can't be read go without."""
        titles: dict[str, str] = {}
        for session in dict.fromkeys(sessions):
            try:
                found = await self._profile.conversations.get(session, user_id=self._profile.owner_id)
            except AssistantError:
                return titles
            if session and found is not None:
                titles[session] = found.title
        return titles
