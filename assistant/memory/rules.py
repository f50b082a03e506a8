"""What every provider accepts: checks on owners, texts, ids and metadata."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from assistant.core.errors import InvalidInputError, MemoryIsolationError
from assistant.core.text import check_text
from assistant.memory.base import MemoryScope, MemorySort

MAX_PAGE = 1000

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_SORTS: tuple[MemorySort, ...] = ("newest", "oldest", "text")


def owner_of(scope: MemoryScope, user_id: str | None) -> str | None:
    """The owner whose memories a call may touch; None under SHARED, where there is one store for all.

    Raises:
        MemoryIsolationError: PER_USER without a user.
        InvalidTextError: the user's id is not valid Unicode.
    """
    if scope is MemoryScope.SHARED:
        return None
    return required_owner(user_id)


def required_owner(user_id: object) -> str:
    """`user_id` itself when it names somebody.

    Raises:
        MemoryIsolationError: it is missing, empty or no text.
        InvalidTextError: it is not valid Unicode.
    """
    if not isinstance(user_id, str) or not user_id:
        raise MemoryIsolationError(
            "This memory is kept for each person separately, and the call named nobody.",
            hint="Pass user_id (or a caller to the agent). Nothing was read or changed.",
        )
    return check_text(user_id)


def label_of(scope: MemoryScope, user_id: str | None) -> str | None:
    """The label of a new memory: the user under SHARED, None where the partition says it already."""
    if scope is MemoryScope.PER_USER or not user_id:
        return None
    return check_text(user_id)


def checked_content(content: object) -> str:
    """`content` itself when it can be kept.

    Raises:
        InvalidInputError: blank, or no text.
        InvalidTextError: not valid Unicode.
    """
    if not isinstance(content, str):
        raise InvalidInputError(f"A memory is a text, not {type(content).__name__}.")
    if not content.strip():
        raise InvalidInputError("An empty memory can't be kept.", hint="Write what should be remembered.")
    return check_text(content)


def checked_id(memory_id: object) -> str:
    """`memory_id` itself when it can name a new memory.

    Raises:
        InvalidInputError: empty, or no text.
        InvalidTextError: not valid Unicode.
    """
    if not isinstance(memory_id, str) or not memory_id:
        raise InvalidInputError("A memory's id is a non-empty text.")
    return check_text(memory_id)


def checked_page(offset: int, limit: int, sort: str) -> None:
    """Check the arguments of `list`.

    Raises:
        InvalidInputError: a negative offset, a limit above 1,000, an unknown sort.
    """
    if offset < 0:
        raise InvalidInputError(f"offset must not be negative; got {offset}.")
    if limit > MAX_PAGE:
        raise InvalidInputError(f"limit must be at most {MAX_PAGE}; got {limit}.")
    if sort not in _SORTS:
        raise InvalidInputError(f"Unknown sort {sort!r}; use one of {', '.join(_SORTS)}.")


def encode_metadata(metadata: Mapping[str, Any] | None) -> str:
    """`metadata` as JSON text, from which `decode_metadata` makes an equal object.

    Raises:
        InvalidInputError: something in it is not JSON (NaN, a tuple, a key that is no text).
        InvalidTextError: a text in it is not valid Unicode.
    """
    if metadata is None:
        return "{}"
    if not isinstance(metadata, Mapping):
        raise InvalidInputError(f"Metadata is a JSON object, not {type(metadata).__name__}.")
    plain = dict(metadata)
    try:
        text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        same = json.loads(text) == plain
    except (TypeError, ValueError, RecursionError) as exc:
        raise InvalidInputError("Metadata must be a JSON object.", detail=str(exc)) from None
    if not same:
        raise InvalidInputError("Metadata must be a JSON object: lists, not tuples, and text as keys.")
    return check_text(text)


def decode_metadata(text: str) -> dict[str, Any]:
    """The object that `encode_metadata` was given; a new one each time.

    Raises:
        ValueError: `text` is not a JSON object.
    """
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not a JSON object")
    return value


def micros_of(moment: datetime) -> int:
    """Microseconds since 1970 of a timezone-aware time.

    Raises:
        InvalidInputError: the time says no zone.
    """
    if moment.tzinfo is None:
        raise InvalidInputError("A memory's time needs a time zone.", hint="Use UTC.")
    return (moment - _EPOCH) // _MICROSECOND


def moment_of(micros: int | None) -> datetime | None:
    """The UTC time of `micros` microseconds since 1970; None for None or a number outside the calendar."""
    if micros is None:
        return None
    try:
        return _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return None
