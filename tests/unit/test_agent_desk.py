"""The desk keeps one agent for what is in force, and lets go of everything with the profile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from assistant.agent import Agent, ReplyText
from assistant.agent.answer_book import FILE_NAME, KeptAnswers
from assistant.agent.answers import replaced_by
from assistant.agent.desk import AgentDesk
from assistant.bootstrap import open_conversations, open_record
from assistant.config.settings import Settings
from assistant.config.settings_keeper import SettingsKeeper
from assistant.config.settings_store import SettingsStore
from assistant.context.engine import ContextEngine
from assistant.core.errors import ContextTooLongError, StoreClosedError
from assistant.core.types import CallerContext, Message
from assistant.memory.learning.base import Learned, LearnedMemory, Utterance
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.memory.ledger.opening import open_memory
from assistant.models.base import ChatModel
from assistant.models.scripted import ScriptedModel
from assistant.ownership.profile import Profile, StoreOpeners
from tests.agent_fixtures import events_of, says
from tests.learner_fixtures import Held, learner
from tests.memory_fixtures import HashEmbedder

QUESTION = "How do I learn French?"


class FixedBoard:
    """A switchboard whose model the test sets."""

    def __init__(self, model: ChatModel | None, *, stays: bool = True) -> None:
        self.chosen = model
        self.stays = stays

    async def model(self) -> ChatModel | None:
        return self.chosen

    @property
    def destination(self) -> tuple[str, str, bool]:
        return "model", "this computer" if self.stays else "api.example.com", self.stays


class NoLearning:
    """A desk of learners that has none, and tells what the test says."""

    def __init__(self) -> None:
        self.listeners: list[Any] = []
        self.chosen: Any = None

    async def learner(self) -> Any:
        return self.chosen

    def check(self) -> None:
        return

    def listen(self, listener: Any) -> None:
        self.listeners.append(listener)


@dataclass
class Office:
    """A desk with all that it works with."""

    desk: AgentDesk
    board: FixedBoard
    profile: Profile
    settings: SettingsKeeper
    learning: NoLearning = field(default_factory=NoLearning)

    @property
    def caller(self) -> CallerContext:
        return CallerContext(self.profile.owner_id)

    @property
    def answers_file(self) -> Path:
        return self.profile.directory / FILE_NAME

    async def agent(self) -> Agent:
        agent = await self.desk.agent()
        assert agent is not None
        return agent

    async def ask(self, question: str = QUESTION) -> Any:
        return await (await self.agent()).ainvoke(says(question), caller=self.caller)


@asynccontextmanager
async def office(
    folder: Path, model: ChatModel | None, *, stays: bool = True, **settings: Any
) -> AsyncIterator[Office]:
    async def open_ledger(place: Path) -> MemoryLedger:
        return await open_memory(place / "memory", embedder=HashEmbedder())

    keeper = SettingsKeeper(SettingsStore(folder / "settings.toml"), Settings(**settings))
    profile = Profile(folder / "profile", StoreOpeners(open_record, open_conversations, open_ledger))
    board, learning = FixedBoard(model, stays=stays), NoLearning()
    desk = AgentDesk(keeper, board, profile, learning)  # type: ignore[arg-type]
    await profile.open()
    try:
        yield Office(desk, board, profile, keeper, learning)
    finally:
        await profile.close()


async def test_without_a_model_there_is_no_agent(tmp_path: Path) -> None:
    async with office(tmp_path, None) as at:
        assert await at.desk.agent() is None


async def test_one_agent_serves_until_something_changes(tmp_path: Path) -> None:
    async with office(tmp_path, ScriptedModel()) as at:
        first = await at.agent()
        assert await at.agent() is first
        for change in (
            {"cache_mode": "semantic"},
            {"cache_mode": "off"},
            {"instructions": "Be brief."},
            {"memory_enabled": False},
        ):
            at.settings.change(**change)
            changed = await at.agent()
            assert changed is not first
            first = changed


async def test_two_who_ask_at_once_get_the_same_agent(tmp_path: Path) -> None:
    async with office(tmp_path, ScriptedModel()) as at:
        one, other = await asyncio.gather(at.desk.agent(), at.desk.agent())
        assert one is other


async def test_another_model_closes_the_engine_of_the_one_before(tmp_path: Path) -> None:
    async with office(tmp_path, ScriptedModel(name="openai:gpt-4")) as at:
        await at.desk.warm_up()
        engine = at.desk._engine
        assert isinstance(engine, ContextEngine)
        at.board.chosen = ScriptedModel(name="openai:gpt-5")
        await at.agent()
        with pytest.raises(StoreClosedError):
            await engine.warmup()


async def test_a_repeated_question_is_answered_from_the_file(tmp_path: Path) -> None:
    model = ScriptedModel(["Daily."])
    async with office(tmp_path, model) as at:
        await at.ask()
        assert (await at.ask())["cached"]
        kept = await at.desk.kept_answers()
        assert kept.count == 1
        assert kept.size > 0


async def test_closing_the_profile_closes_the_answers_and_the_next_use_opens_them(tmp_path: Path) -> None:
    model = ScriptedModel(["Daily."])
    async with office(tmp_path, model) as at:
        await at.ask()
        await at.profile.close()
        with pytest.raises(StoreClosedError):
            await at.desk.agent()
        await at.profile.open()
        assert (await at.ask())["cached"]


async def test_a_wipe_takes_the_answers_along(tmp_path: Path) -> None:
    model = ScriptedModel(["Daily.", "Daily, again."])
    async with office(tmp_path, model) as at:
        await at.ask()
        report = await at.profile.wipe()
        assert report.traces == ()
        assert report.files_left == 0
        assert not at.answers_file.exists()
        assert not (await at.ask())["cached"]


async def test_forgetting_reaches_answers_without_any_agent(tmp_path: Path) -> None:
    model = ScriptedModel(["She plays the violin, since 1994."])
    async with office(tmp_path, model) as at:
        memory_id = await at.profile.memory.add("Ana plays the violin.", user_id=at.profile.owner_id)
        await at.ask("What does Ana play?")
        at.settings.change(cache_mode="off")
    async with office(tmp_path, None) as at:
        assert await at.desk.forget_answers([memory_id]) == 1
        await at.desk.close()
        assert b"since 1994" not in at.answers_file.read_bytes()


async def test_forgetting_makes_no_file(tmp_path: Path) -> None:
    async with office(tmp_path, None) as at:
        assert await at.desk.forget_answers(["nobody"]) == 0
        assert await at.desk.clear_answers() == 0
        assert await at.desk.kept_answers() == KeptAnswers()
        assert not at.answers_file.exists()


async def test_all_answers_can_be_cleared(tmp_path: Path) -> None:
    async with office(tmp_path, ScriptedModel(["Daily.", "Daily, again."])) as at:
        await at.ask()
        assert await at.desk.clear_answers() == 1
        assert (await at.desk.kept_answers()).count == 0
        assert not (await at.ask())["cached"]


@pytest.mark.parametrize(("waits", "left"), [(False, 0), (True, 1)])
async def test_what_takes_a_memorys_place_in_the_background_takes_its_answers(
    tmp_path: Path, waits: bool, left: int
) -> None:
    async with office(tmp_path, ScriptedModel(["The violin."])) as at:
        memory_id = await at.profile.memory.add("Ana plays the violin.", user_id=at.profile.owner_id)
        await at.ask("What does Ana play?")
        learned = Learned((LearnedMemory("new", "Ana plays the cello.", waits=waits, replaced=memory_id),))
        for listener in at.learning.listeners:
            listener(at.profile.owner_id, Utterance("…", datetime.now(UTC), None, None), learned)
        await at.desk.close()
        assert (await at.desk.kept_answers()).count == left


@pytest.mark.parametrize(
    ("stays", "guard", "sent"),
    [
        (False, True, "Write to [email removed]."),
        (False, False, "Write to ana@example.com."),
        (True, True, "Write to ana@example.com."),
    ],
)
async def test_personal_data_is_masked_only_in_what_leaves_this_computer(
    tmp_path: Path, stays: bool, guard: bool, sent: str
) -> None:
    model = ScriptedModel(["Done."])
    async with office(tmp_path, model, stays=stays, guard_private_data=guard) as at:
        await at.ask("Write to ana@example.com.")
        assert model.calls[0].messages[-1].content == sent


async def test_a_masked_turn_still_shows_its_reply_while_it_is_written(tmp_path: Path) -> None:
    model = ScriptedModel([["Call ", "bob@example.com", " now."], "Done."])
    async with office(tmp_path, model, stays=False, guard_private_data=True) as at:
        agent, caller = await at.agent(), at.caller
        events = await events_of(agent, says("Whom do I call?"), caller=caller, session_id="s")
        shown = "".join(event.text for event in events if isinstance(event, ReplyText))
        assert shown == "Call bob@example.com now."
        await agent.ainvoke(says("And then?"), caller=caller, session_id="s")
        # What was said goes out again with the next message, and then it is masked.
        assert "bob@example.com" not in "".join(m.content for m in model.calls[1].messages)


async def test_a_preview_is_what_is_sent_then_and_leaves_no_trace(tmp_path: Path) -> None:
    model = ScriptedModel(["She plays the violin."])
    async with office(tmp_path, model) as at:
        memory_id = await at.profile.memory.add("Ana plays the violin.", user_id=at.profile.owner_id)
        agent, question = await at.agent(), Message("user", "What does Ana play?")
        preview = await agent.preview([question], caller=at.caller, session_id="s")
        assert model.calls == []
        assert await at.profile.conversations.list(user_id=at.profile.owner_id) == []
        entry = await at.profile.memory.entry(memory_id, user_id=at.profile.owner_id)
        assert entry is not None
        assert entry.uses == 0
        await agent.ainvoke(says(question.content), caller=at.caller, session_id="s")
        assert model.calls[0].messages == preview.messages
        assert preview.report is not None
        assert sum(layer.messages for layer in preview.report.layers) == len(preview.messages)


class Asleep(ScriptedModel):
    """A model whose server is not started, and must not be by a look."""

    @property
    def is_running(self) -> bool:
        return False

    async def context_window(self) -> int:
        raise AssertionError("a look started the server")

    async def tokenize(self, text: str) -> int:
        raise AssertionError("a look started the server")


async def test_a_preview_starts_no_server(tmp_path: Path) -> None:
    async with office(tmp_path, Asleep(name="local:test")) as at:
        preview = await (await at.agent()).preview([Message("user", "Hello")], caller=at.caller)
        assert preview.report is not None
        assert preview.report.window_source == "assumed"


async def test_a_message_without_room_is_known_before_it_is_stored(tmp_path: Path) -> None:
    async with office(tmp_path, ScriptedModel(name="openai:gpt-4")) as at:
        agent = await at.agent()
        await agent.check_room(Message("user", "Hello"))
        with pytest.raises(ContextTooLongError) as raised:
            await agent.check_room(Message("user", "word " * 9000))
        assert raised.value.tokens is not None
        assert raised.value.limit is not None
        assert raised.value.tokens > raised.value.limit


@pytest.mark.parametrize("replaced", [False, True])
async def test_closing_waits_for_what_is_still_being_kept(tmp_path: Path, replaced: bool) -> None:
    async with office(tmp_path, ScriptedModel(["Noted."])) as at:
        rules = Held()
        async with learner(at.profile.memory, rules=rules) as at.learning.chosen:
            turn = asyncio.create_task(at.ask("My cat is Tom."))
            await rules.called.wait()
            turn.cancel()
            await asyncio.wait([turn])
            if replaced:
                at.settings.change(instructions="Be brief.")
                await at.agent()
            closing = asyncio.create_task(at.desk.close())
            await asyncio.wait([closing], timeout=0.02)
            assert not closing.done()
            rules.go.set()
            await closing
            kept = await at.profile.memory.list(user_id=at.profile.owner_id)
            assert [memory.content for memory in kept.items] == ["My cat is Tom"]


async def test_closing_waits_no_longer_than_a_moment_for_what_is_never_kept(tmp_path: Path) -> None:
    async with office(tmp_path, ScriptedModel(["Noted."])) as at:
        rules = Held()
        async with learner(at.profile.memory, rules=rules) as at.learning.chosen:
            turn = asyncio.create_task(at.ask("My cat is Tom."))
            await rules.called.wait()
            turn.cancel()
            await asyncio.wait([turn])
            await at.desk.close()
            assert rules.running == 1


def test_all_that_a_memory_replaced_counts_as_replaced() -> None:
    told = {"replaces": "a", "also_replaces": ["b", "c"]}
    kept = (
        LearnedMemory("new", "Ana plays the cello.", metadata=told),
        LearnedMemory("newer", "Ana lives in Rome.", replaced="d"),
        LearnedMemory("waiting", "Ana has a cat.", waits=True, replaced="e", metadata={"replaces": "e"}),
    )
    assert sorted(replaced_by(Learned(kept))) == ["a", "b", "c", "d"]
