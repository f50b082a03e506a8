"""Drives the whole application as a person would: python -m tests.integration.driver SCENARIO [ARGUMENTS].

Runs the real program in this process and, once its window is painted and warm, a scenario that uses its widgets.
Prints one JSON object for each thing seen.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

import assistant.ui.app as app_module
from assistant.bootstrap import run_app
from assistant.ui.app import App
from assistant.ui.windows.dialogs import MemoryDialog
from assistant.ui.windows.first_start import FirstStartPage

WAIT = 180.0

Scenario = Callable[[App], Coroutine[Any, Any, None]]
SCENARIOS: dict[str, Scenario] = {}


def scenario(function: Scenario) -> Scenario:
    SCENARIOS[function.__name__] = function
    return function


def tell(**seen: object) -> None:
    sys.stdout.write(f"{json.dumps(seen)}\n")
    sys.stdout.flush()


async def until(condition: Callable[[], object], what: str) -> None:
    """Look again and again, between the events of the window, until `condition` holds.

    Raises:
        AssertionError: it does not within WAIT seconds.
    """
    end = asyncio.get_running_loop().time() + WAIT
    while not condition():
        assert asyncio.get_running_loop().time() < end, f"waited in vain until {what}"
        await asyncio.sleep(0.02)


def press(widget: Any, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    QTest.keyClick(widget, key, modifier)


def click(dialog: Any, text: str) -> None:
    for button in dialog.findChildren(QPushButton):
        if button.text() == text:
            QTest.mouseClick(button, Qt.MouseButton.LeftButton)
            return
    raise AssertionError(f"no button {text!r}")


async def add_memory(app: App, text: str) -> None:
    app.memories.ask_new()
    dialog = app.window.findChild(MemoryDialog)
    dialog.set_text(text)
    click(dialog, "Save")
    await until(lambda: any(row.text == text for row in app.window.memory.rows()), "the memory is listed")


async def ask(app: App, text: str) -> None:
    composer = app.window.chat.composer
    composer.set_text(text)
    composer.setFocus()
    field = composer.focusWidget() or composer
    press(field, Qt.Key.Key_Return)
    await until(lambda: app.chat.is_running, "the turn runs")
    await until(lambda: not app.chat.is_running, "the turn has ended")


def shown(app: App) -> list[dict[str, Any]]:
    return [
        {
            "role": item.role,
            "text": item.text,
            "state": item.state,
            "recalled": [fact.text for fact in item.recalled],
            "remembered": [fact.text for fact in item.remembered],
            "note": item.memory_note,
            "error": item.error.message if item.error else "",
        }
        for item in app.window.chat.view.items()
    ]


@scenario
async def remember_and_ask(app: App) -> None:
    await add_memory(app, sys.argv[2])
    await ask(app, sys.argv[3])
    tell(messages=shown(app), memories=[row.text for row in app.window.memory.rows()])


@scenario
async def look(app: App) -> None:
    await until(lambda: app.window.memory.rows(), "memories are listed")
    tell(
        messages=shown(app),
        memories=[row.text for row in app.window.memory.rows()],
        conversations=[title for _, title in app.window.sidebar.listed()],
        title=app.window.chat.title(),
    )


@scenario
async def first_start(app: App) -> None:
    page = app.window.page
    assert isinstance(page, FirstStartPage)
    page.choose_trial()
    await until(lambda: app.window.page is app.window.chat, "the chat is shown")
    await ask(app, sys.argv[2])
    tell(messages=shown(app), destination=app._services.switchboard.destination)


@scenario
async def stream_for_ever(app: App) -> None:
    """Start a reply that does not end and a job beside it, say so, and wait to be closed."""
    composer = app.window.chat.composer
    composer.set_text("Tell me a story without an end.")
    press(composer.focusWidget() or composer, Qt.Key.Key_Return)
    await until(lambda: app.chat.is_running, "the turn runs")
    view = app.window.chat.view
    await until(
        lambda: any(i.role == "assistant" and i.text for i in view.items()), "some of the reply is shown"
    )
    profile = app._services.profile

    async def job() -> None:
        number = 0
        while True:
            await profile.memory.add(f"Job fact number {number}.", user_id=profile.owner_id)
            number += 1

    app._services.supervisor.start(job(), name="job")
    tell(ready=True)
    how = sys.argv[2]
    if how == "button":
        app.window.close()
    elif how == "ctrl-q":
        app.window.activateWindow()
        await until(app.window.isActiveWindow, "the window has the keyboard")
        press(app.window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    elif how == "quit-event":
        QApplication.quit()
    await asyncio.Event().wait()


@scenario
async def store_key(app: App) -> None:
    app.models.show_settings(0)
    dialog = app.models.dialog
    assert dialog is not None
    from assistant.models.choice import ModelChoice

    dialog.form.set_choice(ModelChoice("custom", sys.argv[2], "test-model", sys.argv[3]))
    click(dialog, "Save")
    await until(lambda: app.models.dialog is None, "the settings are saved")
    await ask(app, "Hello")
    app.models.show_settings(0)
    note = app.models.dialog.form if app.models.dialog else None
    assert note is not None
    await until(lambda: note.key_note(), "the note about the key")
    tell(messages=shown(app), note=note.key_note())


@scenario
async def ask_again(app: App) -> None:
    await ask(app, "Hello again")
    tell(messages=shown(app))


@scenario
async def wipe_and_import(app: App) -> None:
    from pathlib import Path

    for text in (
        "Allergic to penicillin since 1994.",
        "The boat is called Möwe.",
        "Prefers trains to planes.",
    ):
        await add_memory(app, text)
    before = [row.text for row in app.window.memory.rows()]
    target = Path(sys.argv[2])
    app.ownership.start_export(target)
    await until(target.exists, "the export is written")
    app.ownership.ask_wipe()
    await until(lambda: app.ownership.wipe_dialog is not None, "the wipe dialog")
    dialog = app.ownership.wipe_dialog
    assert dialog is not None
    dialog.type_word("wipe")
    dialog.confirm()
    await until(lambda: app.ownership.wipe_dialog is None, "the wipe is done")
    await until(lambda: not app.window.memory.rows(), "the panel is empty")
    tell(before=before, directory=str(app._services.profile.directory))
    await asyncio.to_thread(sys.stdin.readline)
    app.ownership.start_import(target)
    await until(lambda: len(app.window.memory.rows()) == len(before), "the memories are back")
    tell(after=[row.text for row in app.window.memory.rows()])


@scenario
async def temporary(app: App) -> None:
    """Talk in a temporary conversation, leave a draft in it, and wait to be killed or told to close."""
    said, edited, draft, ending = sys.argv[2:6]
    app.links.open("")
    composer = app.window.chat.composer
    app.links.open_temporary()
    await until(lambda: app.chat.standing.is_temporary, "the conversation is temporary")
    await ask(app, said)
    app.window.chat.view.retry_requested.emit(app.window.chat.view.items()[-1].message_id)
    await until(lambda: app.chat.is_running, "the turn runs")
    await until(lambda: not app.chat.is_running, "the turn has ended")
    app.chat.edit_last()
    composer.set_text("")
    await ask(app, edited)
    QTest.keyClicks(composer.input, draft)
    await until(lambda: not composer.is_being_typed, "typing has come to rest")
    profile = app._services.profile
    draft_kept = await profile.conversations.draft(app.chat.session_id, user_id=profile.owner_id)
    tell(messages=shown(app), draft=draft_kept, session=app.chat.session_id, title=app.window.chat.title())
    await asyncio.to_thread(sys.stdin.readline)
    if ending == "keep":
        app.window.chat.banner.action.click()
        await until(lambda: not app.chat.standing.is_temporary, "it is kept")
        tell(kept=True)
        await asyncio.to_thread(sys.stdin.readline)


@scenario
async def say_and_look(app: App) -> None:
    await ask(app, sys.argv[2])
    await until(lambda: app.window.sidebar.listed(), "conversations are listed")
    tell(conversations=[title for _, title in app.window.sidebar.listed()])


@scenario
async def look_at_first(app: App) -> None:
    await until(lambda: app.window.sidebar.listed(), "conversations are listed")
    app.links.open(app.window.sidebar.listed()[0][0])
    view = app.window.chat.view
    await until(view.items, "the conversation is open")
    tell(
        messages=shown(app),
        draft=app.window.chat.composer.text(),
        versions=[[item.variant, item.variants] for item in view.items()],
    )


def main() -> int:
    name = sys.argv[1]
    run = SCENARIOS[name]
    real: Callable[[App], Awaitable[None]] = App.warm_up

    async def warm_up(self: App) -> None:
        await real(self)
        try:
            await run(self)
        except Exception as error:
            tell(failed=f"{type(error).__name__}: {error}", messages=shown(self))
            raise
        finally:
            self.window.close()

    app_module.App.warm_up = warm_up  # type: ignore[method-assign]
    return run_app()


if __name__ == "__main__":
    sys.exit(main())
