"""Extraction: what is kept of a message, whether it was said, and how much of what was said is found.

    python -m benchmarks.extraction --data FILE [--json FILE]

FILE holds messages, an object with "text" a line. They and 200 statements in five languages
(extraction_statements.jsonl; every fourth says nothing to keep) are read three ways: by the rules alone, by a scripted
model that gets everything right and makes up ten times as much, and by the trial model that comes with Keepsake (it
reads all of FILE and every fifth statement). Each kept fact is judged by a checker that shares nothing with the engine.
Recall is the share of the statements that are found, among those that state something.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from assistant.core.errors import ModelError
from assistant.memory.extraction import ModelExtractor, RulesExtractor
from assistant.memory.learning.base import Extractor, Utterance
from assistant.models.local_model import LocalChatModel, LocalModelServer
from assistant.models.scripted import ScriptedModel
from benchmarks.extraction_checker import complaint
from benchmarks.extraction_scripted import scripted_answer
from benchmarks.report import Row, add_json_option, report

STATEMENTS = Path(__file__).with_name("extraction_statements.jsonl")
SAID_AT = datetime(2026, 11, 2, 9, 0, tzinfo=UTC)
TRIAL_EVERY = 5


@dataclass(frozen=True, slots=True)
class Text:
    """A message.

    Attributes:
        text: as written.
        labels: words of it that a kept fact must hold; none where nothing is to be kept.
        right: quotes and contents with which the scripted model puts them.
        labelled: whether the labels are meant for recall.
    """

    text: str
    labels: tuple[str, ...] = ()
    right: tuple[tuple[str, str], ...] = ()
    labelled: bool = False


@dataclass(slots=True)
class Tally:
    """What one extractor made of the messages."""

    messages: int = 0
    stored: int = 0
    from_nothing: int = 0
    found: int = 0
    labels: int = 0
    failed: int = 0
    ungrounded: list[str] = field(default_factory=list)
    dropped: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    @property
    def recall(self) -> float:
        """Percent of the labels."""
        return 100 * self.found / self.labels if self.labels else 0.0

    @property
    def note(self) -> str:
        """What there is to say besides."""
        parts = [f"{self.stored} facts from {self.messages} messages, {sum(self.dropped.values())} dropped"]
        if self.labels:
            parts.append(f"{self.from_nothing} from those that state nothing")
        if self.failed:
            parts.append(f"{self.failed} calls failed")
        return "; ".join(parts)


def read_statements() -> list[Text]:
    """The 200 statements."""
    rows = [json.loads(line) for line in STATEMENTS.read_text(encoding="utf-8").splitlines()]
    return [
        Text(
            row["text"],
            tuple(row["facts"]),
            ((row["proposal"]["quote"], row["proposal"]["content"]),) if "proposal" in row else (),
            labelled=True,
        )
        for row in rows
    ]


def read_messages(file: Path) -> list[Text]:
    """The messages of a file; the scripted model repeats each of their sentences."""
    texts = (
        json.loads(line)["text"] for line in file.read_text(encoding="utf-8").splitlines() if line.strip()
    )
    return [
        Text(text, right=tuple((part, part) for part in re.split(r"(?<=[.!?])\s+", text))) for text in texts
    ]


async def run(extractor: Extractor, texts: list[Text]) -> Tally:
    """Read all messages, one after the other."""
    tally = Tally()
    began = time.perf_counter()
    for text in texts:
        tally.messages += 1
        try:
            found = await extractor.extract(Utterance(text.text, SAID_AT))
        except ModelError:
            tally.failed += 1
            continue
        tally.dropped.update(found.dropped)
        contents = [candidate.content for candidate in found.candidates]
        tally.stored += len(contents)
        for candidate in found.candidates:
            why = complaint(candidate.content, candidate.quote, text.text)
            if why is not None:
                tally.ungrounded.append(f"{why}: {candidate.content!r} of {text.text!r}")
        if text.labelled:
            tally.from_nothing += len(contents) if not text.labels else 0
            tally.labels += len(text.labels)
            tally.found += sum(any(_holds(each, label, text) for each in contents) for label in text.labels)
    tally.seconds = time.perf_counter() - began
    return tally


def _holds(content: str, label: str, text: Text) -> bool:
    """Whether a fact says what a label says: its words, or the way in which the scripted model puts it."""
    spoken = {told.rstrip(".").lower() for _, told in text.right}
    return label in content or content.rstrip(".").lower() in spoken


async def measure(messages: list[Text], statements: list[Text]) -> list[Row]:
    """All figures; what was dropped is printed."""
    by_rules = await run(RulesExtractor(), [*messages, *statements])
    texts = [*messages, *statements]
    answers = [
        scripted_answer(text.text, [{"quote": quote, "content": told} for quote, told in text.right], number)
        for number, text in enumerate(texts)
    ]
    by_script = await run(ModelExtractor(ScriptedModel(answers)), texts)
    local = LocalChatModel(LocalModelServer())
    try:
        by_trial = await run(
            ModelExtractor(local, timeout=120, max_tokens=400), [*messages, *statements[::TRIAL_EVERY]]
        )
    finally:
        await local.close()
    for name, tally in (("rules", by_rules), ("scripted", by_script), ("trial", by_trial)):
        print(
            f"{name}: {tally.seconds / tally.messages * 1000:.1f} ms a message; dropped {dict(tally.dropped)}"
        )
        for line in tally.ungrounded:
            print(f"  ungrounded: {line}")
    print()
    return [
        Row(
            "trial model: ungrounded facts",
            "ungrounded_trial",
            len(by_trial.ungrounded),
            at_most=0,
            note=by_trial.note,
        ),
        Row(
            "rules: ungrounded facts",
            "ungrounded_rules",
            len(by_rules.ungrounded),
            at_most=0,
            note=by_rules.note,
        ),
        Row(
            "scripted model: ungrounded facts",
            "ungrounded_scripted",
            len(by_script.ungrounded),
            at_most=0,
            note=by_script.note,
        ),
        Row("rules: recall", "recall_rules", by_rules.recall, "%", at_least=40, note=_share(by_rules)),
        Row(
            "scripted model: recall",
            "recall_scripted",
            by_script.recall,
            "%",
            at_least=90,
            note=_share(by_script),
        ),
    ]


def _share(tally: Tally) -> str:
    return f"{tally.found} of {tally.labels} labels"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--data", type=Path, required=True, metavar="FILE", help="messages, one JSON object a line"
    )
    add_json_option(parser)
    arguments = parser.parse_args()
    messages, statements = read_messages(arguments.data), read_statements()
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as folder:
        os.environ["KEEPSAKE_HOME"] = folder
        rows = asyncio.run(measure(messages, statements))
    return report("Extraction", rows, arguments.json)


if __name__ == "__main__":
    raise SystemExit(main())
