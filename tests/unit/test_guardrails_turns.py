"""Guardrails in a turn: nothing is sent or shown that they refuse, and their own failure lets nothing pass."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from typing import Any

import pytest

from assistant import ContextEngine, Message, PrivateDataRedactor, build_agent
from assistant.agent import Recalled, ReplyReasoning, ReplyText, TurnDone, TurnStarted
from assistant.agent.guardrails import LEFT_OUT
from assistant.core.errors import GuardrailError, InvalidInputError, UnreachableError
from assistant.core.types import CallerContext, current_caller
from assistant.memory import InMemoryProvider, MemoryScope
from assistant.models.base import ReasoningDelta
from assistant.models.scripted import ScriptedModel
from tests.agent_fixtures import (
    ALICE,
    events_of,
    gathered,
    in_sqlite,
    plain,
    private_memory,
    prompt,
    says,
    text_of,
)

KEY = "sk-proj-Abc123def456ghi789jkl"


class Strict:
    """Refuses texts with a word, each way, and notes what it looked at and for whom."""

    def __init__(self, *, sent: str = "\0", shown: str = "\0") -> None:
        self.sent, self.shown = sent, shown
        self.looked: list[str] = []
        self.callers: list[Any] = []

    async def check_input(self, text: str) -> str:
        self.callers.append(current_caller.get())
        self.looked.append(text)
        if self.sent in text:
            raise GuardrailError("That is not sent.")
        return text

    async def check_output(self, text: str) -> str:
        self.looked.append(text)
        if self.shown in text:
            raise GuardrailError("That is not shown.")
        return text


async def test_what_is_sent_is_what_the_guardrails_let_through() -> None:
    model = ScriptedModel(["Fine."])
    agent = await build_agent(model, instructions=f"Never say {KEY}.", guardrails=[PrivateDataRedactor()])
    given = [
        Message("user", f"My key is {KEY}"),
        Message("assistant", "Noted"),
        Message("user", "Mail ann@example.org"),
    ]
    result = await agent.ainvoke({"messages": given})
    assert prompt(model) == [
        ("system", f"Never say {KEY}."),
        ("user", "My key is [key removed]"),
        ("assistant", "Noted"),
        ("user", "Mail [email removed]"),
    ]
    assert result["messages"][:3] == given


async def test_quoted_memories_pass_the_guardrails_too() -> None:
    memory, model = private_memory(), ScriptedModel(["Fine."])
    await memory.add("Ann can be reached at ann@example.org", user_id="alice")
    agent = await build_agent(model, memory=memory, guardrails=[PrivateDataRedactor()])
    result = await agent.ainvoke(says("How can Ann be reached?"), caller=ALICE)
    assert "ann@example.org" not in str(prompt(model))
    assert "[email removed]" in prompt(model)[0][1].replace("\\u005b", "[").replace("\\u005d", "]")
    assert [memory.content for memory in result["recalled"]] == ["Ann can be reached at ann@example.org"]


async def test_with_a_context_engine_the_prompt_passes_them_as_well() -> None:
    model = ScriptedModel(["Fine."])
    engine = ContextEngine(model="scripted:model")
    agent = await build_agent(model, context_engine=engine, guardrails=[PrivateDataRedactor()])
    await agent.ainvoke(says("Mail ann@example.org"))
    assert prompt(model) == [("user", "Mail [email removed]")]


async def test_a_refused_message_is_not_sent_and_leaves_no_trace(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path) as store:
        model = ScriptedModel(["Fine."])
        agent = await build_agent(
            model, conversation_store=store, guardrails=[Strict(sent="bomb")], owns=False
        )
        with pytest.raises(GuardrailError):
            await agent.ainvoke(says("Build a bomb"), caller=ALICE, session_id="s")
        assert model.calls == []
        assert await store.get("s", user_id="alice") is None
        await agent.shutdown()


async def test_what_was_said_before_a_guardrail_came_is_left_out_not_refused() -> None:
    model = ScriptedModel(["Fine."])
    agent = await build_agent(model, guardrails=[Strict(sent="bomb", shown="boom")])
    given = [Message("assistant", "boom"), Message("user", "Hello")]
    await agent.ainvoke({"messages": given})
    assert prompt(model) == [("assistant", LEFT_OUT), ("user", "Hello")]


async def test_a_reply_is_shown_when_it_is_whole_and_checked() -> None:
    model = ScriptedModel([["Write to ann@exa", ReasoningDelta("thinks of bob@example.org"), "mple.org."]])
    agent = await build_agent(model, guardrails=[PrivateDataRedactor()])
    events = await events_of(agent, says("Hello"))
    assert [type(event) for event in events] == [TurnStarted, Recalled, ReplyText, TurnDone]
    assert text_of(events) == "Write to [email removed]."


async def test_without_guardrails_a_reply_is_shown_as_it_comes() -> None:
    waiting = asyncio.Event()
    agent = await build_agent(ScriptedModel([[ReasoningDelta("hm"), "one ", waiting, "two"]]))
    kinds = []
    async with aclosing(agent.astream(says("Count"))) as events:
        async for event in events:
            kinds.append(type(event))
            if isinstance(event, ReplyText):
                waiting.set()
    assert kinds == [TurnStarted, Recalled, ReplyReasoning, ReplyText, ReplyText, TurnDone]


async def test_a_refused_reply_is_neither_shown_nor_stored(tmp_path: Path) -> None:
    async with in_sqlite(tmp_path) as store:
        model = ScriptedModel([["The word is ", "xyzzy."]])
        agent = await build_agent(
            model, conversation_store=store, guardrails=[Strict(shown="xyzzy")], owns=False
        )
        events: list[Any] = []
        with pytest.raises(GuardrailError):
            await gathered(agent, events, says("Which word?"), caller=ALICE, session_id="s")
        assert text_of(events) == ""
        [question, reply] = (await store.messages("s", user_id="alice")).items
        assert plain([question, reply]) == [("user", "Which word?"), ("assistant", "")]
        assert reply.state == "failed"
        await agent.shutdown()


async def test_a_reply_that_is_cut_off_shows_nothing_unchecked() -> None:
    agent = await build_agent(
        ScriptedModel([["half a secret", UnreachableError("Gone.")]]), guardrails=[PrivateDataRedactor()]
    )
    events: list[Any] = []
    with pytest.raises(UnreachableError):
        await gathered(agent, events, says("Hello"))
    assert text_of(events) == ""


async def test_guardrails_come_in_their_order_and_see_what_the_one_before_returned() -> None:
    model = ScriptedModel(["Fine."])
    second = Strict()
    agent = await build_agent(model, guardrails=[PrivateDataRedactor(), second])
    await agent.ainvoke(says("Mail ann@example.org"), caller=ALICE)
    assert set(second.looked) == {"Mail [email removed]", "Fine."}
    assert set(second.callers) == {ALICE}


@pytest.mark.parametrize("returned", [ZeroDivisionError("boom"), None, 5, b"bytes"])
async def test_a_guardrail_that_fails_lets_nothing_pass(returned: Any) -> None:
    class Broken:
        def check_input(self, text: str) -> Any:
            if isinstance(returned, Exception):
                raise returned
            return returned

        def check_output(self, text: str) -> str:
            return text

    model = ScriptedModel(["Fine."])
    agent = await build_agent(model, guardrails=[Broken()])
    with pytest.raises(GuardrailError):
        await agent.ainvoke(says("Hello"))
    assert model.calls == []


async def test_something_else_is_no_guardrail() -> None:
    with pytest.raises(InvalidInputError):
        await build_agent(ScriptedModel(), guardrails=["redact"])  # type: ignore[list-item]


async def test_a_turn_that_is_stopped_in_a_check_ends() -> None:
    class Slow(Strict):
        async def check_output(self, text: str) -> str:
            started.set()
            await asyncio.Event().wait()
            return text

    started = asyncio.Event()
    agent = await build_agent(ScriptedModel(["Fine."]), guardrails=[Slow()])
    task = asyncio.get_running_loop().create_task(agent.ainvoke(says("Hello")))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await agent.shutdown()


async def test_what_a_model_reads_for_memories_passes_the_guardrails_too() -> None:
    model = ScriptedModel(["Noted.", "{}"])
    agent = await build_agent(
        model,
        memory=InMemoryProvider(MemoryScope.PER_USER),
        memory_auto_store=True,
        guardrails=[PrivateDataRedactor(replies=False)],
    )
    said = {"messages": [{"role": "user", "content": "Call my sister Ana at +49 170 1234567."}]}
    await agent.ainvoke(said, caller=CallerContext(user_id="anna"))
    await agent.shutdown()
    assert len(model.calls) == 2
    assert all("1234567" not in str(call) for call in model.calls)
