"""Layer 4, the context: what fits into a model's window, and what gives way when not all does.

Importing this package loads no tokenizer; an encoding is loaded at the first exact count.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.context.engine import ContextEngine
    from assistant.context.layers import DEFAULT_LAYERS, LayerItems, Trim
    from assistant.context.reports import Assembly, ContextReport, LayerReport
    from assistant.context.windows import ModelWindow, known_window
    from assistant.core.errors import ContextTooLongError

_HOMES = {
    "ContextEngine": "assistant.context.engine",
    "DEFAULT_LAYERS": "assistant.context.layers",
    "LayerItems": "assistant.context.layers",
    "Trim": "assistant.context.layers",
    "Assembly": "assistant.context.reports",
    "ContextReport": "assistant.context.reports",
    "LayerReport": "assistant.context.reports",
    "ModelWindow": "assistant.context.windows",
    "known_window": "assistant.context.windows",
    "ContextTooLongError": "assistant.core.errors",
}

__all__ = [
    "ContextEngine", "Assembly", "ContextReport", "LayerReport",
    "DEFAULT_LAYERS", "LayerItems", "Trim",
    "ModelWindow", "known_window",
    "ContextTooLongError",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(home), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
