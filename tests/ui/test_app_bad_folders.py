"""A start over files that can't be used, as the whole program takes it; and a disk that is full later."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import apsw
import pytest
from PySide6.QtWidgets import QApplication, QWidget

from assistant.bootstrap import Program, open_conversations, open_record
from assistant.config.paths import AppPaths
from assistant.config.settings import Settings
from assistant.config.settings_store import SettingsStore
from assistant.core.types import Message
from assistant.ui.lifecycle import Lifecycle
from assistant.ui.single_instance import SingleInstance
from assistant.ui.theme import Theme
from assistant.ui.windows.dialogs import ErrorDialog
from assistant.ui.windows.main_window import MainWindow
from assistant.ui.windows.start_trouble import StartTrouble
from tests.conftest import REPO
from tests.embedding_fixtures import seed_embedding_cache
from tests.ui.app_fixtures import click, open_app, text_of, until

W = TypeVar("W", bound=QWidget)


@dataclass
class Starting:
    """A program that is being started.

    Attributes:
        paths: where its files are.
        ended: its exit code, once it has ended.
        lifecycle: ends it.
    """

    paths: AppPaths
    ended: asyncio.Task[int]
    lifecycle: Lifecycle

    async def trouble(self) -> StartTrouble:
        """The dialog that says why it can't start."""
        await until(lambda: self.ended.done() or visible(StartTrouble), "the trouble is told")
        (dialog,) = visible(StartTrouble)
        return dialog

    async def window(self) -> MainWindow:
        """The window, once it is shown."""
        await until(lambda: self.ended.done() or visible(MainWindow), "the window is shown")
        (window,) = visible(MainWindow)
        return window

    async def quit(self) -> int:
        self.lifecycle.request_stop()
        return await self.ended


def visible(kind: type[W]) -> list[W]:
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, kind) and w.isVisible()]


@asynccontextmanager
async def starting(qapp: QApplication, home: Path) -> AsyncIterator[Starting]:
    """Start the program over the files in `home`; ended at the end."""
    hooks = sys.excepthook, threading.excepthook
    paths = AppPaths.below(home)
    lifecycle = Lifecycle(qapp)
    theme = Theme(qapp, "light")
    instance = SingleInstance(paths.profile(), qapp)
    assert instance.first()
    program = Program(qapp, theme, instance, paths, paths.profile())
    ended = asyncio.ensure_future(program.main(lifecycle))
    try:
        yield Starting(paths, ended, lifecycle)
    finally:
        lifecycle.request_stop()
        await ended
        lifecycle.release()
        for each in (lifecycle, instance, theme, *visible(MainWindow), *visible(StartTrouble)):
            each.deleteLater()
        sys.excepthook, threading.excepthook = hooks


@pytest.fixture
def app_home(tmp_path: Path, exported_model: Path) -> Path:
    """A home whose start is warm."""
    home = tmp_path / "app"
    paths = AppPaths.below(home)
    paths.ensure()
    seed_embedding_cache(exported_model, paths.cache)
    SettingsStore(paths.settings_file).save(Settings(first_start_done=True))
    return home


async def fill(home: Path, *, messages: int = 3) -> Path:
    """Conversations for that home; their file."""
    folder = AppPaths.below(home).profile()
    record = await open_record(folder)
    store = await open_conversations(folder)
    session = (await store.create(user_id=record.owner_id, title="Boats")).session_id
    for number in range(messages):
        await store.append(session, Message("user", f"Line {number} {'x' * 400}"), user_id=record.owner_id)
    await store.close()
    await record.close()
    return folder / "conversations.sqlite"


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


async def test_a_file_where_the_data_folder_should_be_is_told_and_left(qapp: Any, tmp_path: Path) -> None:
    home = tmp_path / "app"
    home.mkdir()
    (home / "data").write_text("mine")
    async with starting(qapp, home) as program:
        dialog = await program.trouble()
        said = text_of(dialog)
        assert f"Keepsake can't write to its folder {home / 'data'}" in said
        assert "Nothing was changed." in said
        click(dialog, "Quit")
        assert await program.ended == 1
    assert (home / "data").read_text() == "mine"


async def test_once_the_folder_can_be_written_try_again_starts(qapp: Any, app_home: Path) -> None:
    data = AppPaths.below(app_home).data
    shutil.rmtree(data)
    data.write_text("in the way")
    async with starting(qapp, app_home) as program:
        dialog = await program.trouble()
        click(dialog, "Try again")
        dialog = await program.trouble()
        data.unlink()
        click(dialog, "Try again")
        await program.window()
        assert await program.quit() == 0


@pytest.mark.parametrize("name", ["profile.sqlite", "conversations.sqlite"])
async def test_data_of_a_newer_version_is_told_and_left_untouched(
    qapp: Any, app_home: Path, name: str
) -> None:
    await fill(app_home)
    folder = AppPaths.below(app_home).profile()
    connection = apsw.Connection(str(folder / name))
    connection.pragma("user_version", 999)
    connection.close()
    before = contents(folder)
    async with starting(qapp, app_home) as program:
        dialog = await program.trouble()
        said = text_of(dialog)
        assert "Data from a newer version" in said
        assert f"{name} was written by a newer version of Keepsake. It was left as it is." in said
        click(dialog, "Quit")
        assert await program.ended == 1
    assert {key: value for key, value in contents(folder).items() if key in before} == before


