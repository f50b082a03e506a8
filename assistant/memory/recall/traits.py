"""What the ranking wants to know of a text, found once when it is kept."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.memory.recall.times import tells_time
from assistant.memory.recall.words import indexed_words, word_count

_SENTENCE = re.compile(r"[^.!?…。！？؟]*[.!?…。！？؟]+|[^.!?…。！？؟]+$")
_ASKING = re.compile(r"[?？؟]\W*$")
_LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class Traits:
    """Traits of a memory's text.

    Attributes:
        words: what the full-text index gets.
        length: how many those are, at least 1.
        questions: share of the sentences that are questions, 0..1.
        tells_time: it mentions a day, a date or a span of time.
    """

    words: str
    length: int
    questions: float
    tells_time: bool


def traits_of(content: str, speaker: str = "") -> Traits:
    """The traits of a text that `speaker` said. Of a very long text the sentences of its beginning count."""
    words = indexed_words(content, speaker)
    return Traits(words, word_count(words), questions_in(content), tells_time(content))


def questions_in(content: str) -> float:
    """The share of the sentences of `content` that are questions, 0..1."""
    sentences = [part for part in _SENTENCE.findall(content[:_LONGEST]) if any(map(str.isalnum, part))]
    asking = sum(1 for part in sentences if _ASKING.search(part))
    return asking / len(sentences) if sentences else 0.0
