"""The application's window in a test: the real one, over real stores, with a scripted model server.

    async with open_app(folder, server=server) as running:
        await running.say("Hello")
        assert running.texts() == ["Hello", "Hello there."]

Everything is closed at the end, and the test fails when a task failed, a task was left, an error was shown that
the test did not take note of (`running.shown_errors`), or Qt complained.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QMessageLogContext, Qt, QtMsgType, qInstallMessageHandler
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QPushButton, QToolButton, QWidget

from assistant.agent.desk import AgentDesk
from assistant.agent.learning_desk import LearningDesk
from assistant.agent.switchboard import Switchboard
from assistant.bootstrap import Preparation, open_conversations, open_record
from assistant.config.paths import AppPaths
from assistant.config.secrets import SESSION_ANNOUNCEMENT, SecretStore, SessionSecrets
from assistant.config.settings import Settings
from assistant.config.settings_keeper import SettingsKeeper
from assistant.config.settings_store import SettingsStore
from assistant.core.redact import Redactor
from assistant.core.tasks import Supervisor
from assistant.memory.base import TURN
from assistant.memory.learning.learner import OnLearned
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.memory.ledger.opening import open_memory
from assistant.models.base import ChatModel, ModelInfo
from assistant.models.endpoint import Endpoint
from assistant.models.network import NetworkGuard
from assistant.models.openai_chat import OpenAIChatModel
from assistant.models.probe import FoundServer
from assistant.models.source import RealModels
from assistant.ownership.profile import Profile, StoreOpeners
from assistant.ui.app import App
from assistant.ui.models.messages import MessageItem
from assistant.ui.services import Services
from assistant.ui.theme import Theme
from assistant.ui.windows.dialogs import ErrorDialog
from assistant.ui.windows.main_window import MainWindow
from tests.chat_server import ChatServer
from tests.memory_fixtures import HashEmbedder

WAIT = 20.0
MODEL = "test-model"

D = TypeVar("D", bound=QWidget)
OpenMemory = Callable[[Path], Awaitable[MemoryLedger]]


async def until(condition: Callable[[], object], what: str) -> None:
    """Let the loop go round until `condition` holds."""
    try:
        async with asyncio.timeout(WAIT):
            while not condition():  # noqa: ASYNC110 - what widgets show has no event of its own
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(f"never came: {what}") from None


class LoopbackModels(RealModels):
    """Models at scripted servers; the model on this computer is one of them, too.

    Attributes:
        found: what a search for model servers finds.
        local_server: answers as the model on this computer.
    """

    def __init__(self, local_server: ChatServer | None = None) -> None:
        super().__init__(NetworkGuard())
        self.found: Sequence[FoundServer] = ()
        self.local_server = local_server

    def local(self, gguf_path: str) -> ChatModel:
        assert self.local_server is not None, "the test has no model on this computer"
        return OpenAIChatModel(Endpoint("custom", self.local_server.base_url), MODEL)

    async def find_local_servers(self) -> Sequence[FoundServer]:
        return self.found


def found_server(preset_id: str, server: ChatServer, *models: str) -> FoundServer:
    """As a search finds it."""
    return FoundServer(preset_id, server.base_url, tuple(ModelInfo(name) for name in models))


async def open_ledger(folder: Path) -> MemoryLedger:
    """The real store with vectors made of words."""
    return await open_memory(folder / "memory", embedder=HashEmbedder())


@dataclass
class Running:
    """An open application.

    Attributes:
        app, window, services, theme: its parts.
        models: where its models come from.
        told: those who hear what was learned in the background.
        failures: tasks that failed; must be empty at the end.
        expected_errors: how many error dialogs the test expects to have been shown.
    """

    app: App
    window: MainWindow
    services: Services
    theme: Theme
    models: LoopbackModels
    told: list[OnLearned]
    failures: list[str] = field(default_factory=list)

    @property
    def profile(self) -> Profile:
        return self.services.profile

    @property
    def owner(self) -> str:
        return self.profile.owner_id

    @property
    def settings(self) -> Settings:
        return self.services.settings.current

    # -- the chat

    def write(self, text: str) -> None:
        """Type into the composer, as far as the composer can tell."""
        field = self.window.chat.composer.input
        field.selectAll()
        field.insertPlainText(text)

    def draft(self) -> str:
        return self.window.chat.composer.text()

    def press_enter(self) -> None:
        QTest.keyClick(self.window.chat.composer.input, Qt.Key.Key_Return)

    async def say(self, text: str) -> MessageItem:
        """Send a message and wait for the end of its turn; the last message that is shown then."""
        before = len(self.items())
        self.write(text)
        self.press_enter()
        await until(lambda: len(self.items()) >= before + 2, "the reply has begun")
        await self.quiet()
        return self.items()[-1]

    async def begin(self, text: str, shown: str = "") -> None:
        """Send a message and wait until the reply shows `shown`."""
        before = len(self.items())
        self.write(text)
        self.press_enter()
        await until(lambda: len(self.items()) >= before + 2, "the reply has begun")
        if shown:
            await until(lambda: shown in self.items()[-1].text, f"the reply shows {shown!r}")

    async def quiet(self) -> None:
        """Wait until no turn and no task runs."""
        await until(lambda: not self.app.chat.is_running, "no turn runs")
        await self.settled()

    async def settled(self) -> None:
        """Wait until no task runs."""
        await until(lambda: not self.services.supervisor.running, "no task runs")

    def items(self) -> list[MessageItem]:
        return self.window.chat.view.items()

    def texts(self) -> list[str]:
        return [item.text for item in self.items()]

    async def stored(self, session_id: str = "") -> list[tuple[str, str, str]]:
        """Role, text and state of the stored messages on the current path."""
        page = await self.profile.conversations.messages(
            session_id or self.app.chat.session_id, user_id=self.owner, limit=1000
        )
        return [(m.role, m.content, m.state) for m in page.items]

    async def open(self, session_id: str) -> None:
        """Open a conversation as a click on its row does."""
        self.window.sidebar.opened.emit(session_id, "")
        await self.settled_but_turns()

    async def settled_but_turns(self) -> None:
        """Wait until the only tasks that run belong to turns."""
        await until(
            lambda: not [t for t in self.services.supervisor.running if not t.startswith("turn")],
            "only turns run",
        )

    # -- memory

    async def remember(self, *texts: str) -> list[str]:
        """Keep memories and list them; their ids."""
        ids = [await self.profile.memory.add(text, user_id=self.owner) for text in texts]
        await self.app.memories.load()
        return ids

    def memories(self) -> list[str]:
        return [row.text for row in self.window.memory.rows()]

    async def kept(self) -> list[str]:
        """The memories in the store, oldest first; what was said in conversations is none."""
        page = await self.profile.memory.list(user_id=self.owner, limit=1000, sort="oldest", but=(TURN,))
        return [m.content for m in page.items]

    # -- windows

    def shown(self, kind: type[D]) -> list[D]:
        """The visible dialogs of that kind."""
        return [each for each in self.window.findChildren(kind) if each.isVisible()]

    async def dialog(self, kind: type[D]) -> D:
        """The one dialog of that kind, once it is shown."""
        await until(lambda: self.shown(kind), f"{kind.__name__} is shown")
        (found,) = self.shown(kind)
        return found

    async def take_error(self) -> str:
        """The text of the error dialog that is shown, which is closed."""
        dialog = await self.dialog(ErrorDialog)
        text = text_of(dialog)
        dialog.accept()
        await until(lambda: not self.shown(ErrorDialog), "the error dialog is closed")
        return text


def text_of(widget: QWidget) -> str:
    """All that the visible labels in a widget say, from top to bottom."""
    labels = [label for label in widget.findChildren(QLabel) if label.isVisibleTo(widget)]
    return "\n".join(label.text() for label in labels if label.text())


def button(parent: QWidget, text: str) -> QPushButton:
    """The visible button with that text."""
    found = [b for b in parent.findChildren(QPushButton) if b.text() == text and b.isVisibleTo(parent)]
    assert len(found) == 1, f"{len(found)} buttons {text!r}"
    return found[0]


def click(parent: QWidget, text: str) -> None:
    """Press the button with that text."""
    QTest.mouseClick(button(parent, text), Qt.MouseButton.LeftButton)


def press_tool(parent: QWidget, name: str) -> None:
    """Press the tool button with that accessible name."""
    (found,) = (b for b in parent.findChildren(QToolButton) if b.accessibleName() == name)
    QTest.mouseClick(found, Qt.MouseButton.LeftButton)


@asynccontextmanager
async def open_app(
    folder: Path,
    *,
    server: ChatServer | None = None,
    models: LoopbackModels | None = None,
    memory: OpenMemory = open_ledger,
    has_trial_model: bool = True,
    warm: bool = True,
    crash: bool = False,
    **settings: Any,
) -> AsyncIterator[Running]:
    """Open the window over the files in `folder`, as a start of the program does.

    Args:
        server: answers; without one no model is chosen.
        models: where models come from; by default from loopback servers.
        memory: opens the long-term memory.
        warm: wait until memories can be recalled.
        crash: leave the files as the end of the process would: nothing more is said to the stores, nothing kept.
        settings: beside those that name the server; the file's own win where they are not given.
    """
    qapp = QApplication.instance()
    assert isinstance(qapp, QApplication)
    before = asyncio.all_tasks()
    with qt_complaints() as complaints:
        paths = AppPaths.below(folder)
        paths.ensure()
        store = SettingsStore(paths.settings_file)
        keeper = SettingsKeeper(store, store.load().settings)
        # A model that reads along would answer out of a test's script.
        chosen: dict[str, Any] = {"first_start_done": True, "memory_extraction": False}
        if server is not None:
            chosen |= {"endpoint": "custom", "base_url": server.base_url, "model": MODEL}
        keeper.change(**(chosen | settings))
        failures: list[str] = []
        supervisor = Supervisor(lambda name, error: failures.append(f"{name}: {error!r}"))
        source = models or LoopbackModels(server)
        redactor = Redactor()

        async def open_secrets() -> SecretStore:
            return SecretStore(SessionSecrets(), "session", SESSION_ANNOUNCEMENT, redactor)

        switchboard = Switchboard(keeper, open_secrets, source)
        profile = Profile(paths.profile(), StoreOpeners(open_record, open_conversations, memory))
        await profile.open()
        learning = LearningDesk(keeper, switchboard, profile)
        desk = AgentDesk(keeper, switchboard, profile, learning)
        told: list[OnLearned] = []

        def listen(listener: OnLearned) -> None:
            told.append(listener)
            learning.listen(listener)

        services = Services(
            paths=paths,
            settings=keeper,
            switchboard=switchboard,
            profile=profile,
            supervisor=supervisor,
            agent=desk.agent,
            desk=desk,
            learner=learning.learner,
            on_learned=listen,
            on_preparing=Preparation().listen,
            on_indexing=Preparation().listen_to_index,
            connections=lambda: (),
            version="0.0.1",
            redact=redactor.redact,
        )
        theme = _theme(qapp, keeper.current)
        window = MainWindow(theme)
        window.restore_geometry_text(keeper.current.window_geometry)
        app = App(window, theme, services, has_trial_model=has_trial_model)
        app.quit_requested.connect(window.close)
        running = Running(app, window, services, theme, source, told, failures)
        try:
            await app.start()
            window.show()
            window.activateWindow()
            if warm:
                await app.warm_up()
                await running.settled()
            yield running
            leftover = [text_of(dialog) for dialog in running.shown(ErrorDialog)]
            if not crash:
                await app.close()
        finally:
            window.hide()
            await supervisor.close(grace=5)
            await switchboard.close()
            await profile.close()
            theme.deleteLater()
            window.deleteLater()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [task.get_name() for task in asyncio.all_tasks() - before]
    for what, found in {
        "tasks that failed": failures,
        "errors that were shown": leftover,
        "tasks that were left": left,
        "warnings of Qt": complaints,
    }.items():
        assert not found, f"{what}: {found}"


@contextmanager
def qt_complaints() -> Iterator[list[str]]:
    """Collects what Qt warns of meanwhile."""
    said: list[str] = []

    def listen(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        is_warning = kind not in (QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg)
        # The screen that is not there can't do everything.
        if is_warning and not text.startswith("This plugin does not support"):
            said.append(text)

    before = qInstallMessageHandler(listen)
    try:
        yield said
    finally:
        qInstallMessageHandler(before)


def _theme(qapp: QApplication, settings: Settings) -> Theme:
    return Theme(qapp, settings.theme if settings.theme != "system" else "light")


def visible_dialogs() -> list[QDialog]:
    """All dialogs that are shown, whoever's they are."""
    return [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog) and w.isVisible()]
