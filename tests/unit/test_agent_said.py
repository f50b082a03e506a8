"""What is said in a conversation can be recalled in a later one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant import CallerContext, build_agent
from assistant.agent.agent import Agent
from assistant.agent.said import SaidMessage, as_memories, catch_up, passages
from assistant.conversation.memory_store import InMemoryConversationStore
from assistant.core.types import Message
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.memory.ledger.opening import open_memory
from assistant.models.scripted import ScriptedModel
from tests.memory_fixtures import HashEmbedder

ANNA, BEN = CallerContext(user_id="anna"), CallerContext(user_id="ben")
DAY = datetime(2026, 3, 4, 12, tzinfo=UTC)


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[MemoryLedger]:
    ledger = await open_memory(folder, embedder=HashEmbedder())
    try:
        yield ledger
    finally:
        await ledger.close()


async def agent_over(
    ledger: MemoryLedger,
    store: InMemoryConversationStore,
    *replies: str,
    index: bool = True,
    recall: bool = True,
) -> Agent:
    return await build_agent(
        ScriptedModel(list(replies)),
        memory=ledger,
        conversation_store=store,
        memory_index_turns=index,
        memory_recall_turns=recall,
        owns=False,
    )


async def say(agent: Agent, text: str, session: str, caller: CallerContext = ANNA) -> list[str]:
    """The texts that were recalled for what is said."""
    result = await agent.ainvoke(
        {"messages": [{"role": "user", "content": text}]}, caller=caller, session_id=session
    )
    return [memory.content for memory in result["recalled"]]


PLAN = "The blue bicycle stands in the cellar of the library."
QUESTION = "Where does the blue bicycle stand, in which cellar?"


async def test_a_later_conversation_recalls_what_was_said(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        agent = await agent_over(ledger, InMemoryConversationStore(), "Noted.", "In the cellar.")
        await say(agent, PLAN, "first")
        await agent.shutdown()
        again = await agent_over(ledger, InMemoryConversationStore(), "In the cellar.")
        assert PLAN in await say(again, QUESTION, "second")
        await again.shutdown()


async def test_the_running_conversation_is_not_recalled(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        store = InMemoryConversationStore()
        agent = await agent_over(ledger, store, "Noted.")
        await say(agent, PLAN, "first")
        await agent.shutdown()
        again = await agent_over(ledger, store, "In the cellar.")
        assert await say(again, QUESTION, "first") == []
        await again.shutdown()


async def test_nobody_else_recalls_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        agent = await agent_over(ledger, InMemoryConversationStore(), "Noted.")
        await say(agent, PLAN, "first")
        await agent.shutdown()
        again = await agent_over(ledger, InMemoryConversationStore(), "I do not know.")
        assert await say(again, QUESTION, "second", BEN) == []
        await again.shutdown()


async def test_both_sides_are_kept_with_speaker_place_and_time(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        agent = await agent_over(ledger, InMemoryConversationStore(), "Noted, in the cellar.")
        await say(agent, PLAN, "first")
        await agent.shutdown()
        page = await ledger.list(user_id="anna", kinds=["turn"], sort="oldest")
        kept = [
            (m.content, m.metadata["speaker"], m.metadata["session_id"], m.metadata["position"])
            for m in page.items
        ]
        assert sorted(kept, key=lambda item: str(item[3])) == [
            (PLAN, "user", "first", 0),
            ("Noted, in the cellar.", "assistant", "first", 1),
        ]


async def test_without_the_wish_nothing_is_indexed(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        agent = await agent_over(ledger, InMemoryConversationStore(), "Noted.", index=False)
        await say(agent, PLAN, "first")
        await agent.shutdown()
        assert await ledger.count(user_id="anna") == 0


async def test_once_switched_off_what_was_kept_is_not_recalled(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        agent = await agent_over(ledger, InMemoryConversationStore(), "Noted.")
        await say(agent, PLAN, "first")
        await agent.shutdown()
        again = await agent_over(ledger, InMemoryConversationStore(), "No idea.", index=False, recall=False)
        assert await say(again, QUESTION, "second") == []
        await again.shutdown()


async def test_earlier_conversations_are_caught_up_with_once(tmp_path: Path) -> None:
    store = InMemoryConversationStore()
    for session in ("one", "two"):
        await store.create(user_id="anna", session_id=session)
        for number in range(3):
            await store.append(
                session, Message("user", f"In {session} I planted tree {number}."), user_id="anna"
            )
            await store.append(session, Message("assistant", f"Good, tree {number}."), user_id="anna")
    async with opened(tmp_path) as ledger:
        assert await catch_up(store, ledger, "anna") == 12
        assert await catch_up(store, ledger, "anna") == 0
        assert await ledger.count(user_id="anna") == 12


async def test_what_was_removed_stays_away_when_caught_up_with(tmp_path: Path) -> None:
    store = InMemoryConversationStore()
    await store.create(user_id="anna", session_id="one")
    await store.append("one", Message("user", PLAN), user_id="anna")
    async with opened(tmp_path) as ledger:
        await catch_up(store, ledger, "anna")
        [memory] = (await ledger.list(user_id="anna")).items
        assert await ledger.delete(memory.memory_id, user_id="anna")
        assert await catch_up(store, ledger, "anna") == 0


async def test_a_deleted_conversation_takes_its_turns_along(tmp_path: Path) -> None:
    async with opened(tmp_path) as ledger:
        agent = await agent_over(ledger, InMemoryConversationStore(), "Noted.", "Fine.")
        await say(agent, PLAN, "first")
        await say(agent, "Something else entirely.", "second")
        await agent.shutdown()
        assert await ledger.said.remove("first", user_id="anna") == 2
        assert set(await ledger.said.counts(user_id="anna")) == {"second"}


def message(text: str) -> SaidMessage:
    return SaidMessage(text, "user", "session", "id", 0, DAY)


@given(st.text(max_size=6000))
def test_passages_hold_the_words_in_order_and_none_is_too_long(text: str) -> None:
    parts = passages(text)
    assert all(part.strip() == part and 0 < len(part) <= 1000 for part in parts)
    if len(parts) < 40:
        clean = text.encode("utf-8", "ignore").decode()
        assert "".join("".join(parts).split()) == "".join(clean.split())


def test_a_short_message_is_one_passage() -> None:
    assert passages(" I like tea.\nAnd coffee. ") == ["I like tea.\nAnd coffee."]


@pytest.mark.parametrize("text", ["", "  \n "])
def test_nothing_said_is_nothing_kept(text: str) -> None:
    assert as_memories(message(text)) == []


def test_a_pasted_novel_is_cut_off() -> None:
    assert len(as_memories(message("word " * 100_000))) == 40


def test_the_same_message_has_the_same_ids() -> None:
    ids = [memory.memory_id for memory in as_memories(message("word " * 500))]
    assert ids == [memory.memory_id for memory in as_memories(message("word " * 500))]
    assert len(set(ids)) == len(ids) > 1


async def test_a_message_of_several_passages_does_not_hide_a_missing_one(tmp_path: Path) -> None:
    store = InMemoryConversationStore()
    await store.create(user_id="anna", session_id="one")
    await store.append("one", Message("user", "A long story. " * 400), user_id="anna")
    async with opened(tmp_path) as ledger:
        assert await catch_up(store, ledger, "anna") > 2
        await store.append("one", Message("user", PLAN), user_id="anna")
        assert await catch_up(store, ledger, "anna") == 1
