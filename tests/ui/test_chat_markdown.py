"""Replies as blocks: what Markdown means here, and that streaming means the same."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.ui.widgets.chat.blocks import Code, Paragraph, Run, Table
from assistant.ui.widgets.chat.inline_runs import is_followable
from assistant.ui.widgets.chat.markdown import LONGEST_INLINE, parse
from assistant.ui.widgets.chat.markdown_stream import MarkdownStream

PIECES = st.sampled_from(
    ["word ", "**bold** ", "*", "_", "`code` ", "`", "```", "```py\n", "~~~\n", "\n", "\n\n", "- item", "-", "+ ",
     "1. one", "2) two", "> quote", "# Title", "---", "===", "| a | b |\n", "|---|---|\n", "|", "    four", "\t",
     "  two", "<b>html</b>", "<!-- ", "![alt](http://x.test/p.png)", "[l](https://x.test)", "]", "[", "\\", "&amp;",
     "~~s~~", "***", "é", "漢字", "مرحبا", "😀", "\r\n", "\r", "\0", "\u2028", "   ", "* * *", ":--", "10. ten"]
)  # fmt: skip
SOURCES = st.lists(PIECES, max_size=40).map("".join)


@settings(max_examples=400, deadline=None)
@given(SOURCES, st.lists(st.integers(0, 200), max_size=8))
def test_any_cutting_gives_the_blocks_of_the_whole_text(source: str, cuts: list[int]) -> None:
    stream = MarkdownStream()
    places = sorted({0, len(source), *(cut for cut in cuts if cut < len(source))})
    for start, end in pairwise(places):
        stream.feed(source[start:end])
        assert stream.blocks == parse(stream.shown)
    stream.finish()
    assert stream.blocks == parse(source)


@settings(max_examples=100, deadline=None)
@given(SOURCES)
def test_settled_blocks_never_change(source: str) -> None:
    stream = MarkdownStream()
    for character in source:
        before = stream.blocks[: stream.settled]
        stream.feed(character)
        assert stream.blocks[: len(before)] == before
    stream.finish()
    assert stream.blocks == parse(source)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=300))
def test_any_text_at_all_can_be_shown(text: str) -> None:
    stream = MarkdownStream()
    for character in text:
        stream.feed(character)
    stream.finish()
    assert stream.blocks == parse(text)


def test_a_lone_surrogate_and_a_nul_become_replacement_characters() -> None:
    assert parse("a\ud800b\0c") == [Paragraph("text", (Run("a\ufffdb\ufffdc"),))]


def test_a_character_that_arrives_in_halves_is_one_character() -> None:
    stream = MarkdownStream()
    stream.feed("smile \ud83d")
    stream.feed("\ude00")
    stream.finish()
    assert stream.blocks == [Paragraph("text", (Run("smile 😀"),))]


def test_emphasis_code_and_strike_through_are_runs() -> None:
    (paragraph,) = parse("a **b** *c* ~~d~~ `e`")
    assert isinstance(paragraph, Paragraph)
    assert paragraph.runs == (
        Run("a "), Run("b", bold=True), Run(" "), Run("c", italic=True), Run(" "), Run("d", strike=True),
        Run(" "), Run("e", code=True),
    )  # fmt: skip


def test_html_is_text() -> None:
    source = '<script>alert(1)</script> <img src="http://tracker.test/p.png">'
    (paragraph,) = parse(source)
    assert isinstance(paragraph, Paragraph)
    assert paragraph.text == source


def test_an_image_is_named_with_its_address_and_is_no_link() -> None:
    (paragraph,) = parse("![a cat](http://tracker.test/cat.png)")
    assert isinstance(paragraph, Paragraph)
    assert paragraph.runs == (Run("Image: a cat (http://tracker.test/cat.png)"),)


def test_links_lead_to_web_and_mail_only() -> None:
    (paragraph,) = parse(
        "[w](https://x.test/a) [m](mailto:a@x.test) [j](javascript:alert%281%29) [f](file:///etc/passwd)"
    )
    assert isinstance(paragraph, Paragraph)
    assert [run.href for run in paragraph.runs if run.href] == ["https://x.test/a", "mailto:a@x.test"]
    assert "j (javascript:alert%281%29)" in paragraph.text
    assert "f (file:///etc/passwd)" in paragraph.text


@given(st.text(max_size=40))
def test_only_three_schemes_are_followable(url: str) -> None:
    assert not is_followable(url) or url.strip().lower().startswith(("http:", "https:", "mailto:"))


def test_lists_carry_their_numbers_over_code_in_between() -> None:
    blocks = parse("3. three\n\n   ```sh\n   ls\n   ```\n4. four\n   - nested")
    assert blocks == [
        Paragraph("text", (Run("three"),), path="l", marker="3."),
        Code("sh", "ls", path="l"),
        Paragraph("text", (Run("four"),), path="l", marker="4."),
        Paragraph("text", (Run("nested"),), path="ll", marker="•"),
    ]


def test_a_table_has_its_alignments() -> None:
    (table,) = parse("| a | b |\n|:-:|--:|\n| 1 | **2** |")
    assert table == Table(
        header=((Run("a"),), (Run("b"),)),
        rows=(((Run("1"),), (Run("2", bold=True),)),),
        aligns=("center", "right"),
    )


def test_a_long_table_comes_in_pieces_with_the_same_header() -> None:
    source = "| n |\n|---|\n" + "".join(f"| {number} |\n" for number in range(150))
    tables = [block for block in parse(source) if isinstance(block, Table)]
    assert [len(table.rows) for table in tables] == [60, 60, 30]
    assert {table.header for table in tables} == {((Run("n"),),)}


def test_a_fence_that_is_not_closed_is_code_that_is_being_written() -> None:
    stream = MarkdownStream()
    stream.feed("Look:\n\n```python\nx = 1\ny =")
    assert stream.blocks[-1] == Code("python", "x = 1\ny =")
    assert isinstance(stream.blocks[0], Paragraph)


def test_a_lone_dash_does_not_make_a_heading_of_the_line_above_for_a_moment() -> None:
    stream = MarkdownStream()
    stream.feed("Here is what to do:\n-")
    assert [block.kind for block in stream.blocks if isinstance(block, Paragraph)] == ["text"]
    stream.feed(" first")
    assert isinstance(stream.blocks[1], Paragraph)
    assert stream.blocks[1].marker == "•"


def test_a_link_definition_at_the_end_counts_everywhere_once_the_text_is_complete() -> None:
    stream = MarkdownStream()
    for piece in ("See [the docs][1].\n\nMore.\n\n", "[1]: https://x.test/docs\n"):
        stream.feed(piece)
    stream.finish()
    first = stream.blocks[0]
    assert isinstance(first, Paragraph)
    assert Run("the docs", href="https://x.test/docs") in first.runs


def test_markup_is_not_looked_for_in_an_endless_paragraph() -> None:
    source = "**bold** " * (LONGEST_INLINE // 9 + 10)
    (paragraph,) = parse(source)
    assert isinstance(paragraph, Paragraph)
    assert paragraph.text == source.strip()


def test_a_code_block_of_ten_thousand_lines_is_kept_exactly() -> None:
    lines = [f"line {number}" for number in range(10_000)]
    stream = MarkdownStream()
    text = "```\n" + "\n".join(lines) + "\n```\nafter"
    for start in range(0, len(text), 5_000):
        stream.feed(text[start : start + 5_000])
    stream.finish()
    assert stream.blocks == [Code("", "\n".join(lines)), Paragraph("text", (Run("after"),))]
