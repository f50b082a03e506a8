"""What was said in conversations, kept as memories of their own kind so that a later conversation can recall it."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Sequence
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from assistant.agent.waiting import started
from assistant.conversation.base import ConversationStore, StoredMessage
from assistant.core.errors import AssistantError, StoreClosedError
from assistant.core.tasks import Supervisor
from assistant.core.text import drop_lone_surrogates
from assistant.memory.base import BrowsableMemory, MemoryProvider, NewMemory

if TYPE_CHECKING:
    from assistant.memory.ledger.ledger import MemoryLedger

_log = logging.getLogger(__name__)

_LONGEST = 1000
"""Characters of a passage: about what an embedding model reads of a text, and a prompt has room for."""
_MOST = 40
"""Passages of one message; what follows was pasted rather than said."""

_CONVERSATIONS = 100_000
_PAGE = 200
_AT_ONCE = 32
"""Passages of earlier conversations at a time: what somebody says meanwhile waits no longer than for these."""

_BREAK = re.compile(r"\n\s*\n|\n|(?<=[.!?…])\s+|(?<=[。！？])|\s+")


@dataclass(frozen=True, slots=True)
class SaidMessage:
    """A stored message.

    Attributes:
        text, speaker: what, and who ("user" or "assistant").
        session_id, message_id, position: where it is stored.
        said_at: timezone-aware.
    """

    text: str
    speaker: str
    session_id: str
    message_id: str
    position: int
    said_at: datetime


class SaidTurns:
    """Keeps what was said, in the background.

    Args:
        memory: where; None, or one that can't take many at once, for nowhere.
        tasks: owns the work.
    """

    def __init__(self, memory: MemoryProvider | None, tasks: Supervisor) -> None:
        self._memory = memory if isinstance(memory, BrowsableMemory) else None
        self._tasks = tasks
        self._running: set[asyncio.Task[object]] = set()

    def keep(self, messages: Sequence[SaidMessage], owner: str | None, context: Context) -> None:
        """Keep `messages` soon. A failure is logged: they are stored in their conversation anyway."""
        new = [memory for message in messages for memory in as_memories(message)]
        if self._memory is None or owner is None or not new:
            return
        try:
            task = started(
                self._tasks, self._keep(self._memory, new, owner), name="index what was said", context=context
            )
        except StoreClosedError:
            return
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def settle(self, grace: float) -> None:
        """Wait, at most `grace` seconds, for what is still being kept."""
        if self._running:
            await asyncio.wait(set(self._running), timeout=grace)

    async def _keep(self, memory: BrowsableMemory, new: Sequence[NewMemory], owner: str) -> None:
        try:
            await memory.add_many(new, user_id=owner)
        except AssistantError as error:
            _log.warning("what was said was not indexed: %s", error.title, exc_info=error)


async def catch_up(store: ConversationStore, ledger: MemoryLedger, owner: str) -> int:
    """Keep what was said in stored conversations and is not in the ledger yet: conversations from before there was
    one, and the last words before a crash. What was removed from the ledger stays away.

    Returns:
        How many passages came.

    Raises:
        StorageError: a store failed; what was kept until then stays.
    """
    kept = await ledger.said.counts(user_id=owner)
    added = 0
    for conversation in await store.list(user_id=owner, limit=_CONVERSATIONS, archived=None):
        # Each message has at least one passage.
        if kept.get(conversation.session_id, 0) < conversation.message_count:
            added += await _catch_up_with(store, ledger, owner, conversation.session_id)
    return added


async def _catch_up_with(store: ConversationStore, ledger: MemoryLedger, owner: str, session_id: str) -> int:
    added, before = 0, None
    while True:
        page = await store.messages(session_id, user_id=owner, before=before, limit=_PAGE)
        said = [message for stored in page.items if (message := _said(stored, session_id)) is not None]
        new = {memory.memory_id or "": memory for message in said for memory in as_memories(message)}
        missing = await ledger.said.unknown(list(new), user_id=owner)
        for start in range(0, len(missing), _AT_ONCE):
            batch = [new[memory_id] for memory_id in missing[start : start + _AT_ONCE]]
            added += len(await ledger.add_many(batch, user_id=owner))
        if not page.items or page.items[0].position == 0:
            return added
        before = page.items[0].position


def _said(stored: StoredMessage, session_id: str) -> SaidMessage | None:
    if stored.role not in ("user", "assistant") or stored.state == "streaming" or not stored.content.strip():
        return None
    return SaidMessage(
        stored.content, stored.role, session_id, stored.message_id, stored.position, stored.created_at
    )


def as_memories(message: SaidMessage) -> list[NewMemory]:
    """A message as memories of kind "turn": one for each passage. The same message gives the same ids."""
    return [
        NewMemory(
            passage,
            {
                "kind": "turn",
                "speaker": message.speaker,
                "said_at": message.said_at.isoformat(),
                "session_id": message.session_id,
                "message_id": message.message_id,
                "position": message.position,
            },
            memory_id=f"said-{message.message_id}-{number}",
            created_at=message.said_at,
        )
        for number, passage in enumerate(passages(message.text))
    ]


def passages(text: str) -> list[str]:
    """`text` in parts of at most 1,000 characters, cut where a paragraph, line, sentence or at least a word ends."""
    text = drop_lone_surrogates(text)
    found: list[str] = []
    part = ""
    for piece in _pieces(text):
        if part and len(part) + len(piece) > _LONGEST:
            found.append(part)
            part = ""
            if len(found) == _MOST:
                break
        part += piece
    else:
        found.append(part)
    return [kept for passage in found if (kept := passage.strip())][:_MOST]


def _pieces(text: str) -> Iterator[str]:
    """`text` cut after each break, no piece longer than a passage."""
    start = 0
    for gap in _BREAK.finditer(text):
        yield from _slices(text[start : gap.end()])
        start = gap.end()
    yield from _slices(text[start:])


def _slices(piece: str) -> Iterator[str]:
    for begin in range(0, len(piece), _LONGEST):
        yield piece[begin : begin + _LONGEST]
