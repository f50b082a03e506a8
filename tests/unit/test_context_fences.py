"""Cutting texts: no code block is left open, no character is broken."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.context.fences import CUT_MARK, cut_text, open_fence

BLOCK = "Look:\n```python\nfirst = 1\nsecond = 2\nthird = 3\n```\nDone."


def shorter_than(length: int) -> Callable[[str], bool]:
    return lambda text: len(text) <= length


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("", ""),
        ("no code", ""),
        ("```", "```"),
        ("```python\nx", "```"),
        ("```python\nx\n```", ""),
        ("```python\nx\n```\n", ""),
        ("```\r\nx\r\n```\r\n", ""),
        ("~~~\nx\n```", "~~~"),
        ("`````\nx\n```", "`````"),
        ("```\nx\n`````", ""),
        ("```\nx\n``` python", "```"),
        ("code `in` a line ``` of text", ""),
        ("``` in `one` line```", ""),
        ("> ```\n> x", "> ```"),
        ("- ```\n  x", "  ```"),
        ("1. ```\n   x\n   ```", ""),
        ("  ```\n  x", "  ```"),
        ("```\na\n```\n~~~\nb", "~~~"),
    ],
)
def test_what_closes_a_code_block_that_is_open_at_the_end(text: str, closing: str) -> None:
    assert open_fence(text) == closing


def test_a_text_that_fits_stays_as_it_is() -> None:
    assert cut_text(BLOCK, shorter_than(len(BLOCK))) == BLOCK


def test_a_cut_within_a_code_block_closes_it() -> None:
    assert cut_text(BLOCK, shorter_than(42)) == f"Look:\n```python\nfirst = 1\nsecond =\n```\n{CUT_MARK}"


def test_a_cut_ends_between_words() -> None:
    assert cut_text("one two three four", shorter_than(12)) == f"one two\n{CUT_MARK}"


def test_nothing_is_left_when_not_even_a_word_fits() -> None:
    assert cut_text("one two three", shorter_than(4)) == ""


def test_a_text_without_spaces_is_cut_between_characters() -> None:
    cut = cut_text("明" * 500, shorter_than(200))
    assert 150 < len(cut) <= 200
    assert set(cut.removesuffix(f"\n{CUT_MARK}")) == {"明"}


@pytest.mark.parametrize("character", ["👩‍👩‍👧", "🇺🇦", "👍🏽", "e\u0301", "```"])  # fmt: skip
def test_a_cut_never_breaks_what_belongs_together(character: str) -> None:
    for room in range(60, 160, 7):
        cut = cut_text(character * 300, shorter_than(room)).removesuffix(f"\n{CUT_MARK}")
        assert len(cut) % len(character) == 0 or character == "```"
        assert not cut or unicodedata.category(cut[-1]) != "Cf"


FENCES = ["```", "```python", "~~~", "````", "> ```", "- ~~~"]
PIECES = st.sampled_from([*FENCES, "text", "  more", "\n", "\n", "\n", " ", "明" * 90, "`a`", "\r\n"])


@settings(max_examples=300, deadline=None)
@given(pieces=st.lists(PIECES, max_size=60), room=st.integers(0, 300))
def test_a_cut_fits_leaves_no_block_open_and_changes_no_beginning(pieces: list[str], room: int) -> None:
    text = "".join(pieces)
    cut = cut_text(text, shorter_than(room))
    assert len(cut) <= room or cut == ""
    if cut == text:
        return
    assert open_fence(cut) == ""
    beginning = cut.removesuffix(CUT_MARK).rstrip("\n")
    # A closing line may stand behind the beginning.
    assert text.startswith((beginning, beginning.rpartition("\n")[0]))
