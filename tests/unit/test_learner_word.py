"""What a person decides about memories afterwards, and what a learner does with other memories, failures and crowds."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.core.errors import MemoryIsolationError, MemoryStoreError
from assistant.memory.base import BrowsableMemory, MemoryScope
from assistant.memory.deferred import DeferredMemory
from assistant.memory.in_memory import InMemoryProvider
from assistant.memory.learning import Learner
from assistant.memory.learning.base import Consent, Extraction, Learned, Utterance
from assistant.memory.ledger import MemoryLedger
from tests.learner_fixtures import NoRules, learner, said
from tests.ledger_fixtures import contents, ledger

ALICE = "alice"


async def learn(line: Learner, text: str, owner: str = ALICE) -> Learned:
    return await line.learn_now(said(text), user_id=owner)


def active(learned: Learned) -> list[str]:
    return [memory.content for memory in learned.kept if not memory.waits]


def waiting(learned: Learned) -> list[str]:
    return [memory.content for memory in learned.kept if memory.waits]


# ---- the person's word


async def test_an_accepted_memory_is_active_and_takes_its_place(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        await learn(line, "My city is Lisbon")
        [new] = (await learn(line, "My city is perhaps Porto")).kept
        assert await line.accept(new.memory_id, user_id=ALICE)
        assert not await line.accept(new.memory_id, user_id=ALICE)
        assert await contents(memory) == {"My city is perhaps Porto"}
        assert await contents(memory, state="superseded") == {"My city is Lisbon"}


async def test_a_dismissed_memory_is_gone_and_not_proposed_again(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent="ask") as line:
        [asked] = (await learn(line, "My dog is Rex")).kept
        assert await line.dismiss(asked.memory_id, user_id=ALICE)
        assert not await line.dismiss(asked.memory_id, user_id=ALICE)
        assert await memory.get(asked.memory_id, user_id=ALICE) is None
        assert (await learn(line, "My dog is Rex")).dropped == {"forgotten before": 1}


async def test_an_undone_memory_is_gone_and_not_learned_again(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        [kept] = (await learn(line, "My dog is Rex")).kept
        assert await line.undo(kept.memory_id, user_id=ALICE)
        assert not await line.undo(kept.memory_id, user_id=ALICE)
        assert (await learn(line, "My dog is Rex")).dropped == {"forgotten before": 1}
        assert await memory.count(user_id=ALICE) == 0


async def test_undoing_brings_back_what_was_replaced(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        [old] = (await learn(line, "My city is Lisbon")).kept
        [new] = (await learn(line, "My city is Porto")).kept
        before = await memory.entry(old.memory_id, user_id=ALICE)
        assert await line.undo(new.memory_id, user_id=ALICE)
        assert await contents(memory) == {"My city is Lisbon"}
        assert await contents(memory, state="superseded") == set()
        assert [found.content for found in await memory.search("city", user_id=ALICE)] == [
            "My city is Lisbon"
        ]
        after = await memory.entry(old.memory_id, user_id=ALICE)
        assert before is not None
        assert after is not None
        assert before.details.valid_to is not None
        assert (after.superseded_by, after.details.valid_to) == (None, None)


async def test_undoing_history_brings_nothing_back(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        for city in ("Lisbon", "Porto", "Braga"):
            await learn(line, f"My city is {city}")
        [middle] = (await memory.list(user_id=ALICE, state="superseded", contains="Porto")).items
        assert await line.undo(middle.memory_id, user_id=ALICE)
        assert await contents(memory) == {"My city is Braga"}


async def test_what_was_forgotten_returns_by_a_wish_only(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        [kept] = (await learn(line, "My dog is Rex")).kept
        await memory.forget([kept.memory_id], user_id=ALICE)
        assert (await learn(line, "My dog is Rex")).dropped == {"forgotten before": 1}
        assert active(await learn(line, "Remember that My dog is Rex")) == ["My dog is Rex"]
        await memory.delete((await memory.list(user_id=ALICE)).items[0].memory_id, user_id=ALICE)
        assert active(await learn(line, "My dog is Rex")) == ["My dog is Rex"]


@pytest.mark.parametrize("call", ["accept", "dismiss", "undo"])
async def test_another_owners_memory_is_absent(tmp_path: Path, call: str) -> None:
    async with ledger(tmp_path) as memory, learner(memory, consent="ask") as line:
        [asked] = (await learn(line, "My dog is Rex")).kept
        assert not await getattr(line, call)(asked.memory_id, user_id="bob")
        assert await memory.count(user_id=ALICE, state="pending") == 1
        with pytest.raises(MemoryIsolationError):
            await getattr(line, call)(asked.memory_id, user_id=None)


# ---- memories without a pending state


@pytest.mark.parametrize(
    ("text", "consent"),
    [("My illness is old", "save"), ("Remember that my password is known", "save"), ("My dog is Rex", "ask")],
)
async def test_what_must_be_asked_is_dropped_where_it_cannot_wait(text: str, consent: Consent) -> None:
    memory = InMemoryProvider(MemoryScope.PER_USER)
    async with learner(memory, consent=consent) as line:
        learned = await learn(line, text)
        assert learned.kept == ()
        assert learned.dropped["must be asked, and this memory can't wait"] == 1
        assert await memory.count(user_id=ALICE) == 0


async def test_a_memory_without_history_is_overwritten_and_undo_writes_it_back() -> None:
    memory = InMemoryProvider(MemoryScope.PER_USER)
    async with learner(memory) as line:
        [old] = (await learn(line, "My city is Lisbon")).kept
        before = await memory.get(old.memory_id, user_id=ALICE)
        [new] = (await learn(line, "My city is Porto")).kept
        assert await texts_of(memory) == ["My city is Porto"]
        assert await line.undo(new.memory_id, user_id=ALICE)
        after = await memory.get(old.memory_id, user_id=ALICE)
        assert before is not None
        assert after is not None
        assert (after.content, after.metadata) == (before.content, before.metadata)


async def test_undo_without_history_goes_one_step_back() -> None:
    memory = InMemoryProvider(MemoryScope.PER_USER)
    async with learner(memory) as line:
        for city in ("Lisbon", "Porto", "Braga"):
            [last] = (await learn(line, f"My city is {city}")).kept
        assert await line.undo(last.memory_id, user_id=ALICE)
        assert await texts_of(memory) == ["My city is Porto"]
        assert await line.undo(last.memory_id, user_id=ALICE)
        assert await texts_of(memory) == []


class Plain:
    """A provider that can do no more than a MemoryProvider must."""

    def __init__(self) -> None:
        self._inner = InMemoryProvider(MemoryScope.PER_USER)
        self.scope = MemoryScope.PER_USER
        self.search, self.add = self._inner.search, self._inner.add
        self.delete, self.purge_user, self.close = (
            self._inner.delete,
            self._inner.purge_user,
            self._inner.close,
        )


async def test_a_memory_that_can_not_even_be_overwritten_is_added_to() -> None:
    memory = Plain()
    async with learner(memory) as line:
        await learn(line, "My city is Lisbon")
        [new] = (await learn(line, "My city is Porto")).kept
        assert len(await memory.search("city", user_id=ALICE)) == 2
        assert await line.undo(new.memory_id, user_id=ALICE)
        assert [item.content for item in await memory.search("city", user_id=ALICE)] == ["My city is Lisbon"]
        assert not await line.accept(new.memory_id, user_id=ALICE)
        assert not await line.dismiss(new.memory_id, user_id=ALICE)


# ---- failures, concurrency, isolation


async def test_a_memory_for_each_person_learns_nothing_for_nobody(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        for nobody in (None, ""):
            with pytest.raises(MemoryIsolationError):
                await line.learn_now(said("How are you?"), user_id=nobody)


class Broken:
    """Rules that fail."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def extract(self, utterance: Utterance) -> Extraction:
        raise self.error


