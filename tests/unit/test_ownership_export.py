"""Memories go out and come back with all that was known of them, and nothing that was decided since is undone."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.errors import InvalidInputError
from assistant.memory.base import NewMemory
from assistant.memory.in_memory import InMemoryProvider
from assistant.memory.ledger import Entry, MemoryLedger, MemoryVersion
from assistant.memory.ledger.entry import State
from assistant.ownership.export import FORMAT, export_json, export_markdown, import_json
from tests.ledger_fixtures import ledger, turn

ANNE = "anne"
LATER = datetime.now(UTC) + timedelta(days=1)
STATES: tuple[State, ...] = ("active", "pending", "superseded")

Picture = dict[str, tuple[Entry, list[MemoryVersion], list[str]]]


async def picture(memory: MemoryLedger) -> Picture:
    """All that is known of each memory; the record's own numbers left out."""
    found: Picture = {}
    for state in STATES:
        for entry in (await memory.browser.page(user_id=ANNE, state=state, limit=1000)).items:
            older = await memory.versions(entry.memory_id, user_id=ANNE)
            before = await memory.browser.history(entry.memory_id, user_id=ANNE)
            found[entry.memory_id] = replace(entry, number=0), older, [each.memory_id for each in before]
    return found


async def states(memory: MemoryLedger) -> dict[str, str]:
    return {entry.record.content: entry.state for entry, _, _ in (await picture(memory)).values()}


def written(path: Path, *memories: dict[str, Any], version: int = 2) -> Path:
    path.write_text(json.dumps({"format": FORMAT, "version": version, "memories": memories}))
    return path


