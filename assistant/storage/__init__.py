"""SQLite files: opening, migrations, backup, integrity; locks; the byte scan that proves erasure.

Public names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.storage.database import Database
    from assistant.storage.lock import DirectoryLock, FileLock
    from assistant.storage.opening import Migration, Schema, open_connection
    from assistant.storage.profile import PendingDeletion, ProfileRecord
    from assistant.storage.repair import SetAside, backups_of, restore_backup, set_aside
    from assistant.storage.scan import Hit, find_bytes, fragments

_HOMES = {
    "Database": "database",
    "DirectoryLock": "lock",
    "FileLock": "lock",
    "Migration": "opening",
    "Schema": "opening",
    "open_connection": "opening",
    "PendingDeletion": "profile",
    "ProfileRecord": "profile",
    "SetAside": "repair",
    "backups_of": "repair",
    "restore_backup": "repair",
    "set_aside": "repair",
    "Hit": "scan",
    "find_bytes": "scan",
    "fragments": "scan",
}

__all__ = [
    "Database",
    "DirectoryLock",
    "FileLock",
    "Hit",
    "Migration",
    "PendingDeletion",
    "ProfileRecord",
    "Schema",
    "SetAside",
    "backups_of",
    "find_bytes",
    "fragments",
    "open_connection",
    "restore_backup",
    "set_aside",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
