"""The composition root: the only place that names concrete classes and puts them together."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import sys
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.config.paths import AppPaths
from assistant.config.settings_keeper import SettingsKeeper
from assistant.config.settings_store import SettingsStore
from assistant.core.errors import AssistantError, StoreDamagedError
from assistant.core.redact import Redactor
from assistant.core.tasks import Supervisor
from assistant.core.version import VERSION
from assistant.ownership.profile import SUSPICION, Profile, StoreOpeners

if TYPE_CHECKING:
    from PySide6.QtGui import QIcon
    from PySide6.QtWidgets import QApplication

    from assistant.agent.switchboard import Switchboard
    from assistant.config.logs import LogFile
    from assistant.config.secrets import SecretStore
    from assistant.conversation.base import ConversationStore
    from assistant.embedding.base import Embedder
    from assistant.memory.ledger.indexer import IndexProgress
    from assistant.memory.ledger.ledger import MemoryLedger
    from assistant.models.network import NetworkGuard
    from assistant.storage.profile import ProfileRecord
    from assistant.ui.errors import CrashReports
    from assistant.ui.lifecycle import Lifecycle
    from assistant.ui.services import Services
    from assistant.ui.single_instance import SingleInstance
    from assistant.ui.theme import Theme

_log = logging.getLogger(__name__)

CONVERSATIONS = "conversations.sqlite"
SWITCH_INTERVAL = 0.0005
"""Seconds after which a computing thread gives way; see benchmarks.responsiveness."""

Listener = Callable[[str, int, int], None]
IndexListener = Callable[["IndexProgress"], None]


@dataclass
class Preparation:
    """Passes the progress of the embedding model, and of the memory's index, on to whoever listens."""

    listener: Listener | None = None
    index_listener: IndexListener | None = None

    def tell(self, what: str, done: int, total: int) -> None:
        if self.listener is not None:
            self.listener(what, done, total)

    def listen(self, listener: Listener) -> None:
        self.listener = listener

    def tell_indexing(self, progress: IndexProgress) -> None:
        if self.index_listener is not None:
            self.index_listener(progress)

    def listen_to_index(self, listener: IndexListener) -> None:
        self.index_listener = listener


async def open_record(folder: Path) -> ProfileRecord:
    from assistant.storage.profile import FILE_NAME, ProfileRecord

    owner = None
    if not (folder / FILE_NAME).exists() and (folder / CONVERSATIONS).exists():
        from assistant.conversation.sqlite_store import owner_in

        # Under a new owner id nobody would see these conversations any more.
        owner = await owner_in(folder / CONVERSATIONS)
    return await ProfileRecord.open(folder, owner_id=owner)


async def open_conversations(folder: Path) -> ConversationStore:
    from assistant.conversation.sqlite_store import SqliteConversationStore
    from assistant.conversation.temporary import StoreWithTemporary

    suspected = folder / SUSPICION
    store = await SqliteConversationStore.open(folder / CONVERSATIONS, check=suspected.exists())
    suspected.unlink(missing_ok=True)
    return StoreWithTemporary(store)


def memory_opener(
    cache: Path, preparation: Preparation
) -> Callable[[Path], Coroutine[Any, Any, MemoryLedger]]:
    """A function that opens the long-term memory below a profile's folder, ready to recall."""

    async def open_embedder() -> Embedder:
        from assistant.embedding.process_embedder import indexing_apart
        from assistant.embedding.provision import open_embedder

        return indexing_apart(await open_embedder(cache, progress=preparation.tell))

    async def open_ledger(folder: Path) -> MemoryLedger:
        from assistant.memory.ledger.opening import open_memory

        return await open_memory(
            folder / "memory",
            embedder=open_embedder,
            own_process=True,
            on_indexing=preparation.tell_indexing,
        )

    return open_ledger


def has_trial_model() -> bool:
    """Whether the trial model's weights are installed."""
    from assistant.models.trial_model import trial_model_path

    try:
        trial_model_path()
    except AssistantError:
        return False
    return True


