"""What is deleted is out of sight at once, whole until then, and either comes back as it was or goes for good."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.memory.base import NewMemory
from assistant.memory.ledger import MemoryLedger
from assistant.storage.scan import find_bytes
from tests.ledger_fixtures import contents, ledger, turn


async def with_history(memory: MemoryLedger) -> str:
    """A pinned memory that was corrected once and took another's place."""
    first = await memory.add("I live in Faro", user_id="alice")
    second = await memory.supersede(first, "I live in Lisboa", user_id="alice")
    assert second is not None
    await memory.update(second, "I live in Lisbon", user_id="alice")
    await memory.pin(second, user_id="alice")
    return second


async def found(memory: MemoryLedger, query: str) -> set[str]:
    return {item.content for item in await memory.search(query, limit=9, user_id="alice")}


async def test_what_is_hidden_is_listed_counted_and_found_nowhere(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await with_history(memory)
        (hidden,) = await memory.hide([kept, "nothing"], user_id="alice")
        assert (hidden.memory_id, len(hidden.ids)) == (kept, 2)
        for state in ("active", "superseded", "pending"):
            assert await contents(memory, state=state) == set()
            assert await memory.count(user_id="alice", state=state) == 0
        assert await memory.entry(kept, user_id="alice") is None
        assert await found(memory, "Where do I live? Lisbon?") == set()
        recalled = await memory.recall("Where do I live?", user_id="alice", token_budget=500)
        assert recalled.items == ()
        assert await memory.was_forgotten("My home is in Lisbon", user_id="alice")


async def test_it_stays_hidden_for_the_next_process(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await with_history(memory)
        await memory.hide([kept], user_id="alice")
    async with ledger(tmp_path) as memory:
        assert await memory.hidden(user_id="alice") == [kept]
        assert await contents(memory) == set()
        assert await found(memory, "Lisbon") == set()
        assert await memory.bring_back([kept], user_id="alice") == [kept]
        assert await found(memory, "Lisbon") == {"I live in Lisbon"}


async def test_what_comes_back_is_as_it_was_with_pin_texts_and_history(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await with_history(memory)
        await memory.add_many([turn("I live in Lisbon now.", session="s2")], user_id="alice")
        before = await memory.entry(kept, user_id="alice")
        versions = await memory.versions(kept, user_id="alice")
        history = await memory.browser.history(kept, user_id="alice")
        assert before is not None
        assert (before.pinned, len(versions), len(history)) == (True, 1, 1)
        (hidden,) = await memory.hide([kept], user_id="alice")
        assert len(hidden.barred) == 1
        assert await memory.bring_back([kept], user_id="alice") == [kept]
        assert await memory.entry(kept, user_id="alice") == before
        assert await memory.versions(kept, user_id="alice") == versions
        assert await memory.browser.history(kept, user_id="alice") == history
        assert await found(memory, "Lisbon") == {"I live in Lisbon", "I live in Lisbon now."}
        assert not await memory.was_forgotten("I live in Lisbon", user_id="alice")
        assert await memory.bring_back([kept], user_id="alice") == []


async def test_a_turn_that_two_hidden_ones_bar_comes_back_with_the_last_of_them(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        said = "I live in Lisbon. My dog is called Rex."
        await memory.add_many([turn(said)], user_id="alice")
        town = await memory.add("I live in Lisbon", user_id="alice")
        dog = await memory.add("My dog is called Rex", user_id="alice")
        await memory.hide([town], user_id="alice")
        await memory.hide([dog], user_id="alice")
        await memory.bring_back([town], user_id="alice")
        assert said not in await found(memory, "Lisbon dog Rex")
        await memory.bring_back([dog], user_id="alice")
        assert said in await found(memory, "Lisbon dog Rex")


async def test_a_turn_that_a_person_barred_stays_barred(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        (said,) = await memory.add_many([turn("I live in Lisbon.")], user_id="alice")
        await memory.bar(said, user_id="alice")
        kept = await memory.add("I live in Lisbon", user_id="alice")
        await memory.hide([kept], user_id="alice")
        await memory.bring_back([kept], user_id="alice")
        assert await found(memory, "Lisbon") == {"I live in Lisbon"}


async def test_forgetting_what_is_hidden_removes_all_of_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("I live in Zwolpertingen", user_id="alice")
        await memory.hide([kept], user_id="alice")
        assert await memory.forget([kept], user_id="alice") == 1
        assert await memory.hidden(user_id="alice") == []
        assert await memory.was_forgotten("My home is in Zwolpertingen", user_id="alice")
        await memory.compact()
    assert find_bytes(tmp_path, ["Zwolpertingen", "zwolpertingen"]) == []


async def test_what_was_written_anew_under_a_hidden_id_is_not_forgotten_with_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many([NewMemory("I live in Lisbon", memory_id="town")], user_id="alice")
        await memory.hide(["town"], user_id="alice")
        await memory.add_many([NewMemory("I live in Porto", memory_id="town")], user_id="alice")
        assert await memory.forget(["town"], user_id="alice") == 0
        assert await contents(memory) == {"I live in Porto"}
        assert await memory.hidden(user_id="alice") == []


async def test_what_was_let_back_in_while_it_was_hidden_is_not_held_back_afterwards(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("I live in Lisbon", user_id="alice")
        await memory.hide([kept], user_id="alice")
        await memory.may_return("I live in Lisbon", user_id="alice")
        await memory.add("I live in Lisbon", user_id="alice")
        assert await memory.forget([kept], user_id="alice") == 1
        assert not await memory.was_forgotten("I live in Lisbon", user_id="alice")
        assert await contents(memory) == {"I live in Lisbon"}


@pytest.mark.parametrize("end", ["purge_user", "wipe"])
async def test_removing_an_owner_removes_what_was_hidden(tmp_path: Path, end: str) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("I live in Zwolpertingen", user_id="alice")
        await memory.hide([kept], user_id="alice")
        await getattr(memory, end)("alice")
        assert await memory.bring_back([kept], user_id="alice") == []
        await memory.compact()
    assert find_bytes(tmp_path, ["Zwolpertingen", "zwolpertingen"]) == []


async def test_nobody_hides_or_sees_what_is_anothers(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("I live in Lisbon", user_id="alice")
        assert await memory.hide([kept], user_id="bob") == []
        await memory.add("I like the sea", user_id="bob")
        await memory.hide([kept], user_id="alice")
        assert await memory.hidden(user_id="bob") == []
        assert await memory.bring_back([kept], user_id="bob") == []
        assert not await memory.was_forgotten("I live in Lisbon", user_id="bob")


SAYING = [
    ("user", "By the way, I live in Lisbon, near the river."),
    ("user", "It rains a lot. My home is in Lisbon."),
    ("assistant", "Noted: you live in Lisbon. Shall we go on?"),
]
NOT_SAYING = [
    ("user", "My sister lives in Lisbon."),
    ("user", "I live in Porto."),
    ("assistant", "Lisbon has many bridges."),
    ("user", "Lisbon has a wide river."),
]


@pytest.mark.parametrize("source", [{}, {"session_id": "s1", "message_id": "m1"}])
async def test_turns_of_any_conversation_that_say_the_same_are_not_recalled_any_more(
    tmp_path: Path, source: dict[str, str]
) -> None:
    async with ledger(tmp_path) as memory:
        said = [
            turn(text, speaker=speaker, session=f"s{number}", message_id=f"m{number}")
            for number, (speaker, text) in enumerate([*SAYING, *NOT_SAYING])
        ]
        await memory.add_many(said, user_id="alice")
        await memory.add_many([turn("I live in Lisbon too.")], user_id="bob")
        about = {"source": source} if source else {}
        kept = await memory.add("I live in Lisbon", metadata=about, user_id="alice")
        await memory.forget([kept], user_id="alice")
        left = await found(memory, "live home Lisbon Porto river bridges sister rains")
        expected = {text for _, text in NOT_SAYING}
        if source:
            # The message that it was taken from, whatever that says.
            expected -= {SAYING[1][1]}
        assert left == expected
        assert len(await memory.search("Lisbon", user_id="bob")) == 1
