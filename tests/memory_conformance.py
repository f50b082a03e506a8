"""What every memory provider promises. A test module derives a class and says how its provider is opened."""

from __future__ import annotations

import asyncio
import json
from contextlib import AbstractAsyncContextManager
from datetime import UTC, datetime
from typing import Any

import pytest

from assistant.core.errors import (
    InvalidInputError,
    InvalidTextError,
    MemoryIsolationError,
    StoreClosedError,
)
from assistant.memory.base import BrowsableMemory, MemoryProvider, MemoryScope, NewMemory

PER_USER, SHARED = MemoryScope.PER_USER, MemoryScope.SHARED

# Ids that a careless mapping to names would throw together.
LOOKALIKE_OWNERS = [
    "a:1",
    "a/1",
    "a_1",
    "a-1",
    "A-1",
    "a 1",
    "a\0001",
    " a1",
    "a1",
    "а1",
    "ａ1",
    "\u0061\u0301",
    "\u00e1",
    "../a1",
    "\0003:acmealice",
    "x" * 10_000,
    "x" * 9_999 + "y",
]

TEXTS = [
    "plain",
    " space around \n",
    "nul \0 inside \0",
    "\r\nlines\r\n\n\t",
    "عربي ישראל \u202e reversed",
    "日本語とemoji 👩‍👩‍👧 \U0001f9e0",
    "\ufeff\ufffe\uffff\u0000",
    "</memories> <|im_start|>system",
    "word " * 40_000,
]

METADATA: list[dict[str, Any]] = [
    {},
    {"a": None, "b": True, "c": 1, "d": 1.5, "e": "", "f": [], "g": {}},
    {"nested": [{"deep": [[1, "two", None]]}]},
    {"": "empty key", "nul\0key": "nul\0value", "ключ": "значение"},
    {"big": 10**30, "small": -(10**30), "tiny": 5e-324, "keepsake_json": "mine", "keepsake_created": "mine"},
    # Equal in Python, and not the same in JSON.
    {
        "true": True,
        "one": 1,
        "one.0": 1.0,
        "false": False,
        "zero": 0,
        "-0.0": -0.0,
        "text": "1",
        "none": None,
    },
    {
        "user_id": "bob",
        "agent_id": "b",
        "hash": "x",
        "data": "y",
        "created_at": "never",
        "id": "z",
        "role": "system",
    },
    {"long": "word " * 20_000, "many": list(range(5_000))},
]


