"""Chroma in a child process: the same calls as `ChromaCollections`, on worker threads that wait for a pipe."""

from __future__ import annotations

import contextlib
import subprocess
import threading
from collections.abc import Sequence
from typing import Any, BinaryIO, cast

from assistant.core.errors import InvalidInputError, MemoryStoreError
from assistant.core.frames import receive, send
from assistant.core.process import start_child
from assistant.embedding.base import Vectors
from assistant.memory.chroma_client import ChromaPlace
from assistant.memory.chroma_collections import Ranked
from assistant.memory.chroma_layout import Partition
from assistant.memory.record import Record

MODULE = "assistant.memory.chroma_worker"
_CLOSE_SECONDS = 2.0


class ChromaProcess:
    """The partitions of the Chroma store in a directory, served by a child process that the first call starts.

    A process that died is started anew by the next call: what it had acknowledged is on disk.

    Args:
        place: where the store is.
        module: what the child process runs.

    Raises:
        InvalidInputError: the place is not a directory.
    """

    def __init__(self, place: ChromaPlace, module: str = MODULE) -> None:
        if place.directory is None:
            raise InvalidInputError("Only a Chroma store in a directory can have a process of its own.")
        self._place = place
        self._module = module
        self._turn = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process's id, None before the first call."""
        return None if self._process is None else self._process.pid

    def upsert(
        self, partition: Partition, records: Sequence[Record], vectors: Vectors, embedder_id: str
    ) -> None:
        self._call("upsert", partition, list(records), vectors, embedder_id)

    def nearest(self, partition: Partition, vector: Vectors, limit: int, embedder_id: str) -> Ranked | None:
        return cast("Ranked | None", self._call("nearest", partition, vector, limit, embedder_id))

    def fetch(self, partition: Partition, memory_id: str) -> Record | None:
        return cast("Record | None", self._call("fetch", partition, memory_id))

    def count(self, partition: Partition) -> int:
        return cast(int, self._call("count", partition))

    def everything(self, partition: Partition) -> list[Record]:
        return cast("list[Record]", self._call("everything", partition))

    def remove(self, partition: Partition, memory_id: str) -> bool:
        return cast(bool, self._call("remove", partition, memory_id))

    def remove_labelled(self, partition: Partition, label: str) -> list[str]:
        return cast("list[str]", self._call("remove_labelled", partition, label))

    def drop(self, partition: Partition) -> int:
        return cast(int, self._call("drop", partition))

    def start_over(self) -> None:
        """As ChromaCollections.start_over; the process does it by itself when a write fails."""
        self._call("start_over")

    def close(self) -> None:
        """End the process, after what it is writing. Safe to call twice."""
        with self._turn:
            process, self._process = self._process, None
            if process is None:
                return
            assert process.stdin is not None
            with contextlib.suppress(OSError):
                send(cast(BinaryIO, process.stdin), ("close", ()))
            self._end(process)

    def _call(self, method: str, *arguments: Any) -> Any:
        with self._turn:
            process = self._running()
            assert process.stdin is not None
            assert process.stdout is not None
            try:
                send(cast(BinaryIO, process.stdin), (method, arguments))
                well, answer = receive(cast(BinaryIO, process.stdout))
            except (OSError, EOFError) as exc:
                self._process = None
                self._end(process)
                raise MemoryStoreError(
                    "The memory's process ended unexpectedly. What was saved before is still there.",
                    hint="Try again.",
                    detail=f"{method}: exit code {process.returncode}, {exc!r}",
                ) from exc
        if not well:
            raise answer
        return answer

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._process = start_child(self._module)
            assert self._process.stdin is not None
            send(cast(BinaryIO, self._process.stdin), str(self._place.directory))
        return self._process

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        try:
            process.wait(_CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
