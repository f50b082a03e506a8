"""The notions that orders to an assistant are made of, whatever the language, and the words that stand for them.

A lexicon gives words for each notion. `word*` stands for every word that begins so, `a_b` for two words that follow
each other; both may be mixed. Rules are written over notions, once for all languages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntFlag, auto
from functools import reduce
from operator import or_

from assistant.memory.caution.folding import fold


class Notion(IntFlag):
    """One bit each; a word may stand for several."""

    # who
    ME = auto()  # a person speaks or is spoken of: I, we, my, she
    YOU = auto()
    YOUR = auto()
    AI = auto()
    MACHINE = auto()  # assistant, agent, model: an AI or a person
    USER = auto()
    ANYBODY = auto()
    ADMIN = auto()
    AUTHORITY = auto()
    # what governs an assistant
    PROMPT = auto()
    LIMIT = auto()
    POLICY = auto()
    SYSTEM = auto()
    PRIOR = auto()
    ABOVE = auto()
    EVERYTHING = auto()
    CHECK = auto()
    MODE = auto()
    TASK = auto()
    NEW = auto()
    # what is done to it
    IGNORE = auto()
    LIFTED = auto()
    EXEMPT = auto()
    APPLY = auto()
    UNBOUND = auto()
    WITHOUT = auto()
    NOT = auto()
    ROLEPLAY = auto()
    EVIL = auto()
    BECOME = auto()
    COMPLY = auto()
    FOLLOW = auto()
    DECODE = auto()
    # what is asked of it
    REVEAL = auto()
    RECITE = auto()
    SEND = auto()
    COLLECT = auto()
    DESTROY = auto()
    CALL = auto()
    STORE = auto()
    INSERT = auto()
    START = auto()
    TELL = auto()
    ASK = auto()
    READ = auto()
    PROCEED = auto()
    ACT = auto()  # does something that a reply does not: pay, unlock, approve
    DO = auto()  # the same at the beginning of a clause, where an imperative stands
    TRUST = auto()
    GRANT = auto()
    PERMIT = auto()
    TOLD = auto()  # what the assistant was given before
    # on what
    HIDDEN = auto()
    SECRET = auto()
    DATA = auto()
    OUTPUT = auto()
    EDGE = auto()
    TEXT = auto()
    MEMORY = auto()
    ADDRESS = auto()  # note, notice, attention: speaks to somebody
    COVERT = auto()
    # when and how strongly
    MUST = auto()
    EACH = auto()
    ALWAYS = auto()
    NOW_ON = auto()
    WHEN = auto()
    BEFORE = auto()
    AS_AI = auto()
    REASONED = auto()
    AFFIRM = auto()
    # kinds of token
    PLACE = auto()  # an address of mail or of the web
    TOOL = auto()
    PATH = auto()
    COMPOUND = auto()  # one word that is several, as in German
    # what is nobody else's business
    HEALTH = auto()
    MONEY = auto()
    IDENTITY = auto()
    INTIMATE = auto()
    WORTH = auto()  # a word that is about money when an amount stands near it
    AMOUNT = auto()


Lexicon = Mapping[Notion, str]

_UMLAUTS = (("ä", "ae"), ("ö", "oe"), ("ü", "ue"))
_CJK = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_SHORTEST_STEM = 3
_LONGEST_STEM = 16
_LONG_WORD = 9
_MISTYPED_LENGTH = 6


@dataclass(slots=True)
class Phrase:
    """Words in a row after a first one.

    Attributes:
        rest: the words after the first; one that ends in * matches what begins so.
        notions: what the whole stands for.
    """

    rest: tuple[str, ...]
    notions: int


@dataclass(slots=True)
class Vocabulary:
    """Lexicons made ready for look-up.

    Attributes:
        words, stems: notions of whole words and of beginnings.
        phrases: by their first word; those that begin with a stem are under that stem.
        inner: notions of what may stand anywhere within a long compound.
        inner_pattern: finds those.
        scrambled: notions of words by what is left of them when they are mistyped (see `_mistyped`).
        characters: notions of words of scripts without spaces.
        character_pattern: finds those, longest first.
    """

    words: dict[str, int] = field(default_factory=dict)
    stems: dict[str, int] = field(default_factory=dict)
    phrases: dict[str, list[Phrase]] = field(default_factory=dict)
    stem_phrases: dict[str, list[Phrase]] = field(default_factory=dict)
    inner: dict[str, int] = field(default_factory=dict)
    inner_pattern: re.Pattern[str] = re.compile("(?!)")
    scrambled: dict[str, int] = field(default_factory=dict)
    characters: dict[str, int] = field(default_factory=dict)
    character_pattern: re.Pattern[str] = re.compile("(?!)")

    def notions_of(self, word: str) -> int:
        """The notions of one folded word."""
        found = self.words.get(word, 0)
        if len(word) >= _SHORTEST_STEM:
            stems = self.stems
            for length in range(_SHORTEST_STEM, min(len(word), _LONGEST_STEM) + 1):
                found |= stems.get(word[:length], 0)
            if len(word) >= _LONG_WORD:
                for part in self.inner_pattern.findall(word):
                    found |= self.inner[part] | Notion.COMPOUND.value
        if not found and _MISTYPED_LENGTH <= len(word) <= _LONGEST_STEM and word.isascii():
            for spelling in _mistyped(word):
                found |= self.scrambled.get(spelling, 0)
        return found

    def phrases_at(self, words: list[str], place: int) -> Iterable[tuple[int, int]]:
        """Notions of the phrases that begin at `place`, each with its number of words."""
        word = words[place]
        lists = [self.phrases[word]] if word in self.phrases else []
        for length in range(_SHORTEST_STEM, min(len(word), _LONGEST_STEM) + 1):
            stem = word[:length]
            if stem in self.stem_phrases:
                lists.append(self.stem_phrases[stem])
        for phrases in lists:
            for phrase in phrases:
                end = place + 1 + len(phrase.rest)
                if end <= len(words) and all(
                    _matches(there, wanted)
                    for there, wanted in zip(words[place + 1 : end], phrase.rest, strict=True)
                ):
                    yield phrase.notions, len(phrase.rest) + 1


def compile_vocabulary(
    lexicons: Iterable[Lexicon], compounds: Lexicon, mistyped: Iterable[str] = ()
) -> Vocabulary:
    """One vocabulary of all lexicons.

    Args:
        compounds: stems that count wherever they stand within a long word, as in German.
        mistyped: words that are known with two letters exchanged, one missing or one too many.
    """
    made = Vocabulary()
    for lexicon in lexicons:
        for notion, entries in lexicon.items():
            for entry in entries.split():
                for spelling in _spellings(entry):
                    _add(made, spelling, notion.value)
    for notion, entries in compounds.items():
        for entry in entries.split():
            for spelling in _spellings(entry):
                made.inner[spelling] = made.inner.get(spelling, 0) | notion.value
    made.inner = {
        part: reduce(or_, (notions for other, notions in made.inner.items() if other in part))
        for part in made.inner
    }
    for word in mistyped:
        notions = made.notions_of(word)
        for spelling in _mistyped(word):
            made.scrambled[spelling] = made.scrambled.get(spelling, 0) | notions
    made.inner_pattern = _alternatives(made.inner)
    made.character_pattern = _alternatives(made.characters)
    return made


def _mistyped(word: str) -> Iterable[str]:
    """Keys that a word shares with its misspellings: its letters in any order between first and last, and the word
    with one letter less."""
    yield f"{word[0]}{''.join(sorted(word[1:-1]))}{word[-1]}"
    for place in range(1, len(word)):
        yield word[:place] + word[place + 1 :]


def is_cjk(word: str) -> bool:
    """Whether a word has characters of a script that writes no spaces between words."""
    return _CJK.search(word) is not None


def _alternatives(words: Iterable[str]) -> re.Pattern[str]:
    ordered = sorted(words, key=len, reverse=True)
    return re.compile("|".join(map(re.escape, ordered)) or "(?!)")


def _spellings(entry: str) -> set[str]:
    plain = fold(entry)
    spelled = entry
    for umlaut, letters in _UMLAUTS:
        spelled = spelled.replace(umlaut, letters)
    return {plain, fold(spelled)}


def _add(made: Vocabulary, entry: str, notions: int) -> None:
    if is_cjk(entry):
        entry = entry.replace("_", "")
        made.characters[entry] = made.characters.get(entry, 0) | notions
        return
    first, *rest = entry.split("_")
    if rest:
        home = made.stem_phrases if first.endswith("*") else made.phrases
        home.setdefault(first.rstrip("*"), []).append(Phrase(tuple(rest), notions))
    elif first.endswith("*"):
        stem = first[:-1]
        made.stems[stem] = made.stems.get(stem, 0) | notions
    else:
        made.words[first] = made.words.get(first, 0) | notions


def _matches(word: str, wanted: str) -> bool:
    return word.startswith(wanted[:-1]) if wanted.endswith("*") else word == wanted
