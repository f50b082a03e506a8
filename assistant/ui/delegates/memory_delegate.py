"""Paints memories as cards."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from assistant.ui.models.memories import MemoryRole
from assistant.ui.theme import RADIUS, SPACE, TYPE, Theme

_MAX_LINES = 4
_GAP = SPACE.s


class MemoryDelegate(QStyledItemDelegate):
    """Up to four lines of the memory, and its caption below."""

    def __init__(self, theme: Theme, view: QListView) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        width = self._view.viewport().width()
        layout, height = self._lay_out(str(index.data()), self._text_width(width))
        del layout
        return QSize(width, round(height) + TYPE.small + SPACE.m * 2 + SPACE.s + _GAP)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area: QRect = option.rect
        state: QStyle.StateFlag = option.state
        card = area.adjusted(1, 0, -1, -_GAP)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        edge = "memory" if focused else "muted" if selected else "line"
        painter.setPen(QPen(self._theme.color(edge), 1.5 if focused else 1))
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        painter.setBrush(self._theme.color("hover" if hovered and not selected else "surface"))
        painter.drawRoundedRect(card, RADIUS.card, RADIUS.card)
        layout, height = self._lay_out(str(index.data()), self._text_width(area.width()))
        painter.setPen(self._theme.color("text"))
        layout.draw(painter, QPointF(card.left() + SPACE.m, card.top() + SPACE.m))
        font = QFont(self._view.font())
        font.setPixelSize(TYPE.small)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        top = card.top() + SPACE.m + round(height) + SPACE.xs
        caption_area = QRect(card.left() + SPACE.m, top, card.width() - SPACE.m * 2, TYPE.small + 6)
        caption = painter.fontMetrics().elidedText(
            str(index.data(MemoryRole.CAPTION)), Qt.TextElideMode.ElideRight, caption_area.width()
        )
        painter.drawText(caption_area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, caption)
        painter.restore()

    def _text_width(self, width: int) -> int:
        return max(40, width - SPACE.m * 2 - 2)

    def _lay_out(self, text: str, width: int) -> tuple[QTextLayout, float]:
        """Lay out the first lines of `text`; what does not fit ends in an ellipsis."""
        font = QFont(self._view.font())
        font.setPixelSize(TYPE.side + 1)
        flat = " ".join(text.replace("\0", "\u2400").split())[:600]
        layout, height, end = self._lines(flat, font, width)
        if end < len(flat):
            layout, height, _ = self._lines(flat[: max(1, end - 2)].rstrip() + "…", font, width)
        return layout, height

    def _lines(self, text: str, font: QFont, width: int) -> tuple[QTextLayout, float, int]:
        layout = QTextLayout(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.beginLayout()
        height, end = 0.0, 0
        for _ in range(_MAX_LINES):
            line = layout.createLine()
            if not line.isValid():
                end = len(text)
                break
            line.setLineWidth(width)
            line.setPosition(QPointF(0, height))
            height += line.height() + 1
            end = line.textStart() + line.textLength()
        layout.endLayout()
        return layout, height, end
