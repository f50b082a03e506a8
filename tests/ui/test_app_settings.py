"""The settings' pages on memory and answers: what they show is what is set, and it takes effect at once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QRadioButton

from assistant.config.settings_store import SettingsStore
from assistant.ui.windows.settings_dialog import Preferences, SettingsDialog
from assistant.ui.windows.settings_pages import CACHE, CONSENT
from tests.chat_server import ChatServer
from tests.ui.app_fixtures import Running, open_app, text_of, until

MEMORY, ANSWERS = 1, 2


async def page(running: Running, tab: int) -> SettingsDialog:
    running.app.models.show_settings(tab)
    dialog = await running.dialog(SettingsDialog)
    await running.settled()
    return dialog


async def save(running: Running, dialog: SettingsDialog) -> None:
    dialog.commit()
    await until(lambda: not running.shown(SettingsDialog), "the settings are saved")
    await running.settled()


async def test_the_pages_show_what_is_set(qapp: Any, tmp_path: Path) -> None:
    chosen: dict[str, Any] = {
        "memory_enabled": False,
        "memory_token_budget": 1200,
        "memory_consent": "manual",
        "memory_extraction": False,
        "memory_index_turns": False,
        "cache_mode": "semantic",
        "guard_private_data": True,
    }
    async with ChatServer() as server, open_app(tmp_path, server=server, **chosen) as running:
        dialog = await page(running, MEMORY)
        assert dialog.preferences() == Preferences.of(running.settings)
        shown = dialog.preferences()
        assert {name: getattr(shown, name) for name in chosen} == chosen


async def test_what_is_chosen_is_kept(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, endpoint="custom") as running:
        dialog = await page(running, MEMORY)
        dialog.memory.consent.choose("ask")
        dialog.memory.extraction.setChecked(False)
        dialog.memory.earlier.setChecked(False)
        dialog.memory.budget.setValue(500)
        dialog.answers.cache.choose("off")
        dialog.answers.masked.setChecked(True)
        await save(running, dialog)
        kept = SettingsStore(running.services.paths.settings_file).load().settings
        assert kept.memory_consent == "ask"
        assert (kept.memory_extraction, kept.memory_index_turns) == (False, False)
        assert kept.memory_token_budget == 500
        assert kept.cache_mode == "off"
        assert kept.guard_private_data


async def test_cancel_changes_nothing(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        before = running.settings
        dialog = await page(running, ANSWERS)
        dialog.answers.cache.choose("off")
        dialog.reject()
        await running.settled()
        assert running.settings == before


async def test_each_way_is_explained(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        dialog = await page(running, MEMORY)
        said = text_of(dialog.memory)
        assert all(option.meaning in said for option in CONSENT)
        dialog.tabs.setCurrentIndex(ANSWERS)
        said = text_of(dialog.answers)
        assert all(option.meaning in said for option in CACHE)
        boxes = [*dialog.memory.findChildren(QCheckBox), *dialog.answers.findChildren(QCheckBox)]
        assert all(box.accessibleDescription() for box in boxes)


async def test_a_way_is_taken_with_the_keyboard(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        dialog = await page(running, ANSWERS)
        [exact] = [b for b in dialog.answers.findChildren(QRadioButton) if b.isChecked()]
        exact.setFocus()
        QTest.keyClick(exact, Qt.Key.Key_Down)
        assert dialog.preferences().cache_mode == "semantic"


async def test_without_memories_the_rest_of_the_page_can_not_be_chosen(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        memory = (await page(running, MEMORY)).memory
        assert memory.consent.isEnabled()
        memory.enabled.setChecked(False)
        assert not any(
            w.isEnabled() for w in (memory.budget, memory.earlier, memory.consent, memory.extraction)
        )


async def test_without_memories_nothing_is_recalled_from_the_next_message_on(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server, memory_extraction=False) as running:
        await running.remember("My sister Ana plays the violin.")
        await running.say("What does my sister Ana play?")
        assert running.items()[-1].recalled
        dialog = await page(running, MEMORY)
        dialog.memory.enabled.setChecked(False)
        await save(running, dialog)
        await running.say("And what else does my sister Ana play?")
        assert not running.items()[-1].recalled
