"""The conversation that is shown: opens it, sends, asks again, edits, and goes from version to version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from assistant.agent.events import TurnStarted
from assistant.conversation.titles import make_title
from assistant.core.errors import AssistantError, ContextTooLongError
from assistant.core.types import Message
from assistant.ui.models.messages import MessageItem
from assistant.ui.presenters.base import Presenter
from assistant.ui.presenters.branches import Branches
from assistant.ui.presenters.drafts import DraftKeeper
from assistant.ui.presenters.editing import Editing
from assistant.ui.presenters.message_pages import MessagePages
from assistant.ui.presenters.naming import ConversationNames
from assistant.ui.presenters.notes import MemoryNotes
from assistant.ui.presenters.running_turn import RunningTurn
from assistant.ui.presenters.standing import Standing
from assistant.ui.presenters.turns import TurnRunner
from assistant.ui.services import Services
from assistant.ui.widgets.chat_pane import ChatPane

if TYPE_CHECKING:
    from assistant.conversation.base import Conversation

_STARTING = "turn: start"


class ChatPresenter(Presenter):
    """Between the chat pane and the agent. A turn goes on when another conversation is opened meanwhile.

    Attributes:
        notes: what is said under messages about memories.
        standing: what is special about the conversation.
        editing: the earlier message that is being edited.
        branches: goes from version to version.
        lasting_id: the conversation on disk that was shown last; empty for a new one.

    Signals:
        conversations_changed: a conversation is new, has a new message or another title.
        memory_saved(MemorySaved or MemoryProposed): a memory was kept from a turn, or waits.
        model_wanted: a message was to be sent, but no model is chosen.
        opened(session_id): another conversation is shown; empty for a new one.
        path_changed(session_id): the conversation that is shown took another way.
        too_long(ContextTooLongError): a message was not sent because the model can't read it; its draft stays.
        prompted(RunningTurn, Agent, Prompt): this goes to the model now.
        turn_ended(RunningTurn): well or not; its report says what was sent.
    """

    conversations_changed = Signal()
    memory_saved = Signal(object)
    model_wanted = Signal()
    opened = Signal(str)
    path_changed = Signal(str)
    too_long = Signal(object)
    prompted = Signal(object, object, object)
    turn_ended = Signal(object)

    def __init__(self, pane: ChatPane, services: Services) -> None:
        super().__init__(pane, services)
        self._pane = pane
        self._session = self.lasting_id = ""
        self._starting: str | None = None
        self._total = 0
        self._draft_warned = False
        composer, view = pane.composer, pane.view
        self._drafts = DraftKeeper(composer, services, self._note_draft)
        self.editing = Editing(composer, view, self._drafts)
        self.notes = MemoryNotes(view, services)
        self.standing = Standing(pane, services)
        self._names = ConversationNames(services, self._renamed)
        self._turns = TurnRunner(
            view, services, shown=lambda: self._session, on_started=self._started, notes=self.notes
        )
        self._pages = MessagePages(services, self._turns)
        self.branches = Branches(
            view,
            services,
            self._pages,
            shown=lambda: self._session,
            may_switch=lambda: not self.is_answering and self._starting is None,
        )
        self._connect()

    def _connect(self) -> None:
        composer, view = self._pane.composer, self._pane.view
        composer.send_requested.connect(self.send)
        composer.stop_requested.connect(self.stop)
        composer.edit_last_requested.connect(self.edit_last)
        view.retry_requested.connect(self.retry)
        view.edit_requested.connect(self.edit)
        view.older_requested.connect(self._load_older)
        self._pane.suggestion_chosen.connect(self.send)
        self._turns.prompted.connect(self.prompted)
        self._turns.memory_saved.connect(self.memory_saved)
        self._turns.ended.connect(self._ended)
        self.branches.switched.connect(self.path_changed)
        self.branches.switched.connect(self.notes.check)
        for part in (self._turns, self.branches, self.standing):
            part.failed.connect(self.failed)

    @property
    def session_id(self) -> str:
        """The conversation that is shown; empty for a new one."""
        return self._session

    @property
    def is_running(self) -> bool:
        """Whether any turn has not ended."""
        return self._turns.any_runs or self._starting is not None

    @property
    def is_answering(self) -> bool:
        """Whether the conversation that is shown gets a reply just now."""
        return self._turns.of(self._session) is not None or self._starting == self._session

    def answers_in(self, session_id: str) -> bool:
        """Whether that conversation gets a reply just now."""
        return self._turns.of(session_id) is not None

    def item(self, message_id: str) -> MessageItem | None:
        """What is shown of a message, None when it is not shown."""
        return self._pane.view.item(message_id)

    async def open(self, session_id: str, *, message_id: str = "", words: str = "") -> None:
        """Show a conversation (empty: a new one) and its draft.

        Args:
            message_id: a message to jump to, on whichever path it is.
            words: what one was looking for in it.

        Raises:
            StorageError: it can't be read; what was shown before stays.
        """
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        conversation = await store.get(session_id, user_id=owner) if session_id else None
        if conversation is None:
            session_id = ""
        if session_id and message_id and not await self.branches.choose(session_id, message_id):
            message_id = ""
        draft = await self._drafts.of(session_id)
        items, total = await self._pages.last(session_id, message_id) if session_id else ([], 0)
        self._leave(session_id)
        self._session, self._total = session_id, total
        if conversation is None or not conversation.temporary:
            self.lasting_id = session_id
        view = self._pane.view
        view.set_messages(items, total_before=total)
        self._show_head(conversation, is_empty=not items)
        self._drafts.show(session_id, draft)
        self.editing.come_back(session_id)
        self._show_busy()
        self._pane.focus_composer()
        if message_id:
            view.pointing.begin(message_id, words)
        else:
            view.scroll_to_end()
        self.opened.emit(session_id)

    def open_temporary(self) -> None:
        """Show a new temporary conversation, or the one that is shown when nothing was said in it yet."""
        if self.standing.is_temporary and not self._pane.view.items() and not self.is_answering:
            self._pane.focus_composer()
        else:
            self.run(self._open_temporary(), "open conversation", replaces=True)

    def start_anew(self) -> None:
        """Forget what is shown and typed: the stores are empty."""
        self.editing.forget()
        self._drafts.forget()
        self._session, self._total, self.lasting_id = "", 0, ""
        self._pane.view.set_messages([])
        self._show_head(None, is_empty=True)
        self.opened.emit("")

    async def keep_draft(self) -> None:
        """Keep what is typed, before the window goes."""
        await self._drafts.flush()

    def send(self, text: str) -> None:
        """Send `text` in the open conversation, in the place of the message that is being edited when there is one; the
        composer keeps it until it is stored."""
        if text.strip() and not self.is_answering and self._starting is None:
            self._begin_starting()
            self.run(self._send(text, self._session, self.editing.message_id), _STARTING)

    def retry(self, message_id: str) -> None:
        """Ask for another reply beside this one (or to this message)."""
        if self._session and not self.is_answering and self._starting is None:
            self._begin_starting()
            self.run(self._retry(self._session, message_id), _STARTING)

    def edit(self, message_id: str) -> None:
        """Put a message of the user into the composer, to be sent in another version."""
        item = self.item(message_id)
        if item is not None and item.role == "user":
            self.editing.begin(message_id, item.text)

    def edit_last(self) -> None:
        """Edit what the user said last."""
        said = [item.message_id for item in self._pane.view.items() if item.role == "user"]
        if said:
            self.edit(said[-1])

    def stop(self) -> None:
        """End the reply of the open conversation; what came stays."""
        if self._starting == self._session:
            self._services.supervisor.cancel(_STARTING)
        self._turns.stop(self._session)

    def stop_in(self, session_id: str) -> None:
        """End the reply of that conversation, which goes."""
        self._turns.stop(session_id)

    def stop_all(self) -> None:
        """End every reply, in whichever conversation."""
        self._services.supervisor.cancel(_STARTING)
        self._turns.stop_all()

    def question_before(self, message_id: str) -> str | None:
        """The user's message that `message_id` answers (or is)."""
        question: str | None = None
        for item in self._pane.view.items():
            if item.role == "user":
                question = item.message_id
            if item.message_id == message_id:
                return question
        return None

    # -- what is shown

    def _leave(self, following: str) -> None:
        """Another conversation is to be shown, or the same one anew."""
        self.editing.leave(self._session)
        if self._session != following:
            self._services.desk.conversation_left(self._session)
        left, is_blank = self._session, not self._pane.view.items() and not self._drafts.typed().strip()
        if self.standing.is_temporary and is_blank and left != following and not self.is_answering:
            self.run(self._drop_empty(left), "leave a temporary conversation", replaces=False)

    async def _drop_empty(self, session_id: str) -> None:
        await self.standing.drop_empty(session_id)
        self.conversations_changed.emit()

    async def _open_temporary(self) -> None:
        await self.open(await self.standing.new_temporary())
        self.conversations_changed.emit()

    def _show_head(self, conversation: Conversation | None, *, is_empty: bool) -> None:
        self.standing.show(conversation)
        self._pane.show_empty(is_empty)
        self._pane.set_title(conversation.title if conversation else "")

    def _show_busy(self) -> None:
        self._pane.composer.set_busy(self.is_answering)
        self._pane.view.set_switchable(not self.is_answering)

    def _begin_starting(self) -> None:
        self._starting = self._session
        self._pane.view.pointing.end()
        self._show_busy()

    def _end_starting(self) -> None:
        self._starting = None
        self._show_busy()

    # -- turns

    async def _send(self, text: str, session: str, edited: str) -> None:
        try:
            message = Message.of({"role": "user", "content": text})
            agent = await self._services.agent()
            if agent is None:
                self.model_wanted.emit()
                return
            try:
                await agent.check_room(message)
            except ContextTooLongError as error:
                self.too_long.emit(error)
                return
            if edited and session == self._session and self.item(edited) is None:
                # Another version is shown meanwhile.
                await self.open(session, message_id=edited)
            turn = RunningTurn(session, message, instead_of=edited or None, was_new=not session)
            await self._prepare(turn, text)
            self._turns.begin(turn)
        finally:
            self._end_starting()

    async def _prepare(self, turn: RunningTurn, said: str) -> None:
        """See that the conversation of a message exists and has a title."""
        profile = self._services.profile
        store, owner = profile.conversations, profile.owner_id
        if turn.was_new:
            made = await store.create(user_id=owner, title=make_title(said))
            turn.session_id, turn.is_first = made.session_id, True
            if not self._session:
                self._adopt(made)
            return
        known = await store.get(turn.session_id, user_id=owner)
        turn.is_first = known is not None and not known.message_count
        if turn.is_first:
            await self._names.after_message(turn.session_id, said)

    async def _retry(self, session: str, message_id: str) -> None:
        try:
            if await self._services.agent() is None:
                self.model_wanted.emit()
                return
            question = self.question_before(message_id) if self._session == session else None
            if question is not None:
                self._turns.begin(RunningTurn(session, None, answer_to=question))
        finally:
            self._end_starting()

    def _adopt(self, made: Conversation) -> None:
        """The new conversation that is shown has an id now."""
        self._session = self.lasting_id = made.session_id
        if self._starting is not None:
            self._starting = made.session_id
        self._drafts.adopt(made.session_id)
        self._show_head(made, is_empty=True)
        self.opened.emit(made.session_id)
        self.conversations_changed.emit()

    async def _started(self, turn: RunningTurn, event: TurnStarted) -> None:
        if turn.session_id == self._session:
            await self._show_started(turn, event)
        if turn.instead_of is not None:
            if turn.message is not None and self.editing.message_id == turn.instead_of:
                self.editing.end(turn.message.content)
        elif turn.message is not None:
            await self._drafts.sent(turn.message.content, turn.session_id, was_new=turn.was_new)
        self.conversations_changed.emit()

    async def _show_started(self, turn: RunningTurn, event: TurnStarted) -> None:
        view, reply, question = self._pane.view, turn.item, event.user_message_id or ""
        assert reply is not None
        shown = [item.message_id for item in view.items()]
        if turn.message is None and question in shown[:-1]:
            # The button that asked for another reply goes with the old one.
            self._pane.focus_composer()
            old_reply = shown[shown.index(question) + 1]
            await self.branches.show(turn.session_id, old_reply, reply.message_id, hold=False)
        elif turn.instead_of is not None:
            await self.branches.show(turn.session_id, turn.instead_of, question, hold=False)
        elif turn.message is not None and question not in shown:
            # The conversation may have been read just between the storing and this.
            view.append(MessageItem(question, "user", turn.message.content))
        if turn.session_id != self._session:
            return
        if turn.instead_of is None and self.item(reply.message_id) is None:
            view.append(reply)
        self._pane.show_empty(False)
        view.scroll_to_end()

    def _ended(self, turn: RunningTurn) -> None:
        if turn.session_id == self._session:
            self._show_busy()
        if turn.is_first and turn.is_complete and turn.message is not None:
            work = self._names.after_reply(turn.session_id, turn.message.content, turn.text)
            self.run(work, "name the conversation")
        self.conversations_changed.emit()
        self.turn_ended.emit(turn)

    def _renamed(self, session_id: str, title: str) -> None:
        if session_id == self._session:
            self._pane.set_title(title)
        self.conversations_changed.emit()

    # -- drafts and older messages

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
        found = await self._pages.before(session, before)
        if found is not None and session == self._session and before == self._total:
            items, self._total = found
            self._pane.view.prepend(items)
