"""What a table of rules is made of."""

from __future__ import annotations

import re
from dataclasses import dataclass

_NEVER = r"(?!)"
# A character class, an escaped character, a space or an apostrophe.
_LOOSE = re.compile(r"\[(?:\\.|[^\]])*\]|\\.|[ ']", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of statement.

    Attributes:
        pattern: matched at the beginning of a clause; a group "who" names whom it is about.
        kind: as in Candidate.
        needs_date: it is one only when the clause says when.
    """

    pattern: re.Pattern[str]
    kind: str
    needs_date: bool = False


@dataclass(frozen=True, slots=True)
class Language:
    """The rules of one language.

    Attributes:
        tag: such as "en".
        rules: in the order in which they are tried.
        openers: matched at the beginning of a sentence; what it matches is not part of the statement.
        subject: how a clause begins that can stand alone; a sentence is cut before it.
        joints: what stands between two such clauses.
        tails: matched at the end of a clause; what it matches is not part of the statement.
        passing: searched in a clause; what it matches makes it a matter of the moment.
        moods: the same for what a model may propose; the rules have no statements of this kind.
    """

    tag: str
    rules: tuple[Rule, ...]
    openers: re.Pattern[str]
    subject: re.Pattern[str]
    joints: re.Pattern[str]
    tails: re.Pattern[str]
    passing: re.Pattern[str]
    moods: re.Pattern[str] = re.compile(_NEVER)


def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern in which a space stands for white space and ' for any apostrophe; cases are alike."""
    return re.compile(_LOOSE.sub(_loosened, pattern), re.IGNORECASE)


def _loosened(match: re.Match[str]) -> str:
    found = match[0]
    if found == " ":
        return r"(?:\s+)"
    if found == "'":
        return "['’]"
    return found if found.startswith("\\") else found.replace("'", "'’").replace(" ", r"\s")


def rules(kind: str, *patterns: str, needs_date: bool = False) -> tuple[Rule, ...]:
    """A rule for each pattern."""
    return tuple(Rule(compiled(pattern), kind, needs_date) for pattern in patterns)


def joints(words: str) -> re.Pattern[str]:
    """Joints: a comma, semicolon or dash, one of `words` (alternatives), or both."""
    return compiled(rf"\s*[,;:—–，；][\s—–]*(?:(?:{words}) )?|\s+[-—–]\s+(?:(?:{words}) )?|\s+(?:{words}) ")


def openers(words: str, *, before_comma: str = _NEVER) -> re.Pattern[str]:
    """Openers: `words` (alternatives), each with what separates it from the statement, any number of times.

    Args:
        words: openers after which a space is enough.
        before_comma: those that only a comma or another mark tells from a part of the statement ("no").
    """
    mark = r"\s*[,:!.;–—]+\s*"
    return compiled(rf"(?:(?:{words})(?:{mark}|\s+)|(?:{before_comma}){mark})*")


def tails(words: str = _NEVER) -> re.Pattern[str]:
    """Tails: `words` (alternatives), signs of feeling and the marks at the end of a sentence."""
    return compiled(rf"(?:[\s,]+(?:{words}))?[\s.!,;:…。！，；)\]:\-–—]*(?:[:;]-?[)D])?[\s.!]*$")