def listed(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["memories"]
    return found


STEP = st.tuples(
    st.sampled_from(
        ["add", "propose", "accept", "supersede", "restore", "edit", "pin", "bar", "use", "delete", "turn"]
    ),
    st.integers(0, 30),
)


async def done(memory: MemoryLedger, steps: list[tuple[str, int]]) -> None:
    """Live with a memory for a while."""
    ids: list[str] = []
    for place, (what, number) in enumerate(steps):
        text = f"Fact {place} of room {number}"
        one = ids[number % len(ids)] if ids else "nobody"
        if what == "add":
            ids.append(await memory.add(text, metadata={"n": number, "quote": text}, user_id=ANNE))
        elif what == "propose":
            ids.append(await memory.propose(text, metadata={"replaces": one}, user_id=ANNE))
        elif what == "supersede":
            new = await memory.supersede(one, text, user_id=ANNE)
            ids += [] if new is None else [new]
        elif what == "accept":
            await memory.accept(one, user_id=ANNE)
        elif what == "restore":
            await memory.restore_replaced(one, user_id=ANNE)
        elif what == "edit":
            await memory.update(one, text, metadata={"quote": text} if number % 2 else None, user_id=ANNE)
        elif what == "pin":
            await memory.pin(one, user_id=ANNE, pinned=number % 3 > 0)
        elif what == "bar":
            await memory.bar(one, user_id=ANNE)
        elif what == "delete":
            await memory.delete(one, user_id=ANNE)
        elif what == "turn":
            await memory.add_many([turn(text, position=place)], user_id=ANNE)
        else:
            await memory.recall(text, user_id=ANNE, token_budget=100)


def facts(found: Picture) -> Picture:
    return {key: each for key, each in found.items() if each[0].details.kind != "turn"}


@given(steps=st.lists(STEP, max_size=25))
@settings(max_examples=20, deadline=None)
def test_what_is_exported_comes_back_as_it_was_and_a_second_import_changes_nothing(
    steps: list[tuple[str, int]],
) -> None:
    async def live(folder: Path) -> None:
        memory = MemoryLedger(folder / "memory", None)
        await memory.open()
        try:
            await done(memory, steps)
            before = await picture(memory)
            count = await export_json(memory, ANNE, folder / "out.json")
            assert count == len(facts(before))
            # Over what is there it changes nothing.
            await import_json(memory, ANNE, folder / "out.json")
            assert await picture(memory) == before
            await memory.wipe(ANNE)
            for _ in range(2):
                report = await import_json(memory, ANNE, folder / "out.json")
                assert (report.imported, report.skipped) == (count, ())
                assert await picture(memory) == facts(before)
        finally:
            await memory.close()

    with TemporaryDirectory() as folder:
        asyncio.run(live(Path(folder)))


async def test_what_was_said_is_not_exported(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        await memory.add_many([turn("Good morning"), NewMemory("Likes tea")], user_id=ANNE)
        assert await export_json(memory, ANNE, tmp_path / "out.json") == 1
        assert [each["content"] for each in listed(tmp_path / "out.json")] == ["Likes tea"]


# ---- what was decided since


@pytest.mark.parametrize("version", [1, 2])
async def test_an_old_export_does_not_bring_a_replaced_value_back(tmp_path: Path, version: int) -> None:
    async with ledger(tmp_path / "m") as memory:
        old = await memory.add("I live in Lisbon", user_id=ANNE)
        await export_json(memory, ANNE, tmp_path / "out.json")
        file = written(tmp_path / "old.json", *listed(tmp_path / "out.json"), version=version)
        await memory.supersede(old, "I live in Porto", user_id=ANNE)
        before = await picture(memory)
        for _ in range(2):
            await import_json(memory, ANNE, file)
        assert await picture(memory) == before
        found = await memory.search("Where do I live?", user_id=ANNE)
        assert [each.content for each in found] == ["I live in Porto"]


async def test_a_replaced_value_whose_successor_is_gone_can_come_back(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        old = await memory.add("I live in Lisbon", user_id=ANNE)
        await export_json(memory, ANNE, tmp_path / "out.json")
        before = await picture(memory)
        new = await memory.supersede(old, "I live in Porto", user_id=ANNE)
        assert new is not None
        await memory.delete(new, user_id=ANNE)
        await import_json(memory, ANNE, tmp_path / "out.json")
        [(entry, _, _)] = (await picture(memory)).values()
        assert (entry.state, entry.superseded_by, entry.details) == (
            "active", None, before[old][0].details,
        )  # fmt: skip
        assert [each.content for each in await memory.search("Lisbon", user_id=ANNE)] == ["I live in Lisbon"]


async def test_an_older_file_keeps_pin_bar_uses_and_edited_text(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        tea = await memory.add("Likes tea", user_id=ANNE)
        boat = await memory.add("Has a boat", user_id=ANNE)
        await export_json(memory, ANNE, tmp_path / "out.json")
        await memory.pin(tea, user_id=ANNE)
        await memory.update(tea, "Likes green tea", user_id=ANNE)
        await memory.recall("Which tea?", user_id=ANNE, token_budget=100)
        await memory.bar(boat, user_id=ANNE)
        await memory.ready()
        before = await picture(memory)
        await import_json(memory, ANNE, tmp_path / "out.json")
        assert await picture(memory) == before


async def test_a_newer_text_of_a_file_replaces_the_one_here_which_becomes_an_older_text(
    tmp_path: Path,
) -> None:
    async with ledger(tmp_path / "m") as memory:
        tea = await memory.add("Likes tea", user_id=ANNE)
        await memory.pin(tea, user_id=ANNE)
        changed = {"id": tea, "content": "Likes coffee", "updated_at": LATER.isoformat()}
        file = written(tmp_path / "new.json", changed, version=1)
        for _ in range(2):
            await import_json(memory, ANNE, file)
        entry, versions, _ = (await picture(memory))[tea]
        assert (entry.record.content, entry.pinned, entry.version) == ("Likes coffee", True, 2)
        assert [each.content for each in versions] == ["Likes tea"]


async def test_a_newer_file_carries_its_pin_and_the_texts_between(tmp_path: Path) -> None:
    async with ledger(tmp_path / "a") as there, ledger(tmp_path / "b") as here:
        tea = await there.add("Likes tea", user_id=ANNE)
        await export_json(there, ANNE, tmp_path / "first.json")
        await import_json(here, ANNE, tmp_path / "first.json")
        await there.update(tea, "Likes coffee", user_id=ANNE)
        await there.update(tea, "Likes milk", user_id=ANNE)
        await there.pin(tea, user_id=ANNE)
        await export_json(there, ANNE, tmp_path / "second.json")
        await import_json(here, ANNE, tmp_path / "second.json")
        assert await picture(here) == await picture(there)


async def test_a_supersession_that_a_newer_file_knows_is_made_here_too(tmp_path: Path) -> None:
    async with ledger(tmp_path / "a") as there, ledger(tmp_path / "b") as here:
        old = await there.add("I live in Lisbon", user_id=ANNE)
        await export_json(there, ANNE, tmp_path / "first.json")
        await import_json(here, ANNE, tmp_path / "first.json")
        await there.supersede(old, "I live in Porto", user_id=ANNE)
        await export_json(there, ANNE, tmp_path / "second.json")
        await import_json(here, ANNE, tmp_path / "second.json")
        assert await picture(here) == await picture(there)
        assert [each.content for each in await here.search("Lisbon", user_id=ANNE)] == ["I live in Porto"]


async def test_a_restored_value_is_not_replaced_again_by_an_older_file(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        old = await memory.add("I live in Lisbon", user_id=ANNE)
        new = await memory.supersede(old, "I live in Porto", user_id=ANNE)
        assert new is not None
        await export_json(memory, ANNE, tmp_path / "out.json")
        await memory.restore_replaced(new, user_id=ANNE)
        await import_json(memory, ANNE, tmp_path / "out.json")
        assert await states(memory) == {"I live in Lisbon": "active", "I live in Porto": "pending"}


async def test_what_waits_is_never_used_without_a_word(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        waiting = await memory.propose("Has asthma", user_id=ANNE)
        told = {"id": waiting, "content": "Has asthma", "state": "active", "updated_at": LATER.isoformat()}
        await import_json(memory, ANNE, written(tmp_path / "a.json", told))
        await import_json(memory, ANNE, written(tmp_path / "b.json", {"content": "A", "state": "pending"}))
        assert await states(memory) == {"Has asthma": "pending", "A": "pending"}
        assert await memory.search("asthma", user_id=ANNE) == []


async def test_what_was_forgotten_comes_back_with_a_file_and_may_be_learned_again(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        gone = await memory.add("I live in Lisbon", user_id=ANNE)
        await export_json(memory, ANNE, tmp_path / "out.json")
        other = await memory.add("I work at Siemens", user_id=ANNE)
        await memory.forget([gone, other], user_id=ANNE)
        await import_json(memory, ANNE, tmp_path / "out.json")
        assert await states(memory) == {"I live in Lisbon": "active"}
        assert not await memory.was_forgotten("My home is in Lisbon", user_id=ANNE)
        assert await memory.was_forgotten("I work at Siemens", user_id=ANNE)


@pytest.mark.parametrize("state", STATES)
async def test_adding_an_id_that_is_here_keeps_what_was_decided_about_it(
    tmp_path: Path, state: State
) -> None:
    async with ledger(tmp_path / "m") as memory:
        add = memory.propose if state == "pending" else memory.add
        one = await add("Likes tea", user_id=ANNE)
        await memory.pin(one, user_id=ANNE)
        await memory.bar(one, user_id=ANNE)
        if state == "superseded":
            await memory.supersede(one, "Likes coffee", user_id=ANNE)
        before = (await picture(memory))[one][0]
        await memory.add_many([NewMemory("Likes milk", memory_id=one)], user_id=ANNE)
        after = (await picture(memory))[one][0]
        assert after.record.content == "Likes milk"
        assert replace(after, record=before.record, version=1) == before


# ---- files


@pytest.mark.parametrize(
    "odd",
    [
        {"content": "x"},
        {"content": "x", "state": "new"},
        {"content": "x", "state": ["active"]},
        {"content": "x", "state": "active", "superseded_by": 5},
        {"content": "x", "state": "active", "versions": 3},
        {"content": "x", "state": "active", "versions": [3]},
        {"content": "x", "state": "active", "versions": [{"content": " "}]},
        {"content": "x", "state": "active", "versions": [{"content": "a", "metadata": [1]}]},
    ],
)
async def test_an_entry_that_cannot_be_used_is_told_and_the_others_come(
    tmp_path: Path, odd: dict[str, Any]
) -> None:
    async with ledger(tmp_path / "m") as memory:
        await memory.add("Likes tea", user_id=ANNE)
        file = written(tmp_path / "in.json", odd, {"content": "Good", "state": "active"})
        report = await import_json(memory, ANNE, file)
        assert (report.imported, len(report.skipped)) == (1, 1)
        assert report.skipped[0].startswith("Entry 1: ")
        assert await states(memory) == {"Likes tea": "active", "Good": "active"}


async def test_odd_extras_are_left_out(tmp_path: Path) -> None:
    odd = {"pinned": 1, "barred": "yes", "uses": -3, "used_at": 7, "superseded_by": "me", "details": {
        "source": "{", "valid_to": 5, "subject": 4, "session": "s", "kind": "turn"}}  # fmt: skip
    async with ledger(tmp_path / "m") as memory:
        file = written(tmp_path / "in.json", {"id": "me", "content": "Good", "state": "superseded", **odd})
        assert (await import_json(memory, ANNE, file)).skipped == ()
        entry, _, _ = (await picture(memory))["me"]
        assert (entry.pinned, entry.barred, entry.uses, entry.used_at, entry.superseded_by) == (
            False, False, 0, None, None,
        )  # fmt: skip
        assert (entry.details.kind, entry.details.source, entry.details.subject) == ("fact", None, None)


async def test_a_file_that_is_no_export_changes_nothing(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        old = await memory.add("Likes tea", user_id=ANNE)
        await memory.supersede(old, "Likes coffee", user_id=ANNE)
        before = await picture(memory)
        cut = tmp_path / "cut.json"
        await export_json(memory, ANNE, cut)
        cut.write_text(cut.read_text("utf-8")[:-40])
        for file in (cut, written(tmp_path / "newer.json", version=3)):
            with pytest.raises(InvalidInputError):
                await import_json(memory, ANNE, file)
        assert await picture(memory) == before


async def test_two_that_claim_each_others_place_do_not_go_round_for_ever(tmp_path: Path) -> None:
    told = [
        {"id": one, "content": one, "state": "superseded", "superseded_by": other}
        for one, other in (("a", "b"), ("b", "a"))
    ]
    async with ledger(tmp_path / "m") as memory:
        await import_json(memory, ANNE, written(tmp_path / "in.json", *told))
        assert await states(memory) == {"a": "superseded", "b": "superseded"}
        assert await memory.forget(["a"], user_id=ANNE) == 1
        assert await states(memory) == {}


async def test_a_memory_that_is_no_ledger_exchanges_what_is_in_use(tmp_path: Path) -> None:
    plain = InMemoryProvider()
    async with ledger(tmp_path / "m") as memory:
        old = await memory.add("I live in Lisbon", user_id=ANNE)
        await memory.supersede(old, "I live in Porto", user_id=ANNE)
        await memory.propose("Has asthma", user_id=ANNE)
        assert await export_json(memory, ANNE, tmp_path / "out.json") == 3
        report = await import_json(plain, ANNE, tmp_path / "out.json")
        assert (report.imported, len(report.skipped)) == (1, 2)
        assert await export_json(plain, ANNE, tmp_path / "plain.json") == 1
        before = await picture(memory)
        await import_json(memory, ANNE, tmp_path / "plain.json")
        assert await picture(memory) == before


async def test_markdown_lists_those_in_use_then_those_that_wait_then_earlier_ones(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        old = await memory.add("I live in Lisbon", user_id=ANNE)
        await memory.supersede(old, "I live in Porto", user_id=ANNE)
        await memory.propose("Has asthma", user_id=ANNE)
        assert await export_markdown(memory, ANNE, tmp_path / "out.md") == 3
        today = datetime.now(UTC).date().isoformat()
        assert (tmp_path / "out.md").read_text("utf-8").splitlines() == [
            "# Memories", "", "1 memory, oldest first.", "", f"- I live in Porto ({today})", "",
            "## Waiting for your word", "", f"- Has asthma ({today})", "",
            "## Earlier", "", f"- I live in Lisbon ({today})",
        ]  # fmt: skip


async def test_a_hidden_memory_comes_back_with_a_file_and_is_not_doubled(tmp_path: Path) -> None:
    async with ledger(tmp_path / "m") as memory:
        one = await memory.add("I live in Lisbon", user_id=ANNE)
        await export_json(memory, ANNE, tmp_path / "out.json")
        await memory.hide([one], user_id=ANNE)
        await import_json(memory, ANNE, tmp_path / "out.json")
        assert await states(memory) == {"I live in Lisbon": "active"}
        assert not await memory.was_forgotten("I live in Lisbon", user_id=ANNE)
        await memory.forget([one], user_id=ANNE)
        assert await states(memory) == {"I live in Lisbon": "active"}
