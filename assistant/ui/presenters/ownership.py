"""What belongs to the user: export, import and wipe, with progress and cancel."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFileDialog

from assistant.memory.base import Progress
from assistant.ownership.export import export_json, export_markdown, import_json
from assistant.ownership.profile import WipeReport
from assistant.ui.presenters.base import Presenter
from assistant.ui.services import Services
from assistant.ui.windows.dialogs import Dialog, WipeDialog, memories_and_conversations
from assistant.ui.windows.main_window import MainWindow
from assistant.ui.words import count

_WORK = "export or import"
_WIPE = "wipe"


class OwnershipPresenter(Presenter):
    """Runs what the data menus ask for.

    Args:
        come_to_rest: ends all that uses the stores, before they close.

    Signals:
        imported: memories were added.
        wiped: the stores are open again, empty; or as they were, after a failure.
    """

    imported = Signal()
    wiped = Signal()

    def __init__(
        self, window: MainWindow, services: Services, come_to_rest: Callable[[], Awaitable[object]]
    ) -> None:
        super().__init__(window, services)
        self._window = window
        self._come_to_rest = come_to_rest
        self.wipe_dialog: WipeDialog | None = None
        window.memory.cancel_requested.connect(self.cancel)

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
        self.run(self._open_wipe(), "prepare wipe", replaces=True)

    def start_export(self, path: Path) -> None:
        """Write the memories to `path`: Markdown where its name ends so, else JSON."""
        self.run(self._export(path), _WORK, replaces=True)

    def start_import(self, path: Path) -> None:
        """Add the memories of `path`, a file that was exported before."""
        self.run(self._import(path), _WORK, replaces=True)

    def cancel(self) -> None:
        """End a running export or import; what had been added stays."""
        self._services.supervisor.cancel(_WORK)

    def _file_dialog(self, title: str, mode: QFileDialog.AcceptMode) -> QFileDialog:
        dialog = QFileDialog(self._window, title)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(mode)
        return dialog

    async def _export(self, path: Path) -> None:
        profile = self._services.profile
        write = export_markdown if path.suffix.lower() in (".md", ".markdown") else export_json
        with self._shown("Exporting") as progress:
            number = await write(profile.memory, profile.owner_id, path, progress)
        self._window.toast.say(f"Exported {count(number, 'memory', 'memories')} to {path}")

    async def _import(self, path: Path) -> None:
        profile = self._services.profile
        try:
            with self._shown("Importing") as progress:
                report = await import_json(profile.memory, profile.owner_id, path, progress)
        except asyncio.CancelledError:
            self._window.toast.say("Import cancelled. What had been added stays.")
            raise
        finally:
            self.imported.emit()
        text = f"Imported {count(report.imported, 'memory', 'memories')}."
        if report.skipped:
            text += f" {len(report.skipped):,} could not be used. {report.skipped[0]}"
        self._window.toast.say(text)

    @contextmanager
    def _shown(self, what: str) -> Iterator[Progress]:
        """Shows work above the list of memories, with how far it is and a way to cancel it."""
        loop = asyncio.get_running_loop()
        panel = self._window.memory
        going_on = True

        def show(done: int, total: int) -> None:
            if going_on:
                panel.show_status(f"{what} {done:,} of {total:,}", done=done, total=total, can_cancel=True)

        def tell(done: int, total: int) -> None:
            # Providers may report from their own thread.
            loop.call_soon_threadsafe(show, done, total)

        panel.show_status(f"{what}…", can_cancel=True)
        try:
            yield tell
        finally:
            going_on = False
            panel.show_status("")

    async def _open_wipe(self) -> None:
        memories, conversations = await self._services.profile.counts()
        dialog = WipeDialog(
            self._window, memories=memories, conversations=conversations, profile="this profile"
        )
        dialog.export_requested.connect(self.ask_export)
        dialog.confirmed.connect(lambda: self.run(self._wipe(dialog), _WIPE))
        dialog.finished.connect(self._wipe_closed)
        self.wipe_dialog = dialog
        dialog.open()

    def _wipe_closed(self) -> None:
        self.wipe_dialog = None

    async def _wipe(self, dialog: WipeDialog) -> None:
        try:
            await self._come_to_rest()
            report = await self._services.profile.wipe()
        finally:
            dialog.finish()
            self.wiped.emit()
        WipedDialog(self._window, report).open()


class WipedDialog(Dialog):
    """What a wipe did."""

    def __init__(self, parent: MainWindow, report: WipeReport) -> None:
        super().__init__(parent, "Wiped")
        self.say(
            f"Removed {memories_and_conversations(report.memories, report.conversations)} and "
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
