"""Finds plain statements of a person about themselves, with no model.

Precise rather than complete: a clause is taken whole, in its own words, when it begins as such statements begin in
one of the languages, and nothing in it or around it speaks against it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import cast

from assistant.memory.extraction import unsaid
from assistant.memory.extraction.grounding import sift
from assistant.memory.extraction.languages.rule import Language, Rule
from assistant.memory.extraction.passages import passages_of
from assistant.memory.extraction.reading import tokens_of
from assistant.memory.extraction.validity import dated, is_dated
from assistant.memory.extraction.word_lists import languages_of
from assistant.memory.learning.base import Candidate, Extraction, Utterance

LONGEST_MESSAGE = 8_000
"""Characters of a message that are read: people write shorter ones about themselves."""

_LONGEST_CLAUSE = 300
_SHORTEST_CLAUSE = 4
_TABLES = {
    "en": "english",
    "de": "german",
    "fr": "french",
    "es": "spanish",
    "it": "italian",
    "pt": "portuguese",
    "zh": "chinese",
    "ja": "japanese",
}


class RulesExtractor:
    """Finds statements by rules; an Extractor that needs nothing but the message."""

    async def extract(self, utterance: Utterance) -> Extraction:
        """See Extractor.extract. A few milliseconds a message; a language takes a tenth of a second the first time."""
        return statements(utterance)


def statements(utterance: Utterance) -> Extraction:
    """The plain statements in a message; pure, and the same each time."""
    text = utterance.text[:LONGEST_MESSAGE]
    if unsaid.is_fiction(text) or unsaid.is_joke(text):
        return Extraction()
    found = sift(_found(text), utterance)
    return Extraction(tuple(dated(each, utterance) for each in found.candidates), found.dropped)


def is_passing(statement: str) -> bool:
    """Whether a statement is about a mood, a search or a trouble of the moment rather than anything that lasts."""
    tags = languages_of([token.value for token in tokens_of(statement)])
    tables = [_language(tag) for tag in tags if tag in _TABLES]
    return bool(tables) and all(
        table.passing.search(statement) or table.moods.search(statement) for table in tables
    )


@cache
def _language(tag: str) -> Language:
    name = _TABLES[tag]
    return cast(Language, getattr(import_module(f"{__package__}.languages.{name}"), name.upper()))


def _found(text: str) -> Iterator[Candidate]:
    passages = passages_of(text)
    for start, end in passages.sentences:
        if passages.is_foreign(start, end) or text[start] in "\"“„«»「'‘":
            continue
        sentence = text[start:end]
        if unsaid.is_question(sentence) or unsaid.is_command(sentence) or unsaid.is_supposed(sentence):
            continue
        # Languages that are near share many small words, and a short sentence has few.
        for tag in languages_of([token.value for token in tokens_of(sentence)], slack=1):
            if tag not in _TABLES:
                continue
            candidates = list(_in_sentence(text, start, end, _language(tag)))
            yield from candidates
            if candidates:
                break


def _in_sentence(text: str, start: int, end: int, language: Language) -> Iterator[Candidate]:
    for first, last in _clauses(text, start, end, language):
        clause = text[first:last]
        if not _SHORTEST_CLAUSE <= len(clause) <= _LONGEST_CLAUSE or language.passing.search(clause):
            continue
        rule, who = _matching(clause, language)
        if rule is not None:
            yield Candidate(clause, clause, kind=rule.kind, subject=who or "user", language=language.tag)


def _clauses(text: str, start: int, end: int, language: Language) -> Iterator[tuple[int, int]]:
    """The clauses of a sentence that can stand alone, without openers and final marks."""
    opener = language.openers.match(text, start, end)
    begin = start if opener is None else opener.end()
    place = begin
    while (joint := language.joints.search(text, place, end)) is not None:
        place = max(joint.end(), place + 1)
        if language.subject.match(text, joint.end(), end):
            yield _trimmed(text, begin, joint.start(), language)
            begin = joint.end()
    yield _trimmed(text, begin, end, language)


def _trimmed(text: str, start: int, end: int, language: Language) -> tuple[int, int]:
    tail = language.tails.search(text, start, end)
    return start, end if tail is None else tail.start()


def _matching(clause: str, language: Language) -> tuple[Rule | None, str | None]:
    for rule in language.rules:
        match = rule.pattern.match(clause)
        if match is not None and (not rule.needs_date or is_dated(clause)):
            return rule, match.groupdict().get("who")
    return None, None
