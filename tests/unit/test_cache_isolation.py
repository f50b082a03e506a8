"""Whatever happens in which order, an answer reaches nobody but its owner, in its very situation."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, multiple, rule

from assistant.cache import SemanticCache, context_digest
from assistant.core.types import CallerContext, Message
from tests.cache_fixtures import HOSTILE_OWNERS
from tests.memory_fixtures import HashEmbedder

T = TypeVar("T")

OWNERS = (*HOSTILE_OWNERS[:12], "alice", "bob")
TENANTS = (None, "t", "1:t")
MODELS = ("m", "m at h", "m at")
INSTRUCTIONS = ("", "Be brief.", "m")
SESSIONS = {
    "fresh": (),
    "about cats": (Message("user", "I have a cat"), Message("assistant", "Nice")),
    "about dogs": (Message("user", "I have a dog"), Message("assistant", "Nice")),
}
QUESTIONS = (
    ("How do I learn French?", "How can I learn French?", "What is the best way to learn French?"),
    ("How do I learn German?", "how do i learn german"),
    ("Does Ann know Tom?",),
    ("Does Tom know Ann?",),
    ("Is 5 enough?",),
    ("Is 6 enough?",),
)
MEMORIES = ("m1", "m2")

owners = st.builds(CallerContext, st.sampled_from(OWNERS), st.sampled_from(TENANTS))
situations = st.tuples(
    owners,
    st.sampled_from(MODELS),
    st.sampled_from(INSTRUCTIONS),
    st.sampled_from(sorted(SESSIONS)),
    st.frozensets(st.sampled_from(MEMORIES)),
)
Situation = tuple[CallerContext, str, str, str, frozenset[str]]


class Isolation(RuleBasedStateMachine):
    """Each answer's text says in which situation it was given."""

    kept = Bundle("kept")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.cache = SemanticCache(
            embedder=HashEmbedder(), similarity_threshold=0.01, max_entries_per_owner=5
        )
        self.versions = dict.fromkeys(MEMORIES, 1)
        self.known: dict[str, tuple[Any, ...]] = {}
        self.gone: set[str] = set()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def arguments(self, situation: Situation) -> dict[str, Any]:
        caller, model, instructions, session, memories = situation
        versions = [(memory, self.versions[memory]) for memory in sorted(memories)]
        context = context_digest(SESSIONS[session], versions)
        return {"caller": caller, "model": model, "instructions": instructions, "context": context}

    def mark(self, situation: Situation, topic: int) -> tuple[Any, ...]:
        caller, model, instructions, session, memories = situation
        versions = tuple((memory, self.versions[memory]) for memory in sorted(memories))
        return (caller.owner, model, instructions, session, versions, topic)

    @rule(
        target=kept, situation=situations, topic=st.integers(0, len(QUESTIONS) - 1), wording=st.integers(0, 9)
    )
    def put(self, situation: Situation, topic: int, wording: int) -> Any:
        name = f"answer {len(self.known)}"
        self.known[name] = self.mark(situation, topic)
        question = QUESTIONS[topic][wording % len(QUESTIONS[topic])]
        used = sorted(situation[4])
        self.run(self.cache.put(question, name, **self.arguments(situation), used=used))
        return multiple((situation, topic))

    def check(self, situation: Situation, topic: int, wording: int) -> None:
        question = QUESTIONS[topic][wording % len(QUESTIONS[topic])]
        found = self.run(self.cache.get(question, **self.arguments(situation)))
        if found is not None:
            assert self.known[found.answer] == self.mark(situation, topic)
            assert found.answer not in self.gone

    @rule(situation=situations, topic=st.integers(0, len(QUESTIONS) - 1), wording=st.integers(0, 9))
    def ask_anywhere(self, situation: Situation, topic: int, wording: int) -> None:
        self.check(situation, topic, wording)

    @rule(
        asked=kept,
        other=situations,
        changed=st.none() | st.integers(0, 4),
        wording=st.integers(0, 9),
        topic=st.integers(0, len(QUESTIONS) - 1) | st.none(),
    )
    def ask_nearby(
        self, asked: Any, other: Situation, changed: int | None, wording: int, topic: int | None
    ) -> None:
        situation, own_topic = asked
        mixed = tuple(other[place] if place == changed else part for place, part in enumerate(situation))
        self.check(mixed, own_topic if topic is None else topic, wording)  # type: ignore[arg-type]

    @rule(asked=kept, wording=st.integers(0, 9))
    def change_a_memory_and_ask(self, asked: Any, wording: int) -> None:
        situation, topic = asked
        for memory in sorted(situation[4])[:1]:
            self.versions[memory] += 1
        self.check(situation, topic, wording)

    @rule(memory=st.sampled_from(MEMORIES))
    def forget(self, memory: str) -> None:
        self.run(self.cache.forget([memory]))
        self.gone |= {name for name, mark in self.known.items() if any(memory == used for used, _ in mark[4])}

    @rule(caller=owners)
    def purge(self, caller: CallerContext) -> None:
        self.run(self.cache.purge_user(caller.owner))
        self.gone |= {name for name, mark in self.known.items() if mark[0] == caller.owner}

    @invariant()
    def nobody_has_more_than_the_limit(self) -> None:
        total = self.run(self.cache.count())
        assert total <= sum(self.run(self.cache.count(mark[0])) for mark in self.known.values())

    def teardown(self) -> None:
        self.runner.run(self.cache.close())
        self.runner.close()


Isolation.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestIsolation = Isolation.TestCase
