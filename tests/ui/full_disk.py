"""A window on a disk that gets full: python -m tests.ui.full_disk FOLDER. Prints what was seen as JSON."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import sys
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from assistant.ui.windows.settings_dialog import SettingsDialog
from tests.chat_server import ChatServer
from tests.ui.app_fixtures import click, open_app, text_of, until


def let_files_grow(may: bool) -> None:
    """Writing beyond the first byte of a file fails, as it does on a full disk; or works again."""
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (hard if may else 1, hard))


async def look(folder: Path) -> dict[str, Any]:
    seen: dict[str, Any] = {}
    async with ChatServer() as server, open_app(folder, server=server) as running:
        await running.say("Before")
        let_files_grow(False)
        running.write("Is there room?")
        await until(running.window.chat.note, "a note about the draft")
        seen["note"] = running.window.chat.note()
        running.press_enter()
        seen["error"] = await running.take_error()
        await running.settled()
        seen["draft"], seen["messages"] = running.draft(), running.texts()
        running.app.ownership.start_export(folder / "out.json")
        seen["export"] = await running.take_error()
        running.app.models.show_settings(0)
        dialog = await running.dialog(SettingsDialog)
        dialog.tabs.setCurrentIndex(2)
        before = text_of(dialog)
        dialog._motion.setChecked(True)
        click(dialog, "Save")
        await until(lambda: text_of(dialog) != before, "the settings say why")
        seen["settings"] = text_of(dialog)
        dialog.reject()
        let_files_grow(True)
        running.press_enter()
        await until(lambda: len(running.items()) == 4, "the message is sent")
        await running.quiet()
        seen["after"] = running.texts()
    return seen


def main() -> None:
    application = QApplication(["keepsake-tests"])
    application.setQuitOnLastWindowClosed(False)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        sys.stdout.write(json.dumps(runner.run(look(Path(sys.argv[1])))))


if __name__ == "__main__":
    main()
