"""Rows of the memory panel."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

Index = QModelIndex | QPersistentModelIndex


class MemoryRole(IntEnum):
    """What a row holds beside its text."""

    MEMORY_ID = Qt.ItemDataRole.UserRole + 1
    CAPTION = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class MemoryRow:
    """A memory in the panel.

    Attributes:
        memory_id: its id.
        text: the memory.
        caption: when and where from, in a few words.
        created_at: for the details.
        source_session: the conversation it came from, empty when there is none.
        source_message: the message it came from.
    """

    memory_id: str
    text: str
    caption: str = ""
    created_at: datetime | None = None
    source_session: str = ""
    source_message: str = ""


class MemoryListModel(QAbstractListModel):
    """A list that grows as it is scrolled.

    Signals:
        more_wanted: the view came near the end and `total` says that there is more.
    """

    more_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[MemoryRow] = []
        self.total = 0

    def show(self, rows: Sequence[MemoryRow], total: int) -> None:
        """Replace all rows; `total` is how many there are in all."""
        self.beginResetModel()
        self._rows = list(rows)
        self.total = total
        self.endResetModel()

    def extend(self, rows: Sequence[MemoryRow], total: int) -> None:
        """Add rows at the end."""
        known = {row.memory_id for row in self._rows}
        fresh = [row for row in rows if row.memory_id not in known]
        self.total = total if fresh else len(self._rows)
        if fresh:
            first = len(self._rows)
            self.beginInsertRows(QModelIndex(), first, first + len(fresh) - 1)
            self._rows += fresh
            self.endInsertRows()

    def remove(self, memory_id: str) -> None:
        """Take a row out, if it is there."""
        for number, row in enumerate(self._rows):
            if row.memory_id == memory_id:
                self.beginRemoveRows(QModelIndex(), number, number)
                del self._rows[number]
                self.total -= 1
                self.endRemoveRows()
                return

    def row(self, index: Index) -> MemoryRow:
        return self._rows[index.row()]

    def rows(self) -> tuple[MemoryRow, ...]:
        return tuple(self._rows)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and len(self._rows) < self.total

    def fetchMore(self, parent: Index) -> None:
        self.more_wanted.emit()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.text
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{row.text}. {row.caption}"
            case MemoryRole.MEMORY_ID:
                return row.memory_id
            case MemoryRole.CAPTION:
                return row.caption
        return None
