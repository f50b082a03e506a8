"""What a user asks in plain words to remember is kept after the reply; failing at it harms nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from assistant import build_agent
from assistant.agent import Agent, MemorySaved, ReplyText, TurnDone, TurnEvent
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.conversation.temporary import StoreWithTemporary
from assistant.core.errors import GuardrailError, MemoryStoreError, UnreachableError
from assistant.core.tasks import Supervisor
from assistant.core.types import Message
from assistant.memory import InMemoryProvider, MemoryProvider, MemoryScope
from assistant.memory.deferred import DeferredMemory
from assistant.memory.learning import Learner, make_learner
from assistant.models.scripted import ScriptedModel
from tests.agent_fixtures import ALICE, events_of, gathered, in_memory, private_memory, says, stored
from tests.background_fixtures import WatchedModel
from tests.learner_fixtures import NO_REST, Heard
from tests.ledger_fixtures import contents, ledger

WISH = "Please remember that my sister is Ana."


async def agent_over(memory: MemoryProvider, *replies: Any, **options: Any) -> Agent:
    options.setdefault("memory_auto_store", True)
    return await build_agent(ScriptedModel(replies or ["Noted."]), memory=memory, **options)


class AddingMemory(InMemoryProvider):
    """Runs `step` before it adds."""

    def __init__(self, step: Any) -> None:
        super().__init__(MemoryScope.PER_USER)
        self.step = step

    async def add(
        self, content: str, *, metadata: Mapping[str, Any] | None = None, user_id: str | None = None
    ) -> str:
        await self.step()
        return await super().add(content, metadata=metadata, user_id=user_id)


async def test_a_wish_is_kept_after_the_reply_and_before_the_end() -> None:
    memory = private_memory()
    events = await events_of(await agent_over(memory), says(WISH), caller=ALICE)
    text, saved, done = events[-3:]
    assert isinstance(text, ReplyText)
    assert isinstance(saved, MemorySaved)
    assert isinstance(done, TurnDone)
    assert saved.memory.content == "my sister is Ana."
    found = await memory.get(saved.memory.memory_id, user_id="alice")
    assert found is not None
    assert found.content == "my sister is Ana."
    assert found.metadata == saved.memory.metadata
    assert found.metadata["source"] == {"session_id": None, "message_id": None}
    assert (found.metadata["kind"], found.metadata["quote"]) == ("explicit", "my sister is Ana.")


async def test_a_kept_wish_knows_the_message_that_it_comes_from(tmp_path: Path) -> None:
    memory = private_memory()
    async with in_memory(tmp_path) as store:
        agent = await agent_over(memory, conversation_store=store)
        await agent.ainvoke(says(WISH), caller=ALICE, session_id="s")
        question = (await stored(store))[0]
    [kept] = (await memory.list(user_id="alice")).items
    assert kept.metadata["source"] == {"session_id": "s", "message_id": question.message_id}


async def test_a_wish_is_recalled_in_the_next_turn() -> None:
    agent = await agent_over(private_memory(), "Noted.", "Ana.")
    await agent.ainvoke(says(WISH), caller=ALICE)
    recalled = (await agent.ainvoke(says("Who is my sister?"), caller=ALICE))["recalled"]
    assert [memory.content for memory in recalled] == ["my sister is Ana."]


@pytest.mark.parametrize("text", ["Who is Ana?", "Do you remember that my sister is Ana?"])
async def test_what_states_nothing_and_asks_for_nothing_is_not_kept(text: str) -> None:
    memory = private_memory()
    await (await agent_over(memory)).ainvoke(says(text), caller=ALICE)
    assert await memory.count(user_id="alice") == 0


async def test_the_replys_words_are_never_kept() -> None:
    memory = private_memory()
    await (await agent_over(memory, WISH)).ainvoke(says("Hello"), caller=ALICE)
    assert await memory.count(user_id="alice") == 0


async def test_without_being_told_to_nothing_is_kept() -> None:
    memory = private_memory()
    await (await agent_over(memory, memory_auto_store=False)).ainvoke(says(WISH), caller=ALICE)
    assert await memory.count(user_id="alice") == 0


async def test_a_wish_is_kept_also_when_the_model_fails() -> None:
    memory = private_memory()
    seen: list[TurnEvent] = []
    agent = await agent_over(memory, UnreachableError("Nobody answers."))
    with pytest.raises(UnreachableError):
        await gathered(agent, seen, says(WISH), caller=ALICE)
    assert isinstance(seen[-1], MemorySaved)
    assert await memory.count(user_id="alice") == 1


@pytest.mark.parametrize(
    "error", [MemoryStoreError("The disk is full.", hint="Free some space."), ValueError("x")]
)
async def test_failing_to_keep_is_told_and_not_raised(error: Exception) -> None:
    async def fail() -> None:
        raise error

    agent = await agent_over(AddingMemory(fail))
    result = await agent.ainvoke(says(WISH), caller=ALICE)
    assert result["messages"][-1].content == "Noted."
    assert result["memory_status"] == "failed"
    assert "not kept" in result["memory_note"]
    if isinstance(error, MemoryStoreError):
        assert "The disk is full. Free some space." in result["memory_note"]


async def test_keeping_that_takes_long_goes_on_and_shutdown_waits_for_it() -> None:
    release = asyncio.Event()
    memory = AddingMemory(release.wait)
    agent = await agent_over(memory, memory_timeout=0.01, owns=False)
    result = await agent.ainvoke(says(WISH), caller=ALICE)
    assert "still being kept" in result["memory_note"]
    closing = asyncio.create_task(agent.shutdown())
    await asyncio.sleep(0)
    release.set()
    await closing
    assert await memory.count(user_id="alice") == 1


async def test_shutdown_waits_no_longer_than_it_is_told() -> None:
    memory = AddingMemory(asyncio.Event().wait)
    agent = await agent_over(memory, memory_timeout=0.01, owns=False)
    await agent.ainvoke(says(WISH), caller=ALICE)
    await agent.shutdown(grace=0.01)
    assert await memory.count(user_id="alice") == 0


async def test_a_turn_that_is_stopped_while_it_keeps_a_wish_still_keeps_it() -> None:
    begun, release = asyncio.Event(), asyncio.Event()

    async def slowly() -> None:
        begun.set()
        await release.wait()

    memory = AddingMemory(slowly)
    agent = await agent_over(memory, owns=False)
    turn = asyncio.create_task(agent.ainvoke(says(WISH), caller=ALICE))
    await begun.wait()
    turn.cancel()
    await asyncio.wait([turn])
    release.set()
    await agent.shutdown()
    assert await memory.count(user_id="alice") == 1


# ---- replies that do not come to their end


def learning_from(memory: MemoryProvider, model: ScriptedModel, heard: Heard) -> Learner:
    return make_learner(memory, model, consent="save", on_learned=heard, tasks=Supervisor(), pace=NO_REST)


async def test_a_wish_is_kept_and_told_when_its_reply_is_stopped(tmp_path: Path) -> None:
    heard = Heard()
    model = WatchedModel([["Well", asyncio.Event()]])
    async with ledger(tmp_path / "memory") as memory, in_memory(tmp_path) as store:
        learner = learning_from(memory, ScriptedModel(['{"facts": []}']), heard)
        agent = await build_agent(model, memory=memory, learner=learner, conversation_store=store, owns=False)
        turn = asyncio.create_task(agent.ainvoke(says(WISH), caller=ALICE, session_id="s"))
        await model.asked.wait()
        turn.cancel()
        await asyncio.wait([turn])
        await heard.times(1)
        assert await contents(memory) == {"my sister is Ana."}
        [(_, utterance, _)] = heard.learned
        question = (await stored(store))[0]
        assert (utterance.message_id, utterance.host) == (question.message_id, model.host)
        assert await learner.settle(20)
        assert await learner.waiting() == 0
        await agent.shutdown()
        await learner.close()


@pytest.mark.parametrize("temporary", [False, True])
async def test_a_wish_is_on_disk_while_its_reply_comes_but_not_from_a_temporary_conversation(
    tmp_path: Path, temporary: bool
) -> None:
    model = WatchedModel([[asyncio.Event()]])
    inner = await SqliteConversationStore.open(tmp_path / "conversations.db")
    async with ledger(tmp_path / "memory") as memory:
        store = StoreWithTemporary(inner)
        await store.create(user_id="alice", session_id="s", temporary=temporary)
        learner = learning_from(memory, ScriptedModel(), Heard())
        agent = await build_agent(model, memory=memory, learner=learner, conversation_store=store, owns=False)
        turn = asyncio.create_task(agent.ainvoke(says(WISH), caller=ALICE, session_id="s"))
        await model.asked.wait()
        while not temporary and not await memory.lessons.count():
            pass
        # As a process leaves it that is killed now.
        lesson = await memory.lessons.take(None)
        assert (lesson is None) == temporary
        assert lesson is None or (lesson.held, lesson.utterance.text) == (True, WISH)
        turn.cancel()
        await asyncio.wait([turn])
        await agent.shutdown()
        assert await contents(memory) == (set() if temporary else {"my sister is Ana."})
        await learner.close()
        await store.close()


async def test_a_wish_is_kept_when_the_turn_fails_for_any_reason(tmp_path: Path) -> None:
    def fail(prompt: object) -> None:
        raise ValueError("x")

    heard = Heard()
    async with ledger(tmp_path) as memory:
        learner = learning_from(memory, ScriptedModel(['{"facts": []}']), heard)
        agent = await build_agent(ScriptedModel(["No."]), memory=memory, learner=learner, owns=False)
        with pytest.raises(ValueError, match="x"):
            await events_of(agent, says(WISH), caller=ALICE, on_prompt=fail)
        await heard.times(1)
        assert heard.texts == ["my sister is Ana."]
        await agent.shutdown()
        await learner.close()


class Refusing:
    """A guardrail that lets no reply pass."""

    def check_input(self, text: str) -> str:
        return text

    def check_output(self, text: str) -> str:
        raise GuardrailError("Not that.")


async def test_what_a_guardrail_keeps_from_a_model_is_not_read_by_one_later(tmp_path: Path) -> None:
    heard, reader = Heard(), ScriptedModel(['{"facts": []}'])
    async with ledger(tmp_path) as memory:
        learner = learning_from(memory, reader, heard)
        agent = await build_agent(
            ScriptedModel(["No."]), memory=memory, learner=learner, guardrails=[Refusing()], owns=False
        )
        with pytest.raises(GuardrailError):
            await agent.ainvoke(says(WISH), caller=ALICE)
        await heard.times(1)
        await agent.shutdown()
        assert await learner.settle(20)
        assert (heard.texts, reader.calls, await learner.waiting()) == (["my sister is Ana."], [], 0)
        await learner.close()


async def test_a_memory_that_is_still_opening_delays_no_reply(tmp_path: Path) -> None:
    opening = asyncio.Event()
    async with ledger(tmp_path) as memory:

        async def opened() -> Any:
            await opening.wait()
            return memory

        heard, late = Heard(), DeferredMemory(opened)
        learner = learning_from(late, ScriptedModel(['{"facts": []}']), heard)
        agent = await build_agent(
            ScriptedModel(["Noted."]), memory=late, learner=learner, memory_timeout=0.01, owns=False
        )
        result = await agent.ainvoke(says(WISH), caller=ALICE)
        assert result["messages"][-1] == Message("assistant", "Noted.")
        assert "still being kept" in result["memory_note"]
        opening.set()
        await heard.times(1)
        assert await contents(memory) == {"my sister is Ana."}
        await agent.shutdown()
        await learner.close()


async def test_what_must_be_asked_first_and_can_not_wait_is_told() -> None:
    memory = private_memory()
    result = await (await agent_over(memory)).ainvoke(
        says("Remember that my password is hunter2."), caller=ALICE
    )
    assert "was not kept: it must be asked about first" in result["memory_note"]
    assert await memory.count(user_id="alice") == 0
