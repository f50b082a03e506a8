"""Code blocks: copied exactly, coloured in small steps, folded when long, never in the way of scrolling."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QWidget

from assistant.ui.theme import DARK, LIGHT, Tokens
from assistant.ui.widgets.chat.blocks import Code
from assistant.ui.widgets.chat.code_block import FOLDED_LINES, INNER_LINES, CodeBlock
from assistant.ui.widgets.chat.code_tokens import (
    HIGHLIGHTED_CHARACTERS,
    HIGHLIGHTED_LINES,
    LineSpans,
    Span,
    coloured_lines,
)
from assistant.ui.widgets.chat.highlight import CodeColors
from tests.ui.chat_support import light_theme, press, shown, turn_wheel, until

WIDTH = 600


class Page(QWidget):
    """What a block lies on; keeps the keys that reach it."""

    def __init__(self) -> None:
        super().__init__()
        self.pressed: list[int] = []

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.pressed.append(event.key())


def block_with(
    qapp: Any, text: str, language: str = "python", *, writing: bool = False
) -> tuple[Page, CodeBlock]:
    page = Page()
    block = CodeBlock(page, light_theme(qapp))
    block.show_code(Code(language, text), writing=writing)
    block.resize(WIDTH, block.height_at(WIDTH))
    shown(page, WIDTH, 900)
    return page, block


def lines_of(language: str, text: str) -> list[LineSpans]:
    return [spans for spans in coloured_lines(language, text) if spans is not None]


def numbered(count: int) -> str:
    return "\n".join(f"value_{number} = {number}" for number in range(count))


def test_the_copy_button_copies_the_code_exactly_and_says_so(qapp: Any) -> None:
    text = "def f():\n\treturn '\u00a0é😀'\n\n"
    _page, block = block_with(qapp, text)
    assert block.copy_button.accessibleName() == "Copy code"
    block.copy_button.click()
    assert QGuiApplication.clipboard().text() == text
    assert block.copy_button.accessibleName() == "Copied"


def test_a_short_block_is_shown_whole(qapp: Any) -> None:
    _page, block = block_with(qapp, numbered(FOLDED_LINES + 2))
    assert block.fold_button.isHidden()
    assert block.text.verticalScrollBar().maximum() == 0


def test_a_long_block_shows_its_beginning_and_unfolds(qapp: Any) -> None:
    _page, block = block_with(qapp, numbered(300))
    asked: list[bool] = []
    block.resized.connect(asked.append)
    folded = block.height_at(WIDTH)
    assert block.fold_button.text() == "Show all 300 lines"
    block.fold_button.click()
    unfolded = block.height_at(WIDTH)
    assert asked == [True]
    assert unfolded > 8 * folded
    block.fold_button.click()
    assert block.height_at(WIDTH) == folded


def test_ten_thousand_lines_unfold_to_a_window_that_scrolls_inside(qapp: Any) -> None:
    _page, block = block_with(qapp, numbered(10_000))
    assert block.fold_button.text() == "Show all 10,000 lines"
    block.fold_button.click()
    height = block.height_at(WIDTH)
    block.resize(WIDTH, height)
    assert height < (INNER_LINES + 10) * 20
    assert block.text.verticalScrollBar().maximum() > 9_000
    turn_wheel(block.text.viewport(), -2)
    assert block.text.verticalScrollBar().value() > 0


def test_crossing_the_fold_while_writing_does_not_change_the_height(qapp: Any) -> None:
    _page, block = block_with(qapp, numbered(FOLDED_LINES + 2), writing=True)
    before = block.height_at(WIDTH)
    block.show_code(Code("python", numbered(FOLDED_LINES + 3)), writing=True)
    assert abs(block.height_at(WIDTH) - before) <= 16


def test_while_code_is_written_its_end_is_in_sight_and_afterwards_its_beginning(qapp: Any) -> None:
    _page, block = block_with(qapp, numbered(60), writing=True)
    block.show_code(Code("python", numbered(200)), writing=True)
    bar = block.text.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    block.show_code(Code("python", numbered(200)), writing=False)
    assert bar.value() == 0


def test_code_that_grows_keeps_the_selection(qapp: Any) -> None:
    _page, block = block_with(qapp, "first\nsecond", writing=True)
    block.text.selectAll()
    block.show_code(Code("python", "first\nsecond\nthird"), writing=True)
    assert block.text.selected_text() == "first\nsecond"
    assert block.text.toPlainText() == "first\nsecond\nthird"


def test_the_wheel_passes_a_folded_block_by(qapp: Any) -> None:
    _page, block = block_with(qapp, numbered(300))
    assert not turn_wheel(block.text.viewport(), -1)
    assert block.text.verticalScrollBar().value() == 0


def test_scrolling_keys_pass_a_short_block_by(qapp: Any) -> None:
    page, block = block_with(qapp, "x = 1")
    press(block.text, Qt.Key.Key_PageDown)
    assert page.pressed == [Qt.Key.Key_PageDown.value]


def test_keywords_strings_and_comments_get_colours(qapp: Any) -> None:
    _page, block = block_with(qapp, "def f():  # why\n    return 'x'")
    until(lambda: block.highlighter.is_idle)
    layout = block.text.document().firstBlock().layout()
    colours = {form.format.foreground().color().name().upper() for form in layout.formats()}
    assert {LIGHT.accent.upper(), LIGHT.muted.upper()} <= colours


def test_a_language_that_nobody_knows_stays_plain(qapp: Any) -> None:
    _page, block = block_with(qapp, "def f(): pass", "no-such-language")
    until(lambda: block.highlighter.is_idle)
    assert block.text.document().firstBlock().layout().formats() == []


def test_code_that_grows_is_coloured_to_its_end(qapp: Any) -> None:
    _page, block = block_with(qapp, "x = 1", writing=True)
    until(lambda: block.highlighter.is_idle)
    block.show_code(Code("python", "x = 1\nimport os"), writing=True)
    until(lambda: block.highlighter.is_idle)
    assert block.text.document().lastBlock().layout().formats()


def test_spans_are_counted_as_qt_counts() -> None:
    (first, second) = lines_of("python", "'😀' # é\nreturn")
    assert first[0] == Span(0, 4, "string")
    assert first[-1] == Span(5, 3, "comment")
    assert second == (Span(0, 6, "keyword"),)


def test_only_the_beginning_of_very_long_code_is_coloured() -> None:
    assert len(lines_of("python", numbered(HIGHLIGHTED_LINES + 500))) == HIGHLIGHTED_LINES
    wide = "\n".join(["'" + "x" * 900 + "'"] * 300)
    assert sum(900 for _ in lines_of("python", wide)) <= HIGHLIGHTED_CHARACTERS


@pytest.mark.parametrize("language", ["html", "css", "javascript", "sql", "bash", "json", "diff", "c++"])
def test_colouring_covers_every_line_of_any_language(language: str) -> None:
    text = "a {b: 'c'} <d> -- e\n\n+ f\n# g"
    assert len(lines_of(language, text)) == 4


def contrast(first: str, second: str) -> float:
    """The contrast of two colours (WCAG 2.1, relative luminance)."""

    def luminance(value: str) -> float:
        color = QColor(value)
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
            for part in (color.redF(), color.greenF(), color.blueF())
        )
        return float(0.2126 * red + 0.7152 * green + 0.0722 * blue)

    light, dark = sorted((luminance(first), luminance(second)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_of_code_can_be_read_on_its_ground(tokens: Tokens) -> None:
    colors = CodeColors.of(tokens)
    for name in CodeColors.__slots__:
        assert contrast(getattr(colors, name), tokens.sunken) >= 4.5, name
