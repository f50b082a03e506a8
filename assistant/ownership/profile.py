"""One person's data on this computer: record, conversations, memory; opened, closed and wiped together."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import AssistantError, StorageError, StoreClosedError
from assistant.core.ids import new_id

if TYPE_CHECKING:
    from assistant.conversation.base import ConversationStore
    from assistant.memory.ledger.deferred import DeferredLedger
    from assistant.memory.ledger.entry import State
    from assistant.memory.ledger.ledger import MemoryLedger
    from assistant.storage.profile import ProfileRecord

_log = logging.getLogger(__name__)
_WIPED = ".wiped-"
SUSPICION = "damaged.suspected"
"""A file in a profile's folder: the next start looks through the stores before it uses them."""
_ALL = 1_000_000
_NEEDLE_MIN = 6
"""Shorter texts would be found anywhere by chance."""


@dataclass(frozen=True, slots=True)
class StoreOpeners:
    """How the stores of a profile are opened; given by the composition root.

    Attributes:
        record: opens the record in a folder.
        conversations: opens the conversation store in a folder.
        memory: opens the long-term memory in a folder (slow).
    """

    record: Callable[[Path], Awaitable[ProfileRecord]]
    conversations: Callable[[Path], Awaitable[ConversationStore]]
    memory: Callable[[Path], Awaitable[MemoryLedger]]


@dataclass(frozen=True, slots=True)
class WipeReport:
    """What a wipe did.

    Attributes:
        memories, conversations: how many were there; None when they could not be read.
        files_removed: files of the old folder.
        files_left: files that could not be removed now; the next start removes them.
        files_checked: files of the new folder that were read for traces.
        traces: files in which a text that was stored before is still found.
    """

    memories: int | None
    conversations: int | None
    files_removed: int
    files_left: int
    files_checked: int
    traces: tuple[Path, ...]


