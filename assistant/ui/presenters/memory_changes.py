"""What a person does with memories: adds, corrects, pins, deletes, says yes or no; each with the way back."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from assistant.core.errors import AssistantError
from assistant.memory.learning.keeping import replaced_ids
from assistant.memory.rules import decode_metadata
from assistant.ownership.forget import (
    BACKUP_DAYS,
    compact_files,
    compaction_is_due,
    forget_hidden,
    forget_memories,
    remove_backups,
)
from assistant.ui.models.conversations import local_now
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.memory_reading import MemoryReader
from assistant.ui.presenters.memory_rows import memory_row
from assistant.ui.services import Services
from assistant.ui.widgets.toast import Toast
from assistant.ui.windows.dialogs import MemoryDialog, close, is_open
from assistant.ui.words import count

if TYPE_CHECKING:
    from assistant.memory.ledger.entry import Entry
    from assistant.memory.ledger.ledger import MemoryLedger

_log = logging.getLogger(__name__)
_GONE = "This memory is no longer there."
_MOST_AT_ONCE = 1000
_QUIET_MS = 60_000
"""After what was forgotten last, its room in the files is freed."""


class MemoryChanges(Presenter):
    """Between the window and the long-term memory.

    A deleted memory is hidden at once, so that no reply can use it and no crash brings it back, and it is not learned
    again; undoing brings it back as it was, with its history. When the note ends, or at the next start, it is
    forgotten for good.

    Args:
        reader: reads what is there.
        window: the parent of dialogs.

    Signals:
        changed: memories were added, corrected, decided on or removed.
        gone(memory_id): that one is not there any more.
        decided(memory_id): that one does not wait any more.
    """

    changed = Signal()
    gone = Signal(str)
    decided = Signal(str)

    def __init__(self, toast: Toast, services: Services, reader: MemoryReader, window: QWidget) -> None:
        super().__init__(window, services)
        self._toast = toast
        self._reader = reader
        self._window = window
        self._undoable: set[str] = set()
        self._quiet = QTimer(self)
        self._quiet.setSingleShot(True)
        self._quiet.setInterval(_QUIET_MS)
        self._quiet.timeout.connect(lambda: self.run(self._compact(), "compact memory", replaces=True))

    def settle(self) -> None:
        """Forget for good what was deleted before the last end of the application, and tidy up after it."""
        self.run(self._settle(), "forget deleted memories")

    def tidy_soon(self) -> None:
        """Free the room of what was removed as soon as it is quiet."""
        self._quiet.start()

    # -- keeping

    async def add(self, text: str, *, session_id: str = "", message_id: str = "") -> str:
        """Keep `text` as the user's explicit wish and return its id.

        Raises:
            AssistantError: it was not kept.
        """
        ledger, owner = await self._ledger()
        metadata: dict[str, object] = {"kind": "explicit"}
        if session_id:
            metadata["source"] = {"session_id": session_id, "message_id": message_id}
        await ledger.may_return(text, user_id=owner)
        memory_id = await ledger.add(text, metadata=metadata, user_id=owner)
        self.changed.emit()
        self._offer(f"Remembered: {text}", lambda: self._take_all_back([memory_id]), "undo remember")
        return memory_id

    def take_back(self, memory_id: str) -> None:
        """Remove a memory that was just kept; what it took the place of is back."""
        self.run(self._take_all_back([memory_id]), "undo remember")

    def take_all_back(self, ids: Sequence[str]) -> None:
        """Remove several that were just kept."""
        self.run(self._take_all_back(ids), "undo remember")

    def ask_new(self) -> None:
        """Open the dialog for a new memory."""
        dialog = MemoryDialog(self._window)
        dialog.saved.connect(lambda text: self.run(self._add_from(dialog, text), "add memory"))
        dialog.open()

    # -- correcting

    def ask_edit(self, memory_id: str) -> None:
        """Open the dialog for an existing memory; one that waits is kept when it is saved."""
        self.run(self._open_edit(memory_id), "open memory")

    def restore_text(self, memory_id: str, text: str) -> None:
        """Have a memory say again what it said before."""
        self.run(self._say_again(memory_id, text), "restore memory")

    def pin(self, memory_id: str, pinned: bool) -> None:
        """Have a memory in every prompt, or no more."""
        self.run(self._pin(memory_id, pinned), "pin memory")

    def bar(self, memory_id: str) -> None:
        """Use something that was said no more."""
        self.run(self._bar(memory_id), "use no more")

    def say_gone(self) -> None:
        """Say that a memory is not there any more."""
        self._toast.say(_GONE)

    # -- removing

    def delete(self, memory_id: str) -> None:
        """Remove a memory and offer to bring it back."""
        self.run(self._delete(memory_id), "delete memory")

    # -- deciding

    def accept(self, ids: Sequence[str]) -> None:
        """Keep memories that wait."""
        self.run(self._accept(ids), "accept memories")

    def dismiss(self, ids: Sequence[str]) -> None:
        """Remove memories that wait; they are not proposed again."""
        self.run(self._dismiss(ids), "dismiss memories")

    def accept_all(self) -> None:
        """Keep all that waits."""
        self.run(self._about_all(self._accept), "accept memories")

    def dismiss_all(self) -> None:
        """Remove all that waits."""
        self.run(self._about_all(self._dismiss), "dismiss memories")

    # ---- inside

    async def _ledger(self) -> tuple[MemoryLedger, str]:
        profile = self._services.profile
        return await profile.memory.ledger(), profile.owner_id

    def _offer(self, said: str, undo: Callable[[], Coroutine[Any, Any, object]], name: str) -> None:
        """Say what was done, with the way back."""
        self._toast.say(said, action="Undo", on_action=lambda: self.run(undo(), name))

    async def _drop_answers(self, ids: Sequence[str]) -> None:
        """Answers that were made with these memories are not given again."""
        try:
            await self._services.forget_answers(ids)
        except AssistantError as error:
            _log.warning("kept answers were not dropped: %s", error.title, exc_info=error)

    async def _add_from(self, dialog: MemoryDialog, text: str) -> None:
        if await self._saved(dialog, self.add(text)):
            close(dialog)

    async def _take_all_back(self, ids: Sequence[str]) -> None:
        """What they replaced is back at once; they themselves are forgotten when the note ends."""
        ledger, owner = await self._ledger()
        entries = await ledger.browser.entries(ids, user_id=owner)
        replacing = [
            key for key in reversed(ids) if await ledger.restore_replaced(key, user_id=owner) is not None
        ]
        hidden = await self._hide(ids)
        if hidden:
            one = entries.get(hidden[0])
            many = count(len(hidden), "memory", "memories")
            said = one.record.content if one is not None and len(hidden) == 1 else many
            self._toast.say(
                f"Not kept: {said}",
                action="Undo",
                on_action=lambda: self.run(self._keep_again(hidden, replacing), "keep after all"),
                on_expired=lambda: self.run(self._forget(hidden), "forget memories"),
            )

    async def _keep_again(self, ids: Sequence[str], replacing: Sequence[str]) -> None:
        ledger, owner = await self._ledger()
        await ledger.bring_back(ids, user_id=owner)
        for memory_id in reversed(replacing):
            # It waited, since the one that it replaced was back.
            await ledger.accept(memory_id, user_id=owner)
        self._undoable -= set(ids)
        self.changed.emit()

    async def _open_edit(self, memory_id: str) -> None:
        entry = await self._reader.entry(memory_id)
        if entry is None:
            self.say_gone()
            return
        caption = memory_row(entry, local_now()).caption
        dialog = MemoryDialog(self._window, entry.record.content, caption, waits=entry.state == "pending")
        dialog.saved.connect(lambda text: self.run(self._update(dialog, entry, text), "edit memory"))
        dialog.open()

    async def _update(self, dialog: MemoryDialog, entry: Entry, text: str) -> None:
        if not await self._saved(dialog, self._replace_text(entry, text)):
            return
        close(dialog)
        if entry.state == "pending":
            await self._accept([entry.memory_id], before=[entry], text=text)
            return
        await self._drop_answers([entry.memory_id])
        self.changed.emit()
        self._offer(
            "Memory changed.", lambda: self._say_again(entry.memory_id, entry.record.content), "undo edit"
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

    async def _replace_text(self, entry: Entry, text: str) -> None:
        ledger, owner = await self._ledger()
        if text != entry.record.content and not await ledger.update(entry.memory_id, text, user_id=owner):
            # It was deleted meanwhile: what was just written is still wanted.
            if not await ledger.bring_back([entry.memory_id], user_id=owner):
                await ledger.may_return(entry.record.content, user_id=owner)
                await ledger.browser.put_back(entry, user_id=owner)
            await ledger.update(entry.memory_id, text, user_id=owner)

    async def _say_again(self, memory_id: str, text: str) -> None:
        ledger, owner = await self._ledger()
        if not await ledger.update(memory_id, text, user_id=owner):
            self.say_gone()
        await self._drop_answers([memory_id])
        self.changed.emit()

    async def _pin(self, memory_id: str, pinned: bool) -> None:
        ledger, owner = await self._ledger()
        if not await ledger.pin(memory_id, user_id=owner, pinned=pinned):
            self.say_gone()
        self.changed.emit()

    async def _bar(self, memory_id: str) -> None:
        ledger, owner = await self._ledger()
        if not await ledger.bar(memory_id, user_id=owner):
            self.say_gone()
            return
        await self._drop_answers([memory_id])
        self.changed.emit()
        self._offer("Not used any more. The message stays.", lambda: self._unbar(memory_id), "use again")

    async def _unbar(self, memory_id: str) -> None:
        ledger, owner = await self._ledger()
        await ledger.bar(memory_id, user_id=owner, barred=False)
        self.changed.emit()

    async def _delete(self, memory_id: str) -> None:
        ledger, owner = await self._ledger()
        entry = await ledger.entry(memory_id, user_id=owner)
        if entry is None:
            self.gone.emit(memory_id)
            return
        ids = await self._hide([memory_id])
        self._offer_back(f"Deleted: {entry.record.content}", ids, "undo delete")

    async def _hide(self, ids: Sequence[str]) -> list[str]:
        """Put memories out of sight, and give the ids of those that there were."""
        ledger, owner = await self._ledger()
        self._undoable |= set(ids)
        hidden = await ledger.hide(ids, user_id=owner)
        for each in hidden:
            self.gone.emit(each.memory_id)
        await self._drop_answers([key for each in hidden for key in (*each.ids, *each.barred)])
        self.changed.emit()
        return [each.memory_id for each in hidden]

    def _offer_back(self, said: str, ids: Sequence[str], name: str) -> None:
        self._toast.say(
            said,
            action="Undo",
            on_action=lambda: self.run(self._bring_back(ids), name),
            on_expired=lambda: self.run(self._forget(ids), "forget memories"),
        )

    async def _bring_back(self, ids: Sequence[str]) -> None:
        """As they were, with all that they said before."""
        ledger, owner = await self._ledger()
        await ledger.bring_back(ids, user_id=owner)
        self._undoable -= set(ids)
        self.changed.emit()

    async def _forget(self, ids: Sequence[str]) -> None:
        """Forget those of `ids` for good that were not brought back."""
        ledger, owner = await self._ledger()
        hidden = await ledger.hidden(user_id=owner)
        report = await forget_memories(self._services.profile, [key for key in ids if key in hidden])
        self._undoable -= set(ids)
        await self._drop_answers([*report.memories, *report.barred])
        self.tidy_soon()

    async def _settle(self) -> None:
        profile = self._services.profile
        try:
            report = await forget_hidden(profile, but=tuple(self._undoable))
            await self._drop_answers([*report.memories, *report.barred])
        except AssistantError as error:
            # They stay hidden, and the next start tries again.
            _log.warning("deleted memories are still on disk: %s", error.title)
        await asyncio.to_thread(remove_backups, profile.directory, older_than_days=BACKUP_DAYS)
        self.tidy_soon()

    async def _compact(self) -> None:
        profile = self._services.profile
        try:
            if await compaction_is_due(profile):
                await compact_files(profile)
        except AssistantError as error:
            _log.warning("the memory's files were not made anew: %s", error.title)

    async def _about_all(self, decide: Callable[[Sequence[str]], Coroutine[Any, Any, None]]) -> None:
        ledger, owner = await self._ledger()
        page = await ledger.list(user_id=owner, state="pending", limit=_MOST_AT_ONCE)
        await decide([memory.memory_id for memory in page.items])

    async def _waiting(self, ids: Sequence[str]) -> list[Entry]:
        found = await self._reader.entries(ids)
        return [found[key] for key in ids if key in found and found[key].state == "pending"]

    async def _accept(self, ids: Sequence[str], *, before: Sequence[Entry] = (), text: str = "") -> None:
        """Keep what waits; `before` is how it was before it was corrected to `text`."""
        ledger, owner = await self._ledger()
        entries = list(before) or await self._waiting(ids)
        for entry in entries:
            await ledger.accept(entry.memory_id, user_id=owner)
            self.decided.emit(entry.memory_id)
        taken = [old for entry in entries for old in replaced_ids(decode_metadata(entry.record.metadata))]
        if taken:
            await self._drop_answers(taken)
        self.changed.emit()
        if not entries:
            self.say_gone()
            return
        said = f"Remembered: {text or entries[0].record.content}"
        if len(entries) > 1:
            said = f"Remembered {count(len(entries), 'memory', 'memories')}."
        self._offer(said, lambda: self._wait_again(entries), "undo accept")

    async def _dismiss(self, ids: Sequence[str]) -> None:
        entries = await self._waiting(ids)
        hidden = await self._hide([entry.memory_id for entry in entries])
        if not entries:
            self.say_gone()
            return
        said = f"Not kept: {entries[0].record.content}"
        if len(entries) > 1:
            said = f"{count(len(entries), 'memory', 'memories')} not kept."
        self._offer_back(said, hidden, "undo dismiss")

    async def _wait_again(self, entries: Sequence[Entry]) -> None:
        """As before they were accepted: what they took the place of is back."""
        ledger, owner = await self._ledger()
        for entry in reversed(entries):
            await ledger.restore_replaced(entry.memory_id, user_id=owner)
            await ledger.browser.put_back(entry, user_id=owner)
        await self._drop_answers([entry.memory_id for entry in entries])
        self.changed.emit()
