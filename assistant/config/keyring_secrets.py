"""API keys in the system's key store, over keyring."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, TypeVar

from assistant.config.secret_entries import checked_secret, entry_name
from assistant.core.errors import AssistantError, SecretsError

T = TypeVar("T")

SERVICE = "Keepsake"
CALL_TIMEOUT = 60.0
"""Seconds for one call: the system may ask the user to unlock the key store meanwhile."""
_BACKEND_VARIABLE = "PYTHON_KEYRING_BACKEND"


class Backend(Protocol):
    """The part of keyring's backends that is used."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class KeyringSecrets:
    """Keys in the system's key store.

    Args:
        backend: a keyring backend that `open_secrets` accepts.
        service: the name under which the entries stand.
        timeout: seconds for one call.
    """

    def __init__(self, backend: Backend, *, service: str = SERVICE, timeout: float = CALL_TIMEOUT) -> None:
        self._backend = backend
        self._service = service
        self._timeout = timeout
        self._turn = threading.Lock()

    async def get(self, endpoint_id: str, *, host: str = "") -> str | None:
        name = entry_name(endpoint_id, host)
        return await self._call("read", lambda: self._backend.get_password(self._service, name))

    async def set(self, endpoint_id: str, secret: str, *, host: str = "") -> None:
        name, value = entry_name(endpoint_id, host), checked_secret(secret)

        def store() -> None:
            self._backend.set_password(self._service, name, value)
            # A store that drops what it was given would be found out only at the next start.
            if self._backend.get_password(self._service, name) != value:
                raise SecretsError(
                    "The key store did not keep the key.", hint="Enter it again, or look into the key store."
                )

        await self._call("save", store)

    async def delete(self, endpoint_id: str, *, host: str = "") -> bool:
        name = entry_name(endpoint_id, host)

        def remove() -> bool:
            if self._backend.get_password(self._service, name) is None:
                return False
            self._backend.delete_password(self._service, name)
            return True

        return await self._call("delete", remove)

    async def _call(self, doing: str, work: Callable[[], T]) -> T:
        try:
            return await in_own_thread(work, self._timeout, self._turn)
        except TimeoutError as exc:
            raise SecretsError(
                f"The key store did not answer within {self._timeout:g} seconds, so the key could not be "
                f"{_DONE[doing]}.",
                hint="Unlock the key store of your system and try again.",
            ) from exc
        except AssistantError:
            raise
        except Exception as exc:  # noqa: BLE001 - the edge; each backend has errors of its own kind
            # The text of a foreign error is left out: some backends put the entry's value into it.
            raise SecretsError(
                f"The key store failed, so the key could not be {_DONE[doing]}. "
                "It was not written anywhere else.",
                hint="Unlock the key store of your system and try again.",
                detail=f"{type(self._backend).__module__}: {type(exc).__name__}",
            ) from None


_DONE = {"read": "read", "save": "saved", "delete": "deleted"}


@dataclass(frozen=True, slots=True)
class _Candidate:
    module: str
    name: str
    trust: float


_SYSTEM_STORES: dict[str, tuple[_Candidate, ...]] = {
    "darwin": (_Candidate("keyring.backends.macOS", "Keyring", 10),),
    "win32": (_Candidate("keyring.backends.Windows", "WinVaultKeyring", 10),),
    "linux": (
        _Candidate("keyring.backends.SecretService", "Keyring", 10),
        _Candidate("keyring.backends.libsecret", "Keyring", 5),
        _Candidate("keyring.backends.kwallet", "DBusKeyring", 3),
    ),
}


def score(backend_type: type[object]) -> float:
    """How far a keyring backend is to be trusted; 0 for one that must not be used.

    Only the stores of the operating systems count. Everything else (plain or home-encrypted files, the empty
    and the failing backend, chains of several) could put a key where the user does not expect it.
    """
    for candidate in _system_stores():
        if (backend_type.__module__, backend_type.__name__) == (candidate.module, candidate.name):
            try:
                own = float(backend_type.priority)  # type: ignore[attr-defined]
            except Exception:  # noqa: BLE001 - the edge; an unusable backend says so by any exception
                return 0.0
            return candidate.trust + min(own, 9.0) / 10 if own > 0 else 0.0
    return 0.0


def find_backend(types: Sequence[type[object]] | None = None) -> Backend | None:
    """The usable key store with the highest score, None when there is none. Blocks.

    Args:
        types: backend classes to choose from; by default those of this system.
    """
    found = _installed_stores() if types is None else types
    best = max(((score(kind), kind) for kind in found), key=lambda pair: pair[0], default=None)
    if best is None or best[0] <= 0:
        return None
    backend: Backend = best[1]()  # type: ignore[assignment]
    return backend


async def in_own_thread(work: Callable[[], T], timeout: float, turn: threading.Lock) -> T:
    """Run `work` in a daemon thread and wait at most `timeout` seconds.

    A daemon thread and not an executor: a D-Bus prompt that nobody answers hangs the call for good, and an
    executor's thread would then keep the process from ending. `turn` keeps calls in order; one that was
    given up before its turn came is not made at all.

    Raises:
        TimeoutError: no answer in time.
    """
    answer: Future[T] = Future()

    def run() -> None:
        with turn:
            if not answer.set_running_or_notify_cancel():
                return
            try:
                answer.set_result(work())
            except Exception as exc:  # noqa: BLE001 - handed to the caller, whatever it is
                answer.set_exception(exc)

    threading.Thread(target=run, name="keepsake-keyring", daemon=True).start()
    async with asyncio.timeout(timeout):
        return await asyncio.wrap_future(answer)


def _system_stores() -> tuple[_Candidate, ...]:
    return _SYSTEM_STORES.get(sys.platform, _SYSTEM_STORES["linux"])


def _installed_stores() -> list[type[object]]:
    chosen = os.environ.get(_BACKEND_VARIABLE, "")
    found: list[type[object]] = []
    for candidate in _system_stores():
        if chosen and chosen != f"{candidate.module}.{candidate.name}":
            continue
        try:
            found.append(getattr(import_module(candidate.module), candidate.name))
        except Exception:  # noqa: BLE001 - the edge; a backend whose system part is missing fails in any way
            continue
    return found
