"""Where Keepsake keeps its files, and where it finds those that come with it."""

from __future__ import annotations

import errno
import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from assistant.core.errors import ConfigError, InvalidInputError, StoreFullError

HOME_VARIABLE = "KEEPSAKE_HOME"
"""Names a folder that takes all of Keepsake's files, instead of the system's usual places."""

_APP_NAME = "Keepsake"
_PROFILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PROBE_BYTES = 4096
_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


@dataclass(frozen=True, slots=True)
class AppPaths:
    """The four folders of one user.

    Attributes:
        data: profiles with conversations and memories.
        config: settings; never keys.
        cache: what can be made again (the exported embedding model).
        logs: log files.
    """

    data: Path
    config: Path
    cache: Path
    logs: Path

    @classmethod
    def for_user(cls) -> AppPaths:
        """The system's usual places, or below the folder that KEEPSAKE_HOME names."""
        home = os.environ.get(HOME_VARIABLE, "").strip()
        if home:
            return cls.below(Path(home).expanduser().absolute())
        from platformdirs import PlatformDirs

        places = PlatformDirs(_APP_NAME, appauthor=False)
        return cls(
            data=Path(places.user_data_dir),
            config=Path(places.user_config_dir),
            cache=Path(places.user_cache_dir),
            logs=Path(places.user_log_dir),
        )

    @classmethod
    def below(cls, folder: Path) -> AppPaths:
        """All four as data, config, cache and logs in `folder`."""
        return cls(folder / "data", folder / "config", folder / "cache", folder / "logs")

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.json"

    def profile(self, name: str = "default") -> Path:
        """The folder of a profile: data/profiles/NAME.

        Raises:
            InvalidInputError: the name holds anything but letters, digits, "-" and "_", or is too long.
        """
        if not _PROFILE_NAME.fullmatch(name):
            raise InvalidInputError(
                f"{name!r} can't be the name of a profile.", hint="Use letters, digits, - and _, at most 64."
            )
        return self.data / "profiles" / name

    def ensure(self) -> None:
        """Make the folders, for this user alone, and try that each can be written.

        Raises:
            StoreFullError: a folder is read-only, or its disk is full.
        """
        for folder in (self.data, self.config, self.cache, self.logs):
            ensure_folder(folder)


def ensure_folder(folder: Path) -> None:
    """Make `folder` with mode 0700 where it is missing, and write and remove a small file in it.

    Raises:
        StoreFullError: it can't be made or written.
    """
    probe = folder / f".probe-{os.getpid()}"
    try:
        is_new = _make_private(folder)
        descriptor = os.open(probe, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            with open(descriptor, "wb") as file:
                file.write(b"\0" * _PROBE_BYTES)
                file.flush()
                if is_new:
                    # Some file systems (network, quota) only say at the flush to disk that there is no space. Later
                    # starts leave that to the first thing they save: four flushes would show before the window.
                    os.fsync(descriptor)
        finally:
            probe.unlink(missing_ok=True)
    except OSError as exc:
        raise _cannot_write(folder, exc) from exc


def _make_private(folder: Path) -> bool:
    """Make `folder` and what is missing above it; whether it was missing."""
    missing = []
    place = folder
    while not place.exists():
        missing.append(place)
        place = place.parent
    for place in reversed(missing):
        place.mkdir(mode=0o700, exist_ok=True)
    if not folder.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
    return bool(missing)


def _cannot_write(folder: Path, exc: OSError) -> StoreFullError:
    detail = f"{type(exc).__name__}: {exc}"
    if exc.errno in _NO_SPACE:
        return StoreFullError(
            f"There is no space left for Keepsake's files in {folder}. Nothing was changed.",
            title="The disk is full",
            hint="Free some space and start Keepsake again.",
            detail=detail,
        )
    return StoreFullError(
        f"Keepsake can't write to its folder {folder}. Nothing was changed.",
        title="The folder is read-only",
        hint=f"Allow writing there, or set {HOME_VARIABLE} to another folder, and start Keepsake again.",
        detail=detail,
    )


def resource(name: str) -> Path:
    """The path of a file or folder that comes with Keepsake.

    Args:
        name: relative to the resources folder, with forward slashes ("icons/keepsake.svg").

    Raises:
        InvalidInputError: the name leaves the resources folder.
        ConfigError: there is no such resource; the installation is incomplete.
    """
    relative = PurePosixPath(name)
    if not name or relative.is_absolute() or ".." in relative.parts or "\\" in name or ":" in name:
        raise InvalidInputError(f"{name!r} is not the name of a resource.")
    for root in _resource_roots():
        path = root.joinpath(*relative.parts)
        if path.exists():
            return path
    raise ConfigError(
        f"A file that comes with Keepsake is missing: {name}.",
        title="The installation is incomplete",
        hint="Install Keepsake again; your conversations and memories are kept.",
    )


def _resource_roots() -> tuple[Path, ...]:
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        return (Path(bundle) / "resources",)
    package = Path(__file__).resolve().parent.parent
    # In an installed copy the folder beside `assistant` is site-packages, which is not ours to look into.
    installed = package / "resources"
    return (installed,) if installed.is_dir() else (package.parent / "resources",)
