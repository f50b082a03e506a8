"""Where API keys go: the system's key store, or memory until the app closes. Never a file."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Literal

from assistant.config.keyring_secrets import SERVICE, KeyringSecrets, find_backend, in_own_thread
from assistant.config.secret_entries import Secrets, SessionSecrets
from assistant.core.redact import Redactor

__all__ = ["KeyringSecrets", "SecretStore", "Secrets", "SessionSecrets", "open_secrets"]

OPEN_TIMEOUT = 10.0
"""Seconds to find a key store; nothing is unlocked then."""
SESSION_ANNOUNCEMENT = (
    "This computer has no key store that Keepsake can use. The key will be kept until you close the app."
)


@dataclass(frozen=True, slots=True)
class SecretStore:
    """Where keys go on this computer.

    Attributes:
        secrets: keeps them.
        kind: "keyring" (kept by the system) or "session" (until the app closes).
        announcement: what to tell the user before a key is entered; empty when it is kept by the system.
        redactor: every key that passes through `get` and `set` is masked in logs from then on.
    """

    secrets: Secrets
    kind: Literal["keyring", "session"]
    announcement: str
    redactor: Redactor

    async def get(self, endpoint_id: str, *, host: str = "") -> str | None:
        """As Secrets.get."""
        secret = await self.secrets.get(endpoint_id, host=host)
        if secret:
            self.redactor.add(secret)
        return secret

    async def set(self, endpoint_id: str, secret: str, *, host: str = "") -> None:
        """As Secrets.set."""
        self.redactor.add(secret)
        await self.secrets.set(endpoint_id, secret, host=host)

    async def delete(self, endpoint_id: str, *, host: str = "") -> bool:
        """As Secrets.delete."""
        return await self.secrets.delete(endpoint_id, host=host)


async def open_secrets(
    *, redactor: Redactor | None = None, service: str = SERVICE, timeout: float = OPEN_TIMEOUT
) -> SecretStore:
    """Choose where keys go: the system's key store, or memory with an announcement.

    PYTHON_KEYRING_BACKEND can narrow the choice (to one store, or to none), never widen it.
    """
    masks = redactor or Redactor()
    try:
        backend = await in_own_thread(find_backend, timeout, threading.Lock())
    except Exception:  # noqa: BLE001 - the edge; no store was found, which the announcement says
        backend = None
    if backend is None:
        return SecretStore(SessionSecrets(), "session", SESSION_ANNOUNCEMENT, masks)
    return SecretStore(KeyringSecrets(backend, service=service), "keyring", "", masks)
