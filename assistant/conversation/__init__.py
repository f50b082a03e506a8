"""Short-term memory: conversations, kept and searched; the buffer that bounds a long run; titles.

Public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.conversation.base import (
        Conversation,
        ConversationStore,
        MessageHit,
        MessagePage,
        MessageState,
        StoredMessage,
    )
    from assistant.conversation.buffer import ConversationBuffer
    from assistant.conversation.memory_store import InMemoryConversationStore
    from assistant.conversation.sqlite_store import SqliteConversationStore
    from assistant.conversation.temporary import StoreWithTemporary
    from assistant.conversation.titles import make_title

_HOMES = {
    "Conversation": "base",
    "ConversationStore": "base",
    "MessageHit": "base",
    "MessagePage": "base",
    "MessageState": "base",
    "StoredMessage": "base",
    "ConversationBuffer": "buffer",
    "InMemoryConversationStore": "memory_store",
    "SqliteConversationStore": "sqlite_store",
    "StoreWithTemporary": "temporary",
    "make_title": "titles",
}

__all__ = [
    "Conversation",
    "ConversationBuffer",
    "ConversationStore",
    "InMemoryConversationStore",
    "MessageHit",
    "MessagePage",
    "MessageState",
    "SqliteConversationStore",
    "StoreWithTemporary",
    "StoredMessage",
    "make_title",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
