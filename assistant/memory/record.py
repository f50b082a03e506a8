"""A memory as providers keep it, and the order in which they list it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from assistant.core.clock import Clock
from assistant.core.ids import new_id
from assistant.memory.base import MemoryPage, MemoryResult, MemoryScope, MemorySort, NewMemory
from assistant.memory.rules import (
    checked_content,
    checked_id,
    decode_metadata,
    encode_metadata,
    label_of,
    micros_of,
    moment_of,
)


@dataclass(frozen=True, slots=True)
class Record:
    """One memory.

    Attributes:
        memory_id, content: as given.
        metadata: JSON text of an object.
        created, updated: microseconds since 1970 in UTC; None when unknown.
        label: the user that a shared memory names, None for none.
    """

    memory_id: str
    content: str
    metadata: str = "{}"
    created: int | None = None
    updated: int | None = None
    label: str | None = None

    def result(self, score: float = 1.0) -> MemoryResult:
        """This memory as callers see it; its metadata is theirs alone."""
        return MemoryResult(
            content=self.content,
            score=score,
            memory_id=self.memory_id,
            metadata=decode_metadata(self.metadata),
            created_at=moment_of(self.created),
            updated_at=moment_of(self.updated),
        )


class Stamps:
    """Times that never repeat, so that memories added within a microsecond keep their order."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def next(self) -> int:
        """Microseconds since 1970: now, or just after the last one."""
        with self._lock:
            self._last = max(self._last + 1, micros_of(self._clock.now()))
            return self._last


def new_record(
    item: NewMemory,
    stamps: Stamps,
    *,
    scope: MemoryScope,
    user_id: str | None,
    unnamed: Callable[[], str] = new_id,
) -> Record:
    """What a caller wants kept, checked, as a record.

    Args:
        unnamed: gives the id of a memory that has none.

    Raises:
        InvalidInputError, InvalidTextError: it can't be kept.
    """
    now = stamps.next()
    created = now if item.created_at is None else micros_of(item.created_at)
    return Record(
        memory_id=unnamed() if item.memory_id is None else checked_id(item.memory_id),
        content=checked_content(item.content),
        metadata=encode_metadata(item.metadata),
        created=created,
        # What comes back from an export or an undone delete has not been edited now.
        updated=created if item.updated_at is None else micros_of(item.updated_at),
        label=label_of(scope, user_id),
    )


def _by_time(record: Record) -> tuple[int, str]:
    return (record.created or 0, record.memory_id)


def _by_text(record: Record) -> tuple[str, str, str]:
    return (record.content.casefold(), record.content, record.memory_id)


_KEYS: dict[MemorySort, tuple[Callable[[Record], tuple[int, str] | tuple[str, str, str]], bool]] = {
    "newest": (_by_time, True),
    "oldest": (_by_time, False),
    "text": (_by_text, False),
}


def ordered(records: Iterable[Record], sort: MemorySort) -> list[Record]:
    """`records` by creation time or text; ties are broken by id, so that pages never overlap."""
    key, backwards = _KEYS[sort]
    return sorted(records, key=key, reverse=backwards)


def page_of(records: Sequence[Record], *, contains: str, offset: int, limit: int) -> MemoryPage:
    """The slice `offset`, `limit` of those `records` whose text has `contains`, ignoring case."""
    wanted = contains.casefold()
    if wanted:
        records = [record for record in records if wanted in record.content.casefold()]
    chosen = records[offset : offset + max(limit, 0)]
    return MemoryPage(tuple(record.result() for record in chosen), len(records))
