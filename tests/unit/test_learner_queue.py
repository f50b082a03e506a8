"""What a model reads in the background, and how it goes on after a restart."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import (
    StoreClosedError,
)
from assistant.core.tasks import Supervisor
from assistant.memory.base import MemoryScope
from assistant.memory.in_memory import InMemoryProvider
from assistant.memory.learning import Learner
from assistant.memory.learning.base import Extractor
from assistant.memory.ledger.lessons import LedgerLessons
from assistant.models.endpoint import Endpoint
from assistant.models.network import NetworkGuard
from assistant.models.openai_chat import OpenAIChatModel
from assistant.models.scripted import ScriptedModel
from tests.chat_server import ChatServer, says
from tests.learner_fixtures import (
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


# ---- reading


async def test_a_model_reads_what_was_said_and_tells(tmp_path: Path) -> None:
    model, heard = ScriptedModel([reads]), Heard()
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, on_learned=heard)) as line:
        utterance = said("Guess what. My dog is Rex.")
        await line.enqueue(utterance, user_id=ALICE)
        assert await line.settle(LONG)
        [(owner, told, learned)] = heard.learned
        assert (owner, told, [item.content for item in learned.kept]) == (ALICE, utterance, ["My dog is Rex"])
        assert await contents(memory) == {"My dog is Rex"}
        [kept] = (await memory.list(user_id=ALICE)).items
        assert kept.metadata["origin"] == "model"
        assert await line.waiting() == 0


async def test_a_model_behind_a_socket_is_read_from(tmp_path: Path) -> None:
    async with ChatServer() as server, ledger(tmp_path) as memory:
        server.answer(says(json.dumps(["My dog is Rex", "My name is Napoleon"])))
        endpoint = Endpoint("custom", server.base_url)
        guard = NetworkGuard()
        guard.allow(*endpoint.address)
        model = OpenAIChatModel(endpoint, "m", guard=guard)
        extractor = PlainModelExtractor(model)
        heard = Heard()
        async with learner(memory, rules=NoRules(), model_extractor=extractor, on_learned=heard) as line:
            await line.enqueue(said("My dog is Rex."), user_id=ALICE)
            assert await line.settle(LONG)
        await model.close()
        assert heard.texts == ["My dog is Rex"]
        assert heard.learned[0][2].dropped == {"not in the message": 1}


async def test_what_brings_nothing_is_not_told(tmp_path: Path) -> None:
    model, heard = ScriptedModel(["[]"]), Heard()
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, on_learned=heard)) as line:
        await line.enqueue(said("How are you?"), user_id=ALICE)
        assert await line.settle(LONG)
        assert heard.learned == []
        assert await line.waiting() == 0


async def test_blank_messages_and_broken_text_ask_no_model(tmp_path: Path) -> None:
    model = ScriptedModel()
    async with ledger(tmp_path) as memory, learner(memory, **reading(model)) as line:
        await line.enqueue(said("  \n"), user_id=ALICE)
        await line.enqueue(said("half \ud83d"), user_id=ALICE)
        await line.enqueue(said("My dog is Rex"), user_id=None)
        assert await line.settle(LONG)
        assert model.calls == []


async def test_a_wish_that_was_kept_at_once_is_not_read_again(tmp_path: Path) -> None:
    model = ScriptedModel([reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model)) as line:
        utterance = said("Remember that My dog is Rex, the small one. My cat is Tom.")
        await line.learn_now(utterance, user_id=ALICE)
        await line.enqueue(utterance, user_id=ALICE)
        assert await line.settle(LONG)
        assert await contents(memory) == {"My dog is Rex, the small one.", "My cat is Tom"}


async def test_what_the_rules_kept_is_known_to_the_model(tmp_path: Path) -> None:
    extractor = PlainModelExtractor(ScriptedModel([reads]))
    async with ledger(tmp_path) as memory, learner(memory, model_extractor=extractor) as line:
        await line.learn_now(said("My dog is Rex"), user_id=ALICE)
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert await line.settle(LONG)
        assert await memory.count(user_id=ALICE) == 1


async def test_what_the_model_finds_passes_the_same_gate(tmp_path: Path) -> None:
    heard = Heard()
    model = ScriptedModel([reads] * 3)
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, on_learned=heard)) as line:
        await line.enqueue(said("My illness is old."), user_id=ALICE)
        await heard.times(1)
        [found] = heard.learned[0][2].kept
        assert found.waits
        await line.dismiss(found.memory_id, user_id=ALICE)
        await line.enqueue(said("My illness is old. My dog is Rex.", message="m2"), user_id=ALICE)
        assert await line.settle(LONG)
        assert heard.learned[1][2].dropped == {"forgotten before": 1}
        assert await memory.count(user_id=ALICE, state="pending") == 0


async def test_lessons_are_read_one_at_a_time_and_each_once(tmp_path: Path) -> None:
    held = Held()
    async with (
        ledger(tmp_path) as memory,
        learner(memory, rules=NoRules(), model_extractor=held) as line,
    ):
        spoken = [said(f"My thing{number} is blue", message=f"m{number}") for number in range(20)]
        await asyncio.gather(*(line.enqueue(utterance, user_id=ALICE) for utterance in spoken))
        held.go.set()
        assert await line.settle(LONG)
        assert (held.calls, held.most_running) == (20, 1)
        assert await contents(memory) == {utterance.text for utterance in spoken}


async def test_two_learners_on_one_memory_share_the_queue(tmp_path: Path) -> None:
    held = Held()
    options: dict[str, Any] = {"rules": NoRules(), "model_extractor": held}
    async with (
        ledger(tmp_path) as memory,
        learner(memory, **options) as one,
        learner(memory, **options) as two,
    ):
        for number in range(6):
            line = one if number % 2 else two
            await line.enqueue(said(f"My thing{number} is blue"), user_id=ALICE)
        held.go.set()
        assert await one.settle(LONG)
        assert await two.settle(LONG)
        assert (held.calls, held.most_running) == (6, 1)
        assert await memory.count(user_id=ALICE) == 6


async def test_without_a_model_nothing_is_queued(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        line.start()
        assert await line.waiting() == 0
        assert await line.settle(LONG)


async def test_a_model_that_is_not_chosen_yet_leaves_the_queue_as_it_is(tmp_path: Path) -> None:
    chosen: list[Extractor] = []

    async def extractor() -> Extractor | None:
        return chosen[0] if chosen else None

    async with ledger(tmp_path) as memory, learner(memory, model_extractor=extractor) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert await line.settle(LONG)
        assert await line.waiting(user_id=ALICE) == 1
        chosen.append(PlainModelExtractor(ScriptedModel([reads])))
        line.start()
        assert await line.settle(LONG)
        assert await contents(memory) == {"My dog is Rex"}


async def test_a_memory_without_a_queue_has_one_in_this_process() -> None:
    memory = InMemoryProvider(MemoryScope.PER_USER)
    heard = Heard()
    model = ScriptedModel([reads])
    async with learner(memory, **reading(model, on_learned=heard)) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        assert await line.settle(LONG)
        assert heard.texts == ["My dog is Rex"]


# ---- restarts


async def test_a_lesson_that_was_being_read_is_read_at_the_next_start(tmp_path: Path) -> None:
    held = Held()
    async with ledger(tmp_path) as memory, learner(memory, model_extractor=held, rules=NoRules()) as line:
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        await line.enqueue(said("My cat is Tom"), user_id="bob")
        await held.called.wait()
    async with ledger(tmp_path) as memory, learner(memory, **reading(ScriptedModel([reads] * 2))) as line:
        line.start()
        assert await line.settle(LONG)
        assert await contents(memory) == {"My dog is Rex"}
        assert await contents(memory, "bob") == {"My cat is Tom"}


async def test_an_ordinary_end_costs_no_attempt(tmp_path: Path) -> None:
    for _ in range(5):
        held = Held()
        async with ledger(tmp_path) as memory, learner(memory, model_extractor=held, rules=NoRules()) as line:
            await line.enqueue(said("My dog is Rex"), user_id=ALICE)
            await held.called.wait()
    async with ledger(tmp_path) as memory:
        lesson = await memory.lessons.take()
        assert lesson is not None
        assert lesson.attempts == 1


async def test_a_lesson_that_ends_the_process_each_time_is_given_up(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.lessons.put(said("My dog is Rex"), user_id=ALICE)
        for _ in range(3):
            # As a process leaves it that is killed while it reads.
            await memory.lessons.take()
    async with ledger(tmp_path) as memory, learner(memory, **reading(ScriptedModel([reads]))) as line:
        line.start()
        assert await line.settle(LONG)
        assert line.given_up == 1
        assert await line.waiting() == 0
        assert await memory.count(user_id=ALICE) == 0


async def test_a_memory_that_closes_under_a_running_model_keeps_the_lesson(tmp_path: Path) -> None:
    held = Held()
    async with ledger(tmp_path) as memory:
        tasks = Supervisor()
        line = Learner(
            memory,
            rules=NoRules(),
            model_extractor=held,
            host="this computer",
            consolidator=PlainConsolidator(memory),
            cautions=lambda text: (),
            tasks=tasks,
        )
        await line.enqueue(said("My dog is Rex"), user_id=ALICE)
        await held.called.wait()
    held.go.set()
    assert await line.settle(LONG)
    await tasks.close()
    async with ledger(tmp_path) as memory:
        assert await memory.lessons.count(user_id=ALICE) == 1


async def test_a_lesson_that_was_kept_but_not_finished_is_repeated_without_duplicates(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def lost(self: LedgerLessons, lesson: object) -> bool:
        raise StoreClosedError("The power went.")

    text = "My dog is Rex. My city is Porto. My illness is old."
    async with ledger(tmp_path) as memory, learner(memory, **reading(ScriptedModel([reads]))) as line:
        await memory.add("My city is Lisbon", user_id=ALICE)
        with monkeypatch.context() as patched:
            patched.setattr(LedgerLessons, "finish", lost)
            await line.enqueue(said(text), user_id=ALICE)
            assert await line.settle(LONG)
        assert await line.waiting() == 1
    async with ledger(tmp_path) as memory, learner(memory, **reading(ScriptedModel([reads]))) as line:
        line.start()
        assert await line.settle(LONG)
        assert await line.waiting() == 0
        assert await contents(memory) == {"My dog is Rex", "My city is Porto"}
        counts = [await memory.count(user_id=ALICE, state=state) for state in ("active", "pending")]
        assert counts == [2, 1]
        assert await contents(memory, state="superseded") == {"My city is Lisbon"}
