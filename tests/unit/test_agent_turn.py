"""A turn without a store: what the model is asked, what comes back, and what memory may and may not do to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from typing import Any

import pytest

from assistant import CallerContext, Message, build_agent
from assistant.agent import (
    Recalled,
    ReplyReasoning,
    ReplyText,
    TurnDone,
    TurnEvent,
    TurnStarted,
)
from assistant.core.errors import (
    AssistantError,
    InvalidInputError,
    InvalidTextError,
    MemoryIsolationError,
    MemoryStoreError,
    ModelError,
    ReplyCutError,
    StoreClosedError,
    UnreachableError,
)
from assistant.core.types import Usage, current_caller
from assistant.memory import InMemoryProvider, MemoryResult
from assistant.memory.injection import quoted_texts
from assistant.models.base import ChatOptions, Finished, ModelEvent, ReasoningDelta, TextDelta
from assistant.models.scripted import ScriptedModel, Step
from tests.agent_fixtures import (
    ALICE,
    BOB,
    events_of,
    gathered,
    plain,
    private_memory,
    prompt,
    says,
    shut_down_in_mid_reply,
    text_of,
)


class BrokenMemory(InMemoryProvider):
    """Raises whatever it is given."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        raise self.error


class FixedMemory(InMemoryProvider):
    """Finds always the same, and notes what it was asked."""

    def __init__(self, *found: MemoryResult) -> None:
        super().__init__()
        self.found = list(found)
        self.asked: list[tuple[str, int, str | None]] = []

    async def search(self, query: str, *, limit: int = 5, user_id: str | None = None) -> list[MemoryResult]:
        self.asked.append((query, limit, user_id))
        return self.found


def found(text: str, score: float = 0.9) -> MemoryResult:
    return MemoryResult(text, score, memory_id=f"id of {text}")


# The prompt


async def test_the_prompt_is_instructions_then_memories_then_the_conversation() -> None:
    memory, model = private_memory(), ScriptedModel(["In September."])
    await memory.add("Project Atlas ships in September", user_id="alice")
    agent = await build_agent(model, instructions="Be brief.", memory=memory)
    await agent.ainvoke(
        {
            "messages": [
                Message("user", "Hello"),
                Message("assistant", "Hi"),
                {"role": "user", "content": "When does Atlas ship?"},
            ]
        },
        caller=ALICE,
    )
    sent = prompt(model)
    assert [role for role, _ in sent] == ["system", "system", "user", "assistant", "user"]
    assert sent[0][1] == "Be brief."
    assert quoted_texts(sent[1][1]) == ["Project Atlas ships in September"]
    assert sent[2:] == [("user", "Hello"), ("assistant", "Hi"), ("user", "When does Atlas ship?")]


async def test_a_system_message_of_the_caller_stays_before_the_memories() -> None:
    model = ScriptedModel(["Yes."])
    agent = await build_agent(model, instructions="A", memory=FixedMemory(found("fact")))
    await agent.ainvoke({"messages": [Message("system", "B"), Message("user", "Well?")]})
    sent = prompt(model)
    assert [sent[0], sent[1], sent[3]] == [("system", "A"), ("system", "B"), ("user", "Well?")]
    assert quoted_texts(sent[2][1]) == ["fact"]


async def test_without_instructions_and_memories_the_prompt_is_what_was_given() -> None:
    model = ScriptedModel(["Hi", "Hi"])
    for agent in (
        await build_agent(model),
        await build_agent(model, instructions=" ", memory=private_memory()),
    ):
        await agent.ainvoke(says("Hello"), caller=ALICE)
        assert prompt(model) == [("user", "Hello")]


async def test_the_model_is_asked_with_the_options() -> None:
    model, options = ScriptedModel(["Hi"]), ChatOptions(max_tokens=7, temperature=0.5)
    agent = await build_agent(model, options=options)
    await agent.ainvoke(says("Hello"))
    assert model.calls[0].options == options


