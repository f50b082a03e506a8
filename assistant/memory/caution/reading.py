"""A text as sentences of notions: what the rules look at."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from assistant.memory.caution.concepts import Notion, is_cjk
from assistant.memory.caution.vocabulary import vocabulary


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_TOKEN = re.compile(
    r"(?P<place>https?://\S{1,2000}|\bwww\.[^\s]{1,2000}|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6})"
    r"|(?P<amount>[$€£¥₹]\s?\d[\d.,' ]{0,15}k?|\d[\d.,' ]{0,15}\s?(?:k\b|[$€£¥₹]|eur\b|usd\b|gbp\b|chf\b"
    r"|euros?\b|dollars?\b|pounds?\b|bucks\b|pesos?\b|reais\b|yen\b|franken\b|francs?\b|dollari\b|dolares\b|元|円|万|欧))"
    r"|(?P<path>(?<![\w/])(?:~|\.{1,2})?/(?=[a-z_.])[\w.-]{1,40}(?:/[\w.*-]{1,40}){0,8}"
    r"|\b[\w-]{1,60}\.(?:csv|db|sqlite|env|json|ya?ml|py|sh|sql|log|pem|key|txt)\b)"
    r"|(?P<word>\w+)"
    r"|(?P<pause>[,:()\"“”„«»，、：（）「」]|\s[-–—]{1,2}\s|—)"
    r"|(?P<end>[.!?…]+(?=[\s\"'”»)\]*]|$)|[;。！？；]|\n+|\s\|\s)"
)
_TOOL = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)+\Z")
_QUESTION = re.compile("[?？]")
_OPENS = 3
"""A sentence whose subject is a person names it within so many words."""
_LONG = 4000
"""Words of a sentence at most; a text without any end is read in pieces."""
_ITALIAN = _words(
    "il che di gli della nel mio mia ho sono miei con del alla dei ma e anche piace piacciono dati tutti tutte tuoi "
    "alle agli"
)

_COURTESY = _words(
    "please and then now also just kindly only always never immediately instead so bitte und dann jetzt immer nie et "
    "puis maintenant toujours por favor y luego ahora siempre nunca e poi ora sempre mai agora entao"
)
"""What may stand before an imperative."""
_SPEAKS_TO = (Notion.YOU | Notion.YOUR | Notion.AI | Notion.BECOME | Notion.AS_AI).value
_ME = Notion.ME.value
_AI = Notion.AI.value
_ACT, _DO = Notion.ACT.value, Notion.DO.value
_COMPOUND = Notion.COMPOUND.value
_TOOL_BIT, _PLACE_BIT, _PATH_BIT, _AMOUNT_BIT = (
    Notion.TOOL.value,
    Notion.PLACE.value,
    Notion.PATH.value,
    Notion.AMOUNT.value,
)


@dataclass(slots=True)
class Sentence:
    """A sentence, or a line.

    Attributes:
        number: its place in the text.
        length: in words.
        marks: (place, notions) of the words and phrases that stand for something, in order.
        union: all their notions.
        told: where clauses begin and end in which a person speaks of herself or of another, and not to the assistant.
        asks: it ends as a question.
    """

    number: int
    length: int = 0
    marks: list[tuple[int, int]] = field(default_factory=list)
    union: int = 0
    told: list[tuple[int, int]] = field(default_factory=list)
    asks: bool = False

    def places(self, notions: int) -> list[int]:
        """Where any of `notions` stands, ascending."""
        return [place for place, found in self.marks if found & notions]

    def together(self, needs: tuple[int, ...], span: int, *, told: bool = True) -> bool:
        """Whether there is, within `span` words of one that stands for the first need, one for each other need, no
        word for both unless it is a compound.

        Args:
            told: the first may stand in a clause where a person tells of herself.
        """
        if any(not self.union & need for need in needs):
            return False
        others = [self.places(need) for need in needs[1:]]
        return any(
            all(_near(place, other, span, found & _COMPOUND != 0) for other in others)
            for place, found in self.marks
            if found & needs[0] and (told or not self.is_told(place))
        )

    def is_told(self, place: int) -> bool:
        """Whether a person tells of herself there."""
        return any(first <= place < last for first, last in self.told)


def sentences(text: str) -> Iterator[Sentence]:
    """The sentences of a folded text that hold any notion."""
    words: list[str] = []
    extra: dict[int, int] = {}
    pauses: list[int] = []
    number = 0
    memo: dict[str, int] = {}
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        token = match.group()
        if kind == "end" or len(words) >= _LONG:
            if words:
                made = _sentence(words, extra, pauses, number, memo, token)
                if made.union:
                    yield made
            words, extra, pauses, number = [], {}, [], number + 1
            if kind == "end":
                continue
        if kind == "word":
            if is_cjk(token):
                for part in vocabulary().character_pattern.finditer(token):
                    extra[len(words)] = vocabulary().characters[part.group()]
                    words.append(part.group())
            else:
                words.append(token)
        elif kind == "pause":
            pauses.append(len(words))
        elif kind == "place":
            extra[len(words)] = _PLACE_BIT
            words.append("")
        elif kind == "amount":
            extra[len(words)] = _AMOUNT_BIT
            words.append("")
        else:
            extra[len(words)] = _PATH_BIT
            words.append("")
    if words:
        made = _sentence(words, extra, pauses, number, memo, "")
        if made.union:
            yield made


def _sentence(
    words: list[str],
    extra: dict[int, int],
    pauses: list[int],
    number: int,
    memo: dict[str, int],
    end: str,
) -> Sentence:
    known = vocabulary()
    made = Sentence(number, len(words), asks=_QUESTION.search(end) is not None)
    for place, word in enumerate(words):
        found = extra.get(place, 0)
        if word and not found:
            cached = memo.get(word)
            if cached is None:
                cached = memo[word] = known.notions_of(word) | (_TOOL_BIT if _TOOL.match(word) else 0)
            found = cached
            if word == "ai" and _is_no_ai(words, place):
                found &= ~_AI
            elif word == "i" and _is_italian(words, place):
                found &= ~_ME
            for notions, _ in known.phrases_at(words, place):
                found |= notions
        if found:
            made.marks.append((place, found))
            made.union |= found
    if made.union & _ACT:
        _mark_imperatives(made, words, {0, *pauses})
    if not made.union & _SPEAKS_TO and made.union & _ME:
        made.told = list(_told(made, [0, *pauses, len(words)]))
    return made


def _mark_imperatives(sentence: Sentence, words: list[str], starts: set[int]) -> None:
    for at, (place, found) in enumerate(sentence.marks):
        if not found & _ACT:
            continue
        first = place
        while first not in starts and words[first - 1] in _COURTESY:
            first -= 1
        if first in starts or is_cjk(words[place]):
            sentence.marks[at] = place, found | _DO
            sentence.union |= _DO


def _told(sentence: Sentence, bounds: list[int]) -> Iterator[tuple[int, int]]:
    """The clauses that begin with a person as their subject."""
    people = sentence.places(_ME)
    for first, last in pairwise(bounds):
        at = bisect_left(people, first)
        if at < len(people) and people[at] < min(first + _OPENS, last):
            yield first, last


def _is_no_ai(words: list[str], place: int) -> bool:
    """ "ai" is a verb in French ("j'ai") and a preposition in Italian."""
    return (place > 0 and words[place - 1] in ("j", "n", "l", "t", "en", "y")) or _is_italian(words, place)


def _is_italian(words: list[str], place: int) -> bool:
    return not _ITALIAN.isdisjoint(words[max(0, place - 8) : place + 8])


def _near(place: int, others: list[int], span: int, itself: bool) -> bool:
    """Whether one of the ascending `others` is at most `span` from `place`, and not there itself unless it may be."""
    at = bisect_left(others, place - span)
    if not itself and at < len(others) and others[at] == place:
        at += 1
    return at < len(others) and others[at] <= place + span
