"""Parts for tests of memory: an embedder without a model, and a Chroma server of one's own."""

from __future__ import annotations

import hashlib
import re
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from assistant.embedding.base import Priority, Vectors


class HashEmbedder:
    """Texts that share words are near each other; the same text has the same vector always.

    Attributes:
        texts: all that it embedded.
        closed: whether it was closed.
    """

    def __init__(self, embedder_id: str = "hash-96", dimension: int = 96) -> None:
        self._embedder_id = embedder_id
        self._dimension = dimension
        self.texts: list[str] = []
        self.closed = False

    @property
    def embedder_id(self) -> str:
        return self._embedder_id

    @property
    def dimension(self) -> int:
        return self._dimension

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        self.texts.extend(texts)
        return np.stack([self._vector(text) for text in texts])

    async def close(self) -> None:
        self.closed = True

    def _vector(self, text: str) -> Vectors:
        vector = np.zeros(self._dimension, dtype=np.float32)
        for word in re.findall(r"\w+", text.casefold()) or [text]:
            digest = hashlib.sha256(word.encode()).digest()
            for place in range(0, 8, 2):
                vector[int.from_bytes(digest[place : place + 2], "big") % self._dimension] += 1.0
        length = float(np.linalg.norm(vector))
        return (vector / np.float32(length)).astype(np.float32)


@contextmanager
def chroma_server(folder: Path) -> Iterator[int]:
    """A real Chroma server on a free loopback port, which is given."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    program = Path(sys.executable).with_name("chroma")
    command = [str(program), "run", "--host", "127.0.0.1", "--port", str(port), "--path", str(folder)]
    with (folder / "server.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)
    try:
        _wait_until_it_answers(server, port)
        yield port
    finally:
        server.kill()
        server.wait()


def _wait_until_it_answers(server: subprocess.Popen[bytes], port: int) -> None:
    deadline = time.monotonic() + 60
    while server.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v2/heartbeat", timeout=5).close()
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
        else:
            return
    raise AssertionError("the Chroma server did not start")
