"""A state machine for every provider: nobody ever sees, changes or removes a memory of somebody else.

A test module derives from `Isolation`, says how its provider is opened, and takes the `TestCase` of that.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from assistant.memory import BrowsableMemory, NewMemory

T = TypeVar("T")

OWNERS = ["alice", "Alice", "alice ", "bob", "\0005:acmealice", "ali\u0441e"]
WORDS = ["tea", "coffee", "milk", "sugar"]

owners = st.sampled_from(OWNERS)
texts = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)


class Isolation(RuleBasedStateMachine):
    """A provider beside a plain dictionary of what each owner should have."""

    ids = Bundle("ids")

    def provider(self) -> BrowsableMemory:
        raise NotImplementedError

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.memory = self.provider()
        self.expected: dict[str, dict[str, str]] = {owner: {} for owner in OWNERS}

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    @initialize(target=ids)
    def an_id_of_nobody(self) -> str:
        return "nobody's"

    @rule(target=ids, owner=owners, text=texts)
    def add(self, owner: str, text: str) -> str:
        memory_id = self.run(self.memory.add(text, user_id=owner))
        assert all(memory_id not in kept for kept in self.expected.values())
        self.expected[owner][memory_id] = text
        return memory_id

    @rule(owner=owners, memory_id=ids, text=texts)
    def put_under_a_known_id(self, owner: str, memory_id: str, text: str) -> None:
        self.run(self.memory.add_many([NewMemory(text, memory_id=memory_id)], user_id=owner))
        self.expected[owner][memory_id] = text

    @rule(owner=owners, memory_id=ids, text=texts)
    def update(self, owner: str, memory_id: str, text: str) -> None:
        changed = self.run(self.memory.update(memory_id, text, user_id=owner))
        assert changed == (memory_id in self.expected[owner])
        if changed:
            self.expected[owner][memory_id] = text

    @rule(owner=owners, memory_id=ids)
    def delete(self, owner: str, memory_id: str) -> None:
        gone = self.run(self.memory.delete(memory_id, user_id=owner))
        assert gone == (self.expected[owner].pop(memory_id, None) is not None)

    @rule(owner=owners)
    def purge(self, owner: str) -> None:
        assert self.run(self.memory.purge_user(owner)) == len(self.expected[owner])
        self.expected[owner].clear()

    @rule(owner=owners, memory_id=ids)
    def get(self, owner: str, memory_id: str) -> None:
        found = self.run(self.memory.get(memory_id, user_id=owner))
        assert (found.content if found else None) == self.expected[owner].get(memory_id)

    @rule(owner=owners, query=st.sampled_from(WORDS))
    def search(self, owner: str, query: str) -> None:
        found = self.run(self.memory.search(query, limit=1000, user_id=owner))
        kept = self.expected[owner]
        assert all(kept.get(item.memory_id) == item.content for item in found)
        wanted = {memory_id for memory_id, text in kept.items() if query in text.split()}
        assert wanted <= {item.memory_id for item in found}

    @invariant()
    def each_owner_has_exactly_what_is_expected(self) -> None:
        for owner, kept in self.expected.items():
            page = self.run(self.memory.list(user_id=owner, limit=1000))
            assert {item.memory_id: item.content for item in page.items} == kept

    def teardown(self) -> None:
        self.run(self.memory.close())
        self.runner.close()


def isolation_settings(*, examples: int, steps: int) -> settings:
    """For the test case of a machine.

    Args:
        examples: how many lives a provider leads.
        steps: the calls of each.
    """
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )
