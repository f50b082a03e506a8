"""The agent with an answer cache: a repeated question costs no model call, and nothing else changes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from assistant import CallerContext, ContextEngine, Message, SemanticCache, build_agent
from assistant.agent import Agent, Recalled, ReplyText, TurnDone, TurnStarted
from assistant.cache.in_process import InProcessBackend
from assistant.core.errors import GuardrailError, ModelError, UnreachableError
from assistant.memory import InMemoryProvider, MemoryResult
from assistant.models.base import ChatOptions, Finished, TextDelta
from assistant.models.scripted import ScriptedModel
from tests.agent_fixtures import ALICE, BOB, events_of, in_sqlite, plain, private_memory, says, text_of
from tests.cache_fixtures import BrokenBackend
from tests.memory_fixtures import HashEmbedder

QUESTION = "How do I learn French?"


def cache(**options: Any) -> SemanticCache:
    return SemanticCache(**{"embedder": HashEmbedder(), **options})


async def reply(
    agent: Agent, question: str = QUESTION, caller: CallerContext | None = ALICE, **more: Any
) -> Any:
    return await agent.ainvoke(says(question), caller=caller, **more)


async def test_a_repeated_question_is_answered_without_the_model() -> None:
    model = ScriptedModel(["Daily."])
    agent = await build_agent(model, cache=cache())
    first, second = await reply(agent), await reply(agent, "how can I learn French")
    assert (first["cached"], second["cached"]) == (False, True)
    assert second["messages"][-1] == Message("assistant", "Daily.")
    assert second["finish"] == "stop"
    assert second["usage"].prompt_tokens is None
    assert len(model.calls) == 1
    await agent.shutdown()


async def test_a_cached_answer_comes_as_the_same_events() -> None:
    agent = await build_agent(ScriptedModel([["Dai", "ly."]]), cache=cache())
    kinds = []
    for _ in range(2):
        events = await events_of(agent, says(QUESTION), caller=ALICE)
        kinds.append(list(dict.fromkeys(type(event) for event in events)))
        assert text_of(events) == "Daily."
    assert kinds[0] == kinds[1] == [TurnStarted, Recalled, ReplyText, TurnDone]
    await agent.shutdown()


async def test_a_cached_answer_is_stored_and_says_that_it_is_one(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path) as store:
        model = ScriptedModel(["Daily."])
        agent = await build_agent(model, cache=cache(), conversation_store=store, owns=False)
        await reply(agent, session_id="one")
        await reply(agent, session_id="two")
        [_, first] = (await store.messages("one", user_id="alice")).items
        [_, second] = (await store.messages("two", user_id="alice")).items
        assert plain([first]) == plain([second]) == [("assistant", "Daily.")]
        assert (first.metadata.get("cached"), second.metadata.get("cached")) == (None, True)
        assert second.state == "complete"
        await agent.shutdown()


async def test_asking_again_asks_the_model_and_its_answer_is_the_new_one(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path) as store:
        model = ScriptedModel(["Old.", "New."])
        agent = await build_agent(model, cache=cache(), conversation_store=store, owns=False)
        async with aclosing(agent.astream(says(QUESTION), caller=ALICE, session_id="one")) as events:
            [started] = [event async for event in events if isinstance(event, TurnStarted)]
        replayed = await events_of(agent, caller=ALICE, session_id="one", answer_to=started.user_message_id)
        assert text_of(replayed) == "New."
        assert (await reply(agent, session_id="two"))["messages"][-1].content == "New."
        assert len(model.calls) == 2
        await agent.shutdown()


@pytest.mark.parametrize("caller", [BOB, None, CallerContext("alice", tenant_id="acme")])
async def test_another_caller_gets_the_models_own_answer(caller: CallerContext | None) -> None:
    model = ScriptedModel(["Alice's.", "Another's."])
    agent = await build_agent(model, cache=cache())
    await reply(agent)
    assert (await reply(agent, caller=caller))["messages"][-1].content == "Another's."
    await agent.shutdown()


async def test_another_model_instruction_or_option_gets_its_own_answer() -> None:
    shared = cache()
    variants: list[dict[str, Any]] = [
        {},
        {"instructions": "Be brief."},
        {"options": ChatOptions(max_tokens=5)},
        {"options": ChatOptions(json_schema={"type": "object"})},
    ]
    for number, variant in enumerate(variants):
        agent = await build_agent(ScriptedModel([f"Answer {number}."]), cache=shared, owns=False, **variant)
        assert (await reply(agent))["messages"][-1].content == f"Answer {number}."
        await agent.shutdown()
    agent = await build_agent(ScriptedModel(["Other."], name="scripted:other"), cache=shared, owns=False)
    assert (await reply(agent))["cached"] is False
    await agent.shutdown()
    await shared.close()


async def test_earlier_messages_keep_answers_apart() -> None:
    model = ScriptedModel(["About cats.", "About dogs.", "About nothing."])
    agent = await build_agent(model, cache=cache())
    for earlier in (["I have a cat", "Nice"], ["I have a dog", "Nice"], []):
        given = [Message(role, text) for role, text in zip(("user", "assistant"), earlier, strict=False)]  # type: ignore[arg-type]
        for _ in range(2):
            result = await agent.ainvoke({"messages": [*given, Message("user", QUESTION)]}, caller=ALICE)
        assert result["cached"]
    assert len(model.calls) == 3
    await agent.shutdown()


# Memories


class Shelf(InMemoryProvider):
    """Finds what it is told to."""

    def __init__(self, *found: MemoryResult) -> None:
        super().__init__()
        self.found = list(found)

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        return self.found


async def test_an_unrelated_new_memory_keeps_the_answer_and_a_changed_one_does_not() -> None:
    memory = private_memory()
    tea = await memory.add("I learn French with Babel", user_id="alice")
    model = ScriptedModel(["With Babel.", "With Pimsleur."])
    agent = await build_agent(model, cache=cache(), memory=memory)
    await reply(agent)
    await memory.add("Penguins swim", user_id="alice")
    assert (await reply(agent))["cached"]
    await memory.update(tea, "I learn French with Pimsleur", user_id="alice")
    assert (await reply(agent))["messages"][-1].content == "With Pimsleur."
    await agent.shutdown()


async def test_answers_go_with_a_forgotten_memory() -> None:
    memory, answers = private_memory(), cache()
    french = await memory.add("I learn French with Babel", user_id="alice")
    agent = await build_agent(ScriptedModel(["With Babel."]), cache=answers, memory=memory)
    await reply(agent)
    assert await answers.count() == 1
    assert await agent.forget_answers([french]) == 1
    assert await answers.count() == 0
    await agent.shutdown()


async def test_a_memory_that_is_forgotten_while_the_model_answers_keeps_the_answer_out() -> None:
    memory, answers, waiting = private_memory(), cache(), asyncio.Event()
    french = await memory.add("I learn French with Babel", user_id="alice")
    agent = await build_agent(ScriptedModel([["With ", waiting, "Babel."]]), cache=answers, memory=memory)
    async with aclosing(agent.astream(says(QUESTION), caller=ALICE)) as events:
        async for event in events:
            if isinstance(event, ReplyText) and not waiting.is_set():
                await agent.forget_answers([french])
                waiting.set()
    assert await answers.count() == 0
    await agent.shutdown()


def turn(text: str, session: str, position: int) -> MemoryResult:
    said = {"kind": "turn", "session_id": session, "position": position}
    return MemoryResult(text, 0.9, f"{session}-{position}", said)


async def test_what_was_said_when_the_same_was_asked_before_does_not_keep_the_answer_away() -> None:
    memory = Shelf()
    model = ScriptedModel(["Daily.", "Otherwise."])
    agent = await build_agent(model, cache=cache(), memory=memory)
    await reply(agent)
    memory.found = [turn(QUESTION, "s1", 0), turn("Daily.", "s1", 1)]
    assert (await reply(agent))["cached"]
    memory.found.append(turn("My French teacher is Zoé.", "s2", 4))
    assert (await reply(agent))["messages"][-1].content == "Otherwise."
    await agent.shutdown()


# What is not kept


async def test_a_reply_that_did_not_end_by_itself_is_not_kept() -> None:
    steps: Sequence[Any] = [TextDelta("Half an"), Finished("length")]
    answers = cache()
    agent = await build_agent(ScriptedModel([steps, "Whole."]), cache=answers)
    await reply(agent)
    assert await answers.count() == 0
    assert (await reply(agent))["messages"][-1].content == "Whole."
    await agent.shutdown()


async def test_a_reply_that_failed_or_was_stopped_is_not_kept() -> None:
    answers = cache()
    model = ScriptedModel([["Half", UnreachableError("Gone.")], ["Half", asyncio.Event()]])
    agent = await build_agent(model, cache=answers)
    with pytest.raises(ModelError):
        await reply(agent)
    async with aclosing(agent.astream(says(QUESTION), caller=ALICE)) as events:
        async for event in events:
            if isinstance(event, ReplyText):
                break
    assert await answers.count() == 0
    await agent.shutdown()


async def test_a_place_that_is_out_of_order_does_not_stop_a_turn() -> None:
    agent = await build_agent(ScriptedModel(["One.", "Two."]), cache=cache(backend=BrokenBackend()))
    assert (await reply(agent))["messages"][-1].content == "One."
    assert (await reply(agent))["messages"][-1].content == "Two."
    await agent.shutdown()


async def test_a_place_that_never_answers_does_not_hold_a_turn_up(monkeypatch: pytest.MonkeyPatch) -> None:
    class Stuck(InProcessBackend):
        async def open(self, fingerprint: str) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr("assistant.agent.answers.PATIENCE", 0.05)
    answers = cache()
    agent = await build_agent(ScriptedModel(["One."]), cache=answers)
    monkeypatch.setattr(answers, "_backend", Stuck())
    assert (await reply(agent))["messages"][-1].content == "One."
    await agent.shutdown()


async def test_the_agent_closes_a_cache_that_it_owns_and_no_other() -> None:
    for owns in (True, False):
        answers = cache()
        agent = await build_agent(ScriptedModel(), cache=answers, owns=owns)
        await agent.shutdown()
        assert answers._closed is owns
        await answers.close()


async def test_with_a_context_engine_a_cached_answer_teaches_nothing_about_tokens() -> None:
    engine = ContextEngine(model="scripted:model")
    agent = await build_agent(ScriptedModel(["Daily."]), cache=cache(), context_engine=engine)
    first, second = await reply(agent), await reply(agent)
    assert second["cached"]
    assert second["context"] is not None
    assert second["context"].tokens == first["context"].tokens
    await agent.shutdown()


# Guardrails


class Refusing:
    """Refuses a word."""

    def __init__(self, word: str) -> None:
        self.word = word

    def check_input(self, text: str) -> str:
        return text

    async def check_output(self, text: str) -> str:
        if self.word in text:
            raise GuardrailError("That word is not said here.")
        return text


async def test_a_violation_on_a_cached_answer_is_a_violation_and_the_answer_is_gone() -> None:
    answers = cache()
    agent = await build_agent(ScriptedModel(["Daily."]), cache=answers, owns=False)
    await reply(agent)
    model = ScriptedModel(["Weekly."])
    strict = await build_agent(model, cache=answers, guardrails=[Refusing("Daily")], owns=False)
    with pytest.raises(GuardrailError):
        await reply(strict)
    assert model.calls == []
    assert (await reply(strict))["messages"][-1].content == "Weekly."
    for each in (agent, strict):
        await each.shutdown()
    await answers.close()


async def test_a_refused_reply_is_not_cached() -> None:
    answers = cache()
    agent = await build_agent(ScriptedModel(["Daily."]), cache=answers, guardrails=[Refusing("Daily")])
    with pytest.raises(GuardrailError):
        await reply(agent)
    assert await answers.count() == 0
    await agent.shutdown()
