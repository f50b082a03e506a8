"""The ONNX embedder against sentence-transformers: start, speed, memory and vectors, in one run.

    python -m benchmarks.embedding [--json FILE]

Both run in processes of their own and take turns, so that a change in the machine's pace hits both. A ratio is
the median over the turns of (sentence-transformers / ONNX): 2 means that ONNX takes half the time. Both use all
cores; the figures named "index" compare the app's background lane with sentence-transformers on one thread.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from benchmarks.report import Row, add_json_option, report
from benchmarks.sentences import long_texts, questions, short_facts, varied_sentences

if TYPE_CHECKING:
    from assistant.embedding.base import Vectors

REPO = Path(__file__).resolve().parent.parent
DEFAULT_CACHE = REPO / ".cache" / "embedding-test-model"
NAMES = ("onnx", "torch")

COLD_STARTS = 5
MEMORY_RUNS = 2
ROUNDS = 7
QUESTIONS_PER_ROUND = 10
SHORT_BATCH = 128
LONG_BATCH = 64
REST = 0.05


class Contestant:
    """A running contestant process.

    Attributes:
        cold_start: seconds from its start to its first vector.
    """

    def __init__(self, process: subprocess.Popen[str], started: float) -> None:
        self._process = process
        self._answer()
        self.cold_start = time.perf_counter() - started

    def ask(self, task: str, **arguments: object) -> list[float]:
        """Let it do one task; the numbers that it answers."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"task": task, **arguments}) + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> list[float]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit("a contestant ended early; see above")
        numbers: list[float] = json.loads(line)
        return numbers


@contextmanager
def contestant(name: str, cache: Path) -> Iterator[Contestant]:
    """Start a contestant, and end it afterwards. What it says on standard error is shown if it fails."""
    command = [sys.executable, "-m", "benchmarks.embedding_contestants", name, str(cache)]
    with tempfile.TemporaryFile("w+") as noise:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, cwd=REPO, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=noise, text=True
        )
        with process:
            try:
                yield Contestant(process, started)
            except SystemExit:
                noise.seek(0)
                print(noise.read(), file=sys.stderr)
                raise


def measure_cold_starts(cache: Path) -> dict[str, list[float]]:
    """Seconds to the first vector, in turns; the first pair, which fills the file cache, does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in NAMES}
    for turn in range(COLD_STARTS + 1):
        for name in NAMES:
            with contestant(name, cache) as running:
                if turn:
                    seconds[name].append(running.cold_start)
    return seconds


def measure_memory(cache: Path) -> dict[str, list[float]]:
    """Peak MB of a process that answers questions and embeds batches, on all cores and on one."""
    peaks: dict[str, list[float]] = {name: [] for name in NAMES}
    for _ in range(MEMORY_RUNS):
        for name in NAMES:
            with contestant(name, cache) as running:
                for cores in ("all", "one"):
                    running.ask("alone", texts=questions(5), cores=cores)
                    running.ask("together", texts=short_facts(SHORT_BATCH), cores=cores)
                    running.ask("together", texts=long_texts(LONG_BATCH), cores=cores)
                peaks[name].append(running.ask("peak")[0])
    return peaks


def measure_ratio(
    pair: Sequence[Contestant], task: str, texts: Sequence[str], *, cores: str
) -> tuple[float, float, float]:
    """Median over the turns of torch/onnx, and the median milliseconds a text of either (onnx, torch)."""
    rounds: list[tuple[float, float]] = []
    size = len(texts) if task == "together" else 1
    for turn in range(ROUNDS + 1):
        taken = {}
        order = (0, 1) if turn % 2 else (1, 0)
        for place in order:
            taken[place] = median(pair[place].ask(task, texts=texts, cores=cores)) / size
            time.sleep(REST)  # the other's idle threads spin on for some milliseconds
        if turn:
            rounds.append((taken[0], taken[1]))
    onnx, torch = (median(values) * 1000 for values in zip(*rounds, strict=True))
    return median(torch_s / onnx_s for onnx_s, torch_s in rounds), onnx, torch


def lowest_cosine(pair: Sequence[Contestant], texts: Sequence[str]) -> float:
    """The lowest cosine between the two on any text, alone and in batches, in both of the app's lanes."""
    import numpy as np

    onnx, torch = pair
    with tempfile.TemporaryDirectory() as folder:

        def vectors(running: Contestant, cores: str) -> Vectors:
            file = os.path.join(folder, "vectors.npy")
            running.ask("save", texts=texts, cores=cores, file=file)
            saved: Vectors = np.load(file)
            return saved

        expected = vectors(torch, "all")
        made = [vectors(onnx, cores) for cores in ("all", "one")]
    # Each way of embedding against each: alone and alone, batch and batch, alone and batch.
    return min(float(_cosines(ours, way).min()) for ours in made for way in (expected, expected[::-1]))


