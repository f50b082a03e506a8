"""Checks on text that comes from outside."""

from __future__ import annotations

from assistant.core.errors import InvalidTextError


def check_text(text: str) -> str:
    """Return `text` unchanged when it is valid Unicode.

    Raises:
        InvalidTextError: it holds a lone surrogate (half of a character).
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as exc:
        raise InvalidTextError(
            f"The text holds half of a character at position {exc.start + 1}.",
            hint="Remove that character; the rest can be kept.",
        ) from None
    return text


def drop_lone_surrogates(text: str) -> str:
    """Replace each lone surrogate by U+FFFD, for text that must be shown whatever it holds."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
