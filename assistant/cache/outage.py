"""A place that does not answer: said once, and not tried with every question."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from assistant.core.errors import AssistantError

_log = logging.getLogger(__name__)

PAUSE = 2.0
"""Seconds after a failure in which no question waits for the place again."""


class Outage:
    """Whether the place of the answers is out of order.

    Args:
        pause: seconds to leave it alone after a failure.
        now: seconds on a clock that never goes back.
    """

    def __init__(self, *, pause: float = PAUSE, now: Callable[[], float] = time.monotonic) -> None:
        self._pause = pause
        self._now = now
        self._failed_at: float | None = None

    def wait(self) -> bool:
        """Whether it is too early to try again."""
        return self._failed_at is not None and self._now() < self._failed_at + self._pause

    def begun(self, error: AssistantError) -> None:
        """It failed. The log says so when it worked before."""
        if self._failed_at is None:
            _log.warning(
                "cached answers are out of reach, chats go on without them: %s %s", error, error.detail
            )
        self._failed_at = self._now()

    def over(self) -> None:
        """It worked. The log says so when it had failed before."""
        if self._failed_at is not None:
            _log.info("cached answers are within reach again")
        self._failed_at = None
