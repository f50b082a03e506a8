"""Turns the errors of SQLite and of the file system into Keepsake's own."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from assistant.core.errors import (
    StorageError,
    StoreClosedError,
    StoreDamagedError,
    StoreFullError,
    StoreInUseError,
)

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}
_DAMAGED_IO = {
    apsw.SQLITE_IOERR_SHORT_READ,
    apsw.SQLITE_IOERR_CORRUPTFS,
    apsw.SQLITE_IOERR_DATA,
}


@contextmanager
def translated(path: Path, connection: apsw.Connection | None = None) -> Iterator[None]:
    """Raise what SQLite or the disk reports inside as one of Keepsake's errors.

    Args:
        path: the database, for the texts.
        connection: tells the system's own error number, where it is open already.
    """
    try:
        yield
    except apsw.ConnectionClosedError as exc:
        raise closed(path) from exc
    except apsw.Error as exc:
        raise _from_sqlite(path, exc, connection) from exc
    except (UnicodeDecodeError, OverflowError) as exc:
        # SQLite looks into no value: a text or a time that was written was valid then.
        raise damaged(path, _detail(path, exc)) from exc
    except OSError as exc:
        raise _from_system(path, exc.errno, _detail(path, exc)) from exc


def closed(path: Path) -> StoreClosedError:
    """The error for a call after close."""
    return StoreClosedError(f"{path.name} is closed.")


def damaged(path: Path, detail: str) -> StoreDamagedError:
    """The error for a file whose content is not what it should be."""
    return StoreDamagedError(
        f"The file {path.name} is damaged. It was left as it is.",
        hint="Keepsake can set it aside and go on with the last backup, or with an empty one.",
        detail=detail,
        path=path,
    )


def _from_sqlite(path: Path, exc: apsw.Error, connection: apsw.Connection | None) -> StorageError:
    detail = _detail(path, exc)
    number = connection.system_errno if connection is not None else 0
    if isinstance(exc, apsw.CorruptError | apsw.NotADBError):
        return damaged(path, detail)
    if isinstance(exc, apsw.IOError) and getattr(exc, "extendedresult", 0) in _DAMAGED_IO:
        return damaged(path, detail)
    if isinstance(exc, apsw.BusyError | apsw.LockedError):
        return StoreInUseError(
            f"{path.name} is in use by another program. Nothing was changed.",
            hint="Close the other program and try again.",
            detail=detail,
        )
    if isinstance(exc, apsw.FullError):
        return _from_system(path, errno.ENOSPC, detail)
    if isinstance(exc, apsw.ReadOnlyError | apsw.PermissionsError):
        return _from_system(path, errno.EROFS, detail)
    if isinstance(exc, apsw.CantOpenError | apsw.IOError):
        return _from_system(path, number, detail)
    return StorageError(
        f"{path.name} could not be used. What was saved before is still there.",
        hint="Try again; when it stays, start Keepsake anew.",
        detail=detail,
    )


def _from_system(path: Path, number: int | None, detail: str) -> StorageError:
    if number in _NO_SPACE:
        return StoreFullError(
            f"The disk is full, so {path.name} could not be written. What was saved before is still there.",
            title="The disk is full",
            hint="Free some space and try again.",
            detail=detail,
        )
    if number in _READ_ONLY:
        return StoreFullError(
            f"{path.name} can't be written: the file or its folder is read-only. "
            "What was saved before is still there.",
            title="The folder is read-only",
            hint=f"Allow writing in {path.parent} and try again.",
            detail=detail,
        )
    return StorageError(
        f"{path.name} could not be read or written. What was saved before is still there.",
        hint=f"Check the disk and the folder {path.parent}, then try again.",
        detail=detail,
    )


def _detail(path: Path, exc: Exception) -> str:
    return f"{path}: {type(exc).__name__}: {exc}"
