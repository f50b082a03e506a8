"""How fast 10,000 facts are added, and how smooth the window stays meanwhile.

Facts of about fifteen words through `open_memory`, end to end (record, vectors, index, all found by meaning), against a
ChromaProvider over sentence-transformers that adds them one by one (a sample of it, scaled up) and in batches. Then
the same facts are added in the application's real window on a virtual screen; stall is how late a precise 5 ms timer
fires, beside the same window at rest.

    python -m benchmarks.adding [--facts N] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import faulthandler
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from assistant.config.paths import AppPaths
from assistant.core.errors import AssistantError
from assistant.embedding.base import Embedder
from assistant.embedding.provision import open_embedder
from assistant.embedding.sentence_transformer_embedder import SentenceTransformerEmbedder
from assistant.embedding.weights import packaged_weights_folder
from assistant.memory.base import BrowsableMemory, MemoryScope, NewMemory
from assistant.memory.chroma_provider import ChromaProvider
from assistant.memory.ledger.opening import open_memory
from benchmarks.report import Row, add_json_option, report
from benchmarks.virtual_screen import virtual_screen

FACTS = 10_000
ONE_BY_ONE = 400
"""How many of them the slowest contestant really adds; its time grows with the number."""
REST_SECONDS = 15.0
LIMIT = 3600.0
"""Seconds after which the command says where it hangs, and ends."""
WINDOW_LIMIT = 900.0
"""The same for the window alone."""
OWNER = "somebody"

_WHO = (
    "My sister Ana",
    "Our neighbour Jim",
    "The dentist",
    "My cousin",
    "The landlord",
    "A colleague",
    "I",
    "We",
)
_DOES = (
    "bought",
    "sold",
    "painted",
    "repaired",
    "lost",
    "found",
    "ordered",
    "returned",
    "borrowed",
    "described",
)
_WHAT = (
    "the blue bicycle",
    "a table for six",
    "the tax return",
    "an old camera",
    "the garden fence",
    "a train set",
)
_WHERE = (
    "in Porto",
    "near the harbour",
    "at the market in Lyon",
    "behind the library",
    "in the old town",
    "in Graz",
)
_WHEN = (
    "on a rainy Monday",
    "last spring",
    "before the holidays",
    "after work",
    "early in the morning",
    "in April",
)
_WHY = (
    "because it was cheap",
    "for the children",
    "and was glad about it",
    "without telling anybody",
    "for good",
)


def facts(count: int) -> list[str]:
    """That many different facts of about fifteen words, the same on every run."""
    draw = random.Random(7)
    parts = (_WHO, _DOES, _WHAT, _WHERE, _WHEN, _WHY)
    return [f"{' '.join(draw.choice(part) for part in parts)}, number {n}." for n in range(count)]


async def batches(memory: BrowsableMemory, texts: list[str]) -> float:
    """Seconds to add all in one call."""
    begun = time.perf_counter()
    await memory.add_many([NewMemory(text) for text in texts], user_id=OWNER)
    return time.perf_counter() - begun


async def one_by_one(memory: BrowsableMemory, texts: list[str]) -> float:
    """Seconds to add each in a call of its own."""
    begun = time.perf_counter()
    for text in texts:
        await memory.add(text, user_id=OWNER)
    return time.perf_counter() - begun


async def cancelled_after(memory: BrowsableMemory, texts: list[str]) -> float:
    """Seconds until a cancelled addition has ended; what was added until then must be there."""
    begun = asyncio.Event()
    adding = asyncio.ensure_future(
        memory.add_many(
            [NewMemory(text) for text in texts], user_id="cancelled", progress=lambda done, total: begun.set()
        )
    )
    # One that fails first would never tell of any progress.
    adding.add_done_callback(lambda _: begun.set())
    await begun.wait()
    since = time.perf_counter()
    adding.cancel()
    await asyncio.wait([adding])
    took = time.perf_counter() - since
    kept = await memory.count(user_id="cancelled")
    if not adding.cancelled():
        adding.result()
    if not adding.cancelled() or not 0 < kept < len(texts):
        raise SystemExit(f"a cancelled addition left {kept} of {len(texts)} memories")
    return took


async def peers(texts: list[str]) -> dict[str, float]:
    """Seconds of each contestant for all texts."""
    torch: Embedder = SentenceTransformerEmbedder(packaged_weights_folder())
    onnx = await open_embedder(AppPaths.for_user().cache)
    found: dict[str, float] = {}
    try:
        for embedder in (torch, onnx):
            await embedder.embed(texts[:64])
        with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as place:
            ledger = await open_memory(Path(place) / "ledger", embedder=onnx)
            found["ledger"] = await batches(ledger, texts)
            found["cancel"] = await cancelled_after(ledger, texts)
            await ledger.close()
            chroma = ChromaProvider(
                persist_directory=Path(place) / "chroma", scope=MemoryScope.PER_USER, embedder=torch
            )
            found["one_by_one"] = await one_by_one(chroma, texts[:ONE_BY_ONE]) * len(texts) / ONE_BY_ONE
            await chroma.close()
            chroma = ChromaProvider(
                persist_directory=Path(place) / "batches", scope=MemoryScope.PER_USER, embedder=torch
            )
            found["batches"] = await batches(chroma, texts)
            await chroma.close()
    finally:
        await onnx.close()
        await torch.close()
    return found


def in_window(count: int) -> dict[str, Any]:
    """The application in its window, at rest and while it adds."""
    from assistant.config.settings import Settings
    from assistant.config.settings_store import SettingsStore

    with virtual_screen(), tempfile.TemporaryDirectory(prefix="keepsake-bench-") as place:
        environment = {**os.environ, "KEEPSAKE_HOME": place}
        paths = AppPaths.below(Path(place))
        paths.ensure()
        SettingsStore(paths.settings_file).save(Settings(first_start_done=True, endpoint="local"))
        command = [sys.executable, "-m", "benchmarks.adding_window", str(count), str(REST_SECONDS)]
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            text=True,
            timeout=WINDOW_LIMIT + 30,
            check=False,
        )
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        raise SystemExit(f"the application failed ({done.returncode}):\n{done.stdout}\n{done.stderr}")
    found: dict[str, Any] = json.loads(lines[-1])
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.adding", description=__doc__.splitlines()[0])
    parser.add_argument("--facts", type=int, default=FACTS)
    add_json_option(parser)
    options = parser.parse_args(argv)
    faulthandler.dump_traceback_later(LIMIT, exit=True)
    texts = facts(options.facts)
    try:
        took = asyncio.run(peers(texts))
    except AssistantError as error:
        raise SystemExit(str(error)) from error
    faulthandler.cancel_dump_traceback_later()
    window = in_window(options.facts)
    rows = [
        Row("Keepsake, all in one call", "ledger_s", took["ledger"], "s"),
        Row(
            "Chroma with sentence-transformers, one by one",
            "one_by_one_s",
            took["one_by_one"],
            "s",
            note=f"{ONE_BY_ONE} of them, scaled",
        ),
        Row("Chroma with sentence-transformers, in batches", "batches_s", took["batches"], "s"),
        Row(
            "times as fast as one by one",
            "one_by_one_ratio",
            took["one_by_one"] / took["ledger"],
            "x",
            at_least=3,
        ),
        Row(
            "times as fast as in batches", "batches_ratio", took["batches"] / took["ledger"], "x", at_least=1
        ),
        Row("a cancelled addition ends after", "cancel_s", took["cancel"], "s", at_most=1),
        Row("in the window", "window_s", window["seconds"], "s"),
        Row("stall p99, window at rest", "stall_p99_idle_ms", window["idle_p99"], "ms"),
        Row("stall p99, while adding", "stall_p99_ms", window["p99"], "ms"),
        Row("stall longest, while adding", "stall_max_ms", window["max"], "ms"),
        Row(
            "ratio of the two p99",
            "stall_ratio",
            window["p99"] / max(window["idle_p99"], 0.001),
            "x",
            at_most=1.5,
        ),
    ]
    return report(f"Adding {options.facts:,} facts of about fifteen words", rows, options.json)


if __name__ == "__main__":
    sys.exit(main())
