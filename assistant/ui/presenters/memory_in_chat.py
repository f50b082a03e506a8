"""Where chat and memory meet: what is remembered from messages, what was used for replies, what is said under them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from assistant.agent.events import MemoryProposed, MemorySaved
from assistant.ui.models.messages import RememberedFact
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.chat import ChatPresenter
from assistant.ui.presenters.memories import MemoryPresenter
from assistant.ui.presenters.running_turn import RunningTurn
from assistant.ui.services import Services
from assistant.ui.windows.main_window import MainWindow

if TYPE_CHECKING:
    from assistant.memory.learning.base import Learned, Utterance


class MemoryInChat(Presenter):
    """Between the chat's presenter and the memory's."""

    def __init__(
        self, window: MainWindow, services: Services, chat: ChatPresenter, memories: MemoryPresenter
    ) -> None:
        super().__init__(window, services)
        self._window = window
        self._chat = chat
        self._memories = memories
        view, changes = window.chat.view, memories.changes
        view.remember_requested.connect(
            lambda message_id, text: self.run(self._remember(message_id, text), "remember")
        )
        view.undo_requested.connect(lambda _, memory_id: changes.take_back(memory_id))
        view.facts_requested.connect(self._decide)
        view.memories_requested.connect(self._show_recalled)
        chat.memory_saved.connect(self._saved)
        chat.turn_ended.connect(self._ended)
        chat.opened.connect(lambda _: chat.notes.check())
        changes.changed.connect(chat.notes.check)
        chat.notes.failed.connect(self.failed)
        memories.failed.connect(self.failed)
        services.on_learned(self._learned)

    async def _remember(self, message_id: str, text: str) -> None:
        memory_id = await self._memories.changes.add(
            text, session_id=self._chat.session_id, message_id=message_id
        )
        await self._chat.notes.add(message_id, [RememberedFact(memory_id, text)])

    def _ended(self, turn: RunningTurn) -> None:
        if turn.item is not None and turn.item.recalled:
            # How often they were used has changed.
            self._memories.refresh()

    def _decide(self, action: str, ids: Sequence[str]) -> None:
        changes = self._memories.changes
        if action == "edit":
            changes.ask_edit(ids[0])
        elif action == "undo":
            changes.take_all_back(ids)
        elif action == "accept":
            changes.accept(ids)
        else:
            changes.dismiss(ids)

    def _saved(self, event: MemorySaved | MemoryProposed) -> None:
        self._memories.refresh()
        if isinstance(event, MemorySaved):
            from assistant.memory.learning.keeping import replaced_ids

            named = [] if event.replaces is None else [event.replaces]
            self._drop_answers(list(dict.fromkeys([*named, *replaced_ids(event.memory.metadata)])))

    def _learned(self, owner: str | None, utterance: Utterance, learned: Learned) -> None:
        self.run(self._chat.notes.learned(owner, utterance, learned), "note what was learned")
        self._memories.refresh()
        from assistant.agent.answers import replaced_by

        self._drop_answers(replaced_by(learned))

    def _drop_answers(self, memory_ids: Sequence[str]) -> None:
        """Answers that were made with what was replaced are not given again."""
        if memory_ids:
            self.run(self._services.forget_answers(memory_ids), "forget answers")

    def _show_recalled(self, message_id: str) -> None:
        item = self._chat.item(message_id)
        if item is None or not item.recalled:
            return
        from assistant.ui.presenters.memory_stories import show_recalled

        memories = self._memories
        work = show_recalled(
            self._window,
            memories.reader,
            memories.changes,
            self._window.memory,
            item.recalled,
            item.host,
            cached=item.cached,
        )
        self.run(work, "show memories", replaces=True)
