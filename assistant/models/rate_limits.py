"""How long a server that says "too many requests" asks to wait."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_IN_TEXT = re.compile(
    r"(?:try again|retry)\s+(?:in|after)\s+((?:\d+(?:\.\d+)?(?:ms|s|m|h|d))+)", re.IGNORECASE
)
_RESETS = ("x-ratelimit-reset-requests", "x-ratelimit-reset-tokens")
_EPOCH = 1_000_000_000
"""Larger numbers are a point in time, smaller ones a wait: nobody waits thirty years."""


def wait_seconds(headers: Mapping[str, str], text: str = "", *, now: datetime | None = None) -> float | None:
    """Seconds until the next try makes sense, None when the server does not say.

    Reads Retry-After (seconds or a date, RFC 9110 section 10.2.3), retry-after-ms, the x-ratelimit-reset
    headers of OpenAI (durations) and OpenRouter (a time), and at last the error's text.

    Args:
        headers: of the answer, looked up in lower case.
        text: the error's text.
        now: the time to count from, the computer's own by default.
    """
    now = now or datetime.now(UTC)
    lowered = {name.lower(): value.strip() for name, value in headers.items()}
    if (milliseconds := _number(lowered.get("retry-after-ms"))) is not None:
        return milliseconds / 1000
    if (wait := _wait_or_time(lowered.get("retry-after", ""), now)) is not None:
        return wait
    resets = [wait for name in _RESETS if (wait := _duration(lowered.get(name, ""))) is not None]
    # Either limit may be the one that was hit; until the later reset one of them still may be.
    if resets:
        return max(resets)
    if (wait := _wait_or_time(lowered.get("x-ratelimit-reset", ""), now)) is not None:
        return wait
    found = _IN_TEXT.search(text)
    return _duration(found[1]) if found else None


def spoken(seconds: float) -> str:
    """A wait in words: "1 second", "45 seconds", "3 minutes", "2 hours"; rounded up."""
    for size, unit in ((3600, "hour"), (60, "minute"), (1, "second")):
        if seconds > size * 1.5 or unit == "second":
            number = max(1, -int(-seconds // size))
            return f"{number} {unit}{'' if number == 1 else 's'}"
    raise AssertionError("seconds are always last")


def _wait_or_time(value: str, now: datetime) -> float | None:
    if (number := _number(value)) is not None:
        if number > _EPOCH * 1000:
            number /= 1000
        return max(0.0, number - now.timestamp()) if number > _EPOCH else number
    if (duration := _duration(value)) is not None:
        return duration
    try:
        date = parsedate_to_datetime(value)
        if date.tzinfo is None:
            date = date.replace(tzinfo=UTC)
        return max(0.0, (date - now).total_seconds())
    except (ValueError, TypeError, OverflowError):
        return None


def _duration(value: str) -> float | None:
    """Seconds of "6m0s", "1.5s", "20ms"; None when it is something else."""
    pieces = _DURATION.findall(value)
    if not pieces or "".join(number + unit for number, unit in pieces) != value:
        return None
    return sum(float(number) * _SECONDS[unit] for number, unit in pieces)


def _number(value: str | None) -> float | None:
    return float(value) if value and re.fullmatch(r"\d{1,15}(\.\d{1,9})?", value) else None
