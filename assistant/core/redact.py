"""Takes API keys and passwords out of text before it is logged or shown."""

from __future__ import annotations

import json
import re
import threading
from urllib.parse import quote

MASK = "[redacted]"
SHORTEST_SECRET = 8
"""Shorter registered values ("ollama") are placeholders, not keys; masking them would garble texts."""

_NAMES = (
    r"(?:api[_-]?key|access[_-]?key|secret[_-]?key|auth[_-]?key|subscription[_-]?key|client[_-]?secret"
    r"|(?:access|auth|refresh|id|bearer|session|security)[_-]?token|token|secret|password|passwd|passphrase|pwd)"
)
_HEADERS = r"(?:proxy-)?authorization|x-api-key|api-key|(?:set-)?cookie"
_SCHEMES = r"(?:bearer|basic|token|digest|negotiate|apikey)"
_KEY_SHAPE = re.compile(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk)-[A-Za-z0-9_*-]{8,}"
    r"|(?:gsk|hf|ghp|gho|ghs|github_pat|xai|pplx|nvapi|glpat|csk|fw|r8)[_-][A-Za-z0-9_-]{16,}"
    r"|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_-]{16,}|AKIA[A-Z0-9]{16}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?"
    r")"
)
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    # The rest of a header's value: a cookie or a digest has blanks and commas of its own.
    (
        re.compile(rf"(?i)\b({_HEADERS})(\\?[\"']?\s*[:=,]\s*(?-i:b)?\\?[\"']?)(?!\s)[^\r\n\"'\\)}}\]]+"),
        rf"\1\2{MASK}",
    ),
    (
        re.compile(rf"(?i)\b({_SCHEMES})\s+(?=[A-Za-z0-9._~+/=-]*[0-9._+/=-])[A-Za-z0-9._~+/=-]{{8,}}"),
        rf"\1 {MASK}",
    ),
    (
        re.compile(
            rf"(?i)(?<![a-z0-9])({_NAMES})(\\?[\"']?\s*[:=]\s*(?-i:b)?\\?[\"']?)(?!\[redacted)[^\s\"'\\&,;)}}\]]+"
        ),
        rf"\1\2{MASK}",
    ),
    (re.compile(r"(?i)([?&](?:key|sig|signature|code)=)[^\s\"'\\&#)]+"), rf"\1{MASK}"),
    (re.compile(r"(?i)\b([a-z][a-z0-9+.-]{0,15}://)[^\s/@\"'<>]+@"), rf"\1{MASK}@"),
    (_KEY_SHAPE, MASK),
)
_LONG = re.compile(r"[A-Za-z0-9_+=-]{32,}")
_PIECE = re.compile(r"[A-Za-z0-9+]{20,}")


def redact(text: str) -> str:
    """`text` with everything that looks like a key or password replaced by "[redacted]".

    Known by shape: the usual prefixes (sk-…), authorization headers, bearer tokens, api_key=… and its kin in
    any spelling, user and password in an address, and any run of 32 or more characters that mixes letters
    and digits. Ids of 32 digits go too: a key of that shape can't be told from them.
    """
    for pattern, replacement in _RULES:
        text = pattern.sub(replacement, text)
    return _LONG.sub(_mask_long, text)


def has_key_shape(text: str) -> bool:
    """Whether `text` holds something that can hardly be anything but a key (sk-…, a JSON web token)."""
    return any(
        len(match.group()) >= 20 and any(char.isdigit() for char in match.group())
        for match in _KEY_SHAPE.finditer(text)
    )


def mask_keys(text: str, mask: str = MASK) -> str:
    """`text` with `mask` for each part that `has_key_shape` is about, and nothing else changed."""

    def masked(match: re.Match[str]) -> str:
        run = match.group()
        return mask if len(run) >= 20 and any(char.isdigit() for char in run) else run

    return _KEY_SHAPE.sub(masked, text)


def _mask_long(match: re.Match[str]) -> str:
    run = match.group()
    for piece in _PIECE.finditer(run):
        word = piece.group()
        if any(char.isdigit() for char in word) and any(char.isalpha() for char in word):
            return MASK
    return run


class Redactor:
    """Redacts by shape, and the very secrets that were made known to it.

    Safe to use from any thread.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._secrets: frozenset[str] = frozenset()
        self._spellings: tuple[str, ...] = ()

    def add(self, secret: str) -> None:
        """Mask `secret` from now on, in each spelling that an error text may carry it in."""
        secret = secret.strip()
        if len(secret) < SHORTEST_SECRET:
            return
        with self._lock:
            self._set(self._secrets | {secret})

    def discard(self, secret: str) -> None:
        """Forget `secret`, for a key that the user has deleted."""
        with self._lock:
            self._set(self._secrets - {secret.strip()})

    def knows(self, text: str) -> bool:
        """Whether `text` holds one of the secrets."""
        return any(spelling in text for spelling in self._spellings)

    def redact(self, text: str) -> str:
        """`text` without the known secrets and without anything that looks like one."""
        for spelling in self._spellings:
            text = text.replace(spelling, MASK)
        return redact(text)

    def _set(self, secrets: frozenset[str]) -> None:
        spellings = {
            spelling
            for secret in secrets
            for spelling in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1], repr(secret)[1:-1])
        }
        self._secrets = secrets
        self._spellings = tuple(sorted(spellings, key=len, reverse=True))
