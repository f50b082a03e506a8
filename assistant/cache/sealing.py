"""How answers look at rest: readable, or sealed with Fernet under a key from the system's key store."""

from __future__ import annotations

import hashlib
import hmac
import inspect
from collections.abc import Awaitable, Callable
from typing import Protocol

from assistant.core.errors import SecretsError

KEY_ENTRY = "answer-cache"
"""The name under which the key store keeps the key."""

KeySource = Callable[[], str | bytes | Awaitable[str | bytes | None] | None]
"""Gives the key: 32 bytes as url-safe base64, as `Fernet.generate_key` makes them; None when it can't be had."""


class Sealing(Protocol):
    """Makes bodies unreadable, and readable again.

    Attributes:
        fingerprint: differs for another key, and for none.
        secret: makes digests unguessable; empty where nothing is sealed.
    """

    @property
    def fingerprint(self) -> str: ...

    @property
    def secret(self) -> bytes: ...

    def seal(self, body: bytes) -> bytes:
        """`body` as it is kept."""
        ...

    def unseal(self, kept: bytes) -> bytes | None:
        """The body, None when it was sealed otherwise or changed since."""
        ...


class NoSealing:
    """Bodies as they are."""

    fingerprint = "plain"
    secret = b""

    def seal(self, body: bytes) -> bytes:
        return body

    def unseal(self, kept: bytes) -> bytes | None:
        return kept


class FernetSealing:
    """Bodies sealed with Fernet (AES-128-CBC and HMAC-SHA256, https://github.com/fernet/spec).

    Args:
        key: 32 bytes as url-safe base64.

    Raises:
        SecretsError: it is no such key.
    """

    def __init__(self, key: bytes) -> None:
        from cryptography.fernet import Fernet

        try:
            self._fernet = Fernet(key)
        except ValueError:
            raise SecretsError(
                "The key of the answer cache is not usable. Nothing was cached.",
                hint="Delete the key in your key store; Keepsake makes a new one and an empty cache.",
            ) from None
        self._secret = hmac.digest(key, b"keepsake answer cache keys", hashlib.sha256)

    @property
    def fingerprint(self) -> str:
        return "fernet-" + hashlib.sha256(self._secret).hexdigest()[:16]

    @property
    def secret(self) -> bytes:
        return self._secret

    def seal(self, body: bytes) -> bytes:
        return self._fernet.encrypt(body)

    def unseal(self, kept: bytes) -> bytes | None:
        from cryptography.fernet import InvalidToken

        try:
            return self._fernet.decrypt(kept)
        except InvalidToken:
            return None


async def open_sealing(key: KeySource) -> FernetSealing:
    """Sealing under the key that `key` gives.

    Raises:
        SecretsError: there is no key to be had, or it is no usable one.
    """
    given = key()
    found = await given if inspect.isawaitable(given) else given
    if not found:
        raise no_key()
    return FernetSealing(found.encode("ascii", "replace") if isinstance(found, str) else found)


def no_key() -> SecretsError:
    """What asking for encryption without a key raises."""
    return SecretsError(
        "Cached answers were to be encrypted, and no key for that can be had. Nothing was cached.",
        hint="Unlock or install a key store, or switch the encryption of cached answers off.",
    )


class KeyKeeper(Protocol):
    """The part of the app's key store that is used here (assistant.config.secrets.SecretStore)."""

    @property
    def kind(self) -> str: ...

    async def get(self, endpoint_id: str, *, host: str = "") -> str | None: ...

    async def set(self, endpoint_id: str, secret: str, *, host: str = "") -> None: ...


def key_of(secrets: KeyKeeper) -> KeySource:
    """The cache's key from the system's key store, made there at the first use.

    A store that forgets its keys when the app closes gives none: what was sealed could never be read again.
    """

    async def give() -> str | None:
        if secrets.kind != "keyring":
            return None
        kept = await secrets.get(KEY_ENTRY)
        if kept:
            return kept
        from cryptography.fernet import Fernet

        made = Fernet.generate_key().decode("ascii")
        await secrets.set(KEY_ENTRY, made)
        return made

    return give
