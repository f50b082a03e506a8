"""Calls and answers between this program and its own child processes, over pipes that nobody else has.

A frame is its length (8 bytes, little endian), then a pickle. Both ends are the same program, so that pickle adds
no trust that is not there already.
"""

from __future__ import annotations

import pickle
import struct
from typing import Any, BinaryIO

_LENGTH = struct.Struct("<Q")


def send(stream: BinaryIO, value: Any) -> None:
    """Write one frame."""
    body = pickle.dumps(value, protocol=5)
    stream.write(_LENGTH.pack(len(body)) + body)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one frame.

    Raises:
        EOFError: the other end is gone.
    """
    (length,) = _LENGTH.unpack(_exactly(stream, _LENGTH.size))
    return pickle.loads(_exactly(stream, length))


def _exactly(stream: BinaryIO, count: int) -> bytes:
    body = stream.read(count)
    if len(body) < count:
        raise EOFError
    return body
