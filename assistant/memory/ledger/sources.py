"""Turns that say what was forgotten: where a memory was taken from, and where else the same was said."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import apsw

from assistant.memory.base import TURN
from assistant.memory.consolidation.marks import marks_of
from assistant.memory.ledger import entries, queries
from assistant.memory.ledger.entry import Entry
from assistant.memory.ledger.schema import stem
from assistant.memory.recall.words import indexed_words, query_words
from assistant.storage.rows import row, rows

ASSISTANT = "assistant"
"""The speaker of a turn that a model wrote."""

_MOST_TURNS = 400
"""Turns of one text that are read: about a fifth of a second."""
_MOST_SENTENCES = 60
_FEWEST_LETTERS = 4
_SENTENCE_END = re.compile(r"(?<=[.!?…。！？؟\n])\s*")
_NOT_WORDS = re.compile(r"[^\w]+")
_ABOUT_ONE = frozenset({"user"})


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What is looked for.

    Attributes:
        texts: what the memories said, and the words that they were taken from.
        marks: of those texts (see consolidation.marks).
    """

    texts: tuple[str, ...]
    marks: frozenset[str]


def of_entries(connection: apsw.Connection, number: int, chosen: Iterable[Entry]) -> Forgotten:
    """What entries say and said, with the words that they were taken from.

    Args:
        number: under which the entries are.
    """
    texts: list[str] = []
    marks: set[str] = set()
    for entry in chosen:
        versions = queries.versions(connection, number, entry.memory_id)
        said = [entry.record.content, *(str(content) for _, content, *_ in versions)]
        quotes = [entry.details.quote, *(quote for *_, quote, _ in versions)]
        marks.update(*(marks_of(text).all for text in said))
        texts += [*said, *(str(quote) for quote in quotes if quote)]
    return Forgotten(tuple(dict.fromkeys(text for text in texts if text.strip())), frozenset(marks))


def bar_turns(
    connection: apsw.Connection, number: int, chosen: Sequence[Entry], wanted: Forgotten
) -> list[str]:
    """Bar the turns of an owner that say it, in whatever conversation, and return their ids."""
    barred = [key for entry in chosen for key in entries.bar_sources(connection, number, entry)]
    for turn in saying(connection, number, wanted):
        entries.put(connection, number, replace(turn, barred=True))
        barred.append(turn.memory_id)
    return barred


def saying(connection: apsw.Connection, number: int, wanted: Forgotten) -> list[Entry]:
    """The turns of an owner that may be recalled and say it, as far as a bounded search finds them."""
    found: dict[str, Entry] = {}
    for text in wanted.texts:
        found |= _turns(connection, number, _near(connection, number, text))
    stems = [known for text in wanted.texts if (known := _stems(connection, text))]
    return [turn for turn in found.values() if says(connection, turn, wanted, stems)]


def says(
    connection: apsw.Connection, turn: Entry, wanted: Forgotten, stems: Sequence[frozenset[str]] = ()
) -> bool:
    """Whether a turn says it: in those words, in a sentence that means the same, or, where a model speaks about the
    person, in a sentence that has all the words that count."""
    content = turn.record.content
    if any(_holds(content, text) for text in wanted.texts):
        return True
    for sentence in _SENTENCE_END.split(content)[:_MOST_SENTENCES]:
        marks = marks_of(sentence)
        if marks.facts & wanted.marks or (marks.words and marks.words <= wanted.marks):
            return True
        if turn.details.speaker == ASSISTANT and stems:
            here = {stem(connection, word) for word in indexed_words(sentence).split()}
            if any(known <= here for known in stems):
                return True
    return False


def _holds(content: str, text: str) -> bool:
    wanted = _normal(text)
    if " " in wanted:
        return f" {wanted} " in f" {_normal(content)} "
    # A single word is no statement; without spaces between words it may be one.
    return len(wanted) >= _FEWEST_LETTERS and not wanted.isascii() and wanted in _normal(content)


def _normal(text: str) -> str:
    return _NOT_WORDS.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def _stems(connection: apsw.Connection, text: str) -> frozenset[str]:
    return frozenset(stem(connection, word) for word in query_words(text) if word not in _ABOUT_ONE)


def _near(connection: apsw.Connection, number: int, text: str) -> list[int]:
    """Numbers of memories with words of `text`: those with all of them, then those with the rarest."""
    words = list(dict.fromkeys(query_words(text))) or list(dict.fromkeys(indexed_words(text).split()))
    spreads = {word: _spread(connection, number, word) for word in words}
    known = [word for word in sorted(spreads, key=spreads.__getitem__) if spreads[word]]
    found: dict[int, None] = {}
    queries_ = [" AND ".join(f'"{word}"' for word in known), *(f'"{word}"' for word in known)]
    for query in queries_ if known else []:
        left = _MOST_TURNS - len(found)
        if left <= 0:
            break
        sql = f"SELECT rowid FROM words_{number} WHERE words_{number} MATCH ? ORDER BY rowid DESC LIMIT ?"
        found |= dict.fromkeys(int(key) for (key,) in rows(connection, sql, (query, left)))
    return list(found)


def _spread(connection: apsw.Connection, number: int, word: str) -> int:
    found = row(connection, f"SELECT doc FROM terms_{number} WHERE term = ?", (stem(connection, word),))
    return 0 if found is None else int(found[0])


def _turns(connection: apsw.Connection, number: int, numbers: Sequence[int]) -> dict[str, Entry]:
    if not numbers:
        return {}
    sql = f"SELECT id FROM memory WHERE number IN ({', '.join('?' * len(numbers))}) AND kind = ?"
    ids = [str(key) for (key,) in rows(connection, sql, (*numbers, TURN))]
    return {key: turn for key, turn in queries.by_ids(connection, number, ids).items() if turn.is_found}
