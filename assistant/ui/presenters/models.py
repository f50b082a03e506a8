"""Who answers, and the settings: the first page and the settings dialog."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices

from assistant.core.errors import AssistantError
from assistant.models.choice import ModelChoice
from assistant.models.presets import PRESETS
from assistant.ui.services import Services
from assistant.ui.theme import Theme
from assistant.ui.widgets.model_form import ModelForm
from assistant.ui.windows.dialogs import QuestionDialog
from assistant.ui.windows.first_start import FirstStartPage
from assistant.ui.windows.main_window import MainWindow
from assistant.ui.windows.settings_dialog import Preferences, SettingsDialog


class ModelsPresenter(QObject):
    """Between the forms and the switchboard.

    Signals:
        chosen: another model is in force, or none was wanted.
        preferences_changed: the settings beside the model are new.
        export_requested, import_requested, wipe_requested: from the settings' data tab.
        failed(AssistantError): nothing was changed.
    """

    chosen = Signal()
    preferences_changed = Signal()
    export_requested = Signal()
    import_requested = Signal()
    wipe_requested = Signal()
    failed = Signal(object)

    def __init__(
        self, window: MainWindow, theme: Theme, services: Services, *, has_trial_model: bool
    ) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self._services = services
        self._has_trial_model = has_trial_model
        self.dialog: SettingsDialog | None = None
        self.page: FirstStartPage | None = None

    def show_first_start(self) -> None:
        """Put the first page over the chat."""
        page = FirstStartPage(self._theme, PRESETS, has_trial_model=self._has_trial_model)
        page.chosen.connect(lambda choice: self._start(self._choose_first(choice), "choose a model"))
        page.skipped.connect(self._skip)
        page.search_requested.connect(lambda: self._start(self._find_servers(page), "look for servers"))
        self._serve(page.form)
        self.page = page
        self._window.show_page(page)
        self._start(self._find_servers(page), "look for servers")

    def show_settings(self, tab: int = 0) -> None:
        """Open the settings dialog."""
        if self.dialog is not None:
            self.dialog.raise_()
            return
        s = self._services.settings.current
        choice = self._services.switchboard.choice
        dialog = SettingsDialog(
            self._window,
            PRESETS,
            choice if choice.preset_id else ModelChoice("local"),
            Preferences(s.theme, s.reduced_motion, s.memory_enabled, s.memory_token_budget, s.instructions),
            data_folder=str(self._services.profile.directory),
            version=self._services.version,
        )
        dialog.tabs.setCurrentIndex(tab)
        self._serve(dialog.form)
        dialog.saved.connect(
            lambda chosen, preferences: self._start(self._save(dialog, chosen, preferences), "save settings")
        )
        dialog.forget_key_requested.connect(
            lambda chosen: self._start(self._forget_key(dialog.form, chosen), "remove key")
        )
        dialog.export_requested.connect(self.export_requested)
        dialog.import_requested.connect(self.import_requested)
        dialog.wipe_requested.connect(self.wipe_requested)
        dialog.folder_requested.connect(self._open_folder)
        dialog.finished.connect(self._settings_closed)
        self.dialog = dialog
        dialog.open()

    def _settings_closed(self) -> None:
        self.dialog = None

    def _serve(self, form: ModelForm) -> None:
        form.test_requested.connect(
            lambda choice: self._start(self._test(form, choice), "test connection", replaces=True)
        )
        form.models_wanted.connect(
            lambda choice: self._start(self._list_models(form, choice), "list models", replaces=True)
        )
        form.changed.connect(lambda: self._start(self._note_key(form), "look for key", replaces=True))
        self._start(self._note_key(form), "look for key", replaces=True)

    async def _choose_first(self, choice: ModelChoice) -> None:
        try:
            await self._services.switchboard.use(choice)
            self._services.settings.change(first_start_done=True)
        except AssistantError as error:
            if self.page is not None:
                self.page.form.show_status(f"{error.message} {error.hint}".strip(), "danger")
            return
        self._leave_first_start()

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
        if choice.preset_id == "local":
            form.show_status("The model on this computer is started with the first message.")
            return
        form.set_busy(True)
        form.show_status("Trying…")
        try:
            report = await self._services.switchboard.test(choice)
        except AssistantError as error:
            form.show_status(f"{error.message} {error.hint}".strip(), "danger")
            return
        finally:
            form.set_busy(False)
        if report.models:
            form.show_models([m.id for m in report.models])
        if report.error is not None:
            form.show_status(f"{report.error.message} {report.error.hint}".strip(), "danger")
        else:
            took = f" ({report.latency_ms:.0f} ms)" if report.latency_ms is not None else ""
            form.show_status(f"It answers{took}.", "ok")

    async def _list_models(self, form: ModelForm, choice: ModelChoice) -> None:
        form.set_busy(True)
        form.show_status("Asking…")
        try:
            models = await self._services.switchboard.models(choice)
        except AssistantError as error:
            form.show_status(f"{error.message} {error.hint}".strip(), "danger")
            return
        finally:
            form.set_busy(False)
        form.show_models(models)
        form.show_status(f"{len(models)} models." if models else "It has no model yet.")

    async def _note_key(self, form: ModelForm) -> None:
        choice = form.choice()
        if choice.preset_id == "local":
            return
        switchboard = self._services.switchboard
        try:
            secrets = await switchboard.secrets()
            stored = await switchboard.key_is_stored(choice)
        except AssistantError as error:
            # An address that is still being typed is no reason to complain.
            if error.title == "Key store":
                form.set_key_note(False, f"{error.message} {error.hint}".strip())
            return
        form.set_key_note(stored, secrets.announcement)

    async def _forget_key(self, form: ModelForm, choice: ModelChoice) -> None:
        try:
            gone = await self._services.switchboard.forget_key(choice)
        except AssistantError as error:
            form.show_status(f"{error.message} {error.hint}".strip(), "danger")
            return
        form.show_status("The key was removed." if gone else "No key is stored for this address.")
        await self._note_key(form)

    async def _save(self, dialog: SettingsDialog, choice: ModelChoice, preferences: Preferences) -> None:
        services = self._services
        before = services.switchboard.choice
        untouched = choice == before or (not before.preset_id and choice == ModelChoice("local"))
        try:
            if not untouched or before.preset_id != choice.preset_id:
                await services.switchboard.use(choice)
            services.settings.change(
                first_start_done=True,
                theme=preferences.theme,
                reduced_motion=preferences.reduced_motion,
                memory_enabled=preferences.memory_enabled,
                memory_token_budget=preferences.memory_token_budget,
                instructions=preferences.instructions,
            )
        except AssistantError as error:
            dialog.show_error(f"{error.message} {error.hint}".strip())
            return
        dialog.accept()
        if self.page is not None:
            self._leave_first_start()
        self.chosen.emit()
        self.preferences_changed.emit()

    def _open_folder(self) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._services.profile.directory)))

    def ask_to_open(self, url: str) -> None:
        """A link in a reply: shown in full, opened in the browser only when the user agrees."""
        dialog = QuestionDialog(
            self._window, "Open this link?", f"{url}\n\nIt opens in your browser.", "Open"
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.agreed.connect(lambda: QDesktopServices.openUrl(QUrl(url)))
        dialog.open()

    def _start(self, work: Coroutine[Any, Any, Any], name: str, *, replaces: bool = False) -> None:
        self._services.supervisor.start(work, name=name, replaces=replaces)