async def test_settings_of_a_newer_version_are_told_and_left_untouched(qapp: Any, app_home: Path) -> None:
    file = AppPaths.below(app_home).settings_file
    file.write_text(json.dumps({"version": 999}))
    async with starting(qapp, app_home) as program:
        assert "newer version" in text_of(await program.trouble())
        click(await program.trouble(), "Quit")
        await program.ended
    assert json.loads(file.read_text()) == {"version": 999}


async def test_damaged_settings_are_set_aside_and_the_window_says_so(qapp: Any, app_home: Path) -> None:
    file = AppPaths.below(app_home).settings_file
    file.write_text("{")
    async with starting(qapp, app_home) as program:
        window = await program.window()
        await until(lambda: window.findChildren(ErrorDialog), "the notice")
        (notice,) = window.findChildren(ErrorDialog)
        assert "The settings file was damaged" in text_of(notice)
        notice.accept()
        await program.quit()
    assert any(path.name.startswith("settings.damaged-") for path in file.parent.iterdir())


def overwrite_all(file: Path) -> None:
    file.write_bytes(b"This is no database. " * 500)


def cut_in_half(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def overwrite_the_middle(file: Path) -> None:
    """Leaves the first page, which says that all is well."""
    size = file.stat().st_size
    with file.open("r+b") as target:
        target.seek(4096)
        target.write(b"\xa5" * (size - 4096))


def spoil_page_with(file: Path, text: bytes) -> None:
    """Overwrite the pages that hold `text`, and no other."""
    content = bytearray(file.read_bytes())
    for start in range(0, len(content), 4096):
        if text in content[start : start + 4096]:
            content[start : start + 4096] = b"\xa5" * 4096
    file.write_bytes(content)


@pytest.mark.parametrize("damage", [overwrite_all, cut_in_half, overwrite_the_middle])
async def test_damaged_conversations_can_be_set_aside_and_nothing_is_deleted(
    qapp: Any, app_home: Path, damage: Any
) -> None:
    file = await fill(app_home, messages=200)
    damage(file)
    damaged = file.read_bytes()
    async with starting(qapp, app_home) as program:
        dialog = await program.trouble()
        assert "The file conversations.sqlite is damaged. It was left as it is." in text_of(dialog)
        assert file.read_bytes() == damaged
        click(dialog, "Set aside, begin empty")
        window = await program.window()
        assert window.sidebar.listed() == []
        assert await program.quit() == 0
    (aside,) = (
        p for p in file.parent.iterdir() if ".damaged-" in p.name and p.name.endswith(tuple("0123456789"))
    )
    assert aside.read_bytes() == damaged


async def test_damaged_conversations_can_be_replaced_by_the_backup(qapp: Any, app_home: Path) -> None:
    file = await fill(app_home)
    shutil.copyfile(file, file.with_name("conversations.sqlite.backup-v1"))
    overwrite_all(file)
    async with starting(qapp, app_home) as program:
        click(await program.trouble(), "Set aside, use the backup")
        window = await program.window()
        assert [title for _, title in window.sidebar.listed()] == ["Boats"]
        await program.quit()


async def test_setting_a_damaged_record_aside_hides_nothing(qapp: Any, app_home: Path) -> None:
    file = await fill(app_home)
    record = await open_record(file.parent)
    owner = record.owner_id
    await record.close()
    overwrite_all(file.with_name("profile.sqlite"))
    async with starting(qapp, app_home) as program:
        dialog = await program.trouble()
        assert "The file profile.sqlite is damaged." in text_of(dialog)
        click(dialog, "Set aside, begin empty")
        window = await program.window()
        assert [title for _, title in window.sidebar.listed()] == ["Boats"]
        await program.quit()
    record = await open_record(file.parent)
    assert record.owner_id == owner
    await record.close()


async def test_leaving_the_question_about_damage_changes_nothing(qapp: Any, app_home: Path) -> None:
    file = await fill(app_home)
    overwrite_all(file)
    before = contents(file.parent)
    async with starting(qapp, app_home) as program:
        (await program.trouble()).close()
        assert await program.ended == 1
    after = contents(file.parent)
    assert {key: after[key] for key in before} == before


async def test_damage_that_is_met_later_is_told_and_the_next_start_offers_a_way_out(
    qapp: Any, app_home: Path
) -> None:
    file = await fill(app_home, messages=400)
    spoil_page_with(file, b"Line 380 ")
    async with open_app(app_home) as running:
        ((session, _),) = running.window.sidebar.listed()
        running.window.sidebar.opened.emit(session, "")
        said = await running.take_error()
        assert "conversations.sqlite is damaged" in said
        assert "Start Keepsake anew" in said
    async with starting(qapp, app_home) as program:
        dialog = await program.trouble()
        assert "conversations.sqlite is damaged" in text_of(dialog)
        click(dialog, "Set aside, begin empty")
        await program.window()
        await program.quit()


def test_a_disk_that_gets_full_is_told_and_loses_nothing_and_goes_on_when_there_is_room(
    tmp_path: Path,
) -> None:
    """In a process of its own, whose files may not grow for a while."""
    command = [sys.executable, "-m", "tests.ui.full_disk", str(tmp_path / "app")]
    done = subprocess.run(command, cwd=REPO, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert "The disk is full" in seen["error"]
    assert "What was saved before is still there." in seen["error"]
    assert seen["draft"] == "Is there room?"
    assert seen["messages"] == ["Before", "Hello there."]
    assert "What you type is not kept at present." in seen["note"]
    assert "could not be written" in seen["export"]
    assert seen["settings"] != ""
    assert seen["after"] == ["Before", "Hello there.", "Is there room?", "Hello there."]
