"""InMemoryProvider: what it does beyond the promises of every provider."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from assistant.core.errors import InvalidInputError
from assistant.memory import InMemoryProvider, MemoryScope, NewMemory


async def texts(memory: InMemoryProvider, owner: str | None = None) -> list[str]:
    return [item.content for item in (await memory.list(user_id=owner, sort="oldest")).items]


async def test_it_is_shared_unless_told_otherwise() -> None:
    assert InMemoryProvider().scope is MemoryScope.SHARED


async def test_the_oldest_memory_goes_when_an_owner_has_too_many() -> None:
    memory = InMemoryProvider(MemoryScope.PER_USER, max_per_owner=3)
    for number in range(5):
        await memory.add(f"fact {number}", user_id="alice")
    await memory.add("fact of bob", user_id="bob")
    assert await texts(memory, "alice") == ["fact 2", "fact 3", "fact 4"]
    assert await texts(memory, "bob") == ["fact of bob"]


async def test_the_oldest_is_the_one_with_the_earliest_time() -> None:
    memory = InMemoryProvider(MemoryScope.PER_USER, max_per_owner=2)
    await memory.add("today", user_id="alice")
    old = NewMemory("long ago", created_at=datetime(2001, 1, 1, tzinfo=UTC))
    await memory.add_many([old, NewMemory("now")], user_id="alice")
    assert await texts(memory, "alice") == ["today", "now"]


async def test_one_person_can_not_push_out_the_shared_memories_of_another() -> None:
    memory = InMemoryProvider(max_per_owner=2)
    await memory.add("of bob", user_id="bob")
    for number in range(5):
        await memory.add(f"of alice {number}", user_id="alice")
    assert await texts(memory) == ["of bob", "of alice 3", "of alice 4"]


async def test_replacing_a_memory_pushes_out_nothing() -> None:
    memory = InMemoryProvider(max_per_owner=2)
    await memory.add_many([NewMemory("one", memory_id="1"), NewMemory("two", memory_id="2")])
    await memory.add_many([NewMemory("uno", memory_id="1")])
    assert set(await texts(memory)) == {"two", "uno"}


@pytest.mark.parametrize("limit", [0, -1])
def test_room_for_no_memory_is_refused(limit: int) -> None:
    with pytest.raises(InvalidInputError):
        InMemoryProvider(max_per_owner=limit)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        (
            "Project Atlas ships on 2026-09-01; the platform team owns it",
            "When does Atlas ship, and who owns it?",
        ),
        ("Allergic to PENICILLIN", "penicillin"),
        ("ＦＵＬＬ width", "full"),
        ("プロジェクトは九月に発売", "発売はいつですか"),
        ("我对青霉素过敏", "青霉素"),
        ("Встреча в понедельник", "понедельник"),
    ],
)
async def test_a_memory_is_found_by_its_words(text: str, query: str) -> None:
    memory = InMemoryProvider()
    await memory.add("Nothing to do with it: cats")
    await memory.add(text)
    found = await memory.search(query)
    assert [item.content for item in found] == [text]


async def test_words_that_are_in_every_sentence_find_nothing_by_themselves() -> None:
    memory = InMemoryProvider()
    await memory.add("The cat is on the mat")
    assert await memory.search("What is the weather on Monday?") == []


async def test_the_score_is_the_share_of_the_querys_words() -> None:
    memory = InMemoryProvider()
    await memory.add("tea with milk")
    assert (await memory.search("tea milk sugar lemon"))[0].score == 0.5
    assert (await memory.search("milk tea"))[0].score == 1.0


async def test_of_equal_memories_the_newer_comes_first() -> None:
    memory = InMemoryProvider()
    await memory.add("tea is hot")
    await memory.add("tea is cold")
    assert [item.content for item in await memory.search("tea")] == ["tea is cold", "tea is hot"]
