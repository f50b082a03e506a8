"""The window with its presenters: wires them, in the order that gives the first frame early."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from assistant.agent.switchboard import LOCAL
from assistant.core.errors import AssistantError
from assistant.ui.presenters.chat import ChatPresenter
from assistant.ui.presenters.conversations import ConversationsPresenter
from assistant.ui.presenters.memories import MemoryPresenter
from assistant.ui.presenters.models import ModelsPresenter
from assistant.ui.presenters.ownership import OwnershipPresenter
from assistant.ui.services import Services
from assistant.ui.theme import Theme
from assistant.ui.windows.main_window import MainWindow
from assistant.ui.windows.palette import Command, CommandPalette, ShortcutsDialog
from assistant.ui.windows.recalled import RecalledDialog

_log = logging.getLogger(__name__)


class App(QObject):
    """The application as people see it.

    Attributes:
        window, chat, conversations, memories, models, ownership: the window and its presenters.

    Signals:
        usable: the conversations are listed and the composer takes text.
        recall_ready: memories can be recalled.
        quit_requested: Ctrl+Q.
    """

    usable = Signal()
    recall_ready = Signal()
    quit_requested = Signal()

    def __init__(
        self, window: MainWindow, theme: Theme, services: Services, *, has_trial_model: bool
    ) -> None:
        super().__init__(window)
        self.window = window
        self._theme = theme
        self._services = services
        self.chat = ChatPresenter(window.chat, services)
        self.conversations = ConversationsPresenter(window.sidebar, window.toast, services)
        self.memories = MemoryPresenter(window.memory, window.toast, services, window)
        self.models = ModelsPresenter(window, theme, services, has_trial_model=has_trial_model)
        self.ownership = OwnershipPresenter(window, services)
        self._connect_chat()
        self._connect_memory()
        self._connect_rest()
        window.add_commands(self._commands())
        window.bind("Ctrl+K", self.show_palette)
        window.bind("Esc", self._escape)
        window.bind("F2", window.sidebar.rename_current)

    async def start(self) -> None:
        """Fill the window: what is quick before the first frame, the rest after it."""
        settings = self._services.settings.current
        self.window.set_panes(sidebar=settings.sidebar_open, memory=settings.memory_open)
        self._show_destination()
        await self.conversations.load()
        await self.chat.open(settings.last_session_id)
        if not settings.first_start_done:
            self.models.show_first_start()
        self.usable.emit()

    async def warm_up(self) -> None:
        """After the first frame: icons, the memory, the model's client."""
        self.window.load_icons()
        if self.models.page is not None:
            self.models.page.load_icons()
        await self.conversations.settle()
        self._services.on_preparing(self._show_preparing)
        try:
            await self._services.profile.memory.ready()
        except AssistantError as error:
            self.window.memory.show_status(f"{error.message} {error.hint}".strip())
            self.window.chat.show_note("")
        else:
            self.window.chat.show_note("")
            self.recall_ready.emit()
            await self.memories.load()
        if self._services.switchboard.choice.preset_id != LOCAL:
            await self._services.switchboard.warm_up()

    def show_error(self, error: AssistantError) -> None:
        """Tell an error in a dialog."""
        error.detail = self._services.redact(error.detail)
        self.window.show_error(error)

    def show_palette(self) -> None:
        """Every command and conversation by a few letters."""
        sidebar = self.window.sidebar
        titles = [
            Command(title or "New conversation", "", partial(self._open, session_id))
            for session_id, title in sidebar.listed()
        ]
        palette = CommandPalette(self.window, [*self._commands(), *titles])
        corner = self.window.mapToGlobal(self.window.rect().topLeft())
        palette.move(corner.x() + (self.window.width() - palette.width()) // 2, corner.y() + 96)
        palette.open()

    def keep_state(self) -> None:
        """Save what the next start should find: window, panes, open conversation."""
        sidebar, memory = self.window.panes
        try:
            self._services.settings.change(
                sidebar_open=sidebar,
                memory_open=memory,
                window_geometry=self.window.geometry_text(),
                last_session_id=self.chat.session_id,
            )
        except AssistantError as error:
            _log.warning("window state was not saved: %s", error.title)

    def _commands(self) -> list[Command]:
        window = self.window
        return [
            Command("New conversation", "Ctrl+N", lambda: self._open("")),
            Command("Search conversations", "Ctrl+F", window.sidebar.focus_search),
            Command("All memories", "Ctrl+Shift+M", window.toggle_browser),
            Command("Add a memory", "Ctrl+Shift+A", self.memories.ask_new),
            Command("Show or hide conversations", "Ctrl+B", window.toggle_sidebar),
            Command("Show or hide memory", "Ctrl+M", window.toggle_memory),
            Command("Choose a model", "", lambda: self.models.show_settings(0)),
            Command("Settings", "Ctrl+,", lambda: self.models.show_settings(0)),
            Command("Export memories", "", self.ownership.ask_export),
            Command("Import memories", "", self.ownership.ask_import),
            Command("Wipe this profile", "", self.ownership.ask_wipe),
            Command("Keyboard shortcuts", "Ctrl+/", self._show_shortcuts),
            Command("Quit", "Ctrl+Q", self.quit_requested.emit),
        ]

    def _connect_chat(self) -> None:
        chat, view = self.chat, self.window.chat.view
        chat.conversations_changed.connect(self.conversations.refresh)
        chat.opened.connect(self.window.sidebar.mark)
        chat.failed.connect(self.show_error)
        chat.model_wanted.connect(self._ask_for_model)
        chat.memory_saved.connect(lambda _: self.memories.refresh())
        # Who types will send: the model on this computer starts meanwhile, and not before.
        self.window.chat.composer.draft_changed.connect(lambda _: self._warm_model())
        view.remember_requested.connect(
            lambda message_id, text: self._start(self._remember(message_id, text), "remember")
        )
        view.undo_requested.connect(
            lambda message_id, memory_id: self._start(
                self._undo_remember(message_id, memory_id), "undo remember"
            )
        )
        view.memories_requested.connect(self._show_recalled)
        view.link_activated.connect(self.models.ask_to_open)

    def _connect_memory(self) -> None:
        panel, memories = self.window.memory, self.memories
        memories.failed.connect(self.show_error)
        panel.source_requested.connect(self._open)
        panel.export_requested.connect(self.ownership.ask_export)
        panel.import_requested.connect(self.ownership.ask_import)
        panel.wipe_requested.connect(self.ownership.ask_wipe)

    def _connect_rest(self) -> None:
        window, sidebar = self.window, self.window.sidebar
        sidebar.opened.connect(self._open)
        sidebar.new_requested.connect(lambda: self._open(""))
        sidebar.settings_requested.connect(lambda: self.models.show_settings(0))
        window.chat.model_requested.connect(lambda: self.models.show_settings(0))
        window.closing.connect(self.keep_state)
        self.conversations.deleted.connect(self._conversation_deleted)
        self.models.chosen.connect(self._show_destination)
        self.models.failed.connect(self.show_error)
        self.models.preferences_changed.connect(self._apply_preferences)
        self.models.export_requested.connect(self.ownership.ask_export)
        self.models.import_requested.connect(self.ownership.ask_import)
        self.models.wipe_requested.connect(self.ownership.ask_wipe)
        self.ownership.failed.connect(self.show_error)
        self.ownership.imported.connect(self.memories.refresh)
        self.ownership.about_to_wipe.connect(self.chat.stop_all)
        self.ownership.wiped.connect(lambda: self._start(self._after_wipe(), "start anew"))

    def _open(self, session_id: str, message_id: str = "") -> None:
        self._start(self.chat.open(session_id, message_id=message_id), "open conversation", replaces=True)

    def _conversation_deleted(self, session_id: str) -> None:
        if session_id == self.chat.session_id:
            self.chat.stop()
            self._open("")

    async def _remember(self, message_id: str, text: str) -> None:
        try:
            memory_id = await self.memories.add(text, session_id=self.chat.session_id, message_id=message_id)
        except AssistantError as error:
            self.show_error(error)
            return
        await self.chat.remember_shown(message_id, memory_id, text)

    async def _undo_remember(self, message_id: str, memory_id: str) -> None:
        self.memories.take_back(memory_id)
        await self.chat.remember_undone(message_id, memory_id)

    def _show_recalled(self, message_id: str) -> None:
        item = self.chat.item(message_id)
        if item is None or not item.recalled:
            return
        host = self._services.switchboard.destination[1] or "the model"
        dialog = RecalledDialog(self.window, item.recalled, host)
        dialog.edit_requested.connect(self.memories.ask_edit)
        dialog.forget_requested.connect(self.memories.delete)
        dialog.open()

    def _warm_model(self) -> None:
        if not self.chat.is_running:
            self._start(self._services.switchboard.warm_up(), "warm up the model", replaces=False)

    def _show_destination(self) -> None:
        model, host, stays = self._services.switchboard.destination
        self.window.chat.set_destination(model, host, stays=stays)

    def _ask_for_model(self) -> None:
        if self.models.page is None:
            self.models.show_settings(0)
        self.window.toast.say("Choose a model first. Your message is kept.")

    def _apply_preferences(self) -> None:
        settings = self._services.settings.current
        self._theme.choose(settings.theme)
        self._theme.reduced_motion = settings.reduced_motion

    def _show_preparing(self, what: str, done: int, total: int) -> None:
        self.window.chat.show_note(what, done=done, total=max(total, 1))

    async def _after_wipe(self) -> None:
        await self.conversations.load()
        await self.chat.open("")
        await self.memories.load()

    def _escape(self) -> None:
        if self.chat.is_running:
            self.chat.stop()
        elif self.window.is_browsing:
            self.window.toggle_browser()

    def _show_shortcuts(self) -> None:
        commands = [*self._commands(), Command("Commands", "Ctrl+K", self.show_palette)]
        ShortcutsDialog(self.window, commands).open()

    def _start(self, work: Coroutine[Any, Any, Any], name: str, *, replaces: bool = False) -> None:
        self._services.supervisor.start(work, name=name, replaces=replaces)


async def first_frame(window: MainWindow) -> None:
    """Wait until the window has been painted once."""
    painted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done() -> None:
        if not painted.done():
            painted.set_result(None)

    window.first_painted.connect(done)
    window.update()
    await painted