# The result and the events


async def test_the_result_is_the_given_messages_and_the_reply_and_nothing_injected() -> None:
    reply: list[Step] = [TextDelta("In "), TextDelta("September."), Finished("length", Usage(12, 3))]
    model, memory = ScriptedModel([reply]), FixedMemory(found("Atlas ships in September"))
    agent = await build_agent(model, instructions="Be brief.", memory=memory)
    result = await agent.ainvoke(says("When?"))
    assert plain(result["messages"]) == [("user", "When?"), ("assistant", "In September.")]
    assert result["recalled"] == memory.found
    assert (result["memory_status"], result["memory_note"]) == ("ok", "")
    assert (result["usage"], result["finish"]) == (Usage(12, 3), "length")
    assert (result["cached"], result["session_id"]) == (False, None)


async def test_the_events_come_in_order_and_end_with_the_same_result() -> None:
    reply: list[Step] = [ReasoningDelta("Hm."), TextDelta("Yes"), TextDelta("."), Finished()]
    agent = await build_agent(ScriptedModel([reply]), memory=FixedMemory(found("fact")))
    events = await events_of(agent, says("Well?"))
    assert events[0] == TurnStarted(None, None, None)
    assert events[1] == Recalled((found("fact"),), "ok", "")
    assert [type(event) for event in events[2:-1]] == [ReplyReasoning, ReplyText]
    assert text_of(events) == "Yes."
    done = events[-1]
    assert isinstance(done, TurnDone)
    assert done.result["messages"][-1].content == "Yes."


async def test_a_reply_without_text_is_a_reply() -> None:
    agent = await build_agent(ScriptedModel([[Finished("stop")]]))
    assert (await agent.ainvoke(says("Well?")))["messages"][-1] == Message("assistant", "")


async def test_the_first_text_is_not_held_back() -> None:
    go_on = asyncio.Event()
    agent = await build_agent(ScriptedModel([["Y", go_on, "es"]]))
    async with aclosing(agent.astream(says("Well?"))) as events:
        async for event in events:
            if isinstance(event, ReplyText) and not go_on.is_set():
                assert event.text == "Y"
                go_on.set()
    assert go_on.is_set()


async def test_text_that_comes_fast_is_gathered() -> None:
    agent = await build_agent(ScriptedModel([["token "] * 5000]))
    events = await events_of(agent, says("Well?"))
    assert text_of(events) == "token " * 5000
    assert sum(isinstance(event, ReplyText) for event in events) < 100


async def test_half_characters_of_a_model_are_replaced() -> None:
    agent = await build_agent(ScriptedModel([["a\ud800", Finished()]]))
    assert (await agent.ainvoke(says("Well?")))["messages"][-1].content == "a\ufffd"


# Input


@pytest.mark.parametrize(
    "given",
    [
        None,
        "Hello",
        {},
        {"messages": None},
        {"messages": "Hello"},
        {"messages": []},
        {"messages": [Message("user", "Hello"), Message("assistant", "Hi")]},
        {"messages": ["Hello"]},
        {"messages": [{"role": "boss", "content": "Hello"}]},
        {"messages": [{"role": "user", "content": ["Hello"]}]},
        {"messages": [{"role": "user"}]},
        says(""),
        says(" \n\t"),
    ],
    ids=str,
)
async def test_input_that_can_not_be_answered_is_refused_before_the_model_is_called(given: Any) -> None:
    model = ScriptedModel(["Hi"])
    agent = await build_agent(model)
    with pytest.raises(InvalidInputError):
        await agent.ainvoke(given)
    assert model.calls == []


async def test_half_a_character_is_refused_before_the_model_is_called() -> None:
    model = ScriptedModel(["Hi"])
    agent = await build_agent(model)
    with pytest.raises(InvalidTextError):
        await agent.ainvoke(says("\ud83d"))
    assert model.calls == []


