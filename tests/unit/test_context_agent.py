"""A turn whose prompt a context engine decides on."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from assistant import ContextEngine, ContextReport, ContextTooLongError, Message, Usage, build_agent
from assistant.agent import Recalled, TurnDone, TurnResult
from assistant.core.errors import StoreClosedError
from assistant.memory import InMemoryProvider, MemoryResult
from assistant.memory.injection import quoted_texts
from assistant.models.base import ChatOptions, Finished
from assistant.models.scripted import ScriptedModel
from tests.agent_fixtures import ALICE, events_of, in_sqlite, plain, prompt, says

MODEL = "openai:gpt-5-mini"


class FixedMemory(InMemoryProvider):
    """Finds always the same."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self.found = [MemoryResult(text, 0.9, memory_id=text) for text in texts]

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        return self.found


def small_engine(window: int) -> ContextEngine:
    return ContextEngine(MODEL, window=window, response_reserve=0)


def report_of(result: TurnResult) -> ContextReport:
    report = result["context"]
    assert report is not None
    return report


async def test_the_agent_fills_identity_memory_conversation_and_message() -> None:
    model = ScriptedModel(["Yes."])
    agent = await build_agent(
        model, instructions="Be brief.", memory=FixedMemory("Likes tea."), context_engine=ContextEngine(MODEL)
    )
    earlier = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]
    rules = {"role": "system", "content": "No shouting."}
    result = await agent.ainvoke({"messages": [rules, *earlier, {"role": "user", "content": "Tea?"}]})
    asked = prompt(model)
    assert asked[:2] == [("system", "Be brief."), ("system", "No shouting.")]
    assert quoted_texts(asked[2][1]) == ["Likes tea."]
    assert asked[3:] == [("user", "Hi"), ("assistant", "Hello"), ("user", "Tea?")]
    report = report_of(result)
    assert [(layer.name, layer.total) for layer in report.layers] == [
        ("identity", 2),
        ("memory", 1),
        ("conversation", 2),
        ("user_message", 1),
    ]
    assert (report.model, report.counting, report.trimmed) == (MODEL, "exact", ())
    assert plain(result["messages"]) == [
        ("system", "No shouting."),
        ("user", "Hi"),
        ("assistant", "Hello"),
        ("user", "Tea?"),
        ("assistant", "Yes."),
    ]
    await agent.shutdown()


async def test_without_an_engine_there_is_no_report() -> None:
    agent = await build_agent(ScriptedModel(["Yes."]))
    assert (await agent.ainvoke(says("Hi")))["context"] is None
    await agent.shutdown()


async def test_the_callers_own_layers_are_in_each_prompt() -> None:
    model, engine = ScriptedModel(["A", "B"]), ContextEngine(MODEL)
    engine.add_layer("mission", content="Sell tea.")
    agent = await build_agent(model, context_engine=engine)
    for text in ("one", "two"):
        await agent.ainvoke(says(text))
        assert prompt(model) == [("system", "Sell tea."), ("user", text)]
    assert [layer.name for layer in engine.layers] == ["mission"]
    await agent.shutdown()


async def test_only_memories_that_are_in_the_prompt_are_told_as_recalled(tmp_path: Path) -> None:
    memory = FixedMemory(*(f"fact {number} " + "word " * 20 for number in range(6)))
    model = ScriptedModel(["Yes."])
    async with in_sqlite(tmp_path) as store:
        agent = await build_agent(
            model, memory=memory, conversation_store=store, context_engine=small_engine(250), owns=False
        )
        events = await events_of(agent, says("Well?"), caller=ALICE, session_id="s")
        quoted = quoted_texts(prompt(model)[0][1])
        assert 0 < len(quoted) < 6
        assert quoted == [found.content for found in memory.found[: len(quoted)]]
        (recalled,) = (event for event in events if isinstance(event, Recalled))
        (done,) = (event for event in events if isinstance(event, TurnDone))
        assert [each.content for each in recalled.memories] == quoted
        assert [each.content for each in done.result["recalled"]] == quoted
        (_, reply) = (await store.messages("s", user_id="alice")).items
        assert [each["text"] for each in reply.metadata["recalled"]] == quoted
        await agent.shutdown()


