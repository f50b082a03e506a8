"""Reads a statement: what it is about, what it says, and the details in which it may differ from another one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from assistant.memory.consolidation import asian
from assistant.memory.consolidation.common import BY_NAME, language_of
from assistant.memory.consolidation.frames import Frame, asian_frames, frames_of, without_fillers
from assistant.memory.consolidation.language import Language
from assistant.memory.consolidation.times import PARTS
from assistant.memory.consolidation.tokens import Token, tokens_of, unfolded

_END = re.compile(r"(?<=[.!?;…])\s+(?=\S)")
_ABBREVIATED = re.compile(r"(?:^|\W)(?:[A-ZÀ-Þ]\w{0,2}|\d+)\.$")
_EDGES = " \t.,;:!?…。！？、\"'“”„«»()"
_LATIN = re.compile(r"[A-Za-zÀ-ɏ0-9]+|[\u30a1-\u30fa\u30fc]+")
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Clause:
    """A part of a statement that stands for itself.

    Attributes:
        tokens: all of it.
        content: those that say something, fillers and small words left out.
        frames: what it says of somebody, as far as that was understood.
    """

    tokens: tuple[Token, ...]
    content: tuple[Token, ...]
    frames: tuple[Frame, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """A statement, read.

    Attributes:
        key: the text without case, marks and spaces that say nothing.
        language: of LANGUAGES, "zh", "ja" or "ko".
        clauses: in order; none for an asian text.
        plain: an asian text for comparison, otherwise empty.
        frames: of all clauses.
        numbers, times: sorted.
        names: words with a capital that their place does not ask for, in lower case.
        denials: "not", "never", "without", "over", sorted.
    """

    key: str
    language: str
    clauses: tuple[Clause, ...]
    plain: str
    frames: tuple[Frame, ...]
    numbers: tuple[str, ...]
    times: tuple[str, ...]
    names: frozenset[str]
    denials: tuple[str, ...]

    @property
    def content(self) -> tuple[Token, ...]:
        """The content of all clauses."""
        return tuple(token for clause in self.clauses for token in clause.content)

    @property
    def is_over(self) -> bool:
        """Whether it says that something is no more."""
        return "over" in self.denials


def read(text: str, language: str | None = None, *, caseless: bool = False) -> Reading:
    """Read a statement; of a very long text the beginning.

    Args:
        language: what is known of it; decides where the words do not.
        caseless: take capitals for nothing: two texts that differ only in case are read alike.
    """
    clean = unfolded(text[:_LONGEST])
    folded = clean.lower()
    key = " ".join(folded.split()).strip(_EDGES) or folded
    name = language_of(folded, language)
    if name not in BY_NAME:
        return _read_asian(key, folded, name)
    grammar = BY_NAME[name]
    clauses = tuple(
        clause
        for part in _clauses(folded if caseless else clean, grammar)
        if (clause := _clause(part, grammar, caseless or clean == folded, loose=caseless)) is not None
    )
    tokens = [token for clause in clauses for token in clause.tokens]
    return Reading(
        key=key,
        language=name,
        clauses=clauses,
        plain="",
        frames=tuple(frame for clause in clauses for frame in clause.frames),
        numbers=tuple(sorted(token.word for token in tokens if token.kind == "number")),
        times=tuple(sorted(token.word for token in tokens if token.kind == "time")),
        names=frozenset(
            token.plain.removesuffix("'s") for token in tokens if token.named and token.kind == "word"
        ),
        denials=tuple(sorted(token.word for token in tokens if token.kind in {"not", "over"})),
    )


def _read_asian(key: str, folded: str, name: str) -> Reading:
    plain = asian.plain(folded, name)
    over = len(asian.OVER.findall(plain))
    denied = len(asian.DENIAL.findall(asian.OVER.sub("", plain)))
    return Reading(
        key=asian.plain(key, name) or key,
        language=name,
        clauses=(),
        plain=plain,
        frames=asian_frames(plain, name),
        numbers=tuple(sorted(re.findall(r"\d+", plain))),
        times=(),
        names=frozenset(word for word in _LATIN.findall(plain) if not word.isdigit()),
        denials=("not",) * denied + ("over",) * over,
    )


def _clauses(text: str, language: Language) -> Iterator[str]:
    """The sentences of a text, and the parts of a sentence in which a person goes on about oneself."""
    starters = "|".join(sorted(re.escape(word) for word in language.first | language.mine))
    joins = "|".join(
        sorted(re.escape(word) for word in language.joins & {"and", "und", "et", "y", "e", "but", "aber"})
    )
    go_on = re.compile(rf",?\s(?:{joins})\s(?=(?:{starters})\b)", re.IGNORECASE) if joins else None
    begin = 0
    sentences = []
    for match in _END.finditer(text):
        if not _ABBREVIATED.search(text[begin : match.start()]):
            sentences.append(text[begin : match.start()])
            begin = match.end()
    sentences.append(text[begin:])
    for sentence in sentences:
        yield from (go_on.split(sentence) if go_on else [sentence])


def _clause(part: str, language: Language, caseless: bool, *, loose: bool) -> Clause | None:
    tokens = tokens_of(part, language)
    if not tokens:
        return None
    content = tuple(
        token
        for token in without_fillers(tokens, language)
        if token.kind != "word" or token.named or token.plain not in language.silent
    )
    if len(content) < len([token for token in tokens if token.kind != "word"]):
        # A filler that is a time ("today") is part of what is said.
        content = tuple(
            token
            for token in tokens
            if token.kind != "word"
            or token.plain in PARTS
            or token.named
            or token.plain not in language.silent
        )
    return Clause(tuple(tokens), content, frames_of(tokens, language, caseless=caseless, loose=loose))
