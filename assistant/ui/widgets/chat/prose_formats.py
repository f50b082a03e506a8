"""How paragraphs and runs look: text formats made from the theme's tokens, each made once."""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QTextBlockFormat, QTextCharFormat

from assistant.ui.theme import SPACE, TYPE, Theme
from assistant.ui.widgets.chat.blocks import LIST, Paragraph, Run

LIST_INDENT = 28
QUOTE_INDENT = 16
READING_LINE = round(TYPE.reading * TYPE.line_height)
_HEADING_SIZES = {1: 20, 2: TYPE.title, 3: 16}
_MINIMUM_LINE = QTextBlockFormat.LineHeightTypes.MinimumHeight.value


def indent_of(path: str) -> int:
    """How far the containers of a paragraph move its text in, in pixels."""
    return sum(LIST_INDENT if container == LIST else QUOTE_INDENT for container in path)


def is_right_to_left(text: str) -> bool:
    """Whether the first character with a direction goes from right to left."""
    for character in text:
        direction = unicodedata.bidirectional(character)
        if direction in ("R", "AL"):
            return True
        if direction == "L":
            return False
    return False


def gap_between(previous: Paragraph | None, current: Paragraph) -> int:
    """Pixels between two paragraphs of one text; none above the first."""
    if previous is None:
        return 0
    if current.kind == "heading":
        return SPACE.xl if current.level <= 2 else SPACE.l + SPACE.xs
    if previous.kind == "heading":
        return SPACE.s
    if "rule" in (previous.kind, current.kind):
        return SPACE.l
    if LIST in current.path and LIST in previous.path:
        return SPACE.xs + 2
    return SPACE.m


class ProseFormats:
    """Formats of one theme; the same object serves every view until the theme changes."""

    def __init__(self, theme: Theme) -> None:
        self.tokens = theme.tokens
        self._mono = theme.mono_font(TYPE.code)
        self._characters: dict[tuple[object, ...], QTextCharFormat] = {}
        self._blocks: dict[tuple[object, ...], QTextBlockFormat] = {}

    def font(self, level: int = 0) -> QFont:
        """The reading font, or that of a heading."""
        font = QFont()
        font.setPixelSize(_HEADING_SIZES.get(level, TYPE.reading))
        if level:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def character(self, run: Run, level: int = 0, *, strong: bool = False) -> QTextCharFormat:
        """The look of a run in a heading of `level`, or in text when that is 0."""
        key = (*run[1:], level, strong)
        form = self._characters.get(key)
        if form is None:
            form = self._make_character(run, level, strong)
            if not run.href:
                self._characters[key] = form
        return form

    def block(self, paragraph: Paragraph, previous: Paragraph | None) -> QTextBlockFormat:
        """The margins and the line height of a paragraph below another one."""
        backwards = is_right_to_left(paragraph.text)
        gap = gap_between(previous, paragraph)
        key = (paragraph.kind, paragraph.level, paragraph.path, gap, backwards)
        form = self._blocks.get(key)
        if form is None:
            form = QTextBlockFormat()
            form.setTopMargin(gap)
            indent = indent_of(paragraph.path)
            if backwards:
                form.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
                form.setRightMargin(indent)
            else:
                form.setLeftMargin(indent)
            if paragraph.kind == "rule":
                form.setLineHeight(1, QTextBlockFormat.LineHeightTypes.FixedHeight.value)
            else:
                size = _HEADING_SIZES.get(paragraph.level, TYPE.reading)
                form.setLineHeight(READING_LINE if not paragraph.level else round(size * 1.35), _MINIMUM_LINE)
            self._blocks[key] = form
        return form

    def _make_character(self, run: Run, level: int, strong: bool) -> QTextCharFormat:
        form = QTextCharFormat()
        font = QFont(self._mono) if run.code else self.font(level)
        if run.code and level:
            font.setPixelSize(_HEADING_SIZES.get(level, TYPE.reading) - 1)
        if run.bold or strong or (run.code and level):
            font.setWeight(QFont.Weight.DemiBold)
        font.setItalic(run.italic)
        font.setStrikeOut(run.strike)
        form.setFont(font)
        form.setForeground(QColor(self.tokens.text))
        if run.code:
            form.setBackground(QColor(self.tokens.sunken))
        if run.href:
            form.setAnchor(True)
            form.setAnchorHref(run.href)
            form.setForeground(QColor(self.tokens.accent))
            form.setFontUnderline(True)
        return form
