"""What the memory panel lists and how: facts, in order, with where they come from, found by words and by meaning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from assistant.memory.base import NewMemory
from assistant.memory.ledger.indexer import IndexProgress
from assistant.ui.models.memories import MemoryRow
from tests.chat_server import ChatServer
from tests.ui.app_fixtures import Running, open_app, text_of, until
from tests.ui.memory_steps import entry, ledger, memory_list, press, say_turn


def row(running: Running, text: str) -> MemoryRow:
    """The listed memory with that text."""
    (found,) = (each for each in running.window.memory.rows() if each.text == text)
    return found


async def search(running: Running, words: str, *, shows: int) -> list[MemoryRow]:
    """Search, and wait until that many memories are listed."""
    running.window.memory.set_search(words)
    await until(lambda: len(running.window.memory.rows()) == shows, f"{shows} hits")
    await running.settled()
    return list(running.window.memory.rows())


def choose(running: Running, name: str, words: str) -> None:
    """Choose `words` in the box of that name."""
    boxes = running.window.memory.findChildren(QComboBox)
    (box,) = (each for each in boxes if each.accessibleName() == name)
    box.setCurrentIndex(box.findText(words))


async def in_sight(running: Running) -> None:
    """Wait until each row that can be seen is loaded."""
    listed = memory_list(running)
    model = listed.model()

    def loaded() -> bool:
        listed.viewport().update()
        first, last = listed.in_sight()
        return all(model.index(number, 0).data() for number in range(first, last + 1))

    await until(loaded, "what is in sight")
    await running.settled()


async def test_what_was_said_in_conversations_is_no_memory_in_the_list(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.remember("Prefers trains.")
        await running.say("Which trains go to Lund?")
        await running.app.memories.load()
        assert running.memories() == ["Prefers trains."]
        assert "1" in text_of(running.window.memory).splitlines()


async def test_a_search_shows_facts_and_then_what_was_said(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("The boat is called Möwe.", "Wears size 43.", "Prefers trains.")
        await say_turn(running, "Our boat lies in the harbour", title="Boats & more")
        rows = await search(running, "boat", shows=2)
        assert [(each.kind, each.text) for each in rows] == [
            ("fact", "The boat is called Möwe."),
            ("said", "Our boat lies in the harbour"),
        ]
        assert rows[1].caption == "today · you said in “Boats & more”"
        model = memory_list(running).model()
        assert model.index(1, 0).data() == "Said in conversations"
        assert not model.index(1, 0).flags() & Qt.ItemFlag.ItemIsSelectable


async def test_a_hit_in_a_conversation_leads_to_the_message(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, _ = await say_turn(running, "Our boat lies in the harbour")
        await search(running, "boat", shows=1)
        await press(running, 1, Qt.Key.Key_Return)
        assert running.app.chat.session_id == session
        assert running.texts() == ["Our boat lies in the harbour"]


async def test_pinned_memories_come_first_and_p_pins_and_unpins(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        first, _ = await running.remember("Old but dear.", "New.")
        await press(running, 1, Qt.Key.Key_P)
        assert running.memories() == ["Old but dear.", "New."]
        assert row(running, "Old but dear.").pinned
        kept = await entry(running, first)
        assert kept is not None
        assert kept.pinned
        await press(running, 0, Qt.Key.Key_P)
        assert running.memories() == ["New.", "Old but dear."]


async def test_the_marked_memory_stays_marked_when_the_list_changes(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("One.", "Two.", "Three.")
        await press(running, 2, Qt.Key.Key_P)
        listed = memory_list(running)
        assert listed.currentIndex().data() == "One."
        await running.remember("Four.")
        assert listed.currentIndex().data() == "One."


async def test_a_row_says_when_by_whom_how_often_used_and_that_it_was_edited(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        memory = running.profile.memory
        source = {"session_id": "s", "message_id": "m"}
        memory_id = await memory.add(
            "Prefers metric units.", metadata={"quote": "I prefer", "source": source}, user_id=running.owner
        )
        await running.app.memories.load()
        assert row(running, "Prefers metric units.").caption == "today · you said"
        for _ in range(2):
            await memory.recall("metric units", user_id=running.owner, token_budget=500)
        await until(lambda: not (running.services.supervisor.running), "nothing runs")
        await memory.update(memory_id, "Prefers metric units, always.", user_id=running.owner)
        await running.app.memories.load()
        assert row(running, "Prefers metric units, always.").caption == "today · you said · edited · used 2×"


async def test_a_memory_tells_what_it_took_the_place_of(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (old,) = await running.remember("Lives in Lisbon.")
        await running.profile.memory.supersede(old, "Lives in Porto.", user_id=running.owner)
        await running.app.memories.load()
        assert running.memories() == ["Lives in Porto."]
        assert row(running, "Lives in Porto.").note == "was: Lives in Lisbon."


async def test_the_browser_lists_what_was_replaced(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (old,) = await running.remember("Lives in Lisbon.")
        await running.profile.memory.supersede(old, "Lives in Porto.", user_id=running.owner)
        running.window.toggle_browser()
        running.window.memory.show_view("earlier")
        await running.settled()
        assert running.memories() == ["Lives in Lisbon."]
        assert row(running, "Lives in Lisbon.").caption == "today · you added it · until today"
        running.window.toggle_browser()
        running.window.memory.show_view("now")
        await running.settled()
        assert running.memories() == ["Lives in Porto."]


async def test_the_browser_sorts_and_picks_a_kind_and_the_side_panel_knows_one_order(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        memory, owner = running.profile.memory, running.owner
        for text, kind in (("b plan", "plan"), ("c fact", "fact"), ("a fact", "fact")):
            await memory.add(text, metadata={"kind": kind}, user_id=owner)
        running.window.toggle_browser()
        await running.settled()
        choose(running, "Order of the memories", "A to Z")
        await running.settled()
        assert running.memories() == ["a fact", "b plan", "c fact"]
        choose(running, "Kind of memory", "Plan")
        await running.settled()
        assert running.memories() == ["b plan"]
        running.window.toggle_browser()
        await running.settled()
        assert running.memories() == ["a fact", "c fact", "b plan"]


async def test_thousands_of_memories_have_their_length_at_once_and_come_when_looked_at(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        items = [NewMemory(f"Fact number {number}.") for number in range(3_000)]
        await running.profile.memory.add_many(items, user_id=running.owner)
        running.window.toggle_browser()
        await until(lambda: running.window.memory.is_stretched, "the whole length")
        await running.settled()
        listed = memory_list(running)
        assert listed.model().rowCount() == 3_000
        assert len(running.window.memory.rows()) == 100
        for part in (1.0, 0.5):
            bar = listed.verticalScrollBar()
            bar.setValue(int(bar.maximum() * part))
            await in_sight(running)
        place = listed.in_sight()[0]
        assert listed.model().index(place, 0).data() == f"Fact number {2_999 - place}."


async def test_a_change_in_the_middle_of_the_browser_leaves_the_list_where_it_is(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        items = [NewMemory(f"Fact number {number}.", memory_id=f"f{number}") for number in range(1000)]
        await running.profile.memory.add_many(items, user_id=running.owner)
        running.window.toggle_browser()
        await until(lambda: running.window.memory.is_stretched, "the whole length")
        await running.settled()
        listed = memory_list(running)
        bar = listed.verticalScrollBar()
        bar.setValue(bar.maximum() // 2)
        await in_sight(running)
        first, last = listed.in_sight()
        top, marked = listed.model().index(first, 0).data(), listed.model().index(last - 2, 0).data()
        await press(running, last - 2, Qt.Key.Key_Delete)
        assert listed.model().rowCount() == 999
        assert listed.model().index(listed.in_sight()[0], 0).data() == top
        assert marked not in running.memories()


async def test_closing_the_browser_again_shows_memories_at_once(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        items = [NewMemory(f"Fact number {number}.") for number in range(700)]
        await running.profile.memory.add_many(items, user_id=running.owner)
        running.window.toggle_browser()
        await running.settled()
        running.window.toggle_browser()
        assert running.memories()[:2] == ["Fact number 699.", "Fact number 698."]
        await running.settled()
        assert not running.window.memory.is_stretched
        assert len(running.memories()) >= 100


async def test_a_deleted_memory_is_not_learned_again_until_it_was_brought_back(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await running.remember("Lives in Porto.")
        await running.profile.memory.pin(memory_id, user_id=running.owner)
        memory = await ledger(running)
        running.window.memory.delete_requested.emit(memory_id)
        await running.settled()
        assert await memory.was_forgotten("Lives in Porto.", user_id=running.owner)
        running.window.toast.trigger()
        await running.settled()
        again = await entry(running, memory_id)
        assert again is not None
        assert again.pinned
        assert not await memory.was_forgotten("Lives in Porto.", user_id=running.owner)


async def test_a_long_indexing_is_told_with_how_far_it_is_and_a_short_one_is_not(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        panel, presenter = running.window.memory, running.app.memories
        presenter.show_indexing(IndexProgress(20, 150))
        assert "ready to be found" not in text_of(panel)
        presenter.show_indexing(IndexProgress(1200, 10_000))
        said = "Getting 1,200 of 10,000 memories ready to be found by meaning. Chatting works meanwhile."
        assert said in text_of(panel)
        panel.show_status("Importing 3 of 9", done=3, total=9)
        assert "Importing 3 of 9" in text_of(panel)
        panel.show_status("")
        assert said in text_of(panel)
        presenter.show_indexing(IndexProgress(10_000, 10_000))
        assert "ready to be found" not in text_of(panel)


async def test_what_was_said_goes_with_its_conversation(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        session, _ = await say_turn(running, "Our boat lies in the harbour")
        running.app.conversations.delete(session)
        await running.settled()
        running.window.toast.expire()
        await running.settled()
        found = await running.profile.memory.search("boat harbour", user_id=running.owner)
        assert found == []


async def test_what_was_said_in_a_conversation_that_was_deleted_before_a_crash_goes_at_the_next_start(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path, crash=True) as running:
        session, _ = await say_turn(running, "Our boat lies in the harbour")
        running.app.conversations.delete(session)
        await running.settled()
    async with open_app(tmp_path) as running:
        found = await running.profile.memory.search("boat harbour", user_id=running.owner)
        assert found == []


async def test_keys_of_the_list_do_nothing_on_a_heading_and_down_enters_the_list(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        await say_turn(running, "Our boat lies in the harbour")
        await search(running, "boat", shows=1)
        running.window.memory.focus_search()
        field = running.window.memory.findChild(QLineEdit)
        assert field is not None
        QTest.keyClick(field, Qt.Key.Key_Down)
        assert memory_list(running).hasFocus()
        assert memory_list(running).currentIndex().row() == 1
