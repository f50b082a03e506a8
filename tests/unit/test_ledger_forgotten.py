"""What is forgotten is gone with all that led to it, and does not come back in other words."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.memory.base import MemoryScope
from assistant.memory.consolidation import Consolidator
from assistant.memory.learning.base import Candidate, LearningMemory
from assistant.memory.ledger import MemoryLedger
from assistant.storage.scan import find_bytes
from tests.ledger_fixtures import contents, ledger, turn

REWORDED = [
    ("I live in Lisbon", "My home is in Lisbon"),
    ("I live in Lisbon", "I moved to Lisbon last year"),
    ("I'm allergic to peanuts", "I have a peanut allergy."),
    ("My daughter's name is Ines", "My daughter is called Ines"),
    ("Ich arbeite bei Siemens", "Mein Arbeitgeber ist Siemens"),
    ("Ma couleur préférée est le vert", "Le vert est ma couleur préférée"),
    ("Tengo alergia a los cacahuetes", "Soy alérgica a los cacahuetes"),
    ("Abito a Lecce", "Adesso vivo a Lecce"),
    ("I play badminton on Sundays", "On Sundays I play badminton!"),
    ("I really want to learn the cello", "I want to learn cello"),
    ("我住在北京", "我现在住在北京。"),
    ("京都に住んでいます", "私は京都に住んでいる"),
]
OTHERS = [
    ("I live in Lisbon", "I live in Porto"),
    ("I live in Lisbon", "My sister lives in Lisbon"),
    ("I live in Lisbon", "I don't live in Lisbon"),
    ("I'm allergic to peanuts", "I'm not allergic to peanuts"),
    ("I'm allergic to peanuts", "I'm allergic to walnuts"),
    ("My phone number is 020 7946 0018", "My phone number is 020 7946 0019"),
    ("I take two tablets a day", "I take three tablets a day"),
    ("I play badminton on Sundays", "I play badminton on Mondays"),
    ("Ich arbeite bei Siemens", "Ich arbeite bei Bosch"),
    ("我住在北京", "我住在上海"),
]


async def forgotten(memory: MemoryLedger, statement: str, owner: str = "alice") -> bool:
    return await memory.was_forgotten(statement, user_id=owner)


async def test_the_ledger_is_a_memory_that_learns(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        assert isinstance(memory, LearningMemory)


@pytest.mark.parametrize(("statement", "again"), REWORDED)
async def test_a_forgotten_statement_is_known_in_other_words(
    tmp_path: Path, statement: str, again: str
) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add(statement, user_id="alice")
        assert not await forgotten(memory, again)
        assert await memory.forget([kept], user_id="alice") == 1
        assert await forgotten(memory, statement)
        assert await forgotten(memory, statement.upper() + "!")
        assert await forgotten(memory, again)
        verdict = await Consolidator(memory).verdict(Candidate(again, again), user_id="alice")
        assert verdict.action == "forgotten"


@pytest.mark.parametrize(("statement", "other"), OTHERS)
async def test_another_value_of_a_forgotten_statement_may_be_learned(
    tmp_path: Path, statement: str, other: str
) -> None:
    async with ledger(tmp_path) as memory:
        await memory.forget([await memory.add(statement, user_id="alice")], user_id="alice")
        assert not await forgotten(memory, other)


@pytest.mark.parametrize(("statement", "again"), REWORDED)
async def test_what_may_return_is_not_forgotten_any_more_in_any_words(
    tmp_path: Path, statement: str, again: str
) -> None:
    async with ledger(tmp_path) as memory:
        await memory.forget([await memory.add(statement, user_id="alice")], user_id="alice")
        await memory.may_return(again, user_id="alice")
        assert not await forgotten(memory, statement)
        assert not await forgotten(memory, again)


async def test_a_part_of_what_was_forgotten_does_not_return_and_small_words_hold_nothing_back(
    tmp_path: Path,
) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("Yes. I live in Lisbon and my dog is called Rex.", user_id="alice")
        await memory.forget([kept], user_id="alice")
        assert await forgotten(memory, "My dog's name is Rex")
        assert await forgotten(memory, "Yes. My home is in Lisbon.")
        assert not await forgotten(memory, "Yes. I play the cello.")
        assert not await forgotten(memory, "Yes.")


async def test_a_wish_is_never_taken_for_forgotten(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.forget([await memory.add("I live in Lisbon", user_id="alice")], user_id="alice")
        wish = Candidate("I live in Lisbon", "I live in Lisbon", kind="explicit", origin="wish")
        assert (await Consolidator(memory).verdict(wish, user_id="alice")).action == "add"


async def test_what_one_forgot_another_may_learn(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("I live in Lisbon", user_id="bob")
        await memory.forget([await memory.add("I live in Lisbon", user_id="alice")], user_id="alice")
        assert not await forgotten(memory, "I live in Lisbon", "bob")
        assert not await forgotten(memory, "I live in Lisbon", "carol")


async def test_forgetting_removes_older_texts_and_what_was_superseded(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        first = await memory.add("I live in Faro", user_id="alice")
        await memory.update(first, "I live in Lisbon", user_id="alice")
        second = await memory.supersede(first, "I live in Porto", user_id="alice")
        assert second is not None
        third = await memory.supersede(second, "I live in Braga", user_id="alice")
        assert third is not None
        assert await memory.forget([third], user_id="alice") == 1
        for state in ("active", "superseded"):
            assert await contents(memory, state=state) == set()
        assert await memory.versions(first, user_id="alice") == []
        for town in ("Faro", "Lisbon", "Porto", "Braga"):
            assert await forgotten(memory, f"My home is in {town}")


async def test_forgetting_an_older_memory_leaves_what_took_its_place(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        first = await memory.add("I live in Lisbon", user_id="alice")
        await memory.supersede(first, "I live in Porto", user_id="alice")
        assert await memory.forget([first], user_id="alice") == 1
        assert await contents(memory) == {"I live in Porto"}
        assert not await forgotten(memory, "I live in Porto")


async def test_turns_that_a_forgotten_memory_was_taken_from_are_recalled_no_more(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many(
            [
                turn("Well, I live in Lisbon, by the river.", session="s1", position=0, message_id="m1"),
                turn(
                    "Lisbon has many bridges.", speaker="assistant", session="s1", position=1, message_id="m2"
                ),
                turn("The river is wide in Lisbon.", session="s1", position=2, message_id="m3"),
                turn("I live in Lisbon.", session="s2", position=0, message_id="m4"),
            ],
            user_id="alice",
        )
        source = {"session_id": "s1", "message_id": "m3"}
        fact = await memory.add(
            "I live in Lisbon", metadata={"quote": "I live in Lisbon", "source": source}, user_id="alice"
        )
        await memory.forget([fact], user_id="alice")
        found = {
            item.content for item in await memory.search("Lisbon river bridges", limit=9, user_id="alice")
        }
        assert found == {"Lisbon has many bridges."}


async def test_a_waiting_memory_can_be_forgotten(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        waiting = await memory.propose("I live in Lisbon", user_id="alice")
        assert await memory.forget([waiting], user_id="alice") == 1
        assert await contents(memory, state="pending") == set()
        assert await forgotten(memory, "I live in Lisbon")


async def test_ids_that_do_not_exist_or_are_another_ones_are_not_forgotten(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("I live in Lisbon", user_id="alice")
        assert await memory.forget([kept, "nothing"], user_id="bob") == 0
        assert await memory.forget([], user_id="alice") == 0
        assert await contents(memory) == {"I live in Lisbon"}
        assert await memory.forget([kept, kept, "nothing"], user_id="alice") == 1


async def test_no_text_is_kept_of_what_was_forgotten(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("I live in Zwolpertingen", user_id="alice")
        await memory.forget([kept], user_id="alice")
        await memory.compact()
        assert await forgotten(memory, "My home is in Zwolpertingen")
    assert find_bytes(tmp_path, ["Zwolpertingen", "zwolpertingen"]) == []
    async with ledger(tmp_path) as memory:
        assert await forgotten(memory, "My home is in Zwolpertingen")


@pytest.mark.parametrize("end", ["purge_user", "wipe"])
async def test_removing_an_owner_removes_what_was_noted_of_the_forgotten(tmp_path: Path, end: str) -> None:
    async with ledger(tmp_path) as memory:
        await memory.forget([await memory.add("I live in Lisbon", user_id="alice")], user_id="alice")
        await getattr(memory, end)("alice")
        assert not await forgotten(memory, "I live in Lisbon")


async def test_a_shared_memory_forgets_for_all(tmp_path: Path) -> None:
    async with ledger(tmp_path, scope=MemoryScope.SHARED) as memory:
        kept = await memory.add("I live in Lisbon", user_id="alice")
        assert await memory.forget([kept]) == 1
        assert await memory.was_forgotten("I live in Lisbon", user_id="bob")


async def test_accepting_puts_a_memory_in_the_place_of_what_it_replaces(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        old = await memory.add("I live in Lisbon", user_id="alice")
        other = await memory.add("My home is in Lisbon, near the river", user_id="alice")
        new = await memory.propose(
            "I live in Porto",
            metadata={"replaces": old, "also_replaces": [other, "gone", 7]},
            user_id="alice",
        )
        assert await memory.accept(new, user_id="alice")
        assert await contents(memory) == {"I live in Porto"}
        for memory_id in (old, other):
            entry = await memory.entry(memory_id, user_id="alice")
            assert entry is not None
            assert (entry.state, entry.superseded_by) == ("superseded", new)
        assert not await memory.accept(new, user_id="alice")


async def test_accepting_what_replaces_a_memory_that_is_gone_just_keeps_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        old = await memory.add("I live in Lisbon", user_id="alice")
        new = await memory.propose("I live in Porto", metadata={"replaces": old}, user_id="alice")
        await memory.delete(old, user_id="alice")
        assert await memory.accept(new, user_id="alice")
        assert await contents(memory) == {"I live in Porto"}
        assert await contents(memory, state="superseded") == set()


async def test_taking_a_supersession_back_restores_all_that_was_replaced(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        old = await memory.add("I live in Lisbon", user_id="alice")
        other = await memory.add("My home is in Lisbon", user_id="alice")
        new = await memory.supersede(
            old, "I live in Porto", metadata={"also_replaces": [other]}, user_id="alice"
        )
        assert new is not None
        assert await memory.restore_replaced(new, user_id="alice") == other
        assert await memory.forget([new], user_id="alice") == 1
        assert await contents(memory) == {"I live in Lisbon", "My home is in Lisbon"}
        assert not await forgotten(memory, "I live in Lisbon")