@pytest.mark.parametrize("text", ["nul \0", "عربي \u202e", "x" * 1_000_000])
async def test_odd_and_long_texts_reach_the_model_as_they_are(text: str) -> None:
    memory, model = private_memory(), ScriptedModel(["Hi"])
    agent = await build_agent(model, memory=memory)
    result = await agent.ainvoke(says(text), caller=ALICE)
    assert prompt(model) == [("user", text)]
    assert result["memory_status"] == "ok"


# Recall


async def test_only_the_callers_memories_are_recalled() -> None:
    memory, model = private_memory(), ScriptedModel(["?", "?"])
    await memory.add("Alice's cat is Leo", user_id="alice")
    await memory.add("Acme's cat is Tom", user_id=CallerContext("alice", tenant_id="acme").owner)
    agent = await build_agent(model, memory=memory)
    assert (await agent.ainvoke(says("Which cat?"), caller=BOB))["recalled"] == []
    recalled = (await agent.ainvoke(says("Which cat?"), caller=CallerContext("alice", tenant_id="acme")))[
        "recalled"
    ]
    assert [memory.content for memory in recalled] == ["Acme's cat is Tom"]


async def test_nobody_on_a_private_memory_is_an_error_before_the_model_is_called() -> None:
    model = ScriptedModel(["Hi"])
    agent = await build_agent(model, memory=private_memory())
    with pytest.raises(MemoryIsolationError):
        await agent.ainvoke(says("Hello"))
    with pytest.raises(MemoryIsolationError):
        await events_of(agent, says("Hello"))
    assert model.calls == []


async def test_a_memory_that_refuses_the_owner_stops_the_turn_before_the_model_is_called() -> None:
    model = ScriptedModel(["Hi"])
    agent = await build_agent(model, memory=BrokenMemory(MemoryIsolationError("Not yours.")))
    with pytest.raises(MemoryIsolationError):
        await agent.ainvoke(says("Hello"), caller=ALICE)
    assert model.calls == []


async def test_a_shared_memory_serves_nobody_in_particular() -> None:
    memory = InMemoryProvider()
    await memory.add("The office closes at five", user_id="alice")
    agent = await build_agent(ScriptedModel(["At five."]), memory=memory)
    result = await agent.ainvoke(says("When does the office close?"))
    assert [memory.content for memory in result["recalled"]] == ["The office closes at five"]


async def test_without_memory_the_status_says_so() -> None:
    agent = await build_agent(ScriptedModel(["Hi"]))
    result = await agent.ainvoke(says("Hello"), caller=ALICE)
    assert (result["memory_status"], result["recalled"]) == ("none", [])


@pytest.mark.parametrize(
    "error",
    [MemoryStoreError("The disk is gone.", hint="Plug it in."), RuntimeError("x"), KeyError("y")],
    ids=repr,
)
async def test_a_broken_memory_is_told_and_the_turn_goes_on(error: Exception) -> None:
    model = ScriptedModel(["Hi"])
    agent = await build_agent(model, memory=BrokenMemory(error))
    events = await events_of(agent, says("Hello"), caller=ALICE)
    recalled, done = events[1], events[-1]
    assert isinstance(recalled, Recalled)
    assert isinstance(done, TurnDone)
    assert (recalled.memories, recalled.memory_status) == ((), "failed")
    assert recalled.note
    assert done.result["memory_status"] == "failed"
    assert done.result["memory_note"] == recalled.note
    assert done.result["messages"][-1].content == "Hi"
    assert prompt(model) == [("user", "Hello")]
    if isinstance(error, AssistantError):
        assert recalled.note == "The disk is gone. Plug it in."


