"""Question pairs and killers against the answer cache, and against a bare cosine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.cache import SemanticCache
from assistant.core.types import CallerContext
from assistant.embedding.base import Embedder, Priority

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KILLERS = Path(__file__).resolve().parent / "cache_killers.tsv"
MODEL = "benchmark"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two questions, and whether one answer serves both."""

    one: str
    other: str
    same: bool


@dataclass(frozen=True, slots=True)
class Killer:
    """Two questions that differ in one small thing.

    Attributes:
        language: two letters.
        slot: in what they differ.
    """

    language: str
    slot: str
    one: str
    other: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of all pairs.

    Attributes:
        right: hits on duplicates.
        wrong: hits on others.
        duplicates: how many pairs are duplicates.
    """

    right: int
    wrong: int
    duplicates: int

    @property
    def precision(self) -> float:
        """0..1; 1 without a hit."""
        hits = self.right + self.wrong
        return self.right / hits if hits else 1.0

    @property
    def hit_percent(self) -> float:
        """Percent of the duplicates that were hit."""
        return 100 * self.right / self.duplicates


class QuickEmbedder:
    """An embedder that has its vectors ready, so that ten thresholds cost one embedding.

    Args:
        embedder: makes the vectors.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._vectors: dict[str, NDArray[np.float32]] = {}

    @property
    def embedder_id(self) -> str:
        return self._embedder.embedder_id

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    async def prepare(self, texts: Iterable[str]) -> None:
        """Embed those texts that are new."""
        missing = sorted({text for text in texts if text not in self._vectors}, key=len)
        if missing:
            self._vectors.update(
                zip(missing, await self._embedder.embed(missing, priority="index"), strict=True)
            )

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Any:
        import numpy as np

        await self.prepare(texts)
        return np.stack([self._vectors[text] for text in texts])

    def cosine(self, one: str, other: str) -> float:
        """Of two texts that were prepared."""
        return float(self._vectors[one] @ self._vectors[other])

    async def close(self) -> None:
        """Nothing: the embedder is its owner's."""


def killers() -> list[Killer]:
    """The list, from its file."""
    lines = KILLERS.read_text(encoding="utf-8").splitlines()
    return [Killer(*line.split("\t")) for line in lines if line]


def hits_by_cosine(pairs: Sequence[Pair], quick: QuickEmbedder, threshold: float) -> Outcome:
    """What a cosine alone would do."""
    hits = [pair.same for pair in pairs if quick.cosine(pair.one, pair.other) >= threshold]
    return Outcome(sum(hits), len(hits) - sum(hits), sum(pair.same for pair in pairs))


async def hits_with_cache(
    pairs: Sequence[Pair], quick: QuickEmbedder, *, match: Any = "semantic", threshold: float = 0.95
) -> Outcome:
    """What the cache does; each pair has an owner of its own, who asks the first question, then the other."""
    cache = SemanticCache(match=match, similarity_threshold=threshold, embedder=quick)
    right = wrong = 0
    for number, pair in enumerate(pairs):
        caller = CallerContext(f"pair {number}")
        await cache.put(pair.one, "The answer.", caller=caller, model=MODEL)
        if await cache.get(pair.other, caller=caller, model=MODEL) is not None:
            right, wrong = right + pair.same, wrong + (not pair.same)
    await cache.close()
    return Outcome(right, wrong, sum(pair.same for pair in pairs))


async def wrong_on_killers(
    listed: Sequence[Killer], quick: QuickEmbedder, *, match: Any = "semantic", threshold: float = 0.95
) -> int:
    """How many killers get an answer, asked either way round."""
    cache = SemanticCache(match=match, similarity_threshold=threshold, embedder=quick)
    wrong = 0
    for number, killer in enumerate(listed):
        for way, (first, then) in enumerate(((killer.one, killer.other), (killer.other, killer.one))):
            caller = CallerContext(f"killer {number} {way}")
            await cache.put(first, "The answer.", caller=caller, model=MODEL)
            wrong += await cache.get(then, caller=caller, model=MODEL) is not None
    await cache.close()
    return wrong
