"""Rows of the side bar: conversations under headings, or search hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from assistant.ui.words import plain_tooltip

Index = QModelIndex | QPersistentModelIndex


class ConversationRole(IntEnum):
    """What a row holds beside its text."""

    SESSION_ID = Qt.ItemDataRole.UserRole + 1
    IS_HEADING = Qt.ItemDataRole.UserRole + 2
    PINNED = Qt.ItemDataRole.UserRole + 3
    MESSAGE_ID = Qt.ItemDataRole.UserRole + 4
    SNIPPET = Qt.ItemDataRole.UserRole + 5


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A conversation in the side bar.

    Attributes:
        session_id: its id; empty for a heading.
        title: what is shown.
        updated_at: aware time of its last change.
        pinned: kept on top.
        message_id, snippet: set on a search hit.
    """

    session_id: str
    title: str
    updated_at: datetime | None = None
    pinned: bool = False
    message_id: str = ""
    snippet: str = ""

    @property
    def is_heading(self) -> bool:
        return not self.session_id


def heading_for(day: date, today: date) -> str:
    """The heading under which a conversation of `day` stands."""
    age = (today - day).days
    if age <= 0:
        return "Today"
    if age == 1:
        return "Yesterday"
    if age < 7:
        return "This week"
    if age < 31:
        return "This month"
    return day.strftime("%B %Y")


def with_headings(rows: Sequence[ConversationRow], now: datetime) -> list[ConversationRow]:
    """Put headings between `rows`, which come pinned first and then newest first."""
    result: list[ConversationRow] = []
    last = ""
    for row in rows:
        if row.pinned:
            heading = "Pinned"
        elif row.updated_at is None:
            heading = "Earlier"
        else:
            heading = heading_for(row.updated_at.astimezone(now.tzinfo).date(), now.date())
        if heading != last:
            result.append(ConversationRow("", heading))
            last = heading
        result.append(row)
    return result


class ConversationListModel(QAbstractListModel):
    """The side bar's list."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[ConversationRow] = []

    def show(self, rows: Sequence[ConversationRow]) -> None:
        """Replace all rows (headings included)."""
        rows = list(rows)
        if rows == self._rows:
            return
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def row(self, index: Index) -> ConversationRow:
        return self._rows[index.row()]

    def index_of(self, session_id: str) -> QModelIndex:
        """The row of that conversation, an invalid index when it is not listed."""
        for number, row in enumerate(self._rows):
            if row.session_id == session_id:
                return self.index(number)
        return QModelIndex()

    def listed(self) -> list[tuple[str, str]]:
        """Id and title of the listed conversations in order."""
        return [(row.session_id, row.title) for row in self._rows if not row.is_heading]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return row.title or "New conversation"
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tooltip(row.title) if not row.is_heading else None
            case ConversationRole.SESSION_ID:
                return row.session_id
            case ConversationRole.IS_HEADING:
                return row.is_heading
            case ConversationRole.PINNED:
                return row.pinned
            case ConversationRole.MESSAGE_ID:
                return row.message_id
            case ConversationRole.SNIPPET:
                return row.snippet
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and self._rows[index.row()].is_heading:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def local_now() -> datetime:
    """The time now in the user's zone."""
    return datetime.now().astimezone()
