"""All about one memory, and the memories that a reply was given, in the running window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt

from assistant.ui.windows.dialogs import MemoryDialog
from assistant.ui.windows.memory_details import MemoryDetailsDialog
from assistant.ui.windows.recalled import RecalledDialog
from tests.chat_server import ChatServer
from tests.ui.app_fixtures import Running, button, click, open_app, text_of, until
from tests.ui.memory_steps import entry, mark, press, propose, say_turn


async def details(running: Running, place: int = 0) -> MemoryDetailsDialog:
    """Press Enter on a row; the dialog."""
    await press(running, place, Qt.Key.Key_Return)
    return await running.dialog(MemoryDetailsDialog)


async def gone(running: Running) -> None:
    """Wait until no details are shown and nothing runs."""
    await until(lambda: not running.shown(MemoryDetailsDialog), "the dialog is closed")
    await running.settled()


async def test_enter_on_a_memory_tells_all_about_it(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, message = await say_turn(running, "I prefer metric units, by the way", title="Units")
        memory_id = await running.profile.memory.add(
            "Prefers metric units.",
            metadata={
                "kind": "preference",
                "quote": "I prefer metric units",
                "source": {"session_id": session, "message_id": message},
            },
            user_id=running.owner,
        )
        await running.profile.memory.recall("metric units", user_id=running.owner, token_budget=500)
        await running.app.memories.load()
        said = text_of(await details(running))
        for part in (
            "Prefers metric units.",
            "“I prefer metric units”",
            "Preference",
            "you said in “Units”",
            "1 time",
        ):
            assert part in said
        click(await running.dialog(MemoryDetailsDialog), "Show where it was said")
        await gone(running)
        assert running.app.chat.session_id == session
        assert await entry(running, memory_id) is not None


async def test_a_memory_that_was_added_by_hand_leads_nowhere(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("Prefers trains.")
        dialog = await details(running)
        assert "you added it" in text_of(dialog)
        assert "not yet" in text_of(dialog)
        assert not [b for b in dialog.findChildren(type(button(dialog, "Close"))) if "Show" in b.text()]
        dialog.reject()


async def test_a_memory_can_go_back_to_what_it_said_before(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await running.remember("The boat is called Möwe.")
        await running.profile.memory.update(memory_id, "The boat is called Gull.", user_id=running.owner)
        await running.app.memories.load()
        dialog = await details(running)
        assert "What it said before" in text_of(dialog)
        click(dialog, "Go back to this")
        await gone(running)
        assert running.memories() == ["The boat is called Möwe."]


async def test_what_replaced_what_can_be_walked_through(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        memory, owner = running.profile.memory, running.owner
        (first,) = await running.remember("Lives in Lisbon.")
        second = await memory.supersede(first, "Lives in Porto.", user_id=owner)
        assert second is not None
        await memory.supersede(second, "Lives in Braga.", user_id=owner)
        await running.app.memories.load()
        dialog = await details(running)
        said = text_of(dialog)
        assert said.index("What it took the place of") < said.index("Porto") < said.index("Lisbon")
        shows = [b for b in dialog.findChildren(type(button(dialog, "Close"))) if b.text() == "Show"]
        assert shows[1].accessibleName() == "Show: Lives in Lisbon."
        shows[1].click()
        await until(
            lambda: running.shown(MemoryDetailsDialog) and running.shown(MemoryDetailsDialog) != [dialog],
            "it",
        )
        earlier = await running.dialog(MemoryDetailsDialog)
        said = text_of(earlier)
        assert said.startswith("Earlier memory\nLives in Lisbon.")
        assert said.index("Lives in Porto.") < said.index("Its place was taken by")
        earlier.reject()


async def test_pin_edit_and_delete_are_in_the_details(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await running.remember("Prefers trains.")
        click(await details(running), "Pin")
        await gone(running)
        assert running.window.memory.rows()[0].pinned
        click(await details(running), "Edit…")
        (await running.dialog(MemoryDialog)).reject()
        await gone(running)
        click(await details(running), "Delete")
        await gone(running)
        assert await entry(running, memory_id) is None


async def test_the_details_of_what_waits_take_the_persons_word(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await propose(running, "Has asthma.")
        running.window.memory.show_view("waiting")
        await running.settled()
        await press(running, 0, Qt.Key.Key_Space)
        dialog = await running.dialog(MemoryDetailsDialog)
        assert "This waits because it is about health." in text_of(dialog)
        click(dialog, "Remember")
        await gone(running)
        assert await running.kept() == ["Has asthma."]


async def test_a_memory_of_any_length_has_details_that_fit(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("long " * 5_000, "<b>bold</b>\0 & 漢字")
        for place in (0, 1):
            mark(running, place)
            dialog = await details(running, place)
            dialog.grab()
            assert dialog.height() < 700
            dialog.reject()
            await gone(running)


# -- what a reply was given


async def recalled(running: Running, question: str) -> RecalledDialog:
    """Ask, and open the list of memories that the reply used."""
    reply = await running.say(question)
    running.window.chat.view.memories_requested.emit(reply.message_id)
    return await running.dialog(RecalledDialog)


async def test_a_memory_used_tells_when_and_why_it_was_found(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.remember("The boat is called Möwe.")
        dialog = await recalled(running, "What is the boat called?")
        said = text_of(dialog)
        assert "The boat is called Möwe." in said
        assert "today" in said
        assert "Found because: has the words “boat”" in said
        dialog.reject()


async def test_why_it_was_found_is_known_after_a_restart(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path, server=server) as running:
            await running.remember("The boat is called Möwe.")
            await running.say("What is the boat called?")
        async with open_app(tmp_path, server=server) as running:
            running.window.chat.view.memories_requested.emit(running.items()[-1].message_id)
            dialog = await running.dialog(RecalledDialog)
            assert "has the words “boat”" in text_of(dialog)
            dialog.reject()


async def test_what_was_said_elsewhere_leads_there_and_can_be_barred_from_use(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        session, _ = await say_turn(running, "The boat Möwe lies in the harbour of Lund")
        dialog = await recalled(running, "Where does the boat Möwe lie?")
        assert "you said" in text_of(dialog)
        click(dialog, "Don't use again")
        await running.settled()
        assert running.window.toast.text() == "Not used any more. The message stays."
        found = await running.profile.memory.search("boat Möwe harbour", user_id=running.owner)
        assert "The boat Möwe lies in the harbour of Lund" not in [m.content for m in found]
        running.window.toast.trigger()
        await running.settled()
        running.window.chat.view.memories_requested.emit(running.items()[-1].message_id)
        click(await running.dialog(RecalledDialog), "Show where it was said")
        await running.settled()
        assert running.app.chat.session_id == session


async def test_a_used_memory_that_is_gone_or_changed_is_said_to_be(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        (memory_id,) = await running.remember("The boat is called Möwe.")
        dialog = await recalled(running, "What is the boat called?")
        dialog.reject()
        await running.profile.memory.update(memory_id, "The boat is called Gull.", user_id=running.owner)
        running.window.chat.view.memories_requested.emit(running.items()[-1].message_id)
        await until(
            lambda: (
                running.shown(RecalledDialog) and "edited since" in text_of(running.shown(RecalledDialog)[-1])
            ),
            "it",
        )
        dialog = running.shown(RecalledDialog)[-1]
        assert "The boat is called Möwe." in text_of(dialog)
        dialog.reject()
        await running.profile.memory.delete(memory_id, user_id=running.owner)
        running.window.chat.view.memories_requested.emit(running.items()[-1].message_id)
        await until(
            lambda: (
                running.shown(RecalledDialog)
                and "no longer remembered" in text_of(running.shown(RecalledDialog)[-1])
            ),
            "it",
        )
        dialog = running.shown(RecalledDialog)[-1]
        assert [b.text() for b in dialog.findChildren(type(button(dialog, "Close")))] == ["Close"]
        dialog.reject()
