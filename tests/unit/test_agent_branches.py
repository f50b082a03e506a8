"""An edited message: a turn on a branch beside the old one, stored, sent and learned from as a new one is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant import build_agent
from assistant.agent import TurnDone, TurnStarted
from assistant.core.errors import GuardrailError, InvalidInputError, NoSuchConversationError
from assistant.core.types import CallerContext
from assistant.models.scripted import ScriptedModel
from tests.agent_fixtures import (
    ALICE,
    BOB,
    StoreOpener,
    events_of,
    in_memory,
    in_sqlite,
    plain,
    private_memory,
    prompt,
    rules_only,
    says,
    stored,
)

both_stores = pytest.mark.parametrize("store_in", [in_memory, in_sqlite], ids=["in memory", "sqlite"])


@both_stores
async def test_an_edited_message_begins_a_branch_and_nothing_is_lost(
    store_in: StoreOpener, tmp_path: Path
) -> None:
    async with store_in(tmp_path) as store:
        model = ScriptedModel(["One", "Two", "Three", "Another two"])
        agent = await build_agent(model, conversation_store=store, owns=False)
        for text in ("a", "b", "c"):
            await agent.ainvoke(says(text), caller=ALICE, session_id="s")
        before = await stored(store)
        edited = before[2].message_id
        events = await events_of(agent, says("B"), caller=ALICE, session_id="s", instead_of=edited)
        assert prompt(model) == [("user", "a"), ("assistant", "One"), ("user", "B")]
        path = await stored(store)
        assert [(m.content, m.variant, m.variants) for m in path] == [
            ("a", 1, 1), ("One", 1, 1), ("B", 2, 2), ("Another two", 1, 1),
        ]  # fmt: skip
        assert events[0] == TurnStarted("s", path[2].message_id, path[3].message_id)
        done = events[-1]
        assert isinstance(done, TurnDone)
        assert plain(done.result["messages"]) == [("user", "B"), ("assistant", "Another two")]
        await store.choose("s", edited, user_id="alice")
        assert plain(await stored(store)) == plain(before)


@both_stores
async def test_the_first_message_can_be_edited(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        model = ScriptedModel(["One", "Two"])
        agent = await build_agent(model, conversation_store=store, owns=False)
        await agent.ainvoke(says("a"), caller=ALICE, session_id="s")
        first = (await stored(store))[0].message_id
        await events_of(agent, says("A"), caller=ALICE, session_id="s", instead_of=first)
        assert prompt(model) == [("user", "A")]
        assert plain(await stored(store)) == [("user", "A"), ("assistant", "Two")]


async def test_what_an_edited_message_asks_to_remember_is_remembered(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        memory = private_memory()
        agent = await build_agent(
            ScriptedModel(["Ok", "Ok"]),
            conversation_store=store,
            memory=memory,
            learner=rules_only(memory),
            owns=False,
        )
        await agent.ainvoke(says("I like tea"), caller=ALICE, session_id="s")
        first = (await stored(store))[0].message_id
        await events_of(
            agent, says("Remember that I like coffee"), caller=ALICE, session_id="s", instead_of=first
        )
        found = await memory.search("coffee", user_id="alice")
        assert any("coffee" in memory.content for memory in found)


async def test_an_edited_message_that_a_guardrail_refuses_leaves_no_branch(tmp_path: Path) -> None:
    class Refusing:
        name = "refusing"

        def check_input(self, text: str) -> str:
            if "secret" in text:
                raise GuardrailError("It holds a secret.")
            return text

        def check_output(self, text: str) -> str:
            return text

    async with in_memory(tmp_path) as store:
        agent = await build_agent(
            ScriptedModel(["Ok"]), conversation_store=store, guardrails=[Refusing()], owns=False
        )
        await agent.ainvoke(says("a"), caller=ALICE, session_id="s")
        first = (await stored(store))[0].message_id
        with pytest.raises(GuardrailError):
            await events_of(agent, says("my secret"), caller=ALICE, session_id="s", instead_of=first)
        assert [m.variants for m in await stored(store)] == [1, 1]


async def test_what_can_not_be_edited_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        model = ScriptedModel(["Ok"])
        agent = await build_agent(model, conversation_store=store, owns=False)
        await agent.ainvoke(says("a"), caller=ALICE, session_id="s")
        question, reply = await stored(store)
        wrong: tuple[tuple[Any, CallerContext, str | None, dict[str, str], type[Exception]], ...] = (
            (says("x"), ALICE, "s", {"instead_of": "no such message"}, InvalidInputError),
            (says("x"), ALICE, "s", {"instead_of": reply.message_id}, InvalidInputError),
            (says("x"), ALICE, None, {"instead_of": question.message_id}, InvalidInputError),
            (None, ALICE, "s", {"instead_of": question.message_id}, InvalidInputError),
            (
                None,
                ALICE,
                "s",
                {"instead_of": question.message_id, "answer_to": question.message_id},
                InvalidInputError,
            ),
            (says("x"), BOB, "s", {"instead_of": question.message_id}, NoSuchConversationError),
        )
        for given, caller, session, which, error in wrong:
            with pytest.raises(error):
                await events_of(agent, given, caller=caller, session_id=session, **which)
        assert len(model.calls) == 1
        assert plain(await stored(store)) == [("user", "a"), ("assistant", "Ok")]
        assert await store.list(user_id="bob") == []


async def test_a_preview_of_an_edited_message_leaves_out_what_is_behind_it(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        agent = await build_agent(ScriptedModel(["One", "Two"]), conversation_store=store, owns=False)
        for text in ("a", "b"):
            await agent.ainvoke(says(text), caller=ALICE, session_id="s")
        edited = (await stored(store))[2].message_id
        shown = await agent.preview(says("B")["messages"], caller=ALICE, session_id="s", instead_of=edited)
        assert plain(shown.messages) == [("user", "a"), ("assistant", "One"), ("user", "B")]
        assert len(await stored(store)) == 4
