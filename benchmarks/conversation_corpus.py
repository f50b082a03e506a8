"""A conversation file of any size, written past the store's methods: chats in six languages.

Words are made of syllables and drawn by Zipf's law (as Mandelbrot corrected it: frequency 1 / (rank + 2.7) ^ 1.07), so
that document frequencies, and words that begin other words, are spread as in real text.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import apsw

from assistant.conversation.search_text import word_line
from assistant.conversation.sqlite_schema import SCHEMA
from assistant.storage.opening import open_connection

OWNER = "benchmark"
LONG, SHORT = "ten thousand", "one thousand"
"""Ids of two conversations, of 10,000 and of 1,000 messages with Markdown; they are in every file, and the newest."""
_SIZES = {SHORT: 1_000, LONG: 10_000}
_VOCABULARY = 30_000
_START = 1_700_000_000_000_000
_STEP = 20_000_000

_SYLLABLES = {
    "en": ("th st r l n w b c d m s p g", "e a i o ou ea", "n r s t ng d ll"),
    "de": ("sch st r l n w b k d m s z g", "e a i o ei au ü", "n r s t ch ng cht"),
    "fr": ("qu tr r l n v b c d m s p j", "e a i o ou é oi", "n r s t l x nt"),
    "es": ("ll tr r l n v b c d m s p h", "e a i o u ue ía", "n r s l d z"),
    "ru": ("пр ст р л н в б к д м с п г", "е а и о у ы я", "н р с т л й сть"),
}
_HAN = [chr(code) for code in range(0x4E00, 0x4E00 + 3_000)]


@dataclass(frozen=True, slots=True)
class Language:
    """Words from the most frequent to the rarest, with the sums of their weights."""

    words: list[str]
    sums: list[float]
    between: str

    def text(self, length: int, source: random.Random) -> list[str]:
        return source.choices(self.words, cum_weights=self.sums, k=length)


def languages(source: random.Random) -> list[Language]:
    """Five with spaces, one without."""
    made = [_language(_vocabulary(name, source), " ") for name in _SYLLABLES]
    return [*made, _language(source.sample(_HAN, len(_HAN)), "")]


def build(path: Path, messages: int, *, seed: int = 1) -> None:
    """Write a conversation file at `path` with that many messages, and the two of known length beside them."""
    source = random.Random(seed)
    spoken = languages(source)
    connection = open_connection(path, SCHEMA)
    try:
        connection.execute("BEGIN IMMEDIATE")
        keys = itertools.count(1)
        number, left = 0, messages
        while left > 0:
            length = min(left, max(2, round(source.lognormvariate(4.0, 1.0))))
            language = source.choices(spoken, weights=(50, 10, 10, 10, 10, 10))[0]
            _conversation(connection, f"s{number}", _chat(language, length, source), keys)
            number, left = number + 1, left - length
        for session, length in _SIZES.items():
            _conversation(connection, session, _marked_up(spoken[0], length, source), keys)
        connection.execute("COMMIT")
    finally:
        connection.close()


def _conversation(
    connection: apsw.Connection, session: str, texts: Iterator[str], keys: Iterator[int]
) -> None:
    made: list[tuple[int, str]] = [(next(keys), text) for text in texts]
    first, last = made[0][0], made[-1][0]
    title = made[0][1][:40]
    connection.execute(
        "INSERT INTO conversation (owner, id, title, head, created, updated) VALUES (?, ?, ?, ?, ?, ?)",
        (OWNER, session, title, last, _moment(first), _moment(last)),
    )
    row = connection.last_insert_rowid()
    connection.execute("INSERT INTO title_words (rowid, words) VALUES (?, ?)", (row, word_line(title)))
    connection.executemany(
        """
        INSERT INTO message
            (key, id, conversation, parent, answers, depth, shown, role, content, state, created, metadata)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?8, 'complete', ?9, '{}')
        """,
        (
            (
                key,
                f"m{key}",
                row,
                None if key == first else key - 1,
                key - 1 if (key - first) % 2 else None,
                key - first,
                "assistant" if (key - first) % 2 else "user",
                text,
                _moment(key),
            )
            for key, text in made
        ),
    )
    connection.executemany(
        "INSERT INTO message_words (rowid, words) VALUES (?, ?)",
        ((key, word_line(text)) for key, text in made),
    )


def _chat(language: Language, length: int, source: random.Random) -> Iterator[str]:
    for number in range(length):
        mean = 45 if number % 2 else 14
        yield language.between.join(language.text(1 + round(source.expovariate(1 / mean)), source))


def _marked_up(language: Language, length: int, source: random.Random) -> Iterator[str]:
    for number in range(length):
        if not number % 2:
            yield " ".join(language.text(12, source))
            continue
        lines = [" ".join(language.text(25, source)), ""]
        lines += [
            f"- **{language.words[200 + line]}** {' '.join(language.text(8, source))}" for line in range(3)
        ]
        if number % 10 == 1:
            lines += ["", "```python", f"for step in range({number}):", "    print(step)", "```"]
        yield "\n".join(lines)


def _language(words: list[str], between: str) -> Language:
    sums = itertools.accumulate(1 / (rank + 2.7) ** 1.07 for rank in range(len(words)))
    return Language(words, list(sums), between)


def _vocabulary(name: str, source: random.Random) -> list[str]:
    """Different words, the frequent ones short."""
    onsets, vowels, codas = (part.split() for part in _SYLLABLES[name])
    found: dict[str, None] = {}
    while len(found) < _VOCABULARY:
        most = 1 + min(3, len(found) // 150)
        syllables = [
            source.choice(onsets) + source.choice(vowels)
            for _ in range(source.randint(max(1, most - 1), most))
        ]
        found["".join(syllables) + (source.choice(codas) if source.random() < 0.6 else "")] = None
    return list(found)


def _moment(key: int) -> int:
    return _START + key * _STEP