@pytest.mark.parametrize("error", [MemoryStoreError("No rules could be read."), KeyError("a bug")])
async def test_rules_that_fail_do_not_cost_the_wish(tmp_path: Path, error: Exception) -> None:
    async with ledger(tmp_path) as memory, learner(memory, rules=Broken(error)) as line:
        learned = await learn(line, "Remember that my dog is Rex")
        assert active(learned) == ["my dog is Rex"]
        assert learned.dropped == {"memory failed": 1}


async def test_a_wish_that_is_not_kept_raises(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        pass
    async with learner(memory, rules=NoRules()) as line:
        with pytest.raises(Exception, match="closed"):
            await learn(line, "Remember that my dog is Rex")


async def test_a_memory_that_is_still_opening_is_waited_for(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        opened = asyncio.Event()

        async def open_it() -> BrowsableMemory:
            await opened.wait()
            return memory

        deferred = DeferredMemory(open_it)
        async with learner(deferred, consent="ask") as line:
            learning = asyncio.ensure_future(learn(line, "My dog is Rex"))
            await asyncio.sleep(0)
            assert not learning.done()
            opened.set()
            assert waiting(await learning) == ["My dog is Rex"]


async def test_twenty_at_once_keep_each_statement_once(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        spoken = [f"My thing{number % 5} is blue" for number in range(20)]
        results = await asyncio.gather(*(learn(line, text) for text in spoken))
        assert sum(len(learned.kept) for learned in results) == 5
        assert await contents(memory) == set(spoken)
        assert await memory.count(user_id=ALICE) == 5


async def test_twenty_new_values_at_once_leave_one_that_holds(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        await asyncio.gather(*(learn(line, f"My city is town{number}") for number in range(20)))
        assert await memory.count(user_id=ALICE) == 1
        assert await memory.count(user_id=ALICE, state="superseded") == 19


async def test_a_cancelled_turn_leaves_whole_memories(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        for pause in range(12):
            learning = asyncio.ensure_future(learn(line, f"My thing{pause} is blue"))
            for _ in range(pause):
                await asyncio.sleep(0)
            learning.cancel()
            await asyncio.wait([learning])
        await memory.ready()
        listed = await contents(memory)
        assert {item.content for item in await memory.search("thing blue", limit=50, user_id=ALICE)} == listed
        assert active(await learn(line, "My thing99 is blue"))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["alice", "a:1", "a/1", "a_1", "Alice"]),
            st.sampled_from(
                ["My dog is Rex", "My dog is Tom", "My illness is old", "Remember: my key is red"]
            ),
            st.sampled_from(["learn", "undo", "dismiss", "accept"]),
        ),
        min_size=2,
        max_size=8,
    )
)
def test_what_one_person_says_and_decides_touches_nobody_else(
    tmp_path_factory: pytest.TempPathFactory, steps: Sequence[tuple[str, str, str]]
) -> None:
    async def state(memory: MemoryLedger, owner: str) -> dict[str, Any]:
        return {
            kind: await contents(memory, owner, state=kind) for kind in ("active", "pending", "superseded")
        }

    async def run() -> None:
        async with ledger(tmp_path_factory.mktemp("ledger")) as memory, learner(memory) as line:
            owners = sorted({owner for owner, _, _ in steps})
            last: dict[str, str] = {}
            for owner, text, call in steps:
                before = {other: await state(memory, other) for other in owners if other != owner}
                if call == "learn" or owner not in last:
                    learned = await line.learn_now(said(text), user_id=owner)
                    if learned.kept:
                        last[owner] = learned.kept[-1].memory_id
                else:
                    await getattr(line, call)(last[owner], user_id=owner)
                assert {other: await state(memory, other) for other in before} == before

    asyncio.run(run())


async def texts_of(memory: BrowsableMemory) -> list[str]:
    return [item.content for item in (await memory.list(user_id=ALICE)).items]
