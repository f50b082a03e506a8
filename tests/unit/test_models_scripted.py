"""The scripted model: what tests of the library talk to."""

from __future__ import annotations

import asyncio

import pytest

from assistant.core.errors import ModelServerError, RateLimitedError
from assistant.core.types import Message, Usage
from assistant.models.base import ChatOptions, Finished, ModelEvent, ReasoningDelta, TextDelta
from assistant.models.scripted import ScriptedModel, Step

QUESTION = [Message("user", "Hello?")]


async def ask(model: ScriptedModel) -> list[ModelEvent]:
    return [event async for event in model.stream(QUESTION)]


async def test_it_gives_its_replies_in_order_and_records_what_it_was_asked() -> None:
    model = ScriptedModel(["one", ["t", "wo"]])
    assert await ask(model) == [TextDelta("one"), Finished()]
    options = ChatOptions(max_tokens=5)
    assert [event async for event in model.stream(QUESTION, options=options)][:2] == [
        TextDelta("t"),
        TextDelta("wo"),
    ]
    assert [call.messages for call in model.calls] == [tuple(QUESTION), tuple(QUESTION)]
    assert model.calls[1].options is options


async def test_events_of_a_script_come_as_they_are() -> None:
    script: list[Step] = [ReasoningDelta("Hm."), "yes", Finished("length", Usage(1, 2))]
    assert await ask(ScriptedModel([script])) == [
        ReasoningDelta("Hm."),
        TextDelta("yes"),
        Finished("length", Usage(1, 2)),
    ]


async def test_a_reply_may_depend_on_the_messages() -> None:
    model = ScriptedModel([lambda messages: messages[-1].content.upper()])
    assert (await ask(model))[0] == TextDelta("HELLO?")


async def test_errors_are_raised_at_their_place() -> None:
    model = ScriptedModel([RateLimitedError("wait"), ["so far", ModelServerError("boom")]])
    with pytest.raises(RateLimitedError):
        await ask(model)
    events = model.stream(QUESTION)
    assert await anext(events) == TextDelta("so far")
    with pytest.raises(ModelServerError):
        await anext(events)


async def test_a_call_without_a_reply_fails() -> None:
    with pytest.raises(ModelServerError):
        await ask(ScriptedModel())


async def test_it_waits_where_the_script_says_and_counts_interruptions() -> None:
    gate = asyncio.Event()
    model = ScriptedModel([["a", gate, "b"], ["a", gate, "b"]])
    events = model.stream(QUESTION)
    assert await anext(events) == TextDelta("a")
    await events.aclose()
    assert model.interrupted == 1
    gate.set()
    assert len(await ask(model)) == 3
    assert model.interrupted == 1


async def test_closing_is_remembered() -> None:
    model = ScriptedModel()
    await model.close()
    assert model.closed