async def test_a_slow_memory_is_given_up() -> None:
    cancelled = asyncio.Event()

    class SlowMemory(InMemoryProvider):
        async def search(
            self, query: str, *, limit: int = 5, user_id: str | None = None
        ) -> list[MemoryResult]:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()
            return []

    agent = await build_agent(ScriptedModel(["Hi"]), memory=SlowMemory(), memory_timeout=0.01)
    result = await agent.ainvoke(says("Hello"))
    assert result["memory_status"] == "failed"
    assert "0.01 seconds" in result["memory_note"]
    await cancelled.wait()


async def test_a_memory_that_does_not_heed_a_cancellation_holds_nothing_up() -> None:
    release = asyncio.Event()

    class StubbornMemory(InMemoryProvider):
        async def search(
            self, query: str, *, limit: int = 5, user_id: str | None = None
        ) -> list[MemoryResult]:
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue
            return []

    agent = await build_agent(ScriptedModel(["Hi"]), memory=StubbornMemory(), memory_timeout=0.01)
    assert (await agent.ainvoke(says("Hello")))["memory_status"] == "failed"
    release.set()


async def test_weak_and_repeated_memories_are_left_out() -> None:
    memory = FixedMemory(found("a", 0.9), found("a", 0.8), found("b", 0.5), found("c", 0.49), found("d", 0.5))
    agent = await build_agent(ScriptedModel(["Hi"]), memory=memory, memory_min_score=0.5)
    recalled = (await agent.ainvoke(says("Hello")))["recalled"]
    assert [memory.content for memory in recalled] == ["a", "b", "d"]


async def test_memories_are_asked_for_and_taken_up_to_a_limit() -> None:
    memory = FixedMemory(*(found(f"fact {n}") for n in range(9)))
    agent = await build_agent(ScriptedModel(["Hi", "Hi"]), memory=memory, memory_limit=3)
    assert len((await agent.ainvoke(says("Hello"), caller=ALICE))["recalled"]) == 3
    assert memory.asked == [("Hello", 3, "alice")]
    agent = await build_agent(ScriptedModel(["Hi"]), memory=memory, memory_limit=0)
    assert (await agent.ainvoke(says("Hello")))["memory_status"] == "none"
    assert len(memory.asked) == 1


async def test_memories_stay_within_their_budget_and_what_was_left_out_is_not_called_recalled() -> None:
    memory, model = FixedMemory(found("word " * 500), found("short")), ScriptedModel(["Hi"])
    agent = await build_agent(model, memory=memory, memory_token_budget=150)
    recalled = (await agent.ainvoke(says("Hello")))["recalled"]
    assert [memory.content for memory in recalled] == ["short"]
    assert quoted_texts(prompt(model)[0][1]) == ["short"]


async def test_of_a_long_message_its_beginning_and_its_end_are_searched_for() -> None:
    memory = FixedMemory()
    agent = await build_agent(ScriptedModel(["Hi"]), memory=memory)
    await agent.ainvoke(says("Summarise: " + "filler " * 100_000 + "What was it?"))
    [(query, _, _)] = memory.asked
    assert query.startswith("Summarise: ")
    assert query.endswith("What was it?")
    assert len(query) < 1100


# Errors of the model


async def test_an_error_of_the_model_is_raised() -> None:
    agent = await build_agent(ScriptedModel([UnreachableError("Nobody answers.")]))
    with pytest.raises(UnreachableError):
        await agent.ainvoke(says("Hello"))


async def test_all_text_before_an_error_is_yielded_first() -> None:
    cut = ReplyCutError("Cut.", partial="one two three")
    agent = await build_agent(ScriptedModel([["one ", "two ", "three", cut]]))
    events: list[TurnEvent] = []
    with pytest.raises(ReplyCutError):
        await gathered(agent, events, says("Count"))
    assert text_of(events) == "one two three"


async def test_a_stream_that_just_ends_is_a_cut_reply() -> None:
    class Mute(ScriptedModel):
        async def stream(  # type: ignore[override]
            self, messages: Sequence[Message], *, options: ChatOptions | None = None
        ) -> AsyncIterator[ModelEvent]:
            yield TextDelta("half a")

    agent = await build_agent(Mute())
    with pytest.raises(ReplyCutError) as caught:
        await agent.ainvoke(says("Hello"))
    assert caught.value.partial == "half a"


