"""Paints memories as cards."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QHelpEvent, QMouseEvent, QPainter, QPen, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from assistant.ui.models.memories import MemoryRole
from assistant.ui.theme import RADIUS, SPACE, TYPE, Theme
from assistant.ui.theme.icons import icon

_MAX_LINES = 4
_GAP = SPACE.s
_ACTION = 24


class MemoryDelegate(QStyledItemDelegate):
    """Up to four lines of the memory, and its caption below; edit and delete at the right while it is looked at.

    Signals:
        edit_clicked(memory_id), delete_clicked(memory_id).
    """

    edit_clicked = Signal(str)
    delete_clicked = Signal(str)

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
        room = card.width() - SPACE.m * 2 - (2 * _ACTION if hovered or selected else 0)
        caption_area = QRect(card.left() + SPACE.m, top, room, TYPE.small + 6)
        caption = painter.fontMetrics().elidedText(
            str(index.data(MemoryRole.CAPTION)), Qt.TextElideMode.ElideRight, caption_area.width()
        )
        painter.drawText(caption_area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, caption)
        if hovered or selected:
            for name, place in self._actions(area).items():
                icon(name, self._theme.tokens.muted).paint(painter, place.adjusted(4, 4, -4, -4))
        painter.restore()

    def editorEvent(
        self,
        event: QEvent,
        model: QAbstractItemModel,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            for name, place in self._actions(option.rect).items():
                if place.contains(event.position().toPoint()):
                    signal = self.edit_clicked if name == "edit" else self.delete_clicked
                    signal.emit(str(index.data(MemoryRole.MEMORY_ID)))
                    return True
        return super().editorEvent(event, model, option, index)

    def helpEvent(
        self,
        event: QHelpEvent,
        view: QAbstractItemView,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> bool:
        for name, place in self._actions(option.rect).items():
            if place.contains(event.pos()):
                QToolTip.showText(event.globalPos(), name.capitalize(), view)
                return True
        return super().helpEvent(event, view, option, index)

    def _actions(self, area: QRect) -> dict[str, QRect]:
        """Where the actions of a card are, at its lower right: the caption's line, which is short."""
        top = area.bottom() - _GAP - _ACTION - 6
        right = area.right() - 8
        return {
            "edit": QRect(right - 2 * _ACTION, top, _ACTION, _ACTION),
            "delete": QRect(right - _ACTION, top, _ACTION, _ACTION),
        }

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
