"""Replies as blocks: what Markdown means here, and that streaming means the same."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.ui.widgets.chat.blocks import Code, Paragraph, Run, Table
from assistant.ui.widgets.chat.markdown import LONGEST_INLINE, is_followable, parse
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
    for start, end in zip(places, places[1:], strict=False):
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
@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_at_all_can_be_shown(text: str) -> None:
    stream = MarkdownStream()
    for character in text:
        stream.feed(character)
    stream.finish()
    assert stream.blocks == parse(text)
