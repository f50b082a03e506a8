"""What of a statement makes it recognisable when it comes again in other words, for what must not come again."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.memory.consolidation.common import BY_NAME
from assistant.memory.consolidation.frames import Frame, singular
from assistant.memory.consolidation.language import words
from assistant.memory.consolidation.reading import Clause, read
from assistant.memory.consolidation.times import BETWEEN

_SMALL = words("to with for on at from à a au aux al alla da para por mit auf bei an für zu have has ai ho")
_FEWEST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Marks:
    """Keys of what a statement says.

    Attributes:
        facts: one for each attribute of somebody that it names.
        words: one for each other part of it.
    """

    facts: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    @property
    def all(self) -> frozenset[str]:
        """Both."""
        return self.facts | self.words


def marks_of(statement: str) -> Marks:
    """Keys of what a statement says.

    Statements that say the same thing of the same one share a key; another number, time, name, value or denial makes
    another key. Capitals and the order of words make none: this is looser than what merges two memories, since what
    somebody had forgotten had better stay away.
    """
    reading = read(statement, caseless=True)
    facts = frozenset(_frame_key(frame) for frame in reading.frames)
    if not reading.clauses:
        return Marks(facts) if facts else Marks(words=frozenset({f"text|{reading.plain or reading.key}"}))
    found = [_content(clause, reading.language) for clause in reading.clauses if not clause.frames]
    if len(reading.clauses) > 1:
        # "Yes." is no part by which to know a statement.
        found = [part for part in found if len(part) >= _FEWEST_WORDS]
    words = frozenset("|".join(("words", *sorted(part))) for part in found)
    return Marks(facts, words) if facts or words else Marks(words=frozenset({f"text|{reading.key}"}))


def _frame_key(frame: Frame) -> str:
    return "|".join(("says", frame.attribute, frame.subject, frame.polarity, *frame.value))


def _content(clause: Clause, language: str) -> set[str]:
    """The words that a clause is known by."""
    silent = BY_NAME[language].silent
    found = {
        token.word if token.kind != "word" else singular(token.word.removesuffix("'s"), language)
        for token in clause.content
        if token.kind != "word" or token.plain not in silent | _SMALL | BETWEEN
    }
    return found or {token.plain for token in clause.tokens}
