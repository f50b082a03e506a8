"""Scores an owner's memories against a query, from several weak signals that err in different ways.

    score = similarity + keywords + speaker + time + answer - question + recency

Similarity and keywords (BM25, Robertson & Zaragoza 2009, over distinct words) are taken over a memory's window, so
that an answer is found by the question before it. Keyword scores are divided by the best one rather than turned into
ranks: how much better the best is matters. The weights were fitted by a listwise softmax on LoCoMo dialogues (Maharana
et al. 2024), each conversation left out in turn, then rounded; halving or doubling any one of them but the first two
changes recall by less than two points.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assistant.embedding.base import Vectors
from assistant.memory.recall.shelf import Shelf
from assistant.memory.recall.times import Period, closeness
from assistant.memory.recall.windows import Floats, Slots


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each signal counts, beside a cosine of 1 (see rank)."""

    window_similarity: float = 0.8
    own_similarity: float = 0.2
    keywords: float = 0.65
    speaker: float = 0.14
    time: float = 0.6
    answer: float = 0.095
    question: float = 0.37
    tells_time: float = 0.2
    recency: float = 0.02


_K1, _B = 0.9, 0.4
_WEAK_KEYWORDS = 0.4
"""The share of the highest possible keyword score below which even the best one is not a full match."""
_RECENT_DAYS = 180.0


@dataclass(frozen=True, slots=True)
class Posting:
    """Where a word of the query occurs.

    Attributes:
        word: as in the query.
        numbers: record numbers of the memories that hold it; empty when it was left out as too frequent.
        spread: how many memories hold it, in all.
    """

    word: str
    numbers: NDArray[np.int64]
    spread: int


@dataclass(frozen=True, slots=True)
class Asked:
    """A query, read.

    Attributes:
        postings: its words, rarest first.
        vector: float32 of shape (dimension,), unit length; None without an embedding model.
        periods: the times that it names.
        wants_time: it asks when.
        names: its words, folded, among which a speaker may be named.
        now: days since 1970 in UTC.
        zone_days: what local time is ahead of UTC, in days.
    """

    postings: Sequence[Posting] = ()
    vector: Vectors | None = None
    periods: Sequence[Period] = ()
    wants_time: bool = False
    names: frozenset[str] = frozenset()
    now: float = 0.0
    zone_days: float = 0.0


@dataclass(frozen=True, slots=True)
class Scores:
    """Every slot's score and what it is made of; all float32 of shape (count,).

    Attributes:
        total: comparable within one query; -inf for what may not be found.
        cosine: of the memory itself.
        evidence: how much the memory's own text speaks for it, comparable between queries: cosine, and half the
            share of the query's words (weighted by rarity) that it holds.
        speaker, time: 0..1.
    """

    total: Floats
    cosine: Floats
    evidence: Floats
    speaker: Floats
    time: Floats


def rank(
    shelf: Shelf, asked: Asked, *, cosines: Floats | None = None, weights: Weights | None = None
) -> Scores:
    """Score each slot of `shelf`.

    Args:
        cosines: of all slots, when they were had elsewhere; 0 where unknown.
    """
    w = weights or Weights()
    columns = shelf.columns
    own = _cosines(shelf, asked.vector) if cosines is None else cosines
    window = shelf.windows.spread(own)
    if asked.vector is not None and cosines is None:
        window /= shelf.windows.norms(shelf.vectors)
    keywords, held = _keywords(shelf, asked.postings)
    speaker = _speakers(shelf, asked.names)
    time = closeness(asked.periods, columns.said, asked.zone_days) if asked.periods else np.zeros_like(own)
    previous = shelf.windows.previous(shelf.count)
    answers = np.append(columns.questions, np.float32(0))[previous] > 0
    age = np.maximum(asked.now - columns.said, 0.0) / _RECENT_DAYS
    total = w.window_similarity * window + w.own_similarity * own + w.keywords * keywords
    total += w.speaker * speaker + w.time * time + w.answer * answers - w.question * columns.questions
    total += (w.recency * np.exp2(-age)).astype(np.float32)
    if asked.wants_time:
        total += w.tells_time * columns.tells_time
    total = np.where(columns.alive, total, np.float32(-np.inf)).astype(np.float32)
    return Scores(total, own, own + np.float32(0.5) * held, speaker, time)


def best(scores: Floats, limit: int) -> Slots:
    """The slots of the highest scores, best first, without those of -inf."""
    limit = min(limit, len(scores))
    if limit < len(scores):
        chosen = np.argpartition(-scores, limit - 1)[:limit] if limit else np.empty(0, np.int64)
    else:
        chosen = np.arange(len(scores))
    # The newest of equals first: its slot is the highest.
    ordered = chosen[np.lexsort((-chosen, -scores[chosen]))]
    found: Slots = ordered[np.isfinite(scores[ordered])]
    return found


def squashed(total: float) -> float:
    """A total as a score in 0..1; order is kept, and small totals stay nearly what they are."""
    return 1.0 - math.exp(-total) if total > 0 else 0.0


def rarity(spread: int, count: int) -> float:
    """The weight of a word that `spread` of `count` memories hold (BM25's, kept above zero)."""
    return math.log(1.0 + (max(count - spread, 0) + 0.5) / (spread + 0.5))


def _cosines(shelf: Shelf, vector: Vectors | None) -> Floats:
    if vector is None or not shelf.vectors.shape[1]:
        return np.zeros(shelf.count, np.float32)
    # Not `@`: BLAS would wake a thread for each core, which takes ten times as long as the work itself.
    cosines: Floats = np.einsum("ij,j->i", shelf.vectors, vector)
    return cosines


def _keywords(shelf: Shelf, postings: Sequence[Posting]) -> tuple[Floats, Floats]:
    """The keyword score of each window (0..1), and the share of the query's words that each memory holds (0..1)."""
    count, living = shelf.count, shelf.living
    score, held = np.zeros(count, np.float32), np.zeros(count, np.float32)
    lengths = shelf.windows.spread(shelf.columns.length)
    average = float(lengths[shelf.columns.alive].mean()) if living else 1.0
    norm = np.float32(_K1) * (np.float32(1 - _B) + np.float32(_B / average) * lengths)
    possible = all_weight = 0.0
    for posting in postings:
        weight = rarity(posting.spread, living)
        all_weight += weight
        slots = shelf.slots_of(posting.numbers)
        if not len(slots):
            continue
        present = np.zeros(count, np.float32)
        present[slots] = 1
        held[slots] += np.float32(weight)
        often = shelf.windows.spread(present)
        possible += weight * (_K1 + 1)
        score += np.float32(weight * (_K1 + 1)) * often / (often + norm)
    if possible:
        highest = max(float(score.max()), _WEAK_KEYWORDS * possible)
        score /= np.float32(highest)
    if all_weight:
        held /= np.float32(all_weight)
    return score, held


def _speakers(shelf: Shelf, names: frozenset[str]) -> Floats:
    """1 for the memories of the speakers whom the query names, by their first name or by all of it."""
    named = []
    for speaker, code in shelf.speakers.items():
        parts = speaker.split()
        if parts[0] in names or names.issuperset(parts):
            named.append(code)
    found = np.isin(shelf.columns.speaker, named) if named else np.zeros(shelf.count, np.bool_)
    return found.astype(np.float32)
