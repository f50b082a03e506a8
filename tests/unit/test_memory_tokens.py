"""The estimate of tokens: one for 3.5 letters, one for a character of a script without spaces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.core.tokens import estimate_tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("a", 1),
        ("seven c", 2),
        ("eight ch", 3),
        ("x" * 3500, 1000),
        ("記憶する", 4),
        ("我喜欢喝茶。", 6),
        ("안녕하세요", 5),
        ("สวัสดี", 6),
        ("👍👍", 2),
        ("привет мир", 3),
        ("日本 and tea", 5),
    ],
)
def test_it_counts_by_script(text: str, tokens: int) -> None:
    assert estimate_tokens(text) == tokens


@given(st.text(max_size=50), st.text(max_size=50))
def test_more_text_is_never_fewer_tokens(one: str, other: str) -> None:
    assert estimate_tokens(one + other) >= max(estimate_tokens(one), estimate_tokens(other))
    assert estimate_tokens(one + other) <= estimate_tokens(one) + estimate_tokens(other)
