"""Locks of the operating system: released by it when the holder ends, however it ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

from assistant.core.errors import StoreFullError, StoreInUseError

_LOCK_NAME = ".lock"


class FileLock:
    """An exclusive lock, against other processes and other holders in this one.

    The file stays when the lock is released: removing it would let two holders lock two files of one name.

    Args:
        path: the lock's own file; made when missing.
        subject: what is locked, for the error text ("This profile").
    """

    def __init__(self, path: Path, subject: str) -> None:
        self._path = path
        self._subject = subject
        self._descriptor: int | None = None

    @property
    def held(self) -> bool:
        return self._descriptor is not None

    def acquire(self) -> None:
        """Take the lock at once or not at all.

        Raises:
            StoreInUseError: somebody has it.
            StoreFullError: the file can't be made.
        """
        if self.held:
            raise self._in_use()
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as exc:
            raise StoreFullError(
                f"{self._subject} can't be locked, so it was not opened.",
                hint="Check that the disk has space and that the folder can be written.",
                detail=f"{type(exc).__name__}: {exc}",
            ) from exc
        try:
            _lock(descriptor)
        except OSError:
            os.close(descriptor)
            raise self._in_use() from None
        self._descriptor = descriptor

    def release(self) -> None:
        """Give the lock back. Safe to call twice."""
        if self._descriptor is not None:
            # Closing alone is not enough while a child process that is just starting still has a copy.
            _unlock(self._descriptor)
            os.close(self._descriptor)
            self._descriptor = None

    def __enter__(self) -> Self:
        self.acquire()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _in_use(self) -> StoreInUseError:
        return StoreInUseError(
            f"{self._subject} is open already, here or in another window of Keepsake. Nothing was changed.",
            hint="Close it there first.",
        )


class DirectoryLock(FileLock):
    """Locks a folder, by the file `.lock` in it."""

    def __init__(self, path: Path, subject: str = "This profile") -> None:
        super().__init__(path / _LOCK_NAME, subject)


if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

    def _unlock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(descriptor: int) -> None:
        # flock and not lockf: it excludes a second holder in this process too.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _unlock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
