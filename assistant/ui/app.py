"""The window with its presenters: wires them, in the order that gives the first frame early."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from assistant.agent.switchboard import LOCAL
from assistant.core.errors import AssistantError, StoreDamagedError
from assistant.ui.commands import Command
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.conversations import ConversationsPresenter
from assistant.ui.services import Services
from assistant.ui.theme import Theme
from assistant.ui.theme.icons import ICON_LIBRARY
from assistant.ui.windows.main_window import MainWindow

if TYPE_CHECKING:
    from assistant.ui.presenters.chat import ChatPresenter
    from assistant.ui.presenters.context import ContextPresenter
    from assistant.ui.presenters.conversation_links import ConversationLinks
    from assistant.ui.presenters.memories import MemoryPresenter
    from assistant.ui.presenters.models import ModelsPresenter
    from assistant.ui.presenters.ownership import OwnershipPresenter

_log = logging.getLogger(__name__)

_REST_TIME = 5.0
"""Seconds to wait for running work to end before a wipe."""
_DRAFT_TIME = 0.3
"""Seconds that saving a draft may take while the application closes."""


class App(Presenter):
    """The application as people see it.

    The first frame needs the side bar and the composer only. What renders messages, talks to models and opens
    dialogs is imported and built after it, by `complete`.

    Attributes:
        window, conversations: there from the start.
        chat, context, links, memories, models, ownership: the other presenters; there once it is complete.

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
        super().__init__(window, services)
        self.window = window
        self._theme = theme
        self._has_trial_model = has_trial_model
        self._is_complete = False
        self.conversations = ConversationsPresenter(window.sidebar, window.toast, services)
        window.closing.connect(self.keep_state)
        self.failed.connect(self.show_error)
        self.conversations.failed.connect(self.show_error)

    chat: ChatPresenter
    context: ContextPresenter
    links: ConversationLinks
    memories: MemoryPresenter
    models: ModelsPresenter
    ownership: OwnershipPresenter

    def complete(self) -> None:
        """Build what the first frame did without. Safe to call twice."""
        if self._is_complete:
            return
        self._is_complete = True
        from assistant.ui.presenters.chat import ChatPresenter
        from assistant.ui.presenters.context import ContextPresenter
        from assistant.ui.presenters.conversation_links import ConversationLinks
        from assistant.ui.presenters.memories import MemoryPresenter
        from assistant.ui.presenters.models import ModelsPresenter
        from assistant.ui.presenters.ownership import OwnershipPresenter

        window, services = self.window, self._services
        window.chat.complete()
        window.memory.complete()
        self.chat = ChatPresenter(window.chat, services)
        self.context = ContextPresenter(window, self._theme, services, self.chat)
        self.memories = MemoryPresenter(window.memory, window.toast, services, window)
        self.models = ModelsPresenter(window, self._theme, services, has_trial_model=self._has_trial_model)
        self.ownership = OwnershipPresenter(window, services, self._come_to_rest)
        self.links = ConversationLinks(
            window,
            services,
            self.chat,
            self.conversations,
            index=lambda: self.run(self._catch_up(), "index earlier conversations"),
        )
        self.links.failed.connect(self.show_error)
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
        if not settings.first_start_done:
            self.complete()
            self.models.show_first_start()
        self.usable.emit()

    async def warm_up(self) -> None:
        """After the first frame: the open conversation, icons, the memory, the model's client."""
        self.complete()
        try:
            # First what was deleted before a crash: it must not be opened again.
            await self.conversations.settle()
            await self.chat.open(self._services.settings.current.last_session_id)
        except AssistantError as error:
            self.show_error(error)
        # In a thread, so that the window goes on meanwhile.
        await asyncio.to_thread(importlib.import_module, ICON_LIBRARY)
        self._theme.load_icons()
        self._services.on_preparing(self._show_preparing)
        try:
            await self._services.profile.memory.ready()
        except AssistantError as error:
            self.window.memory.show_status(f"{error.message} {error.hint}".strip())
            self.window.chat.show_note("")
        else:
            await self._warm_recall()
            self.window.chat.show_note("")
            self.recall_ready.emit()
            self.chat.notes.check()
            self.memories.changes.settle()
            await self.memories.load()
            self.run(self._catch_up(), "index earlier conversations", replaces=False)
        if self._services.switchboard.choice.preset_id != LOCAL:
            await self._services.switchboard.warm_up()
        await self.context.start()
        # What was made until now stays: full collections would walk it again and again, 100 ms at a time.
        gc.freeze()

    async def _warm_recall(self) -> None:
        """Load the person's memories now, not within the first turn."""
        profile = self._services.profile
        try:
            await profile.memory.search("hello", limit=1, user_id=profile.owner_id)
        except AssistantError as error:
            _log.warning("recall was not warmed up: %s", error.title)

    async def _catch_up(self) -> None:
        """Index what was said in conversations and is not indexed yet."""
        from assistant.agent.said import catch_up

        profile = self._services.profile
        if self._services.settings.current.memory_index_turns:
            try:
                await catch_up(profile.conversations, await profile.memory.ledger(), profile.owner_id)
            except AssistantError as error:
                _log.warning("earlier conversations are not indexed: %s", error.title)
        if self._services.settings.current.memory_enabled:
            try:
                await (await self._services.learner()).warmup()
            except AssistantError as error:
                _log.warning("nothing is learned yet: %s", error.title)

    def show_error(self, error: AssistantError) -> None:
        """Tell an error in a dialog."""
        error.detail = self._services.redact(error.detail)
        if isinstance(error, StoreDamagedError):
            self._services.profile.suspect()
            error.hint = (
                "Start Keepsake anew: it offers to go on with the last backup, or with an empty file."
            )
        self.window.show_error(error)

    def show_palette(self) -> None:
        """Every command and conversation by a few letters."""
        from assistant.ui.windows.palette import CommandPalette

        if any(palette.isVisible() for palette in self.window.findChildren(CommandPalette)):
            return
        sidebar = self.window.sidebar
        titles = [
            Command(title or "New conversation", "", partial(self.links.open, session_id))
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
                last_session_id=(
                    self.chat.lasting_id
                    if self._is_complete
                    else self._services.settings.current.last_session_id
                ),
            )
        except AssistantError as error:
            _log.warning("window state was not saved: %s", error.title)

    async def close(self) -> None:
        """Save what the next start should find, a draft included."""
        self.keep_state()
        if self._is_complete:
            try:
                async with asyncio.timeout(_DRAFT_TIME):
                    await self.chat.keep_draft()
            except TimeoutError:
                _log.warning("the draft was not saved in time")

    def _commands(self) -> list[Command]:
        window = self.window
        return [
            Command("New conversation", "Ctrl+N", lambda: self.links.open("")),
            Command("New temporary conversation", "Ctrl+Shift+N", self.links.open_temporary),
            Command("Archive or unarchive the conversation", "Ctrl+E", self.links.archive_shown),
            Command("Search conversations", "Ctrl+F", window.search_conversations),
            Command("All memories", "Ctrl+Shift+M", window.toggle_browser),
            Command("Add a memory", "Ctrl+Shift+A", self.memories.ask_new),
            Command("Show or hide conversations", "Ctrl+B", window.toggle_sidebar),
            Command("Show or hide memory", "Ctrl+M", window.toggle_memory),
            Command("What is sent", "", self.context.show_next),
            Command("Choose a model", "", lambda: self.models.show_settings(0)),
            Command("Settings", "Ctrl+,", lambda: self.models.show_settings(0)),
            Command("Show connections", "", self.models.show_connections),
            Command("Export memories", "", self.ownership.ask_export),
            Command("Import memories", "", self.ownership.ask_import),
            Command("Wipe this profile", "", self.ownership.ask_wipe),
            Command("Keyboard shortcuts", "Ctrl+/", self._show_shortcuts),
            Command("Quit", "Ctrl+Q", self.quit_requested.emit),
        ]

    def _connect_chat(self) -> None:
        chat, view = self.chat, self.window.chat.view
        chat.failed.connect(self.show_error)
        chat.model_wanted.connect(self._ask_for_model)
        # Who types will send: the model on this computer starts meanwhile, and not before.
        self.window.chat.composer.draft_changed.connect(lambda _: self._warm_model())
        view.link_activated.connect(self.models.ask_to_open)

    def _connect_memory(self) -> None:
        from assistant.ui.presenters.memory_in_chat import MemoryInChat

        panel = self.window.memory
        MemoryInChat(self.window, self._services, self.chat, self.memories).failed.connect(self.show_error)
        panel.source_requested.connect(self.links.open)
        panel.export_requested.connect(self.ownership.ask_export)
        panel.import_requested.connect(self.ownership.ask_import)
        panel.wipe_requested.connect(self.ownership.ask_wipe)
        self.conversations.removed.connect(self.memories.changes.tidy_soon)

    def _connect_rest(self) -> None:
        window, sidebar = self.window, self.window.sidebar
        sidebar.settings_requested.connect(lambda: self.models.show_settings(0))
        window.chat.model_requested.connect(lambda: self.models.show_settings(0))
        self.models.switching.connect(self.chat.stop_all)
        self.models.chosen.connect(self._show_destination)
        self.models.chosen.connect(self.context.model_chosen)
        self.context.failed.connect(self.show_error)
        self.context.model_wanted.connect(lambda: self.models.show_settings(0))
        self.models.failed.connect(self.show_error)
        self.models.preferences_changed.connect(self._apply_preferences)
        self.models.export_requested.connect(self.ownership.ask_export)
        self.models.import_requested.connect(self.ownership.ask_import)
        self.models.wipe_requested.connect(self.ownership.ask_wipe)
        self.ownership.failed.connect(self.show_error)
        self.ownership.imported.connect(self.memories.refresh)
        self.ownership.wiped.connect(lambda: self.run(self._after_wipe(), "start anew"))

    def _warm_model(self) -> None:
        if not self.chat.is_running:
            self.run(self._services.switchboard.warm_up(), "warm up the model", replaces=False)

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

    async def _come_to_rest(self) -> None:
        """End what uses the stores."""
        self.window.toast.expire_all()
        self.ownership.cancel()
        self.chat.stop_all()
        await self._services.supervisor.rest(grace=_REST_TIME)

    async def _after_wipe(self) -> None:
        self.chat.start_anew()
        self.context.forget()
        self.window.sidebar.set_search("")
        self.window.memory.set_search("")
        self.window.memory.show_view("now")
        await self.conversations.load()
        await self.memories.load()

    def _escape(self) -> None:
        if self.chat.is_answering:
            self.chat.stop()
        elif not self.chat.editing.cancel():
            self.window.leave()

    def _show_shortcuts(self) -> None:
        from assistant.ui.windows.palette import ShortcutsDialog

        commands = [*self._commands(), Command("Commands", "Ctrl+K", self.show_palette)]
        ShortcutsDialog(self.window, commands).open()


async def first_frame(window: MainWindow) -> None:
    """Wait until the window has been painted once."""
    painted: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def done() -> None:
        if not painted.done():
            painted.set_result(None)

    window.first_painted.connect(done)
    window.update()
    await painted
