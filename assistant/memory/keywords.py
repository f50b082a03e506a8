"""Words that tell texts apart, for a memory without an embedding model."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"\w+")
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
_ENDING = re.compile(r"(?<=\w{3})(?:ing|ed|es|s)$")

_FREQUENT = frozenset(
    """
    a about am an and any are as at be been but by can could did do does for from had has have he her him his
    how i if in is it its me my not of on or our she so than that the their them then there these they this
    those to us was we were what when where which who whom whose why will with would you your
    """.split()  # noqa: SIM905  # a list of quoted words would be five times as long
)


def keywords(text: str) -> frozenset[str]:
    """The distinct words of `text`, for comparison only.

    Cases and compatible forms are folded and English endings cut, so that "ships" meets "ship"; scripts
    without spaces come as pairs of characters. English words that are in every sentence are left out unless
    nothing else is left.
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    words: set[str] = set()
    for word in _WORD.findall(folded):
        runs = _UNSPACED.findall(word)
        for run in runs:
            words.update(run[i : i + 2] for i in range(max(len(run) - 1, 1)))
        words.update(part for part in (_UNSPACED.split(word) if runs else [word]) if part)
    return frozenset(_ENDING.sub("", word) for word in words - _FREQUENT or words)


def overlap(wanted: frozenset[str], present: frozenset[str]) -> float:
    """The share of `wanted` that is in `present`, 0..1; 0 when nothing is wanted."""
    return len(wanted & present) / len(wanted) if wanted else 0.0
