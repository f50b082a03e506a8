"""Reads a text into tokens that can be compared, each with its place, and finds a quote in it."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from assistant.memory.extraction.word_lists import NUMBER_WORDS

Kind = Literal["word", "number", "character", "symbol"]

# Characters that show nothing, except those that join letters and emoji.
_UNSEEN = frozenset(
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_JOINERS = frozenset("\u200c\u200d")
_LETTERS_ALONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_ALONE = re.compile(f"[{_LETTERS_ALONE}]")
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛ʼ`´", "'"),
        **dict.fromkeys("“”„‟«»", '"'),
        **dict.fromkeys("‐‑–—−", "-"),
        "…": "...",
    }
)
# Marks of a sentence that say nothing about its content; every other sign counts.
_SEPARATORS = frozenset(".,;:!?\"'-()…·•、。，！？；：「」『』（）¿¡*“”„‟«»‘’‚‛–—‐‑\u3000")
_NUMBER = re.compile(r"\d+(?:[.,:/\-]\d+)*")
_SIGN_BEFORE = re.compile(r"(?:^|[\s(])[-−+]$")
_SUFFIXES = {"m": "am", "ve": "have", "re": "are", "ll": "will", "s": "'s", "d": "'d"}
_WHOLE = {"can't": ("can", "not"), "won't": ("will", "not"), "cannot": ("can", "not"), "ain't": ("am", "not")}


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a number, a character of a script without spaces, or a sign.

    Attributes:
        value: folded, so that equal values mean the same.
        start, end: its place in the text.
        kind: which of them it is.
        capital: it begins with a capital letter.
        gap: what stands between the token before it and this one.
    """

    value: str
    start: int
    end: int
    kind: Kind
    capital: bool
    gap: str


def tokens_of(text: str) -> list[Token]:
    """The tokens of `text` in order."""
    found: list[Token] = []
    last = 0
    for start, end, kind in _pieces(text):
        gap = text[last:start]
        for value, part_start, part_end in _values(text, start, end, kind):
            capital = text[part_start : part_start + 1].isupper()
            found.append(Token(value, part_start, part_end, kind, capital, gap))
            gap = ""
        last = end
    return found


def folded(text: str) -> str:
    """`text` for comparison: composed, lower case, plain quotes, single spaces, nothing unseen."""
    shown = "".join(character for character in text if character not in _UNSEEN)
    return " ".join(unicodedata.normalize("NFC", shown).translate(_PLAIN).split()).casefold()


def _pieces(text: str) -> list[tuple[int, int, Kind]]:
    pieces: list[tuple[int, int, Kind]] = []
    place, size = 0, len(text)
    while place < size:
        character = text[place]
        if character.isspace() or character in _SEPARATORS or character in _UNSEEN:
            place += 1
        elif character.isdecimal():
            number = _NUMBER.match(text, place)
            end = place + 1 if number is None else number.end()
            signed = place and _SIGN_BEFORE.search(text[max(0, place - 2) : place])
            pieces.append((place - 1 if signed else place, end, "number"))
            place = end
        elif _is_letter(character):
            end = _word_end(text, place)
            pieces.append((place, end, "character" if _ALONE.match(character) else "word"))
            place = end
        else:
            end = _cluster_end(text, place + 1)
            pieces.append((place, end, "symbol"))
            place = end
    return pieces


def _is_letter(character: str) -> bool:
    return unicodedata.category(character)[0] in "LN"


def _word_end(text: str, start: int) -> int:
    """The end of the word that begins at `start`; an apostrophe between letters belongs to it."""
    if _ALONE.match(text[start]):
        return _cluster_end(text, start + 1)
    end, size = start + 1, len(text)
    while end < size:
        character = text[end]
        if _ALONE.match(character) and not unicodedata.category(character).startswith("M"):
            break
        inside = unicodedata.category(character)[0] in "LM" or character in _UNSEEN
        apostrophe = character in "'’ʼ‘" and end + 1 < size and text[end + 1].isalpha()
        if not inside and not apostrophe:
            break
        end += 1
    return end


def _cluster_end(text: str, end: int) -> int:
    """The end of one shown character: its marks, and what is joined to it, belong to it."""
    while end < len(text):
        if text[end] in _JOINERS and end + 1 < len(text) and not text[end + 1].isspace():
            end += 2
        elif extends(text[end]):
            end += 1
        else:
            break
    return end


