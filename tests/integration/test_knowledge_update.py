"""What a person says anew takes the place of what was so before: in five languages, through the whole line."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from assistant.embedding.onnx_embedder import OnnxEmbedder
from assistant.memory.base import NewMemory
from assistant.memory.consolidation import Consolidator
from assistant.memory.learning.base import Candidate
from assistant.memory.ledger import MemoryLedger, open_memory
from tests.ledger_fixtures import START, turn

_BUDGET = 1_000
_FEWEST = 60
_LANGUAGES = {"en", "de", "fr", "es", "it"}


@dataclass(frozen=True, slots=True)
class Update:
    """Something that was so, and what is so now.

    Attributes:
        owner: whose it is.
        language: two letters.
        before, after: what was said.
        question: asks for it.
        old, new: the values, as they stand in what was said (digits may be grouped there).
    """

    owner: str
    language: str
    before: str
    after: str
    question: str
    old: str
    new: str


def updates() -> list[Update]:
    """The test set."""
    told: list[dict[str, str]] = json.loads(
        Path(__file__).with_name("knowledge_updates.json").read_text(encoding="utf-8")
    )
    return [Update(f"person {number}", **item) for number, item in enumerate(told)]


def says(text: str, value: str) -> bool:
    """Whether a text holds a value, digits grouped or not."""
    return value.casefold() in text.casefold() or (value.isdigit() and value in text.replace(" ", ""))


async def told(memory: MemoryLedger, update: Update, text: str, *, session: str, day: int) -> str | None:
    """Say something in a conversation and learn it; the memory whose place it took."""
    message = f"{session}-m1"
    said_at = START + timedelta(days=day)
    said = turn(text, speaker="user", session=session, position=0, said_at=said_at, message_id=message)
    await memory.add_many([said], user_id=update.owner)
    metadata: dict[str, Any] = {
        "kind": "fact",
        "quote": text,
        "language": update.language,
        "said_at": said_at.isoformat(),
        "source": {"session_id": session, "message_id": message},
    }
    candidate = Candidate(text, text, language=update.language)
    verdict = await Consolidator(memory).verdict(candidate, user_id=update.owner)
    if verdict.action == "supersede" and verdict.memory_id is not None:
        await memory.supersede(verdict.memory_id, text, metadata=metadata, user_id=update.owner)
        return verdict.memory_id
    await memory.add(text, metadata=metadata, user_id=update.owner)
    return None


@asynccontextmanager
async def learned(folder: Path, model: Path) -> AsyncIterator[tuple[MemoryLedger, dict[str, str | None]]]:
    """A memory in which everybody of the test set said the one and later the other, among other things; and whose
    place the later one took."""
    embedder = OnnxEmbedder(model)
    memory = await open_memory(folder, embedder=embedder)
    try:
        replaced: dict[str, str | None] = {}
        for update in updates():
            others = ("Allergic to penicillin", "Plays chess with Ivo on Fridays", "Has a cat named Miso")
            await memory.add_many([NewMemory(text) for text in others], user_id=update.owner)
            await told(memory, update, update.before, session="first", day=0)
            replaced[update.owner] = await told(memory, update, update.after, session="second", day=30)
        yield memory, replaced
    finally:
        await memory.close()
        await embedder.close()


def test_the_set_has_enough_pairs_in_five_languages() -> None:
    found = Counter(update.language for update in updates())
    assert set(found) == _LANGUAGES
    assert sum(found.values()) >= _FEWEST
    assert all(says(update.before, update.old) and says(update.after, update.new) for update in updates())
    assert not any(says(update.after, update.old) for update in updates())


async def test_an_old_value_is_never_recalled_and_its_history_is_kept(
    tmp_path: Path, exported_model: Path
) -> None:
    async with learned(tmp_path, exported_model) as (memory, replaced):
        recalled_old: list[str] = []
        recalled_new = 0
        for update in updates():
            for query in (update.question, update.before, update.after):
                found = await memory.recall(query, user_id=update.owner, token_budget=_BUDGET)
                recalled_old += [
                    item.memory.content for item in found.items if says(item.memory.content, update.old)
                ]
                if query == update.question:
                    recalled_new += any(says(item.memory.content, update.new) for item in found.items)
            past = await memory.list(user_id=update.owner, state="superseded")
            assert [item.content for item in past.items] == [update.before]
            entry = await memory.entry(past.items[0].memory_id, user_id=update.owner)
            assert entry is not None
            assert entry.superseded_by is not None
            assert entry.details.valid_to is not None
        assert recalled_old == []
        assert [owner for owner, memory_id in replaced.items() if memory_id is None] == []
        share = 100 * recalled_new / len(updates())
        assert share >= 90, f"the new value is recalled for {share:.0f} % of the questions"