async def test_no_memory_fits_and_nothing_is_recalled() -> None:
    model = ScriptedModel(["Yes."])
    agent = await build_agent(model, memory=FixedMemory("word " * 100), context_engine=small_engine(60))
    result = await agent.ainvoke(says("Well?"))
    assert prompt(model) == [("user", "Well?")]
    assert (result["recalled"], result["memory_status"]) == ([], "ok")
    assert [layer.trimmed for layer in report_of(result).layers] == ["left out", ""]
    await agent.shutdown()


async def test_a_stored_conversation_is_sent_as_far_as_it_fits(tmp_path: Path) -> None:
    model = ScriptedModel(["word " * 30] * 10)
    async with in_sqlite(tmp_path) as store:
        agent = await build_agent(
            model, conversation_store=store, context_engine=small_engine(200), owns=False
        )
        for number in range(8):
            result = await agent.ainvoke(says(f"Message {number}"), caller=ALICE, session_id="s")
        assert [text for role, text in prompt(model) if role == "user"] == [
            f"Message {number}" for number in range(3, 8)
        ]
        layer = report_of(result).layer("conversation")
        assert layer is not None
        assert (layer.kept, layer.total) == (8, 14)
        assert len((await store.messages("s", user_id="alice")).items) == 16
        await agent.shutdown()


async def test_a_message_that_is_too_long_ends_the_turn_before_the_model_is_called(tmp_path: Path) -> None:
    model = ScriptedModel(["never"])
    async with in_sqlite(tmp_path) as store:
        agent = await build_agent(
            model, conversation_store=store, context_engine=small_engine(1000), owns=False
        )
        with pytest.raises(ContextTooLongError, match=r"This message alone is larger .* \(2k of 1k tokens\)"):
            await agent.ainvoke(says("word " * 2000), caller=ALICE, session_id="s")
        assert model.calls == []
        question, reply = (await store.messages("s", user_id="alice")).items
        assert question.content == "word " * 2000
        assert reply.state == "failed"
        await agent.shutdown()


async def test_what_the_server_reports_is_in_the_report() -> None:
    model = ScriptedModel([["Yes.", Finished(usage=Usage(20, 1))], ["Yes.", Finished(usage=Usage(2048, 1))]])
    agent = await build_agent(model, context_engine=ContextEngine(MODEL))
    report = report_of(await agent.ainvoke(says("Hi")))
    assert (report.reported_tokens, report.truncation_suspected) == (20, False)
    report = report_of(await agent.ainvoke(says("word " * 9000)))
    assert (report.reported_tokens, report.truncation_suspected) == (2048, True)
    await agent.shutdown()


async def test_an_engine_without_a_model_counts_for_the_agents() -> None:
    model = ScriptedModel(["Yes."], name="openai:gpt-4")
    options = ChatOptions(max_tokens=500)
    agent = await build_agent(model, context_engine=ContextEngine(), options=options)
    report = report_of(await agent.ainvoke(says("Hi")))
    assert (report.model, report.window, report.reserve) == ("openai:gpt-4", 8192, 500)
    await agent.shutdown()


async def test_turns_at_the_same_time_do_not_mix() -> None:
    model = ScriptedModel([lambda messages: messages[-1].content] * 8)
    agent = await build_agent(model, context_engine=ContextEngine(MODEL))

    async def turn(number: int) -> TurnResult:
        earlier: list[Any] = [Message("user", f"before {number}"), Message("assistant", f"reply {number}")]
        return await agent.ainvoke({"messages": [*earlier, Message("user", f"now {number}")]})

    results = await asyncio.gather(*map(turn, range(8)))
    assert [result["messages"][-1].content for result in results] == [f"now {number}" for number in range(8)]
    sent = {tuple(message.content for message in call.messages) for call in model.calls}
    assert sent == {(f"before {number}", f"reply {number}", f"now {number}") for number in range(8)}
    await agent.shutdown()


@pytest.mark.parametrize("owns", [True, False])
async def test_the_agent_closes_the_engine_that_it_owns(owns: bool) -> None:
    engine = ContextEngine(MODEL)
    agent = await build_agent(ScriptedModel(["Yes."]), context_engine=engine, owns=owns)
    await agent.ainvoke(says("Hi"))
    await agent.shutdown()
    if owns:
        with pytest.raises(StoreClosedError):
            await engine.aassemble()
    else:
        await engine.aassemble()
        await engine.close()
