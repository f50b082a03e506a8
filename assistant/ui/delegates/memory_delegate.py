"""Paints memories as cards."""

from __future__ import annotations

from PySide6.QtCore import (
    QAbstractItemModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QToolTip,
)

from assistant.ui.delegates.card_text import CardText, lay_out
from assistant.ui.models.memories import MemoryListModel, MemoryRow
from assistant.ui.theme import RADIUS, SPACE, TYPE, Theme
from assistant.ui.theme.icons import icon
from assistant.ui.words import plain_tooltip

_MAX_LINES = 4
_EVEN_LINES = 2
_NOTE_LINES = 2
_GAP = SPACE.s
_ACTION = 24
_SMALL_LINE = 16
_CAPTION = TYPE.small + 6
_BOTTOM = 10
_PIN = 14
_HEADING = 30
_MOST_HEIGHTS = 30_000
_ASKED = "Remember this? "

Place = QModelIndex | QPersistentModelIndex

_ICONS = {
    "pin": ("pin", "Pin"),
    "unpin": ("pinned", "Unpin"),
    "edit": ("edit", "Edit"),
    "delete": ("delete", "Delete"),
}
_LINKS = {"accept": "Remember", "dismiss": "No", "edit": "Edit"}


class MemoryDelegate(QStyledItemDelegate):
    """A card for each memory: some lines of its text, its caption, a note, and what can be done with it. In a list of
    even rows all cards are equally high.

    Signals:
        acted(action, memory_id): "pin", "unpin", "edit", "delete", "accept" or "dismiss" was clicked.
    """

    acted = Signal(str, str)

    def __init__(self, theme: Theme, view: QListView, model: MemoryListModel) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view
        self._model = model
        self._heights: dict[tuple[MemoryRow, int], int] = {}

    def sizeHint(self, option: QStyleOptionViewItem, index: Place) -> QSize:
        width = self._view.viewport().width()
        return QSize(width, self._height(self._model.row(index), width))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Place) -> None:
        row, area = self._model.row(index), option.rect
        if row is None:
            self._model.page_wanted.emit(index.row())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row is not None and row.kind == "heading":
            self._paint_heading(painter, area, row.text)
        else:
            self._paint_card(painter, area, option.state, row)
        painter.restore()

    def action_at(self, index: Place, point: QPoint) -> str:
        """What a click at that place of the list does, empty for nothing of its own."""
        row = self._model.row(index)
        places = self._places(row, self._view.visualRect(index)) if row is not None else {}
        return next((name for name, place in places.items() if place.contains(point)), "")

    def editorEvent(
        self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Place
    ) -> bool:
        if (
            event.type() == QEvent.Type.MouseButtonRelease
            and isinstance(event, QMouseEvent)
            and event.button() == Qt.MouseButton.LeftButton
        ):
            row, action = self._model.row(index), self.action_at(index, event.position().toPoint())
            if row is not None and action:
                self.acted.emit(action, row.memory_id)
                return True
        return super().editorEvent(event, model, option, index)

    def helpEvent(
        self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Place
    ) -> bool:
        row, action = self._model.row(index), self.action_at(index, event.pos())
        if action in _ICONS and row is not None and row.kind != "waiting":
            QToolTip.showText(event.globalPos(), _ICONS[action][1], view)
            return True
        if row is not None and row.kind != "heading":
            text, caption, note = self._texts(row, self._view.visualRect(index).width())
            if text.is_cut or note.is_cut or caption:
                whole = [row.text[:1000], row.note[:400]]
                QToolTip.showText(event.globalPos(), plain_tooltip("\n".join(filter(None, whole))), view)
                return True
        return super().helpEvent(event, view, option, index)

    # -- measures

    @property
    def _is_even(self) -> bool:
        return self._view.uniformItemSizes()

    def _height(self, row: MemoryRow | None, width: int) -> int:
        if self._is_even or row is None:
            line = QFontMetrics(self._font(TYPE.side + 1)).lineSpacing() + 1
            return SPACE.m + _EVEN_LINES * line + SPACE.xs + _CAPTION + _BOTTOM + _GAP
        if row.kind == "heading":
            return _HEADING
        known = self._heights.get((row, width))
        if known is None:
            if len(self._heights) > _MOST_HEIGHTS:
                self._heights.clear()
            known = self._heights[row, width] = self._content(row, width) + SPACE.m + _BOTTOM + _GAP
        return known

    def _content(self, row: MemoryRow, width: int) -> int:
        """The height of all that stands in a card."""
        text, _, note = self._texts(row, width)
        height = text.height + SPACE.xs + _CAPTION + note.height
        return height + (_ACTION + SPACE.xs if row.kind == "waiting" else 0)

    def _texts(self, row: MemoryRow, width: int) -> tuple[CardText, bool, CardText]:
        """Text and note laid out; whether the caption is cut."""
        room = max(40, width - SPACE.m * 2 - 2)
        lead = _ASKED if row.kind == "waiting" else ""
        text = lay_out(
            lead + row.text,
            self._font(TYPE.side + 1),
            room - (_PIN + SPACE.xs if row.pinned else 0),
            _EVEN_LINES if self._is_even else _MAX_LINES,
            lead=(len(lead), self._theme.color("memory")) if lead else None,
        )
        small = self._font(TYPE.small)
        note = "" if self._is_even else row.note
        cut = QFontMetrics(small).horizontalAdvance(self._caption(row)) > room
        return text, cut, lay_out(note, small, room, _NOTE_LINES, line_height=_SMALL_LINE)

    def _caption(self, row: MemoryRow) -> str:
        return " · ".join(filter(None, (row.caption, row.note if self._is_even else "")))

    def _font(self, pixels: int) -> QFont:
        font = QFont(self._view.font())
        font.setPixelSize(pixels)
        return font

    def _places(self, row: MemoryRow, area: QRect) -> dict[str, QRect]:
        """Where the actions of a card are, from left to right."""
        if row.kind == "waiting":
            return self._link_places(area)
        names = {
            "fact": ("unpin" if row.pinned else "pin", "edit", "delete"),
            "earlier": ("delete",),
        }.get(row.kind, ())
        # At the lower right: in the line of the caption, which is short, or in that of the note.
        top = area.bottom() - _GAP - _ACTION - 6
        left = area.right() - 8 - _ACTION * len(names)
        return {
            name: QRect(left + place * _ACTION, top, _ACTION, _ACTION) for place, name in enumerate(names)
        }

    def _link_places(self, area: QRect) -> dict[str, QRect]:
        metrics = QFontMetrics(self._link_font())
        top = area.bottom() - _GAP - _BOTTOM - _ACTION + SPACE.xs
        left, places = area.left() + SPACE.m + 1, {}
        for name, words in _LINKS.items():
            width = metrics.horizontalAdvance(words)
            places[name] = QRect(left - SPACE.xs, top, width + 2 * SPACE.xs, _ACTION)
            left += width + SPACE.l
        return places

    def _link_font(self) -> QFont:
        font = self._font(TYPE.side)
        font.setWeight(QFont.Weight.DemiBold)
        return font

    # -- painting

    def _paint_heading(self, painter: QPainter, area: QRect, text: str) -> None:
        font = self._font(TYPE.small)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(self._theme.color("muted"))
        place = area.adjusted(2, 0, -2, -SPACE.xs)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, text)

    def _paint_card(
        self, painter: QPainter, area: QRect, state: QStyle.StateFlag, row: MemoryRow | None
    ) -> None:
        card = area.adjusted(1, 0, -1, -_GAP)
        focused = bool(state & QStyle.StateFlag.State_HasFocus)
        selected = bool(state & QStyle.StateFlag.State_Selected)
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        edge = "memory" if focused else "muted" if selected else "line"
        painter.setPen(QPen(self._theme.color(edge), 1.5 if focused else 1))
        painter.setBrush(self._theme.color("hover" if hovered and not selected else "surface"))
        painter.drawRoundedRect(card, RADIUS.card, RADIUS.card)
        if row is None:
            return
        text, _, note = self._texts(row, area.width())
        left, top = card.left() + SPACE.m, card.top() + SPACE.m
        if self._is_even:
            top = card.top() + (card.height() - self._content(row, area.width())) // 2 + 2
        painter.setPen(self._theme.color("muted" if row.kind == "earlier" else "text"))
        text.layout.draw(painter, QPointF(left, top))
        if row.pinned:
            spot = QRect(card.right() - SPACE.m - _PIN + 2, top + 2, _PIN, _PIN)
            icon("pinned", self._theme.tokens.memory).paint(painter, spot)
        active = hovered or selected
        places = self._places(row, area)
        links = row.kind == "waiting"
        taken = 0 if links or not active else _ACTION * len(places)
        top += text.height + SPACE.xs
        # A note below the caption has the actions beside it, and gives way instead.
        room = card.width() - SPACE.m * 2
        self._paint_caption(painter, QRect(left, top, room - (0 if note.height else taken), _CAPTION), row)
        painter.setPen(self._theme.color("muted"))
        if note.height:
            painter.save()
            painter.setClipRect(QRect(left, top, room - taken, _CAPTION + note.height + 2))
            note.layout.draw(painter, QPointF(left, top + _CAPTION))
            painter.restore()
        if links:
            painter.setFont(self._link_font())
            for name, place in places.items():
                painter.setPen(self._theme.color("muted" if name == "dismiss" else "memory"))
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, _LINKS[name])
        elif active:
            for name, place in places.items():
                icon(_ICONS[name][0], self._theme.tokens.muted).paint(painter, place.adjusted(4, 4, -4, -4))

    def _paint_caption(self, painter: QPainter, area: QRect, row: MemoryRow) -> None:
        painter.setFont(self._font(TYPE.small))
        painter.setPen(self._theme.color("muted"))
        words = painter.fontMetrics().elidedText(
            self._caption(row), Qt.TextElideMode.ElideRight, area.width()
        )
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, words)
