"""What belongs to the user: export, import and wipe, with progress and cancel."""

from __future__ import annotations

import asyncio
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog

from assistant.core.errors import AssistantError
from assistant.memory.base import Progress
from assistant.ownership.export import export_json, export_markdown, import_json
from assistant.ownership.profile import WipeReport
from assistant.ui.services import Services
from assistant.ui.windows.dialogs import Dialog, WipeDialog
from assistant.ui.windows.main_window import MainWindow
from assistant.ui.words import count

_WORK = "export or import"


class OwnershipPresenter(QObject):
    """Runs what the data menus ask for.

    Signals:
        imported: memories were added.
        about_to_wipe, wiped: the stores close; they are open again and empty.
        failed(AssistantError): nothing was changed.
    """

    imported = Signal()
    about_to_wipe = Signal()
    wiped = Signal()
    failed = Signal(object)

    def __init__(self, window: MainWindow, services: Services) -> None:
        super().__init__(window)
        self._window = window
        self._services = services
        self.wipe_dialog: WipeDialog | None = None
        window.memory.cancel_requested.connect(lambda: services.supervisor.cancel(_WORK))

    def ask_export(self) -> None:
        """Let the user choose a file; its ending decides the format."""
        dialog = self._file_dialog("Export memories", QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(["JSON, can be imported again (*.json)", "Markdown, to read (*.md)"])
        dialog.setDefaultSuffix("json")
        dialog.filterSelected.connect(
            lambda chosen: dialog.setDefaultSuffix("md" if "*.md" in chosen else "json")
        )
        dialog.selectFile("keepsake-memories.json")
        dialog.fileSelected.connect(lambda name: self.start_export(Path(name)))
        dialog.open()

    def ask_import(self) -> None:
        """Let the user choose a file that was exported before."""
        dialog = self._file_dialog("Import memories", QFileDialog.AcceptMode.AcceptOpen)
        dialog.setNameFilters(["Exported memories (*.json)", "All files (*)"])
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda name: self.start_import(Path(name)))
        dialog.open()

    def ask_wipe(self) -> None:
        """Say what goes and ask for the typed word."""
        self._services.supervisor.start(self._open_wipe(), name="prepare wipe")

    def start_export(self, path: Path) -> None:
        self._services.supervisor.start(self._export(path), name=_WORK, replaces=True)

    def start_import(self, path: Path) -> None:
        self._services.supervisor.start(self._import(path), name=_WORK, replaces=True)

    def _file_dialog(self, title: str, mode: QFileDialog.AcceptMode) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(mode)
        return dialog

    async def _export(self, path: Path) -> None:
        profile = self._services.profile
        write = export_markdown if path.suffix.lower() in (".md", ".markdown") else export_json
        try:
            number = await write(profile.memory, profile.owner_id, path, self._progress("Exporting"))
        except AssistantError as error:
            self.failed.emit(error)
            return
        finally:
            self._window.memory.show_status("")
        self._window.toast.say(f"Exported {count(number, 'memory', 'memories')} to {path}")

    async def _import(self, path: Path) -> None:
        profile = self._services.profile
        try:
            report = await import_json(profile.memory, profile.owner_id, path, self._progress("Importing"))
        except AssistantError as error:
            self.failed.emit(error)
            return
        except asyncio.CancelledError:
            self._window.toast.say("Import cancelled. What had been added stays.")
            raise
        finally:
            self._window.memory.show_status("")
            self.imported.emit()
        text = f"Imported {count(report.imported, 'memory', 'memories')}."
        if report.skipped:
            text += f" {len(report.skipped)} could not be used. {report.skipped[0]}"
        self._window.toast.say(text)

    def _progress(self, what: str) -> Progress:
        loop = asyncio.get_running_loop()
        panel = self._window.memory

        def show(done: int, total: int) -> None:
            text = f"{what} {done:,} of {total:,}"
            panel.show_status(text, done=done, total=total, can_cancel=True)

        def tell(done: int, total: int) -> None:
            # Providers may report from their own thread.
            loop.call_soon_threadsafe(show, done, total)

        return tell

    async def _open_wipe(self) -> None:
        try:
            memories, conversations = await self._services.profile.counts()
        except AssistantError as error:
            self.failed.emit(error)
            return
        dialog = WipeDialog(
            self._window, memories=memories, conversations=conversations, profile="this profile"
        )
        dialog.export_requested.connect(self.ask_export)
        dialog.confirmed.connect(lambda: self._services.supervisor.start(self._wipe(dialog), name="wipe"))
        dialog.finished.connect(self._wipe_closed)
        self.wipe_dialog = dialog
        dialog.open()

    def _wipe_closed(self) -> None:
        self.wipe_dialog = None

    async def _wipe(self, dialog: WipeDialog) -> None:
        self.about_to_wipe.emit()
        try:
            report = await self._services.profile.wipe()
        except AssistantError as error:
            dialog.reject()
            self.failed.emit(error)
            return
        finally:
            self.wiped.emit()
        dialog.accept()
        WipedDialog(self._window, report).open()


class WipedDialog(Dialog):
    """What a wipe did."""

    def __init__(self, parent: MainWindow, report: WipeReport) -> None:
        super().__init__(parent, "Wiped")
        self.say(
            f"Removed {count(report.memories, 'memory', 'memories')}, "
            f"{count(report.conversations, 'conversation', 'conversations')} and "
            f"{count(report.files_removed, 'file', 'files')}."
        )
        if report.traces:
            names = ", ".join(path.name for path in report.traces[:5])
            self.say(f"A text that was stored before is still found in: {names}.", "danger")
        else:
            self.say(f"Checked {count(report.files_checked, 'file', 'files')}: no trace left.", "muted")
        if report.files_left:
            self.say(
                f"{count(report.files_left, 'file is', 'files are')} in use and will be removed at the next start.",
                "warn",
            )
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()
