"""How long it takes to open a long conversation, and to search in a million messages.

A file with that many messages in six languages is made first. Opening is measured in a real view on a virtual screen,
to the painted messages. Search goes through the store's own method, in a warm file, with words drawn evenly over the
logarithm of their document frequency, as the search itself counts it (a word finds longer ones that it begins).
Floors of the same run: reading the whole conversation; the bare index without owners, texts and snippets; a scan.

    python -m benchmarks.conversations [--messages N] [--queries N] [--seed N] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw

from assistant.conversation.base import MessageHit
from assistant.conversation.search_text import SearchQuery
from assistant.conversation.sqlite_store import SqliteConversationStore
from benchmarks.conversation_corpus import LONG, OWNER, SHORT, build
from benchmarks.report import Row, add_json_option, report
from benchmarks.virtual_screen import virtual_screen

RARE, COMMON = (0.0001, 0.01), (0.01, 1.0)
ROUNDS = 15
LIMIT = 60
"""Hits that the window asks for."""
_BARE = "SELECT rowid FROM message_words WHERE message_words MATCH ? ORDER BY rowid DESC LIMIT 60"
_COUNT = "SELECT count(*) FROM message_words WHERE message_words MATCH ?"
_SCAN = "SELECT key FROM message WHERE instr(content, ?) > 0 ORDER BY key DESC LIMIT 60"


@dataclass(frozen=True, slots=True)
class Queries:
    """What is looked for: words of .01 to 1 % of the messages, more frequent ones, pairs of both, first letters."""

    rare: list[str]
    common: list[str]
    pairs: list[str]
    letters: list[str]


def milliseconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def rows_ms(db: apsw.Connection, sql: str, binding: str) -> float:
    return milliseconds(lambda: list(db.execute(sql, (binding,))))


def p95(times: Sequence[float]) -> float:
    return sorted(times)[math.ceil(len(times) * 0.95) - 1]


def drawn(db: apsw.Connection, band: tuple[float, float], count: int, source: random.Random) -> list[str]:
    """Words of a band of document frequency, spread evenly over its logarithm."""
    (total,) = next(iter(db.execute("SELECT count(*) FROM message")))
    low, high = (math.log(share * total) for share in band)
    by_size = sorted(
        (documents, word)
        for word, documents in db.execute(
            "SELECT term, doc FROM temp.vocabulary WHERE doc >= ?", (math.exp(low) / 2,)
        )
    )
    found: dict[str, None] = {}
    for _ in range(count * 20):
        if len(found) == count:
            break
        wanted = math.exp(source.uniform(low, high))
        near = [word for documents, word in by_size if wanted * 0.8 <= documents <= wanted * 1.25]
        if not near:
            continue
        word = source.choice(near)
        (hits,) = next(iter(db.execute(_COUNT, (SearchQuery.parse(word).match_expression,))))
        if band[0] <= hits / total <= band[1]:
            found[word] = None
    return list(found)


def draw(path: Path, count: int, seed: int) -> Queries:
    """Queries for a file, looked up past the store."""
    source = random.Random(seed)
    db = apsw.Connection(str(path))
    try:
        db.execute("CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab(main, message_words, row)")
        rare, common = drawn(db, RARE, count, source), drawn(db, COMMON, count // 4, source)
        # The first letters of words, as they are typed.
        letters = sorted({word[0] for word in common if word[0].isascii()})
    finally:
        db.close()
    pairs = [f"{source.choice(common)} {word}" for word in source.sample(rare, min(len(rare), count // 4))]
    return Queries(rare, common, pairs, letters)


async def times_of(store: SqliteConversationStore, queries: Sequence[str]) -> list[float]:
    """Milliseconds of each search; the hits must be there, hold the words and come newest first."""
    times = []
    for query in queries:
        began = time.perf_counter()
        hits = await store.search(query, user_id=OWNER, limit=LIMIT)
        times.append((time.perf_counter() - began) * 1000)
        check(query, hits)
    return times


def check(query: str, hits: Sequence[MessageHit]) -> None:
    moments = [hit.created_at for hit in hits]
    wanted = SearchQuery.parse(query)
    pieces = [SearchQuery.parse(piece) for piece in wanted.pieces[:1]]
    if moments != sorted(moments, reverse=True):
        raise SystemExit(f"{query!r}: not the newest first")
    if " " not in query and not hits:
        raise SystemExit(f"{query!r}: nothing found")
    if not all(piece.matches(hit.snippet) for hit in hits for piece in pieces):
        raise SystemExit(f"{query!r}: a hit without the word")


async def searched(path: Path, queries: Queries) -> dict[str, list[float]]:
    """Times by kind of query."""
    store = await SqliteConversationStore.open(path)
    try:
        # Each word twice: the first time brings its pages into the process's own memory.
        return {
            "first": await times_of(store, queries.rare),
            "rare": await times_of(store, queries.rare),
            "common": await times_of(store, queries.common),
            "pairs": await times_of(store, queries.pairs),
            "letters": await times_of(store, queries.letters),
        }
    finally:
        await store.close()


def floors(path: Path, queries: Queries) -> dict[str, list[float]]:
    """The same words in the bare index, and a few by a scan of the texts."""
    db = apsw.Connection(str(path))
    try:
        bare = [rows_ms(db, _BARE, SearchQuery.parse(word).match_expression) for word in queries.rare]
        scan = [rows_ms(db, _SCAN, word) for word in queries.rare[:3]]
    finally:
        db.close()
    return {"bare": bare, "scan": scan}


def opened(path: Path) -> dict[str, list[float]]:
    """Times to open a conversation, from a process with a view."""
    command = [sys.executable, "-m", "benchmarks.conversation_opening", str(path), str(ROUNDS)]
    with virtual_screen():
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        raise SystemExit(f"the view failed ({done.returncode}):\n{done.stdout}\n{done.stderr}")
    found: dict[str, list[float]] = json.loads(lines[-1])
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks.conversations", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    add_json_option(parser)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as place:
        path = Path(place) / "conversations.sqlite"
        built = milliseconds(lambda: build(path, options.messages, seed=options.seed)) / 1000
        size = path.stat().st_size / 1e6
        opening = opened(path)
        queries = draw(path, options.queries, options.seed)
        search = asyncio.run(searched(path, queries))
        floor = floors(path, queries)
    long, short = (statistics.median(opening[name][1:]) for name in (LONG, SHORT))
    million = f"{len(queries.rare)} words of .01 to 1 % of {options.messages:,} messages"
    rows = [
        Row("open 10,000 messages to first paint", "open_10k_ms", max(opening[LONG]), "ms", at_most=300,
            note=f"the longest of {ROUNDS}, the first one cold; median {long:.0f} ms"),
        Row("growth from 1,000 to 10,000 messages", "open_growth", long / short, "x", at_most=1.2,
            note=f"medians {short:.1f} and {long:.1f} ms"),
        Row("floor: read all 10,000, paint nothing", "open_floor_whole_ms", statistics.median(opening["whole"]), "ms"),
        Row("search, p95", "search_1m_ms", p95(search["rare"]), "ms", at_most=100, note=million),
        Row("search, median", "search_1m_median_ms", statistics.median(search["rare"]), "ms", at_most=100),
        Row("search for a word the first time, p95", "search_first_ms", p95(search["first"]), "ms"),
        Row("search for common words, longest", "search_common_ms", max(search["common"]), "ms", at_most=300,
            note=f"{len(queries.common)} words of more than 1 %, newest first"),
        Row("search for a common and a rare word, p95", "search_pairs_ms", p95(search["pairs"]), "ms", at_most=300,
            note=f"{len(queries.pairs)} pairs"),
        Row("search for a first letter, longest", "search_letter_ms", max(search["letters"]), "ms", at_most=300,
            note=f"{len(queries.letters)} letters"),
        Row("floor: bare index, p95", "search_floor_index_ms", p95(floor["bare"]), "ms"),
        Row("floor: scan of the texts, median", "search_floor_scan_ms", statistics.median(floor["scan"]), "ms"),
        Row("the file", "corpus_mb", size, "MB", note=f"made in {built:.0f} s"),
    ]  # fmt: skip
    return report("Conversations", rows, options.json)


if __name__ == "__main__":
    sys.exit(main())