def run_app(profile_name: str = "default") -> int:
    """Open the window for a profile and return the exit code once it has ended.

    Raises:
        InvalidInputError: no profile can have that name.
    """
    # Imports make objects that stay: collecting in between costs time until the first frame and frees nothing.
    gc.disable()
    # A thread of a library that computes in Python must not keep the window's thread waiting for 5 ms, the default.
    sys.setswitchinterval(SWITCH_INTERVAL)
    from assistant.ui.application import Application
    from assistant.ui.lifecycle import leave, run
    from assistant.ui.single_instance import SingleInstance
    from assistant.ui.theme import Theme

    paths = AppPaths.for_user()
    directory = paths.profile(profile_name)
    Application.setApplicationName("Keepsake")
    Application.setDesktopFileName("keepsake")
    application = Application(sys.argv[:1])
    theme = Theme(application, icons_later=True)
    instance = SingleInstance(directory, application)
    if not instance.first():
        return 0
    program = Program(application, theme, instance, paths, directory)
    return leave(run(application, program.main))


class Program:
    """One run of the application, from its services to its end.

    Args:
        application, theme, instance: Qt's application, its look, and the lock against a second window.
        paths: where things lie.
        directory: the folder of the profile.
    """

    def __init__(
        self,
        application: QApplication,
        theme: Theme,
        instance: SingleInstance,
        paths: AppPaths,
        directory: Path,
    ) -> None:
        self._application = application
        self._theme = theme
        self._instance = instance
        self._paths = paths
        self._redactor = Redactor()
        self._preparation = Preparation()
        self._notice: str | None = None
        self._logs: LogFile | None = None
        self._profile = Profile(
            directory,
            StoreOpeners(
                record=open_record,
                conversations=open_conversations,
                memory=memory_opener(paths.cache, self._preparation),
            ),
        )

    async def main(self, lifecycle: Lifecycle) -> int:
        """Run until the lifecycle says stop; returns the exit code."""
        from assistant.agent.switchboard import Switchboard
        from assistant.models.network import NetworkGuard
        from assistant.models.source import RealModels
        from assistant.ui.errors import CrashReports

        if not await self._managed(lifecycle, self._prepare):
            self._instance.close()
            return 1
        crashes = CrashReports(self._paths.logs, self._redactor.redact)
        supervisor = Supervisor(crashes.failed)
        guard = NetworkGuard()
        switchboard = Switchboard(self._settings, self._open_secrets, RealModels(guard))
        services = self._services(switchboard, supervisor, guard)
        try:
            while await self._managed(lifecycle, self._profile.open):
                trouble = await self._show(lifecycle, services, crashes)
                if trouble is None:
                    return 0
                # What is damaged deep inside shows only when it is read.
                await self._profile.close()
                if not await self._resolve(lifecycle, trouble):
                    break
            return 1
        finally:
            await self._close(supervisor, switchboard)
            crashes.close()
            if self._logs is not None:
                self._logs.close()
            self._instance.close()

    async def _show(
        self, lifecycle: Lifecycle, services: Services, crashes: CrashReports
    ) -> AssistantError | None:
        """Show the window until the lifecycle says stop; or what kept it from being filled."""
        from assistant.ui.app import App, first_frame
        from assistant.ui.garbage import GarbageCollector
        from assistant.ui.windows.main_window import MainWindow

        settings = self._settings.current
        self._theme.choose(settings.theme)
        self._theme.reduced_motion = settings.reduced_motion
        window = MainWindow(self._theme)
        window.restore_geometry_text(settings.window_geometry)
        app = App(window, self._theme, services, has_trial_model=has_trial_model())
        crashes.tell(app.show_error)
        app.quit_requested.connect(window.close)
        self._instance.raise_requested.connect(window.raise_up)
        try:
            await app.start()
        except AssistantError as error:
            crashes.tell(None)
            window.deleteLater()
            return error
        window.show()
        await first_frame(window)
        from assistant.core.scheduling import wake_promptly

        wake_promptly()
        collector = GarbageCollector(window)
        self._log()
        self._instance.listen()
        self._application.setWindowIcon(_icon())
        services.supervisor.start(app.warm_up(), name="warm up")
        if self._notice:
            app.show_error(AssistantError(self._notice, title="Settings"))
        await lifecycle.stop.wait()
        crashes.tell(None)
        collector.stop()
        await app.close()
        window.hide()
        return None

    def _log(self) -> None:
        """Write the log to its file from now on: after the first frame, or with the first trouble."""
        from assistant.config.logs import setup_logs

        if self._logs is None:
            self._logs = setup_logs(self._paths.logs, redactor=self._redactor)

    async def _prepare(self) -> None:
        self._paths.ensure()
        store = SettingsStore(self._paths.settings_file, redactor=self._redactor)
        loaded = store.load()
        self._settings = SettingsKeeper(store, loaded.settings)
        self._notice = loaded.notice

    def _services(self, switchboard: Switchboard, supervisor: Supervisor, guard: NetworkGuard) -> Services:
        from assistant.agent.desk import AgentDesk
        from assistant.agent.learning_desk import LearningDesk
        from assistant.ui.services import Services

        learning = LearningDesk(self._settings, switchboard, self._profile)
        desk = AgentDesk(self._settings, switchboard, self._profile, learning)
        return Services(
            paths=self._paths,
            settings=self._settings,
            switchboard=switchboard,
            profile=self._profile,
            supervisor=supervisor,
            agent=desk.agent,
            desk=desk,
            learner=learning.learner,
            on_learned=learning.listen,
            on_preparing=self._preparation.listen,
            on_indexing=self._preparation.listen_to_index,
            connections=lambda: guard.records,
            version=VERSION,
            redact=self._redactor.redact,
        )

    async def _open_secrets(self) -> SecretStore:
        from assistant.config.secrets import open_secrets

        return await open_secrets(redactor=self._redactor)

    async def _close(self, supervisor: Supervisor, switchboard: Switchboard) -> None:
        from assistant.ui.lifecycle import close_in_time

        await close_in_time(
            ("tasks", lambda: supervisor.close(grace=0.4)),
            ("model", switchboard.close),
            ("stores", self._profile.close),
        )

    async def _managed(self, lifecycle: Lifecycle, step: Callable[[], Awaitable[None]]) -> bool:
        """Run a step of the start; when it fails, let the user decide. False: the user quits."""
        while True:
            try:
                await step()
                return True
            except AssistantError as error:
                with contextlib.suppress(OSError, AssistantError):
                    self._log()
                _log.error("start: %s", error.title)
                if not await self._resolve(lifecycle, error):
                    return False

    async def _resolve(self, lifecycle: Lifecycle, error: AssistantError) -> bool:
        from assistant.storage.repair import backups_of, put_aside
        from assistant.ui.windows.start_trouble import StartTrouble

        path = error.path if isinstance(error, StoreDamagedError) else None
        backups = backups_of(path) if path is not None else []
        decided: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        dialog = StartTrouble(error, can_set_aside=path is not None, has_backup=bool(backups))

        # It decides once.
        dialog.decided.connect(decided.set_result)
        dialog.open()
        stop = asyncio.ensure_future(lifecycle.stop.wait())
        # Closing the only window is an answer here, not the end: wait for the answer first.
        waiting: list[asyncio.Future[Any]] = [decided, stop]
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        lifecycle.stop.clear()
        way = decided.result() if decided.done() else "quit"
        if path is not None and way in ("restore", "empty"):
            try:
                await asyncio.to_thread(put_aside, path, restore=way == "restore")
            except AssistantError as trouble:
                return await self._resolve(lifecycle, trouble)
        return way != "quit"


def _icon() -> QIcon:
    from PySide6.QtGui import QIcon

    from assistant.config.paths import resource

    return QIcon(str(resource("icons/keepsake.svg")))
