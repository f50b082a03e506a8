"""Rows as tuples, for short statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import apsw

Bindings = Sequence[Any]


def rows(connection: apsw.Connection, sql: str, bindings: Bindings = ()) -> list[tuple[Any, ...]]:
    """All rows of a statement."""
    return list(connection.execute(sql, bindings))


def as_text(value: bytes) -> str:
    """Text that was read as a blob; a damaged character becomes U+FFFD."""
    return value.decode("utf-8", "replace")


def row(connection: apsw.Connection, sql: str, bindings: Bindings = ()) -> tuple[Any, ...] | None:
    """The first row, None when there is none."""
    cursor = connection.execute(sql, bindings)
    try:
        return next(iter(cursor), None)
    finally:
        # A statement that is not finished would keep its view of the file.
        cursor.close()
