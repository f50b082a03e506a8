"""Does memory merge what is the same, and nothing else?

    python -m benchmarks.consolidation --sick FILE [--json OUT]

Each pair goes through the real line: the first statement is kept in a memory that `open_memory` opens, with the
embedding model of the app; the second is a candidate whose verdict is asked for. "Merged" is a verdict "same" on the
first. Pairs come from SICK (Marelli et al. 2014) and from templates in five languages (see consolidation_pairs). A
memory holds many statements at once, as a person's does; no two of its pairs share a statement.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from assistant.config.paths import AppPaths
from assistant.embedding.base import Embedder
from assistant.embedding.provision import open_embedder
from assistant.memory.base import NewMemory
from assistant.memory.consolidation import Consolidator, read, related
from assistant.memory.learning.base import Candidate
from assistant.memory.ledger import MemoryLedger, open_memory
from benchmarks.consolidation_pairs import Pair, minimal_pairs, repeats, wordings
from benchmarks.report import Row, add_json_option, report

_MOST_TOGETHER = 250
FEWEST_MINIMAL = 200
PARAPHRASES_AIM = 60.0


def sick_pairs(path: Path) -> list[Pair]:
    """The contradictions and entailments of a SICK file, in their order."""
    told = json.loads(path.read_text(encoding="utf-8"))
    wanted = {"CONTRADICTION": "contradiction", "ENTAILMENT": "entailment"}
    return [
        Pair(wanted[item["relation"]], "en", item["a"], item["b"])
        for item in told
        if item["relation"] in wanted
    ]


def batches(pairs: Iterable[Pair]) -> list[list[Pair]]:
    """Pairs in groups in which no statement comes twice."""
    groups: list[tuple[set[str], list[Pair]]] = []
    for pair in pairs:
        texts = {pair.known, pair.new}
        for seen, group in groups:
            if len(group) < _MOST_TOGETHER and not seen & texts:
                break
        else:
            seen, group = set(), []
            groups.append((seen, group))
        seen |= texts
        group.append(pair)
    return [group for _, group in groups]


async def merged(memory: MemoryLedger, owner: str, pairs: Sequence[Pair]) -> list[bool]:
    """Of each pair, whether the second was taken for a repetition of the first."""
    ids = await memory.add_many([NewMemory(pair.known, {"kind": "fact"}) for pair in pairs], user_id=owner)
    consolidator = Consolidator(memory)
    found = []
    for pair, memory_id in zip(pairs, ids, strict=True):
        verdict = await consolidator.verdict(Candidate(pair.new, pair.new), user_id=owner)
        is_same = verdict.action == "same"
        if is_same and verdict.memory_id != memory_id:
            # Another statement came first; this one would have been merged without it.
            is_same = related(read(pair.known), read(pair.new)).kind == "same"
        found.append(is_same)
    return found


async def measure(pairs: Sequence[Pair], embedder: Embedder) -> tuple[Counter[str], Counter[str], list[Pair]]:
    """How many pairs there are of each kind, how many of them were merged, and those that were."""
    totals: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    together: list[Pair] = []
    with tempfile.TemporaryDirectory() as folder:
        memory = await open_memory(folder, embedder=embedder)
        try:
            for number, group in enumerate(batches(pairs)):
                for pair, is_same in zip(group, await merged(memory, f"owner {number}", group), strict=True):
                    totals[pair.kind] += 1
                    if is_same:
                        counts[pair.kind] += 1
                        together.append(pair)
        finally:
            await memory.close()
    return totals, counts, together


def rows(totals: Counter[str], counts: Counter[str]) -> list[Row]:
    """The figures with their targets."""
    minimal = ("number", "date", "name", "negation")
    known = sum(totals[kind] for kind in minimal)
    split = ", ".join(f"{totals[kind]} {kind}" for kind in minimal)

    def share(kind: str) -> float:
        return 100 * counts[kind] / max(totals[kind], 1)

    return [
        Row(
            "contradictions merged",
            "contradictions_merged",
            counts["contradiction"],
            at_most=0,
            note=f"of {totals['contradiction']}",
        ),
        Row(
            "pairs that differ in one detail, merged",
            "minimal_pairs_merged",
            sum(counts[kind] for kind in minimal),
            at_most=0,
            note=f"of {known}: {split}",
        ),
        Row("pairs that differ in one detail", "minimal_pairs", known, at_least=FEWEST_MINIMAL),
        Row(
            "paraphrases merged",
            "paraphrases_merged_pct",
            share("wording"),
            "%",
            at_least=PARAPHRASES_AIM,
            note=f"of {totals['wording']}",
        ),
        Row(
            "exact repeats merged", "repeats_merged_pct", share("repeat"), "%", note=f"of {totals['repeat']}"
        ),
        Row(
            "entailments merged",
            "entailments_merged_pct",
            share("entailment"),
            "%",
            note=f"of {totals['entailment']}; most say less than what they follow from",
        ),
    ]


async def _main(arguments: argparse.Namespace) -> list[Row]:
    pairs = [*sick_pairs(arguments.sick), *minimal_pairs(), *wordings(), *repeats()]
    embedder = await open_embedder(AppPaths.for_user().cache)
    try:
        totals, counts, together = await measure(pairs, embedder)
    finally:
        await embedder.close()
    for pair in together:
        if pair.kind not in {"wording", "repeat", "entailment"}:
            print(f"merged ({pair.kind}): {pair.known!r} and {pair.new!r}")
    return rows(totals, counts)


def main() -> int:
    """Run the benchmark; the exit code tells whether a target was missed."""
    parser = argparse.ArgumentParser(description="What consolidation merges, and what it keeps apart.")
    parser.add_argument("--sick", type=Path, required=True, metavar="FILE")
    add_json_option(parser)
    arguments = parser.parse_args()
    return report("Consolidation", asyncio.run(_main(arguments)), arguments.json)


if __name__ == "__main__":
    sys.exit(main())
