"""Recognises that somebody asks, in plain words, to keep something.

Precise rather than complete: a memory that nobody asked for is worse than a wish that must be repeated. A wish is
an imperative at the start of a sentence ("remember that …", "merk dir: …", "记住：…"), in Japanese at its end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from assistant.memory.remember_phrases import COURTESY, FOLLOW_UP, JAPANESE, LEADS, OPENERS, Lead

_LONGEST = 2000
_LONGEST_MESSAGE = 8000

_ENDS = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+[”’」』）]*")
_ABBREVIATED = re.compile(
    r"(?:\b(?:mr|mrs|ms|dr|prof|st|jr|sr|no|nr|vs|etc|approx|ca|bzw|ggf|inkl|str|tel|sra|mme|mlle|sig|dott)|\b\w)\.$",
    re.IGNORECASE,
)
_ASKS = re.compile(r"[?？][\"'”’»)\]]*$|[吗嗎呢][。！!]*$")
_QUOTES = re.compile(r"```|^\s*>|:[^\S\n]*$", re.MULTILINE)
_WORD = re.compile(r"\w\w")


def remember_wish(text: str) -> str | None:
    """What `text` asks to remember.

    Args:
        text: a message of the user, in English, German, French, Spanish, Italian, Portuguese, Japanese or
            Chinese.

    Returns:
        The statement, a verbatim part of `text` without white space around it. None when there is no clear wish
        (a question, a reminiscence, a quotation, nothing to keep), or when it is too long to be one.
    """
    if len(text) > _LONGEST_MESSAGE:
        return None
    for line_start, line_end in _own_lines(text):
        for start, end in _sentences(text, line_start, line_end):
            statement = _statement(text, start, end, line_end)
            if statement is not None and _WORD.search(statement) and len(statement) <= _LONGEST:
                return statement
    return None


def _own_lines(text: str) -> Iterator[tuple[int, int]]:
    """The lines that hold a person's own words: where something is quoted, only the first."""
    quotes = _QUOTES.search(text) is not None
    for line in re.finditer(r"[^\n]*\S[^\n]*", text):
        yield line.span()
        if quotes:
            return


def _sentences(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of a line, without the white space between them."""
    begin = start
    for mark in _ENDS.finditer(text, start, end):
        if _ABBREVIATED.search(text, begin, mark.end()):
            continue
        yield _stripped(text, begin, mark.end())
        begin = mark.end()
    if text[begin:end].strip():
        yield _stripped(text, begin, end)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip()), end - len(part) + len(part.rstrip())


def _statement(text: str, start: int, end: int, line_end: int) -> str | None:
    """The statement of a wish that begins at `start`, in a sentence that ends at `end`."""
    opener = OPENERS.match(text, start, end)
    begin = start if opener is None else opener.end()
    for lead in LEADS:
        match = lead.pattern.match(text, begin, line_end if lead.is_list else end)
        if match is None:
            continue
        found = (
            _listed(text, match.end()) if lead.is_list else _clause(text, match.end(), end, line_end, lead)
        )
        if found is not None:
            return found
    japanese = JAPANESE.fullmatch(text, begin, end)
    return None if japanese is None else japanese["fact"].strip()


def _clause(text: str, start: int, end: int, line_end: int, lead: Lead) -> str | None:
    """The rest of the sentence, and the next ones that say more about the same thing."""
    polite = COURTESY.search(text, start, end)
    last = end if polite is None else polite.start()
    if polite is None and _ASKS.search(text, start, end):
        if not lead.may_ask:
            return None
        last = start + len(text[start:end].rstrip("?？ "))
    if lead.fact.match(text, start, last) is None:
        return None
    if polite is None and not lead.may_ask:
        for more_start, more_end in _sentences(text, end, line_end):
            if not FOLLOW_UP.match(text, more_start, more_end) or _ASKS.search(text, more_start, more_end):
                break
            last = more_end
    return text[start:last].strip()


def _listed(text: str, start: int) -> str | None:
    """What follows a colon, up to the end of the paragraph or to the first question."""
    content = re.compile(r"\s*").match(text, start)
    begin = start if content is None else content.end()
    gap = re.compile(r"\n[^\S\n]*\n").search(text, begin)
    paragraph_end = len(text) if gap is None else gap.start()
    last = begin
    for line in re.compile(r"[^\n]*\S[^\n]*").finditer(text, begin, paragraph_end):
        for sentence_start, sentence_end in _sentences(text, *line.span()):
            if _ASKS.search(text, sentence_start, sentence_end):
                return text[begin:last].strip() or None
            last = sentence_end
    return text[begin:last].strip() or None
