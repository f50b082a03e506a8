"""Takes the complete JSON objects out of whatever a model answered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_MARK = re.compile(r"[{}\"\\]")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)


def innermost_objects(reply: str) -> Iterator[dict[str, Any]]:
    """The objects of a reply that hold no other object, in order.

    Code fences, prose, an outer object that never ends and trailing commas don't matter; what is not complete or no
    JSON is left out. The time grows linearly with the reply.
    """
    for text in _innermost_texts(reply):
        value = _parsed(text)
        if isinstance(value, dict):
            yield value


def _innermost_texts(reply: str) -> Iterator[str]:
    start: int | None = None
    depth = place = 0
    while (mark := _MARK.search(reply, place)) is not None:
        character, place = mark[0], mark.end()
        if character == "{":
            start, depth = mark.start(), depth + 1
        elif character == "}":
            if start is not None:
                yield reply[start:place]
            start, depth = None, max(depth - 1, 0)
        elif character == '"' and depth:
            # Outside of any object a quotation mark is prose.
            string = _STRING.match(reply, mark.start())
            if string is None:
                return
            place = string.end()


def _parsed(text: str) -> Any:
    for attempt in (text, _TRAILING_COMMA.sub(lambda match: match[1] or "", text)):
        try:
            return json.loads(attempt, strict=False)
        except (ValueError, RecursionError):
            continue
    return None
