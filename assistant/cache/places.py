"""The backend that an option names."""

from __future__ import annotations

from pathlib import Path

from assistant.cache.base import CacheBackend
from assistant.cache.options import checked_backend_name

FILE_NAME = "answers.db"


def backend_of(backend: str | CacheBackend, *, path: Path | str | None, redis_url: str) -> CacheBackend:
    """A new backend of that name, or the one that is given.

    Raises:
        InvalidInputError: there is none of that name.
    """
    if not isinstance(backend, str):
        return backend
    checked_backend_name(backend)
    if backend == "memory":
        from assistant.cache.in_process import InProcessBackend

        return InProcessBackend()
    if backend == "redis":
        from assistant.cache.redis_backend import RedisBackend

        return RedisBackend(redis_url)
    from assistant.cache.sqlite_backend import SqliteBackend

    return SqliteBackend(_default_file() if path is None else Path(path))


def _default_file() -> Path:
    from assistant.config.paths import AppPaths

    return AppPaths.for_user().profile() / FILE_NAME