def _cosines(first: Vectors, second: Vectors) -> Vectors:
    import numpy as np

    lengths = np.linalg.norm(first, axis=-1) * np.linalg.norm(second, axis=-1)
    cosines: Vectors = (first * second).sum(axis=-1) / lengths
    return cosines


def prepare(cache: Path) -> None:
    """Export the model unless the cache has it."""
    from assistant.embedding.onnx_embedder import OnnxEmbedder
    from assistant.embedding.provision import open_embedder

    async def provide() -> bool:
        opened = await open_embedder(cache, progress=lambda step, *_: print(f"  {step}", flush=True))
        await opened.close()
        return isinstance(opened, OnnxEmbedder)

    if not asyncio.run(provide()):
        raise SystemExit("the model could not be exported; there is nothing to compare")


def measure(cache: Path) -> list[Row]:
    """All figures."""
    prepare(cache)
    starts, peaks = measure_cold_starts(cache), measure_memory(cache)
    with ExitStack() as stack:
        pair = [stack.enter_context(contestant(name, cache)) for name in NAMES]
        asked = questions(QUESTIONS_PER_ROUND)
        query = measure_ratio(pair, "alone", asked, cores="all")
        batches = {
            (kind, cores): measure_ratio(pair, "together", texts, cores=cores)
            for cores in ("all", "one")
            for kind, texts in (("short", short_facts(SHORT_BATCH)), ("long", long_texts(LONG_BATCH)))
        }
        cosine = lowest_cosine(pair, varied_sentences())
    cold, peak = ({name: median(values[name]) for name in NAMES} for values in (starts, peaks))
    return [
        Row(
            "cold start, ratio",
            "cold_start_ratio",
            median(torch / onnx for onnx, torch in zip(starts["onnx"], starts["torch"], strict=True)),
            unit="x",
            at_least=8,
            note=f"process start to first vector: {cold['onnx']:.2f} s, was {cold['torch']:.2f} s",
        ),
        _speed("one question", "query_ratio", query, 2.5),
        _speed(f"{SHORT_BATCH} short facts", "batch_short_ratio", batches["short", "all"], 0.95),
        _speed(f"{LONG_BATCH} texts of 50 tokens", "batch_long_ratio", batches["long", "all"], 0.95),
        _speed("the same facts, one thread", "index_short_ratio", batches["short", "one"], None),
        _speed("the same texts, one thread", "index_long_ratio", batches["long", "one"], None),
        Row(
            "lowest cosine",
            "cosine_min",
            cosine,
            at_least=0.9999,
            note="1,000 texts in ten languages, alone and in batches, both lanes",
        ),
        Row(
            "peak memory, ratio",
            "peak_memory_ratio",
            peak["onnx"] / peak["torch"],
            at_most=0.6,
            note=f"both lanes loaded: {peak['onnx']:.0f} MB, was {peak['torch']:.0f} MB",
        ),
    ]


def _speed(label: str, name: str, measured: tuple[float, float, float], at_least: float | None) -> Row:
    ratio, onnx, torch = measured
    note = f"{onnx:.2f} ms a text, was {torch:.2f} ms"
    return Row(f"{label}, speed ratio", name, ratio, unit="x", at_least=at_least, note=note)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="benchmarks.embedding", description=__doc__)
    add_json_option(parser)
    parser.add_argument("--cache", type=Path, default=DEFAULT_CACHE, help="where the exported model is kept")
    options = parser.parse_args(arguments)
    return report("ONNX Runtime against sentence-transformers", measure(options.cache), options.json)


if __name__ == "__main__":
    sys.exit(main())
