"""The answer cache: how often it answers, how often wrongly, how fast, and what it saves.

    python -m benchmarks.cache --qqp FILE [--json FILE]

FILE holds question pairs, a list of objects with text_a, text_b and label (1: one answer serves both). Each pair has
an owner of its own, who asks text_a and then text_b. "Without guards" is what a cosine alone would do. Killers are
pairs that differ in one small thing (cache_killers.tsv). The embedding model is the real one.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import tempfile
from pathlib import Path
from statistics import median

from assistant.embedding.provision import open_embedder
from benchmarks.cache_latency import Latency, measure_latency, median_of_all, medians
from benchmarks.cache_pairs import Killer, Outcome, Pair, QuickEmbedder, killers, wrong_on_killers
from benchmarks.cache_pairs import hits_by_cosine as by_cosine
from benchmarks.cache_pairs import hits_with_cache as with_cache
from benchmarks.cache_workload import Workload, run_workload
from benchmarks.report import Row, add_json_option, report

REPO = Path(__file__).resolve().parent.parent
DEFAULT_CACHE = REPO / ".cache" / "embedding-test-model"
THRESHOLDS = (0.80, 0.85, 0.90, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
CHOSEN = 0.95


async def measure(pairs: list[Pair], folder: Path) -> list[Row]:
    """All figures; the tables on the way are printed."""
    embedder = await open_embedder(DEFAULT_CACHE)
    listed = killers()
    try:
        quick = QuickEmbedder(embedder)
        await quick.prepare([text for pair in pairs for text in (pair.one, pair.other)])
        await quick.prepare([text for killer in listed for text in (killer.one, killer.other)])
        exact = await with_cache(pairs, quick, match="exact")
        chosen = await _table(pairs, listed, quick)
        killed = await wrong_on_killers(listed, quick, threshold=CHOSEN)
        exact_killed = await wrong_on_killers(listed, quick, match="exact")
        latency = await measure_latency(folder, embedder)
        workload = await run_workload(folder, embedder)
    finally:
        await embedder.close()
    return _rows(exact, exact_killed, chosen, killed, listed, latency, workload)


async def _table(pairs: list[Pair], listed: list[Killer], quick: QuickEmbedder) -> Outcome:
    """Print hits and false answers per threshold; the outcome at the chosen one."""
    print(f"{len(pairs)} pairs, {sum(pair.same for pair in pairs)} of them duplicates; {len(listed)} killers")
    print(
        "threshold   without guards: hit%  false  precision  killers   with guards: hit%  false  precision  killers"
    )
    found: dict[float, Outcome] = {}
    for threshold in THRESHOLDS:
        bare = by_cosine(pairs, quick, threshold)
        guarded = await with_cache(pairs, quick, threshold=threshold)
        bare_killed = sum(quick.cosine(killer.one, killer.other) >= threshold for killer in listed)
        guarded_killed = await wrong_on_killers(listed, quick, threshold=threshold)
        found[threshold] = guarded
        print(
            f"{threshold:9.2f}   {bare.hit_percent:20.1f}  {bare.wrong:5}  {bare.precision:9.3f}  {bare_killed:7}"
            f"   {guarded.hit_percent:17.1f}  {guarded.wrong:5}  {guarded.precision:9.3f}  {guarded_killed:7}"
        )
    print()
    return found[CHOSEN]


def _rows(
    exact: Outcome,
    exact_killed: int,
    chosen: Outcome,
    killed: int,
    listed: list[Killer],
    latency: Latency,
    workload: Workload,
) -> list[Row]:
    one, full = latency.one_owner, latency.full
    return [
        Row(
            "exact: false answers",
            "false_answers_exact",
            exact.wrong + exact_killed,
            at_most=0,
            note="pairs and killers",
        ),
        Row("exact: duplicates hit", "exact_duplicates_hit_pct", exact.hit_percent, "%"),
        Row(
            f"semantic, threshold {CHOSEN:g}: duplicates hit",
            "duplicates_hit_pct",
            chosen.hit_percent,
            "%",
            at_least=10,
            note=f"{chosen.right} of {chosen.duplicates}",
        ),
        Row(
            "semantic: precision",
            "semantic_precision",
            chosen.precision,
            at_least=0.95,
            note=f"{chosen.wrong} of {chosen.right + chosen.wrong} hits have label 0",
        ),
        Row(
            "killers answered wrongly",
            "killer_false_answers",
            killed,
            at_most=0,
            note=f"{len(listed)} pairs, both ways, {len({killer.language for killer in listed})} languages",
        ),
        Row(
            "hit, 1,000 entries of one owner",
            "hit_ms_1k",
            median_of_all(one),
            "ms",
            at_most=10,
            note=medians(one),
        ),
        Row(
            f"hit, {latency.entries:,} entries in all",
            "hit_ms_100k",
            median_of_all(full),
            "ms",
            at_most=25,
            note=medians(full),
        ),
        Row("those that need the embedding model", "hit_semantic_ms", median(full["semantic"]), "ms"),
        Row(
            "repeated questions: model calls saved",
            "calls_saved",
            workload.saved,
            note=f"{workload.calls} calls for {workload.turns} turns, {workload.distinct} distinct questions; "
            f"at most {workload.possible:.2f} could be saved; {workload.wrong} wrong answers",
        ),
        Row("repeated questions: wrong answers", "calls_saved_wrong", workload.wrong, at_most=0),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--qqp", type=Path, required=True, metavar="FILE", help="question pairs with labels")
    add_json_option(parser)
    arguments = parser.parse_args()
    entries = json.loads(arguments.qqp.read_text(encoding="utf-8"))
    pairs = [Pair(entry["text_a"], entry["text_b"], bool(entry["label"])) for entry in entries]
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as folder:
        os.environ["KEEPSAKE_HOME"] = folder
        rows = asyncio.run(measure(pairs, Path(folder)))
    return report("Answer cache", rows, arguments.json)


if __name__ == "__main__":
    raise SystemExit(main())
