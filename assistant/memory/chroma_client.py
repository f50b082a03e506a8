"""Opening Chroma, and turning what it raises into Keepsake's errors. Runs on worker threads only.

Chroma never gets an embedding function here, so that it has no reason to download one; its telemetry is off.
"""

from __future__ import annotations

import secrets
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from assistant.core.errors import (
    AssistantError,
    InvalidInputError,
    MemoryStoreError,
    StoreDamagedError,
    StoreFullError,
    StoreVersionError,
)
from assistant.memory.chroma_files import check_after_opening, check_before_opening

if TYPE_CHECKING:
    import httpx
    from chromadb.api import ClientAPI
    from chromadb.auth import UserIdentity
    from chromadb.config import Settings

SERVER_TIMEOUT = 30.0
"""Seconds until a Chroma server that says nothing counts as gone."""

# Chroma keeps its open stores in a table of the process that it changes without a lock.
_REGISTRY = threading.Lock()

_INDEX_LOCK = ".index-lock"
_KEPT = "Nothing was removed."
_DAMAGE = (
    "file is not a database",
    "malformed",
    "hnsw",
    "error finding id",
    "no such table",
    "no such column",
    "corrupt",
)
_FULL = (
    "readonly database",
    "read-only",
    "disk is full",
    "disk i/o error",
    "no space left",
    "permission denied",
    # All that Chroma says when SQLite could not write the texts that its log has already.
    "apply logs to the metadata segment",
)
_NEWER = ("migration", "invalid hash")


@dataclass(frozen=True, slots=True)
class ChromaPlace:
    """Where a Chroma store is: in a directory, at a server, or (with neither) in this process's memory.

    Attributes:
        directory: of a store on this computer.
        host, port: of a Chroma server.
        headers: sent with each request (a token); never logged.
        ssl: https instead of http.
        locked: the caller holds the directory's lock, for more than Chroma's files; those get one of their own, so
            that a killed program's Chroma process has ended before another one begins.
    """

    directory: Path | None = None
    host: str | None = None
    port: int = 8000
    headers: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), repr=False)
    ssl: bool = False
    locked: bool = False

    def __post_init__(self) -> None:
        if self.directory is not None and self.host is not None:
            raise InvalidInputError("A Chroma store is in a directory or at a server, not both.")
        if not 0 < self.port < 65536:
            raise InvalidInputError(f"A port is between 1 and 65535; got {self.port}.")

    @property
    def exclusive(self) -> bool:
        """Whether nobody else writes here, so that what was read once can be kept."""
        return self.host is None


@dataclass(frozen=True, slots=True)
class OpenChroma:
    """An open client.

    Attributes:
        client: what Chroma gave.
        release: gives back what else the place needs.
        prefix: of the names of this client's collections.
    """

    client: ClientAPI
    release: Callable[[], None] = lambda: None
    prefix: str = ""

    def close(self) -> None:
        """Close the client; a store in this process's memory is emptied."""
        try:
            with _REGISTRY:
                if self.prefix:
                    for collection in self.client.list_collections():
                        if collection.name.startswith(self.prefix):
                            self.client.delete_collection(collection.name)
                close: Callable[[], None] = getattr(self.client, "close")  # noqa: B009  # not in its interface
                close()
        finally:
            self.release()


def open_chroma(place: ChromaPlace) -> OpenChroma:
    """Open the store at `place`; its directory is made when missing and locked while it is open.

    Raises:
        StoreInUseError: another process (or another provider) has the directory open.
        StoreDamagedError: the directory is not what Chroma wrote. Nothing is removed.
        StoreVersionError: a newer Chroma wrote it.
        StoreFullError: the directory can't be made or written.
        MemoryStoreError: the server can't be reached, or anything else.
    """
    if place.host is not None:
        return _open_server(place, place.host)
    if place.directory is not None:
        return _open_directory(place.directory, locked=place.locked)
    return _open_ephemeral()


def _settings(**values: Any) -> Settings:
    from chromadb.config import Settings

    # Chroma would read a .env file in whatever folder the process was started from.
    return Settings(_env_file=None, anonymized_telemetry=False, **values)  # type: ignore[call-arg]


