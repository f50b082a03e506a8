"""What a turn leaves in a conversation store. Without a store, nothing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable, Mapping, Sequence
from contextvars import Context
from datetime import UTC, datetime
from typing import Any, TypeVar

from assistant.agent.echoes import Place
from assistant.agent.history import Summary, earlier_messages, earlier_summary, stored_question
from assistant.agent.said import SaidMessage
from assistant.agent.waiting import closed_meanwhile, ended, started
from assistant.conversation.base import ConversationStore, MessageState, StoredMessage
from assistant.core.errors import AssistantError, InvalidInputError
from assistant.core.tasks import Supervisor
from assistant.core.types import Message

T = TypeVar("T")
_log = logging.getLogger(__name__)


class Transcript:
    """One conversation during one turn.

    Each write ends once it has begun, also when the turn is cancelled meanwhile, so that no reply stays
    open unknown to its turn.

    Args:
        store: where the conversation is.
        session_id: which one; made when the owner has none of that id.
        owner: whose it is.
        tasks: owns the writes.
        context: context variables that the store's code sees.

    Attributes:
        session_id: of the conversation.
        is_temporary: nothing of it may be kept anywhere else.
        asked_at: when the question was stored.
        question_id: of the last new message of the user, None before it is stored.
        reply_id: of the reply, None before it is begun.
    """

    def __init__(
        self, store: ConversationStore, session_id: str, owner: str, tasks: Supervisor, context: Context
    ) -> None:
        self.session_id = session_id
        self.is_temporary = False
        self.asked_at = datetime.now(UTC)
        self.question_id: str | None = None
        self.reply_id: str | None = None
        self._store = store
        self._owner = owner
        self._tasks = tasks
        self._context = context
        self._new: list[StoredMessage] = []
        self._reply: StoredMessage | None = None
        self._open = False
        self._stopped = False
        self._running: set[asyncio.Task[Any]] = set()

    async def begin(
        self,
        messages: Sequence[Message],
        *,
        history: int,
        notes: Mapping[str, Any],
        instead_of: str | None = None,
    ) -> tuple[list[Message], str]:
        """Store the user's new messages and begin the reply.

        Args:
            messages: of the user, oldest first.
            history: how many earlier messages to read.
            notes: metadata of the reply.
            instead_of: id of the user's message beside which the first new one begins a branch, None: they go
                behind the last message.

        Returns:
            The earlier messages, and the id of the last new one.

        Raises:
            InvalidInputError: there is no message `instead_of` of the user on the current path.
        """
        await self._make_conversation(must_exist=instead_of is not None)
        before = None if instead_of is None else (await self._question(instead_of)).position
        earlier = await earlier_messages(
            self._store, self.session_id, owner=self._owner, limit=history, before=before
        )
        stored: StoredMessage | None = None
        for message in messages:
            stored = await self._write(self._stored(message, instead_of if stored is None else None))
            self._new.append(stored)
            self.asked_at = stored.created_at
        assert stored is not None
        self.question_id = stored.message_id
        await self._begin_reply(stored.message_id, notes)
        return earlier, stored.message_id

    async def begin_again(
        self, message_id: str, *, history: int, notes: Mapping[str, Any]
    ) -> tuple[list[Message], Message]:
        """Begin another reply to a stored message of the user.

        Returns:
            The messages before it, and the message itself.

        Raises:
            InvalidInputError: there is no such message of the user on the current path.
        """
        known = await self._store.get(self.session_id, user_id=self._owner)
        self.is_temporary = known is not None and known.temporary
        question = await self._question(message_id)
        earlier = await earlier_messages(
            self._store, self.session_id, owner=self._owner, limit=history, before=question.position
        )
        await self._begin_reply(message_id, notes)
        return earlier, question.as_message()

    async def summary(self, history: Sequence[Message]) -> Summary | None:
        """The summary of what is not among the earlier messages `history`, or of the oldest of them."""
        return await earlier_summary(self._store, self.session_id, history, owner=self._owner)

    def said(self, reply: str) -> list[SaidMessage]:
        """What this turn added to the conversation, with the text that the reply has by now."""
        said = [(message, message.content) for message in self._new if message.role == "user"]
        if self._reply is not None and reply.strip():
            said.append((self._reply, reply))
        return [
            SaidMessage(
                text, stored.role, self.session_id, stored.message_id, stored.position, stored.created_at
            )
            for stored, text in said
        ]

    async def asked_before(self, places: Iterable[Place]) -> dict[Place, str]:
        """What the user said just before these places of any conversations, as far as it is still there."""
        asked: dict[Place, str] = {}
        for session_id, position in places:
            try:
                page = await self._store.messages(session_id, user_id=self._owner, before=position, limit=1)
            except AssistantError:
                continue
            asked |= {(session_id, m.position): m.content for m in page.items if m.role == "user"}
        return asked

    async def note(self, notes: Mapping[str, Any]) -> None:
        """Add to the metadata of the reply."""
        if self.reply_id is not None:
            await self._write(self._store.annotate(self.reply_id, notes, user_id=self._owner))

    async def extend(self, text: str) -> None:
        """Add text to the reply; it is on disk when this returns.

        Raises:
            StoreClosedError: the reply was finished meanwhile (the agent is shutting down).
        """
        if not self._open or self.reply_id is None:
            raise closed_meanwhile()
        await self._write(self._store.extend_reply(self.reply_id, text, user_id=self._owner))

    async def finish(self, state: MessageState, notes: Mapping[str, Any]) -> None:
        """Close the reply; nothing happens when it was closed before.

        Raises:
            StoreClosedError: `stop` closes it.
        """
        if self._stopped:
            raise closed_meanwhile()
        await self._close_reply(state, notes)

    async def give_up(self, state: MessageState, notes: Mapping[str, Any]) -> None:
        """Close the reply of a turn that fails already; another failure is logged only."""
        if self._stopped:
            return
        try:
            await self._close_reply(state, notes)
        except AssistantError as error:
            _log.error("the reply could not be closed as %s: %s", state, error.title)

    async def stop(self, grace: float) -> None:
        """Take no more from the turn, and close its reply as stopped.

        Args:
            grace: seconds to wait for a write that is under way.
        """
        self._stopped = True
        if self._running:
            await asyncio.wait(set(self._running), timeout=grace)
        try:
            await self._close_reply("stopped", {})
        except AssistantError as error:
            _log.error("the reply could not be closed as stopped: %s", error.title)

    async def _close_reply(self, state: MessageState, notes: Mapping[str, Any]) -> None:
        if not self._open or self.reply_id is None:
            return
        self._open = False
        closing = self._store.finish_reply(self.reply_id, user_id=self._owner, state=state, metadata=notes)
        await self._write(closing, closing=True)

    async def _question(self, message_id: str) -> StoredMessage:
        return await stored_question(self._store, self.session_id, message_id, owner=self._owner)

    def _stored(self, message: Message, instead_of: str | None) -> Coroutine[Any, Any, StoredMessage]:
        if instead_of is None:
            return self._store.append(self.session_id, message, user_id=self._owner)
        return self._store.branch(self.session_id, instead_of, message, user_id=self._owner)

    async def _make_conversation(self, *, must_exist: bool) -> None:
        known = await self._store.get(self.session_id, user_id=self._owner)
        if known is not None:
            self.is_temporary = known.temporary
        if known is not None or must_exist:
            return
        try:
            await self._write(self._store.create(user_id=self._owner, session_id=self.session_id))
        except InvalidInputError:
            # Somebody else may have made it just now.
            if await self._store.get(self.session_id, user_id=self._owner) is None:
                raise

    async def _begin_reply(self, after: str, notes: Mapping[str, Any]) -> None:
        async def begin() -> None:
            reply = await self._store.begin_reply(
                self.session_id, user_id=self._owner, metadata=notes, after=after
            )
            self.reply_id, self._open, self._reply = reply.message_id, True, reply

        await self._write(begin())

    async def _write(self, work: Coroutine[Any, Any, T], *, closing: bool = False) -> T:
        if self._stopped and not closing:
            work.close()
            raise closed_meanwhile()
        task = started(self._tasks, work, name="write the conversation", context=self._context)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        await ended(task)
        return task.result()
