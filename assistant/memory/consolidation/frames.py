"""What a clause says of somebody: an attribute and its value ("lives in": Lisbon)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from assistant.memory.consolidation import asian
from assistant.memory.consolidation.common import COUNTRIES, JOBS
from assistant.memory.consolidation.language import Language, facts, group_name
from assistant.memory.consolidation.language import words as word_set
from assistant.memory.consolidation.times import BETWEEN
from assistant.memory.consolidation.tokens import Token, unaccented

Polarity = Literal["holds", "not", "over"]

USER = "user"

SINGLE = word_set(
    "residence employer job age phone email address car diet relationship favourite count rent salary weight "
    "height size "
    "time_zone operating_system deadline pin school bank major"
)
"""Attributes of which one has one at a time: a new value takes the place of the old one."""

FIXED = frozenset({"birth", "origin"})
"""Attributes that never change: another value is a correction, and a person must say so."""

KIN = frozenset({"wife", "husband", "partner", "boss", "doctor", "dentist", "landlord"})
"""Those of whom one has one at a time: their name is a single value."""

LEFT_PLACES = frozenset({"residence", "employer"})
"""What somebody may mean who "left" a place."""

_LEFT = {
    "residence_left": "place",
    "employer_left": "place",
    "activity_left": "activity",
    "partner_left": "name",
}
_LISTS = frozenset({"likes", "dislikes", "speaks", "allergy", "favourite"})
_AND = frozenset({"and", "und", "et", "y", "e"})
_MEASURED = word_set("phone email address age rent salary weight height size pin")
_PLACING = word_set("on in at with from am im an auf bei mit nach von avec chez en con da")
_TOGETHER = word_set("we wir nous noi nosotros nosotras")
_NEW = word_set(
    "new neuer neue neues neuen neuem nouveau nouvel nouvelle nuevo nueva nuovo nuova current aktueller "
    "aktuelle actuel "
    "actuelle actual attuale"
)
_MOST_WORDS = 6
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Frame:
    """An attribute of somebody, and its value.

    Attributes:
        attribute: a name of SINGLE or FIXED, or another; "my:N" for the N that somebody has one of.
        subject: "user", or whom it is of.
        value: words in their usual form.
        polarity: it holds, does not, or does no more.
        extras: what the clause says beside it (since when, with whom).
        fresh: it says itself that the value is new.
        named: the value is a name.
        amount: the value is a number or a time.
    """

    attribute: str
    subject: str
    value: tuple[str, ...]
    polarity: Polarity = "holds"
    extras: frozenset[str] = frozenset()
    fresh: bool = False
    named: bool = False
    amount: bool = False


def frames_of(
    tokens: Sequence[Token], language: Language, *, caseless: bool, loose: bool = False
) -> tuple[Frame, ...]:
    """What a clause says; empty where no pattern fits it as a whole.

    Args:
        caseless: capitals say nothing about what is a name.
        loose: take any value for what it may be.
    """
    denials = [token for token in tokens if token.kind in {"not", "over"}]
    if len(denials) > 1 or any(token.word in {"never", "without"} for token in denials):
        return ()
    polarity: Polarity = "holds" if not denials else "over" if denials[0].kind == "over" else "not"
    kept = without_fillers([token for token in tokens if token.kind not in {"not", "over"}], language)
    if denials and language.name == "en":
        kept = [token for token in kept if token.plain not in {"do", "does"}]
    text = unaccented(" ".join(token.plain for token in kept))
    if not text or len(text) > _LONGEST:
        return ()
    starts = [0]
    for token in kept:
        starts.append(starts[-1] + len(token.plain) + 1)
    for pattern in language.facts:
        match = _compiled(pattern).fullmatch(text)
        if match is None:
            continue
        groups: dict[str, list[Token]] = {}
        for name, found in match.groupdict().items():
            if found:
                inside = _inside(kept, starts, *match.span(name))
                groups.setdefault(group_name(name), []).extend(inside)
        frames = tuple(_frames(kept, groups, polarity, language, caseless, loose))
        if frames:
            return frames
    return ()


def asian_frames(plain: str, language: str) -> tuple[Frame, ...]:
    """As frames_of, for text without spaces (see asian.plain)."""
    over, denied = bool(asian.OVER.search(plain)), len(asian.DENIAL.findall(asian.OVER.sub("", plain)))
    if over and language == "zh":
        plain, denied = asian.OVER.sub("", plain), 0
    elif over or denied:
        return ()
    for pattern in _asian_patterns(language):
        match = _compiled(pattern).fullmatch(plain)
        if match is None:
            continue
        found = {group_name(name): value for name, value in match.groupdict().items() if value}
        attribute = "favourite:" + found.pop("favourite_of") if "favourite_of" in found else ""
        [(name, value)] = found.items()
        return (
            Frame(
                attribute or name,
                USER,
                (value,),
                "over" if over else "holds",
                named=name in {"residence", "employer", "name"},
                amount=value.isdigit(),
            ),
        )
    return ()


def is_single(frame: Frame) -> bool:
    """Whether one has one value of it at a time."""
    kind = frame.attribute.partition(":")[0]
    if kind == "name":
        return frame.subject == USER or frame.subject in KIN
    return kind in SINGLE


@cache
def _asian_patterns(language: str) -> tuple[str, ...]:
    return facts(asian.FACTS[language])


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def _frames(
    tokens: Sequence[Token],
    groups: Mapping[str, list[Token]],
    polarity: Polarity,
    language: Language,
    caseless: bool,
    loose: bool,
) -> Iterator[Frame]:
    subject = _subject(groups.get("who"), language)
    if subject is None:
        return
    extras = {word for token in groups.get("tail", ()) for word in _words([token], language)}
    if _TOGETHER & {token.plain for token in tokens}:
        extras.add("we")
    left = {name: value for name, value in groups.items() if name in _LEFT}
    holds = {
        name: value
        for name, value in groups.items()
        if name not in _LEFT and name not in {"who", "tail", "fresh", "mine", "favourite_of", "count_of"}
    }
    if not holds:
        for name, value in left.items():
            words = _value(value, language, name)
            if words:
                yield Frame(_LEFT[name], subject, words, "over", frozenset(extras))
        return
    for value in left.values():
        extras |= {f"left {word}" for word in _words(value, language)}
    made = []
    for name, value in holds.items():
        words = _value(value, language, name)
        attribute = _attribute(name, groups, value, words, language, caseless, loose)
        if not words or attribute is None:
            return
        named = any(token.named or token.capital for token in value) and language.name != "de"
        frame = Frame(
            attribute,
            subject,
            words,
            polarity,
            frozenset(extras),
            "fresh" in groups,
            named or attribute.startswith("name"),
            all(
                token.kind in {"number", "time"}
                for token in value
                if token.plain not in language.silent | BETWEEN
            ),
        )
        if attribute in KIN:
            frame = Frame("name", attribute, words, polarity, frame.extras, frame.fresh, True, False)
        made.append(frame)
    yield from made


def _attribute(
    name: str,
    groups: Mapping[str, list[Token]],
    value: list[Token],
    words: tuple[str, ...],
    language: Language,
    caseless: bool,
    loose: bool,
) -> str | None:
    """The name of the attribute that a group of a pattern stands for; None when the value can't be one of it."""
    named = caseless or any(token.named or token.capital for token in value)
    if name in {"residence", "employer"}:
        # "I live in fear", "I work for 8 hours" name no place.
        return name if named and value[0].kind == "word" else None
    if name == "maybe_job":
        text = unaccented(" ".join(token.plain for token in value))
        return "job" if text.split() and text.split()[-1] in JOBS[language.name] else None
    if name == "maybe_car":
        return "car" if named else None
    if name in {"favourite", "count"}:
        of = _words(groups.get(f"{name}_of", []), language)
        return f"{name}:{' '.join(of)}" if 0 < len(of) <= 2 and not language.joins & set(of) else None
    if name == "mine_value":
        noun = unaccented(" ".join(token.plain for token in groups.get("mine", [])))
        known = language.nouns.get(noun)
        if known is not None and (loose or _suits(known, value, language)):
            return known
        usual = _words(groups.get("mine", []), language)
        return f"my:{' '.join(usual)}" if 0 < len(usual) <= 3 and "my" not in usual else None
    return name


