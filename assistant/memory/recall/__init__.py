"""Recall: which memories fit a query, why, and how many of them fit into a prompt.

`words` and `times` read texts, `shelf` holds an owner's memories as arrays, `ranking` scores them, `selection` picks
what is injected. Nothing here touches a disk.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.recall.result import Recall, RecalledMemory, Why

_HOMES = {"Recall": "result", "RecalledMemory": "result", "Why": "result"}

__all__ = ["Recall", "RecalledMemory", "Why"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
