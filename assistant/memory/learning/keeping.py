"""How a candidate is written to a memory, and how that is taken back."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol, cast, runtime_checkable

from assistant.memory.base import BrowsableMemory, MemoryPage, MemoryProvider, MemoryResult
from assistant.memory.consolidation.reading import read
from assistant.memory.consolidation.relation import related
from assistant.memory.learning.base import Candidate, LearnedMemory, LearningMemory, Utterance

REPLACES = "replaces"
"""Metadata: the id of the memory whose place this one takes, or would take."""
ALSO_REPLACES = "also_replaces"
"""Metadata: ids of others whose place it takes as well."""
PREVIOUS = "previous"
"""Metadata, where a memory can only be overwritten: what it said before."""

_MOST_WAITING = 200
_NOT_WORDS = re.compile(r"[^\w]+")


@runtime_checkable
class RestoresReplaced(Protocol):
    """A memory that keeps what was superseded, and can put it back (the ledger)."""

    async def restore_replaced(self, memory_id: str, *, user_id: str | None = None) -> str | None:
        """Make what an active memory superseded active again, and let that one wait; the older one's id."""
        ...


class _ListsWaiting(Protocol):
    async def list(
        self, *, user_id: str | None = None, limit: int = 50, contains: str = "", state: str = "active"
    ) -> MemoryPage: ...


def normal(statement: str) -> str:
    """A statement's words, for finding the same statement again."""
    folded = unicodedata.normalize("NFKC", statement).casefold()
    return _NOT_WORDS.sub(" ", folded).strip()


def metadata_of(
    candidate: Candidate,
    utterance: Utterance,
    *,
    sensitivity: str = "",
    reason: str = "",
    replaces: str | None = None,
    also_replaces: Sequence[str] = (),
) -> dict[str, Any]:
    """What is kept with a memory: where it comes from, what it is about, when it holds, why it waits.

    Args:
        sensitivity: why it needs care; empty for no reason.
        reason: why it waits; empty for one that does not.
        replaces, also_replaces: ids of the memories whose place it takes or would take.
    """
    told = {
        "kind": candidate.kind,
        "subject": candidate.subject,
        "language": candidate.language,
        "quote": candidate.quote,
        "said_at": utterance.said_at.isoformat(),
        "valid_from": None if candidate.valid_from is None else candidate.valid_from.isoformat(),
        "valid_to": None if candidate.valid_to is None else candidate.valid_to.isoformat(),
        "sensitivity": sensitivity or None,
        "source": {"session_id": utterance.session_id, "message_id": utterance.message_id},
        "origin": candidate.origin,
        "reason": reason or None,
        REPLACES: replaces,
        ALSO_REPLACES: list(also_replaces) or None,
    }
    return {name: value for name, value in told.items() if value is not None}


def replaced_ids(metadata: Mapping[str, Any]) -> list[str]:
    """Ids of the memories whose place one with this metadata takes, or would take."""
    others = metadata.get(ALSO_REPLACES)
    ids = [metadata.get(REPLACES), *(others if isinstance(others, list) else [])]
    return [memory_id for memory_id in ids if isinstance(memory_id, str)]


async def waiting_like(
    memory: LearningMemory, statement: str, *, language: str | None, reworded: bool, user_id: str | None
) -> MemoryResult | None:
    """A waiting memory that says the same; None for none.

    Args:
        reworded: in other words too.
    """
    wanted = normal(statement)
    reading = read(statement, language) if reworded else None
    listing = cast(_ListsWaiting, memory)
    page = await listing.list(user_id=user_id, limit=_MOST_WAITING, state="pending")
    for item in page.items:
        if normal(item.content) == wanted:
            return item
        if reading is not None and related(read(item.content), reading).kind == "same":
            return item
    return None


async def keep(
    memory: MemoryProvider,
    content: str,
    metadata: Mapping[str, Any],
    *,
    replaces: str | None,
    user_id: str | None,
) -> LearnedMemory:
    """Keep an active memory, in the place of another one when it has to: that one becomes history where the memory
    keeps history, and is overwritten where it does not."""
    if replaces is not None and isinstance(memory, LearningMemory):
        new = await memory.supersede(replaces, content, metadata=metadata, user_id=user_id)
        if new is not None:
            return LearnedMemory(new, content, replaced=replaces, metadata=MappingProxyType(dict(metadata)))
    elif replaces is not None and isinstance(memory, BrowsableMemory):
        old = await memory.get(replaces, user_id=user_id)
        if old is not None:
            told = {**metadata, PREVIOUS: _said_before(old)}
            if await memory.update(replaces, content, metadata=told, user_id=user_id):
                return LearnedMemory(replaces, content, replaced=replaces, metadata=MappingProxyType(told))
    plain = {name: value for name, value in metadata.items() if name not in (REPLACES, ALSO_REPLACES)}
    made = await memory.add(content, metadata=plain, user_id=user_id)
    return LearnedMemory(made, content, metadata=MappingProxyType(plain))


async def take_back(
    memory: MemoryProvider, memory_id: str, *, user_id: str | None, forget: bool = True
) -> bool:
    """Undo what `keep` did: the memory goes, and what it replaced is back.

    Args:
        forget: the person does not want it: it is not learned again.

    Returns:
        False when there is none of that id.
    """
    if isinstance(memory, RestoresReplaced):
        await memory.restore_replaced(memory_id, user_id=user_id)
    elif isinstance(memory, BrowsableMemory):
        kept = await memory.get(memory_id, user_id=user_id)
        before = None if kept is None else kept.metadata.get(PREVIOUS)
        if isinstance(before, dict) and isinstance(before.get("content"), str):
            told = before.get("metadata")
            return await memory.update(
                memory_id,
                before["content"],
                metadata=told if isinstance(told, dict) else {},
                user_id=user_id,
            )
    if forget and isinstance(memory, LearningMemory):
        return await memory.forget([memory_id], user_id=user_id) > 0
    return await memory.delete(memory_id, user_id=user_id)


def _said_before(old: MemoryResult) -> dict[str, Any]:
    """One step back only: a chain of all texts would grow without end."""
    told = {name: value for name, value in old.metadata.items() if name != PREVIOUS}
    return {"content": old.content, "metadata": told}
