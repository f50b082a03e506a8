"""What a question says, read so that two of them can be compared."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assistant.cache.english import STATEMENT, english_form
from assistant.cache.languages import ENGLISH, Language, denials, depends_on_the_moment, language_of
from assistant.cache.normal import normal_form
from assistant.cache.tokens import folded_tokens, names_in
from assistant.cache.word_lists import word_set

LONGEST = 1_000
"""Characters of a question that is compared by meaning; a longer one has too much to differ in."""
_CODE = re.compile(r"[\n\r\t`{}<>=\\|~^_]|\w\(")
_APOSTROPHES = str.maketrans({"’": "'", "ʼ": "'", "‘": "'"})
_AIDS = word_set("can could will would")
EMPTY = word_set("its that so also there thing")
PLACES = word_set("of for in at")
_EXPLETIVE = re.compile(r"\bit (?:\S+ ){0,2}?(?:to|that|if|like|when|for)\b|\bit (?:take|cost|rain|snow)s?\b")


@dataclass(frozen=True, slots=True)
class Reading:
    """A question as the cache sees it.

    Attributes:
        exact: its normal form; equal for two askings of the very same question.
        passing: its answer changes as time goes by ("today", "the latest"), so that none is kept.
        language: two letters, empty when it can't be told.
        form: kind of sentence and words, without the wording; empty when it is compared by `exact` alone.
        gist: the words that carry the meaning, in one order; empty like `form`.
        leans: it goes on from something said before ("And in winter?", "How do I fix it?").
        denied: its denials, in their order.
    """

    exact: str
    passing: bool
    language: str
    form: tuple[str, ...]
    gist: tuple[str, ...]
    leans: bool
    denied: tuple[str, ...]


def read_question(question: str) -> Reading:
    """Read `question`, which must be valid Unicode."""
    exact = normal_form(question)
    text = question.translate(_APOSTROPHES).strip(" \t•*–—-").replace("(s)", "s")
    lower = text.lower()
    passing = depends_on_the_moment(lower)
    if len(text) > LONGEST or _CODE.search(text):
        return Reading(exact, passing, "", (), (), False, ())
    words = folded_tokens(text)
    if not words:
        return Reading(exact, passing, "", (), (), False, ())
    denied = denials(words)
    if denied:
        # A comma or a full stop beside a denial can turn it round.
        words = folded_tokens(text.rstrip(" .?!…"), pauses=True)
    language = language_of(words)
    form = tuple(_form(words, text, language))
    gist = tuple(sorted(stem(word) for word in form if word not in EMPTY and word not in PLACES))
    leans = language is not None and _leans(lower, words, language)
    return Reading(
        exact, passing, "" if language is None else language.name, form, gist, leans, tuple(denied)
    )


def _form(words: list[str], text: str, language: Language | None) -> list[str]:
    asks = text.rstrip(" !.…").endswith("?")
    if language is ENGLISH:
        kind, *rest = english_form(words, names_in(text))
        doubts = asks and kind == STATEMENT and words[0] not in _AIDS
        return ["doubt" if doubts else kind, *rest]
    polite = words if language is None else language.courtesy.sub(" ", " ".join(words)).split()
    return ["question" if asks else STATEMENT, *polite]


def stem(word: str) -> str:
    """`word` without -ing; only ever compared together with the rest of the sentence."""
    if len(word) > 5 and word.endswith("ing") and word.isalpha():
        word = word[:-3]
        if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
            word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


def _leans(lower: str, words: list[str], language: Language) -> bool:
    if language.opens_follow_up.match(lower.lstrip("¿¡ ")):
        return True
    subjects = 0
    for word in words:
        if word in language.points and not (word == "it" and _EXPLETIVE.search(lower)) and not subjects:
            return True
        subjects += len(word) > 3 and word not in language.evidence and word.isalpha()
    return False
