"""Text for a card, laid out in a few lines at most."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextLayout, QTextOption

_LONGEST = 600
"""Characters that are looked at: four lines hold no more."""


@dataclass(frozen=True, slots=True)
class CardText:
    """A text that is ready to be drawn.

    Attributes:
        layout: draws it.
        height: pixels.
        is_cut: not all of it has room.
    """

    layout: QTextLayout
    height: int
    is_cut: bool


def lay_out(
    text: str,
    font: QFont,
    width: int,
    most_lines: int,
    *,
    line_height: int = 0,
    lead: tuple[int, QColor] | None = None,
) -> CardText:
    """Lay out the first lines of `text`; what does not fit ends in an ellipsis.

    Args:
        width: pixels.
        line_height: pixels; 0 for the font's own.
        lead: how many characters at the beginning have a colour of their own, and which.
    """
    flat = " ".join(text.replace("\0", "\u2400").split())
    if not flat:
        return CardText(QTextLayout(), 0, False)
    kept = flat[:_LONGEST]
    layout, height, end = _lines(kept, font, width, most_lines, line_height, lead)
    is_cut = end < len(kept) or len(kept) < len(flat)
    if is_cut:
        shortened = kept[: max(1, end - 2)].rstrip() + "…"
        layout, height, _ = _lines(shortened, font, width, most_lines, line_height, lead)
    return CardText(layout, round(height), is_cut)


def _lines(
    text: str, font: QFont, width: int, most: int, line_height: int, lead: tuple[int, QColor] | None
) -> tuple[QTextLayout, float, int]:
    layout = QTextLayout(text, font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    layout.setTextOption(option)
    if lead is not None:
        part = QTextLayout.FormatRange()
        part.start, part.length = 0, lead[0]
        look = QTextCharFormat()
        look.setForeground(lead[1])
        part.format = look
        layout.setFormats([part])
    layout.beginLayout()
    height, end = 0.0, 0
    for _ in range(most):
        line = layout.createLine()
        if not line.isValid():
            end = len(text)
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, height))
        height += line_height or line.height() + 1
        end = line.textStart() + line.textLength()
    layout.endLayout()
    return layout, height, end
