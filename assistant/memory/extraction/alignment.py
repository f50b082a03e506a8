"""Lays the words of a statement on the words of a message."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.memory.extraction import persons
from assistant.memory.extraction import word_lists as words
from assistant.memory.extraction.reading import Token

Miss = str
"""Where a statement and the message part: "number", "name", "date", "negation", "word" or "part"."""

_HARD = re.compile(r"[.!?;:…()\n\"“”„«»。！？；：，、¿¡]|\s[-–—]+\s|[–—]")
_SELF, _SELF_POSSESSIVE = "\0user", "\0user's"
_USER_WORDS = words.USER_NOUNS | words.FIRST_SUBJECT | words.word_set("me myself self speaker 用户 用 户")


@dataclass(frozen=True, slots=True)
class Alignment:
    """A statement found in a message.

    Attributes:
        first, last: the tokens of the message that it is, the second one exclusive.
        verbatim: it is those tokens and no others.
    """

    first: int
    last: int
    verbatim: bool


def is_about_user(subject: Sequence[Token]) -> bool:
    """Whether a subject means the person who speaks."""
    rest = [token.value for token in subject if token.value not in words.USER_ARTICLES or len(subject) == 1]
    return bool(rest) and all(value in _USER_WORDS for value in rest)


def aligned(told: Sequence[Token], said: Sequence[Token], first: int, last: int) -> Alignment | Miss:
    """Where a statement lies within a quote.

    Args:
        told: the statement's tokens, at least one.
        said: the message's.
        first, last: the quote among them.
    """
    values = _roles(told)
    shifted = values[0] == _SELF or _SELF in values or _SELF_POSSESSIVE in values
    cut = False
    for start in range(first, last):
        end = _follow(values, said, start, last, shifted)
        if end is None and values[0] == _SELF and _turned(values, said, start):
            # Where the verb alone says who speaks: "Tengo 51 años".
            end = _follow(values[1:], said, start, last, shifted)
        if end is None:
            continue
        if not _begins(said, start) or not _ends(said, end):
            cut = True
            continue
        left_out = [*range(first, start), *range(end, last)]
        lost = _lost(said, left_out)
        if lost is not None:
            return lost
        verbatim = values == [token.value for token in said[start:end]]
        return Alignment(start, end, verbatim)
    return "part" if cut else _difference(told, said, first, last)


def _roles(told: Sequence[Token]) -> list[str]:
    """The values of a statement, with "the user" and "the user's" as one each."""
    values: list[str] = []
    for token in told:
        if token.value in words.USER_NOUNS:
            if values and values[-1] in words.USER_ARTICLES:
                values.pop()
            if values and values[-1] == "l":
                values.pop()
            values.append(_SELF)
        elif token.value == "'s" and values and values[-1] == _SELF:
            values[-1] = _SELF_POSSESSIVE
        else:
            values.append(token.value)
    return values


def _follow(values: list[str], said: Sequence[Token], start: int, last: int, shifted: bool) -> int | None:
    """The end of the statement when it begins at `start`, None when it is not there."""
    place = start
    speaks = shifted or said[start].value not in words.FIRST_SUBJECT
    for number, value in enumerate(values):
        leads = speaks and number == 0
        while place < last and not _equal(value, said, place, shifted, leads):
            if number == 0 or said[place].value not in words.FILLERS:
                return None
            place += 1
        if place >= last:
            return None
        # "Lives in Rome with her son": the verb alone tells that somebody speaks of the person.
        shifted = shifted or (leads and value != said[place].value)
        place += 1
    return place


def _turned(values: list[str], said: Sequence[Token], start: int) -> bool:
    """Whether the second word is the verb at `start`, turned from the first into the third person."""
    return len(values) > 1 and values[1] in persons.third_person(said[start].value)


def _equal(value: str, said: Sequence[Token], place: int, shifted: bool, leads: bool) -> bool:
    spoken = said[place].value
    if value == spoken:
        return True
    if value == _SELF:
        return spoken in words.FIRST_SUBJECT or spoken in words.FIRST_OBJECT
    if value == _SELF_POSSESSIVE:
        return spoken in words.FIRST_POSSESSIVE
    if {value, spoken} == {"'s", "is"}:
        return True
    if shifted and persons.same_person(spoken, value):
        return True
    before = said[place - 1].value if place else ""
    if leads and spoken in words.FIRST_OBJECT and value in words.THIRD_OBJECT:
        return True
    if shifted or leads:
        in_place = persons.stands_before_verb(before) or (leads and _clause_begins(said, place))
        return in_place and value in persons.third_person(spoken)
    return False


def _begins(said: Sequence[Token], start: int) -> bool:
    """Whether a statement may begin at a token: the beginning of a clause, or the verb behind its subject."""
    if said[start].value in words.SUBORDINATORS and start and "," in said[start].gap:
        return False
    if _clause_begins(said, start):
        return True
    before = start - 1
    while before >= 0 and said[before].value in words.FILLERS and "," not in said[before + 1].gap:
        before -= 1
    if before >= 0 and persons.goes_with_subject(said[before].value):
        if _clause_begins(said, before):
            return said[before].value not in ("am", "are", "have")
        before -= 1
    return before >= 0 and said[before].value in words.FIRST_SUBJECT and _clause_begins(said, before)


def _clause_begins(said: Sequence[Token], place: int) -> bool:
    if place == 0:
        return True
    gap, before = said[place].gap, said[place - 1].value
    if any(token.value in words.SPEECH for token in said[max(0, place - 3) : place]) and not re.search(
        r"[.!?\n。！？]", gap
    ):
        return False
    if _HARD.search(gap) or "," in gap:
        return True
    if before in words.COORDINATORS:
        return True
    return before in words.OPENING_WORDS and _clause_begins(said, place - 1)


def _ends(said: Sequence[Token], end: int) -> bool:
    """Whether a statement may end before a token: nothing that follows can change what it says."""
    if end >= len(said):
        return True
    following = said[end]
    gap = following.gap
    if _HARD.search(gap):
        return following.value not in words.CONDITIONS or re.search(r"[.!?\n。！？]", gap) is not None
    if "," in gap:
        if following.value in words.COORDINATORS and _conditional(said, end + 1):
            return False
        named = following.capital and following.value not in words.FIRST_SUBJECT
        return following.value not in words.CONDITIONS and not named and following.kind != "number"
    if following.value in words.JOINS_WITHOUT_COMMA:
        return not _conditional(said, end + 1)
    return False


def _conditional(said: Sequence[Token], place: int) -> bool:
    return place < len(said) and said[place].value in words.CONDITIONS


def _lost(said: Sequence[Token], places: Sequence[int]) -> Miss | None:
    """What of a quote is missing in the statement and may not be."""
    for place in places:
        token = said[place]
        if token.kind == "number" or token.value.isdecimal():
            return "number"
        if token.value in words.NEGATIONS:
            return "negation"
        if token.value in words.DATE_WORDS:
            return "date"
        if _is_name(said, place):
            return "name"
    return None


def _is_name(said: Sequence[Token], place: int) -> bool:
    token = said[place]
    inside = place > 0 and not re.search(r"[.!?…\n:\"“”„«»]", token.gap)
    return token.capital and inside and token.value not in words.FIRST_SUBJECT


def _difference(told: Sequence[Token], said: Sequence[Token], first: int, last: int) -> Miss:
    """In which kind of word a statement differs most tellingly from a quote."""
    spoken = [token.value for token in said[first:last]]
    known = set(spoken)
    new = [token for token in told if token.value not in known]
    if any(token.kind == "number" or token.value.isdecimal() for token in new):
        return "number"
    denied = [token.value for token in told if token.value in words.NEGATIONS]
    if sorted(denied) != sorted(value for value in spoken if value in words.NEGATIONS):
        return "negation"
    if any(token.value in words.DATE_WORDS for token in new):
        return "date"
    if any(token.capital and place > 0 for place, token in enumerate(told) if token in new):
        return "name"
    return "word"
