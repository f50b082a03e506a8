"""The one function that opens a SQLite file."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import apsw

from assistant.core.errors import StoreDamagedError, StoreVersionError
from assistant.storage.failures import damaged, translated
from assistant.storage.repair import backup_path, copy_online
from assistant.storage.rows import row

BUSY_TIMEOUT_MS = 5_000

_SAFETY = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
PRAGMA temp_store = MEMORY;
PRAGMA trusted_schema = OFF;
PRAGMA cell_size_check = ON;
"""


@dataclass(frozen=True, slots=True)
class Migration:
    """One step of a schema.

    Attributes:
        number: the version that it leads to: 1, 2, 3 …
        apply: SQL, or a function that gets the connection; runs inside a transaction.
    """

    number: int
    apply: str | Callable[[apsw.Connection], None]


@dataclass(frozen=True, slots=True)
class Schema:
    """What kind of file it is.

    Attributes:
        application_id: 1..2**31-1, kept in the file's header; another program's file is not taken for ours.
        migrations: all steps from an empty file, numbered from 1 without gaps.
    """

    application_id: int
    migrations: tuple[Migration, ...]

    def __post_init__(self) -> None:
        if [step.number for step in self.migrations] != list(range(1, len(self.migrations) + 1)):
            raise ValueError("migrations are numbered from 1 without gaps")

    @property
    def version(self) -> int:
        return len(self.migrations)


def open_connection(
    path: Path, schema: Schema, *, check: bool = False, busy_timeout_ms: int = BUSY_TIMEOUT_MS
) -> apsw.Connection:
    """Open (or make) the database at `path` and bring it to the newest version of `schema`. Blocks.

    WAL, synchronous FULL, deleted content overwritten, foreign keys on. An existing file is copied to
    NAME.backup-vN (N: the version that the copy holds) before each migration.

    Args:
        check: look through the whole file for damage first; takes about a second per 500 MB.
        busy_timeout_ms: how long to wait for a lock of another program.

    Raises:
        StoreVersionError: written by a newer version; untouched.
        StoreDamagedError: damaged, or no file of this kind; untouched.
        StoreInUseError: locked by another program.
        StoreFullError: no space, or read-only.
    """
    with translated(path):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # SQLite would make the file readable for everybody.
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        connection = apsw.Connection(str(path))
    try:
        with translated(path, connection):
            connection.set_busy_timeout(busy_timeout_ms)
            version = _checked_version(connection, path, schema)
            if check and (faults := quick_check(connection)):
                raise damaged(path, f"{path}: {'; '.join(faults)}")
            connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
            run_script(connection, _SAFETY)
            _migrate(connection, path, schema, version)
            # Only now: a migration may have to rebuild a table that others refer to.
            connection.pragma("foreign_keys", 1)
    except BaseException:
        connection.close(True)
        raise
    return connection


def run_script(connection: apsw.Connection, sql: str) -> None:
    """Execute all statements of `sql`. Without reading its rows a script would stop at the first that has some."""
    for _ in connection.execute(sql):
        pass


def quick_check(connection: apsw.Connection) -> Sequence[str]:
    """What SQLite finds wrong with the file, at most ten findings; none for a sound file."""
    findings = [str(row[0]) for row in connection.execute("PRAGMA quick_check(10)")]
    return [] if findings == ["ok"] else findings


def pragma_number(connection: apsw.Connection, name: str) -> int:
    """The value of a numeric pragma."""
    return int(connection.pragma(name))


def _checked_version(connection: apsw.Connection, path: Path, schema: Schema) -> int:
    application = pragma_number(connection, "application_id")
    version = pragma_number(connection, "user_version")
    is_empty = (
        not application and not version and row(connection, "SELECT 1 FROM sqlite_schema LIMIT 1") is None
    )
    if application != schema.application_id and not is_empty:
        raise StoreDamagedError(
            f"The file {path.name} is not what Keepsake expects there. It was left as it is.",
            hint="Move it away, or set it aside in Keepsake.",
            detail=f"{path}: application id {application}, expected {schema.application_id}",
        )
    if version > schema.version:
        raise StoreVersionError(
            f"{path.name} was written by a newer version of Keepsake. It was left as it is.",
            hint="Install the newer version to open it.",
            detail=f"{path}: version {version}, known up to {schema.version}",
        )
    return version


def _migrate(connection: apsw.Connection, path: Path, schema: Schema, version: int) -> None:
    for step in schema.migrations[version:]:
        if version:
            copy_online(connection, backup_path(path, step.number - 1))
        connection.execute("BEGIN IMMEDIATE")
        try:
            if pragma_number(connection, "user_version") == step.number - 1:
                if callable(step.apply):
                    step.apply(connection)
                else:
                    run_script(connection, step.apply)
                if broken := row(connection, "PRAGMA foreign_key_check"):
                    raise damaged(path, f"{path}: migration {step.number}: row {broken[1]} of {broken[0]}")
                connection.pragma("application_id", schema.application_id)
                connection.pragma("user_version", step.number)
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise
