"""Keepsake: a private desktop assistant that remembers. This package is also a plain Python library.

    from assistant import CallerContext, build_agent
    from assistant.memory import ChromaProvider, MemoryScope

Importing it loads no heavy package: each public name is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.agent.agent import Agent
    from assistant.agent.builder import build_agent
    from assistant.agent.events import TurnEvent, TurnResult
    from assistant.agent.guardrails import Guardrail, PrivateDataRedactor
    from assistant.cache.base import CachedAnswer
    from assistant.cache.semantic_cache import SemanticCache
    from assistant.context.engine import ContextEngine
    from assistant.context.reports import ContextReport
    from assistant.core.errors import (
        AssistantError,
        ConfigError,
        ContextTooLongError,
        ConversationError,
        EmbeddingError,
        GuardrailError,
        InvalidInputError,
        InvalidTextError,
        MemoryIsolationError,
        MemoryStoreError,
        ModelError,
        SecretsError,
        StorageError,
    )
    from assistant.core.types import CallerContext, Message, Usage
    from assistant.core.version import VERSION as __version__
    from assistant.memory.base import (
        BrowsableMemory,
        MemoryPage,
        MemoryProvider,
        MemoryResult,
        MemoryScope,
        NewMemory,
    )
    from assistant.memory.chroma_provider import ChromaProvider
    from assistant.memory.in_memory import InMemoryProvider

_NAMES = {
    "assistant.agent.agent": ("Agent",),
    "assistant.agent.builder": ("build_agent",),
    "assistant.agent.events": ("TurnEvent", "TurnResult"),
    "assistant.agent.guardrails": ("Guardrail", "PrivateDataRedactor"),
    "assistant.cache.base": ("CachedAnswer",),
    "assistant.cache.semantic_cache": ("SemanticCache",),
    "assistant.core.types": ("CallerContext", "Message", "Usage"),
    "assistant.memory.base": (
        "BrowsableMemory",
        "MemoryPage",
        "MemoryProvider",
        "MemoryResult",
        "MemoryScope",
        "NewMemory",
    ),
    "assistant.memory.chroma_provider": ("ChromaProvider",),
    "assistant.memory.in_memory": ("InMemoryProvider",),
    "assistant.context.engine": ("ContextEngine",),
    "assistant.context.reports": ("ContextReport",),
    "assistant.core.errors": (
        "AssistantError",
        "ConfigError",
        "ContextTooLongError",
        "ConversationError",
        "EmbeddingError",
        "GuardrailError",
        "InvalidInputError",
        "InvalidTextError",
        "MemoryIsolationError",
        "MemoryStoreError",
        "ModelError",
        "SecretsError",
        "StorageError",
    ),
}
_HOMES = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [
    "build_agent", "Agent", "TurnEvent", "TurnResult",
    "CallerContext", "Message", "Usage",
    "MemoryProvider", "BrowsableMemory", "MemoryResult", "MemoryPage", "MemoryScope", "NewMemory",
    "InMemoryProvider", "ChromaProvider",
    "ContextEngine", "ContextReport",
    "SemanticCache", "CachedAnswer", "Guardrail", "PrivateDataRedactor",
    "AssistantError", "InvalidInputError", "InvalidTextError", "ConfigError", "SecretsError", "StorageError",
    "EmbeddingError", "ModelError", "ContextTooLongError", "MemoryStoreError", "MemoryIsolationError",
    "ConversationError", "GuardrailError",
    "__version__",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return importlib.import_module("assistant.core.version").VERSION
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
