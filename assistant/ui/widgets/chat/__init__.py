"""The chat's centre: the conversation and the composer. Pure widgets: they know no service and load nothing."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.ui.widgets.chat.composer import Composer
    from assistant.ui.widgets.chat.conversation_view import ConversationView

__all__ = ["Composer", "ConversationView"]

_HOMES = {"Composer": "composer", "ConversationView": "conversation_view"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
