"""Layer 2, long-term memory: providers, and how memories are put into a prompt.

Importing this package loads no heavy package; Chroma is imported when a ChromaProvider is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.core.errors import MemoryIsolationError, MemoryStoreError
    from assistant.memory.base import (
        BrowsableMemory,
        MemoryPage,
        MemoryProvider,
        MemoryResult,
        MemoryScope,
        MemorySort,
        NewMemory,
    )
    from assistant.memory.chroma_provider import ChromaProvider
    from assistant.memory.in_memory import InMemoryProvider
    from assistant.memory.injection import Injection, inject
    from assistant.memory.ledger.ledger import MemoryLedger
    from assistant.memory.ledger.opening import open_memory
    from assistant.memory.mem0_provider import Mem0Provider
    from assistant.memory.recall.result import Recall, RecalledMemory, Why
    from assistant.memory.remember import remember_wish

_HOMES = {
    "MemoryIsolationError": "assistant.core.errors",
    "MemoryStoreError": "assistant.core.errors",
    "BrowsableMemory": "assistant.memory.base",
    "MemoryPage": "assistant.memory.base",
    "MemoryProvider": "assistant.memory.base",
    "MemoryResult": "assistant.memory.base",
    "MemoryScope": "assistant.memory.base",
    "MemorySort": "assistant.memory.base",
    "NewMemory": "assistant.memory.base",
    "ChromaProvider": "assistant.memory.chroma_provider",
    "InMemoryProvider": "assistant.memory.in_memory",
    "Injection": "assistant.memory.injection",
    "inject": "assistant.memory.injection",
    "MemoryLedger": "assistant.memory.ledger.ledger",
    "open_memory": "assistant.memory.ledger.opening",
    "Mem0Provider": "assistant.memory.mem0_provider",
    "Recall": "assistant.memory.recall.result",
    "RecalledMemory": "assistant.memory.recall.result",
    "Why": "assistant.memory.recall.result",
    "remember_wish": "assistant.memory.remember",
}

__all__ = [
    "MemoryProvider", "BrowsableMemory", "MemoryResult", "MemoryPage", "MemoryScope", "MemorySort",
    "NewMemory",    "InMemoryProvider", "ChromaProvider", "Mem0Provider",
    "MemoryLedger", "open_memory", "Recall", "RecalledMemory", "Why",
    "MemoryStoreError", "MemoryIsolationError",
    "Injection", "inject", "remember_wish",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