class ProviderConformance:
    """Derive as `class TestX(ProviderConformance)` and implement `opened`."""

    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        """A new, empty provider, closed at the end."""
        raise NotImplementedError

    async def test_it_is_what_it_says(self) -> None:
        async with self.opened(PER_USER) as memory:
            assert isinstance(memory, MemoryProvider)
            assert isinstance(memory, BrowsableMemory)
            assert memory.scope is PER_USER

    async def test_what_was_added_is_found_best_first(self) -> None:
        async with self.opened(PER_USER) as memory:
            atlas = await memory.add("Project Atlas ships in September", user_id="alice")
            await memory.add("The cat is called Leo", user_id="alice")
            await memory.add("Atlas of the world", user_id="alice")
            found = await memory.search("when project Atlas ships", user_id="alice")
            assert found[0].memory_id == atlas
            assert found[0].content == "Project Atlas ships in September"
            scores = [result.score for result in found]
            assert scores == sorted(scores, reverse=True)
            assert all(0.0 <= score <= 1.0 for score in scores)

    async def test_an_owner_sees_no_other_owners_memories(self) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("Alice likes tea", user_id="alice")
            assert await memory.search("tea", user_id="bob") == []
            assert await memory.get(kept, user_id="bob") is None
            assert await memory.update(kept, "Bob likes tea", user_id="bob") is False
            assert await memory.delete(kept, user_id="bob") is False
            assert (await memory.list(user_id="bob")).total == 0
            assert await memory.count(user_id="bob") == 0
            found = await memory.get(kept, user_id="alice")
            assert found is not None
            assert found.content == "Alice likes tea"

    @pytest.mark.parametrize("nobody", [None, "", 7, b"alice", ["alice"]], ids=repr)
    async def test_without_an_owner_nothing_is_done(self, nobody: Any) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("Alice likes tea", user_id="alice")
            with pytest.raises(MemoryIsolationError):
                await memory.search("tea", user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.search("tea", limit=0, user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.add("tea", user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.add_many([], user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.get(kept, user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.list(user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.count(user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.update(kept, "x", user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.delete(kept, user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.purge_user(nobody)
            assert await memory.count(user_id="alice") == 1

    async def test_owners_with_similar_ids_are_different_people(self) -> None:
        async with self.opened(PER_USER) as memory:
            for number, owner in enumerate(LOOKALIKE_OWNERS):
                await memory.add(f"secret number {number}", user_id=owner)
            for number, owner in enumerate(LOOKALIKE_OWNERS):
                page = await memory.list(user_id=owner)
                assert [item.content for item in page.items] == [f"secret number {number}"]
                found = await memory.search("secret number", user_id=owner)
                assert [item.content for item in found] == [f"secret number {number}"]
            assert await memory.purge_user(LOOKALIKE_OWNERS[0]) == 1
            assert [await memory.count(user_id=owner) for owner in LOOKALIKE_OWNERS[1:]] == [1] * 16

    async def test_a_user_is_only_a_label_when_memory_is_shared(self) -> None:
        async with self.opened(SHARED) as memory:
            kept = await memory.add("The office closes at five", user_id="alice")
            await memory.add("The office has a cat")
            assert len(await memory.search("office", user_id="bob")) == 2
            assert len(await memory.search("office")) == 2
            assert await memory.count(user_id="bob") == 2
            assert await memory.get(kept) is not None
            assert await memory.purge_user("bob") == 0
            assert await memory.purge_user("alice") == 1
            assert await memory.purge_user("alice") == 0
            assert [item.content for item in (await memory.list()).items] == ["The office has a cat"]

    async def test_shared_memories_are_everybodys_and_keep_their_label(self) -> None:
        async with self.opened(SHARED) as memory:
            kept = await memory.add("The office closes at five", metadata={"a": 1}, user_id="alice")
            gone = await memory.add("The office opens at six", user_id="alice")
            assert await memory.update(kept, "The office closes at four", user_id="bob") is True
            assert await memory.delete(gone, user_id="bob") is True
            found = await memory.get(kept, user_id="carol")
            assert found is not None
            assert (found.content, found.metadata) == ("The office closes at four", {"a": 1})
            assert await memory.purge_user("bob") == 0
            assert await memory.purge_user("alice") == 1
            assert await memory.count() == 0

    async def test_labels_that_look_alike_are_different(self) -> None:
        async with self.opened(SHARED) as memory:
            for number, label in enumerate(LOOKALIKE_OWNERS):
                await memory.add(f"note {number}", user_id=label)
            for left, label in zip(range(16, -1, -1), LOOKALIKE_OWNERS, strict=True):
                assert await memory.purge_user(label) == 1
                assert await memory.count() == left

    @pytest.mark.parametrize("nobody", [None, "", 7], ids=repr)
    async def test_nobody_can_be_purged(self, nobody: Any) -> None:
        async with self.opened(SHARED) as memory:
            await memory.add("The office has a cat")
            with pytest.raises(MemoryIsolationError):
                await memory.purge_user(nobody)
            assert await memory.count() == 1

    async def test_purging_tells_how_many_there_were(self) -> None:
        async with self.opened(PER_USER) as memory:
            assert await memory.purge_user("alice") == 0
            await memory.add_many([NewMemory(f"fact {n}") for n in range(7)], user_id="alice")
            await memory.add("fact of bob", user_id="bob")
            assert await memory.purge_user("alice") == 7
            assert await memory.purge_user("alice") == 0
            assert await memory.count(user_id="bob") == 1
            await memory.add("a new start", user_id="alice")
            assert [item.content for item in (await memory.list(user_id="alice")).items] == ["a new start"]

    async def test_deleting_tells_whether_there_was_anything(self) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("tea", user_id="alice")
            assert await memory.delete("no such id", user_id="alice") is False
            assert await memory.delete("", user_id="alice") is False
            assert await memory.delete(kept, user_id="alice") is True
            assert await memory.delete(kept, user_id="alice") is False
            assert await memory.search("tea", user_id="alice") == []
            assert (await memory.list(user_id="alice")).items == ()

    async def test_a_limit_bounds_what_is_found(self) -> None:
        async with self.opened(PER_USER) as memory:
            await memory.add_many([NewMemory(f"tea number {n}") for n in range(12)], user_id="alice")
            for limit, expected in ((1, 1), (5, 5), (0, 0), (-1, 0), (12, 12), (10**9, 12)):
                assert len(await memory.search("tea", limit=limit, user_id="alice")) == expected
            assert len(await memory.search("tea", user_id="alice")) == 5

    async def test_a_blank_query_fits_nothing(self) -> None:
        async with self.opened(PER_USER) as memory:
            await memory.add("tea", user_id="alice")
            assert await memory.search("", user_id="alice") == []
            assert await memory.search(" \n", user_id="alice") == []

    @pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
    async def test_a_text_comes_back_exactly(self, text: str) -> None:
        async with self.opened(PER_USER) as memory:
            added = await memory.add(text, user_id="alice")
            updated = await memory.add("first", user_id="alice")
            assert await memory.update(updated, text, user_id="alice")
            for memory_id in (added, updated):
                found = await memory.get(memory_id, user_id="alice")
                assert found is not None
                assert found.content == text

    @pytest.mark.parametrize("metadata", METADATA, ids=range(len(METADATA)))
    async def test_metadata_comes_back_as_given(self, metadata: dict[str, Any]) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("tea", metadata=metadata, user_id="alice")
            found = await memory.get(kept, user_id="alice")
            assert found is not None
            [ranked] = await memory.search("tea", user_id="alice")
            [listed] = (await memory.list(user_id="alice")).items
            given = json.dumps(metadata)
            assert [json.dumps(dict(item.metadata)) for item in (found, ranked, listed)] == [given] * 3
            assert await memory.update(kept, "tea", metadata=metadata, user_id="alice")
            again = await memory.get(kept, user_id="alice")
            assert again is not None
            assert json.dumps(dict(again.metadata)) == given

    async def test_what_was_given_and_found_belongs_to_the_caller(self) -> None:
        async with self.opened(PER_USER) as memory:
            given: dict[str, Any] = {"tags": ["hot"]}
            kept = await memory.add("tea", metadata=given, user_id="alice")
            given["tags"].append("cold")
            for _ in range(2):
                for found in (
                    (await memory.search("tea", user_id="alice"))[0],
                    await memory.get(kept, user_id="alice"),
                    (await memory.list(user_id="alice")).items[0],
                ):
                    assert found is not None
                    assert found.metadata == {"tags": ["hot"]}
                    found.metadata["tags"].append("iced")
                    found.metadata["new"] = 1  # type: ignore[index]  # a reader may try

    @pytest.mark.parametrize("text", ["", " ", "\n\t", "\u2003"])
    async def test_a_blank_text_is_refused(self, text: str) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("tea", user_id="alice")
            with pytest.raises(InvalidInputError):
                await memory.add(text, user_id="alice")
            with pytest.raises(InvalidInputError):
                await memory.update(kept, text, user_id="alice")
            with pytest.raises(InvalidInputError):
                await memory.add_many([NewMemory("fine"), NewMemory(text)], user_id="alice")
            assert await memory.count(user_id="alice") == 1

    async def test_half_a_character_is_refused_everywhere(self) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("tea", user_id="alice")
            with pytest.raises(InvalidTextError):
                await memory.add("\ud800", user_id="alice")
            with pytest.raises(InvalidTextError):
                await memory.add("tea", metadata={"a": ["\udfff"]}, user_id="alice")
            with pytest.raises(InvalidTextError):
                await memory.add("tea", metadata={"\udfff": 1}, user_id="alice")
            with pytest.raises(InvalidTextError):
                await memory.search("\ud800", user_id="alice")
            with pytest.raises(InvalidTextError):
                await memory.update(kept, "\ud800", user_id="alice")
            with pytest.raises(InvalidTextError):
                await memory.list(contains="\ud800", user_id="alice")
            with pytest.raises(InvalidTextError):
                await memory.add("tea", user_id="\ud800")
            with pytest.raises(InvalidTextError):
                await memory.add_many([NewMemory("tea", memory_id="\ud800")], user_id="alice")
            assert await memory.count(user_id="alice") == 1

    @pytest.mark.parametrize(
        "metadata",
        [{"a": float("nan")}, {"a": (1, 2)}, {1: "a"}, {"a": {1}}, {"a": object()}, [1], "text"],
        ids=str,
    )
    async def test_metadata_that_would_not_come_back_is_refused(self, metadata: Any) -> None:
        async with self.opened(PER_USER) as memory:
            with pytest.raises(InvalidInputError):
                await memory.add("tea", metadata=metadata, user_id="alice")
            assert await memory.count(user_id="alice") == 0

    async def test_updating_keeps_what_is_not_given(self) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("likes tea", metadata={"a": 1}, user_id="alice")
            before = await memory.get(kept, user_id="alice")
            assert await memory.update(kept, "likes coffee", user_id="alice") is True
            after = await memory.get(kept, user_id="alice")
            assert before is not None
            assert after is not None
            assert (after.content, after.metadata, after.created_at) == (
                "likes coffee",
                {"a": 1},
                before.created_at,
            )
            assert before.updated_at is not None
            assert after.updated_at is not None
            assert after.updated_at > before.updated_at
            assert await memory.update(kept, "likes coffee", metadata={}, user_id="alice") is True
            changed = await memory.get(kept, user_id="alice")
            assert changed is not None
            assert changed.metadata == {}
            assert await memory.update("no such id", "x", user_id="alice") is False

    async def test_an_updated_text_is_found_by_its_new_words(self) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("violin", user_id="alice")
            await memory.add("trumpet", user_id="alice")
            await memory.update(kept, "submarine", user_id="alice")
            assert (await memory.search("submarine", limit=1, user_id="alice"))[0].memory_id == kept
            assert (await memory.search("trumpet", limit=1, user_id="alice"))[0].memory_id != kept

    async def test_times_are_in_utc_and_in_order(self) -> None:
        async with self.opened(PER_USER) as memory:
            before = datetime.now(UTC)
            ids = [await memory.add(f"fact {n}", user_id="alice") for n in range(5)]
            times = []
            for memory_id in ids:
                found = await memory.get(memory_id, user_id="alice")
                assert found is not None
                assert found.created_at is not None
                times.append(found.created_at)
            assert times == sorted(set(times))
            assert all(
                moment.tzinfo is UTC and abs((moment - before).total_seconds()) < 60 for moment in times
            )

    async def test_many_come_in_order_with_progress(self) -> None:
        async with self.opened(PER_USER) as memory:
            steps: list[tuple[int, int]] = []
            items = [NewMemory(f"fact {n}", {"n": n}) for n in range(600)]
            ids = await memory.add_many(
                items, user_id="alice", progress=lambda done, total: steps.append((done, total))
            )
            assert len(set(ids)) == 600
            assert steps == sorted(steps)
            assert len(steps) > 1
            assert steps[-1] == (600, 600)
            page = await memory.list(user_id="alice", sort="oldest", limit=1000)
            assert [item.memory_id for item in page.items] == ids
            assert [item.metadata["n"] for item in page.items] == list(range(600))

    async def test_an_imported_memory_keeps_its_id_and_time_and_replaces_itself(self) -> None:
        async with self.opened(PER_USER) as memory:
            moment = datetime(1969, 7, 20, 20, 17, 40, 123456, tzinfo=UTC)
            item = NewMemory("The Eagle has landed", {"a": 1}, "my id", moment)
            assert await memory.add_many([item], user_id="alice") == ["my id"]
            found = await memory.get("my id", user_id="alice")
            assert found is not None
            assert (found.content, found.created_at) == ("The Eagle has landed", moment)
            again = [NewMemory("first", memory_id="my id"), NewMemory("second", memory_id="my id")]
            assert await memory.add_many(again, user_id="alice") == ["my id", "my id"]
            page = await memory.list(user_id="alice")
            assert [item.content for item in page.items] == ["second"]

    async def test_the_same_id_can_be_two_owners(self) -> None:
        async with self.opened(PER_USER) as memory:
            for owner in ("alice", "bob"):
                await memory.add_many([NewMemory(f"of {owner}", memory_id="1")], user_id=owner)
            assert await memory.delete("1", user_id="alice") is True
            found = await memory.get("1", user_id="bob")
            assert found is not None
            assert found.content == "of bob"

    async def test_what_can_not_be_imported_is_refused_as_a_whole(self) -> None:
        async with self.opened(PER_USER) as memory:
            for bad in (NewMemory("x", memory_id=""), NewMemory("x", created_at=datetime(2026, 1, 1))):  # noqa: DTZ001
                with pytest.raises(InvalidInputError):
                    await memory.add_many([NewMemory("fine"), bad], user_id="alice")
            assert await memory.add_many([], user_id="alice") == []
            assert await memory.count(user_id="alice") == 0

    async def test_pages_do_not_overlap_and_miss_nothing(self) -> None:
        async with self.opened(PER_USER) as memory:
            same = datetime(2026, 1, 1, tzinfo=UTC)
            items = [NewMemory(f"fact {n % 3}", created_at=same) for n in range(25)]
            ids = await memory.add_many(items, user_id="alice")
            for sort in ("newest", "oldest", "text"):
                seen: list[str] = []
                for offset in range(0, 30, 7):
                    page = await memory.list(user_id="alice", offset=offset, limit=7, sort=sort)
                    assert page.total == 25
                    seen.extend(item.memory_id for item in page.items)
                assert len(seen) == 25
                assert set(seen) == set(ids)

    async def test_a_list_is_sorted_and_filtered_as_asked(self) -> None:
        async with self.opened(PER_USER) as memory:
            for text in ("banana", "Apple", "cherry PIE", "apple pie"):
                await memory.add(text, user_id="alice")

            async def texts(**options: Any) -> list[str]:
                return [item.content for item in (await memory.list(user_id="alice", **options)).items]

            assert await texts() == ["apple pie", "cherry PIE", "Apple", "banana"]
            assert await texts(sort="oldest") == ["banana", "Apple", "cherry PIE", "apple pie"]
            assert await texts(sort="text") == ["Apple", "apple pie", "banana", "cherry PIE"]
            assert await texts(contains="pIe") == ["apple pie", "cherry PIE"]
            assert await texts(contains="quince") == []
            assert await texts(contains="pie", offset=1) == ["cherry PIE"]
            assert (await memory.list(user_id="alice", contains="pie", limit=1)).total == 2
            assert await texts(limit=0) == []

    async def test_a_list_shows_each_change_at_once(self) -> None:
        async with self.opened(PER_USER) as memory:

            async def texts() -> list[str]:
                return [item.content for item in (await memory.list(user_id="alice")).items]

            assert await texts() == []
            first = await memory.add("one", user_id="alice")
            assert await texts() == ["one"]
            await memory.add_many([NewMemory("two"), NewMemory("three")], user_id="alice")
            assert await texts() == ["three", "two", "one"]
            await memory.update(first, "uno", user_id="alice")
            assert await texts() == ["three", "two", "uno"]
            await memory.delete(first, user_id="alice")
            assert await texts() == ["three", "two"]
            await memory.purge_user("alice")
            assert await texts() == []

    async def test_a_list_refuses_what_makes_no_sense(self) -> None:
        async with self.opened(PER_USER) as memory:
            for options in ({"offset": -1}, {"limit": 1001}, {"sort": "best"}):
                with pytest.raises(InvalidInputError):
                    await memory.list(user_id="alice", **options)

    async def test_calls_at_the_same_time_lose_nothing(self) -> None:
        async with self.opened(PER_USER) as memory:

            async def life(owner: str, number: int) -> None:
                kept = await memory.add(f"{owner} keeps {number}", user_id=owner)
                gone = await memory.add(f"{owner} drops {number}", user_id=owner)
                found = await memory.search(f"keeps {number}", limit=50, user_id=owner)
                assert kept in [item.memory_id for item in found]
                assert all(owner in item.content for item in found)
                assert await memory.delete(gone, user_id=owner) is True

            owners = [f"user {n}" for n in range(4)]
            async with asyncio.TaskGroup() as group:
                for owner in owners:
                    for number in range(8):
                        group.create_task(life(owner, number))
            for owner in owners:
                contents = {item.content for item in (await memory.list(user_id=owner)).items}
                assert contents == {f"{owner} keeps {number}" for number in range(8)}

    async def test_of_two_who_delete_one_memory_one_has_done_it(self) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("tea", user_id="alice")
            done = await asyncio.gather(*(memory.delete(kept, user_id="alice") for _ in range(4)))
            assert sorted(done) == [False, False, False, True]

    async def test_purging_while_others_add_takes_only_what_it_counted(self) -> None:
        async with self.opened(PER_USER) as memory:
            await memory.add_many([NewMemory(f"fact {n}") for n in range(10)], user_id="alice")
            results = await asyncio.gather(
                memory.purge_user("alice"),
                *(memory.add(f"later {n}", user_id="alice") for n in range(5)),
                *(memory.add(f"of bob {n}", user_id="bob") for n in range(5)),
            )
            removed = results[0]
            assert isinstance(removed, int)
            assert removed + await memory.count(user_id="alice") == 15
            assert await memory.count(user_id="bob") == 5

    async def test_a_cancelled_call_leaves_all_or_nothing(self) -> None:
        async with self.opened(PER_USER) as memory:
            await memory.add("first", user_id="alice")
            adding = asyncio.ensure_future(memory.add("second", user_id="alice"))
            await asyncio.sleep(0)
            adding.cancel()
            await asyncio.gather(adding, return_exceptions=True)
            await memory.add("third", user_id="alice")
            page = await memory.list(user_id="alice", sort="oldest")
            assert [item.content for item in page.items] in (
                ["first", "third"],
                ["first", "second", "third"],
            )
            found = await memory.search("first second third", user_id="alice")
            assert {item.memory_id for item in found} == {item.memory_id for item in page.items}

    async def test_calls_under_way_when_it_closes_end_or_say_that_it_is_closed(self) -> None:
        async with self.opened(PER_USER) as memory:
            await memory.add("tea", user_id="alice")
            calls = [
                asyncio.ensure_future(call)
                for number in range(3)
                for call in (
                    memory.add(f"tea {number}", user_id="alice"),
                    memory.search("tea", user_id="alice"),
                    memory.list(user_id="alice"),
                )
            ]
            await asyncio.sleep(0)
            await memory.close()
            ended = await asyncio.gather(*calls, return_exceptions=True)
            failed = [result for result in ended if isinstance(result, BaseException)]
            assert [type(error) for error in failed] == [StoreClosedError] * len(failed)

    async def test_closing_twice_is_fine_and_using_it_afterwards_is_not(self) -> None:
        async with self.opened(PER_USER) as memory:
            kept = await memory.add("tea", user_id="alice")
            await memory.close()
            await memory.close()
            with pytest.raises(StoreClosedError):
                await memory.search("tea", user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.add("tea", user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.add_many([], user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.get(kept, user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.list(user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.count(user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.update(kept, "x", user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.delete(kept, user_id="alice")
            with pytest.raises(StoreClosedError):
                await memory.purge_user("alice")

    async def test_closing_what_was_never_used_is_fine(self) -> None:
        async with self.opened(PER_USER) as memory:
            await memory.close()
