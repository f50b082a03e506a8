"""Cutting a text so that no code block is left open."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable

CUT_MARK = "[…]"
"""Stands at the end of a text that was cut."""

_FENCE = re.compile(
    r"(?P<lead>[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*[ \t>]*)(?P<fence>`{3,}|~{3,})(?P<info>[^\n\r]*)"
)
_BREAK = re.compile(r"\s+")
_LONGEST_UNBROKEN = 80
_STEP = 16
_JOINERS = "\u200c\u200d"


def open_fence(text: str) -> str:
    """The line that closes the code block which `text` leaves open; empty when it leaves none.

    A fence is closed by one of the same character, at least as long, with nothing behind it (CommonMark 4.5).
    In a quote or a list the closing line stands as deep as the opening one.
    """
    lead, opened = "", ""
    for line in re.split(r"\r\n|\n|\r", text):
        found = _FENCE.match(line)
        if found is None:
            continue
        fence, info = found["fence"], found["info"]
        if not opened:
            # Backticks behind backticks are code within a line.
            if not (fence[0] == "`" and "`" in info):
                lead, opened = found["lead"], fence
        elif fence[0] == opened[0] and len(fence) >= len(opened) and not info.strip():
            opened = ""
    return "".join(each if each in " \t>" else " " for each in lead) + opened if opened else ""


def cut_text(text: str, fits: Callable[[str], bool]) -> str:
    """The longest beginning of `text` that fits, with open code blocks closed and CUT_MARK behind it.

    It ends between words where there are any, and never within a character that is made of several.

    Args:
        fits: whether a text is short enough; longer texts must not fit where shorter ones don't.

    Returns:
        All of `text` when that fits, an empty text when not even one word does.
    """
    if fits(text):
        return text
    ends = _ends(text)

    def fitting(end: int) -> bool:
        return fits(_closed(text[:end]))

    position = bisect_right(ends, False, key=lambda end: not fitting(end))
    # Closing a block costs a little: a longer beginning may fit where one that ends in a block does not.
    while position and not fitting(ends[position - 1]):
        position -= 1
    return _closed(text[: ends[position - 1]]) if position else ""


def _closed(beginning: str) -> str:
    closing = open_fence(beginning)
    return "\n".join(filter(None, (beginning.rstrip("\r\n"), closing, CUT_MARK)))


def _ends(text: str) -> list[int]:
    """Where a text may be cut, ascending: before white space, and within what has none for long."""
    ends: list[int] = []
    last = 0
    for stop in (*(found.start() for found in _BREAK.finditer(text)), len(text)):
        if stop - last > _LONGEST_UNBROKEN:
            ends.extend(end for end in range(last + _STEP, stop, _STEP) if _is_between(text, end))
        if 0 < stop < len(text):
            ends.append(stop)
        last = stop
    return ends


def _is_between(text: str, end: int) -> bool:
    before, after = text[end - 1], text[end]
    if before in _JOINERS or after in _JOINERS or before in "`~" or after in "`~":
        return False
    return not unicodedata.category(after).startswith("M") and not _is_half_of_emoji(before, after)


def _is_half_of_emoji(before: str, after: str) -> bool:
    flags = "\U0001f1e6" <= before <= "\U0001f1ff" and "\U0001f1e6" <= after <= "\U0001f1ff"
    return flags or "\U0001f3fb" <= after <= "\U0001f3ff"
