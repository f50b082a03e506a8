"""Runs turns and shows them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from assistant.agent.events import MemorySaved, Recalled, ReplyReasoning, ReplyText, TurnDone, TurnStarted
from assistant.conversation.titles import make_title
from assistant.core.errors import AssistantError, ReplyCutError
from assistant.core.types import CallerContext, Message
from assistant.ui.models.messages import MessageItem, RememberedFact
from assistant.ui.presenters.items import message_item, recalled_facts, shown_error
from assistant.ui.services import Services
from assistant.ui.widgets.chat_pane import ChatPane

_PAGE = 60


@dataclass
class RunningTurn:
    """A turn that has not ended.

    Attributes:
        session_id: its conversation.
        item: the reply so far, None until the message is stored.
        parts: text that came, in pieces.
    """

    session_id: str
    item: MessageItem | None = None
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


class ChatPresenter(QObject):
    """Between the chat pane and the agent. A turn goes on when another conversation is opened meanwhile.

    Signals:
        conversations_changed: a conversation is new or has a new message.
        memory_saved(memory_id): a memory was kept from a turn.
        model_wanted: a message was to be sent, but no model is chosen.
        opened(session_id): another conversation is shown; empty for a new one.
        failed(AssistantError): something that has no place in the chat failed.
    """

    conversations_changed = Signal()
    memory_saved = Signal(str)
    model_wanted = Signal()
    opened = Signal(str)
    failed = Signal(object)

    def __init__(self, pane: ChatPane, services: Services) -> None:
        super().__init__(pane)
        self._pane = pane
        self._services = services
        self._session = ""
        self._running: dict[str, RunningTurn] = {}
        self._total = 0
        composer, view = pane.composer, pane.view
        composer.send_requested.connect(self.send)
        composer.stop_requested.connect(self.stop)
        composer.draft_changed.connect(self._keep_draft)
        view.retry_requested.connect(self.retry)
        view.older_requested.connect(self._load_older)
        pane.suggestion_chosen.connect(self.send)

    @property
    def session_id(self) -> str:
        """The conversation that is shown; empty for a new one."""
        return self._session

    @property
    def is_running(self) -> bool:
        """Whether any turn has not ended."""
        return bool(self._running)

    def item(self, message_id: str) -> MessageItem | None:
        """What is shown of a message, None when it is not shown."""
        try:
            return self._pane.view.item(message_id)
        except KeyError:
            return None

    async def open(self, session_id: str, *, message_id: str = "") -> None:
        """Show a conversation (empty: a new one) and its draft; jump to a message when one is named."""
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        conversation = await store.get(session_id, user_id=owner) if session_id else None
        if conversation is None:
            session_id = ""
        items: list[MessageItem] = []
        total = 0
        if session_id:
            limit = _PAGE
            page = await store.messages(session_id, user_id=owner, limit=limit)
            while message_id and limit < page.total and all(m.message_id != message_id for m in page.items):
                limit *= 4
                page = await store.messages(session_id, user_id=owner, limit=limit)
            items = [item for m in page.items if (item := message_item(m)) is not None]
            total = page.total - len(page.items)
        draft = await store.draft(session_id, user_id=owner)
        self._session = session_id
        self._total = total
        view = self._pane.view
        running = self._running.get(session_id) if session_id else None
        if running is not None and running.item is not None:
            live = replace(running.item, text=running.text)
            items = [live if i.message_id == live.message_id else i for i in items]
        view.set_messages(items, total_before=total)
        self._pane.show_empty(not items)
        self._pane.set_title(conversation.title if conversation else "")
        self._pane.composer.set_text(draft)
        self._pane.composer.set_busy(running is not None)
        self._pane.focus_composer()
        if message_id:
            view.scroll_to(message_id)
        else:
            view.scroll_to_end()
        self.opened.emit(session_id)

    def send(self, text: str) -> None:
        """Send `text` in the open conversation; the composer keeps it until it is stored."""
        if not text.strip() or self._session in self._running:
            return
        self._start(self._send(text))

    def retry(self, message_id: str) -> None:
        """Ask for another reply in place of this one (or to this message)."""
        if self._session and self._session not in self._running:
            self._start(self._retry(self._session, message_id))

    def stop(self) -> None:
        """End the reply of the open conversation; what came stays."""
        self._services.supervisor.cancel(self._turn_name(self._session))

    def stop_all(self) -> None:
        """End every reply, in whichever conversation."""
        for session_id in tuple(self._running):
            self._services.supervisor.cancel(self._turn_name(session_id))

    async def remember_shown(self, message_id: str, memory_id: str, text: str) -> None:
        """Put "Remembered" under a message, and keep that note with it."""
        item = self.item(message_id)
        if item is None:
            return
        facts = (*item.remembered, RememberedFact(memory_id, text))
        await self._note_remembered(replace(item, remembered=facts))

    async def remember_undone(self, message_id: str, memory_id: str) -> None:
        """Mark a fact under a message as taken back."""
        item = self.item(message_id)
        if item is None:
            return
        facts = tuple(replace(f, undone=True) if f.memory_id == memory_id else f for f in item.remembered)
        await self._note_remembered(replace(item, remembered=facts))

    async def _note_remembered(self, item: MessageItem) -> None:
        self._pane.view.update_item(item)
        profile = self._services.profile
        notes = [{"memory_id": f.memory_id, "text": f.text, "undone": f.undone} for f in item.remembered]
        await profile.conversations.annotate(item.message_id, {"remembered": notes}, user_id=profile.owner_id)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._services.supervisor.start(work, name="turn: start")

    def _turn_name(self, session_id: str) -> str:
        return f"turn: {session_id}"

    async def _send(self, text: str) -> None:
        services = self._services
        try:
            message = Message.of({"role": "user", "content": text})
            agent = await services.agent()
            if agent is None:
                self.model_wanted.emit()
                return
            session = self._session
            if not session:
                conversation = await services.profile.conversations.create(
                    user_id=services.profile.owner_id, title=make_title(text)
                )
                session = conversation.session_id
                self._adopt(session, conversation.title)
        except AssistantError as error:
            self.failed.emit(error)
            return
        turn = RunningTurn(session)
        self._begin(turn, lambda: self._run(turn, message, answer_to=None))

    async def _retry(self, session: str, message_id: str) -> None:
        services = self._services
        item = self.item(message_id)
        if item is None:
            return
        try:
            agent = await services.agent()
            if agent is None:
                self.model_wanted.emit()
                return
        except AssistantError as error:
            self.failed.emit(error)
            return
        items = list(self._pane.view.items())
        position = next(n for n, i in enumerate(items) if i.message_id == message_id)
        question = position
        while question >= 0 and items[question].role != "user":
            question -= 1
        if question < 0:
            return
        for later in items[question + 1 :]:
            self._pane.view.remove(later.message_id)
        turn = RunningTurn(session)
        self._begin(turn, lambda: self._run(turn, None, answer_to=items[question].message_id))

    def _adopt(self, session: str, title: str) -> None:
        """The new conversation that is shown has an id now."""
        self._session = session
        self._pane.set_title(title)
        self.opened.emit(session)
        self.conversations_changed.emit()

    def _begin(self, turn: RunningTurn, run: Callable[[], Coroutine[Any, Any, None]]) -> None:
        self._running[turn.session_id] = turn
        if turn.session_id == self._session:
            self._pane.composer.set_busy(True)
        self._services.supervisor.start(run(), name=self._turn_name(turn.session_id))

    async def _run(self, turn: RunningTurn, message: Message | None, answer_to: str | None) -> None:
        try:
            await self._stream(turn, message, answer_to)
        except asyncio.CancelledError:
            self._finish(turn, state="stopped")
            raise
        except ReplyCutError as error:
            self._finish(turn, state="cut", error=error)
        except AssistantError as error:
            self._finish(turn, state="failed", error=error)
        finally:
            self._running.pop(turn.session_id, None)
            if turn.session_id == self._session:
                self._pane.composer.set_busy(False)
            self.conversations_changed.emit()

    async def _stream(self, turn: RunningTurn, message: Message | None, answer_to: str | None) -> None:
        services = self._services
        agent = await services.agent()
        if agent is None:
            return
        caller = CallerContext(user_id=services.profile.owner_id)
        events = agent.astream(
            {"messages": [message] if message is not None else []},
            caller=caller,
            session_id=turn.session_id,
            answer_to=answer_to,
        )
        async with aclosing(events):
            async for event in events:
                match event:
                    case TurnStarted():
                        await self._started(turn, message, event)
                    case Recalled():
                        self._update(turn, recalled=recalled_facts(event.memories), memory_note=event.note)
                    case ReplyText(text):
                        turn.parts.append(text)
                        if turn.item is not None and turn.session_id == self._session:
                            self._pane.view.extend_stream(turn.item.message_id, text)
                    case ReplyReasoning(text):
                        if turn.item is not None:
                            self._update(turn, reasoning=turn.item.reasoning + text)
                    case MemorySaved(memory):
                        fact = RememberedFact(memory.memory_id, memory.content)
                        if turn.item is not None:
                            turn.item = replace(turn.item, remembered=(*turn.item.remembered, fact))
                        self.memory_saved.emit(memory.memory_id)
                    case TurnDone():
                        self._finish(turn, state="complete")

    async def _started(self, turn: RunningTurn, message: Message | None, event: TurnStarted) -> None:
        turn.item = MessageItem(event.reply_id or "", "assistant", "", state="streaming")
        if turn.session_id != self._session:
            return
        view = self._pane.view
        if message is not None:
            view.append(MessageItem(event.user_message_id or "", "user", message.content))
            self._pane.composer.clear()
            profile = self._services.profile
            await profile.conversations.save_draft(turn.session_id, "", user_id=profile.owner_id)
            await profile.conversations.save_draft("", "", user_id=profile.owner_id)
        view.append(turn.item)
        self._pane.show_empty(False)
        view.scroll_to_end()
        self.conversations_changed.emit()

    def _update(self, turn: RunningTurn, **changes: object) -> None:
        if turn.item is None:
            return
        turn.item = turn.item.with_(**changes)
        if turn.session_id == self._session:
            self._pane.view.update_item(replace(turn.item, text=turn.text))

    def _finish(self, turn: RunningTurn, *, state: str, error: AssistantError | None = None) -> None:
        if turn.item is None:
            # Nothing was stored: the composer still holds the message.
            if error is not None:
                self.failed.emit(error)
            return
        shown = shown_error(error) if error is not None else None
        turn.item = turn.item.with_(text=turn.text, state=state, error=shown)
        if turn.session_id == self._session:
            self._pane.view.finish_stream(turn.item)
        if state == "complete" and turn.item.remembered:
            self._services.supervisor.start(self._note_remembered(turn.item), name="note what was remembered")

    def _keep_draft(self, text: str) -> None:
        profile = self._services.profile
        self._services.supervisor.start(
            profile.conversations.save_draft(self._session, text, user_id=profile.owner_id),
            name="keep draft",
        )

    def _load_older(self) -> None:
        if self._total > 0:
            self._services.supervisor.start(self._prepend_older(), name="older messages", replaces=True)

    async def _prepend_older(self) -> None:
        session, before = self._session, self._total
        profile = self._services.profile
        page = await profile.conversations.messages(
            session, user_id=profile.owner_id, before=before, limit=_PAGE
        )
        if session != self._session or before != self._total:
            return
        self._total = before - len(page.items)
        items = [item for m in page.items if (item := message_item(m)) is not None]
        self._pane.view.prepend(items)
