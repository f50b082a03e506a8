"""Rows of the memory panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum
from typing import Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

Index = QModelIndex | QPersistentModelIndex
MemoryView = Literal["now", "waiting", "earlier"]
"""What a list of memories shows: those in force, those that wait for the person's word, those that were replaced."""
RowKind = Literal["fact", "waiting", "earlier", "said", "heading"]


class MemoryRole(IntEnum):
    """What a row holds beside its text."""

    MEMORY_ID = Qt.ItemDataRole.UserRole + 1
    CAPTION = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A memory in the panel, or a heading above some.

    Attributes:
        memory_id: its id; empty for a heading.
        text: the memory.
        caption: when and where from, in a few words.
        created_at: for the details.
        source_session: the conversation it came from, empty when there is none.
        source_message: the message it came from.
        kind: see RowKind.
        pinned: in every prompt.
        note: a line more: why it waits, what it took the place of.
    """

    memory_id: str
    text: str
    caption: str = ""
    created_at: datetime | None = None
    source_session: str = ""
    source_message: str = ""
    kind: RowKind = "fact"
    pinned: bool = False
    note: str = ""

    def spoken(self) -> str:
        """The row for those who do not see it."""
        if self.kind == "heading":
            return self.text
        asked = "Remember this? " if self.kind == "waiting" else ""
        pinned = "pinned, " if self.pinned else ""
        return ". ".join(part for part in (f"{asked}{self.text}", pinned + self.caption, self.note) if part)


class MemoryListModel(QAbstractListModel):
    """A list that is loaded in pages: it grows as it is scrolled, or it has its whole length from the start and its
    rows come when they are looked at (see `stretch`).

    Signals:
        more_wanted: the view came near the end and `total` says that there is more.
        page_wanted(row): a row is painted that is not loaded yet.
    """

    more_wanted = Signal()
    page_wanted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[MemoryRow | None] = []
        self._stretched = False
        self.total = 0

    @property
    def is_stretched(self) -> bool:
        """Whether it has its whole length."""
        return self._stretched

    def show(self, rows: Sequence[MemoryRow], total: int, *, stretched: bool = False, first: int = 0) -> None:
        """Replace all rows.

        Args:
            total: how many there are in all.
            stretched: have the whole length at once.
            first: where `rows` begin in a stretched list.
        """
        self.beginResetModel()
        self._stretched = stretched and total > len(rows)
        self.total = total
        if self._stretched:
            self._rows = [None] * max(total, first + len(rows))
            self._rows[first : first + len(rows)] = rows
        else:
            self._rows = list(rows)
        self.endResetModel()

    def extend(self, rows: Sequence[MemoryRow], total: int) -> None:
        """Add rows at the end."""
        known = {row.memory_id for row in self._rows if row is not None}
        fresh = [row for row in rows if row.memory_id not in known]
        self.total = total if fresh else len(self._rows)
        if fresh:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(fresh) - 1)
            self._rows += fresh
            self.endInsertRows()

    def fill(self, first: int, rows: Sequence[MemoryRow]) -> None:
        """Rows of a stretched list that were not loaded yet."""
        last = min(first + len(rows), len(self._rows)) - 1
        if first <= last:
            self._rows[first : last + 1] = rows[: last + 1 - first]
            self.dataChanged.emit(self.index(first), self.index(last))

    def remove(self, memory_id: str) -> None:
        """Take a row out, if it is there."""
        for number, row in enumerate(self._rows):
            if row is not None and row.memory_id == memory_id:
                self.beginRemoveRows(QModelIndex(), number, number)
                del self._rows[number]
                self.total -= 1
                self.endRemoveRows()
                return

    def row(self, index: Index) -> MemoryRow | None:
        """The row at an index, None while it is not loaded."""
        return self._rows[index.row()] if 0 <= index.row() < len(self._rows) else None

    def rows(self) -> tuple[MemoryRow, ...]:
        """The rows that are loaded, in order."""
        return tuple(row for row in self._rows if row is not None)

    def place(self, memory_id: str) -> int:
        """Where a memory is, -1 when it is not loaded."""
        for number, row in enumerate(self._rows):
            if row is not None and row.memory_id == memory_id:
                return number
        return -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and not self._stretched and len(self._rows) < self.total

    def fetchMore(self, parent: Index) -> None:
        self.more_wanted.emit()

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self.row(index)
        if row is not None and row.kind == "heading":
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return row.spoken()
            case MemoryRole.MEMORY_ID:
                return row.memory_id
            case MemoryRole.CAPTION:
                return row.caption
        return None
