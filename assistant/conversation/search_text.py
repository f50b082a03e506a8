"""What counts as a word in a search, alike for every store.

Case, accents and width are ignored. A character of a script that is written without spaces (Chinese, Japanese,
Thai and their kin) is a word of its own, so that any piece of a sentence can be found.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
# Accents of Latin, Greek and Cyrillic; points of Hebrew; vowel signs of Arabic.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")
_BEFORE, _AFTER = 60, 120
_MAPPED = 50_000
_PIECE = 20_000
_BLANK = re.compile(r"\s")


def fold(text: str) -> str:
    """`text` with case, accents and width taken away."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return unicodedata.normalize("NFKC", plain)


def word_line(text: str) -> str:
    """The words of `text`, folded, each between two spaces: what is indexed."""
    found: list[str] = []
    for piece in _pieces(text):
        found += _words().findall(fold(piece))
    return f" {' '.join(found)} "


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What the user looks for. Every piece must occur; a piece finds longer words that it begins.

    Attributes:
        text: as typed, without blanks around it.
        pieces: its words by the blanks between them; a piece of several words ("e-mail", a Chinese phrase) is
            found only as a whole. Empty when there are only signs, such as an emoji.
    """

    text: str
    pieces: tuple[str, ...]

    @classmethod
    def parse(cls, query: str) -> SearchQuery:
        lines = (word_line(piece).strip() for piece in query.split())
        return cls(query.strip(), tuple(dict.fromkeys(line for line in lines if line)))

    @property
    def match_expression(self) -> str:
        """The query in FTS5's language; the pieces hold no quotation marks."""
        return " AND ".join(f'"{piece}"*' for piece in self.pieces)

    def matches(self, text: str) -> bool:
        """Whether `text` fits, by the same rules as the index."""
        if not self.pieces:
            return bool(self.text) and self.text in text
        line = word_line(text)
        return all(f" {piece}" in line for piece in self.pieces)

    def snippet(self, text: str) -> str:
        """The place in `text` that fits, on one line, with "…" where more precedes or follows."""
        at = self._place(text)
        start, end = max(0, at - _BEFORE), min(len(text), at + _AFTER)
        # A text cut in the middle of a word reads badly at the front of a line.
        if start and (blank := re.search(r"\s", text[start:at])):
            start += blank.end()
        shown = "".join(char if char.isprintable() else " " for char in text[start:end])
        line = " ".join(shown.split())
        return f"{'…' if start else ''}{line}{'…' if end < len(text) else ''}"

    def _place(self, text: str) -> int:
        if not self.pieces:
            return max(0, text.find(self.text))
        pattern = r"[\W_]*".join(map(re.escape, self.pieces[0].split()))
        beginning = rf"(?<![^\W_]){pattern}"
        if found := re.search(beginning, text, re.IGNORECASE):
            return found.start()
        # Inside of what looks like a word begins a piece of a script without spaces, and no other.
        if _NO_SPACES.match(pattern) and (found := re.search(pattern, text, re.IGNORECASE)):
            return found.start()
        folded, places = "", []
        for place, char in enumerate(text[:_MAPPED]):
            plain = char.lower() if char.isascii() else fold(char)
            folded += plain
            places += [place] * len(plain)
        found = re.search(beginning, folded) or re.search(pattern, folded)
        return places[found.start()] if found else 0


def _pieces(text: str) -> Iterator[str]:
    """`text` in pieces, cut at blanks where there are any: one pass over a megabyte would hold up every thread."""
    start = 0
    while start < len(text):
        end = start + _PIECE
        if end < len(text) and (blank := _BLANK.search(text, end, end + _PIECE)):
            end = blank.start()
        yield text[start:end]
        start = end


@cache
def _words() -> re.Pattern[str]:
    # One explicit class: to tell words from single characters by look-ahead takes twenty times as long.
    joined = [code for code in range(0x20000) if _joins_words(chr(code))]
    return re.compile(f"{_NO_SPACES.pattern}|[{_as_ranges(joined)}]+")


def _joins_words(char: str) -> bool:
    is_mark = unicodedata.category(char) in ("Mn", "Mc")
    return (is_mark or char.isalnum()) and not _NO_SPACES.match(char)


def _as_ranges(codes: list[int]) -> str:
    spans: list[list[int]] = []
    for code in codes:
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "".join(f"{re.escape(chr(first))}-{re.escape(chr(last))}" for first, last in spans)
