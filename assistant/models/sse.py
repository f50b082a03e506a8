"""Splits a streamed answer into JSON values, whatever the bytes are cut into.

Reads server-sent events (WHATWG HTML, section 9.2) and, because real servers stray from them: events without
the blank line between them, `error:` lines, plain JSON lines, and one JSON document in place of a stream.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

DONE = "[DONE]"
MAX_LINE = 8 * 1024 * 1024
"""Bytes; a longer line is garbage, not a piece of a reply."""
MAX_EVENT_LINES = 64
"""Lines of one event that are tried as one JSON value; trying more would cost the square of their number."""


class OverlongLineError(ValueError):
    """More than MAX_LINE bytes came without an end of line."""


class LineSplitter:
    """Cuts bytes into lines at CR, LF or CR LF, and decodes them as UTF-8 (broken bytes become U+FFFD)."""

    def __init__(self) -> None:
        self._rest = bytearray()
        self._after_cr = False
        self._first = True

    def feed(self, chunk: bytes) -> Iterator[str]:
        """The lines that `chunk` completes.

        Raises:
            OverlongLineError: a line gets longer than MAX_LINE.
        """
        for piece in chunk.splitlines(keepends=True):
            if self._after_cr:
                self._after_cr = False
                if piece == b"\n":
                    continue
            self._rest += piece
            if len(self._rest) > MAX_LINE:
                raise OverlongLineError
            if piece.endswith((b"\n", b"\r")):
                self._after_cr = piece.endswith(b"\r")
                yield self._take()

    def finish(self) -> Iterator[str]:
        """The last line, when it had no end."""
        if self._rest:
            yield self._take()

    def _take(self) -> str:
        line = bytes(self._rest).rstrip(b"\r\n").decode("utf-8", "replace")
        self._rest.clear()
        if self._first:
            self._first = False
            line = line.removeprefix("\ufeff")
        return line


@dataclass(frozen=True, slots=True)
class StreamValue:
    """One JSON value of the stream.

    Attributes:
        value: what it is, usually a dict; DONE for the end mark.
        is_error: the server announced it as an error, outside its JSON.
    """

    value: Any
    is_error: bool = False


@dataclass(slots=True)
class EventReader:
    """Lines in, JSON values out.

    Attributes:
        garbage: the beginning of what could not be read, for a detail text; empty while all is well.
    """

    garbage: str = ""
    _event: str = ""
    _pending: list[str] = field(default_factory=list)
    _stray: list[str] = field(default_factory=list)
    _stray_size: int = 0

    def line(self, line: str) -> Iterator[StreamValue]:
        """The values that this line completes."""
        if not line:
            self._drop_pending()
            self._event = ""
            return
        name, colon, rest = line.partition(":")
        rest = rest.removeprefix(" ")
        if not name and colon:
            return
        if name == "data" and colon:
            yield from self._data(rest)
        elif name == "error" and colon:
            yield from self._parsed(rest, is_error=True)
        elif name == "event":
            self._event = rest.strip()
        elif name not in ("id", "retry"):
            yield from self._stray_line(line)

    def finish(self) -> Iterator[StreamValue]:
        """The value that the end of the stream completes: a JSON document of several lines."""
        self._drop_pending()
        text = "\n".join(self._stray)
        self._stray = []
        if text:
            yield from self._parsed(text, is_error=False)

    def _data(self, text: str) -> Iterator[StreamValue]:
        if text.strip() == DONE:
            self._drop_pending()
            yield StreamValue(DONE)
            return
        # Complete JSON is complete: waiting for the blank line would hang on servers that send none.
        self._pending.append(text)
        value = _parse("\n".join(self._pending))
        if value is None and len(self._pending) > 1 and (value := _parse(text)) is not None:
            self._pending = self._pending[:-1]
            self._drop_pending()
        if value is not None:
            self._pending = []
            yield StreamValue(value, self._event == "error")
        elif len(self._pending) >= MAX_EVENT_LINES:
            self._drop_pending()

    def _stray_line(self, line: str) -> Iterator[StreamValue]:
        value = _parse(line) if not self._stray else None
        if isinstance(value, dict):
            yield StreamValue(value)
        elif self._stray_size < MAX_LINE:
            self._stray.append(line)
            self._stray_size += len(line)

    def _parsed(self, text: str, *, is_error: bool) -> Iterator[StreamValue]:
        value = _parse(text)
        if value is not None:
            yield StreamValue(value, is_error)
        elif is_error:
            yield StreamValue({"message": text}, is_error=True)
        else:
            self._note_garbage(text)

    def _drop_pending(self) -> None:
        if self._pending:
            self._note_garbage("\n".join(self._pending))
            self._pending = []

    def _note_garbage(self, text: str) -> None:
        if not self.garbage:
            self.garbage = text[:400]


def _parse(text: str) -> Any:
    """The JSON value of `text`, None when it is none (or is null, which says as little)."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
