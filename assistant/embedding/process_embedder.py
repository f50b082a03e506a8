"""Indexing in a child process, for programs with a window: what computes there can't make the window stutter."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import pickle
import subprocess
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import BinaryIO, TypeVar, cast

from assistant.core.errors import EmbeddingError
from assistant.core.frames import receive, send
from assistant.core.process import start_child
from assistant.embedding.base import Embedder, Priority, Vectors
from assistant.embedding.onnx_embedder import OnnxEmbedder
from assistant.embedding.tokens import check_texts, copied_texts

T = TypeVar("T")

MODULE = "assistant.embedding.embedding_worker"
IDLE_SECONDS = 60.0
"""How long the process stays without work: it holds some 150 MB, and starts in a second."""

_log = logging.getLogger(__name__)

# A cancelled call ends at once; its last slice, a tenth of a second of work, goes on in the process.
_SLICE = 64
# One memory at a time is quicker on the session that answers queries than a process is started.
_FEW_TEXTS = 4
_FEW_CHARACTERS = 2_000
# Seconds of rest for each second of work, when slices follow each other: whatever the system's scheduler does, a
# window that wakes finds a core free half of the time, and a long import does not heat the machine.
_REST = 1.0
_LONGEST_REST = 0.5
_ATTEMPTS = 2
_ANSWER_SECONDS = 120.0
_END_SECONDS = 2.0
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def indexing_apart(embedder: OnnxEmbedder | Embedder) -> Embedder:
    """The same embedder with its indexing in a process of its own, where it can have one."""
    return ProcessEmbedder(embedder) if isinstance(embedder, OnnxEmbedder) else embedder


class ProcessEmbedder:
    """An Embedder whose index work runs in a child process; queries stay in this one.

    The first index work starts the process, which has one thread and a low priority, and ends by itself after a
    while without work. It maps the same weights file. One that died is started again; when that dies too, indexing
    goes on in this process, with a warning in the log. A few short texts are embedded as a query is.

    Args:
        inner: the embedder of this process, closed with this one.
        module: what the child process runs.
        idle_seconds: how long the process stays without work.
    """

    def __init__(
        self, inner: OnnxEmbedder, *, module: str = MODULE, idle_seconds: float = IDLE_SECONDS
    ) -> None:
        self._inner = inner
        self._module = module
        self._idle_seconds = idle_seconds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="embed-elsewhere")
        self._guard = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._rested_at = 0.0
        self._given_up = False
        self._closed = False

    @property
    def embedder_id(self) -> str:
        return self._inner.embedder_id

    @property
    def dimension(self) -> int:
        return self._inner.dimension

    @property
    def pid(self) -> int | None:
        """The id of the process that was started last, None when there is none."""
        process = self._process
        return None if process is None else process.pid

    async def warmup(self, priority: Priority = "query") -> None:
        """As OnnxEmbedder.warmup; for "index" it starts the process."""
        if priority == "query":
            await self._inner.warmup()
        else:
            await self._embed_apart([""])

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        """See OnnxEmbedder.embed: the same vectors (to 1e-5), the same errors."""
        texts = copied_texts(texts)
        if priority != "index" or self._given_up or not texts:
            return await self._inner.embed(texts, priority=priority)
        await self._run(partial(check_texts, texts))
        if len(texts) <= _FEW_TEXTS and sum(map(len, texts)) <= _FEW_CHARACTERS:
            return await self._inner.embed(texts, priority="query")
        return await self._embed_apart(texts)

    async def close(self) -> None:
        """End the process at once, and free the model of this one. Safe to call twice."""
        if not self._closed:
            self._closed = True
            self._kill()
            await asyncio.get_running_loop().run_in_executor(self._thread, self._discard)
            self._thread.shutdown(wait=False)
        await self._inner.close()

    # ---- inside

    async def _embed_apart(self, texts: list[str]) -> Vectors:
        import numpy as np

        vectors: Vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        # Texts of about the same length waste no padding.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(texts), _SLICE):
            places = order[start : start + _SLICE]
            vectors[places] = await self._slice([texts[place] for place in places])
        return vectors

    async def _slice(self, texts: list[str]) -> Vectors:
        found = None
        if not self._given_up:
            loop = asyncio.get_running_loop()
            await asyncio.sleep(max(0.0, self._rested_at - loop.time()))
            begun = loop.time()
            # A process that hangs is as good as dead.
            limit = loop.call_later(_ANSWER_SECONDS, self._kill)
            try:
                found = await self._run(partial(self._exchange, texts))
            finally:
                limit.cancel()
                ended = loop.time()
                self._rested_at = ended + min(_REST * (ended - begun), _LONGEST_REST)
        return await self._inner.embed(texts, priority="index") if found is None else found

    async def _run(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise _closed()
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    # ---- on the thread

    def _exchange(self, texts: list[str]) -> Vectors | None:
        """The vectors of `texts`, None when no process lives long enough to make them."""
        for _ in range(_ATTEMPTS):
            if self._given_up:
                return None
            try:
                process = self._running()
                send(cast(BinaryIO, process.stdin), texts)
                well, answer = receive(cast(BinaryIO, process.stdout))
            except (OSError, EOFError, ValueError, pickle.UnpicklingError) as exc:
                ended = self._discard()
                if self._closed:
                    raise _closed() from None
                _log.warning("the indexing process ended unexpectedly (%s): %r", ended, exc)
                continue
            if not well:
                raise answer
            return cast(Vectors, answer)
        _log.warning("texts are embedded in this process from now on")
        self._given_up = True
        return None

    def _running(self) -> subprocess.Popen[bytes]:
        process = self._process
        if process is not None and process.poll() is not None:
            self._discard()
        with self._guard:
            if self._closed:
                raise _closed()
            if self._process is not None:
                return self._process
            started = self._process = start_child(self._module, environment=_ONE_THREAD, own_session=True)
        send(cast(BinaryIO, started.stdin), (str(self._inner.model_folder), self._idle_seconds))
        return started

    def _kill(self) -> None:
        """End the process; it has nothing to lose. Whoever reads from it comes to the end."""
        with self._guard:
            if self._process is not None:
                self._process.kill()

    def _discard(self) -> int | None:
        """Let go of the process; its exit code."""
        process, self._process = self._process, None
        if process is None:
            return None
        process.kill()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            return process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return None


def _closed() -> EmbeddingError:
    return EmbeddingError("The embedding model was closed while something still wanted to use it.")
