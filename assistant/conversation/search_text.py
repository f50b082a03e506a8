"""What counts as a word in a search, alike for every store.

Case, accents and width are ignored. A character of a script that is written without spaces (Chinese, Japanese,
Thai and their kin) is a word of its own, so that any piece of a sentence can be found.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache

_NO_SPACES = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
# Accents of Latin, Greek and Cyrillic; points of Hebrew; vowel signs of Arabic.
_ACCENTS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]")
_BEFORE, _AFTER = 60, 120
_MAPPED = 50_000


def fold(text: str) -> str:
    """`text` with case, accents and width taken away."""
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", text)).casefold()
    return unicodedata.normalize("NFKC", plain)


def word_line(text: str) -> str:
    """The words of `text`, folded, each between two spaces: what is indexed."""
    return f" {' '.join(_words().findall(fold(text)))} "


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
        if found := re.search(rf"(?<![^\W_]){pattern}", text, re.IGNORECASE) or re.search(
            pattern, text, re.IGNORECASE
        ):
            return found.start()
        folded, places = "", []
        for place, char in enumerate(text[:_MAPPED]):
            plain = fold(char)
            folded += plain
            places += [place] * len(plain)
        found = re.search(pattern, folded)
        return places[found.start()] if found else 0


@cache
def _words() -> re.Pattern[str]:
    marks = "".join(
        chr(code)
        for code in range(0x300, min(sys.maxunicode, 0x1FFFF))
        if unicodedata.category(chr(code)) in ("Mn", "Mc")
    )
    return re.compile(rf"[{_NO_SPACES}]|(?:(?![{_NO_SPACES}])(?:[^\W_]|[{marks}]))+")
