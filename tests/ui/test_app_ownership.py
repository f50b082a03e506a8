"""Export, import and wipe in the running window."""

from __future__ import annotations

import asyncio
import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from assistant.core.errors import MemoryStoreError
from assistant.memory.base import NewMemory
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.ownership.export import FORMAT
from assistant.storage.scan import find_bytes
from assistant.ui.presenters.ownership import WipedDialog
from assistant.ui.windows.dialogs import WipeDialog
from tests.chat_server import HANG, ChatServer, chunk, event, streams
from tests.ui.app_fixtures import Running, button, click, open_app, text_of, until
from tests.ui.broken_memories import open_slow

FACTS = ("Allergic to penicillin since 1994.", "The boat is called Möwe.", "Prefers trains to planes.")


async def everything(running: Running) -> list[Any]:
    page = await running.profile.memory.list(user_id=running.owner, limit=1000, sort="oldest")
    return list(page.items)


async def wipe(running: Running) -> WipedDialog:
    """Wipe as a person does; the dialog that says what was done."""
    running.app.ownership.ask_wipe()
    dialog = await running.dialog(WipeDialog)
    dialog.type_word("wipe")
    dialog.confirm()
    done = await running.dialog(WipedDialog)
    await running.settled()
    return done


# -- export and import


async def test_what_is_exported_comes_back_exactly_with_id_and_times(qapp: Any, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    async with open_app(
        tmp_path,
    ) as running:
        long_ago = datetime.now(UTC) - timedelta(days=400)
        odd = NewMemory("a\0b \u202e مرحبا 漢字 \n line", {"n": [1, {"x": None}]}, "odd", long_ago)
        await running.profile.memory.add_many([odd], user_id=running.owner)
        (edited, *_) = await running.remember(*FACTS)
        await running.profile.memory.update(edited, "Allergic to penicillin.", user_id=running.owner)
        before = await everything(running)
        running.app.ownership.start_export(file)
        await running.settled()
        assert running.window.toast.text().startswith("Exported 4 memories to")
        (await wipe(running)).accept()
        assert await everything(running) == []
        running.app.ownership.start_import(file)
        await running.settled()
        assert await everything(running) == before
        assert running.window.toast.text() == "Imported 4 memories."


async def test_what_waits_what_was_replaced_and_pins_come_back_too(qapp: Any, tmp_path: Path) -> None:
    file = tmp_path / "out.json"

    async def known(running: Running) -> list[tuple[str, str, bool, str | None]]:
        ledger = await running.profile.memory.ledger()
        return [
            (each.entry.record.content, each.entry.state, each.entry.pinned, each.entry.superseded_by)
            for each in await ledger.exchange.read(user_id=running.owner)
        ]

    async with open_app(tmp_path) as running:
        old, pinned, _ = await running.remember(*FACTS)
        memory = running.profile.memory
        await memory.supersede(old, "Not allergic to penicillin.", user_id=running.owner)
        await memory.pin(pinned, user_id=running.owner)
        await memory.propose("Has a dog.", user_id=running.owner)
        before = await known(running)
        running.app.ownership.start_export(file)
        await running.settled()
        assert running.window.toast.text().startswith("Exported 5 memories to")
        (await wipe(running)).accept()
        running.app.ownership.start_import(file)
        await running.settled()
        assert running.window.toast.text() == "Imported 5 memories."
        assert await known(running) == before
        assert len(before) == 5


async def test_importing_twice_changes_nothing(qapp: Any, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    async with open_app(tmp_path) as running:
        await running.remember(*FACTS)
        before = await everything(running)
        running.app.ownership.start_export(file)
        await running.settled()
        for _ in range(2):
            running.app.ownership.start_import(file)
            await running.settled()
        assert await everything(running) == before


async def test_after_an_import_nothing_is_said_to_go_on(qapp: Any, tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    memories = [{"content": f"Fact {number}."} for number in range(70)]
    file.write_text(json.dumps({"format": FORMAT, "version": 1, "memories": memories}))
    async with open_app(tmp_path) as running:
        running.app.ownership.start_import(file)
        await running.settled()
        assert len(running.memories()) == 70
        assert "Importing" not in text_of(running.window.memory)


async def test_markdown_is_written_to_be_read(qapp: Any, tmp_path: Path) -> None:
    file = tmp_path / "out.md"
    async with open_app(tmp_path) as running:
        await running.remember("The boat is called Möwe.", "two\nlines")
        running.app.ownership.start_export(file)
        await running.settled()
        today = datetime.now(UTC).date().isoformat()
        assert file.read_text("utf-8").splitlines()[4:] == [
            f"- The boat is called Möwe. ({today})", "- two", "  lines", f"  ({today})",
        ]  # fmt: skip


async def test_the_file_that_is_chosen_is_written(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember(*FACTS)
        running.app.ownership.ask_export()
        dialog = await running.dialog(QFileDialog)
        dialog.fileSelected.emit(str(tmp_path / "chosen.json"))
        dialog.reject()
        await running.settled()
        assert len(json.loads((tmp_path / "chosen.json").read_text())["memories"]) == 3


async def test_an_export_that_cannot_be_written_says_so_and_leaves_nothing_behind(
    qapp: Any, tmp_path: Path
) -> None:
    target = tmp_path / "taken"
    target.mkdir()
    (target / "file").write_text("mine")
    before = sorted(tmp_path.iterdir())
    async with open_app(tmp_path / "home") as running:
        await running.remember(*FACTS)
        running.app.ownership.start_export(target)
        assert "could not be written" in await running.take_error()
        running.app.ownership.start_export(tmp_path / "nowhere" / "out.json")
        assert "could not be written" in await running.take_error()
    assert [path for path in sorted(tmp_path.iterdir()) if path.name != "home"] == [
        path for path in before if path.name != "home"
    ]


DAMAGED = {
    "not JSON": (b"{", "is not a JSON file"),
    "empty": (b"", "is not a JSON file"),
    "no text": (b"\xff\xfe\x00", "is not a text file"),
    "other JSON": (b"[1, 2]", "holds no memories of Keepsake"),
    "other format": (b'{"format": "x"}', "holds no memories of Keepsake"),
    "newer": (json.dumps({"format": FORMAT, "version": 3, "memories": []}).encode(), "newer version"),
    "no version": (json.dumps({"format": FORMAT, "memories": []}).encode(), "which version"),
    "no list": (json.dumps({"format": FORMAT, "version": 1, "memories": 3}).encode(), "has no list"),
    "deep": (b"[" * 100_000, "is not a JSON file"),
    "long number": (b"[" + b"1" * 10_000 + b"]", "is not a JSON file"),
}


@pytest.mark.parametrize("name", DAMAGED)
async def test_a_file_that_is_no_export_is_refused_and_nothing_changes(
    qapp: Any, tmp_path: Path, name: str
) -> None:
    content, said = DAMAGED[name]
    file = tmp_path / "in.json"
    file.write_bytes(content)
    async with open_app(tmp_path) as running:
        await running.remember(*FACTS)
        running.app.ownership.start_import(file)
        assert said in await running.take_error()
        assert await running.kept() == list(FACTS)


async def test_a_missing_file_a_folder_and_a_huge_file_are_refused(qapp: Any, tmp_path: Path) -> None:
    huge = tmp_path / "huge.json"
    with huge.open("wb") as file:
        os.truncate(file.fileno(), 40 << 30)
    async with open_app(tmp_path) as running:
        for path, said in (
            (tmp_path / "no.json", "can't be read"),
            (tmp_path, "can't be read"),
            (huge, "larger"),
        ):
            running.app.ownership.start_import(path)
            assert said in await running.take_error()
    huge.unlink()


async def test_entries_that_cannot_be_used_are_counted_and_the_others_imported(
    qapp: Any, tmp_path: Path
) -> None:
    entries: list[Any] = [
        {"content": "Good."},
        {"content": "Without a proper date.", "created_at": "yesterday"},
        {"content": "From the year one.", "created_at": "0001-01-01T00:00:00+14:00"},
        {"content": "With an empty id.", "id": ""},
        {"content": "   "},
        {"content": 5},
        {"content": "Half \ud800 of a character."},
        {"content": "Odd metadata.", "metadata": [1]},
        {"content": "Metadata that is no JSON.", "metadata": {"x": float("nan")}},
        "text",
        None,
    ]
    file = tmp_path / "in.json"
    file.write_text(json.dumps({"format": FORMAT, "version": 1, "memories": entries}))
    async with open_app(tmp_path) as running:
        running.app.ownership.start_import(file)
        await running.settled()
        assert sorted(await running.kept()) == ["From the year one.", "Good.", "Without a proper date."]
        assert running.window.toast.text().startswith("Imported 3 memories. 8 could not be used. Entry 4:")


async def test_a_running_import_can_be_cancelled_and_what_was_added_stays(qapp: Any, tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    memories = [{"content": f"Fact {number}."} for number in range(700)]
    file.write_text(json.dumps({"format": FORMAT, "version": 1, "memories": memories}))
    async with open_app(tmp_path, memory=open_slow) as running:
        running.app.ownership.start_import(file)
        await until(lambda: "Importing 320 of 700" in text_of(running.window.memory), "how far it is")
        click(running.window.memory, "Cancel")
        await running.settled()
        assert running.window.toast.text() == "Import cancelled. What had been added stays."
        assert len(await running.kept()) == 320
        assert "Importing" not in text_of(running.window.memory)


# -- wipe


async def test_a_wipe_needs_the_typed_word(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.remember(*FACTS)
        await running.say("Hello")
        running.app.ownership.ask_wipe()
        dialog = await running.dialog(WipeDialog)
        assert "This removes 3 memories and 1 conversation of this profile" in text_of(dialog)
        assert not button(dialog, "Wipe").isEnabled()
        dialog.type_word("wip")
        assert not button(dialog, "Wipe").isEnabled()
        dialog.type_word("wipe")
        assert button(dialog, "Wipe").isEnabled()
        click(dialog, "Cancel")
        await running.settled()
        assert len(await running.kept()) == 3


async def test_a_wipe_offers_to_export_first(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember(*FACTS)
        running.app.ownership.ask_wipe()
        dialog = await running.dialog(WipeDialog)
        click(dialog, "Export first")
        files = await running.dialog(QFileDialog)
        files.fileSelected.emit(str(tmp_path / "kept.json"))
        files.reject()
        await running.settled()
        assert (tmp_path / "kept.json").exists()
        assert dialog.isVisible()
        dialog.reject()


async def test_a_wipe_leaves_no_text_on_disk_and_an_empty_window_that_works(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path / "home", server=server) as running:
        await running.remember(*FACTS)
        await running.say("Which trains go to Lund?")
        running.write("a draft about penicillin")
        owner = running.owner
        done = await wipe(running)
        assert "Removed 3 memories, 1 conversation" in text_of(done).replace(" and", ",")
        assert "no trace left" in text_of(done)
        done.accept()
        secret = [*FACTS, "Which trains go to Lund?", "Hello there.", "a draft about penicillin"]
        assert find_bytes(tmp_path / "home", secret) == []
        assert (running.memories(), running.items(), running.draft()) == ([], [], "")
        assert running.window.sidebar.listed() == []
        assert running.owner != owner
        await running.say("Remember that I am new here.")
        assert running.memories() == ["I am new here."]


async def test_a_wipe_during_a_reply_stops_it_first(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        server.default = streams(event(chunk("Once upon")), HANG)
        await running.begin("A story", "Once upon")
        (await wipe(running)).accept()
        await server.chats[0].left.wait()
        assert not running.app.chat.is_running
        assert running.items() == []
        assert running.window.sidebar.listed() == []


async def test_a_wipe_during_an_import_ends_it_first(qapp: Any, tmp_path: Path) -> None:
    file = tmp_path / "in.json"
    memories = [{"content": f"Fact {number}."} for number in range(2000)]
    file.write_text(json.dumps({"format": FORMAT, "version": 1, "memories": memories}))
    async with open_app(tmp_path / "home") as running:
        running.app.ownership.start_import(file)
        await until(lambda: "Importing 32" in text_of(running.window.memory), "it has begun")
        (await wipe(running)).accept()
        assert await running.kept() == []


async def test_the_dialog_cannot_be_left_while_it_wipes(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path) as running:
        await running.remember(*FACTS)
        running.app.ownership.ask_wipe()
        dialog = await running.dialog(WipeDialog)
        dialog.type_word("wipe")
        dialog.confirm()
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        dialog.close()
        assert dialog.isVisible()
        (await running.dialog(WipedDialog)).accept()
        await running.settled()


async def test_a_folder_that_cannot_be_moved_leaves_everything_as_it_was(
    qapp: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        await running.remember(*FACTS)
        await running.say("Hello")

        def refuse(*_: object) -> None:
            raise PermissionError(13, "in use")

        monkeypatch.setattr("assistant.ownership.profile.os.replace", refuse)
        running.app.ownership.ask_wipe()
        dialog = await running.dialog(WipeDialog)
        dialog.type_word("wipe")
        dialog.confirm()
        assert "Nothing was removed" in await running.take_error()
        await running.settled()
        monkeypatch.undo()
        assert sorted(running.memories()) == sorted(FACTS)
        assert len(running.window.sidebar.listed()) == 1


async def test_a_memory_that_cannot_be_opened_can_be_wiped(qapp: Any, tmp_path: Path) -> None:
    async def fail(folder: Path) -> MemoryLedger:
        await asyncio.sleep(0)
        raise MemoryStoreError("The memory is damaged.")

    async with open_app(tmp_path, memory=fail) as running:
        (running.profile.directory / "memory").mkdir()
        (running.profile.directory / "memory" / "rest").write_text("something")
        running.app.ownership.ask_wipe()
        dialog = await running.dialog(WipeDialog)
        assert "This removes all memories and 0 conversations" in text_of(dialog)
        dialog.type_word("wipe")
        dialog.confirm()
        (await running.dialog(WipedDialog)).accept()
        await running.settled()
        assert not (running.profile.directory / "memory" / "rest").exists()
