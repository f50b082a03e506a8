"""Takes reasoning out of a reply that has it in tags: <think>…</think> or <thinking>…</thinking>.

Only tags at the very beginning count, before any other text: a reply that talks about such tags, or shows
them in code, stays whole.
"""

from __future__ import annotations

import string
from collections.abc import Iterator

from assistant.models.base import ReasoningDelta, TextDelta

_OPENING = {"<think>": "</think>", "<thinking>": "</thinking>"}
_LONGEST = max(map(len, _OPENING))
# str.lower changes the length of some texts, and positions with it.
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class ThinkTagFilter:
    """Text in as it comes, text and reasoning out; a tag may be cut anywhere."""

    def __init__(self) -> None:
        self._held = ""
        self._closing = ""
        self._text_began = False
        self._after_reasoning = False

    def feed(self, text: str) -> Iterator[TextDelta | ReasoningDelta]:
        """What can be told apart so far; up to a tag's length is held back."""
        self._held += text
        while self._held:
            before = self._held
            if self._text_began:
                self._held = ""
                yield TextDelta(before)
            elif self._closing:
                yield from self._in_reasoning()
            else:
                yield from self._at_beginning()
            if self._held == before:
                return

    def finish(self) -> Iterator[TextDelta | ReasoningDelta]:
        """What was held back, as what it is when nothing more comes."""
        held, self._held = self._held, ""
        if self._after_reasoning and not self._closing:
            held = held.lstrip()
        if held:
            yield ReasoningDelta(held) if self._closing else TextDelta(held)

    def _at_beginning(self) -> Iterator[TextDelta]:
        text = self._held.lstrip()
        start = text[:_LONGEST].translate(_LOWER)
        for opening, closing in _OPENING.items():
            if start.startswith(opening):
                self._closing = closing
                self._held = text[len(opening) :]
                return
        if any(opening.startswith(start) for opening in _OPENING):
            return
        shown = text if self._after_reasoning else self._held
        self._text_began, self._held = True, ""
        yield TextDelta(shown)

    def _in_reasoning(self) -> Iterator[ReasoningDelta]:
        position = self._held.translate(_LOWER).find(self._closing)
        if position >= 0:
            reasoning = self._held[:position]
            self._held = self._held[position + len(self._closing) :]
            self._closing = ""
            self._after_reasoning = True
        else:
            kept = _tail_that_may_be(self._closing, self._held)
            reasoning = self._held[: len(self._held) - kept]
            self._held = self._held[len(self._held) - kept :]
        if reasoning:
            yield ReasoningDelta(reasoning)


def _tail_that_may_be(tag: str, text: str) -> int:
    """How many characters at the end of `text` may be the beginning of `tag`."""
    lowered = text[-len(tag) :].translate(_LOWER)
    for length in range(min(len(tag) - 1, len(lowered)), 0, -1):
        if lowered.endswith(tag[:length]):
            return length
    return 0
