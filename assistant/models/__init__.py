"""Chat models: where they answer, how their replies are read, and the model on the user's own computer.

Each public name is imported when it is first used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.models.base import (
        ChatModel,
        ChatOptions,
        Finished,
        Locality,
        ModelEvent,
        ModelInfo,
        ReasoningDelta,
        TextDelta,
    )
    from assistant.models.choice import ModelChoice
    from assistant.models.endpoint import Endpoint
    from assistant.models.local_model import LocalChatModel
    from assistant.models.local_model_server import LocalModelServer
    from assistant.models.network import NetworkGuard, NetworkRecord
    from assistant.models.openai_chat import OpenAIChatModel
    from assistant.models.presets import PRESETS, EndpointPreset, preset
    from assistant.models.probe import (
        ConnectionReport,
        FoundServer,
        context_window,
        find_local_servers,
        list_models,
        test_connection,
    )
    from assistant.models.resolve import open_model
    from assistant.models.scripted import ScriptedCall, ScriptedModel
    from assistant.models.trial_model import trial_model_path

_NAMES = {
    "base": (
        "ChatModel", "ChatOptions", "Finished", "Locality", "ModelEvent", "ModelInfo", "ReasoningDelta", "TextDelta",
    ),
    "choice": ("ModelChoice",),
    "endpoint": ("Endpoint",),
    "local_model": ("LocalChatModel",),
    "local_model_server": ("LocalModelServer",),
    "network": ("NetworkGuard", "NetworkRecord"),
    "openai_chat": ("OpenAIChatModel",),
    "presets": ("PRESETS", "EndpointPreset", "preset"),
    "probe": (
        "ConnectionReport", "FoundServer", "context_window", "find_local_servers", "list_models", "test_connection",
    ),
    "resolve": ("open_model",),
    "scripted": ("ScriptedCall", "ScriptedModel"),
    "trial_model": ("trial_model_path",),
}  # fmt: skip
_HOMES = {name: home for home, names in _NAMES.items() for name in names}

__all__ = [
    "ChatModel", "ChatOptions", "ModelEvent", "TextDelta", "ReasoningDelta", "Finished", "ModelInfo", "Locality",
    "Endpoint", "EndpointPreset", "ModelChoice", "PRESETS", "preset",
    "OpenAIChatModel", "LocalChatModel", "LocalModelServer", "trial_model_path", "open_model",
    "ScriptedModel", "ScriptedCall",
    "list_models", "test_connection", "find_local_servers", "context_window", "ConnectionReport", "FoundServer",
    "NetworkGuard", "NetworkRecord",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
