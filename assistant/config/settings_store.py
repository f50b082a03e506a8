"""Reads and writes the settings file."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assistant.config.settings import Settings, checked, setting_names
from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import ConfigError, InvalidInputError, SettingsVersionError, StoreFullError
from assistant.core.redact import Redactor, has_key_shape, redact

_LARGEST_FILE = 4_000_000
_VERSION_FIELD = "version"

Raw = dict[str, Any]


@dataclass(frozen=True, slots=True)
class SettingsMigration:
    """One step of the file's format.

    Attributes:
        number: the version that it leads to; the first format is 1.
        apply: takes the fields of the version before and returns those of this one.
    """

    number: int
    apply: Callable[[Raw], Raw]


SETTINGS_MIGRATIONS: tuple[SettingsMigration, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """What was read.

    Attributes:
        settings: valid in any case.
        notice: what the user should know (a damaged file set aside, a value replaced), None when all is well.
    """

    settings: Settings
    notice: str | None = None


class SettingsStore:
    """The settings file.

    Args:
        path: the file; it need not exist.
        redactor: knows the keys in use; none of them is ever written.
        migrations: numbered from 2, without gaps.
    """

    def __init__(
        self,
        path: Path,
        *,
        redactor: Redactor | None = None,
        clock: Clock | None = None,
        migrations: Sequence[SettingsMigration] = SETTINGS_MIGRATIONS,
    ) -> None:
        self._path = path
        self._redactor = redactor or Redactor()
        self._clock = clock or SystemClock()
        self._migrations = tuple(migrations)

    @property
    def path(self) -> Path:
        return self._path

    @property
    def version(self) -> int:
        """The format that this program writes."""
        return 1 + len(self._migrations)

    def load(self) -> LoadedSettings:
        """Read the file; a missing one gives the defaults.

        A damaged file is renamed to settings.damaged-TIME.json, a value that can't be used becomes its
        default; both are said in the notice.

        Raises:
            SettingsVersionError: the file is of a newer version; it is left untouched.
            ConfigError: the file can't be read.
        """
        raw, notice = self._read()
        values: Raw = {}
        replaced: list[str] = []
        for name in setting_names():
            if name in raw:
                try:
                    values[name] = checked(name, raw[name])
                except InvalidInputError:
                    replaced.append(name)
        if replaced:
            names = ", ".join(replaced)
            notice = f"These settings could not be used and are back at their standard values: {names}."
        elif any(self._hides_key(name, value) for name, value in raw.items() if name not in setting_names()):
            notice = (
                "The settings file holds a key or a password. It is not used and goes at the next change; "
                "enter it in Settings, which puts it into the computer's key store."
            )
        return LoadedSettings(Settings(**values), notice)

    def save(self, settings: Settings) -> None:
        """Write `settings` in one step: after a crash there is the old file or the new one.

        Fields that this version does not know are kept.

        Raises:
            SettingsVersionError: the file is of a newer version; it is left untouched.
            ConfigError: a setting holds one of the keys in use, or the file can't be read.
            StoreFullError: there is no space, or the folder is read-only.
        """
        values: Raw = {_VERSION_FIELD: self.version, **asdict(settings)}
        for name, value in values.items():
            if self._hides_key(name, value):
                raise ConfigError(
                    f"The setting {name} holds a key, and the settings file must not. Nothing was saved.",
                    hint="Take the key out; it has its own field.",
                )
        raw, _ = self._read()
        for name, value in raw.items():
            if name not in values and not self._hides_key(name, value):
                values[name] = value
        self._write(json.dumps(values, indent=2, ensure_ascii=True) + "\n", self._path)

    def _read(self) -> tuple[Raw, str | None]:
        try:
            if self._path.stat().st_size > _LARGEST_FILE:
                return {}, self._set_aside()
            content = self._path.read_bytes()
        except FileNotFoundError:
            return {}, None
        except OSError as exc:
            raise self._unreadable(exc) from exc
        try:
            raw = json.loads(content.decode("utf-8-sig"))
            version = raw[_VERSION_FIELD]
        except (ValueError, KeyError, TypeError, IndexError, RecursionError):
            return {}, self._set_aside()
        if type(version) is not int or version < 1 or not isinstance(raw, dict):
            return {}, self._set_aside()
        if version > self.version:
            raise SettingsVersionError(
                "The settings were written by a newer version of Keepsake. They were left as they are.",
                hint="Start the newer version, or move the settings file away to begin anew.",
                detail=f"{self._path}: version {version}, known up to {self.version}",
            )
        return self._migrated(raw, version, content), None

    def _migrated(self, raw: Raw, version: int, content: bytes) -> Raw:
        if version < self.version:
            copy = self._path.with_name(f"{self._path.stem}.backup-v{version}{self._path.suffix}")
            self._write(content.decode("utf-8-sig"), copy)
            for step in self._migrations[version - 1 :]:
                raw = step.apply(dict(raw))
            raw[_VERSION_FIELD] = self.version
        return raw

    def _set_aside(self) -> str:
        stamp = self._clock.now().strftime("%Y%m%d-%H%M%S")
        target = self._path.with_name(f"{self._path.stem}.damaged-{stamp}{self._path.suffix}")
        count = 1
        while target.exists():
            count += 1
            target = target.with_name(f"{self._path.stem}.damaged-{stamp}-{count}{self._path.suffix}")
        try:
            self._path.rename(target)
        except OSError as exc:
            raise self._unreadable(exc) from exc
        return (
            "The settings file was damaged, so Keepsake starts with standard settings. Conversations and "
            f"memories are not affected. The damaged file was kept as {target.name}."
        )

    def _hides_key(self, name: str, value: object) -> bool:
        """Whether the field would carry a key: one in use, one of a known shape, or under a key's name."""
        text = value if isinstance(value, str) else json.dumps(value)
        if self._redactor.knows(text) or has_key_shape(text):
            return True
        return name not in setting_names() and (line := f"{name}={text}") != redact(line)

    def _write(self, text: str, target: Path) -> None:
        import tempfile

        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            # mkstemp makes the file readable for this user alone.
            descriptor, name = tempfile.mkstemp(prefix=f".{target.stem}-", suffix=".tmp", dir=target.parent)
            try:
                with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(name, target)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            _flush_folder(target.parent)
        except OSError as exc:
            raise StoreFullError(
                "The settings could not be saved; those from before are still there.",
                hint="Check that the disk has space and that the folder can be written.",
                detail=f"{type(exc).__name__}: {exc}",
            ) from exc

    def _unreadable(self, exc: OSError) -> ConfigError:
        return ConfigError(
            "The settings file can't be read. It was left as it is.",
            hint=f"Check who may read {self._path}.",
            detail=f"{type(exc).__name__}: {exc}",
        )


def _flush_folder(folder: Path) -> None:
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
