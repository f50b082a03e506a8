"""Time as a dependency, so that tests need no waiting."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the current time."""

    def now(self) -> datetime:
        """The time now, timezone-aware, in UTC."""
        ...


class SystemClock:
    """The computer's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)
