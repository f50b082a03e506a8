"""What is learned of a message whose turn did not come to it, and which model may read what was said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import ModelServerError
from assistant.core.tasks import Supervisor
from assistant.memory.in_memory import InMemoryProvider
from assistant.memory.learning import make_learner
from assistant.memory.learning.base import Candidate, Consent, Utterance, Verdict
from assistant.memory.ledger import MemoryLedger
from assistant.models.scripted import ScriptedModel
from tests.learner_fixtures import (
    Heard,
    PlainConsolidator,
    PlainModelExtractor,
    learner,
    reading,
    reads,
    said,
)
from tests.ledger_fixtures import contents, ledger
from tests.unit.test_extraction_together import spoken

ALICE = "alice"
LONG = 60.0
HOME, CLOUD, ELSEWHERE = "this computer", "api.example.com", "api.example.org"
WISH = "Remember that my dog is Rex."


def sent(text: str, host: str | None) -> Utterance:
    return replace(said(text), host=host)


# ---- where it went


@pytest.mark.parametrize(
    ("went", "reader", "is_read"),
    [
        (HOME, HOME, True),
        (HOME, CLOUD, False),
        (CLOUD, CLOUD, True),
        (CLOUD, ELSEWHERE, False),
        (CLOUD, HOME, True),
        (None, HOME, True),
        (None, CLOUD, False),
        (CLOUD, None, False),
        (None, None, False),
    ],
)
async def test_a_model_elsewhere_reads_only_what_was_sent_there(
    tmp_path: Path, went: str | None, reader: str | None, is_read: bool
) -> None:
    model = ScriptedModel([reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, host=reader)) as line:
        await line.enqueue(sent("My dog is Rex", went), user_id=ALICE)
        assert await line.settle(LONG)
        assert len(model.calls) == is_read
        assert await line.waiting(user_id=ALICE) == (not is_read)


async def test_what_a_model_elsewhere_may_not_read_holds_up_nothing_and_waits_for_one_that_may(
    tmp_path: Path,
) -> None:
    away, here = ScriptedModel([reads]), ScriptedModel([reads])
    async with ledger(tmp_path) as memory:
        async with learner(memory, **reading(away, host=CLOUD)) as line:
            await line.enqueue(sent("My dog is Rex", HOME), user_id=ALICE)
            await line.enqueue(sent("My cat is Tom", CLOUD), user_id=ALICE)
            assert await line.settle(LONG)
            assert await contents(memory) == {"My cat is Tom"}
        async with learner(memory, **reading(here, host=HOME)) as line:
            line.start()
            assert await line.settle(LONG)
            assert await contents(memory) == {"My cat is Tom", "My dog is Rex"}


async def test_messages_are_read_together_only_where_they_were_sent() -> None:
    class Away(ScriptedModel):
        @property
        def host(self) -> str:
            return CLOUD

    model, tasks = Away(['{"facts": []}']), Supervisor()
    line = make_learner(InMemoryProvider(), model, consent="save", on_learned=None, tasks=tasks)

    async def there() -> bool:
        return True

    said_here, said_there = spoken("I have a dog."), spoken("His name is Rex.")
    told = [replace(each, host=HOME) for each in said_here] + [
        replace(each, host=CLOUD) for each in said_there
    ]
    await line.reflect(told, user_id=ALICE, still_there=there)
    [call] = model.calls
    assert "Rex" in call.messages[-1].content
    assert "I have a dog" not in call.messages[-1].content
    await line.close()
    await tasks.close()


# ---- what a turn did not come to


async def test_a_held_message_gives_wish_rules_and_model_their_say_after_the_next_start(
    tmp_path: Path,
) -> None:
    text = f"{WISH} My cat is Tom. My city is Porto."

    def finds(messages: Any) -> str:
        return '["My city is Porto"]'

    async with ledger(tmp_path) as memory:
        async with learner(memory, **reading(ScriptedModel())) as line:
            await line.hold(said(text), user_id=ALICE)
        heard = Heard()
        extractor = PlainModelExtractor(ScriptedModel([finds]))
        async with learner(memory, model_extractor=extractor, on_learned=heard) as line:
            line.start()
            assert await line.settle(LONG)
            assert await contents(memory) == {"my dog is Rex.", "My cat is Tom", "My city is Porto"}
            assert sorted(heard.texts) == ["My cat is Tom", "My city is Porto", "my dog is Rex."]
            assert await line.waiting() == 0


async def test_a_held_message_waits_while_its_turn_runs(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        with line.busy():
            await line.hold(said(WISH), user_id=ALICE)
            line.start()
            assert not await line.settle(0.02)
            assert await contents(memory) == set()
        assert await line.settle(LONG)
        assert await contents(memory) == {"my dog is Rex."}


async def test_what_was_learned_from_is_held_no_longer(tmp_path: Path) -> None:
    heard = Heard()
    model = ScriptedModel([lambda messages: "[]"])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, on_learned=heard)) as line:
        await line.hold(said(WISH), user_id=ALICE)
        [kept] = (await line.learn_now(said(WISH), user_id=ALICE)).kept
        await memory.delete(kept.memory_id, user_id=ALICE)
        await line.enqueue(said(WISH), user_id=ALICE)
        assert await line.settle(LONG)
        assert (len(model.calls), heard.texts) == (1, [])
        assert await memory.count(user_id=ALICE) == 0


async def test_without_a_model_a_held_message_is_finished_by_the_rules(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        await line.hold(said("My cat is Tom"), user_id=ALICE)
        line.start()
        assert await line.settle(LONG)
        assert await contents(memory) == {"My cat is Tom"}
        assert await line.waiting() == 0
        await line.hold(said(WISH, message="m2"), user_id=ALICE)
        await line.enqueue(said(WISH, message="m2"), user_id=ALICE)
        assert await line.waiting() == 0


async def test_a_held_wish_is_kept_though_the_model_may_not_read_it(tmp_path: Path) -> None:
    model = ScriptedModel([reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, host=CLOUD)) as line:
        await line.hold(sent(WISH, HOME), user_id=ALICE)
        line.start()
        assert await line.settle(LONG)
        assert await contents(memory) == {"my dog is Rex."}
        assert (model.calls, await line.waiting()) == ([], 1)


async def test_under_manual_consent_only_wishes_are_held_and_no_model_reads_them(tmp_path: Path) -> None:
    model = ScriptedModel([reads])
    async with ledger(tmp_path) as memory, learner(memory, **reading(model, consent="manual")) as line:
        await line.hold(said("My cat is Tom"), user_id=ALICE)
        await line.hold(said(WISH, message="m2"), user_id=ALICE)
        assert await line.waiting() == 1
        line.start()
        assert await line.settle(LONG)
        assert await contents(memory) == {"my dog is Rex."}
        assert (model.calls, await line.waiting()) == ([], 0)


async def test_of_what_waits_only_held_wishes_outlive_a_change_to_manual_consent(tmp_path: Path) -> None:
    chosen: list[Consent] = ["save"]
    model = ScriptedModel([reads])
    options = reading(model, consent=lambda: chosen[0])
    async with ledger(tmp_path) as memory, learner(memory, **options) as line:
        with line.busy():
            await line.enqueue(said("Remember that my bird is Ada.", message="m1"), user_id=ALICE)
            await line.hold(said("My cat is Tom", message="m2"), user_id=ALICE)
            await line.hold(said(WISH, message="m3"), user_id=ALICE)
            chosen[0] = "manual"
        assert await line.settle(LONG)
        assert await contents(memory) == {"my dog is Rex."}
        assert (model.calls, await line.waiting()) == ([], 0)


async def test_nothing_is_held_when_learning_is_off(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory, enabled=False) as line:
        await line.hold(said(WISH), user_id=ALICE)
        assert await line.waiting() == 0


async def test_a_held_message_that_is_deleted_is_not_learned_from(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory, learner(memory) as line:
        await line.hold(said(WISH), user_id=ALICE)
        await line.drop_session("s1", user_id=ALICE)
        line.start()
        assert await line.settle(LONG)
        assert await memory.count(user_id=ALICE) == 0


async def test_a_held_message_that_is_deleted_while_it_is_learned_from_leaves_nothing(tmp_path: Path) -> None:
    class Deleting(PlainConsolidator):
        async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
            await line.drop_session("s1", user_id=ALICE)
            return await super().verdict(candidate, user_id=user_id)

    heard = Heard()
    async with ledger(tmp_path) as memory:
        options: dict[str, Any] = {"consolidator": Deleting(memory), "on_learned": heard}
        async with learner(memory, **options) as line:
            await line.hold(said(WISH), user_id=ALICE)
            line.start()
            assert await line.settle(LONG)
            assert (await memory.count(user_id=ALICE), heard.texts) == (0, [])


# ---- what is kept before a failure


class FailsAtTheCat(PlainConsolidator):
    """A consolidator whose model fails once, at one of the statements."""

    def __init__(self, memory: MemoryLedger) -> None:
        super().__init__(memory)
        self.failed = False

    async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
        if "cat" in candidate.content and not self.failed:
            self.failed = True
            raise ModelServerError("The server fell over.")
        return await super().verdict(candidate, user_id=user_id)


async def test_what_was_kept_before_a_model_failed_is_told_and_the_rest_once_it_is_kept(
    tmp_path: Path,
) -> None:
    heard = Heard()
    async with ledger(tmp_path) as memory:
        options = reading(ScriptedModel([reads] * 2), judging=FailsAtTheCat(memory), on_learned=heard)
        async with learner(memory, **options) as line:
            await line.enqueue(said("My dog is Rex. My cat is Tom."), user_id=ALICE)
            await heard.times(2)
            assert heard.texts == ["My dog is Rex", "My cat is Tom"]


async def test_what_was_kept_before_a_model_failed_goes_when_its_conversation_was_deleted_meanwhile(
    tmp_path: Path,
) -> None:
    class Deleting(FailsAtTheCat):
        async def verdict(self, candidate: Candidate, *, user_id: str | None = None) -> Verdict:
            if "cat" in candidate.content:
                await line.drop_session("s1", user_id=ALICE)
            return await super().verdict(candidate, user_id=user_id)

    heard = Heard()
    async with ledger(tmp_path) as memory:
        options = reading(ScriptedModel([reads]), judging=Deleting(memory), on_learned=heard)
        async with learner(memory, **options) as line:
            await line.enqueue(said("My dog is Rex. My cat is Tom."), user_id=ALICE)
            assert await line.settle(LONG)
            while await line.waiting():
                pass
            assert (await contents(memory), heard.texts) == (set(), [])
