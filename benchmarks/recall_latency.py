"""What recall adds to a turn, the question's embedding included, as a memory grows.

The questions are embedded for real. The memories that fill the store are sentences of real turns put together at
random, with vectors near those of real turns: embedding 100,000 texts would take most of an hour and change nothing.
The rival is the same memories in one Chroma collection that holds all owners, as is usual, queried with where=owner.
"""

from __future__ import annotations

import random
import re
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assistant.embedding.base import Embedder, Priority, Vectors
from assistant.memory.base import NewMemory
from assistant.memory.ledger import open_memory
from benchmarks.locomo import Dialogue
from benchmarks.report import Row

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

AT_MOST_MS = {1_000: 25.0, 10_000: 30.0, 100_000: 100.0}
AT_MOST_GROWTH = 4.0
QUESTIONS, WARM = 150, 20
BUDGET = 800
LIMIT = 10
OWNER, SPEAKERS = "alice", ("Alice", "Keepsake")
_SAMPLE = 2_000
_SPREAD = 0.04
_SESSION_TURNS = 25
_BIG = 50_000


class FillerEmbedder:
    """Embeds questions for real and fills in vectors near those of real turns for everything else."""

    def __init__(self, real: Embedder, known: Vectors) -> None:
        self._real = real
        self._known = known
        self._random = np.random.default_rng(1)

    @property
    def embedder_id(self) -> str:
        return self._real.embedder_id

    @property
    def dimension(self) -> int:
        return self._real.dimension

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        if priority == "query":
            return await self._real.embed(texts, priority=priority)
        return self.filler(len(texts))

    def filler(self, count: int) -> Vectors:
        """Vectors of shape (count, dimension), unit length."""
        chosen = self._known[self._random.integers(0, len(self._known), count)]
        moved = chosen + _SPREAD * self._random.standard_normal(chosen.shape)
        vectors: Vectors = (moved / np.linalg.norm(moved, axis=1, keepdims=True)).astype(np.float32)
        return vectors

    async def close(self) -> None:
        """The real embedder stays its owner's."""


async def measure(dialogues: Sequence[Dialogue], sizes: Sequence[int], embedder: Embedder) -> list[Row]:
    """Latency at each of `sizes`."""
    turns = [turn.text for dialogue in dialogues for turn in dialogue.turns]
    questions = [question.text for dialogue in dialogues for question in dialogue.questions]
    random.Random(2).shuffle(questions)
    questions = questions[: QUESTIONS + WARM]
    sample = random.Random(3).sample(turns, min(_SAMPLE, len(turns)))
    filler = FillerEmbedder(embedder, await embedder.embed(sample, priority="index"))
    rows: list[Row] = []
    slowest: dict[int, float] = {}
    for size in sizes:
        mine, rival = await _times(_memories(turns, size), questions, filler)
        slowest[size] = _p95(mine)
        name = f"{size // 1000}k"
        rows += [
            Row(f"recall at {size:,}, p95", f"p95_ms_{name}", _p95(mine), "ms", at_most=AT_MOST_MS.get(size)),
            Row(f"recall at {size:,}, median", f"median_ms_{name}", statistics.median(mine), "ms"),
            Row(
                f"ratio to Chroma with where=owner at {size:,}",
                f"chroma_ratio_{name}",
                statistics.median(mine) / statistics.median(rival),
                "x",
                at_most=1.0,
                note=f"medians; Chroma {statistics.median(rival):.1f} ms, p95 {_p95(rival):.1f} ms",
            ),
        ]
    if {10_000, 100_000} <= slowest.keys():
        growth = slowest[100_000] / slowest[10_000]
        rows.append(Row("growth of p95, 10,000 to 100,000", "growth", growth, "x", at_most=AT_MOST_GROWTH))
    return rows


async def _times(
    memories: Sequence[NewMemory], questions: Sequence[str], embedder: FillerEmbedder
) -> tuple[list[float], list[float]]:
    """Milliseconds of each question: recall, and Chroma's query. They take turns, so that a machine that slows down
    slows both."""
    with tempfile.TemporaryDirectory() as folder:
        memory = await open_memory(Path(folder) / "memory", embedder=embedder)
        try:
            await memory.add_many(memories, user_id=OWNER)
            collection = _rival(Path(folder) / "rival", memories, embedder)

            async def recall(question: str) -> object:
                return await memory.recall(question, user_id=OWNER, token_budget=BUDGET)

            async def query(question: str) -> object:
                vectors: Any = await embedder.embed([question], priority="query")
                return collection.query(query_embeddings=vectors, n_results=LIMIT, where={"owner": OWNER})

            mine, rival = [], []
            for number, question in enumerate(questions):
                mine.append(await _timed(recall, question))
                # A filtered query of a big collection takes long, and always about the same.
                if len(memories) < _BIG or number % 4 == 0:
                    rival.append(await _timed(query, question))
        finally:
            await memory.close()
    return mine[WARM:], rival[WARM // 4 :]


async def _timed(work: Callable[[str], Awaitable[object]], question: str) -> float:
    start = time.perf_counter()
    await work(question)
    return 1000 * (time.perf_counter() - start)


def _rival(folder: Path, memories: Sequence[NewMemory], embedder: FillerEmbedder) -> Collection:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(str(folder), Settings(anonymized_telemetry=False))
    collection = client.create_collection(
        "memories", embedding_function=None, metadata={"hnsw:space": "cosine"}
    )
    for start in range(0, len(memories), 500):
        part = memories[start : start + 500]
        vectors: Any = embedder.filler(len(part))
        collection.add(
            ids=[str(start + place) for place in range(len(part))],
            embeddings=vectors,
            documents=[memory.content for memory in part],
            metadatas=[{"owner": OWNER} for _ in part],
        )
    return collection


def _memories(turns: Sequence[str], size: int) -> list[NewMemory]:
    chance = random.Random(size)
    sentences = [part for turn in turns for part in re.split(r"(?<=[.!?])\s+", turn) if len(part) > 8]
    start = datetime(2025, 1, 1, tzinfo=UTC)
    return [
        NewMemory(
            " ".join(chance.sample(sentences, chance.randint(1, 3))),
            {
                "kind": "turn",
                "speaker": SPEAKERS[number % 2],
                "said_at": (start + timedelta(minutes=5 * number)).isoformat(),
                "session_id": f"session {number // _SESSION_TURNS}",
                "position": number % _SESSION_TURNS,
            },
        )
        for number in range(size)
    ]


def _p95(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]
