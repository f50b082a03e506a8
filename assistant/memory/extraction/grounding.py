"""Holds a candidate against the message: it may say nothing that the person did not say.

The statement must be a clause of the quote, word for word, from the beginning of a clause to its end. What may differ
is who speaks ("I live", "the user lives"), and that words which say nothing ("really") are left out. So no number,
name, date or denial can change, come or go, and no half of a sentence can pose as the whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from types import MappingProxyType

from assistant.memory.extraction import unsaid
from assistant.memory.extraction import word_lists as words
from assistant.memory.extraction.alignment import Miss, aligned, is_about_user
from assistant.memory.extraction.passages import Passages, passages_of
from assistant.memory.extraction.reading import Sought, Token, folded, tokens_of
from assistant.memory.learning.base import Candidate, Extraction, Utterance

LONGEST_MESSAGE = 20_000
"""Characters of a message in which quotes are looked for; what is longer was not written by hand."""
LONGEST_STATEMENT = 500
"""Characters of a statement."""
LONGEST_QUOTE = 1_000

NO_TEXT = "empty or too long"
NOT_SAID = "quote not in the message"
NOT_OWN = "not the person's own words"
PLACEHOLDER = "a placeholder"
QUESTION = "a question"
SUPPOSED = "only supposed"
FICTION = "a story, a role or a joke"
COMMAND = "an instruction"
TO_ASSISTANT = "speaks to the assistant"
UNRESOLVED = "does not say what it is about"
OTHER_LANGUAGE = "in another language"
NUMBER = "a number differs"
NAME = "a name differs"
DATE = "a date differs"
NEGATION = "a denial differs"
WORD = "a word that was not said"
PART = "only a part of what was said"
SUBJECT = "about something not in the message"
REPEATED = "said twice"


def no_statement(sentence: str) -> str | None:
    """Why a sentence states nothing; None for one that does."""
    if unsaid.is_question(sentence):
        return QUESTION
    if unsaid.is_command(sentence):
        return COMMAND
    if unsaid.is_supposed(sentence):
        return SUPPOSED
    return None


class Ground:
    """A message, read once, against which candidates are held.

    Args:
        utterance: the message.
    """

    def __init__(self, utterance: Utterance) -> None:
        self._text = utterance.text[:LONGEST_MESSAGE]
        self._sought = Sought(self._text)
        self._passages: Passages = passages_of(self._text)
        self._story = unsaid.is_fiction(self._text) or unsaid.is_joke(self._text)
        self.language = words.language_of([token.value for token in self._sought.tokens[:400]])

    def check(self, candidate: Candidate) -> Candidate | str:
        """The candidate with its quote as it stands in the message, or the reason why it is dropped.

        A statement in the words of the message becomes exactly those words.
        """
        content, quote = candidate.content.strip(), candidate.quote.strip()
        if not content or not quote or len(content) > LONGEST_STATEMENT or len(quote) > LONGEST_QUOTE:
            return NO_TEXT
        if any("\ud800" <= character <= "\udfff" for character in f"{content}{quote}{candidate.subject}"):
            return NO_TEXT
        if unsaid.is_blank(content) or unsaid.is_blank(quote):
            return PLACEHOLDER
        told = tokens_of(content)
        if not told:
            return NO_TEXT
        reasons: list[str] = []
        place, after = self._sought.place(quote), 0
        while place is not None:
            found = self._check_at(candidate, content, told, place)
            if isinstance(found, Candidate):
                return found
            reasons.append(found)
            # The same words may stand in the message again, first quoted and then said.
            after = place[0] + 1
            place = self._sought.place(quote, after) if len(reasons) < 5 else None
        return reasons[0] if reasons else self._missing_reason(told)

    def _missing_reason(self, told: list[Token]) -> str:
        language = words.language_of([token.value for token in told])
        other = language is not None and self.language is not None and language != self.language
        return OTHER_LANGUAGE if other else NOT_SAID

    def _check_at(
        self, candidate: Candidate, content: str, told: list[Token], place: tuple[int, int]
    ) -> Candidate | str:
        start, end = place
        if self._passages.is_foreign(start, end) or self._passages.is_quoted(start, end):
            return NOT_OWN
        first, last = self._sought.token_range(start, end)
        found = aligned(told, self._sought.tokens, first, last)
        if isinstance(found, Miss):
            return self._reason(found, told)
        said_start = self._sought.tokens[found.first].start
        said_end = self._sought.tokens[found.last - 1].end
        if self._passages.is_quoted(said_start, said_end):
            return NOT_OWN
        reason = self._not_meant(content, said_start, said_end) or self._unclear(candidate, told)
        if reason is not None:
            return reason
        kept = self._text[said_start:said_end] if found.verbatim else content
        return replace(
            candidate, content=kept, quote=self._text[start:end], language=candidate.language or self.language
        )

    def _reason(self, miss: Miss, told: list[Token]) -> str:
        language = words.language_of([token.value for token in told])
        if (
            miss == "word"
            and language is not None
            and self.language is not None
            and language != self.language
        ):
            return OTHER_LANGUAGE
        return {
            "number": NUMBER, "name": NAME, "date": DATE, "negation": NEGATION, "word": WORD, "part": PART,
        }[miss]  # fmt: skip

    def _not_meant(self, content: str, start: int, end: int) -> str | None:
        """Why the sentences around a place are no statements of fact."""
        if self._story:
            return FICTION
        sentences = [
            self._text[begin:last] for begin, last in self._passages.sentences if begin < end and start < last
        ]
        for sentence in [content, *sentences]:
            if (reason := no_statement(sentence)) is not None:
                return reason
        return None

    def _unclear(self, candidate: Candidate, told: list[Token]) -> str | None:
        """Why a statement can't be understood, or is not about what it is said to be about."""
        tag = words.language_of([token.value for token in told]) or self.language or ""
        if any(token.value in words.SECOND_PERSON.get(tag, ()) for token in told):
            return TO_ASSISTANT
        if told[0].value in words.UNRESOLVED.get(tag, ()):
            return UNRESOLVED
        subject = tokens_of(candidate.subject)
        if not subject:
            return SUBJECT
        spoken = {token.value for token in self._sought.tokens}
        if not is_about_user(subject) and any(token.value not in spoken for token in subject):
            return SUBJECT
        return None


def ungrounded(candidate: Candidate, utterance: Utterance) -> str | None:
    """Why a candidate must not be kept; None when the message says what it says."""
    found = Ground(utterance).check(candidate)
    return found if isinstance(found, str) else None


def sift(
    candidates: Iterable[Candidate], utterance: Utterance, *, dropped: Counter[str] | None = None
) -> Extraction:
    """The grounded ones of `candidates`, with verbatim quotes; why the others were dropped, and how many.

    Args:
        candidates: in any number; all are looked at.
        dropped: counts from before, which are added.
    """
    ground = Ground(utterance)
    reasons: Counter[str] = Counter(dropped or ())
    kept: dict[str, Candidate] = {}
    for candidate in candidates:
        found = ground.check(candidate)
        if isinstance(found, str):
            reasons[found] += 1
            continue
        key = folded(found.content)
        if key in kept:
            reasons[REPEATED] += 1
        else:
            kept[key] = found
    ordered = sorted(kept.values(), key=lambda each: utterance.text.find(each.quote))
    return Extraction(tuple(ordered), MappingProxyType(dict(reasons)))
