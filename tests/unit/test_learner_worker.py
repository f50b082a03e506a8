"""What may happen while a model reads: failures, turns, deletions."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import (
    AssistantError,
    ContextTooLongError,
    ModelServerError,
    RateLimitedError,
    UnreachableError,
)
from assistant.core.tasks import Supervisor
from assistant.memory.learning import Pace
from assistant.memory.learning.base import Candidate, Consent, Verdict
from assistant.memory.ledger import MemoryLedger
from assistant.models.scripted import ScriptedModel
from tests.learner_fixtures import (
    NO_REST,
    Deaf,
    Heard,
    Held,
    NoRules,
    PlainConsolidator,
    PlainModelExtractor,
    learner,
    reading,
    reads,
    said,
)
from tests.ledger_fixtures import contents, ledger

ALICE = "alice"
LONG = 60.0
"""Seconds that a test waits at most for what must happen."""


# ---- failures


@pytest.mark.parametrize(
    "reply",
    ["no JSON", '["half', ModelServerError("The server fell over."), json.dumps([["deep"]])],
    ids=["no JSON", "half JSON", "server error", "another form"],
)
async def test_a_lesson_that_fails_is_tried_three_times_and_the_others_are_read(
    tmp_path: Path, reply: Any
) -> None:
    def answer(messages: Any) -> str:
        if "cat" in messages[-1].content:
            return reads(messages)
        if isinstance(reply, Exception):
            raise reply
        return str(reply)

    model = ScriptedModel([answer] * 4)
    async with ledger(tmp_path) as memory, learner(memory, **reading(model)) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        await line.enqueue(said("My cat is Tom"), user_id=ALICE)
        assert await line.settle(LONG)
        assert line.given_up == 1
        assert len(model.calls) == 4
        assert await contents(memory) == {"My cat is Tom"}


@pytest.mark.parametrize(
    "error",
    [ContextTooLongError("Too long."), ModelServerError("No.", detail="HTTP 400\nno")],
    ids=["long", "400"],
)
async def test_what_a_server_refuses_is_asked_once(tmp_path: Path, error: AssistantError) -> None:
    model = ScriptedModel([error, reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model)) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert await line.settle(LONG)
        assert (line.given_up, len(model.calls)) == (1, 1)


@pytest.mark.parametrize(
    "error", [UnreachableError("Nobody answers."), RateLimitedError("Slow down.", retry_after=0.0)]
)
async def test_a_model_that_cannot_be_had_costs_no_attempt(tmp_path: Path, error: AssistantError) -> None:
    model = ScriptedModel([error] * 7 + [reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model)) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert await line.settle(LONG)
        assert line.given_up == 0
        assert await contents(memory) == {"My dog is Rex"}


async def test_while_a_model_cannot_be_had_it_is_left_alone_until_something_new_is_said(
    tmp_path: Path,
) -> None:
    model = ScriptedModel([UnreachableError("Nobody answers."), reads, reads])
    pace = Pace(first_rest=3600.0, longest_rest=3600.0)
    heard = Heard()
    async with (
        ledger(tmp_path) as memory,
        learner(memory, **reading(model, pace=pace, on_learned=heard)) as line,
    ):
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert not await line.settle(0.05)
        assert len(model.calls) == 1
        await line.enqueue(said("My cat is Tom"), user_id=ALICE)
        await heard.times(2)
        assert await contents(memory) == {"My dog is Rex", "My cat is Tom"}


@pytest.mark.parametrize("kind", [Held, Deaf])
async def test_a_call_that_never_returns_is_given_up_and_turns_go_on(
    tmp_path: Path, kind: Callable[[], Held]
) -> None:
    held = kind()
    options: dict[str, Any] = {"model_extractor": held, "pace": Pace(lesson_timeout=0.02, first_rest=0.0)}
    async with ledger(tmp_path) as memory, learner(memory, **options) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        await held.called.wait()
        learned = await line.learn_now(said("My cat is Tom"), user_id=ALICE)
        assert [item.content for item in learned.kept] == ["My cat is Tom"]
        assert await line.settle(LONG)
        assert (held.calls, line.given_up) == (3, 1)
        assert await contents(memory) == {"My cat is Tom"}
        held.go.set()


@pytest.mark.parametrize("kind", [Held, Deaf])
async def test_closing_waits_for_no_model_and_keeps_the_lesson(
    tmp_path: Path, kind: Callable[[], Held]
) -> None:
    held = kind()
    async with ledger(tmp_path) as memory:
        async with learner(memory, model_extractor=held, rules=NoRules()) as line:
            await line.enqueue(said("My dog is Rex"), user_id=ALICE)
            await held.called.wait()
            await line.close()
            await line.close()
            assert await line.waiting() == 1
            held.go.set()
            await line.enqueue(said("My cat is Tom"), user_id=ALICE)
            line.start()
            assert held.calls == 1
        assert await memory.count(user_id=ALICE) == 0


async def test_an_agent_that_is_shut_down_first_ends_the_reading_quietly(tmp_path: Path) -> None:
    held, failures = Held(), list[str]()
    tasks = Supervisor(lambda name, error: failures.append(name))
    async with (
        ledger(tmp_path) as memory,
        learner(memory, model_extractor=held, rules=NoRules(), tasks=tasks) as line,
    ):
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        await held.called.wait()
        await tasks.close()
        await line.enqueue(said("My cat is Tom"), user_id=ALICE)
        line.start()
        assert await line.waiting() == 2
        assert failures == []


# ---- beside turns


async def test_while_a_turn_is_running_no_model_is_asked(tmp_path: Path) -> None:
    model = ScriptedModel([reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model)) as line:
        with line.busy():
            with line.busy():
                await line.enqueue(said("My dog is Rex"), user_id=ALICE)
            assert not await line.settle(0.02)
            assert model.calls == []
        assert await line.settle(LONG)
        assert await contents(memory) == {"My dog is Rex"}


async def test_a_local_model_is_interrupted_for_a_turn_and_asked_again_after_it(tmp_path: Path) -> None:
    held = Held()
    options: dict[str, Any] = {"rules": NoRules(), "model_extractor": held, "steps_aside": True}
    async with ledger(tmp_path) as memory, learner(memory, **options) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        for turn in range(5):
            await held.called.wait()
            held.called.clear()
            with line.busy():
                assert not await line.settle(0.02)
                assert (held.calls, held.running) == (turn + 1, 0)
        held.go.set()
        assert await line.settle(LONG)
        assert line.given_up == 0
        assert await contents(memory) == {"My dog is Rex"}


async def test_a_model_elsewhere_reads_on_beside_a_turn(tmp_path: Path) -> None:
    held, heard = Held(), Heard()
    options: dict[str, Any] = {"rules": NoRules(), "model_extractor": held, "on_learned": heard}
    options["steps_aside"] = False
    async with ledger(tmp_path) as memory, learner(memory, **options) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        await held.called.wait()
        with line.busy():
            held.go.set()
            await heard.times(1)
        assert (held.calls, await contents(memory)) == (1, {"My dog is Rex"})


class SlowJudge(PlainConsolidator):
    """A consolidator that waits for its model."""

    def __init__(self, memory: MemoryLedger) -> None:
        super().__init__(memory)
        self.go = asyncio.Event()
        self.called = asyncio.Event()

    async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
        found = await super().verdict(candidate, user_id=user_id)
        self.called.set()
        await self.go.wait()
        return found


async def test_a_verdict_is_asked_for_anew_when_something_was_kept_meanwhile(tmp_path: Path) -> None:
    extractor = PlainModelExtractor(ScriptedModel([reads]))
    async with ledger(tmp_path) as memory:
        judge = SlowJudge(memory)
        async with learner(memory, model_extractor=extractor, judging=judge) as line:
            await line.enqueue(said("My city is Porto"), user_id=ALICE)
            await judge.called.wait()
            await line.learn_now(said("My city is Porto"), user_id=ALICE)
            judge.go.set()
            assert await line.settle(LONG)
            assert judge.asked == ["My city is Porto"] * 2
            assert await memory.count(user_id=ALICE) == 1


async def test_a_judge_that_never_answers_holds_up_nobody(tmp_path: Path) -> None:
    extractor = PlainModelExtractor(ScriptedModel([reads] * 3))
    async with ledger(tmp_path) as memory:
        options: dict[str, Any] = {
            "judging": SlowJudge(memory),
            "model_extractor": extractor,
            "pace": Pace(lesson_timeout=0.05, first_rest=0.0),
        }
        async with learner(memory, **options) as line:
            await line.enqueue(said("My city is Porto"), user_id=ALICE)
            await options["judging"].called.wait()
            assert (await line.learn_now(said("My cat is Tom"), user_id=ALICE)).kept
            assert await line.settle(LONG)
            assert line.given_up == 1


# ---- consent and deletion


async def test_under_manual_consent_nothing_is_queued(tmp_path: Path) -> None:
    model = ScriptedModel()
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, consent="manual")) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert await line.waiting() == 0


@pytest.mark.parametrize("way", ["manual", "off"])
async def test_when_learning_is_turned_off_what_waits_is_dropped(tmp_path: Path, way: str) -> None:
    choices: dict[str, Any] = {"consent": "save", "enabled": True}

    def consent() -> Consent:
        chosen: Consent = choices["consent"]
        return chosen

    model = ScriptedModel()
    options = reading(model, consent=consent, enabled=lambda: choices["enabled"])
    async with ledger(tmp_path) as memory, learner(memory, **options) as line:
        with line.busy():
            await line.enqueue(said("My dog is Rex"), user_id=ALICE)
            choices.update({"consent": "manual"} if way == "manual" else {"enabled": False})
        assert await line.settle(LONG)
        assert await line.waiting() == 0
        assert model.calls == []


async def test_under_asking_consent_what_the_model_finds_waits(tmp_path: Path) -> None:
    model = ScriptedModel([reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, consent="ask")) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert await line.settle(LONG)
        assert await contents(memory, state="pending") == {"My dog is Rex"}
        assert await contents(memory) == set()


async def test_a_conversation_that_was_deleted_is_not_read(tmp_path: Path) -> None:
    model = ScriptedModel([reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model)) as line:
        with line.busy():
            await line.enqueue(said("My dog is Rex", session="s1"), user_id=ALICE)
            await line.enqueue(said("My cat is Tom", session="s2"), user_id=ALICE)
            assert await line.drop_session("s1", user_id=ALICE) == 1
        assert await line.settle(LONG)
        assert await contents(memory) == {"My cat is Tom"}


@pytest.mark.parametrize("way", ["conversation", "owner"])
async def test_what_was_deleted_while_the_model_read_it_is_not_kept(tmp_path: Path, way: str) -> None:
    held, heard = Held(), Heard()
    options: dict[str, Any] = {"rules": NoRules(), "model_extractor": held, "on_learned": heard}
    async with ledger(tmp_path) as memory, learner(memory, **options) as line:
        await memory.add("My city is Lisbon", user_id=ALICE)
        await line.enqueue(said("My city is Porto. My dog is Rex. My illness is old."), user_id=ALICE)
        await held.called.wait()
        if way == "owner":
            await memory.purge_user(ALICE)
        else:
            await line.drop_session("s1", user_id=ALICE)
        held.go.set()
        assert await line.settle(LONG)
        assert await contents(memory) == ({"My city is Lisbon"} if way == "conversation" else set())
        assert await memory.count(user_id=ALICE, state="pending") == 0
        assert heard.learned == []


async def test_the_queue_never_holds_what_another_owner_said(tmp_path: Path) -> None:
    model = ScriptedModel([reads] * 2)
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, pace=NO_REST)) as line:
        with line.busy():
            await line.enqueue(said("My dog is Rex"), user_id=ALICE)
            await line.enqueue(said("My dog is Tom"), user_id="bob")
            assert await line.drop_session("s1", user_id="carol") == 0
        assert await line.settle(LONG)
        assert await contents(memory) == {"My dog is Rex"}
        assert await contents(memory, "bob") == {"My dog is Tom"}
