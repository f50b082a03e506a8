"""The ledger: long-term memory as a record in SQLite over an index of vectors."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.ledger.entry import Entry, MemoryVersion
    from assistant.memory.ledger.indexer import IndexProgress
    from assistant.memory.ledger.ledger import MemoryLedger
    from assistant.memory.ledger.opening import open_memory
    from assistant.memory.ledger.vector_index import VectorIndex

_HOMES = {
    "Entry": "entry",
    "IndexProgress": "indexer",
    "MemoryLedger": "ledger",
    "MemoryVersion": "entry",
    "VectorIndex": "vector_index",
    "open_memory": "opening",
}

__all__ = ["Entry", "IndexProgress", "MemoryLedger", "MemoryVersion", "VectorIndex", "open_memory"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
