"""Dates, counts and tooltips as the window writes them."""

from __future__ import annotations

import re
from datetime import datetime

_RUN = re.compile(r"[^\s/\\-]{33,}")
_CHUNK = re.compile(r".{1,32}", re.DOTALL)


def day(moment: datetime, now: datetime) -> str:
    """A day in the user's zone: "today", "yesterday", "Nov 3" or "Nov 3, 2024"."""
    local = moment.astimezone(now.tzinfo)
    age = (now.date() - local.date()).days
    if age == 0:
        return "today"
    if age == 1:
        return "yesterday"
    text = f"{local.strftime('%b')} {local.day}"
    return text if local.year == now.year else f"{text}, {local.year}"


def exact_day(moment: datetime, now: datetime) -> str:
    """A day in the user's zone, always with its date: "today, Nov 3, 2026" or "Nov 3, 2024"."""
    local = moment.astimezone(now.tzinfo)
    date = f"{local.strftime('%b')} {local.day}, {local.year}"
    near = day(moment, now)
    return f"{near}, {date}" if near in ("today", "yesterday") else date


def plain_tooltip(text: str) -> str:
    """A tooltip that shows `text` as it is: Qt would take a text with tags for markup."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br>")
    return f"<span>{escaped}</span>"


def count(number: int, one: str, many: str) -> str:
    """ "1 memory", "2 memories"."""
    return f"{number:,} {one if number == 1 else many}"


def tokens(number: int) -> str:
    """ "812" or "3.1k"."""
    return str(number) if number < 1000 else f"{number / 1000:.1f}k"


def size(number: int) -> str:
    """Bytes for people: "812 bytes", "3.4 MB"."""
    value = float(number)
    for unit in ("bytes", "kB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return f"{number} bytes" if unit == "bytes" else f"{value:.1f} {unit}"
        value /= 1000
    raise AssertionError("unreachable")


def breakable(text: str) -> str:
    """`text` for a label that wraps: a run without a place to break (a key, a hash) gets some that show nothing."""
    return _RUN.sub(lambda run: "\u200b".join(_CHUNK.findall(run[0])), text)
