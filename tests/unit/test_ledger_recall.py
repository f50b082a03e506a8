"""What a turn gets from the ledger, and why."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from assistant.core.errors import InvalidTextError, MemoryIsolationError
from assistant.core.types import Message
from assistant.memory.base import MemoryScope, NewMemory
from tests.ledger_fixtures import START, SetClock, dialogue, ledger, texts, turn

BUDGET = 500


async def test_facts_and_what_was_said_come_together_each_with_its_kind_and_day(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("My sister Ana plays the violin", user_id="alice")
        await memory.add_many(
            dialogue("Ana got a new violin", "Which violin?", session="old"), user_id="alice"
        )
        found = await memory.recall("Ana violin", user_id="alice", session_id="now", token_budget=BUDGET)
        kinds = {item.memory.content: item.kind for item in found.items}
        assert kinds["My sister Ana plays the violin"] == "fact"
        assert kinds["Ana got a new violin"] == "turn"
        said = {item.memory.content: (item.said_on, item.speaker) for item in found.items}
        assert said["Ana got a new violin"] == (date(2026, 3, 2), "Ana")


@pytest.mark.parametrize(
    "query",
    ["hello", "ok, thanks", "translate this sentence", "write a regular expression", "what is 17 * 3?"],
)
async def test_nothing_comes_when_nothing_fits(tmp_path: Path, query: str) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Allergic to peanuts", user_id="alice")
        await memory.add_many(dialogue("We ate noodles", "Lovely place"), user_id="alice")
        found = await memory.recall(query, user_id="alice", token_budget=BUDGET)
        assert found.items == ()
        assert found.tokens == 0
        # Plain ranking has no floor.
        assert len(await memory.search(query, user_id="alice")) == 3


async def test_an_answer_is_found_by_the_question_before_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        said = dialogue(
            "We talked about bread today",
            "What breed is the new puppy?",
            "A border collie!",
            "Lovely weather",
            "Bye then",
        )
        await memory.add_many(said, user_id="alice")
        found = await memory.recall("breed of the puppy", user_id="alice", token_budget=BUDGET)
        why = {item.memory.content: item.why for item in found.items}
        assert why["A border collie!"].nearby
        assert why["A border collie!"].answers
        assert why["What breed is the new puppy?"].words == ("breed", "puppy")


async def test_turns_of_another_session_are_no_neighbours(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many(
            [
                turn("What breed is the puppy?", session="a", position=1),
                turn("Nothing new", session="b", position=2),
            ],
            user_id="alice",
        )
        found = await memory.recall("breed of the puppy", user_id="alice", token_budget=BUDGET)
        assert texts(found.memories) == ["What breed is the puppy?"]


async def test_the_running_conversation_and_the_prompt_are_not_recalled(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many(dialogue("The violin is broken", session="now"), user_id="alice")
        await memory.add_many(
            dialogue("The violin was expensive", "A violin, really?", session="old"), user_id="alice"
        )
        history = [Message("user", "A violin, really?")]
        found = await memory.recall(
            "violin", user_id="alice", history=history, session_id="now", token_budget=BUDGET
        )
        assert texts(found.memories) == ["The violin was expensive"]


async def test_a_follow_up_finds_its_subject_in_the_history(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Ana lives in Porto near the river", user_id="alice")
        await memory.add("Ben lives in Kyoto near the temple", user_id="alice")
        history = [
            {"role": "user", "content": "Tell me about Ana"},
            {"role": "assistant", "content": "Ana is a nurse."},
        ]
        found = await memory.recall(
            "And where does she live?", user_id="alice", history=history, token_budget=BUDGET
        )
        assert found.memories[0].content == "Ana lives in Porto near the river"
        assert found.items[0].why.follow_up
        assert "Ana" in found.query


async def test_pinned_memories_are_always_in_and_first(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        pinned = await memory.add("Answer in short sentences", user_id="alice")
        await memory.add("Allergic to peanuts", user_id="alice")
        assert await memory.pin(pinned, user_id="alice")
        for query in ("hello", "peanuts"):
            found = await memory.recall(query, user_id="alice", token_budget=BUDGET)
            assert found.items[0].memory.memory_id == pinned
            assert found.items[0].why.pinned
        assert len(found.items) == 2
        await memory.pin(pinned, user_id="alice", pinned=False)
        assert (await memory.recall("hello", user_id="alice", token_budget=BUDGET)).items == ()


async def test_memories_come_whole_and_within_the_budget(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many(
            [NewMemory(f"violin {n} " + "lesson " * 30) for n in range(20)] + [NewMemory("violin " * 900)],
            user_id="alice",
        )
        for budget in (0, 10, 100, 300, 1_500):
            found = await memory.recall("violin", user_id="alice", token_budget=budget)
            assert found.tokens <= budget
            assert found.tokens == sum(item.tokens for item in found.items)
            assert len(found.items) == 0 if budget < 60 else found.items
        kept = {item.memory.content for item in found.items}
        assert all(content.startswith("violin ") and content.endswith("lesson ") for content in kept)
        assert found.left_out >= 1


async def test_of_a_fact_and_the_turn_it_came_from_only_the_fact_comes(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many(dialogue("I am allergic to peanuts, sadly", session="old"), user_id="alice")
        fact = {"source": {"session_id": "old"}, "quote": "allergic to peanuts"}
        await memory.add("Allergic to peanuts", metadata=fact, user_id="alice")
        found = await memory.recall("allergic peanuts", user_id="alice", token_budget=BUDGET)
        assert texts(found.memories) == ["Allergic to peanuts"]


async def test_what_was_superseded_is_never_recalled_nor_the_turn_that_said_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many(dialogue("I live in Lisbon with Ben", "Nice!", session="old"), user_id="alice")
        source = {"source": {"session_id": "old"}, "quote": "I live in Lisbon"}
        old = await memory.add("Lives in Lisbon", metadata=source, user_id="alice")
        new = await memory.supersede(old, "Lives in Porto", user_id="alice")
        found = await memory.recall("Where do I live? Lisbon or Porto", user_id="alice", token_budget=BUDGET)
        assert texts(found.memories)[0] == "Lives in Porto"
        assert not any("Lisbon" in text for text in texts(found.memories))
        assert "Lives in Lisbon" not in texts(await memory.search("Lisbon", user_id="alice"))
        entry = await memory.entry(old, user_id="alice")
        assert entry is not None
        assert (entry.state, entry.superseded_by) == ("superseded", new)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("我的猫叫咪咪", "猫叫什么名字"),
        ("東京の大学で働いています", "どこの大学ですか"),
        ("고양이를 두 마리 키웁니다", "고양이가 있나요?"),
        ("แมวของฉันชื่อมะลิ", "แมวชื่ออะไร"),
        ("Моя собака любит снег", "собака"),
        ("Meine Katze heißt Minka", "Wie heisst meine Katze?"),
    ],
)
async def test_words_find_in_every_script(tmp_path: Path, text: str, query: str) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Something else altogether", user_id="alice")
        await memory.add(text, user_id="alice")
        found = await memory.recall(query, user_id="alice", token_budget=BUDGET)
        assert texts(found.memories) == [text]
        assert found.items[0].why.words


async def test_a_time_in_the_query_lifts_what_was_said_then_and_hides_nothing(tmp_path: Path) -> None:
    async with ledger(tmp_path, clock=SetClock(START + timedelta(days=60))) as memory:
        for month in (3, 4):
            said = datetime(2026, month, 10, tzinfo=UTC)
            await memory.add_many(
                [turn(f"violin practice number {month}", session=f"s{month}", said_at=said)], user_id="alice"
            )
        for query, first in (("violin practice in March", "3"), ("violin practice in April", "4")):
            found = await memory.recall(query, user_id="alice", token_budget=BUDGET)
            assert texts(found.memories)[0].endswith(first)
            assert len(found.items) == 2
            assert found.items[0].why.period == query[-8:].casefold()


async def test_a_speaker_in_the_query_lifts_what_that_person_said(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many(
            [
                turn("The violin is lovely", speaker="Ana", session="a"),
                turn("The violin is lovely too", speaker="Ben", session="b"),
            ],
            user_id="alice",
        )
        found = await memory.recall(
            "What did Ben say about the violin?", user_id="alice", token_budget=BUDGET
        )
        assert found.items[0].speaker == "Ben"
        assert found.items[0].why.speaker == "Ben"
        assert found.items[1].why.speaker is None


async def test_every_result_can_say_why(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Allergic to peanuts", user_id="alice")
        [item] = (await memory.recall("allergic to what?", user_id="alice", token_budget=BUDGET)).items
        assert "“allergic”" in item.why.sentence()
        assert item.why.similarity is not None


async def test_use_is_counted(tmp_path: Path) -> None:
    async with ledger(tmp_path, clock=SetClock()) as memory:
        kept = await memory.add("Allergic to peanuts", user_id="alice")
        await memory.recall("peanuts", user_id="alice", token_budget=BUDGET)
        await memory.recall("hello", user_id="alice", token_budget=BUDGET)
    async with ledger(tmp_path) as memory:
        entry = await memory.entry(kept, user_id="alice")
        assert entry is not None
        assert entry.uses == 1
        assert entry.used_at is not None


async def test_recall_keeps_owners_apart_and_fails_closed(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Allergic to peanuts", user_id="alice")
        assert (await memory.recall("peanuts", user_id="bob", token_budget=BUDGET)).items == ()
        for nobody in (None, ""):
            with pytest.raises(MemoryIsolationError):
                await memory.recall("peanuts", user_id=nobody, token_budget=BUDGET)
        with pytest.raises(InvalidTextError):
            await memory.recall("\ud800", user_id="alice", token_budget=BUDGET)


async def test_shared_memories_are_recalled_for_everybody(tmp_path: Path) -> None:
    async with ledger(tmp_path, scope=MemoryScope.SHARED) as memory:
        await memory.add("The office closes at five", user_id="alice")
        found = await memory.recall("office", user_id=None, token_budget=BUDGET)
        assert texts(found.memories) == ["The office closes at five"]


@pytest.mark.parametrize(
    "query",
    [
        '" OR "',
        "NEAR(a b)",
        "words:*",
        "a AND NOT b",
        "'; DROP TABLE memory; --",
        "\0",
        "*",
        "👩‍👩‍👧",
        "x" * 200_000,
        "_",
        "a_b",
        "²",
    ],
    ids=range(12),
)
async def test_any_query_is_only_text(tmp_path: Path, query: str) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add('say " OR " and 👩‍👩‍👧 a_b', user_id="alice")
        await memory.recall(query, user_id="alice", token_budget=BUDGET)
        assert len(await memory.search(query, user_id="alice")) == 1
