"""Conversations in memory: for tests and for callers who keep nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from assistant.conversation.base import Conversation, MessageHit, MessagePage, MessageState, StoredMessage
from assistant.conversation.checks import (
    check_new_id,
    check_owner,
    check_state,
    decode_metadata,
    encode_metadata,
    id_taken,
    merge_metadata,
    no_such_conversation,
    no_such_message,
    not_streaming,
    store_closed,
)
from assistant.conversation.search_text import SearchQuery
from assistant.core.clock import Clock, SystemClock
from assistant.core.ids import new_id
from assistant.core.text import check_text
from assistant.core.types import Message, Role


@dataclass(slots=True, eq=False)
class _Node:
    message_id: str
    parent: _Node | None
    role: Role
    content: str
    state: MessageState
    created: datetime
    metadata: str
    order: int
    depth: int
    replies: list[_Node] = field(default_factory=list)

    def stored(self) -> StoredMessage:
        return StoredMessage(
            self.message_id,
            self.role,
            self.content,
            self.state,
            self.depth,
            None if self.parent is None else self.parent.message_id,
            self.created,
            decode_metadata(self.metadata),
        )


@dataclass(slots=True, eq=False)
class _Session:
    owner: str
    session_id: str
    title: str
    created: datetime
    updated: datetime
    order: int
    pinned: bool = False
    head: _Node | None = None
    nodes: dict[str, _Node] = field(default_factory=dict)

    def path(self) -> list[_Node]:
        found: list[_Node] = []
        node = self.head
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def listed(self) -> Conversation:
        count = 0 if self.head is None else self.head.depth + 1
        return Conversation(self.session_id, self.title, self.pinned, count, self.created, self.updated)


class InMemoryConversationStore:
    """A ConversationStore that is gone with the process.

    No method waits for anything, so each is one step to every other task.
    """

    def __init__(self, *, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._sessions: dict[tuple[str, str], _Session] = {}
        self._drafts: dict[tuple[str, str], str] = {}
        self._order = 0
        self._closed = False

    async def create(self, *, user_id: str, title: str = "", session_id: str | None = None) -> Conversation:
        owner, now = self._owner(user_id), self._clock.now()
        check_text(title)
        chosen = new_id() if session_id is None else check_new_id(session_id)
        if (owner, chosen) in self._sessions:
            raise id_taken()
        session = _Session(owner, chosen, title, now, now, self._next())
        self._sessions[owner, chosen] = session
        return session.listed()

    async def get(self, session_id: str, *, user_id: str) -> Conversation | None:
        session = self._sessions.get((self._owner(user_id), session_id))
        return None if session is None else session.listed()

    async def messages(
        self, session_id: str, *, user_id: str, before: int | None = None, limit: int = 100
    ) -> MessagePage:
        path = self._session(session_id, user_id).path()
        end = len(path) if before is None else min(len(path), max(0, before))
        start = max(0, end - max(0, limit))
        return MessagePage(tuple(node.stored() for node in path[start:end]), len(path))

    async def append(
        self, session_id: str, message: Message, *, user_id: str, after: str | None = None
    ) -> StoredMessage:
        valid, metadata = _checked(message)
        session = self._session(session_id, user_id)
        parent = session.head if after is None else self._node(session, after)
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
        asked = self._node(session, after)
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
        return node.stored()

    async def branch(
        self, session_id: str, message_id: str, message: Message, *, user_id: str
    ) -> StoredMessage:
        valid, metadata = _checked(message)
        session = self._session(session_id, user_id)
        parent = self._node(session, message_id).parent
        return self._insert(session, parent, valid.role, valid.content, "complete", metadata)

    async def annotate(self, message_id: str, metadata: Mapping[str, Any], *, user_id: str) -> StoredMessage:
        encode_metadata(metadata)
        _, node = self._find(message_id, user_id)
        node.metadata = merge_metadata(node.metadata, metadata)
        return node.stored()

    async def rename(self, session_id: str, title: str, *, user_id: str) -> None:
        check_text(title)
        self._session(session_id, user_id).title = title

    async def pin(self, session_id: str, pinned: bool, *, user_id: str) -> None:
        self._session(session_id, user_id).pinned = bool(pinned)

    async def delete(self, session_id: str, *, user_id: str) -> bool:
        key = (self._owner(user_id), session_id)
        self._drafts.pop(key, None)
        return self._sessions.pop(key, None) is not None

    async def search(self, query: str, *, user_id: str, limit: int = 50) -> list[MessageHit]:
        owner, wanted = self._owner(user_id), SearchQuery.parse(check_text(query))
        if not wanted.text or limit <= 0:
            return []
        hits: list[tuple[MessageHit, int]] = []
        for session in self._of(owner):
            path = session.path()
            hits += [
                (_hit(session, node, wanted.snippet(node.content), node.created), node.order)
                for node in path
                if node.state != "streaming" and wanted.matches(node.content)
            ]
            if wanted.matches(session.title):
                first = path[0] if path else None
                hits.append((_hit(session, first, wanted.snippet(session.title), session.updated), -1))
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

    def _of(self, owner: str) -> list[_Session]:
        return [session for session in self._sessions.values() if session.owner == owner]

    def _session(self, session_id: str, user_id: str) -> _Session:
        session = self._sessions.get((self._owner(user_id), session_id))
        if session is None:
            raise no_such_conversation()
        return session

    def _node(self, session: _Session, message_id: str) -> _Node:
        node = session.nodes.get(message_id)
        if node is None:
            raise no_such_message()
        return node

    def _find(self, message_id: str, user_id: str) -> tuple[_Session, _Node]:
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
        session: _Session,
        parent: _Node | None,
        role: Role,
        content: str,
        state: MessageState,
        metadata: str,
        answers: _Node | None = None,
    ) -> StoredMessage:
        now, depth = self._clock.now(), 0 if parent is None else parent.depth + 1
        node = _Node(new_id(), parent, role, content, state, now, metadata, self._next(), depth)
        if role == "assistant" and (asked := answers or parent) is not None:
            asked.replies.append(node)
        session.nodes[node.message_id] = node
        session.head, session.updated = node, now
        return node.stored()

    def _next(self) -> int:
        self._order += 1
        return self._order

    # Last, because the name hides the built-in type in the annotations below it.
    async def list(self, *, user_id: str, offset: int = 0, limit: int = 200) -> list[Conversation]:
        owner, start = self._owner(user_id), max(0, offset)
        found = sorted(self._of(owner), key=lambda s: (s.pinned, s.updated, s.order), reverse=True)
        return [session.listed() for session in found[start : start + max(0, limit)]]


def _checked(message: Message) -> tuple[Message, str]:
    valid = Message.of(message)
    return valid, encode_metadata(valid.metadata)


def _hit(session: _Session, node: _Node | None, snippet: str, created: datetime) -> MessageHit:
    if node is None:
        return MessageHit(session.session_id, "", session.title, snippet, 0, created)
    return MessageHit(session.session_id, node.message_id, session.title, snippet, node.depth, created)
