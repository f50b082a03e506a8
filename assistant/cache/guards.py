"""What keeps two questions apart that look alike."""

from __future__ import annotations

import re
from collections import Counter
from typing import Literal

from assistant.cache.languages import LANGUAGES
from assistant.cache.reading import EMPTY, PLACES, Reading, stem

Slot = Literal[
    "language", "kind", "follow-up", "time", "denial", "number", "date", "order", "word"
]  # fmt: skip
"""Where two questions differ."""

_DIGIT = re.compile(r"\d")
_UNLIKE = ({"for", "in"}, {"for", "at"}, {"of", "at"})
_DATES = frozenset().union(*(language.dates for language in LANGUAGES))


def same_wording(one: Reading, other: Reading) -> bool:
    """Whether both ask the same and differ in nothing but the way of asking."""
    return bool(one.form) and not (one.leans or other.leans) and one.form == other.form


def refusal(one: Reading, other: Reading) -> Slot | None:
    """Why an answer to `one` must not be given to `other`, however near their vectors are; None when nothing
    speaks against it.

    Beyond their wording they may differ in one preposition (of, for, in, at), in -ing, and in a few words that say
    nothing. Everything else keeps them apart: a name, a number, an opposite, a unit, another order of the same words.
    """
    if one.passing or other.passing:
        return "time"
    if one.exact == other.exact:
        return None
    if not one.form or not other.form or one.language != other.language:
        return "language"
    if one.leans or other.leans:
        return "follow-up"
    if one.denied != other.denied:
        return "denial"
    if one.form == other.form:
        return None
    if one.form[0] != other.form[0]:
        return "kind"
    if one.gist != other.gist:
        return _where(one, other)
    return None if _in_line(_in_order(one), _in_order(other)) else "order"


def _where(one: Reading, other: Reading) -> Slot:
    differing = (Counter(one.gist) - Counter(other.gist)) + (Counter(other.gist) - Counter(one.gist))
    if any(_DIGIT.search(word) for word in differing):
        return "number"
    return "date" if any(word in _DATES for word in differing) else "word"


def _in_order(reading: Reading) -> list[str]:
    return [stem(word) for word in reading.form if word not in EMPTY]


def _in_line(one: list[str], other: list[str]) -> bool:
    """Whether both have the same words in the same order, but for one preposition."""
    if len(one) != len(other):
        return False
    differing = [{a, b} for a, b in zip(one, other, strict=True) if a != b]
    return len(differing) <= 1 and all(pair <= PLACES and pair not in _UNLIKE for pair in differing)