def _suits(attribute: str, value: list[Token], language: Language) -> bool:
    """Whether a value can be one of an attribute: "my car is red" and "my boss is on holiday" give none."""
    if attribute == "deadline":
        return any(token.kind in {"number", "time"} for token in value)
    if attribute in _MEASURED:
        return any(token.kind == "number" or "@" in token.plain for token in value)
    if attribute == "job":
        return unaccented(value[-1].plain) in JOBS[language.name]
    named = any(token.capital and token.kind == "word" for token in value)
    return attribute == "diet" or (named and value[0].plain not in _PLACING)


def _value(tokens: list[Token], language: Language, name: str) -> tuple[str, ...]:
    """A value in its usual form; empty when it is none (too long, a clause)."""
    words = _words(tokens, language)
    if len(words) > _MOST_WORDS:
        return ()
    joined = [word for word in words if word in language.joins]
    if joined and (group_name(name) not in _LISTS or not set(joined) <= _AND):
        return ()
    if joined:
        words = sorted(word for word in words if word not in language.joins)
    return tuple(singular(word, language.name) if group_name(name) in _LISTS else word for word in words)


def singular(word: str, language: str) -> str:
    """A noun without the ending of many, in languages where it is a plain s."""
    if language not in {"en", "fr", "es"} or len(word) < 4 or not word.endswith("s") or word.endswith("ss"):
        return word
    return word[:-3] + "y" if language == "en" and word.endswith("ies") and len(word) > 4 else word[:-1]


def _words(tokens: Sequence[Token], language: Language) -> list[str]:
    found = [
        token.word.removesuffix("'s")
        for token in tokens
        if token.named or token.kind != "word" or token.plain not in language.silent
    ]
    return found or [token.word for token in tokens]


def _subject(who: list[Token] | None, language: Language) -> str | None:
    """Whom a clause is about; None when it can't be told."""
    if not who:
        return USER
    words = [
        token.word.removesuffix("'s")
        for token in who
        if token.plain not in language.mine and token.plain not in language.silent and token.plain not in _NEW
    ]
    if not words or words == ["user"]:
        return USER
    text = " ".join(words)
    attribute = language.nouns.get(unaccented(text))
    return attribute if attribute in KIN else text


def _inside(tokens: list[Token], starts: list[int], begin: int, end: int) -> list[Token]:
    """The tokens of a part of the text; of one that begins before it, the rest."""
    found = []
    for token, at in zip(tokens, starts, strict=False):
        if begin <= at < end:
            found.append(token)
        elif at < begin < at + len(token.plain):
            rest = token.plain[begin - at :]
            found.append(Token(rest, rest))
    return found


def without_fillers(tokens: list[Token], language: Language) -> list[Token]:
    text = unaccented(" ".join(token.plain for token in tokens))
    gone: set[int] = set()
    for match in language.fillers.finditer(text):
        first = text[: match.start()].count(" ")
        gone.update(range(first, first + len(match[0].split())))
    kept = [token for place, token in enumerate(tokens) if place not in gone or token.named]
    return kept or tokens


def is_land(words: Sequence[str]) -> bool:
    """Whether a value is the name of a land, in which a town of another value may lie."""
    return " ".join(words) in COUNTRIES
