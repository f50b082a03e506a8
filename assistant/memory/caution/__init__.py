"""What must always be asked about: statements that are nobody else's business, and texts that give orders."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.memory.caution.base import Caution, Reason
    from assistant.memory.caution.judging import cautions

_HOMES = {
    "Caution": "assistant.memory.caution.base",
    "Reason": "assistant.memory.caution.base",
    "cautions": "assistant.memory.caution.judging",
}

__all__ = ["Caution", "Reason", "cautions"]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
