"""Placing small widgets in rows, without the cost of layout objects."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QWidget

from assistant.ui.theme import SPACE


def place_in_rows(
    widgets: Sequence[QWidget], left: int, top: int, width: int, *, gap: int = SPACE.s, right: bool = False
) -> int:
    """Place visible `widgets` in rows of `width` pixels, against the left or the right edge; the height they take."""
    rows: list[list[tuple[QWidget, int, int]]] = [[]]
    used = 0
    for widget in widgets:
        if widget.isHidden():
            continue
        hint = widget.sizeHint()
        size = min(hint.width(), width)
        if rows[-1] and used + gap + size > width:
            rows.append([])
            used = 0
        used += size + (gap if rows[-1] else 0)
        rows[-1].append((widget, size, max(hint.height(), widget.minimumHeight())))
    y = top
    for row in (row for row in rows if row):
        taken = sum(size for _, size, _ in row) + gap * (len(row) - 1)
        x = left + (width - taken if right else 0)
        tallest = max(height for _, _, height in row)
        for widget, size, height in row:
            widget.setGeometry(x, y + (tallest - height) // 2, size, height)
            x += size + gap
        y += tallest + gap
    return y - gap - top if y > top else 0


def place_label(label: QLabel, left: int, top: int, width: int) -> int:
    """Place a wrapping label; the height it takes, 0 when it is hidden."""
    if label.isHidden():
        return 0
    height = label.heightForWidth(width) if label.wordWrap() else label.sizeHint().height()
    label.setGeometry(left, top, width, height)
    return height
