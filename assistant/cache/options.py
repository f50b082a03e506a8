"""The options of a cache, checked: a mistyped one raises where it is written."""

from __future__ import annotations

from datetime import timedelta
from math import isfinite
from typing import get_args

from assistant.cache.base import CacheBackendName, CacheMatch, CacheScope, Limits
from assistant.core.errors import InvalidInputError


def one_of(name: str, value: object, allowed: type) -> None:
    """Refuse a value that is none of a Literal's.

    Raises:
        InvalidInputError: it is not.
    """
    choices = get_args(allowed)
    if value not in choices:
        raise InvalidInputError(f"{name} is one of {', '.join(map(repr, choices))}; got {value!r}.")


def checked_scope(scope: str) -> None:
    one_of("scope", scope, CacheScope)  # type: ignore[arg-type]


def checked_match(match: str) -> None:
    one_of("match", match, CacheMatch)  # type: ignore[arg-type]


def checked_backend_name(backend: object) -> None:
    one_of("backend", backend, CacheBackendName)  # type: ignore[arg-type]


def checked_threshold(value: float) -> float:
    """A cosine above 0 and at most 1.

    Raises:
        InvalidInputError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0.0 < value <= 1.0:
        raise InvalidInputError(f"similarity_threshold is above 0 and at most 1; got {value!r}.")
    return float(value)


def checked_lifetime(ttl: float | timedelta | None) -> int | None:
    """Microseconds that an answer lives, None for as long as there is room.

    Raises:
        InvalidInputError: not above 0.
    """
    if ttl is None:
        return None
    seconds = ttl.total_seconds() if isinstance(ttl, timedelta) else ttl
    if (
        isinstance(seconds, bool)
        or not isinstance(seconds, int | float)
        or not isfinite(seconds)
        or seconds <= 0
    ):
        raise InvalidInputError(f"ttl is above 0 seconds, or None; got {ttl!r}.")
    return max(1, round(seconds * 1_000_000))


def checked_limits(per_owner: int, total: int) -> Limits:
    """Both at least 1.

    Raises:
        InvalidInputError: they are not.
    """
    for name, value in (("max_entries_per_owner", per_owner), ("max_entries", total)):
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise InvalidInputError(f"{name} is a whole number from 1; got {value!r}.")
    return Limits(per_owner, total)
