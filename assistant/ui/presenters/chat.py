"""Runs turns and shows them."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from PySide6.QtCore import Signal

from assistant.agent.events import MemorySaved, Recalled, ReplyReasoning, ReplyText, TurnDone, TurnStarted
from assistant.conversation.titles import make_title
from assistant.core.errors import AssistantError, NoSuchConversationError, ReplyCutError
from assistant.core.types import CallerContext, Message
from assistant.ui.models.messages import MessageItem, RememberedFact
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.drafts import DraftKeeper
from assistant.ui.presenters.items import NO_WORDS, message_item, recalled_facts, shown_error
from assistant.ui.presenters.notes import MemoryNotes
from assistant.ui.services import Services
from assistant.ui.widgets.chat_pane import ChatPane

_PAGE = 60
_STARTING = "turn: start"


@dataclass(eq=False)
class RunningTurn:
    """A turn that has not ended.

    Attributes:
        session_id: its conversation.
        message: what is sent, None when a stored message is answered again.
        answer_to: id of that stored message.
        was_new: whether the conversation was made for this message.
        item: the reply so far, None until the message is stored.
        parts: text that came, in pieces.
    """

    session_id: str
    message: Message | None
    answer_to: str | None = None
    was_new: bool = False
    item: MessageItem | None = None
    parts: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.parts)


class ChatPresenter(Presenter):
    """Between the chat pane and the agent. A turn goes on when another conversation is opened meanwhile.

    Attributes:
        notes: what is said under messages about memories.

    Signals:
        conversations_changed: a conversation is new or has a new message.
        memory_saved(memory_id): a memory was kept from a turn.
        model_wanted: a message was to be sent, but no model is chosen.
        opened(session_id): another conversation is shown; empty for a new one.
    """

    conversations_changed = Signal()
    memory_saved = Signal(str)
    model_wanted = Signal()
    opened = Signal(str)

    def __init__(self, pane: ChatPane, services: Services) -> None:
        super().__init__(pane, services)
        self._pane = pane
        self._session = ""
        self._running: dict[str, RunningTurn] = {}
        self._starting: str | None = None
        self._total = 0
        composer, view = pane.composer, pane.view
        self._drafts = DraftKeeper(composer, services, self._note_draft)
        self._draft_warned = False
        self.notes = MemoryNotes(pane.view, services)
        composer.send_requested.connect(self.send)
        composer.stop_requested.connect(self.stop)
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
        return bool(self._running) or self._starting is not None

    @property
    def is_answering(self) -> bool:
        """Whether the conversation that is shown gets a reply just now."""
        return self._session in self._running or self._starting == self._session

    def item(self, message_id: str) -> MessageItem | None:
        """What is shown of a message, None when it is not shown."""
        return self._pane.view.item(message_id)

    async def open(self, session_id: str, *, message_id: str = "") -> None:
        """Show a conversation (empty: a new one) and its draft; jump to a message when one is named.

        Raises:
            StorageError: it can't be read; what was shown before stays.
        """
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        conversation = await store.get(session_id, user_id=owner) if session_id else None
        if conversation is None:
            session_id = ""
        draft = await self._drafts.of(session_id)
        items: list[MessageItem] = []
        total = 0
        if session_id:
            items, total = await self._read(session_id, message_id)
        self._session, self._total = session_id, total
        view, turn = self._pane.view, self._running.get(session_id)
        if turn is not None and turn.item is not None:
            live = replace(turn.item, text=turn.text)
            items = [live if i.message_id == live.message_id else i for i in items]
        view.set_messages(items, total_before=total)
        self._pane.show_empty(not items)
        self._pane.set_title(conversation.title if conversation else "")
        self._drafts.show(session_id, draft)
        self._pane.composer.set_busy(self.is_answering)
        self._pane.focus_composer()
        if message_id:
            view.scroll_to(message_id)
        else:
            view.scroll_to_end()
        self.opened.emit(session_id)

    def start_anew(self) -> None:
        """Forget what is shown and typed: the stores are empty."""
        self._drafts.forget()
        self._session, self._total = "", 0
        self._pane.view.set_messages([])
        self._pane.show_empty(True)
        self._pane.set_title("")
        self.opened.emit("")

    async def keep_draft(self) -> None:
        """Keep what is typed, before the window goes."""
        await self._drafts.flush()

    def send(self, text: str) -> None:
        """Send `text` in the open conversation; the composer keeps it until it is stored."""
        if text.strip() and not self.is_answering and self._starting is None:
            self._begin_starting()
            self.run(self._send(text, self._session), _STARTING)

    def retry(self, message_id: str) -> None:
        """Ask for another reply in place of this one (or to this message)."""
        if self._session and not self.is_answering and self._starting is None:
            self._begin_starting()
            self.run(self._retry(self._session, message_id), _STARTING)

    def stop(self) -> None:
        """End the reply of the open conversation; what came stays."""
        if self._starting == self._session:
            self._services.supervisor.cancel(_STARTING)
        self._services.supervisor.cancel(self._turn_name(self._session))

    def stop_in(self, session_id: str) -> None:
        """End the reply of that conversation, which goes."""
        self._services.supervisor.cancel(self._turn_name(session_id))

    def stop_all(self) -> None:
        """End every reply, in whichever conversation."""
        self._services.supervisor.cancel(_STARTING)
        for session_id in tuple(self._running):
            self.stop_in(session_id)

    async def _read(self, session_id: str, message_id: str) -> tuple[list[MessageItem], int]:
        """The last messages, back to `message_id`, and how many come before them."""
        profile = self._services.profile
        limit = _PAGE
        while True:
            turn = self._running.get(session_id)
            page = await profile.conversations.messages(session_id, user_id=profile.owner_id, limit=limit)
            if turn is not self._running.get(session_id):
                # A reply began or ended while its conversation was read: what was read may be half of it.
                continue
            if message_id and limit < page.total and all(m.message_id != message_id for m in page.items):
                limit *= 4
                continue
            items = [item for m in page.items if (item := message_item(m)) is not None]
            return items, page.total - len(page.items)

    def _turn_name(self, session_id: str) -> str:
        return f"turn: {session_id}"

    def _begin_starting(self) -> None:
        self._starting = self._session
        self._pane.composer.set_busy(True)

    def _end_starting(self) -> None:
        self._starting = None
        self._pane.composer.set_busy(self.is_answering)

    async def _send(self, text: str, session: str) -> None:
        try:
            message = Message.of({"role": "user", "content": text})
            if await self._services.agent() is None:
                self.model_wanted.emit()
                return
            turn = RunningTurn(session, message, was_new=not session)
            if turn.was_new:
                profile = self._services.profile
                made = await profile.conversations.create(user_id=profile.owner_id, title=make_title(text))
                turn.session_id = made.session_id
                if self._session == session:
                    self._adopt(made.session_id, made.title)
            self._begin(turn)
        finally:
            self._end_starting()

    async def _retry(self, session: str, message_id: str) -> None:
        try:
            if await self._services.agent() is None:
                self.model_wanted.emit()
                return
            question = self._question_before(message_id) if self._session == session else None
            if question is not None:
                self._begin(RunningTurn(session, None, answer_to=question))
        finally:
            self._end_starting()

    def _question_before(self, message_id: str) -> str | None:
        """The user's message that `message_id` answers (or is)."""
        question: str | None = None
        for item in self._pane.view.items():
            if item.role == "user":
                question = item.message_id
            if item.message_id == message_id:
                return question
        return None

    def _adopt(self, session: str, title: str) -> None:
        """The new conversation that is shown has an id now."""
        self._session = session
        if self._starting is not None:
            self._starting = session
        self._drafts.adopt(session)
        self._pane.set_title(title)
        self.opened.emit(session)
        self.conversations_changed.emit()

    def _begin(self, turn: RunningTurn) -> None:
        self._running[turn.session_id] = turn
        self.run(self._run(turn), self._turn_name(turn.session_id))

    async def _run(self, turn: RunningTurn) -> None:
        try:
            await self._stream(turn)
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
                self._pane.composer.set_busy(self.is_answering)
            self.conversations_changed.emit()

    async def _stream(self, turn: RunningTurn) -> None:
        services = self._services
        agent = await services.agent()
        if agent is None:
            return
        caller = CallerContext(user_id=services.profile.owner_id)
        events = agent.astream(
            {"messages": [turn.message] if turn.message is not None else []},
            caller=caller,
            session_id=turn.session_id,
            answer_to=turn.answer_to,
        )
        async with aclosing(events):
            async for event in events:
                match event:
                    case TurnStarted():
                        await self._started(turn, event)
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
                    case TurnDone(result):
                        if turn.item is not None:
                            turn.item = replace(turn.item, memory_note=result["memory_note"])
                        self._finish(turn, state="complete")

    async def _started(self, turn: RunningTurn, event: TurnStarted) -> None:
        host = self._services.switchboard.destination[1]
        turn.item = MessageItem(event.reply_id or "", "assistant", "", state="streaming", host=host)
        if turn.session_id == self._session:
            self._show_started(turn, turn.item, event.user_message_id or "")
        if turn.message is not None:
            await self._drafts.sent(turn.message.content, turn.session_id, was_new=turn.was_new)
        self.conversations_changed.emit()

    def _show_started(self, turn: RunningTurn, reply: MessageItem, question: str) -> None:
        view = self._pane.view
        shown = [item.message_id for item in view.items()]
        if turn.message is None and question in shown:
            # The button that asked for another reply goes with the old one.
            self._pane.focus_composer()
            for later in shown[shown.index(question) + 1 :]:
                view.remove(later)
        # The conversation may have been read just between the storing and this.
        if turn.message is not None and question not in shown:
            view.append(MessageItem(question, "user", turn.message.content))
        if self.item(reply.message_id) is None:
            view.append(reply)
        self._pane.show_empty(False)
        view.scroll_to_end()

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
        if state == "complete" and not turn.text.strip():
            shown = NO_WORDS
        turn.item = turn.item.with_(text=turn.text, state=state, error=shown)
        if turn.session_id == self._session:
            self._pane.view.finish_stream(turn.item)
        if turn.item.remembered or error is not None:
            self.run(self.notes.keep(turn.item), "note what was remembered")

    def _note_draft(self, error: AssistantError | None) -> None:
        """Say once that what is typed is not kept at present."""
        if error is not None and not self._draft_warned:
            self._pane.show_note(f"What you type is not kept at present. {error}")
        elif error is None and self._draft_warned:
            self._pane.show_note("")
        self._draft_warned = error is not None

    def _load_older(self) -> None:
        if self._total > 0:
            self.run(self._prepend_older(), "older messages", replaces=True)

    async def _prepend_older(self) -> None:
        session, before = self._session, self._total
        profile = self._services.profile
        try:
            page = await profile.conversations.messages(
                session, user_id=profile.owner_id, before=before, limit=_PAGE
            )
        except NoSuchConversationError:
            return
        if session != self._session or before != self._total:
            return
        self._total = before - len(page.items)
        items = [item for m in page.items if (item := message_item(m)) is not None]
        self._pane.view.prepend(items)
