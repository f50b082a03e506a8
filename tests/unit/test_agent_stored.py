"""A turn in a stored conversation: what is on disk at which moment, and that nothing leaves it half done."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Any, Literal

import pytest

from assistant import Message, build_agent
from assistant.agent import Agent, Recalled, ReplyText, TurnDone, TurnEvent, TurnStarted
from assistant.conversation.base import ConversationStore
from assistant.conversation.memory_store import InMemoryConversationStore
from assistant.core.errors import (
    ConversationError,
    InvalidInputError,
    MemoryIsolationError,
    MemoryStoreError,
    NoSuchConversationError,
    RateLimitedError,
    ReplyCutError,
    StorageError,
    StoreClosedError,
    StoreFullError,
)
from assistant.core.types import Usage
from assistant.memory import InMemoryProvider, MemoryResult, MemoryScope
from assistant.models.base import Finished, ReasoningDelta, TextDelta
from assistant.models.scripted import ScriptedModel, Step
from tests.agent_fixtures import (
    ALICE,
    BOB,
    StoreOpener,
    events_of,
    gathered,
    in_memory,
    in_sqlite,
    plain,
    private_memory,
    prompt,
    rules_only,
    says,
    shut_down_in_mid_reply,
    stored,
    text_of,
)

both_stores = pytest.mark.parametrize("store_in", [in_memory, in_sqlite], ids=["in memory", "sqlite"])
REPO = Path(__file__).resolve().parents[2]


async def agent_over(store: ConversationStore, model: ScriptedModel, **options: Any) -> Agent:
    return await build_agent(model, conversation_store=store, owns=False, **options)


@both_stores
async def test_a_turn_is_stored_whole(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        reply: list[Step] = [
            ReasoningDelta("Hm."),
            TextDelta("In "),
            TextDelta("May."),
            Finished("stop", Usage(5, 2)),
        ]
        agent = await agent_over(store, ScriptedModel([reply], name="scripted:one"))
        events = await events_of(agent, says("When?"), caller=ALICE, session_id="s")
        question, answer = await stored(store)
        assert (question.role, question.content, question.state) == ("user", "When?", "complete")
        assert (answer.role, answer.content, answer.state) == ("assistant", "In May.", "complete")
        assert answer.metadata == {
            "model": "scripted:one",
            "host": "this computer",
            "finish": "stop",
            "usage": {"prompt_tokens": 5, "completion_tokens": 2},
            "reasoning": "Hm.",
        }
        assert events[0] == TurnStarted("s", question.message_id, answer.message_id)
        done = events[-1]
        assert isinstance(done, TurnDone)
        assert done.result["session_id"] == "s"
        assert plain(done.result["messages"]) == [("user", "When?"), ("assistant", "In May.")]


@both_stores
async def test_a_turn_without_a_session_leaves_no_trace(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        agent = await agent_over(store, ScriptedModel(["Hi"]))
        result = await agent.ainvoke(
            {"messages": [Message("user", "a"), Message("assistant", "b"), Message("user", "c")]},
            caller=ALICE,
        )
        assert result["session_id"] is None
        assert await store.list(user_id="alice") == []


@both_stores
async def test_the_users_message_is_stored_before_the_model_is_called(
    store_in: StoreOpener, tmp_path: Path
) -> None:
    async with store_in(tmp_path) as store:
        seen: list[tuple[str, str, str]] = []

        class Looking(ScriptedModel):
            async def stream(self, messages: Any, **options: Any) -> Any:
                seen.extend((entry.role, entry.content, entry.state) for entry in await stored(store))
                yield TextDelta("Hi")
                yield Finished()

        await (await agent_over(store, Looking())).ainvoke(says("Hello"), caller=ALICE, session_id="s")
        assert seen == [("user", "Hello", "complete"), ("assistant", "", "streaming")]


@both_stores
async def test_text_is_stored_before_it_is_yielded(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        steps = [asyncio.Event() for _ in range(4)]
        script = [part for number, step in enumerate(steps) for part in (f"part {number} ", step)]
        agent = await agent_over(store, ScriptedModel([script]))
        shown = ""
        async with aclosing(agent.astream(says("Count"), caller=ALICE, session_id="s")) as events:
            async for event in events:
                if isinstance(event, ReplyText):
                    shown += event.text
                    assert (await stored(store))[1].content == shown
                    steps.pop(0).set()
        assert shown == "part 0 part 1 part 2 part 3 "


async def test_fast_text_is_written_in_few_pieces() -> None:
    class Counting(InMemoryConversationStore):
        writes = 0

        async def extend_reply(self, message_id: str, text: str, *, user_id: str) -> None:
            self.writes += 1
            await super().extend_reply(message_id, text, user_id=user_id)

    store = Counting()
    agent = await agent_over(store, ScriptedModel([["token "] * 5000]))
    await agent.ainvoke(says("Go"), caller=ALICE, session_id="s")
    assert (await stored(store))[1].content == "token " * 5000
    assert store.writes < 100


# History


@both_stores
async def test_earlier_messages_come_from_the_store(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        model = ScriptedModel(["One", "Two", "Three"])
        agent = await agent_over(store, model, instructions="Be brief.")
        for text in ("a", "b"):
            await agent.ainvoke(says(text), caller=ALICE, session_id="s")
        await agent.ainvoke(says("elsewhere"), caller=ALICE, session_id="other")
        assert prompt(model, 1) == [
            ("system", "Be brief."),
            ("user", "a"),
            ("assistant", "One"),
            ("user", "b"),
        ]
        assert prompt(model, 2) == [("system", "Be brief."), ("user", "elsewhere")]


async def test_several_new_messages_are_all_stored_and_sent(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        model = ScriptedModel(["Hi"])
        await (await agent_over(store, model)).ainvoke(says("a", "b"), caller=ALICE, session_id="s")
        assert plain(await stored(store)) == [("user", "a"), ("user", "b"), ("assistant", "Hi")]
        assert prompt(model) == [("user", "a"), ("user", "b")]


async def test_only_the_users_new_messages_are_taken(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        model = ScriptedModel(["Hi"])
        agent = await agent_over(store, model)
        given = {"messages": [Message("assistant", "a"), Message("user", "b")]}
        with pytest.raises(InvalidInputError):
            await agent.ainvoke(given, caller=ALICE, session_id="s")
        assert (model.calls, await store.list(user_id="alice")) == ([], [])


async def filled(store: ConversationStore, *pairs: tuple[str, str]) -> None:
    await store.create(user_id="alice", session_id="s")
    for question, answer in pairs:
        await store.append("s", Message("user", question), user_id="alice")
        await store.append("s", Message("assistant", answer), user_id="alice")


async def test_history_is_bounded_by_messages(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        await filled(store, ("a", "A"), ("b", "B"), ("c", "C"))
        model = ScriptedModel(["D", "E"])
        await (await agent_over(store, model, history_messages=2)).ainvoke(
            says("d"), caller=ALICE, session_id="s"
        )
        assert prompt(model) == [("user", "c"), ("assistant", "C"), ("user", "d")]
        await (await agent_over(store, model, history_messages=0)).ainvoke(
            says("e"), caller=ALICE, session_id="s"
        )
        assert prompt(model) == [("user", "e")]


async def test_history_is_bounded_by_tokens_and_the_oldest_exchanges_go_whole(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        await filled(store, ("a", "A" * 70), ("b" * 350, "B"), ("c", "C" * 70))
        model = ScriptedModel(["D", "E", "F"])
        for budget, expected in ((40, ["c"]), (150, ["b" * 350, "c"]), (1000, ["a", "b" * 350, "c"])):
            await store.delete("s", user_id="alice")
            await filled(store, ("a", "A" * 70), ("b" * 350, "B"), ("c", "C" * 70))
            agent = await agent_over(store, model, history_token_budget=budget)
            await agent.ainvoke(says("d"), caller=ALICE, session_id="s")
            sent = prompt(model)
            assert [text for role, text in sent if role == "user"] == [*expected, "d"]
            assert sent[0][0] == "user"


async def test_the_users_message_is_sent_however_small_the_budget(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        await filled(store, ("a", "A"))
        model = ScriptedModel(["B"])
        agent = await agent_over(store, model, history_token_budget=0)
        await agent.ainvoke(says("b" * 10_000), caller=ALICE, session_id="s")
        assert prompt(model) == [("user", "b" * 10_000)]


# Owners


@both_stores
async def test_the_same_session_id_of_two_people_is_two_conversations(
    store_in: StoreOpener, tmp_path: Path
) -> None:
    async with store_in(tmp_path) as store:
        model = ScriptedModel(["Hi Alice", "Hi Bob"])
        agent = await agent_over(store, model)
        await agent.ainvoke(says("Alice's secret"), caller=ALICE, session_id="s")
        await agent.ainvoke(says("Let me see"), caller=BOB, session_id="s")
        assert prompt(model) == [("user", "Let me see")]
        assert plain(await stored(store)) == [("user", "Alice's secret"), ("assistant", "Hi Alice")]
        assert plain(await stored(store, owner="bob")) == [("user", "Let me see"), ("assistant", "Hi Bob")]


async def test_nobody_has_a_conversation(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        model = ScriptedModel(["Hi"])
        for memory, error in ((None, ConversationError), (private_memory(), MemoryIsolationError)):
            agent = await agent_over(store, model, memory=memory)
            with pytest.raises(error):
                await agent.ainvoke(says("Hello"), session_id="s")
        assert model.calls == []


async def test_an_empty_session_id_is_a_mistake(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        with pytest.raises(InvalidInputError):
            await (await agent_over(store, ScriptedModel(["Hi"]))).ainvoke(
                says("Hello"), caller=ALICE, session_id=""
            )


# Memory


@both_stores
async def test_a_reply_keeps_what_it_recalled_as_it_was_then(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        memory = private_memory()
        kept = await memory.add("Atlas ships in May", user_id="alice")
        agent = await agent_over(store, ScriptedModel(["In May."]), memory=memory)
        await agent.ainvoke(says("When does Atlas ship?"), caller=ALICE, session_id="s")
        before = await memory.get(kept, user_id="alice")
        await memory.update(kept, "Atlas ships in June", user_id="alice")
        assert before is not None
        assert before.created_at is not None
        [recalled] = (await stored(store))[1].metadata["recalled"]
        assert (recalled["memory_id"], recalled["text"]) == (kept, "Atlas ships in May")
        assert recalled["created_at"] == before.created_at.isoformat()


async def test_what_was_recalled_is_stored_before_the_first_text(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        memory = private_memory()
        await memory.add("Atlas ships in May", user_id="alice")
        agent = await agent_over(store, ScriptedModel(["In May."]), memory=memory)
        async with aclosing(
            agent.astream(says("When does Atlas ship?"), caller=ALICE, session_id="s")
        ) as events:
            async for event in events:
                if isinstance(event, Recalled):
                    assert (await stored(store))[1].metadata["recalled"]
                    break


async def test_a_reply_without_memory_keeps_why(tmp_path: Path) -> None:
    class Broken(InMemoryProvider):
        async def search(
            self, query: str, *, limit: int = 5, user_id: str | None = None
        ) -> list[MemoryResult]:
            raise MemoryStoreError("The disk is gone.")

    async with in_memory(tmp_path) as store:
        agent = await agent_over(store, ScriptedModel(["Hi"]), memory=Broken(MemoryScope.PER_USER))
        await agent.ainvoke(says("Hello"), caller=ALICE, session_id="s")
        reply = (await stored(store))[1]
        assert (reply.state, reply.metadata["memory_note"]) == ("complete", "The disk is gone.")


# Failing


@both_stores
async def test_a_cut_reply_keeps_its_text_and_says_that_it_was_cut(
    store_in: StoreOpener, tmp_path: Path
) -> None:
    async with store_in(tmp_path) as store:
        cut = ReplyCutError("The connection ended.", partial="one two", hint="Try again.")
        agent = await agent_over(store, ScriptedModel([["one ", "two", cut]]))
        with pytest.raises(ReplyCutError):
            await agent.ainvoke(says("Count"), caller=ALICE, session_id="s")
        reply = (await stored(store))[1]
        assert (reply.content, reply.state) == ("one two", "cut")
        assert reply.metadata["error"] == {
            "title": "The reply was cut off",
            "message": "The connection ended.",
            "hint": "Try again.",
            "detail": "",
        }


@both_stores
@pytest.mark.parametrize("text", [[], ["some "]], ids=["at once", "after some text"])
async def test_a_failed_reply_keeps_the_error(store_in: StoreOpener, tmp_path: Path, text: list[str]) -> None:
    async with store_in(tmp_path) as store:
        error = RateLimitedError("Too many.", hint="Wait a minute.", detail="HTTP 429", retry_after=60)
        agent = await agent_over(store, ScriptedModel([[*text, error]]))
        with pytest.raises(RateLimitedError):
            await agent.ainvoke(says("Hello"), caller=ALICE, session_id="s")
        question, reply = await stored(store)
        assert (question.content, question.state) == ("Hello", "complete")
        assert (reply.content, reply.state) == ("".join(text), "failed")
        assert reply.metadata["error"] == {
            "title": "Too many requests",
            "message": "Too many.",
            "hint": "Wait a minute.",
            "detail": "HTTP 429",
        }


async def test_a_reply_that_failed_without_text_is_not_sent_later(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        model = ScriptedModel([RateLimitedError("Too many."), "Hi"])
        agent = await agent_over(store, model)
        with pytest.raises(RateLimitedError):
            await agent.ainvoke(says("a"), caller=ALICE, session_id="s")
        await agent.ainvoke(says("b"), caller=ALICE, session_id="s")
        assert prompt(model) == [("user", "a"), ("user", "b")]


async def test_a_fault_in_the_model_leaves_a_failed_reply(tmp_path: Path) -> None:
    def fault(messages: Sequence[Message]) -> str:
        raise ZeroDivisionError

    async with in_memory(tmp_path) as store:
        agent = await agent_over(store, ScriptedModel([fault]))
        with pytest.raises(ZeroDivisionError):
            await agent.ainvoke(says("Hello"), caller=ALICE, session_id="s")
        assert (await stored(store))[1].state == "failed"


async def test_text_that_can_not_be_stored_is_not_shown() -> None:
    class Full(InMemoryConversationStore):
        async def extend_reply(self, message_id: str, text: str, *, user_id: str) -> None:
            raise StoreFullError("The disk is full.")

    agent = await agent_over(Full(), ScriptedModel(["Hi"]))
    events: list[TurnEvent] = []
    with pytest.raises(StoreFullError):
        await gathered(agent, events, says("Hello"), caller=ALICE, session_id="s")
    assert [type(event) for event in events] == [TurnStarted, Recalled]


async def test_an_error_is_not_hidden_by_a_store_that_fails_too() -> None:
    class Full(InMemoryConversationStore):
        async def finish_reply(self, message_id: str, **options: Any) -> Any:
            raise StoreFullError("The disk is full.")

    agent = await agent_over(Full(), ScriptedModel([RateLimitedError("Too many.")]))
    with pytest.raises(RateLimitedError):
        await agent.ainvoke(says("Hello"), caller=ALICE, session_id="s")


# Stopping


@both_stores
async def test_stopping_keeps_what_was_shown(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        model = ScriptedModel([["one two ", asyncio.Event(), "never"], "Hi"])
        agent = await agent_over(store, model)
        async with aclosing(agent.astream(says("Count"), caller=ALICE, session_id="s")) as events:
            async for event in events:
                if isinstance(event, ReplyText):
                    break
        reply = (await stored(store))[1]
        assert (reply.content, reply.state) == ("one two ", "stopped")
        assert model.interrupted == 1
        await agent.ainvoke(says("Go on"), caller=ALICE, session_id="s")
        assert prompt(model) == [("user", "Count"), ("assistant", "one two "), ("user", "Go on")]


async def test_an_iterator_that_is_just_dropped_stops_the_reply_too(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        agent = await agent_over(store, ScriptedModel([["one ", asyncio.Event(), "never"], "Hi"]))
        async for event in agent.astream(says("Count"), caller=ALICE, session_id="s"):
            if isinstance(event, ReplyText):
                break
        await agent.ainvoke(says("Go on"), caller=ALICE, session_id="s")
        assert [entry.state for entry in await stored(store)] == [
            "complete",
            "stopped",
            "complete",
            "complete",
        ]


class Slowly(InMemoryConversationStore):
    """Gives way to others before and behind each write, as a real disk does."""

    async def append(self, *arguments: Any, **options: Any) -> Any:
        await asyncio.sleep(0)
        result = await super().append(*arguments, **options)
        await asyncio.sleep(0)
        return result

    async def begin_reply(self, *arguments: Any, **options: Any) -> Any:
        await asyncio.sleep(0)
        result = await super().begin_reply(*arguments, **options)
        await asyncio.sleep(0)
        return result

    async def extend_reply(self, *arguments: Any, **options: Any) -> Any:
        await asyncio.sleep(0)
        await super().extend_reply(*arguments, **options)
        await asyncio.sleep(0)

    async def finish_reply(self, *arguments: Any, **options: Any) -> Any:
        await asyncio.sleep(0)
        result = await super().finish_reply(*arguments, **options)
        await asyncio.sleep(0)
        return result


async def run_and_cancel(store: ConversationStore, steps: int, *, twice: bool) -> tuple[str, bool]:
    """Cancel a turn after so many steps of the loop; returns what it showed, and whether it had ended before."""
    memory = private_memory()
    await memory.add("Atlas ships in May", user_id="alice")
    model = ScriptedModel([["In ", "May."], ["In ", "May."]])
    agent = await agent_over(store, model, memory=memory, learner=rules_only(memory))
    shown: list[str] = []

    async def turn() -> None:
        wish = says("Remember that Atlas has a logo")
        async with aclosing(agent.astream(wish, caller=ALICE, session_id="s")) as events:
            async for event in events:
                if isinstance(event, ReplyText):
                    shown.append(event.text)

    task = asyncio.create_task(turn())
    for _ in range(steps):
        await asyncio.sleep(0)
    over = task.done()
    task.cancel()
    if twice:
        await asyncio.sleep(0)
        task.cancel()
    await asyncio.wait([task])
    assert over or task.cancelled()
    await agent.ainvoke(says("Still there?"), caller=ALICE, session_id="s")
    await agent.shutdown()
    return "".join(shown), over


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
async def test_cancelling_at_any_moment_leaves_no_reply_open(twice: bool) -> None:
    steps, over, states = 0, False, set()
    while not over:
        before = asyncio.all_tasks()
        store = Slowly()
        shown, over = await run_and_cancel(store, steps, twice=twice)
        kept = await stored(store)
        assert {entry.state for entry in kept if entry.role == "user"} == {"complete"}
        assert {entry.state for entry in kept} <= {"complete", "stopped"}
        assert plain(kept[-2:]) == [("user", "Still there?"), ("assistant", "In May.")]
        if len(kept) == 4:
            states.add(kept[1].state)
            assert kept[1].content.startswith(shown)
        assert asyncio.all_tasks() == before
        steps += 1
    assert steps > 20
    assert states == {"stopped", "complete"}


@pytest.mark.parametrize("steps", [0, 5, 10, 20, 40, 60])
async def test_cancelling_over_a_real_database_leaves_no_reply_open(tmp_path: Path, steps: int) -> None:
    async with in_sqlite(tmp_path) as store:
        await run_and_cancel(store, steps, twice=False)
        kept = await stored(store)
        assert {entry.state for entry in kept} <= {"complete", "stopped"}
        assert plain(kept[-2:]) == [("user", "Still there?"), ("assistant", "In May.")]


@both_stores
async def test_shutdown_stores_a_running_reply_as_stopped(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        agent = await agent_over(store, ScriptedModel([["one ", asyncio.Event(), "never"]]))
        with pytest.raises(StoreClosedError):
            await shut_down_in_mid_reply(agent, says("Count"), caller=ALICE, session_id="s")
        reply = (await stored(store))[1]
        assert (reply.content, reply.state) == ("one ", "stopped")


async def test_shutdown_stores_the_reply_of_a_turn_that_nobody_reads_any_more(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        agent = await agent_over(store, ScriptedModel([["one ", asyncio.Event(), "never"]]))
        events = agent.astream(says("Count"), caller=ALICE, session_id="s")
        async for event in events:
            if isinstance(event, ReplyText):
                break
        await agent.shutdown()
        assert (await stored(store))[1].state == "stopped"
        await events.aclose()


@pytest.mark.parametrize("moment", ["append", "begin_reply", "annotate", "extend_reply", "finish_reply"])
async def test_shutdown_at_any_write_leaves_no_reply_open(moment: str) -> None:
    reached, go_on = asyncio.Event(), asyncio.Event()

    class Waiting(InMemoryConversationStore):
        """Waits in one of its methods, behind the work."""

        def __getattribute__(self, name: str) -> Any:
            method = super().__getattribute__(name)
            if name != moment or reached.is_set():
                return method

            async def slowly(*arguments: Any, **options: Any) -> Any:
                result = await method(*arguments, **options)
                reached.set()
                await go_on.wait()
                return result

            return slowly

    memory = private_memory()
    await memory.add("Atlas ships in May", user_id="alice")
    store = Waiting()
    agent = await agent_over(store, ScriptedModel(["In May."]), memory=memory)
    turn = asyncio.create_task(agent.ainvoke(says("Which Atlas?"), caller=ALICE, session_id="s"))
    await reached.wait()
    closing = asyncio.create_task(agent.shutdown())
    await asyncio.sleep(0)
    go_on.set()
    await closing
    await asyncio.wait([turn])
    assert moment == "finish_reply" or isinstance(turn.exception(), StoreClosedError)
    assert {entry.state for entry in await stored(store)} <= {"complete", "stopped"}


async def test_shutdown_while_memory_is_searched_ends_the_turn_before_the_model_is_called() -> None:
    searching = asyncio.Event()

    class Slow(InMemoryProvider):
        async def search(
            self, query: str, *, limit: int = 5, user_id: str | None = None
        ) -> list[MemoryResult]:
            searching.set()
            await asyncio.Event().wait()
            return []

    model, store = ScriptedModel(["Hi"]), InMemoryConversationStore()
    agent = await agent_over(store, model, memory=Slow())
    turn = asyncio.create_task(agent.ainvoke(says("Hello"), caller=ALICE, session_id="s"))
    await searching.wait()
    await agent.shutdown()
    with pytest.raises(StoreClosedError):
        await turn
    assert model.calls == []
    assert [entry.state for entry in await stored(store)] == ["complete", "stopped"]


KILLED = """
import asyncio, sys
from pathlib import Path
from assistant import CallerContext, build_agent
from assistant.agent import ReplyText
from assistant.models.scripted import ScriptedModel, Step
from assistant.conversation.sqlite_store import SqliteConversationStore

