"""How long to wait, out of the many ways in which servers say it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.models.rate_limits import spoken, wait_seconds

NOW = datetime(2026, 11, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("headers", "text", "seconds"),
    [
        ({"Retry-After": "7"}, "", 7),
        ({"retry-after": "1.5"}, "", 1.5),
        ({"Retry-After": "Sun, 01 Nov 2026 12:01:30 GMT"}, "", 90),
        ({"Retry-After": "Sun, 01 Nov 2026 11:00:00 GMT"}, "", 0),
        ({"retry-after-ms": "250", "Retry-After": "9"}, "", 0.25),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-reset-tokens": "20ms"}, "", 360),
        ({"x-ratelimit-reset-tokens": "1.5s"}, "", 1.5),
        ({"X-RateLimit-Reset": str(int(NOW.timestamp()) + 30)}, "", 30),
        ({"X-RateLimit-Reset": str((int(NOW.timestamp()) + 30) * 1000)}, "", 30),
        ({"X-RateLimit-Reset": "45"}, "", 45),
        ({}, "Rate limit reached. Please try again in 1m2.5s. Visit us.", 62.5),
        ({}, "Please retry after 20s", 20),
        ({"Retry-After": "soon"}, "", None),
        ({"Retry-After": "-5"}, "", None),
        ({"x-ratelimit-reset-requests": "1 day"}, "", None),
        ({}, "", None),
    ],
)
def test_the_wait_is_found(headers: dict[str, str], text: str, seconds: float | None) -> None:
    assert wait_seconds(headers, text, now=NOW) == seconds


@given(st.text(max_size=30), st.text(max_size=30))
@settings(max_examples=150, deadline=None)
def test_no_header_makes_it_fail_or_wait_backwards(value: str, text: str) -> None:
    names = ("retry-after", "retry-after-ms", "x-ratelimit-reset", "x-ratelimit-reset-tokens")
    for name in names:
        wait = wait_seconds({name: value}, text, now=NOW)
        assert wait is None or wait >= 0


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "1 second"), (0.2, "1 second"), (1, "1 second"), (1.2, "2 seconds"), (59, "59 seconds"), (61, "61 seconds"),
        (100, "2 minutes"), (3600, "60 minutes"), (7200, "2 hours"), (86400, "24 hours"),
    ],
)  # fmt: skip
def test_a_wait_is_said_in_words_and_never_too_short(seconds: float, words: str) -> None:
    assert spoken(seconds) == words
