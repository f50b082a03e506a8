"""Is everything that was acknowledged still there after the process was killed, and does the index agree?

A child process adds memories one by one and in batches, changes and deletes some, and tells each acknowledgement. It is
killed at a random instant; then the memory is opened again, and record and index are compared with what was told.

    python -m benchmarks.durability [--kills N] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from pathlib import Path

from benchmarks.report import Row, add_json_option, report

KILLS = 200
OWNER = "alice"
_LONGEST_LIFE = 1.2

WRITER = """
import asyncio, json, random, sys
from pathlib import Path
from assistant.memory.base import NewMemory
from assistant.memory.ledger import open_memory
from benchmarks.durability import OWNER, WordEmbedder

def tell(kind, memory_id, text=""):
    print(json.dumps([kind, memory_id, text]), flush=True)

async def main(folder, seed):
    chance = random.Random(seed)
    memory = await open_memory(Path(folder), embedder=WordEmbedder())
    kept = [item.memory_id for item in (await memory.list(user_id=OWNER, limit=1000)).items]
    tell("open", "")
    number = 0
    while True:
        number += 1
        text = f"fact {seed} {number}"
        step = chance.random()
        if step < 0.5 or not kept:
            tell("try", "", text)
            memory_id = await memory.add(text, user_id=OWNER)
            kept.append(memory_id)
            tell("has", memory_id, text)
        elif step < 0.7:
            items = [NewMemory(f"{text} {place}") for place in range(40)]
            for item in items:
                tell("try", "", item.content)
            ids = await memory.add_many(items, user_id=OWNER)
            kept += ids
            for memory_id, item in zip(ids, items):
                tell("has", memory_id, item.content)
        elif step < 0.85:
            memory_id = chance.choice(kept)
            tell("try", memory_id, text)
            await memory.update(memory_id, text, user_id=OWNER)
            tell("has", memory_id, text)
        else:
            memory_id = kept.pop(chance.randrange(len(kept)))
            tell("going", memory_id)
            await memory.delete(memory_id, user_id=OWNER)
            tell("gone", memory_id)

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""


class WordEmbedder:
    """Vectors from the words' hashes: what is measured here is the disk, not the model."""

    embedder_id = "words-32"
    dimension = 32

    async def embed(self, texts, *, priority="index"):  # type: ignore[no-untyped-def]
        import zlib

        import numpy as np

        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            for word in text.split():
                vectors[row, zlib.crc32(word.encode()) % self.dimension] += 1
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-6)

    async def close(self) -> None:
        """Nothing to free."""


async def killed_after(folder: Path, seed: int, seconds: float) -> list[list[str]]:
    """What a writer told until it was killed, `seconds` after it was open."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        WRITER,
        str(folder),
        str(seed),
        cwd=Path(__file__).resolve().parent.parent,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    told = [json.loads(await process.stdout.readline())]
    reading = asyncio.ensure_future(process.stdout.read())
    await asyncio.wait([reading], timeout=seconds)
    process.kill()
    await process.wait()
    # The last line may be half of one.
    lines = (await reading).decode().split("\n")[:-1]
    return told + [json.loads(line) for line in lines]


async def compare(
    folder: Path, told: list[list[str]], before: dict[str, str]
) -> tuple[int, int, dict[str, str]]:
    """Acknowledged changes that are not there, memories on which record and index differ, and what there is now."""
    from assistant.memory.ledger import open_memory
    from assistant.memory.ledger.chroma_index import ChromaIndex

    memory = await open_memory(folder, embedder=WordEmbedder())
    await memory.ready()
    now: dict[str, str] = {}
    while page := (await memory.list(user_id=OWNER, offset=len(now), limit=1000, sort="oldest")).items:
        now |= {item.memory_id: item.content for item in page}
    await memory.close()
    index = ChromaIndex(folder, WordEmbedder.embedder_id)
    await index.open()
    held = await index.vectors(OWNER, await index.ids(OWNER))
    await index.close()
    indexed = dict(zip(held.ids, held.texts, strict=True))
    mismatched = sum(now.get(key) != indexed.get(key) for key in now.keys() | indexed.keys())
    return lost(told, before, now), mismatched, now


def lost(told: list[list[str]], before: dict[str, str], now: dict[str, str]) -> int:
    """How many acknowledged changes are not in `now`. One that was begun last may or may not be."""
    expected: dict[str, set[str | None]] = {memory_id: {text} for memory_id, text in before.items()}
    for kind, memory_id, text in told:
        if kind == "has":
            expected[memory_id] = {text}
        elif kind == "gone":
            expected[memory_id] = {None}
        elif memory_id:
            expected[memory_id].add(text if kind == "try" else None)
    tried = {text for kind, _, text in told if kind == "try"}
    strangers = sum(key not in expected and text not in tried for key, text in now.items())
    return strangers + sum(now.get(key) not in texts for key, texts in expected.items())


async def measure(kills: int, seed: int = 1) -> tuple[int, int, int]:
    """Lost, mismatched and acknowledged changes over `kills` kills of one memory."""
    chance = random.Random(seed)
    totals = [0, 0, 0]
    with tempfile.TemporaryDirectory() as name:
        folder, there = Path(name), dict[str, str]()
        for number in range(kills):
            told = await killed_after(folder, seed * 1000 + number, chance.uniform(0, _LONGEST_LIFE))
            missing, mismatched, there = await compare(folder, told, there)
            totals[0] += missing
            totals[1] += mismatched
            totals[2] += sum(kind in ("has", "gone") for kind, _, _ in told)
    return totals[0], totals[1], totals[2]


def main() -> int:
    """Run the benchmark; the exit code tells whether a target was missed."""
    parser = argparse.ArgumentParser(description="Kill a process that adds memories, and look what is there.")
    parser.add_argument("--kills", type=int, default=KILLS)
    add_json_option(parser)
    arguments = parser.parse_args()
    missing, mismatched, acknowledged = asyncio.run(measure(arguments.kills))
    rows = [
        Row("acknowledged changes lost", "lost", missing, at_most=0, note=f"of {acknowledged}"),
        Row("memories on which record and index differ", "mismatched", mismatched, at_most=0),
        Row("kills", "kills", arguments.kills),
    ]
    return report("Durability", rows, arguments.json)


if __name__ == "__main__":
    sys.exit(main())
