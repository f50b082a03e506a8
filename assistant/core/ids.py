"""Identifiers: random, and sortable by the time they were made."""

from __future__ import annotations

import secrets
import time


def new_id() -> str:
    """A new id of 32 hex digits: 48 bits of Unix milliseconds, then 80 random bits (as UUIDv7 orders them)."""
    return f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(10)}"


def new_owner_id() -> str:
    """A random owner id that tells nothing about its person or time."""
    return secrets.token_hex(16)
