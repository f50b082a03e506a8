"""Conversations in memory: for tests and for callers who keep nothing."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from assistant.conversation.base import Conversation, MessageHit, MessagePage, MessageState, StoredMessage
from assistant.conversation.checks import (
    check_new_id,
    check_owner,
    check_state,
    conversation_over,
    encode_metadata,
    id_taken,
    merge_metadata,
    no_such_conversation,
    no_such_message,
    not_streaming,
    store_closed,
)
from assistant.conversation.copies import CopiedConversation
from assistant.conversation.memory_tree import Node, Session
from assistant.conversation.search_text import SearchQuery
from assistant.core.clock import Clock, SystemClock
from assistant.core.ids import new_id
from assistant.core.text import check_text
from assistant.core.types import Message, Role


class InMemoryConversationStore:
    """A ConversationStore that is gone with the process.

    No method waits for anything, so each is one step to every other task.
    """

    def __init__(self, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._sessions: dict[tuple[str, str], Session] = {}
        self._drafts: dict[tuple[str, str], str] = {}
        self._over: set[tuple[str, str]] = set()
        self._order = 0
        self._closed = False

    async def create(
        self, *, user_id: str, title: str = "", session_id: str | None = None, temporary: bool = False
    ) -> Conversation:
        owner, now = self._owner(user_id), self._clock.now()
        check_text(title)
        chosen = new_id() if session_id is None else check_new_id(session_id)
        if (owner, chosen) in self._sessions:
            raise id_taken()
        if self.is_over(chosen, user_id=owner):
            raise conversation_over()
        session = Session(owner, chosen, title, now, now, self._next(), temporary)
        self._sessions[owner, chosen] = session
        return session.listed()

    async def get(self, session_id: str, *, user_id: str) -> Conversation | None:
        session = self._sessions.get((self._owner(user_id), session_id))
        return None if session is None else session.listed()

    async def keep(self, session_id: str, *, user_id: str) -> Conversation:
        session = self._session(session_id, user_id)
        if session.temporary:
            session.temporary, session.order = False, self._next()
        return session.listed()

    def is_over(self, session_id: str, *, user_id: str) -> bool:
        """Whether a temporary conversation of that id was deleted."""
        return (user_id, session_id) in self._over

    def copy_of(self, session_id: str, *, user_id: str) -> CopiedConversation:
        """A conversation as a whole, as a lasting one. Raises NoSuchConversationError."""
        session = self._session(session_id, user_id)
        return session.copied(self._drafts.get((session.owner, session_id), ""))

    def session_of(self, message_id: str, *, user_id: str) -> str | None:
        """The conversation that holds a message of the user's, None when none does."""
        sessions = self._of(self._owner(user_id))
        return next((session.session_id for session in sessions if message_id in session.nodes), None)

    async def messages(
        self, session_id: str, *, user_id: str, before: int | None = None, limit: int = 100
    ) -> MessagePage:
        session = self._session(session_id, user_id)
        path = session.path()
        end = len(path) if before is None else min(len(path), max(0, before))
        start = max(0, end - max(0, limit))
        return MessagePage(tuple(session.stored(node) for node in path[start:end]), len(path))

    async def append(
        self, session_id: str, message: Message, *, user_id: str, after: str | None = None
    ) -> StoredMessage:
        valid, metadata = _checked(message)
        session = self._session(session_id, user_id)
        parent = session.head if after is None else session.node(after)
        return self._insert(session, parent, valid.role, valid.content, "complete", metadata)

    async def begin_reply(
        self,
        session_id: str,
        *,
        user_id: str,
        metadata: Mapping[str, Any] | None = None,
        after: str | None = None,
    ) -> StoredMessage:
        encoded = encode_metadata(metadata)
        session = self._session(session_id, user_id)
        if after is None:
            return self._insert(session, session.head, "assistant", "", "streaming", encoded)
        asked = session.node(after)
        if asked.replies:
            parent = asked.replies[-1].parent
        else:
            # Another turn may have written behind the question meanwhile: a branch would hide what it wrote.
            parent = session.head if asked in session.path() else asked
        return self._insert(session, parent, "assistant", "", "streaming", encoded, answers=asked)

    async def extend_reply(self, message_id: str, text: str, *, user_id: str) -> None:
        check_text(text)
        _, node = self._find(message_id, user_id)
        if node.state != "streaming":
            raise not_streaming()
        node.content += text

    async def finish_reply(
        self,
        message_id: str,
        *,
        user_id: str,
        state: MessageState = "complete",
        content: str | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> StoredMessage:
        check_state(state)
        check_text(content or "")
        encode_metadata(metadata)
        session, node = self._find(message_id, user_id)
        if node.state != "streaming":
            raise not_streaming()
        node.metadata = merge_metadata(node.metadata, metadata)
        node.state = state
        node.content = node.content if content is None else content
        session.updated = self._clock.now()
        return session.stored(node)

    async def branch(
        self, session_id: str, message_id: str, message: Message, *, user_id: str
    ) -> StoredMessage:
        valid, metadata = _checked(message)
        session = self._session(session_id, user_id)
        parent = session.node(message_id).parent
        return self._insert(session, parent, valid.role, valid.content, "complete", metadata)

    async def variants(self, session_id: str, message_id: str, *, user_id: str) -> list[StoredMessage]:
        session = self._session(session_id, user_id)
        return [session.stored(node) for node in session.beside(session.node(message_id))]

    async def choose(self, session_id: str, message_id: str, *, user_id: str) -> Conversation:
        session = self._session(session_id, user_id)
        session.choose(session.node(message_id))
        return session.listed()

    async def annotate(self, message_id: str, metadata: Mapping[str, Any], *, user_id: str) -> StoredMessage:
        encode_metadata(metadata)
        session, node = self._find(message_id, user_id)
        node.metadata = merge_metadata(node.metadata, metadata)
        return session.stored(node)

    async def rename(self, session_id: str, title: str, *, user_id: str) -> None:
        check_text(title)
        self._session(session_id, user_id).title = title

    async def pin(self, session_id: str, pinned: bool, *, user_id: str) -> None:
        self._session(session_id, user_id).pinned = bool(pinned)

    async def archive(self, session_id: str, archived: bool, *, user_id: str) -> None:
        self._session(session_id, user_id).archived = bool(archived)

    async def delete(self, session_id: str, *, user_id: str) -> bool:
        key = (self._owner(user_id), session_id)
        self._drafts.pop(key, None)
        session = self._sessions.pop(key, None)
        if session is not None and session.temporary:
            self._over.add(key)
        return session is not None

    async def search(self, query: str, *, user_id: str, limit: int = 50) -> list[MessageHit]:
        owner, wanted = self._owner(user_id), SearchQuery.parse(check_text(query))
        if not wanted.text or limit <= 0:
            return []
        hits: list[tuple[MessageHit, int]] = []
        for session in self._of(owner):
            if not session.temporary:
                hits += _hits(session, wanted)
        hits.sort(key=lambda pair: (pair[0].created_at, pair[1]), reverse=True)
        return [hit for hit, _ in hits[:limit]]

    async def save_draft(self, session_id: str, text: str, *, user_id: str) -> None:
        check_text(text)
        key = self._draft_key(session_id, user_id)
        if text:
            self._drafts[key] = text
        else:
            self._drafts.pop(key, None)

    async def draft(self, session_id: str, *, user_id: str) -> str:
        return self._drafts.get(self._draft_key(session_id, user_id), "")

    async def purge_user(self, user_id: str) -> int:
        owner = self._owner(user_id)
        found = self._of(owner)
        self._over |= {(owner, session.session_id) for session in found if session.temporary}
        self._sessions = {key: value for key, value in self._sessions.items() if key[0] != owner}
        self._drafts = {key: value for key, value in self._drafts.items() if key[0] != owner}
        return len(found)

    async def close(self) -> None:
        self._closed = True
        self._sessions.clear()
        self._drafts.clear()

    def _owner(self, user_id: str) -> str:
        owner = check_owner(user_id)
        if self._closed:
            raise store_closed()
        return owner

    def _of(self, owner: str) -> list[Session]:
        return [session for session in self._sessions.values() if session.owner == owner]

    def _session(self, session_id: str, user_id: str) -> Session:
        session = self._sessions.get((self._owner(user_id), session_id))
        if session is None:
            raise no_such_conversation()
        return session

    def _find(self, message_id: str, user_id: str) -> tuple[Session, Node]:
        for session in self._of(self._owner(user_id)):
            if message_id in session.nodes:
                return session, session.nodes[message_id]
        raise no_such_message()

    def _draft_key(self, session_id: str, user_id: str) -> tuple[str, str]:
        if session_id:
            self._session(session_id, user_id)
        return self._owner(user_id), session_id

    def _insert(
        self,
        session: Session,
        parent: Node | None,
        role: Role,
        content: str,
        state: MessageState,
        metadata: str,
        answers: Node | None = None,
    ) -> StoredMessage:
        now, depth = self._clock.now(), 0 if parent is None else parent.depth + 1
        node = Node(new_id(), parent, role, content, state, now, metadata, self._next(), depth)
        node.answers = (answers or parent) if role == "assistant" else None
        session.add(node)
        session.updated = now
        return session.stored(node)

    def _next(self) -> int:
        self._order += 1
        return self._order

    # Last, because the name hides the built-in type in the annotations below it.
    async def list(
        self,
        *,
        user_id: str,
        offset: int = 0,
        limit: int = 200,
        archived: bool | None = False,
        temporary: bool = False,
    ) -> list[Conversation]:
        owner, start = self._owner(user_id), max(0, offset)
        found = [
            session
            for session in self._of(owner)
            if session.temporary == temporary and archived in (None, session.archived)
        ]
        found.sort(key=lambda s: (s.pinned, s.updated, s.order), reverse=True)
        return [session.listed() for session in found[start : start + max(0, limit)]]


def _checked(message: Message) -> tuple[Message, str]:
    valid = Message.of(message)
    return valid, encode_metadata(valid.metadata)


def _hits(session: Session, wanted: SearchQuery) -> list[tuple[MessageHit, int]]:
    """What fits in a conversation, with the order of its making; -1 for the title."""
    path = session.path()
    on_path = set(path)
    hits = [
        (_hit(session, node, wanted.snippet(node.content), node.created, node in on_path), node.order)
        for node in session.nodes.values()
        if node.state != "streaming" and wanted.matches(node.content)
    ]
    if wanted.matches(session.title):
        first = path[0] if path else None
        hits.append((_hit(session, first, wanted.snippet(session.title), session.updated, True), -1))
    return hits


def _hit(session: Session, node: Node | None, snippet: str, created: datetime, on_path: bool) -> MessageHit:
    if node is None:
        return MessageHit(session.session_id, "", session.title, snippet, 0, created)
    return MessageHit(
        session.session_id, node.message_id, session.title, snippet, node.depth, created, on_path
    )
