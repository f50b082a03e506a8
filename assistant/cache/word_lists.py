"""Lists of words as plain text, which reads better than a column of quotes."""

from __future__ import annotations


def word_set(text: str) -> frozenset[str]:
    """The words of `text`."""
    return frozenset(text.split())