async def main():
    store = await SqliteConversationStore.open(Path(sys.argv[1]) / "conversations.db")
    model = ScriptedModel([["one ", "two ", "three ", asyncio.Event()]])
    agent = await build_agent(model, conversation_store=store)
    said = {"messages": [{"role": "user", "content": "Count"}]}
    async for event in agent.astream(said, caller=CallerContext(user_id="alice"), session_id="s"):
        if isinstance(event, ReplyText):
            print(event.text, flush=True)

asyncio.run(main())
"""


def shown_until_killed(folder: Path) -> str:
    command = [sys.executable, "-c", KILLED, str(folder)]
    with subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        shown = ""
        while "three" not in shown:
            shown += child.stdout.readline().removesuffix("\n")
        child.kill()
    return shown


async def test_after_a_kill_in_mid_stream_the_message_and_the_shown_part_are_there(tmp_path: Path) -> None:
    shown = await asyncio.to_thread(shown_until_killed, tmp_path)
    async with in_sqlite(tmp_path) as store:
        question, reply = await stored(store)
        assert (question.content, question.state) == ("Count", "complete")
        assert (reply.content, reply.state) == (shown, "cut")


# Retrying


@both_stores
async def test_a_message_can_be_answered_again(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        model = ScriptedModel(["One", "Two", "Another two", "Three"])
        agent = await agent_over(store, model)
        for text in ("a", "b"):
            await agent.ainvoke(says(text), caller=ALICE, session_id="s")
        question = (await stored(store))[2]
        events = await events_of(agent, None, caller=ALICE, session_id="s", answer_to=question.message_id)
        assert text_of(events) == "Another two"
        assert prompt(model) == [("user", "a"), ("assistant", "One"), ("user", "b")]
        path = await stored(store)
        assert plain(path) == [
            ("user", "a"),
            ("assistant", "One"),
            ("user", "b"),
            ("assistant", "Another two"),
        ]
        started, done = events[0], events[-1]
        assert started == TurnStarted("s", question.message_id, path[3].message_id)
        assert isinstance(done, TurnDone)
        assert plain(done.result["messages"]) == [("user", "b"), ("assistant", "Another two")]
        await agent.ainvoke(says("c"), caller=ALICE, session_id="s")
        assert [text for _, text in prompt(model)] == ["a", "One", "b", "Another two", "c"]


async def test_an_early_message_of_a_long_conversation_can_be_answered_again(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        await filled(store, *((f"q{n}", f"a{n}") for n in range(120)))
        question = (await store.messages("s", user_id="alice", before=3, limit=1)).items[0]
        model = ScriptedModel(["Again"])
        agent = await agent_over(store, model)
        await events_of(agent, {"messages": []}, caller=ALICE, session_id="s", answer_to=question.message_id)
        assert [text for _, text in prompt(model)] == ["q0", "a0", "q1"]


async def test_answering_again_keeps_no_wish_again(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        memory = private_memory()
        agent = await agent_over(
            store, ScriptedModel(["Ok", "Ok"]), memory=memory, learner=rules_only(memory)
        )
        await agent.ainvoke(says("Remember that I like tea"), caller=ALICE, session_id="s")
        question = (await stored(store))[0]
        await events_of(agent, caller=ALICE, session_id="s", answer_to=question.message_id)
        assert await memory.count(user_id="alice") == 1


async def test_what_can_not_be_answered_again_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        await filled(store, ("a", "A"))
        question, reply = await stored(store)
        model = ScriptedModel(["Hi"])
        agent = await agent_over(store, model)
        for given, session, answer_to in (
            (None, "s", "no such message"),
            (None, "s", reply.message_id),
            (None, None, question.message_id),
            (says("more"), "s", question.message_id),
        ):
            with pytest.raises(InvalidInputError):
                await events_of(agent, given, caller=ALICE, session_id=session, answer_to=answer_to)
        with pytest.raises(NoSuchConversationError):
            await events_of(agent, caller=BOB, session_id="s", answer_to=question.message_id)
        assert model.calls == []
        assert plain(await stored(store)) == [("user", "a"), ("assistant", "A")]


# Several at once


@both_stores
async def test_turns_of_one_conversation_wait_for_each_other(store_in: StoreOpener, tmp_path: Path) -> None:
    async with store_in(tmp_path) as store:
        model = ScriptedModel([f"Answer {n}" for n in range(5)])
        agent = await agent_over(store, model)
        await asyncio.gather(
            *(agent.ainvoke(says(f"Question {n}"), caller=ALICE, session_id="s") for n in range(5))
        )
        path = await stored(store)
        assert [entry.role for entry in path] == ["user", "assistant"] * 5
        for number in range(5):
            assert prompt(model, number) == plain(path[: 2 * number + 1])


class Calling(asyncio.Event):
    """A step of a script that waits for nothing and tells that it was reached."""

    def __init__(self, reached: asyncio.Event) -> None:
        super().__init__()
        self._reached = reached

    async def wait(self) -> Literal[True]:
        self._reached.set()
        return True


async def test_turns_of_different_conversations_do_not_wait(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        called, go_on = asyncio.Event(), asyncio.Event()
        model = ScriptedModel([[Calling(called), go_on], "Hi"])
        agent = await agent_over(store, model)
        first = asyncio.create_task(agent.ainvoke(says("Count"), caller=ALICE, session_id="s"))
        await called.wait()
        await agent.ainvoke(says("Hello"), caller=ALICE, session_id="other")
        assert not first.done()
        go_on.set()
        await first


async def test_a_waiting_turn_that_is_cancelled_stores_nothing_and_holds_up_nobody(tmp_path: Path) -> None:
    async with in_memory(tmp_path) as store:
        called, go_on = asyncio.Event(), asyncio.Event()
        model = ScriptedModel([[Calling(called), go_on], "Hi"])
        agent = await agent_over(store, model)
        first = asyncio.create_task(agent.ainvoke(says("Count"), caller=ALICE, session_id="s"))
        await called.wait()
        second = asyncio.create_task(agent.ainvoke(says("Never mind"), caller=ALICE, session_id="s"))
        third = asyncio.create_task(agent.ainvoke(says("Hello"), caller=ALICE, session_id="s"))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.wait([second])
        go_on.set()
        await asyncio.gather(first, third)
        assert [text for role, text in plain(await stored(store)) if role == "user"] == ["Count", "Hello"]


async def test_a_store_that_fails_fails_the_turn_before_the_model_is_called() -> None:
    class Full(InMemoryConversationStore):
        async def append(self, *arguments: Any, **options: Any) -> Any:
            raise StoreFullError("The disk is full.")

    model = ScriptedModel(["Hi"])
    with pytest.raises(StorageError):
        await (await agent_over(Full(), model)).ainvoke(says("Hello"), caller=ALICE, session_id="s")
    assert model.calls == []
