"""Memories that wait for the person's word, in the running window."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from assistant.ui.widgets.memory_views import MemoryViews
from assistant.ui.windows.dialogs import MemoryDialog
from tests.ui.app_fixtures import Running, click, open_app, text_of
from tests.ui.broken_memories import BROKEN, break_memory, open_failing
from tests.ui.memory_steps import entry, ledger, mark, memory_list, press, propose


async def open_waiting(running: Running) -> None:
    """Follow the line above the list."""
    views = running.window.memory.findChild(MemoryViews)
    assert views is not None
    click(running.window.memory, f"Pending {views.waiting}")
    await running.settled()


async def test_a_line_above_the_list_counts_what_waits_and_leads_there_and_back(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("Prefers trains.")
        await propose(running, "Has asthma.", "Takes salbutamol.")
        assert running.memories() == ["Prefers trains."]
        await open_waiting(running)
        assert running.memories() == ["Takes salbutamol.", "Has asthma."]
        assert running.window.memory.rows()[0].note == "This waits because it is about health."
        click(running.window.memory, "‹ All memories")
        await running.settled()
        assert running.memories() == ["Prefers trains."]


async def test_without_anything_that_waits_there_is_no_line(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("Prefers trains.")
        shown = [each.text() for each in running.window.memory.findChildren(QPushButton) if each.isVisible()]
        assert not [text for text in shown if text.startswith("Pending")]


async def test_enter_keeps_what_waits_and_undo_has_it_wait_again(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await propose(running, "Has asthma.")
        await open_waiting(running)
        await press(running, 0, Qt.Key.Key_Return)
        kept = await entry(running, memory_id)
        assert kept is not None
        assert kept.state == "active"
        assert running.window.toast.text() == "Remembered: Has asthma."
        assert "Nothing waits for your word." in text_of(running.window.memory)
        running.window.toast.trigger()
        await running.settled()
        again = await entry(running, memory_id)
        assert again is not None
        assert again.state == "pending"
        assert running.memories() == ["Has asthma."]


async def test_delete_says_no_it_is_not_proposed_again_and_undo_has_it_wait_again(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await propose(running, "Has asthma.")
        await open_waiting(running)
        await press(running, 0, Qt.Key.Key_Delete)
        assert await entry(running, memory_id) is None
        assert await (await ledger(running)).was_forgotten("Has asthma.", user_id=running.owner)
        assert running.window.toast.text() == "Not kept: Has asthma."
        running.window.toast.trigger()
        await running.settled()
        again = await entry(running, memory_id)
        assert again is not None
        assert (again.state, running.memories()) == ("pending", ["Has asthma."])


async def test_what_is_kept_takes_the_place_that_it_was_proposed_for_and_undo_gives_it_back(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        (old,) = await running.remember("Lives in Porto.")
        memory, owner = running.profile.memory, running.owner
        new = await memory.propose(
            "Lives in Braga.", metadata={"replaces": old, "reason": "It may be news."}, user_id=owner
        )
        await running.app.memories.load()
        await open_waiting(running)
        assert running.window.memory.rows()[0].note == "It may be news. May replace: Lives in Porto."
        await press(running, 0, Qt.Key.Key_Return)
        assert await running.kept() == ["Lives in Braga."]
        running.window.toast.trigger()
        await running.settled()
        assert await running.kept() == ["Lives in Porto."]
        waiting = await entry(running, new)
        assert waiting is not None
        assert waiting.state == "pending"


async def test_what_waits_can_be_corrected_before_it_is_kept(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await propose(running, "Has asthma.")
        await open_waiting(running)
        await press(running, 0, Qt.Key.Key_F2)
        dialog = await running.dialog(MemoryDialog)
        dialog.set_text("Has light asthma.")
        click(dialog, "Remember")
        await running.settled()
        assert await running.kept() == ["Has light asthma."]
        assert running.window.toast.text() == "Remembered: Has light asthma."


async def test_all_can_be_kept_at_once_and_that_undone(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await propose(running, "Has asthma.", "Takes salbutamol.", "Is 43.")
        await open_waiting(running)
        click(running.window.memory, "Remember all")
        await running.settled()
        assert sorted(await running.kept()) == ["Has asthma.", "Is 43.", "Takes salbutamol."]
        assert running.window.toast.text() == "Remembered 3 memories."
        running.window.toast.trigger()
        await running.settled()
        assert await running.kept() == []
        assert len(running.memories()) == 3


async def test_all_can_be_refused_at_once_and_that_undone(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await propose(running, "Has asthma.", "Takes salbutamol.")
        await open_waiting(running)
        click(running.window.memory, "No to all")
        await running.settled()
        assert running.memories() == []
        assert running.window.toast.text() == "2 memories not kept."
        running.window.toast.trigger()
        await running.settled()
        assert sorted(running.memories()) == ["Has asthma.", "Takes salbutamol."]


async def test_a_word_that_could_not_be_written_is_told_and_it_waits_on(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, memory=open_failing) as running:
        await propose(running, "Has asthma.")
        await open_waiting(running)
        await break_memory(running)
        running.window.memory.accept_requested.emit(running.window.memory.rows()[0].memory_id)
        assert BROKEN in await running.take_error()
        assert running.memories() == ["Has asthma."]


async def test_what_was_decided_elsewhere_meanwhile_is_said_to_be_gone(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        (memory_id,) = await propose(running, "Has asthma.")
        await open_waiting(running)
        await running.profile.memory.delete(memory_id, user_id=running.owner)
        await press(running, 0, Qt.Key.Key_Return)
        assert running.window.toast.text() == "This memory is no longer there."
        assert running.memories() == []


async def test_each_action_of_a_row_is_in_its_menu_for_those_without_a_pointer(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        await running.remember("Prefers trains.")
        await propose(running, "Has asthma.")
        (fact,) = running.window.memory.rows()
        menu = memory_list(running).menu_for(fact)
        assert [a.text().split("\t")[0] for a in menu.actions() if a.text()] == [
            "Details", "Pin", "Edit…", "Copy", "Delete",
        ]  # fmt: skip
        menu.deleteLater()
        await open_waiting(running)
        (waiting,) = running.window.memory.rows()
        menu = memory_list(running).menu_for(waiting)
        assert [a.text().split("\t")[0] for a in menu.actions() if a.text()] == [
            "Remember", "No", "Edit…", "Details", "Copy",
        ]  # fmt: skip
        menu.deleteLater()
        spoken = mark(running, 0).currentIndex().data(Qt.ItemDataRole.AccessibleTextRole)
        assert spoken.startswith("Remember this? Has asthma.")
        assert "about health" in spoken
