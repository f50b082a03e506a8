"""Paints the side bar's rows."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from assistant.ui.models.conversations import ConversationRole
from assistant.ui.theme import RADIUS, SPACE, TYPE, Theme
from assistant.ui.theme.icons import icon

_ROW = 32
_HEADING = 34
_HIT = 52
_CHEVRON = 16


class ConversationDelegate(QStyledItemDelegate):
    """One line for a conversation, two for a search hit, a muted line for a heading, which may be folded."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        if index.data(ConversationRole.IS_HEADING):
            return QSize(0, _HEADING)
        return QSize(0, _HIT if index.data(ConversationRole.SNIPPET) else _ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area: QRect = option.rect
        font = QFont(option.font)
        folded = index.data(ConversationRole.FOLDED)
        if index.data(ConversationRole.IS_HEADING) and folded is None:
            font.setPixelSize(TYPE.small)
            painter.setFont(font)
            painter.setPen(self._theme.color("muted"))
            painter.drawText(
                area.adjusted(SPACE.s, 0, -SPACE.s, -SPACE.xs),
                Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom,
                str(index.data()),
            )
            painter.restore()
            return
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        box = area.adjusted(0, 1, 0, -1)
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.color("selected" if selected else "hover"))
            painter.drawRoundedRect(box, RADIUS.control, RADIUS.control)
        if focused:
            painter.setPen(self._theme.color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(0, 0, -1, -1), RADIUS.control, RADIUS.control)
        inner = box.adjusted(SPACE.s, 0, -SPACE.s, 0)
        if folded is not None:
            self._paint_fold(painter, inner, str(index.data()), folded=folded)
            painter.restore()
            return
        font.setPixelSize(TYPE.side)
        painter.setFont(font)
        painter.setPen(self._theme.color("text"))
        snippet = index.data(ConversationRole.SNIPPET)
        title_area = inner if not snippet else inner.adjusted(0, SPACE.xs, 0, -inner.height() // 2)
        if index.data(ConversationRole.ARCHIVED):
            title_area = self._paint_mark(painter, title_area, "Archived")
        metrics = painter.fontMetrics()
        title = metrics.elidedText(str(index.data()), Qt.TextElideMode.ElideRight, title_area.width())
        painter.drawText(title_area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, title)
        if snippet:
            font.setPixelSize(TYPE.small)
            painter.setFont(font)
            painter.setPen(self._theme.color("muted"))
            below = inner.adjusted(0, inner.height() // 2, 0, -SPACE.xs)
            line = painter.fontMetrics().elidedText(str(snippet), Qt.TextElideMode.ElideRight, below.width())
            painter.drawText(below, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, line)
        painter.restore()

    def _paint_fold(self, painter: QPainter, area: QRect, text: str, *, folded: bool) -> None:
        """A heading whose rows can be folded away."""
        font = QFont(painter.font())
        font.setPixelSize(TYPE.small)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(area, left, text)
        place = QRect(area.right() - _CHEVRON, area.center().y() - _CHEVRON // 2, _CHEVRON, _CHEVRON)
        name = "chevron-right" if folded else "chevron-down"
        icon(name, self._theme.tokens.muted).paint(painter, place)

    def _paint_mark(self, painter: QPainter, area: QRect, text: str) -> QRect:
        """A word at the right; the room that is left of it."""
        painter.save()
        font = QFont(painter.font())
        font.setPixelSize(TYPE.small)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        width = painter.fontMetrics().horizontalAdvance(text)
        painter.restore()
        return area.adjusted(0, 0, -width - SPACE.s, 0)
