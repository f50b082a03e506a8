"""Forgetting for good: memories, and the places of a profile where their text is kept as well."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from assistant.core.ids import new_id
from assistant.storage.scan import find_bytes, fragments

if TYPE_CHECKING:
    from assistant.conversation.sqlite_notes import Rewrite
    from assistant.memory.ledger.forgotten import Traced
    from assistant.ownership.profile import Profile

_log = logging.getLogger(__name__)

COMPACTION = "compaction"
"""Kind of pending deletion in a profile's record: the memory's files still have room with removed text in it."""
MOST_COMPACTED = 5_000
"""Memories up to which the files are made anew by themselves: about a second per 1,000, in the background."""
BACKUP_DAYS = 30

_RECALLED, _REMEMBERED, _SUMMARY = "recalled", "remembered", "summary"
_NEEDLE_MIN = 6
_FOUND = 50


@dataclass(frozen=True, slots=True)
class ForgetReport:
    """What was done.

    Attributes:
        memories: ids of what was removed, with what it had superseded.
        barred: ids of the turns that say the same and are not recalled any more.
        replies: messages whose notes named one of them.
        kept_messages: (conversation, message) that say it and stay; only deleting the conversation removes them.
        files_checked: files that were read for traces, 0 when the files were not made anew yet.
        traces: files in which a text is still found; that of the conversations among them while messages stay.
    """

    memories: tuple[str, ...] = ()
    barred: tuple[str, ...] = ()
    replies: int = 0
    kept_messages: tuple[tuple[str, str], ...] = ()
    files_checked: int = 0
    traces: tuple[Path, ...] = ()


@runtime_checkable
class RewritesNotes(Protocol):
    """A conversation store that can change the notes of all messages."""

    async def rewrite_notes(self, keys: tuple[str, ...], rewrite: Rewrite, *, user_id: str) -> int: ...


async def forget_memories(profile: Profile, ids: Sequence[str], *, compact: bool = False) -> ForgetReport:
    """Forget memories for good, hidden or not: the record, the notes of replies, summaries of conversations that said
    it, lessons, journals and old backups.

    They are hidden first and removed last, so that one that is cut off can be begun again.

    Args:
        compact: make the memory's files anew now and look for traces; otherwise that is noted as due.

    Raises:
        StorageError, MemoryStoreError: it failed; what is not forgotten yet stays hidden.
    """
    ledger, owner = await profile.memory.ledger(), profile.owner_id
    await ledger.hide(ids, user_id=owner)
    traced = await ledger.traced(ids, user_id=owner)
    if not traced.ids:
        return ForgetReport()
    for session, message in traced.messages:
        if message is not None:
            await ledger.lessons.drop_session(session, user_id=owner, message_id=message)
    replies = await _clean_notes(profile, traced)
    await note_forgotten(profile)
    await ledger.forget(ids, user_id=owner)
    await ledger.erase_traces()
    await asyncio.to_thread(remove_backups, profile.directory)
    kept = await _messages_saying(profile, traced.texts)
    files, traces = await compact_files(profile, traced.texts) if compact else (0, ())
    return ForgetReport(traced.ids, traced.barred, replies, kept, files, traces)


async def forget_hidden(profile: Profile, *, but: Sequence[str] = ()) -> ForgetReport:
    """Forget what was hidden and can't be brought back any more. Errors as in forget_memories.

    Args:
        but: ids of what still can.
    """
    ledger = await profile.memory.ledger()
    ids = [key for key in await ledger.hidden(user_id=profile.owner_id) if key not in set(but)]
    return await forget_memories(profile, ids) if ids else ForgetReport()


async def note_forgotten(profile: Profile) -> None:
    """Note that something was removed from the memory, so that its files are made anew at a quiet moment."""
    await profile.record.hide(COMPACTION, new_id(), datetime.now(UTC))


async def compaction_is_due(profile: Profile) -> bool:
    """Whether memories were forgotten since the memory's files were made anew, and that takes seconds only."""
    if not await profile.record.hidden(COMPACTION):
        return False
    return await profile.memory.count(user_id=profile.owner_id) <= MOST_COMPACTED


async def compact_files(profile: Profile, texts: Sequence[str] = ()) -> tuple[int, tuple[Path, ...]]:
    """Make the memory's files anew, without the room of what was removed, and look for `texts` in the profile.

    Returns:
        How many files were read, and those in which a text is still found.

    Raises:
        StorageError, MemoryStoreError: it failed, and is still due.
    """
    ledger = await profile.memory.ledger()
    # What is forgotten meanwhile is due again.
    due = await profile.record.hidden(COMPACTION)
    await ledger.compact()
    for item in due:
        await profile.record.settled(COMPACTION, item)
    return await asyncio.to_thread(_look, profile.directory, tuple(texts))


def remove_backups(folder: Path, *, older_than_days: float = 0.0) -> int:
    """Remove the copies that were made before a store was brought to a newer version; how many. Blocks."""
    latest = time.time() - older_than_days * 86_400
    removed = 0
    for path in folder.rglob("*.backup-v*"):
        try:
            if path.is_file() and path.stat().st_mtime <= latest:
                path.unlink()
                removed += 1
        except OSError as exc:
            _log.warning("an old backup is still there: %s", exc)
    return removed


async def _clean_notes(profile: Profile, traced: Traced) -> int:
    store = cast(object, profile.conversations)
    if not isinstance(store, RewritesNotes):
        return 0
    gone = {*traced.ids, *traced.barred}
    sessions = {session for session, _ in traced.messages}

    def rewrite(session_id: str, notes: Mapping[str, Any]) -> Mapping[str, Any] | None:
        new = dict(notes)
        for name in (_RECALLED, _REMEMBERED):
            if isinstance(told := notes.get(name), list):
                new[name] = [each for each in told if not _is_about(each, gone)]
        if session_id in sessions:
            new.pop(_SUMMARY, None)
        return new if new != dict(notes) else None

    keys = (_RECALLED, _REMEMBERED, _SUMMARY)
    return await store.rewrite_notes(keys, rewrite, user_id=profile.owner_id)


def _is_about(note: object, ids: set[str]) -> bool:
    return isinstance(note, Mapping) and note.get("memory_id") in ids


async def _messages_saying(profile: Profile, texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    found: dict[tuple[str, str], None] = {}
    for text in texts:
        hits = await profile.conversations.search(text, user_id=profile.owner_id, limit=_FOUND)
        found |= dict.fromkeys((hit.session_id, hit.message_id) for hit in hits if hit.message_id)
    return tuple(found)


def _look(folder: Path, texts: tuple[str, ...]) -> tuple[int, tuple[Path, ...]]:
    needles = sorted({piece for text in texts if len(text) >= _NEEDLE_MIN for piece in fragments(text)})
    if not needles:
        return 0, ()
    files = sum(1 for path in folder.rglob("*") if path.is_file())
    return files, tuple(sorted({hit.path for hit in find_bytes(folder, needles)}))
