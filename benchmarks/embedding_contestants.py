"""The two processes that `benchmarks.embedding` compares. Each answers JSON lines on standard input.

Its first line of output says that the first text is embedded: what comes before is the cold start.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TextIO

if TYPE_CHECKING:
    from assistant.embedding.base import Vectors

Cores = Literal["all", "one"]
FIRST_TEXT = "When does Atlas ship, and who owns it?"


class Contestant(Protocol):
    def embed(self, texts: Sequence[str], cores: Cores) -> Vectors: ...


class OnnxContestant:
    """The app's embedder, through its own asynchronous calls and with its check of the files."""

    def __init__(self, cache: Path) -> None:
        from assistant.embedding.provision import open_embedder

        # Not asyncio.Runner: around each call it formats the finished task, with all its 384 numbers, and that
        # takes as long as the embedding.
        self._loop = asyncio.new_event_loop()
        self._embedder = self._loop.run_until_complete(open_embedder(cache))

    def embed(self, texts: Sequence[str], cores: Cores) -> Vectors:
        priority: Literal["query", "index"] = "query" if cores == "all" else "index"
        return self._loop.run_until_complete(self._embedder.embed(texts, priority=priority))


class TorchContestant:
    """sentence-transformers as its readme uses it."""

    def __init__(self) -> None:
        from sentence_transformers import SentenceTransformer

        from assistant.embedding.weights import packaged_weights_folder

        self._model = SentenceTransformer(str(packaged_weights_folder()), device="cpu", local_files_only=True)

    def embed(self, texts: Sequence[str], cores: Cores) -> Vectors:
        import torch

        threads = (
            1 if cores == "one" else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
        )
        if threads and torch.get_num_threads() != threads:
            torch.set_num_threads(threads)
        vectors: Vectors = self._model.encode(list(texts), show_progress_bar=False)
        return vectors


def peak_memory() -> float:
    """The most memory that this process ever held, in MB.

    Linux counts it from the start of this program; ru_maxrss there would include the parent's at the fork.
    """
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024 / 1e6
    import psutil  # type: ignore[import-untyped,unused-ignore]

    memory = psutil.Process().memory_info()
    if hasattr(memory, "peak_wset"):
        return float(memory.peak_wset) / 1e6
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def time_alone(contestant: Contestant, texts: list[str], cores: Cores) -> list[float]:
    """Seconds of each text by itself."""
    seconds = []
    for text in texts:
        start = time.perf_counter()
        contestant.embed([text], cores)
        seconds.append(time.perf_counter() - start)
    return seconds


def time_together(contestant: Contestant, texts: list[str], cores: Cores) -> list[float]:
    """Seconds of one call with all texts."""
    start = time.perf_counter()
    contestant.embed(texts, cores)
    return [time.perf_counter() - start]


def save_vectors(contestant: Contestant, texts: list[str], cores: Cores, file: str) -> list[float]:
    """Write the vectors of all texts, first each by itself, then together: shape (2, texts, dimension)."""
    import numpy as np

    alone = np.concatenate([contestant.embed([text], cores) for text in texts])
    np.save(file, np.stack([alone, contestant.embed(texts, cores)]))
    return []


def serve(contestant: Contestant, commands: TextIO, answers: TextIO) -> None:
    """Answer each command with a list of numbers, until the commands end."""
    tasks: dict[str, Callable[..., list[float]]] = {
        "alone": time_alone,
        "together": time_together,
        "save": save_vectors,
    }
    for line in commands:
        command: dict[str, Any] = json.loads(line)
        task = command.pop("task")
        numbers = [peak_memory()] if task == "peak" else tasks[task](contestant, **command)
        answers.write(json.dumps(numbers) + "\n")
        answers.flush()


def main() -> None:
    """`onnx CACHE` or `torch`: become that contestant."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    contestant: Contestant = OnnxContestant(Path(sys.argv[2])) if sys.argv[1] == "onnx" else TorchContestant()
    contestant.embed([FIRST_TEXT], "all")
    sys.stdout.write("[]\n")
    sys.stdout.flush()
    serve(contestant, sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
