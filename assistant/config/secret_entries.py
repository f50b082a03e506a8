"""What a place for API keys promises, and the one that is gone when the app closes."""

from __future__ import annotations

import re
from typing import Protocol

from assistant.core.errors import InvalidInputError
from assistant.core.text import check_text

_ENDPOINT = re.compile(r"[A-Za-z0-9_-]{1,64}")
_LONGEST_SECRET = 2_000  # Windows keeps at most 2,560 bytes.


class Secrets(Protocol):
    """Keeps one key for each endpoint and host: a changed address never gets the old one's key."""

    async def get(self, endpoint_id: str, *, host: str = "") -> str | None:
        """The key, None when there is none.

        Raises:
            SecretsError: the key store failed or did not answer.
        """
        ...

    async def set(self, endpoint_id: str, secret: str, *, host: str = "") -> None:
        """Keep `secret` instead of the one before.

        Raises:
            InvalidInputError: it is empty, too long or not text that a header can carry.
            SecretsError: as in get; the key was not kept.
        """
        ...

    async def delete(self, endpoint_id: str, *, host: str = "") -> bool:
        """Remove the key; False when there was none.

        Raises:
            SecretsError: as in get.
        """
        ...


class SessionSecrets:
    """Keys in memory; gone when the app closes."""

    def __init__(self) -> None:
        self._secrets: dict[str, str] = {}

    async def get(self, endpoint_id: str, *, host: str = "") -> str | None:
        return self._secrets.get(entry_name(endpoint_id, host))

    async def set(self, endpoint_id: str, secret: str, *, host: str = "") -> None:
        self._secrets[entry_name(endpoint_id, host)] = checked_secret(secret)

    async def delete(self, endpoint_id: str, *, host: str = "") -> bool:
        return self._secrets.pop(entry_name(endpoint_id, host), None) is not None


def entry_name(endpoint_id: str, host: str) -> str:
    """The name of an entry: "openai", or "custom@example.org:8443".

    Raises:
        InvalidInputError: the endpoint's id holds anything but letters, digits, "-" and "_".
    """
    if not _ENDPOINT.fullmatch(endpoint_id):
        raise InvalidInputError(f"{endpoint_id!r} is not the name of an endpoint.")
    check_text(host)
    return f"{endpoint_id}@{host.lower()}" if host else endpoint_id


def checked_secret(secret: str) -> str:
    """`secret` without blanks around it.

    Raises:
        InvalidInputError: empty, too long, or with characters that no request can carry.
    """
    value = secret.strip()
    if not value:
        raise InvalidInputError("The key is empty.", hint="Paste the key, or leave the field.")
    if len(value) > _LONGEST_SECRET or not value.isascii() or not value.isprintable():
        raise InvalidInputError(
            f"This is not a key: keys are letters, digits and signs, at most {_LONGEST_SECRET:,} of them.",
            hint="Copy the key again, without the text around it.",
        )
    return value
