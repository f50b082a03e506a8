"""All records of a partition in order, kept after the first listing so that paging reads nothing again.

Chroma can't sort. A window pages through thousands of memories while others are added: each change is applied
to what is kept, instead of reading everything anew.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence

from assistant.memory.base import MemorySort
from assistant.memory.record import Record, ordered

_KEPT = 4


class Catalogs:
    """The catalogs of the partitions that were listed last. Used from several threads.

    Args:
        keep: whether all changes are told here, so that a catalog may be kept at all.
    """

    def __init__(self, *, keep: bool) -> None:
        self._keep = keep
        self._lock = threading.Lock()
        self._records: OrderedDict[str, dict[str, Record]] = OrderedDict()
        self._sorted: dict[tuple[str, MemorySort], list[Record]] = {}

    def kept(self, partition: str, sort: MemorySort) -> Sequence[Record] | None:
        """The ordered records, None when they must be loaded first."""
        with self._lock:
            records = self._records.get(partition)
            if records is None:
                return None
            self._records.move_to_end(partition)
            if (partition, sort) not in self._sorted:
                self._sorted[partition, sort] = ordered(records.values(), sort)
            return self._sorted[partition, sort]

    def load(
        self, partition: str, sort: MemorySort, read: Callable[[], Iterable[Record]]
    ) -> Sequence[Record]:
        """The ordered records as `read` gives them. Call it where no change can come between."""
        kept = self.kept(partition, sort)
        if kept is not None:
            return kept
        records = {record.memory_id: record for record in read()}
        in_order = ordered(records.values(), sort)
        if self._keep:
            with self._lock:
                self._records[partition] = records
                self._sorted[partition, sort] = in_order
                while len(self._records) > _KEPT:
                    self._drop(next(iter(self._records)))
        return in_order

    def written(self, partition: str, records: Iterable[Record]) -> None:
        """Tell of records that were added or replaced."""
        self._change(partition, lambda kept: kept.update({record.memory_id: record for record in records}))

    def removed(self, partition: str, ids: Iterable[str]) -> None:
        """Tell of records that are gone."""

        def change(kept: dict[str, Record]) -> None:
            for memory_id in ids:
                kept.pop(memory_id, None)

        self._change(partition, change)

    def forget(self, partition: str) -> None:
        """Tell of a change that is not known in detail."""
        with self._lock:
            self._drop(partition)

    def _change(self, partition: str, change: Callable[[dict[str, Record]], None]) -> None:
        with self._lock:
            kept = self._records.get(partition)
            if kept is None:
                return
            change(kept)
            self._drop_sorted(partition)

    def _drop(self, partition: str) -> None:
        self._records.pop(partition, None)
        self._drop_sorted(partition)

    def _drop_sorted(self, partition: str) -> None:
        for key in [key for key in self._sorted if key[0] == partition]:
            del self._sorted[key]