def extends(character: str) -> bool:
    """Whether a character is a part of the one before it: a mark, a variation, a skin tone, a joiner, a jamo."""
    return (
        unicodedata.category(character).startswith("M")
        or "\U0001f3fb" <= character <= "\U0001f3ff"
        or character in _JOINERS
        or "\u1160" <= character <= "\u11ff"
    )


def _values(text: str, start: int, end: int, kind: Kind) -> list[tuple[str, int, int]]:
    value = folded(text[start:end])
    if kind == "number":
        return [(unicodedata.normalize("NFKC", value), start, end)]
    if kind != "word":
        return [(value, start, end)]
    if value in _WHOLE:
        return [(part, start, end) for part in _WHOLE[value]]
    if value.endswith("n't"):
        return [(value[:-3], start, end), ("not", start, end)]
    parts = value.split("'")
    if len(parts) == 1:
        return [(NUMBER_WORDS.get(value, value), start, end)]
    last = _SUFFIXES.get(parts[-1])
    if last is not None:
        parts[-1] = last
    # "l'ami": the article is a token of its own, and keeps the place of the whole.
    places = _split_places(text, start, end, len(parts))
    return [(NUMBER_WORDS.get(part, part), *place) for part, place in zip(parts, places, strict=True) if part]


def _split_places(text: str, start: int, end: int, count: int) -> list[tuple[int, int]]:
    cuts = [place for place in range(start, end) if text[place] in "'’ʼ‘"]
    if len(cuts) != count - 1:
        return [(start, end)] * count
    starts, ends = [start, *(cut + 1 for cut in cuts)], [*cuts, end]
    return list(zip(starts, ends, strict=True))


class Sought:
    """A text in which quotes are found however their quotation marks, spaces and accents are encoded.

    Args:
        text: as written.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded, self._starts, self._ends = _mapped(text)

    @cached_property
    def tokens(self) -> list[Token]:
        """The tokens of the text."""
        return tokens_of(self._text)

    @cached_property
    def _token_starts(self) -> list[int]:
        return [token.start for token in self.tokens]

    def token_range(self, start: int, end: int) -> tuple[int, int]:
        """The first token that begins at or after `start`, and the first that begins at or after `end`."""
        return bisect_left(self._token_starts, start), bisect_left(self._token_starts, end)

    def place(self, quote: str, after: int = 0) -> tuple[int, int] | None:
        """Where `quote` stands as whole words, at or after an index of the text; None when nowhere."""
        wanted = _mapped(quote)[0].strip()
        if not wanted:
            return None
        begin = bisect_left(self._starts, after)
        while (found := self._folded.find(wanted, begin)) >= 0:
            last = found + len(wanted)
            start, end = self._starts[found], self._ends[last - 1]
            if not self._cuts(start) and not self._cuts(end):
                return start, end
            begin = found + 1
        return None

    def _cuts(self, place: int) -> bool:
        """Whether a cut at `place` would go through a word, a number or a joined character."""
        text = self._text
        if not 0 < place < len(text):
            return False
        before, after = text[place - 1], text[place]
        if extends(after) or before in _JOINERS:
            return True
        if before.isdigit() and after in ".,:/" and place + 1 < len(text) and text[place + 1].isdigit():
            return True
        if (
            after.isdigit()
            and before in ".,:/-−+"
            and place > 1
            and (text[place - 2].isdigit() or before in "-−+")
        ):
            return True
        if _ALONE.match(before) or _ALONE.match(after):
            return False
        glued = "'’ʼ-"
        if after in glued and place + 1 < len(text) and text[place + 1].isalnum() and before.isalnum():
            return True
        if before in glued and place > 1 and text[place - 2].isalnum() and after.isalnum():
            return True
        return (before.isalnum() or extends(before)) and after.isalnum()


def _mapped(text: str) -> tuple[str, list[int], list[int]]:
    """`text` composed and plain, and where each of its characters begins and ends in the text."""
    shown: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    place, size = 0, len(text)
    while place < size:
        end = place + 1
        while end < size and (unicodedata.combining(text[end]) or "\u1160" <= text[end] <= "\u11ff"):
            end += 1
        cluster = text[place:end]
        if cluster.isspace():
            if shown and shown[-1] == " ":
                ends[-1] = end
            else:
                shown.append(" ")
                starts.append(place)
                ends.append(end)
        elif cluster not in _UNSEEN:
            if end - place > 1 or cluster > "\u007f":
                cluster = unicodedata.normalize("NFC", cluster).translate(_PLAIN)
            shown.extend(cluster)
            starts.extend(place for _ in cluster)
            ends.extend(end for _ in cluster)
        place = end
    return "".join(shown), starts, ends
