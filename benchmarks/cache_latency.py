"""How long a hit takes, in the file that the app uses."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from assistant.cache import SemanticCache
from assistant.core.types import CallerContext
from assistant.embedding.base import Embedder

MODEL = "benchmark"
OWNERS = 100
PER_OWNER = 1_000
ASKED = 100
ANSWER = "An answer of some length, as a model gives it. " * 20

THINGS = (
    "bridge",
    "garden",
    "violin",
    "compass",
    "lantern",
    "kettle",
    "glacier",
    "harbour",
    "orchard",
    "telescope",
)
DEEDS = (
    "repair",
    "draw",
    "measure",
    "describe",
    "paint",
    "photograph",
    "clean",
    "build",
    "choose",
    "protect",
)


@dataclass(frozen=True, slots=True)
class Latency:
    """Milliseconds of each hit, by its kind. The embedding model has seen none of the questions before.

    Attributes:
        one_owner: with 1,000 entries of one owner.
        full: with 100,000 entries of 100 owners.
        entries: how many those are by the cache's own count.
    """

    one_owner: dict[str, list[float]]
    full: dict[str, list[float]]
    entries: int


def median_of_all(times: dict[str, list[float]]) -> float:
    """The median of all hits, whatever their kind."""
    return median(value for values in times.values() for value in values)


def medians(times: dict[str, list[float]]) -> str:
    """The median of each kind, for people."""
    return ", ".join(f"{kind} {median(values):.1f}" for kind, values in times.items())


async def measure_latency(folder: Path, embedder: Embedder) -> Latency:
    """Fill a file with one owner's answers and ask, then with all and ask again."""
    cache = SemanticCache(backend="sqlite", path=folder / "answers.db", embedder=embedder)
    try:
        await _fill(cache, 0)
        await embedder.embed(["ready"], priority="query")
        one = await _asked(cache, owners=1, first=0)
        for owner in range(1, OWNERS):
            await _fill(cache, owner)
        full = await _asked(cache, owners=OWNERS, first=PER_OWNER // 2)
        count = await cache.count()
    finally:
        await cache.close()
    return Latency(one, full, count)


def question(number: int) -> str:
    """A question of its own for each number."""
    thing, deed = THINGS[number % 10], DEEDS[number // 10 % 10]
    return f"How do I {deed} the {thing} that has the number {number} at the end of the road?"


async def _fill(cache: SemanticCache, owner: int) -> None:
    caller = CallerContext(f"owner {owner}")
    for number in range(PER_OWNER):
        await cache.put(question(number), ANSWER, caller=caller, model=MODEL)


async def _asked(cache: SemanticCache, *, owners: int, first: int) -> dict[str, list[float]]:
    """Milliseconds of exact hits, of hits in other words, and of those that need the embedding model."""
    times: dict[str, list[float]] = {"exact": [], "wording": [], "semantic": []}
    for turn in range(ASKED):
        caller = CallerContext(f"owner {turn * 37 % owners}")
        number = first + turn
        asked = question(number)
        for kind, text in (
            ("exact", asked.lower()),
            ("wording", asked.replace("How do I", "What is the best way to")),
            (
                "semantic",
                asked.replace(" that has", " also that thing has").replace("at the end", "in the end"),
            ),
        ):
            started = time.perf_counter()
            found = await cache.get(text, caller=caller, model=MODEL)
            times[kind].append((time.perf_counter() - started) * 1000)
            if found is None or found.match != kind:
                raise SystemExit(f"{kind}: no such hit for {text!r} ({found and found.match})")
    return times
