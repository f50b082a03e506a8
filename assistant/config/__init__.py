"""Paths, settings, API keys and logs.

Public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.config.logs import LogFile, setup_logs
    from assistant.config.paths import AppPaths, resource
    from assistant.config.secrets import KeyringSecrets, Secrets, SecretStore, SessionSecrets, open_secrets
    from assistant.config.settings import Settings
    from assistant.config.settings_store import LoadedSettings, SettingsStore

_HOMES = {
    "AppPaths": "paths",
    "resource": "paths",
    "Settings": "settings",
    "LoadedSettings": "settings_store",
    "SettingsStore": "settings_store",
    "KeyringSecrets": "secrets",
    "Secrets": "secrets",
    "SecretStore": "secrets",
    "SessionSecrets": "secrets",
    "open_secrets": "secrets",
    "LogFile": "logs",
    "setup_logs": "logs",
}

__all__ = [
    "AppPaths",
    "resource",
    "Settings",
    "LoadedSettings",
    "SettingsStore",
    "KeyringSecrets",
    "Secrets",
    "SecretStore",
    "SessionSecrets",
    "open_secrets",
    "LogFile",
    "setup_logs",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
