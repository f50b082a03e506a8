"""Whether two clauses say the same in other words, or the same words in another order."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.memory.consolidation.common import BY_NAME
from assistant.memory.consolidation.language import Language
from assistant.memory.consolidation.reading import Clause, Reading
from assistant.memory.consolidation.times import BETWEEN, BOUNDS
from assistant.memory.consolidation.tokens import Token

_AND = frozenset({"and", "und", "et", "y", "e"})


def same_words(one: Reading, other: Reading) -> bool:
    """Whether both have the same words, but for small ones, forms of a word, words of the same sense, the place of a
    time, the sides of an "is", and the order around an "and"."""
    if one.language != other.language:
        return False
    if one.plain or other.plain:
        return bool(one.plain) and one.plain == other.plain
    if not one.clauses or len(one.clauses) != len(other.clauses):
        return False
    language = BY_NAME[one.language]
    return all(_same(a, b, language) for a, b in zip(one.clauses, other.clauses, strict=True))


def words_of(tokens: Sequence[Token]) -> list[str]:
    """The usual forms of tokens."""
    return [token.word.removesuffix("'s") for token in tokens]


def _same(one: Clause, other: Clause, language: Language) -> bool:
    a, b = _in_line(one.content), _in_line(other.content)
    if not a or sorted(a) != sorted(b):
        return False
    if a == b or _moved(one.content, other.content):
        return True
    if language.name == "de" and (_turned(a, b) or _turned(b, a)):
        return all("ich" in {token.plain for token in clause.tokens} for clause in (one, other))
    sides, others = _sides(one, language), _sides(other, language)
    return sides is not None and others is not None and sides == others[::-1]


def _in_line(tokens: Sequence[Token]) -> list[str]:
    """The words in order; single words around an "and" by the alphabet."""
    words = words_of(tokens)
    for place in range(1, len(words) - 1):
        if words[place] in _AND and words[place - 1] > words[place + 1]:
            words[place - 1], words[place + 1] = words[place + 1], words[place - 1]
    return words


def _moved(one: Sequence[Token], other: Sequence[Token]) -> bool:
    """Whether only the one time of each stands elsewhere."""
    cut, cut_other = _time_cut(one), _time_cut(other)
    if cut is None or cut_other is None:
        return False
    (time, rest), (time_other, rest_other) = cut, cut_other
    return time == time_other and rest == rest_other and bool(rest)


def _turned(one: list[str], other: list[str]) -> bool:
    """Whether `other` has a part of `one` before its verb, as German may ("Kaffee trinke ich" for "ich trinke
    Kaffee")."""
    verb, rest = one[0], one[1:]
    at = other.index(verb)
    first = other[:at]
    return any(
        rest[place : place + at] == first and rest[:place] + rest[place + at :] == other[at + 1 :]
        for place in range(len(rest) - at + 1)
    )


def _time_cut(tokens: Sequence[Token]) -> tuple[list[str], list[str]] | None:
    """The time of a clause and the rest; None when there is none, or more than one."""
    places = [place for place, token in enumerate(tokens) if token.kind == "time"]
    if not places:
        return None
    first, last = places[0], places[-1]
    between = [token for token in tokens[first : last + 1] if token.kind != "time"]
    if any(token.plain not in BETWEEN | BOUNDS for token in between):
        return None
    while first > 0 and tokens[first - 1].plain in BETWEEN | BOUNDS:
        first -= 1
    span = tokens[first : last + 1]
    words = words_of([token for token in span if token.plain not in BETWEEN or token.kind == "time"])
    if not any(token.plain in BOUNDS for token in span):
        words.sort()
    return words, _in_line([*tokens[:first], *tokens[last + 1 :]])


def _sides(clause: Clause, language: Language) -> tuple[list[str], list[str]] | None:
    """The two sides of "my … is …", None for another clause."""
    places = [place for place, token in enumerate(clause.tokens) if token.plain in language.copulas]
    if len(places) != 1:
        return None
    left, right = clause.tokens[: places[0]], clause.tokens[places[0] + 1 :]
    if len([side for side in (left, right) if any(token.plain in language.mine for token in side)]) != 1:
        return None
    content = [id(token) for token in clause.content]

    def kept(side: Sequence[Token]) -> list[str]:
        return words_of([token for token in side if id(token) in content])

    return kept(left), kept(right)
