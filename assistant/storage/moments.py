"""Times as whole microseconds: exact, and in order when compared as numbers."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from assistant.core.errors import InvalidInputError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_micros(moment: datetime) -> int:
    """Microseconds since 1970 in UTC.

    Raises:
        InvalidInputError: `moment` has no time zone.
    """
    if moment.tzinfo is None:
        raise InvalidInputError("A time without a time zone can't be kept.")
    return (moment - _EPOCH) // _MICROSECOND


def from_micros(micros: int) -> datetime:
    """The time, in UTC, of microseconds since 1970."""
    return _EPOCH + micros * _MICROSECOND
