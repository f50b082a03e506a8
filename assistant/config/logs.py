"""The log file. Keys are masked in it, and what people write is never put into it."""

from __future__ import annotations

import io
import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

from assistant.core.errors import StoreFullError
from assistant.core.redact import Redactor, redact

__all__ = ["LogFile", "Redactor", "redact", "setup_logs"]

LOG_NAME = "keepsake.log"
_MAX_BYTES = 1_000_000
_OLDER_FILES = 2
_OWN = "assistant"


class RedactingFormatter(logging.Formatter):
    """Masks keys in the finished line, so that arguments, exceptions and tracebacks are covered alike."""

    def __init__(self, redactor: Redactor) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s [%(threadName)s]: %(message)s")
        self._redactor = redactor

    def format(self, record: logging.LogRecord) -> str:
        return self._redactor.redact(super().format(record))


class LogFile:
    """The running log.

    Attributes:
        path: the newest file; older ones are keepsake.log.1 and .2.
        redactor: register keys here.
    """

    def __init__(self, path: Path, redactor: Redactor, handler: logging.Handler, level_before: int) -> None:
        self.path = path
        self.redactor = redactor
        self._handler = handler
        self._level_before = level_before

    def close(self) -> None:
        """End logging to the file. Safe to call twice."""
        root = logging.getLogger()
        if self._handler in root.handlers:
            root.removeHandler(self._handler)
            logging.getLogger(_OWN).setLevel(self._level_before)
        self._handler.close()


def setup_logs(folder: Path, level: int | str = logging.INFO, *, redactor: Redactor | None = None) -> LogFile:
    """Log to `folder`/keepsake.log: three files of 1 MB at most, readable for this user alone.

    Keepsake's own messages are kept from `level` on. Those of other libraries only as warnings: some write
    whole requests into their lower levels.

    Raises:
        StoreFullError: the file can't be written.
        ValueError: an unknown level.
    """
    masks = redactor or Redactor()
    path = folder / LOG_NAME
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        handler = _PrivateFile(path)
    except OSError as exc:
        raise StoreFullError(
            f"The log file in {folder} can't be written.",
            hint="Check that the disk has space and that the folder can be written.",
            detail=f"{type(exc).__name__}: {exc}",
        ) from exc
    handler.setFormatter(RedactingFormatter(masks))
    handler.addFilter(_worth_keeping)
    own = logging.getLogger(_OWN)
    level_before = own.level
    try:
        own.setLevel(level)
    except ValueError:
        handler.close()
        raise
    logging.getLogger().addHandler(handler)
    return LogFile(path, masks, handler, level_before)


class _PrivateFile(RotatingFileHandler):
    def __init__(self, path: Path) -> None:
        super().__init__(
            path, maxBytes=_MAX_BYTES, backupCount=_OLDER_FILES, encoding="utf-8", errors="replace"
        )

    def _open(self) -> io.TextIOWrapper:
        def opener(name: str, flags: int) -> int:
            return os.open(name, flags, 0o600)

        raw = open(self.baseFilename, "ab", opener=opener)  # noqa: SIM115 - the handler owns and closes it
        return io.TextIOWrapper(raw, encoding=self.encoding, errors=self.errors, line_buffering=True)

    def handleError(self, record: logging.LogRecord) -> None:
        """A log that can't be written (full disk) must not disturb what is logged."""


def _worth_keeping(record: logging.LogRecord) -> bool:
    own = record.name == _OWN or record.name.startswith(f"{_OWN}.")
    return own or record.levelno >= logging.WARNING
