"""Layer 3: answers that can be given again.

Public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.cache.base import CacheBackend, CachedAnswer, CacheStats
    from assistant.cache.keys import context_digest
    from assistant.cache.sealing import key_of
    from assistant.cache.semantic_cache import SemanticCache

_HOMES = {
    "SemanticCache": "semantic_cache",
    "CachedAnswer": "base",
    "CacheStats": "base",
    "CacheBackend": "base",
    "context_digest": "keys",
    "key_of": "sealing",
}

__all__ = ["CacheBackend", "CacheStats", "CachedAnswer", "SemanticCache", "context_digest", "key_of"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