class Profile:
    """The open stores of one folder.

    Attributes:
        directory: the folder.
        record, conversations: valid between open and close.
    """

    record: ProfileRecord
    conversations: ConversationStore

    def __init__(self, directory: Path, openers: StoreOpeners) -> None:
        self.directory = directory
        self._openers = openers
        self._open = False
        self._memory: DeferredLedger | None = None
        self._users: list[Callable[[], Awaitable[object]]] = []

    @property
    def is_open(self) -> bool:
        """Whether the stores can be used."""
        return self._open

    def before_closing(self, close: Callable[[], Awaitable[object]]) -> None:
        """Have `close` called each time before the stores close: it lets go of them and of its files in the folder."""
        self._users.append(close)

    @property
    def memory(self) -> DeferredLedger:
        """The long-term memory between open and close; made at the first use, which is after the first frame."""
        if self._memory is None:
            if not self._open:
                raise StoreClosedError("The profile is closed.")
            from assistant.memory.ledger.deferred import DeferredLedger

            self._memory = DeferredLedger(lambda: self._openers.memory(self.directory))
        return self._memory

    @property
    def owner_id(self) -> str:
        """The random id that memories and conversations of this profile carry."""
        return self.record.owner_id

    async def open(self) -> None:
        """Open what is quick: the record and the conversations. Finishes a wipe that was cut off.

        Raises:
            StorageError: a store can't be opened; nothing is left open.
        """
        await asyncio.to_thread(self._prepare)
        self.record = await self._openers.record(self.directory)
        try:
            self.conversations = await self._openers.conversations(self.directory)
        except AssistantError:
            await self.record.close()
            raise
        self._memory = None
        self._open = True

    async def close(self) -> None:
        """Close everything. Safe to call twice."""
        if not self._open:
            return
        self._open = False
        for let_go in self._users:
            try:
                await let_go()
            except AssistantError as exc:
                _log.warning("closing: %s", exc.title)
        if self._memory is not None:
            await self._memory.close()
        await self.conversations.close()
        await self.record.close()

    def suspect(self) -> None:
        """A store was found damaged while it was used: the next start is to look through it and offer a way out."""
        try:
            (self.directory / SUSPICION).touch()
        except OSError as exc:
            _log.warning("the suspicion of damage was not noted: %s", exc)

    async def wipe(self) -> WipeReport:
        """Remove everything of this profile and open it again, empty, under a new owner id.

        The folder is renamed first, so that a crash in the middle leaves nothing half-wiped in its place.

        Raises:
            StorageError: the folder can't be moved aside; everything is as it was, and open again.
        """
        texts, memories, conversations = await self._inventory()
        await self.close()
        aside = self.directory.with_name(f".{self.directory.name}{_WIPED}{new_id()}")
        try:
            await asyncio.to_thread(os.replace, self.directory, aside)
        except OSError as exc:
            await self.open()
            raise StorageError(
                "The folder of this profile is in use by another program. Nothing was removed.",
                hint="Close other programs that use it, then wipe again.",
                detail=repr(exc),
            ) from exc
        removed, left = await asyncio.to_thread(_remove, aside)
        await self.open()
        files, traces = await asyncio.to_thread(self._scan, texts)
        return WipeReport(memories, conversations, removed, left, files, traces)

    async def counts(self) -> tuple[int | None, int | None]:
        """How many memories and conversations there are; None where that can't be read."""
        memories = conversations = None
        try:
            from assistant.memory.base import TURN

            # What was said is part of the conversations.
            memories = await self.memory.count(user_id=self.owner_id, but=(TURN,))
        except AssistantError as exc:
            _log.warning("memories can't be counted: %s", exc.title)
        try:
            conversations = len(
                await self.conversations.list(user_id=self.owner_id, limit=_ALL, archived=None)
            )
        except AssistantError as exc:
            _log.warning("conversations can't be counted: %s", exc.title)
        return memories, conversations

    async def _inventory(self) -> tuple[list[str], int | None, int | None]:
        """Texts to look for afterwards, and how many there were. What can't be read is no reason to keep it."""
        from assistant.ownership.export import read_all

        texts: list[str] = []
        memories = conversations = None
        try:
            found = await read_all(self.memory, self.owner_id)
            memories = len(found)
            texts += [m.content for m in found]
            other: tuple[State, ...] = ("pending", "superseded")
            for state in other:
                others = await self.memory.list(user_id=self.owner_id, state=state, limit=1000)
                texts += [m.content for m in others.items]
        except AssistantError as exc:
            _log.warning("wiping without a list of memories: %s", exc.title)
        try:
            listed = await self.conversations.list(user_id=self.owner_id, limit=_ALL, archived=None)
            conversations = len(listed)
            for each in listed:
                page = await self.conversations.messages(each.session_id, user_id=self.owner_id, limit=20)
                texts += [m.content for m in page.items]
        except AssistantError as exc:
            _log.warning("wiping without a list of conversations: %s", exc.title)
        return [t for t in texts if len(t) >= _NEEDLE_MIN], memories, conversations

    def _prepare(self) -> None:
        for leftover in self.directory.parent.glob(f".{self.directory.name}{_WIPED}*"):
            _remove(leftover)
        try:
            self.directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as exc:
            raise StorageError(
                f"The folder {self.directory} can't be made: {exc.strerror or exc}.",
                hint="Check that the disk has room and that the folder may be written.",
            ) from exc

    def _scan(self, texts: list[str]) -> tuple[int, tuple[Path, ...]]:
        from assistant.storage.scan import find_bytes, fragments

        files = [p for p in self.directory.rglob("*") if p.is_file()]
        needles = sorted({piece for text in texts for piece in fragments(text)})
        hits = find_bytes(self.directory, needles) if needles else []
        return len(files), tuple(sorted({hit.path for hit in hits}))


def _remove(folder: Path) -> tuple[int, int]:
    """Remove a folder; returns how many files went and how many are left."""
    before = sum(1 for p in folder.rglob("*") if p.is_file())
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
    left = sum(1 for p in folder.rglob("*") if p.is_file()) if folder.exists() else 0
    return before - left, left
