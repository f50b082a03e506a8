"""How a new statement relates to what is known: a repetition, a new value, something else, or a question."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.consolidation.consolidator import Consolidator
    from assistant.memory.consolidation.reading import Reading, read
    from assistant.memory.consolidation.relation import Relation, related

__all__ = ["Consolidator", "Reading", "Relation", "read", "related"]

_PLACES = {"Consolidator": "consolidator", "Reading": "reading", "read": "reading", "Relation": "relation"}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    module = import_module(f"{__name__}.{_PLACES.get(name, 'relation')}")
    return getattr(module, name)
