"""How a new statement relates to a known one, by rules.

Two statements are never the same that differ in a number, a time, a name, a denial or whom they are about: what looks
alike to a model of meaning ("allergic to peanuts", "not allergic to peanuts") is told apart here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Literal

from assistant.memory.consolidation.common import BY_NAME
from assistant.memory.consolidation.frames import FIXED, LEFT_PLACES, Frame, is_land, is_single
from assistant.memory.consolidation.reading import Reading
from assistant.memory.consolidation.wording import same_words, words_of

Kind = Literal["same", "update", "conflict", "near", "different"]
"""same: it says what is known. update: a new value of what is known. conflict: it may be one. near: much in common, and
rules can't tell. different: nothing to do with it."""

_NEAR = 0.5
_OPPOSED_ATTRIBUTES = ({"likes", "dislikes"},)
_PARTED = frozenset({"wife", "husband", "partner"})


@dataclass(frozen=True, slots=True)
class Relation:
    """How a new statement relates to a known one.

    Attributes:
        kind: see Kind.
        reason: in plain words.
    """

    kind: Kind
    reason: str = ""


SAME = Relation("same", "It is known already.")
DIFFERENT = Relation("different")
NEWER = Relation("update", "It is newer than what is known.")
OVER = Relation("update", "It says that this is no longer so.")
MORE = Relation("update", "It says the same in more detail.")
DENIED = Relation("conflict", "It says the opposite of what is known.")
OTHER_NUMBER = Relation("conflict", "Only a number is different from what is known.")
OTHER_TIME = Relation("conflict", "Only a time is different from what is known.")
OPPOSITE = Relation("conflict", "It may contradict what is known.")
OTHER_VALUE = Relation("conflict", "It gives another value than what is known.")
PARTLY = Relation("conflict", "It changes a part of what is known.")


def related(known: Reading, new: Reading, *, current: bool = True) -> Relation:
    """How `new` relates to `known`.

    Args:
        current: `new` is meant to hold now; otherwise it takes nobody's place.
    """
    if known.key == new.key:
        return SAME
    by_frames = _by_frames(known, new, current)
    if by_frames is not None:
        return by_frames
    if same_details(known, new) and same_words(known, new):
        return SAME
    return _by_words(known, new, current)


def same_details(one: Reading, other: Reading) -> bool:
    """Whether numbers, times, names and denials are the same."""
    return (
        one.numbers == other.numbers
        and one.times == other.times
        and one.denials == other.denials
        and _named(one, other) == _named(other, one)
    )


def opposed(one: Reading, other: Reading) -> bool:
    """Whether words in which they differ exclude each other."""
    if one.language != other.language or one.language not in BY_NAME:
        return False
    mine, theirs = _bag(one), _bag(other)
    only, others = set(mine - theirs), set(theirs - mine)
    return any(only & group and others & group for group in BY_NAME[one.language].opposites)


def overlap(one: Reading, other: Reading) -> float:
    """The share of words that both have, 0..1."""
    mine, theirs = _bag(one), _bag(other)
    both = sum((mine & theirs).values())
    return 2 * both / max(sum(mine.values()) + sum(theirs.values()), 1)


def subjects(reading: Reading) -> frozenset[str]:
    """Whom a statement is about, as far as that was understood."""
    return frozenset(frame.subject for frame in reading.frames)


# ---- inside


def _by_frames(known: Reading, new: Reading, current: bool) -> Relation | None:
    if not known.frames or not new.frames:
        return None
    found = [_frame_pair(old, frame, current) for frame in new.frames for old in known.frames]
    whole = _is_whole(known) and _is_whole(new)
    if whole and _same_frames(known, new):
        return _same_values(known, new, current)
    decided = [
        relation for relation in found if relation is not None and relation.kind in {"update", "conflict"}
    ]
    if not decided:
        return None
    updates = [relation for relation in decided if relation.kind == "update"]
    if updates and len(known.clauses) > 1:
        # The rest of it may still hold.
        return PARTLY
    return updates[0] if updates else decided[0]


def _frame_pair(old: Frame, new: Frame, current: bool) -> Relation | None:
    """What a new value means for an old one; None when nothing."""
    if old.subject != new.subject:
        parted = new.attribute == "name" and new.polarity == "over" and old.subject in _PARTED
        return OVER if parted and current and old.value == new.value else None
    if {old.attribute, new.attribute} in _OPPOSED_ATTRIBUTES and old.value == new.value:
        return DENIED if old.polarity == new.polarity == "holds" else None
    if new.attribute == "place" and old.attribute in LEFT_PLACES:
        return OVER if current and old.polarity == "holds" and old.value == new.value else None
    if old.attribute != new.attribute:
        return None
    if old.value == new.value:
        if old.polarity == new.polarity:
            return None
        if not current:
            return None
        if new.polarity == "over" and old.polarity == "holds":
            return OVER
        return NEWER if old.polarity == "over" and new.polarity == "holds" else DENIED
    if old.polarity != "holds" or new.polarity != "holds" or not current:
        return None
    return _other_value(old, new)


