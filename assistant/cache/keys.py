"""What an answer depends on, as digests."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from typing import Any

from assistant.cache.base import AnswerKeys
from assistant.cache.reading import Reading
from assistant.core.types import Message


class KeyMaker:
    """Makes keys that tell nothing about what they stand for. Other parts give other keys.

    Args:
        secret: makes them unguessable, for a cache that is encrypted; empty otherwise.
        shared: answers stand on one shelf for everybody.
    """

    def __init__(self, secret: bytes = b"", *, shared: bool = False) -> None:
        self._secret = secret
        self._shared = shared

    def keys(self, reading: Reading, owner: str, model: str, instructions: str, context: str) -> AnswerKeys:
        """Where an answer to that question stands.

        Args:
            owner: the id of the caller.
        """
        shelf = self._of("shelf", "" if self._shared else owner, model, instructions, context)
        gist = self._of("gist", reading.language, *reading.gist) if reading.gist else ""
        return AnswerKeys(self.owner(owner), shelf, self._of("question", reading.exact), gist)

    def owner(self, owner: str) -> str:
        """The key of an owner."""
        return self._of("owner", owner)

    def memory(self, memory_id: str) -> str:
        """The key of a memory."""
        return self._of("memory", memory_id)

    def _of(self, *parts: str) -> str:
        return _digest(self._secret, parts)


def context_digest(
    messages: Sequence[Message], memories: Iterable[tuple[str, Any]] = (), *, extra: str = ""
) -> str:
    """What an answer depends on beside the question, the instructions and the model.

    Args:
        messages: the earlier messages as they are sent, oldest first.
        memories: id and version of each memory that is quoted, in any order. A version is anything whose text
            changes when the memory does.
        extra: whatever else shapes the answer.

    Returns:
        A text that is equal exactly for equal contexts; empty when there is nothing.
    """
    quoted = sorted((memory_id, str(version)) for memory_id, version in memories)
    if not messages and not quoted and not extra:
        return ""
    parts = [str(len(messages)), extra]
    for message in messages:
        parts += (message.role, message.content)
    for memory in quoted:
        parts += memory
    return _digest(b"", parts)


def _digest(secret: bytes, parts: Iterable[str]) -> str:
    """40 hexadecimal digits. Each part goes in with its length, so that no two lists of parts are the same text."""
    state = hmac.new(secret or b"keepsake", digestmod=hashlib.sha256)
    for part in parts:
        encoded = part.encode("utf-8")
        state.update(len(encoded).to_bytes(8, "big") + encoded)
    return state.hexdigest()[:40]
