"""Parts for tests of the agent: stores of both kinds, and shorthands."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager
from pathlib import Path
from typing import Any, Protocol

from assistant.agent import Agent, ReplyText, TurnEvent
from assistant.conversation.base import ConversationStore, StoredMessage
from assistant.conversation.memory_store import InMemoryConversationStore
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.core.tasks import Supervisor
from assistant.core.types import CallerContext, Message
from assistant.memory import InMemoryProvider, MemoryProvider, MemoryScope
from assistant.memory.learning.learner import Learner
from assistant.memory.learning.making import make_learner
from assistant.models.scripted import ScriptedModel

ALICE = CallerContext(user_id="alice")
BOB = CallerContext(user_id="bob")


class StoreOpener(Protocol):
    def __call__(self, folder: Path) -> AbstractAsyncContextManager[ConversationStore]: ...


@asynccontextmanager
async def in_memory(folder: Path) -> AsyncIterator[ConversationStore]:
    store = InMemoryConversationStore()
    try:
        yield store
    finally:
        await store.close()


@asynccontextmanager
async def in_sqlite(folder: Path) -> AsyncIterator[ConversationStore]:
    store = await SqliteConversationStore.open(folder / "conversations.db")
    try:
        yield store
    finally:
        await store.close()


def says(*texts: str) -> dict[str, Any]:
    """The input of a turn: what the user says."""
    return {"messages": [{"role": "user", "content": text} for text in texts]}


def private_memory() -> InMemoryProvider:
    return InMemoryProvider(MemoryScope.PER_USER)


def prompt(model: ScriptedModel, call: int = -1) -> list[tuple[str, str]]:
    """Roles and contents of a prompt that the model got."""
    return [(message.role, message.content) for message in model.calls[call].messages]


def plain(messages: Sequence[Message | StoredMessage]) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in messages]


async def events_of(agent: Agent, *arguments: Any, **options: Any) -> list[TurnEvent]:
    async with aclosing(agent.astream(*arguments, **options)) as events:
        return [event async for event in events]


async def gathered(agent: Agent, into: list[TurnEvent], *arguments: Any, **options: Any) -> None:
    """Put the events of a turn into a list, which keeps those before an error."""
    async with aclosing(agent.astream(*arguments, **options)) as events:
        async for event in events:
            into.append(event)  # a comprehension would lose them


async def shut_down_in_mid_reply(agent: Agent, *arguments: Any, **options: Any) -> None:
    """Take a turn and shut the agent down at its first text."""
    async with aclosing(agent.astream(*arguments, **options)) as events:
        async for event in events:
            if isinstance(event, ReplyText):
                await agent.shutdown()


def text_of(events: Sequence[TurnEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, ReplyText))


async def stored(
    store: ConversationStore, session_id: str = "s", owner: str = "alice"
) -> list[StoredMessage]:
    return list((await store.messages(session_id, user_id=owner)).items)


def rules_only(memory: MemoryProvider) -> Learner:
    """Learns by the rules, so that a scripted model is asked for replies only."""
    tasks = Supervisor(lambda name, error: None)
    return make_learner(memory, None, consent="save", on_learned=None, tasks=tasks)
