"""A conversation in memory: messages as a tree with a current path."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime

from assistant.conversation.base import Conversation, MessageState, StoredMessage
from assistant.conversation.checks import decode_metadata, no_such_message
from assistant.conversation.copies import CopiedConversation, CopiedMessage
from assistant.core.types import Role


@dataclass(slots=True, eq=False)
class Node:
    """A message. `replies` are those made for it, `children` those behind it, `follow` the one current last."""

    message_id: str
    parent: Node | None
    role: Role
    content: str
    state: MessageState
    created: datetime
    metadata: str
    order: int
    depth: int
    answers: Node | None = None
    follow: Node | None = None
    variant: int = 1
    children: list[Node] = field(default_factory=list)
    replies: list[Node] = field(default_factory=list)

    def copied(self) -> CopiedMessage:
        ids = (None if node is None else node.message_id for node in (self.parent, self.answers, self.follow))
        parent, answers, follow = ids
        return CopiedMessage(
            self.message_id,
            self.role,
            self.content,
            self.state,
            self.created,
            parent,
            answers,
            follow,
            self.metadata,
        )


@dataclass(slots=True, eq=False)
class Session:
    """A conversation of one owner; `order` tells which of two was made later."""

    owner: str
    session_id: str
    title: str
    created: datetime
    updated: datetime
    order: int
    temporary: bool = False
    pinned: bool = False
    archived: bool = False
    head: Node | None = None
    roots: list[Node] = field(default_factory=list)
    nodes: dict[str, Node] = field(default_factory=dict)

    def listed(self) -> Conversation:
        return Conversation(
            self.session_id,
            self.title,
            self.pinned,
            0 if self.head is None else self.head.depth + 1,
            self.created,
            self.updated,
            self.archived,
            self.temporary,
        )

    def node(self, message_id: str) -> Node:
        """Raises NoSuchConversationError when there is none."""
        node = self.nodes.get(message_id)
        if node is None:
            raise no_such_message()
        return node

    def path(self) -> list[Node]:
        found: list[Node] = []
        node = self.head
        while node is not None:
            found.append(node)
            node = node.parent
        return found[::-1]

    def beside(self, node: Node) -> list[Node]:
        """The messages with the same parent, oldest first."""
        return self.roots if node.parent is None else node.parent.children

    def stored(self, node: Node) -> StoredMessage:
        return StoredMessage(
            node.message_id,
            node.role,
            node.content,
            node.state,
            node.depth,
            None if node.parent is None else node.parent.message_id,
            node.created,
            decode_metadata(node.metadata),
            node.variant,
            len(self.beside(node)),
        )

    def add(self, node: Node) -> None:
        """Put a new message into the tree and make it the current leaf."""
        siblings = self.beside(node)
        siblings.append(node)
        node.variant = len(siblings)
        if node.answers is not None:
            node.answers.replies.append(node)
        self.nodes[node.message_id] = node
        self._turn_to(node)

    def choose(self, node: Node) -> None:
        """Make the path through `node` current, down to the leaf that was current behind it last."""
        if node in self.path():
            return
        while node.children:
            node = node.follow or node.children[-1]
        self._turn_to(node)

    def copied(self, draft: str) -> CopiedConversation:
        return CopiedConversation(
            replace(self.listed(), temporary=False),
            None if self.head is None else self.head.message_id,
            tuple(node.copied() for node in self.nodes.values()),
            draft,
        )

    def _turn_to(self, leaf: Node) -> None:
        if leaf.parent is not self.head:
            for node in self.path():
                if node.parent is not None:
                    node.parent.follow = node
        self.head = leaf
