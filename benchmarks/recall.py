"""Does memory find the turn that answers a question, and how long does a turn wait for it?

Evidence recall on LoCoMo dialogues, against Chroma alone and BM25 alone; and the latency of recall at growing sizes,
against one Chroma collection for everybody, queried with where=owner.

    python -m benchmarks.recall --locomo FILE [--json OUT] [--sizes 1000,10000,100000]

Every turn is added through `open_memory`, each conversation to an owner of its own; each question is searched with
that owner only. Figures of the published retriever are from Maharana et al. 2024, table 3, over whole conversations.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from assistant.config.paths import AppPaths
from assistant.embedding.base import Embedder
from assistant.embedding.provision import open_embedder
from benchmarks import locomo, recall_latency
from benchmarks.locomo import CATEGORIES, CUTS, Dialogue, Figures, Question
from benchmarks.recall_rivals import Bm25, Finder, Keepsake, PlainChroma
from benchmarks.report import Row, add_json_option, report

DEPTH = 100
PUBLISHED = {5: 56.7, 10: 66.2, 50: 82.7}
AIMS = {1: None, 5: 70.0, 10: 80.0, 50: 92.0}
FLOOR_AT_10 = 76.0
MRR_AIM = 0.56


async def ranked(finder: Finder, dialogues: Sequence[Dialogue]) -> list[tuple[Question, list[str]]]:
    """Add everything, then ask everything."""
    for dialogue in dialogues:
        await finder.add(dialogue)
    return [
        (question, await finder.find(dialogue.name, question.text, DEPTH))
        for dialogue in dialogues
        for question in dialogue.questions
    ]


def table(results: dict[str, list[tuple[Question, list[str]]]]) -> None:
    """Print who finds how much, over all questions and by category."""
    header = f"{'evidence recall at':34s}" + "".join(f"{cut:>7d}" for cut in CUTS) + f"{'MRR':>8s}"
    print(header)
    print("-" * len(header))
    print(_line("published retriever", [PUBLISHED.get(cut) for cut in CUTS], None))
    for name, answers in results.items():
        found = locomo.figures(answers)
        print(_line(f"{name}, {found.questions} questions", list(found.recall), found.mrr))
    for category, title in CATEGORIES.items():
        for name, answers in results.items():
            found = locomo.figures([answer for answer in answers if answer[0].category == category])
            if found.questions:
                print(_line(f"  {title}: {name}", list(found.recall), found.mrr))
    print(flush=True)


def rows(mine: Figures, chroma: Figures, bm25: Figures) -> list[Row]:
    """The figures with their targets."""
    at = dict(zip(CUTS, mine.recall, strict=True))
    found = [
        Row(f"evidence recall@{cut}", f"recall_at_{cut}", at[cut], "%", at_least=AIMS[cut])
        for cut in CUTS
        if cut != 10
    ]
    ten = CUTS.index(10)
    note = f"published {PUBLISHED[10]:g}; floor {FLOOR_AT_10:g}"
    return [
        *found,
        Row("evidence recall@10", "recall_at_10", at[10], "%", at_least=AIMS[10], note=note),
        Row("mean reciprocal rank", "mrr", mine.mrr, at_least=MRR_AIM),
        Row("Chroma alone, recall@10", "chroma_recall_at_10", chroma.recall[ten], "%"),
        Row("BM25 alone, recall@10", "bm25_recall_at_10", bm25.recall[ten], "%"),
    ]


async def measure(path: Path, sizes: Sequence[int], embedder: Embedder) -> list[Row]:
    """All figures."""
    dialogues = locomo.read(path)
    results: dict[str, list[tuple[Question, list[str]]]] = {}
    for name, kind in (("Keepsake", Keepsake), ("Chroma alone", PlainChroma), ("BM25 alone", Bm25)):
        with tempfile.TemporaryDirectory() as folder:
            finder = await kind.opened(Path(folder), embedder)
            try:
                results[name] = await ranked(finder, dialogues)
            finally:
                await finder.close()
    table(results)
    found = rows(*(locomo.figures(answers) for answers in results.values()))
    return found + await recall_latency.measure(dialogues, sizes, embedder)


def _line(name: str, values: Sequence[float | None], mrr: float | None) -> str:
    cells = "".join("      –" if value is None else f"{value:7.1f}" for value in values)
    return f"{name:34s}{cells}" + ("       –" if mrr is None else f"{mrr:8.3f}")


async def _main(arguments: argparse.Namespace) -> list[Row]:
    embedder = await open_embedder(AppPaths.for_user().cache)
    try:
        sizes = [int(size) for size in arguments.sizes.split(",") if size]
        return await measure(arguments.locomo, sizes, embedder)
    finally:
        await embedder.close()


def main() -> int:
    """Run the benchmark; the exit code tells whether a target was missed."""
    parser = argparse.ArgumentParser(description="Evidence recall on LoCoMo, and the latency of recall.")
    parser.add_argument("--locomo", type=Path, required=True, metavar="FILE")
    parser.add_argument("--sizes", default="1000,10000,100000", help="memories at which latency is measured")
    add_json_option(parser)
    arguments = parser.parse_args()
    return report("Recall", asyncio.run(_main(arguments)), arguments.json)


if __name__ == "__main__":
    sys.exit(main())