async def test_stopping_closes_the_models_connection_and_leaves_nothing_running() -> None:
    before = asyncio.all_tasks()
    model = ScriptedModel([["one ", asyncio.Event(), "never"]])
    agent = await build_agent(model, memory=FixedMemory())
    async with aclosing(agent.astream(says("Count"))) as events:
        async for event in events:
            if isinstance(event, ReplyText):
                break
    assert model.interrupted == 1
    assert asyncio.all_tasks() == before


async def test_a_finished_turn_leaves_nothing_running() -> None:
    before = asyncio.all_tasks()
    agent = await build_agent(ScriptedModel(["Hi"]), memory=FixedMemory(found("fact")))
    await agent.ainvoke(says("Hello"))
    assert asyncio.all_tasks() == before


# The caller


async def test_code_below_a_turn_knows_its_caller_and_code_around_it_does_not() -> None:
    seen: list[CallerContext | None] = []

    class Watching(FixedMemory):
        async def search(
            self, query: str, *, limit: int = 5, user_id: str | None = None
        ) -> list[MemoryResult]:
            seen.append(current_caller.get())
            return []

    def reply(messages: Sequence[Message]) -> str:
        seen.append(current_caller.get())
        return "Hi"

    agent = await build_agent(ScriptedModel([reply]), memory=Watching())
    async with aclosing(agent.astream(says("Hello"), caller=ALICE)) as events:
        async for _ in events:
            assert current_caller.get() is None
    assert seen == [ALICE, ALICE]


# Building and closing


class ClosingMemory(InMemoryProvider):
    closed = False

    async def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("owns", [True, False])
async def test_shutdown_closes_what_is_owned_and_only_that(owns: bool) -> None:
    model, memory = ScriptedModel(), ClosingMemory()
    agent = await build_agent(model, memory=memory, owns=owns)
    await agent.shutdown()
    await agent.shutdown()
    assert (model.closed, memory.closed) == (owns, owns)
    with pytest.raises(StoreClosedError):
        await agent.ainvoke(says("Hello"))


async def test_a_model_can_be_named() -> None:
    agent = await build_agent("ollama:llama3.2", owns=False)
    await agent.shutdown()


@pytest.mark.parametrize("name", ["", "llama", "nobody:knows", "openai:", "openai:gpt-5-mini"])
async def test_a_name_that_opens_no_model_is_an_error(name: str) -> None:
    with pytest.raises(AssistantError):
        await build_agent(name)


async def test_a_failure_to_close_one_part_leaves_none_open() -> None:
    class Sticking(ScriptedModel):
        async def close(self) -> None:
            raise ModelError("It sticks.")

    memory = ClosingMemory()
    agent = await build_agent(Sticking(), memory=memory)
    with pytest.raises(ModelError):
        await agent.shutdown()
    assert memory.closed


async def test_shutdown_ends_a_running_turn() -> None:
    model = ScriptedModel([["one ", asyncio.Event(), "never"]])
    agent = await build_agent(model)
    with pytest.raises(StoreClosedError):
        await shut_down_in_mid_reply(agent, says("Count"))
    assert model.interrupted == 1
    assert model.closed


@pytest.mark.parametrize(
    "options",
    [
        {"memory_limit": -1},
        {"memory_token_budget": -1},
        {"memory_min_score": 1.1},
        {"memory_min_score": -0.1},
        {"memory_timeout": 0},
        {"memory_timeout": float("nan")},
        {"history_messages": -1},
        {"history_token_budget": -1},
        {"instructions": "\ud800"},
    ],
    ids=str,
)
async def test_an_option_out_of_range_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInputError):
        await build_agent(ScriptedModel(), **options)
