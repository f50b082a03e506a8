"""The memory panel in the running window."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListView

from assistant.core.errors import MemoryStoreError
from assistant.memory.base import NewMemory
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.ui.windows.dialogs import MemoryDialog
from tests.chat_server import ChatServer
from tests.ui.app_fixtures import Running, click, open_app, text_of, until
from tests.ui.broken_memories import BROKEN, break_memory, open_failing


def memory_list(running: Running) -> QListView:
    found = running.window.memory.findChild(QListView)
    assert found is not None
    return found


def search_field(running: Running) -> QLineEdit:
    found = running.window.memory.findChild(QLineEdit)
    assert found is not None
    return found


async def test_an_empty_panel_says_what_will_be_there_and_offers_to_add(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        said = text_of(running.window.memory)
        assert "What you ask Keepsake to remember will be here." in said
        click(running.window.memory, "Add a memory")
        (await running.dialog(MemoryDialog)).reject()


async def test_memories_are_listed_newest_first_and_counted(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("First.", "Second.", "Third.")
        assert running.memories() == ["Third.", "Second.", "First."]
        assert "3" in text_of(running.window.memory).splitlines()


async def test_a_thousand_memories_come_as_they_are_scrolled(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        items = [NewMemory(f"Fact number {number}.") for number in range(1000)]
        await running.profile.memory.add_many(items, user_id=running.owner)
        await running.app.memories.load()
        assert len(running.memories()) == 100
        bar = memory_list(running).verticalScrollBar()
        while len(running.memories()) < 1000:
            known = len(running.memories())
            bar.setValue(bar.maximum())
            await until(lambda k=known: len(running.memories()) > k, "more memories")  # type: ignore[misc]
            await running.settled()
        assert sorted(running.memories()) == sorted(item.content for item in items)
        assert "1,000" in text_of(running.window.memory)


async def test_asking_for_more_twice_at_once_loses_nothing(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        items = [NewMemory(f"Fact number {number}.") for number in range(350)]
        await running.profile.memory.add_many(items, user_id=running.owner)
        await running.app.memories.load()
        for _ in range(3):
            running.window.memory.more_wanted.emit()
            running.window.memory.more_wanted.emit()
            assert memory_list(running).model().canFetchMore(QModelIndex())
            await running.settled()
        assert len(set(running.memories())) == len(running.memories()) == 350


async def test_search_finds_by_meaning_and_by_words(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("The boat is called Möwe.", "Prefers trains to planes.", "Wears size 43.")
        field = search_field(running)
        QTest.keyClicks(field, "name of the boat")
        await until(lambda: running.memories() == ["The boat is called Möwe."], "by meaning")
        field.clear()
        QTest.keyClicks(field, "refers TRAI")
        await until(lambda: running.memories()[:1] == ["Prefers trains to planes."], "by a part of words")
        field.clear()
        await until(lambda: len(running.memories()) == 3, "all again")


async def test_search_for_what_is_nowhere_says_so(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("The boat is called Möwe.")
        QTest.keyClicks(search_field(running), "zeppelin")
        await until(lambda: not running.memories(), "nothing is listed")
        assert "Nothing here fits these words." in text_of(running.window.memory)


async def test_a_memory_can_be_added_by_hand(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        running.app.memories.ask_new()
        dialog = await running.dialog(MemoryDialog)
        dialog.set_text("  The boat is called Möwe.  ")
        click(dialog, "Save")
        await running.settled()
        assert running.shown(MemoryDialog) == []
        assert running.memories() == ["The boat is called Möwe."]
        assert running.window.memory.rows()[0].caption == "today · you added it"


async def test_an_empty_memory_cannot_be_saved(qapp: Any, tmp_path: Path) -> None:
    from tests.ui.app_fixtures import button

    async with open_app(tmp_path) as running:
        running.app.memories.ask_new()
        dialog = await running.dialog(MemoryDialog)
        dialog.set_text(" \n ")
        assert not button(dialog, "Save").isEnabled()
        dialog.reject()


async def test_a_memory_can_be_corrected_and_the_correction_undone(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await running.remember("The boat is called Möwe.")
        running.app.memories.ask_edit(memory_id)
        dialog = await running.dialog(MemoryDialog)
        assert dialog.text() == "The boat is called Möwe."
        dialog.set_text("The boat is called Seemöwe.")
        click(dialog, "Save")
        await running.settled()
        assert running.memories() == ["The boat is called Seemöwe."]
        running.window.toast.trigger()
        await running.settled()
        assert running.memories() == ["The boat is called Möwe."]


async def test_a_failed_save_keeps_the_dialog_and_its_text(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, memory=open_failing) as running:
        (memory_id,) = await running.remember("The boat is called Möwe.")
        await break_memory(running)
        for ask in (running.app.memories.ask_new, lambda: running.app.memories.ask_edit(memory_id)):
            ask()
            dialog = await running.dialog(MemoryDialog)
            dialog.set_text("A thought that took an hour.")
            click(dialog, "Save")
            await running.settled()
            assert dialog.isVisible()
            assert dialog.text() == "A thought that took an hour."
            assert BROKEN in text_of(dialog)
            dialog.reject()
        assert running.memories() == ["The boat is called Möwe."]


async def test_closing_the_dialog_while_it_saves_is_harmless(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        running.app.memories.ask_new()
        dialog = await running.dialog(MemoryDialog)
        dialog.set_text("Saved all the same.")
        click(dialog, "Save")
        dialog.reject()
        await running.settled()
        assert running.memories() == ["Saved all the same."]


async def test_delete_key_deletes_and_undo_brings_back_the_same_id_and_date(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        long_ago = datetime.now(UTC) - timedelta(days=40)
        old = NewMemory("The boat is called Möwe.", {"kind": "explicit"}, "boat", long_ago)
        await running.profile.memory.add_many([old], user_id=running.owner)
        await running.app.memories.load()
        before = running.window.memory.rows()
        stored = await running.profile.memory.get("boat", user_id=running.owner)
        listed = memory_list(running)
        listed.setCurrentIndex(listed.model().index(0, 0))
        QTest.keyClick(listed, Qt.Key.Key_Delete)
        await running.settled()
        assert running.memories() == []
        assert await running.kept() == []
        assert running.window.toast.text().startswith("Deleted: The boat")
        running.window.toast.trigger()
        await running.settled()
        again = await running.profile.memory.get("boat", user_id=running.owner)
        assert again == stored
        assert running.window.memory.rows() == before


async def test_f2_on_a_memory_corrects_it_and_renames_no_conversation(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("The boat is called Möwe.")
        listed = memory_list(running)
        listed.setFocus()
        listed.setCurrentIndex(listed.model().index(0, 0))
        QTest.keyClick(listed, Qt.Key.Key_F2)
        (await running.dialog(MemoryDialog)).reject()


async def test_a_delete_that_fails_is_told_and_the_memory_stays_listed(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, memory=open_failing) as running:
        (memory_id,) = await running.remember("The boat is called Möwe.")
        await break_memory(running)
        running.window.memory.delete_requested.emit(memory_id)
        assert BROKEN in await running.take_error()
        assert running.memories() == ["The boat is called Möwe."]


async def test_a_memory_that_is_gone_meanwhile_is_said_to_be(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await running.remember("The boat is called Möwe.")
        await running.profile.memory.delete(memory_id, user_id=running.owner)
        running.window.memory.edit_requested.emit(memory_id)
        await running.settled()
        assert running.window.toast.text() == "This memory is no longer there."


async def test_a_memory_corrected_after_it_was_deleted_elsewhere_loses_no_text(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await running.remember("The boat is called Möwe.")
        running.app.memories.ask_edit(memory_id)
        dialog = await running.dialog(MemoryDialog)
        await running.profile.memory.delete(memory_id, user_id=running.owner)
        dialog.set_text("The boat is called Seemöwe.")
        click(dialog, "Save")
        await running.settled()
        assert running.memories() == ["The boat is called Seemöwe."]


async def test_a_memory_that_cannot_be_opened_says_so_in_the_panel(qapp: Any, tmp_path: Path) -> None:
    async def fail(folder: Path) -> MemoryLedger:
        raise MemoryStoreError(BROKEN, hint="Plug it in again.")

    async with open_app(tmp_path, memory=fail) as running:
        assert f"{BROKEN} Plug it in again." in text_of(running.window.memory)


async def test_the_panel_leads_to_where_something_was_said(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.say("Remember that the boat is called Möwe.")
        said_in = running.app.chat.session_id
        await running.open("")
        running.window.toggle_browser()
        (row,) = running.window.memory.rows()
        assert row.caption == "today · you said"
        running.window.memory.source_requested.emit(row.source_session, row.source_message)
        await running.settled()
        assert running.app.chat.session_id == said_in
        assert running.window.chat.isVisible()


async def test_any_text_at_all_can_be_listed(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        texts = ["<b>bold</b> & <img src='http://x.test/a.png'>", "مرحبا بالعالم", "漢字かな交じり文", "a\0b",
                 "line\n" * 300 + "end", "x" * 20_000, "👩‍👩‍👧 us", "\u202eright to left"]  # fmt: skip
        await running.remember(*texts)
        assert running.memories() == texts[::-1]
        running.window.grab()