def _open_directory(directory: Path, *, locked: bool) -> OpenChroma:
    from assistant.storage.lock import DirectoryLock, FileLock

    with translated("The memory's folder could not be opened."):
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    subject = "This memory"
    lock = FileLock(directory / _INDEX_LOCK, subject) if locked else DirectoryLock(directory, subject)
    lock.acquire()
    try:
        check_before_opening(directory)
        with translated("The memory could not be opened."):
            import chromadb

            with _REGISTRY:
                try:
                    client = chromadb.PersistentClient(str(directory), _settings())
                except BaseException:
                    _strike_off(str(directory))
                    raise
            opened = OpenChroma(client, lock.release)
            try:
                check_after_opening(directory)
            except BaseException:
                opened.close()
                raise
            return opened
    except BaseException:
        lock.release()
        raise


def _strike_off(identifier: str) -> None:
    """Take a store that could not be started out of Chroma's table, where the next client would find it."""
    from chromadb.api.shared_system_client import SharedSystemClient

    SharedSystemClient._identifier_to_system.pop(identifier, None)


def _open_ephemeral() -> OpenChroma:
    with translated("The memory could not be opened."):
        import chromadb

        with _REGISTRY:
            client = chromadb.EphemeralClient(_settings())
        # All ephemeral clients of a process share one store: names of its own keep this one apart.
        return OpenChroma(client, prefix=f"{secrets.token_hex(8)}-")


def _open_server(place: ChromaPlace, host: str) -> OpenChroma:
    with translated(f"The memory server at {host}:{place.port} could not be used."):
        import httpx
        import truststore

        # A proxy in the environment is not who was chosen to read memories and the token.
        session = httpx.Client(
            headers=dict(place.headers),
            timeout=SERVER_TIMEOUT,
            trust_env=False,
            verify=truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )
        try:
            # Chroma's errors would not say that nobody answers.
            scheme = "https" if place.ssl else "http"
            session.get(f"{scheme}://{_bracketed(host)}:{place.port}/api/v2/heartbeat").raise_for_status()
            settings = _settings(
                chroma_api_impl="chromadb.api.fastapi.FastAPI",
                chroma_server_host=host,
                chroma_server_http_port=place.port,
                chroma_server_ssl_enabled=place.ssl,
                chroma_server_headers=dict(place.headers),
            )
            return OpenChroma(_direct_client(settings, session), session.close)
        except BaseException:
            session.close()
            raise


def _direct_client(settings: Settings, session: httpx.Client) -> ClientAPI:
    """A client of a Chroma server that does all its requests in `session`.

    Chroma makes two sessions of its own, for a client and its administration, which obey HTTP_PROXY and have no time
    limit; each is replaced before it has sent anything.
    """
    from chromadb.api.client import Client

    def replace(server: Any) -> None:
        session.headers.update(server._session.headers)
        server._session.close()
        server._session = session

    class DirectClient(Client):
        def get_user_identity(self) -> UserIdentity:
            replace(self._server)
            return super().get_user_identity()

        def _validate_tenant_database(self, tenant: str, database: str) -> None:
            replace(self._admin_client._server)  # type: ignore[attr-defined]
            super()._validate_tenant_database(tenant, database)

    return DirectClient(settings=settings)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


@contextmanager
def translated(what: str) -> Iterator[None]:
    """Turn anything that Chroma raises within the block into one of Keepsake's errors.

    Args:
        what: the sentence that says what was not possible.
    """
    try:
        yield
    except AssistantError:
        raise
    except BaseException as exc:
        # Chroma's native part panics with a BaseException of its own; only the interpreter's are let through.
        if not isinstance(exc, Exception) and type(exc).__name__ != "PanicException":
            raise
        raise _error_for(exc, what) from exc


def _error_for(exc: BaseException, what: str) -> AssistantError:
    detail = f"{type(exc).__name__}: {exc}"
    text = detail.lower()
    in_the_way = isinstance(exc, (NotADirectoryError, FileExistsError))
    if (isinstance(exc, OSError) and not in_the_way) or any(mark in text for mark in _FULL):
        return StoreFullError(
            f"{what} Its folder can't be written. {_KEPT}",
            hint="Free some space or allow writing.",
            detail=detail,
        )
    if in_the_way or any(mark in text for mark in _DAMAGE):
        return StoreDamagedError(
            f"{what} Its files are damaged. {_KEPT}", hint="Restore the folder from a backup.", detail=detail
        )
    if any(mark in text for mark in _NEWER):
        return StoreVersionError(
            f"{what} A newer version wrote it. {_KEPT}", hint="Install that version again.", detail=detail
        )
    return MemoryStoreError(f"{what} {_KEPT}", hint="Try again.", detail=detail)
