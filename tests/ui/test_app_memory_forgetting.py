"""A memory that is deleted in the window: hidden at once, back as it was on Undo, gone for good afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assistant.core.types import Message
from assistant.storage.scan import find_bytes
from tests.chat_server import ChatServer, says
from tests.ui.app_fixtures import Running, open_app
from tests.ui.memory_steps import entry, ledger, propose, say_turn

TOWN = "Zwolpertingen"


async def history(running: Running) -> str:
    """A pinned memory with an older text, that took another's place."""
    memory = await ledger(running)
    first = await memory.add("Lives in Faro.", user_id=running.owner)
    second = await memory.supersede(first, "Lives in Lisboa.", user_id=running.owner)
    assert second is not None
    await memory.update(second, "Lives in Lisbon.", user_id=running.owner)
    await memory.pin(second, user_id=running.owner)
    return second


async def delete(running: Running, memory_id: str) -> None:
    running.window.memory.delete_requested.emit(memory_id)
    await running.settled()


async def test_undo_brings_a_memory_back_with_its_history_its_texts_and_what_was_said(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        memory, owner = await ledger(running), running.owner
        kept = await history(running)
        await say_turn(running, "I live in Lisbon.")
        before = await entry(running, kept)
        await delete(running, kept)
        assert await memory.search("Lisbon", user_id=owner) == []
        assert await memory.count(user_id=owner, state="superseded") == 0
        running.window.toast.trigger()
        await running.settled()
        assert await entry(running, kept) == before
        assert len(await memory.versions(kept, user_id=owner)) == 1
        assert len(await memory.browser.history(kept, user_id=owner)) == 1
        assert len(await memory.search("Lisbon", user_id=owner)) == 2
        assert await memory.hidden(user_id=owner) == []


async def test_when_the_note_ends_it_is_forgotten_for_good_with_what_replies_noted_of_it(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        memory, owner, store = await ledger(running), running.owner, running.profile.conversations
        kept = await memory.add(f"Lives in {TOWN}.", user_id=owner)
        session = (await store.create(user_id=owner)).session_id
        notes = {"recalled": [{"memory_id": kept, "text": f"Lives in {TOWN}."}]}
        await store.append(session, Message("assistant", "At home.", notes), user_id=owner)
        await delete(running, kept)
        running.window.toast.expire()
        await running.settled()
        assert await memory.hidden(user_id=owner) == []
        assert await memory.was_forgotten(f"Lives in {TOWN}.", user_id=owner)
        page = await store.messages(session, user_id=owner)
        assert page.items[0].metadata == {"recalled": []}
        assert find_bytes(running.profile.directory / "conversations.sqlite", [TOWN]) == []


async def test_what_was_deleted_before_a_crash_is_not_used_and_forgotten_at_the_next_start(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path, crash=True) as running:
        await delete(running, await history(running))
    async with open_app(tmp_path) as running:
        await running.settled()
        memory = await ledger(running)
        assert running.memories() == []
        assert await memory.hidden(user_id=running.owner) == []
        assert await memory.was_forgotten("Lives in Lisbon.", user_id=running.owner)


async def test_a_second_delete_leaves_the_first_one_its_time(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        memory = await ledger(running)
        first, second = await running.remember("The boat is called Möwe.", "Has asthma.")
        await delete(running, first)
        await delete(running, second)
        assert sorted(await memory.hidden(user_id=running.owner)) == sorted([first, second])
        running.window.toast.trigger()
        await running.settled()
        assert running.memories() == ["Has asthma."]
        running.window.toast.trigger()
        await running.settled()
        assert sorted(running.memories()) == ["Has asthma.", "The boat is called Möwe."]


async def test_what_was_refused_is_gone_when_the_note_ends(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        memory = await ledger(running)
        waiting = await propose(running, "Has asthma.")
        running.app.memories.changes.dismiss(waiting)
        await running.settled()
        assert await memory.hidden(user_id=running.owner) == waiting
        running.window.toast.expire()
        await running.settled()
        assert await memory.hidden(user_id=running.owner) == []
        assert await memory.was_forgotten("Has asthma.", user_id=running.owner)


async def test_a_deleted_conversation_takes_its_answers_with_it(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer() as server,
        open_app(tmp_path, server=server, memory_extraction=False) as running,
    ):
        server.answer(says("Daily."), says("Read books."))
        for _ in range(2):
            await running.open("")
            await running.say("How do I learn French?")
        assert len(server.chats) == 1
        store, owner = running.profile.conversations, running.owner
        for conversation in await store.list(user_id=owner):
            running.app.conversations.delete(conversation.session_id)
            await running.settled()
            running.window.toast.expire()
            await running.settled()
        assert await running.profile.record.hidden("conversation") == frozenset()
        await running.open("")
        await running.say("How do I learn French?")
        assert len(server.chats) == 2
