"""Who answers: the first page, the settings, and where messages go."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton

from assistant.models.choice import ModelChoice
from assistant.models.probe import FoundServer
from assistant.ui.theme.tokens import DARK, LIGHT
from assistant.ui.widgets.model_form import ModelForm
from assistant.ui.windows.first_start import FirstStartPage
from assistant.ui.windows.settings_dialog import SettingsDialog
from tests.chat_server import HANG, ChatServer, Gate, Reply, chunk, event, fails, raw, says, streams
from tests.ui.app_fixtures import (
    MODEL,
    LoopbackModels,
    Running,
    button,
    click,
    found_server,
    open_app,
    text_of,
    until,
)
from tests.unit.test_models_tls import self_signed

KEY = "sk-test-4f9a1c27e8b04d3fa2b7c6d5e4f30918"


def first_page(running: Running) -> FirstStartPage:
    page = running.window.page
    assert isinstance(page, FirstStartPage)
    return page


def choose(page: FirstStartPage, name: str) -> None:
    """Mark one of the ways to begin."""
    (found,) = (b for b in page.findChildren(QPushButton) if b.accessibleName() == name)
    assert found.isEnabled()
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


TRIAL, SERVER, SERVICE = (
    "Start now, on this computer",
    "A model server on this computer",
    "A service with a key",
)


def fill(
    form: ModelForm, server: ChatServer, *, model: str = MODEL, key: str = "", ca_file: str = ""
) -> None:
    """Name a server of the test in the form."""
    form.set_choice(ModelChoice("custom", server.base_url, model, key, ca_file=ca_file))


async def settings_dialog(running: Running) -> SettingsDialog:
    running.app.models.show_settings(0)
    dialog = await running.dialog(SettingsDialog)
    await running.settled()
    return dialog


# -- first start


async def test_the_first_start_shows_three_ways_and_says_what_stays_here(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, first_start_done=False) as running:
        said = text_of(first_page(running))
        assert "Chats and memories stay on this computer." in said
        for way in (TRIAL, SERVER, SERVICE):
            assert way in said


async def test_the_key_store_is_not_asked_before_a_key_matters(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, first_start_done=False) as running:
        asked: list[str] = []
        secrets = await running.services.switchboard.secrets()
        kept = secrets.secrets.get

        async def get(endpoint_id: str, *, host: str = "") -> str | None:
            asked.append(endpoint_id)
            return await kept(endpoint_id, host=host)

        secrets.secrets.get = get  # type: ignore[method-assign]
        click(first_page(running), "Look again")
        await running.settled()
        assert asked == []
        choose(first_page(running), SERVICE)
        await running.settled()
        assert asked == ["openai"]
        assert "until you close the app" in text_of(first_page(running))


async def test_the_trial_model_answers_after_one_press(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        models = LoopbackModels(server)
        async with open_app(tmp_path, models=models, first_start_done=False) as running:
            click(first_page(running), "Start")
            await until(lambda: running.window.page is running.window.chat, "the chat")
            assert (await running.say("Hello")).text == "Hello there."
            assert "this computer" in running.window.chat.composer.destination.text()
        async with open_app(tmp_path, models=models, first_start_done=True) as running:
            assert running.window.page is running.window.chat


async def test_without_the_trial_model_it_cannot_be_chosen(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, first_start_done=False, has_trial_model=False) as running:
        page = first_page(running)
        assert not button(page, "Start").isEnabled()
        assert "not installed" in text_of(page)


async def test_a_model_server_that_was_found_answers(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        models = LoopbackModels()
        models.found = [found_server("ollama", server, "llama3.2")]
        async with open_app(tmp_path, models=models, first_start_done=False) as running:
            assert "Found: Ollama (llama3.2)" in text_of(first_page(running))
            choose(first_page(running), SERVER)
            click(first_page(running), "Start")
            await until(lambda: running.window.page is running.window.chat, "the chat")
            await running.say("Hello")
            assert server.chats[0].json["model"] == "llama3.2"


async def test_a_model_server_that_was_not_found_cannot_be_chosen_until_it_is(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as server:
        models = LoopbackModels()
        async with open_app(tmp_path, models=models, first_start_done=False) as running:
            page = first_page(running)
            (way,) = (b for b in page.findChildren(QPushButton) if b.accessibleName() == SERVER)
            assert not way.isEnabled()
            assert "None answers" in text_of(page)
            models.found = [found_server("lmstudio", server)]
            click(page, "Look again")
            await running.settled()
            assert "has no model yet" in text_of(page)
            models.found = [found_server("lmstudio", server, "qwen")]
            click(page, "Look again")
            await running.settled()
            choose(page, SERVER)
            models.found = []
            click(page, "Look again")
            await running.settled()
            assert not button(page, "Start").isEnabled()


class SlowSearch(LoopbackModels):
    """Finds nothing until it may."""

    def __init__(self) -> None:
        super().__init__()
        self.gate = Gate()

    async def find_local_servers(self) -> Sequence[FoundServer]:
        await self.gate.wait()
        return self.found


async def test_while_it_looks_for_servers_none_can_be_started(qapp: Any, tmp_path: Path) -> None:
    models = SlowSearch()
    async with open_app(tmp_path, models=models, first_start_done=False, warm=False) as running:
        page = first_page(running)
        (way,) = (b for b in page.findChildren(QPushButton) if b.accessibleName() == SERVER)
        assert not way.isEnabled()
        click(page, "Skip for now")
        models.gate.open()
        await running.settled()


async def test_a_service_with_a_key_answers(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(api_key=KEY) as server, open_app(tmp_path, first_start_done=False) as running:
        choose(first_page(running), SERVICE)
        fill(first_page(running).form, server, key=KEY)
        click(first_page(running), "Start")
        await until(lambda: running.window.page is running.window.chat, "the chat")
        assert (await running.say("Hello")).text == "Hello there."
        assert KEY not in (tmp_path / "config" / "settings.json").read_text()


async def test_a_wrong_key_shows_the_cause_and_keeps_the_form(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(api_key=KEY) as server, open_app(tmp_path, first_start_done=False) as running:
        page = first_page(running)
        choose(page, SERVICE)
        fill(page.form, server, key="sk-wrong-4f9a1c27e8b04d3fa2b7c6d5e4f")
        click(page, "Start")
        await running.settled()
        assert "does not accept the key" in text_of(page)
        assert page.form.choice().base_url == server.base_url
        assert not running.settings.first_start_done
        page.form.set_key(KEY)
        click(page, "Start")
        await until(lambda: running.window.page is running.window.chat, "the chat")


async def test_what_does_not_answer_can_be_chosen_all_the_same(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        pass
    async with open_app(tmp_path, first_start_done=False) as running:
        page = first_page(running)
        choose(page, SERVICE)
        fill(page.form, server)
        click(page, "Start")
        await running.settled()
        assert "Press Start again to use it all the same." in text_of(page)
        click(page, "Start")
        await until(lambda: running.window.page is running.window.chat, "the chat")


async def test_without_a_model_name_the_list_is_fetched_first(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer(models=("alpha", "beta")) as server,
        open_app(tmp_path, first_start_done=False) as running,
    ):
        page = first_page(running)
        choose(page, SERVICE)
        fill(page.form, server, model="")
        click(page, "Start")
        await running.settled()
        assert "Choose a model, then start." in text_of(page)
        assert page.form.choice().model == "alpha"
        click(page, "Start")
        await until(lambda: running.window.page is running.window.chat, "the chat")


async def test_each_way_can_be_skipped_for_good(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, first_start_done=False) as running:
        click(first_page(running), "Skip for now")
        assert running.window.page is running.window.chat
        assert "Choose a model to start." in text_of(running.window.chat)
        await running.settled()
        assert running.settings.first_start_done
        assert running.settings.endpoint == ""


# -- settings


async def test_saved_settings_are_in_force_at_once_and_at_the_next_start(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        async with open_app(tmp_path) as running:
            dialog = await settings_dialog(running)
            fill(dialog.form, server)
            instructions = dialog.findChild(QPlainTextEdit)
            assert instructions is not None
            instructions.setPlainText("Answer in one word.")
            click(dialog, "Save")
            await running.settled()
            assert running.shown(SettingsDialog) == []
            await running.say("Hello")
            assert "Answer in one word." in str(server.chats[0].messages[0])
        async with open_app(tmp_path) as running:
            assert running.settings.instructions == "Answer in one word."
            await running.say("Again")
            assert len(server.chats) == 2


async def test_cancelled_settings_change_nothing(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path) as running:
        before = running.settings
        dialog = await settings_dialog(running)
        fill(dialog.form, server)
        click(dialog, "Cancel")
        await running.settled()
        assert running.settings == before


async def test_settings_that_cannot_be_used_say_why_and_stay(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path) as running:
        dialog = await settings_dialog(running)
        fill(dialog.form, server, model="")
        click(dialog, "Save")
        await running.settled()
        assert dialog.isVisible()
        assert "No model is named." in text_of(dialog)
        dialog.form.set_choice(ModelChoice("custom", "not an address", "m"))
        click(dialog, "Save")
        await running.settled()
        assert dialog.isVisible()
        dialog.reject()
        assert running.settings.endpoint == ""


TESTED: dict[str, tuple[Reply, str]] = {
    "401": (fails(401, {"error": {"message": "Invalid API Key"}}), "key"),
    "404": (fails(404, {"error": {"message": "model not found", "code": "model_not_found"}}), "has no model"),
    "429": (fails(429, "slow down", {"Retry-After": "7"}), "wait 7 seconds"),
    "500": (fails(500, "oh"), "failed (error 500)"),
    "garbage": (raw(b"SSH-2.0-OpenSSH_9\r\n"), ""),
}


@pytest.mark.parametrize("name", TESTED)
async def test_the_connection_test_names_the_cause(qapp: Any, tmp_path: Path, name: str) -> None:
    reply, said = TESTED[name]
    async with ChatServer() as server, open_app(tmp_path) as running:
        server.default = reply
        dialog = await settings_dialog(running)
        fill(dialog.form, server)
        click(dialog, "Test connection")
        await running.settled()
        status = dialog.form.status()
        assert said in status
        assert status not in ("", "Trying…")
        assert "Your message is kept" not in status
        dialog.reject()


async def test_the_connection_test_says_when_all_is_well_and_lists_models(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer(models=("alpha", "beta")) as server, open_app(tmp_path) as running:
        dialog = await settings_dialog(running)
        fill(dialog.form, server, model="")
        click(dialog, "Test connection")
        await running.settled()
        assert dialog.form.status().startswith("It answers")
        assert dialog.form.choice().model == "alpha"
        click(dialog, "List models")
        await running.settled()
        assert dialog.form.status() == "2 models."
        dialog.reject()


async def test_the_connection_test_tells_an_unreachable_server(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server:
        pass
    async with open_app(tmp_path) as running:
        dialog = await settings_dialog(running)
        fill(dialog.form, server)
        click(dialog, "Test connection")
        await running.settled()
        assert "does not answer" in dialog.form.status()
        dialog.reject()


async def test_the_connection_test_tells_a_certificate_that_nobody_vouches_for(
    qapp: Any, tmp_path: Path
) -> None:
    context, certificate = self_signed(tmp_path)
    async with ChatServer(tls=context) as server, open_app(tmp_path / "home") as running:
        dialog = await settings_dialog(running)
        fill(dialog.form, server)
        click(dialog, "Test connection")
        await running.settled()
        assert "is not trusted" in dialog.form.status()
        fill(dialog.form, server, ca_file=str(certificate))
        click(dialog, "Test connection")
        await running.settled()
        assert dialog.form.status().startswith("It answers")
        dialog.reject()


@pytest.mark.parametrize("what", ["Test connection", "List models"])
async def test_closing_the_settings_while_they_ask_is_harmless(qapp: Any, tmp_path: Path, what: str) -> None:
    gate = Gate()

    async def late(exchange: Any) -> None:
        await gate.wait()
        await fails(500, "too late")(exchange)

    async with ChatServer() as server, open_app(tmp_path) as running:
        server.on("GET", "/v1/models", late)
        dialog = await settings_dialog(running)
        fill(dialog.form, server)
        click(dialog, what)
        await until(lambda: server.requests, "the server was asked")
        dialog.reject()
        await until(lambda: not running.shown(SettingsDialog), "it is closed")
        gate.open()
        await running.settled()


async def test_changing_the_service_forgets_the_key_that_was_typed_for_another(
    qapp: Any, tmp_path: Path
) -> None:
    async with open_app(tmp_path) as running:
        dialog = await settings_dialog(running)
        (where,) = (c for c in dialog.findChildren(QComboBox) if c.accessibleName() == "Where the model runs")
        where.setCurrentIndex(where.findData("openai"))
        dialog.form.set_key(KEY)
        assert dialog.form.choice().api_key == KEY
        where.setCurrentIndex(where.findData("custom"))
        assert dialog.form.choice().api_key == ""
        dialog.reject()
        await running.settled()


async def test_without_a_key_store_the_form_says_how_long_the_key_lives(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path) as running:
        dialog = await settings_dialog(running)
        fill(dialog.form, server)
        await running.settled()
        assert "until you close the app" in dialog.form.key_note()
        assert dialog.form.key_note() in text_of(dialog)
        dialog.reject()


async def test_a_key_is_never_shown_again_and_can_be_removed(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path) as running:
        dialog = await settings_dialog(running)
        fill(dialog.form, server, key=KEY)
        click(dialog, "Save")
        await running.settled()
        dialog = await settings_dialog(running)
        fields = dialog.findChildren(QLineEdit)
        assert all(KEY not in field.text() for field in fields)
        assert any(field.placeholderText() == "Stored. Type to replace it" for field in fields)
        click(dialog, "Remove the stored key")
        await running.settled()
        assert dialog.form.status() == "The key was removed."
        assert all(field.placeholderText() != "Stored. Type to replace it" for field in fields)
        dialog.reject()


async def test_the_theme_is_switched_on_save(qapp: Any, tmp_path: Path) -> None:
    async with (
        ChatServer() as server,
        open_app(tmp_path, models=LoopbackModels(server), theme="light") as running,
    ):
        assert running.theme.tokens is LIGHT
        dialog = await settings_dialog(running)
        dialog.tabs.setCurrentIndex(3)
        (colours,) = (c for c in dialog.findChildren(QComboBox) if c.findData("dark") >= 0)
        colours.setCurrentIndex(colours.findData("dark"))
        click(dialog, "Save")
        await running.settled()
        assert running.theme.tokens is DARK
        assert running.settings.theme == "dark"


async def test_switching_the_model_in_mid_reply_keeps_what_came_and_the_next_one_answers(
    qapp: Any, tmp_path: Path
) -> None:
    async with ChatServer() as first, ChatServer() as second:
        first.default = streams(event(chunk("Once upon")), HANG)
        second.default = says("The other one.")
        async with open_app(tmp_path, server=first) as running:
            await running.begin("A story", "Once upon")
            running.app.models.show_settings(0)
            dialog = await running.dialog(SettingsDialog)
            fill(dialog.form, second)
            click(dialog, "Save")
            await until(lambda: not running.shown(SettingsDialog), "the settings are saved")
            await running.quiet()
            assert (running.items()[-1].text, running.items()[-1].state) == ("Once upon", "stopped")
            assert (await running.say("And now?")).text == "The other one."


# -- where messages go


async def test_a_chip_names_where_messages_go(qapp: Any, tmp_path: Path) -> None:
    async with ChatServer() as server, open_app(tmp_path, server=server) as running:
        chip = running.window.chat.composer.destination
        assert "127.0.0.1" in chip.text() or "this computer" in chip.text()
        QTest.mouseClick(chip, Qt.MouseButton.LeftButton)
        (await running.dialog(SettingsDialog)).reject()
        await running.settled()


async def test_a_model_on_the_internet_is_named_with_what_goes_there(qapp: Any, tmp_path: Path) -> None:
    async with open_app(tmp_path, endpoint="openai", model="gpt-5-mini") as running:
        assert "api.openai.com" in running.window.chat.composer.destination.text()
        said = [label.text() for label in running.window.chat.findChildren(QLabel)]
        assert any("goes to api.openai.com" in text for text in said)
