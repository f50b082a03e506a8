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
    ARCHIVED = Qt.ItemDataRole.UserRole + 6
    FOLDED = Qt.ItemDataRole.UserRole + 7


@dataclass(frozen=True, slots=True)
class ConversationRow:
    """A conversation in the side bar.

    Attributes:
        session_id: its id; empty for a heading.
        title: what is shown.
        updated_at: aware time of its last change.
        pinned: kept on top.
        message_id, snippet: set on a search hit.
        archived: put out of the way.
        temporary: gone when the application ends.
        folded: of a heading whose rows can be folded away, whether they are; None for any other row.
    """

    session_id: str
    title: str
    updated_at: datetime | None = None
    pinned: bool = False
    message_id: str = ""
    snippet: str = ""
    archived: bool = False
    temporary: bool = False
    folded: bool | None = None

    @property
    def is_heading(self) -> bool:
        return not self.session_id

    @property
    def is_hit_of_archived(self) -> bool:
        """Whether the list has to say that it is archived: under its heading that is known."""
        return self.archived and bool(self.message_id or self.snippet)

    @property
    def key(self) -> tuple[str, str]:
        """What makes it the same row in another list."""
        return (self.session_id, self.message_id or ("" if self.session_id else self.title))


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


def with_special(
    rows: Sequence[ConversationRow],
    *,
    temporary: Sequence[ConversationRow] = (),
    archived: Sequence[ConversationRow] = (),
    folded: bool = True,
) -> list[ConversationRow]:
    """`rows` with the temporary conversations before and the archived ones behind them, each under their heading."""
    before = [ConversationRow("", "Temporary"), *temporary] if temporary else []
    behind = [ConversationRow("", f"Archived ({len(archived):,})", folded=folded)] if archived else []
    return [*before, *rows, *behind, *([] if folded else archived)]


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

    def index_of_key(self, key: tuple[str, str]) -> QModelIndex:
        """The row with that key, an invalid index when there is none."""
        for number, row in enumerate(self._rows):
            if row.key == key:
                return self.index(number)
        return QModelIndex()

    def near(self, number: int) -> QModelIndex:
        """The row at `number`, or the one closest to it that can be chosen; an invalid index without one."""
        chosen = [n for n, row in enumerate(self._rows) if not row.is_heading or row.folded is not None]
        return self.index(min(chosen, key=lambda n: abs(n - number))) if chosen else QModelIndex()

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
            case Qt.ItemDataRole.AccessibleTextRole if row.is_hit_of_archived:
                return f"{row.title}, archived"
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return row.title or ("Temporary conversation" if row.temporary else "New conversation")
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
            case ConversationRole.ARCHIVED:
                return row.is_hit_of_archived
            case ConversationRole.FOLDED:
                return row.folded
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        row = self._rows[index.row()] if index.isValid() else None
        if row is not None and row.is_heading and row.folded is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable


def local_now() -> datetime:
    """The time now in the user's zone."""
    return datetime.now().astimezone()
