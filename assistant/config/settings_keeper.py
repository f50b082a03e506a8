"""The settings in force."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from assistant.config.settings import Settings
from assistant.config.settings_store import SettingsStore


class SettingsKeeper:
    """Holds the settings and saves each change at once.

    Args:
        store: where they are kept.
        settings: as loaded.
    """

    def __init__(self, store: SettingsStore, settings: Settings) -> None:
        self._store = store
        self._settings = settings
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Have `listener` called after each change."""
        self._listeners.append(listener)

    @property
    def current(self) -> Settings:
        return self._settings

    def change(self, **fields: Any) -> Settings:
        """Save with these fields replaced and return the new settings.

        Raises:
            InvalidInputError: a value that the setting can't take.
            StorageError, ConfigError: it could not be saved; nothing was changed.
        """
        changed = replace(self._settings, **fields)
        if changed != self._settings:
            self._store.save(changed)
            self._settings = changed
            for listener in self._listeners:
                listener()
        return changed