def _other_value(old: Frame, new: Frame) -> Relation | None:
    if new.attribute == "residence" and is_land(old.value) != is_land(new.value):
        return None
    if is_single(new):
        return NEWER
    if new.attribute in FIXED:
        same_kind = old.amount == new.amount
        return OTHER_VALUE if same_kind else None
    if new.attribute.startswith("my:"):
        if new.fresh or (old.amount and new.amount):
            return NEWER
        return OTHER_VALUE if old.named and new.named else None
    return OTHER_VALUE if new.attribute == "name" else None


def _is_whole(reading: Reading) -> bool:
    """Whether its frames say all that it says."""
    return len(reading.clauses) <= 1 and bool(reading.frames)


def _same_frames(known: Reading, new: Reading) -> bool:
    def values(reading: Reading) -> Counter[tuple[str, str, tuple[str, ...], str]]:
        return Counter((f.attribute, f.subject, f.value, f.polarity) for f in reading.frames)

    return values(known) == values(new)


def _same_values(known: Reading, new: Reading, current: bool) -> Relation | None:
    """What is said beside equal values decides."""
    old_extras = frozenset().union(*(frame.extras for frame in known.frames))
    extras = frozenset().union(*(frame.extras for frame in new.frames))
    if extras == old_extras:
        return SAME
    if not extras:
        # It says less than what is known, so nothing is lost.
        return SAME
    if not old_extras and current:
        return MORE
    return None


def _by_words(known: Reading, new: Reading, current: bool) -> Relation:
    if known.language != new.language:
        return DIFFERENT
    if known.plain or new.plain:
        return _by_characters(known, new)
    if current and not known.denials and _left_over(known, new):
        return OVER
    if known.denials != new.denials:
        if _without_denials(known) == _without_denials(new):
            return DENIED
    elif _named(known, new) == _named(new, known):
        if known.numbers != new.numbers and known.times == new.times and _like_but(known, new, {"number"}):
            return OTHER_NUMBER
        if known.times != new.times and known.numbers == new.numbers and _like_but(known, new, {"time"}):
            return OTHER_TIME
    if overlap(known, new) < _NEAR:
        return DIFFERENT
    return OPPOSITE if opposed(known, new) and overlap(known, new) >= 0.6 else Relation("near")


def _by_characters(known: Reading, new: Reading) -> Relation:
    one, other = set(known.plain), set(new.plain)
    alike = 2 * len(one & other) / max(len(one) + len(other), 1)
    if alike < _NEAR:
        return DIFFERENT
    if known.denials != new.denials and alike >= 0.75:
        return DENIED
    return Relation("near")


def _left_over(known: Reading, new: Reading) -> bool:
    """Whether `new` says that what is known is no more: "I no longer smoke", "I quit smoking"."""
    activity = [frame for frame in new.frames if frame.attribute == "activity"]
    if activity:
        old = {_root(word) for word in words_of(known.content)}
        return any({_root(word) for word in frame.value} == old for frame in activity)
    return new.is_over and _without_denials(known) == _without_denials(new)


def _root(word: str) -> str:
    bare = word.removesuffix("ing") if len(word) > 5 else word
    return bare.rstrip("e")


def _without_denials(reading: Reading) -> list[str]:
    """The words without those that deny, and without "do", which comes with them."""
    return sorted(words_of([token for token in reading.content if token.kind not in {"not", "over"}]))


def _like_but(known: Reading, new: Reading, kinds: set[str]) -> bool:
    def rest(reading: Reading) -> list[str]:
        return words_of([token for token in reading.content if token.kind not in kinds])

    return bool(rest(known)) and rest(known) == rest(new)


def _named(one: Reading, other: Reading) -> frozenset[str]:
    """The words of `one` that either writes as a name."""
    plain = {
        token.plain.removesuffix("'s")
        for clause in one.clauses
        for token in clause.tokens
        if token.kind == "word"
    }
    if not one.clauses:
        return one.names
    # A name that begins one text may stand inside the other.
    return frozenset(plain & (one.names | other.names))


def _bag(reading: Reading) -> Counter[str]:
    return Counter(words_of(reading.content))


def about_the_same(one: Reading, other: Reading) -> bool:
    """Whether nothing says that they are about different people."""
    mine, theirs = subjects(one), subjects(other)
    return not mine or not theirs or bool(mine & theirs)
