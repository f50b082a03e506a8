"""What becomes of a candidate beside what is known, in every kind of memory, with and without a judge."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Literal

import pytest

from assistant.core.errors import MemoryIsolationError, UnreachableError
from assistant.memory.base import MemoryProvider, MemoryScope, NewMemory
from assistant.memory.chroma_provider import ChromaProvider
from assistant.memory.consolidation import Consolidator
from assistant.memory.in_memory import InMemoryProvider
from assistant.memory.learning.base import Candidate, Verdict
from tests.ledger_fixtures import START, SetClock, dialogue, ledger, turn
from tests.memory_fixtures import HashEmbedder

Answer = Literal["same", "update", "different", "unsure"]


class ScriptedJudge:
    """Answers as told and notes what it was asked."""

    def __init__(self, answer: Answer | Exception) -> None:
        self._answer = answer
        self.asked: list[tuple[str, str]] = []

    async def relation(self, known: str, new: str) -> Answer:
        self.asked.append((known, new))
        if isinstance(self._answer, Exception):
            raise self._answer
        return self._answer


def said(content: str, **more: object) -> Candidate:
    return replace(Candidate(content, content), **more)  # type: ignore[arg-type]


@asynccontextmanager
async def provider(kind: str, folder: Path) -> AsyncIterator[MemoryProvider]:
    if kind == "ledger":
        async with ledger(folder) as memory:
            yield memory
        return
    plain: MemoryProvider = (
        InMemoryProvider(scope=MemoryScope.PER_USER)
        if kind == "words"
        else ChromaProvider(persist_directory=folder, scope=MemoryScope.PER_USER, embedder=HashEmbedder())
    )
    try:
        yield plain
    finally:
        await plain.close()


async def verdict(
    memory: MemoryProvider, candidate: Candidate, judge: ScriptedJudge | None = None
) -> Verdict:
    return await Consolidator(memory, judge=judge, clock=SetClock()).verdict(candidate, user_id="alice")


@pytest.mark.parametrize("kind", ["ledger", "words", "chroma"])
async def test_every_memory_gives_the_same_verdicts(tmp_path: Path, kind: str) -> None:
    async with provider(kind, tmp_path) as memory:
        home = await memory.add("I live in Lisbon", user_id="alice")
        nuts = await memory.add("I am allergic to peanuts", user_id="alice")
        known = await verdict(memory, said("I live in lisbon."))
        assert (known.action, known.memory_id) == ("same", home)
        moved = await verdict(memory, said("I live in Porto"))
        assert (moved.action, moved.memory_id) == ("supersede", home)
        denied = await verdict(memory, said("I am not allergic to peanuts"))
        assert (denied.action, denied.memory_id) == ("ask", nuts)
        assert denied.reason
        assert await verdict(memory, said("I play the cello")) == Verdict("add")


async def test_another_ones_memories_are_not_compared_with(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I live in Lisbon", user_id="bob")
        assert (await verdict(memory, said("I live in Lisbon"))).action == "add"
        with pytest.raises(MemoryIsolationError):
            await Consolidator(memory).verdict(said("I live in Lisbon"), user_id=None)


async def test_a_new_home_is_found_to_replace_the_old_one_among_many_turns_without_a_common_word(
    tmp_path: Path,
) -> None:
    async with ledger(tmp_path) as memory:
        home = await memory.add("I live in Lisbon", user_id="alice")
        talk = [
            f"I moved to the garden and to Porto and I moved the chair {number} times" for number in range(60)
        ]
        await memory.add_many(dialogue(*talk), user_id="alice")
        found = await verdict(memory, said("We have relocated to Porto"))
        assert (found.action, found.memory_id) == ("supersede", home)


async def test_what_was_merely_said_is_never_repeated_or_replaced(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many([turn("I live in Lisbon")], user_id="alice")
        assert (await verdict(memory, said("I live in Lisbon"))).action == "add"
        assert (await verdict(memory, said("I moved to Porto"))).action == "add"


async def test_all_memories_that_hold_the_old_value_are_named(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        ids = await memory.add_many(
            [NewMemory("I live in Lisbon"), NewMemory("Ich wohne in Faro")], user_id="alice"
        )
        found = await verdict(memory, said("I moved to Porto"))
        assert found.action == "supersede"
        assert {found.memory_id, *found.others} == set(ids)


async def test_memories_of_another_subject_stay(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Lives in Lisbon", metadata={"subject": "Ines"}, user_id="alice")
        assert (await verdict(memory, said("I moved to Porto"))).action == "add"
        assert (await verdict(memory, said("Lives in Lisbon"))).action == "add"
        assert (await verdict(memory, said("Lives in Lisbon", subject="ines"))).action == "same"
        assert (await verdict(memory, said("Lives in Porto", subject="Ines"))).action == "supersede"


@pytest.mark.parametrize(
    "candidate",
    [
        said("I moved to Porto", kind="plan"),
        said("I moved to Porto", valid_to=START - timedelta(days=1)),
        said("I moved to Porto", valid_from=START + timedelta(days=1)),
    ],
    ids=["a plan", "the past", "the future"],
)
async def test_what_does_not_hold_now_replaces_nothing(tmp_path: Path, candidate: Candidate) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I live in Lisbon", user_id="alice")
        assert (await verdict(memory, candidate)).action == "add"


async def test_what_waits_already_is_not_proposed_again_but_a_wish_answers_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        waiting = await memory.propose("I am allergic to peanuts", user_id="alice")
        found = await verdict(memory, said("I have a peanut allergy"))
        assert (found.action, found.memory_id) == ("same", waiting)
        assert (await verdict(memory, said("I have a peanut allergy", origin="wish"))).action == "add"


# ---- the judge


async def test_a_judge_is_asked_only_where_rules_cannot_tell(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I live in Lisbon", user_id="alice")
        judge = ScriptedJudge("different")
        for content in ("I live in Lisbon", "I moved to Porto", "Bees dance"):
            await verdict(memory, said(content), judge)
        assert judge.asked == []
        await memory.add("I take my coffee black", user_id="alice")
        await verdict(memory, said("I drink my coffee black"), judge)
        assert judge.asked == [("I take my coffee black", "I drink my coffee black")]


@pytest.mark.parametrize(
    ("answer", "action"),
    [("same", "same"), ("update", "supersede"), ("different", "add"), ("unsure", "add")],
)
async def test_the_judges_word_counts_where_rules_cannot_tell(
    tmp_path: Path, answer: Answer, action: str
) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I take my coffee black", user_id="alice")
        found = await verdict(memory, said("I drink my coffee black"), ScriptedJudge(answer))
        assert found.action == action


@pytest.mark.parametrize(
    ("known", "new"),
    [
        ("I am allergic to peanuts", "I am not allergic to peanuts"),
        ("I run 5 km before breakfast", "I run 10 km before breakfast"),
        ("My cousin Anna plays the cello", "My cousin Hanna plays the cello"),
        ("The plumber comes on Tuesday", "The plumber comes on Thursday"),
        ("The shop near us is open", "The shop near us is closed"),
    ],
)
async def test_a_judge_cannot_merge_what_differs_in_a_detail(tmp_path: Path, known: str, new: str) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add(known, user_id="alice")
        found = await verdict(memory, said(new), ScriptedJudge("same"))
        assert found.action in {"ask", "add"}


async def test_a_judge_cannot_put_one_persons_fact_in_the_place_of_anothers(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I live in Lisbon", user_id="alice")
        found = await verdict(memory, said("My sister lives in Lisbon now"), ScriptedJudge("update"))
        assert found.action == "add"


async def test_without_the_judges_answer_rules_decide(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I am allergic to peanuts", user_id="alice")
        judge = ScriptedJudge(UnreachableError("The model can't be reached."))
        assert (await verdict(memory, said("I am not allergic to peanuts"), judge)).action == "ask"
        assert len(judge.asked) == 1


async def test_a_judge_who_finds_no_contradiction_saves_a_question(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I run 5 km before breakfast", user_id="alice")
        found = await verdict(memory, said("I run 10 km before breakfast"), ScriptedJudge("different"))
        assert found.action == "add"
