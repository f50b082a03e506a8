"""Who answers, and the settings: the first page and the settings dialog."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from shiboken6 import isValid

from assistant.agent.switchboard import LOCAL
from assistant.core.errors import AssistantError, SecretsError
from assistant.models.choice import ModelChoice
from assistant.models.presets import PRESETS
from assistant.ui.presenters.base import Presenter
from assistant.ui.services import Services
from assistant.ui.theme import Theme
from assistant.ui.widgets.model_form import ModelForm
from assistant.ui.windows.connections import ConnectionsDialog
from assistant.ui.windows.dialogs import QuestionDialog, close, is_open
from assistant.ui.windows.first_start import FirstStartPage
from assistant.ui.windows.main_window import MainWindow
from assistant.ui.windows.settings_dialog import Preferences, SettingsDialog


class ModelsPresenter(Presenter):
    """Between the forms and the switchboard.

    Signals:
        switching: another model is about to be in force; the one before is closed, whatever it says just now.
        chosen: another model is in force, or none was wanted.
        preferences_changed: the settings beside the model are new.
        export_requested, import_requested, wipe_requested: from the settings' data tab.
    """

    switching = Signal()
    chosen = Signal()
    preferences_changed = Signal()
    export_requested = Signal()
    import_requested = Signal()
    wipe_requested = Signal()

    def __init__(
        self, window: MainWindow, theme: Theme, services: Services, *, has_trial_model: bool
    ) -> None:
        super().__init__(window, services)
        self._window = window
        self._theme = theme
        self._has_trial_model = has_trial_model
        self.dialog: SettingsDialog | None = None
        self.page: FirstStartPage | None = None
        self._refused: ModelChoice | None = None

    def show_first_start(self) -> None:
        """Put the first page over the chat."""
        page = FirstStartPage(self._theme, PRESETS, has_trial_model=self._has_trial_model)
        page.chosen.connect(lambda choice: self.run(self._choose_first(page, choice), "choose a model"))
        page.skipped.connect(self._skip)
        page.search_requested.connect(lambda: self.run(self._find_servers(page), "look for servers"))
        self._serve(page.form)
        self.page = page
        self._window.show_page(page)
        self.run(self._find_servers(page), "look for servers")

    def show_settings(self, tab: int = 0) -> None:
        """Open the settings dialog."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        choice = self._services.switchboard.choice
        dialog = SettingsDialog(
            self._window,
            PRESETS,
            choice if choice.preset_id else ModelChoice("local"),
            Preferences.of(self._services.settings.current),
            data_folder=str(self._services.profile.directory),
            version=self._services.version,
        )
        dialog.tabs.setCurrentIndex(tab)
        self._serve(dialog.form)
        dialog.saved.connect(
            lambda chosen, preferences: self.run(self._save(dialog, chosen, preferences), "save settings")
        )
        dialog.forget_key_requested.connect(
            lambda chosen: self.run(self._forget_key(dialog.form, chosen), "remove key")
        )
        dialog.export_requested.connect(self.export_requested)
        dialog.import_requested.connect(self.import_requested)
        dialog.wipe_requested.connect(self.wipe_requested)
        dialog.folder_requested.connect(self._open_folder)
        dialog.connections_requested.connect(self.show_connections)
        dialog.answers.clear_requested.connect(
            lambda: self.run(self._clear_answers(dialog), "clear kept answers")
        )
        dialog.finished.connect(self._settings_closed)
        self.dialog = dialog
        self.run(self._count_answers(dialog), "count kept answers", replaces=True)
        dialog.open()

    def _settings_closed(self) -> None:
        self.dialog = None

    def _serve(self, form: ModelForm) -> None:
        form.test_requested.connect(
            lambda choice: self.run(self._test(form, choice), "test connection", replaces=True)
        )
        form.models_wanted.connect(
            lambda choice: self.run(self._list_models(form, choice), "list models", replaces=True)
        )
        form.changed.connect(lambda: self.run(self._note_key(form), "look for key", replaces=True))
        self.run(self._note_key(form), "look for key", replaces=True)

    async def _choose_first(self, page: FirstStartPage, choice: ModelChoice) -> None:
        page.show_error("")
        page.set_busy(True)
        try:
            if page.uses_form and (trouble := await self._trouble(page, choice)):
                if isValid(page):
                    page.show_error(trouble)
                return
            await self._services.switchboard.use(choice)
            self._services.settings.change(first_start_done=True)
        except AssistantError as error:
            if not isValid(page):
                raise
            page.show_error(str(error))
            return
        finally:
            if isValid(page):
                page.set_busy(False)
        if page is self.page:
            self._leave_first_start()

    async def _trouble(self, page: FirstStartPage, choice: ModelChoice) -> str:
        """Why a choice of the form would not work, empty when it would. What was refused once is taken then."""
        switchboard = self._services.switchboard
        await switchboard.check(choice, named=False)
        if not choice.model:
            names = await switchboard.models(choice)
            if isValid(page):
                page.form.show_models(names)
            if names:
                return "It answers. Choose a model, then start."
        await switchboard.check(choice)
        if choice == self._refused:
            return ""
        report = await switchboard.test(choice)
        self._refused = choice if report.error is not None else None
        return f"{report.error} Press Start again to use it all the same." if report.error else ""

    def _skip(self) -> None:
        try:
            self._services.settings.change(first_start_done=True)
        except AssistantError as error:
            self.failed.emit(error)
        self._leave_first_start()

    def _leave_first_start(self) -> None:
        self.page = None
        self._window.show_page(None)
        self._window.chat.focus_composer()
        self.chosen.emit()

    async def _find_servers(self, page: FirstStartPage) -> None:
        found = await self._services.switchboard.find_servers()
        if page is self.page:
            page.show_servers(found)

    async def _test(self, form: ModelForm, choice: ModelChoice) -> None:
        if choice.preset_id == LOCAL:
            form.show_status("The model on this computer is started with the first message.")
            return
        async with self._asking(form, "Trying…"):
            report = await self._services.switchboard.test(choice)
            if not isValid(form):
                return
            if report.models:
                form.show_models([m.id for m in report.models])
            if report.error is not None:
                raise report.error
            took = f" ({report.latency_ms:.0f} ms)" if report.latency_ms is not None else ""
            form.show_status(f"It answers{took}.", "ok")

    async def _list_models(self, form: ModelForm, choice: ModelChoice) -> None:
        async with self._asking(form, "Asking…"):
            models = await self._services.switchboard.models(choice)
            if isValid(form):
                form.show_models(models)
                form.show_status(f"{len(models)} models." if models else "It has no model yet.")

    @asynccontextmanager
    async def _asking(self, form: ModelForm, what: str) -> AsyncIterator[None]:
        """Says in the form what is being done, and why it failed; the form may be closed meanwhile."""
        form.set_busy(True)
        form.show_status(what)
        try:
            yield
        except AssistantError as error:
            if isValid(form):
                form.show_status(str(error), "danger")
        finally:
            if isValid(form):
                form.set_busy(False)

    async def _note_key(self, form: ModelForm) -> None:
        if not isValid(form) or not form.isVisible():
            # A key store may ask to be unlocked: not before the key matters.
            return
        choice = form.choice()
        if choice.preset_id == LOCAL:
            return
        switchboard = self._services.switchboard
        try:
            secrets = await switchboard.secrets()
            stored = await switchboard.key_is_stored(choice)
        except AssistantError as error:
            # An address that is still being typed is no reason to complain.
            if isinstance(error, SecretsError) and isValid(form):
                form.set_key_note(False, str(error))
            return
        if isValid(form):
            form.set_key_note(stored, secrets.announcement)

    async def _forget_key(self, form: ModelForm, choice: ModelChoice) -> None:
        async with self._asking(form, "Removing…"):
            gone = await self._services.switchboard.forget_key(choice)
            if isValid(form):
                form.show_status("The key was removed." if gone else "No key is stored for this address.")
                await self._note_key(form)

    async def _save(self, dialog: SettingsDialog, choice: ModelChoice, preferences: Preferences) -> None:
        services = self._services
        before = services.switchboard.choice
        try:
            if choice != before:
                await services.switchboard.check(choice)
                self.switching.emit()
                await services.switchboard.use(choice)
            services.settings.change(
                first_start_done=True,
                **asdict(preferences),
            )
        except AssistantError as error:
            if not is_open(dialog):
                raise
            dialog.show_error(str(error))
            return
        close(dialog)
        if self.page is not None:
            self._leave_first_start()
        self.chosen.emit()
        self.preferences_changed.emit()

    async def _count_answers(self, dialog: SettingsDialog) -> None:
        try:
            kept = await self._services.desk.kept_answers()
        except AssistantError as error:
            if isValid(dialog):
                dialog.answers.show_trouble(f"The kept answers can't be counted. {error.message}")
            return
        if isValid(dialog):
            dialog.answers.show_kept(kept.count, kept.size)

    async def _clear_answers(self, dialog: SettingsDialog) -> None:
        await self._services.desk.clear_answers()
        await self._count_answers(dialog)

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._services.profile.directory)))

    def show_connections(self) -> None:
        """Open the list of connections."""
        ConnectionsDialog(self.dialog or self._window, self._services.connections()).open()

    def ask_to_open(self, url: str) -> None:
        """A link in a reply: shown in full, opened in the browser only when the user agrees."""
        dialog = QuestionDialog(
            self._window, "Open this link?", "It opens in your browser.", "Open", verbatim=url
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.agreed.connect(lambda: QDesktopServices.openUrl(QUrl(url)))
        dialog.open()
