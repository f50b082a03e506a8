"""The indexing process: makes the vectors that `process_embedder` asks for.

Run with `core.process.start_child`. The first frame says where the model is and how many seconds to stay without
work; each other one is a list of texts, answered by (True, vectors) or (False, error). It ends with its input, in the
middle of its work too, so it can't outlive the program that started it.
"""

from __future__ import annotations

import contextlib
import math
import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NoReturn, TypeVar

from assistant.core.errors import AssistantError
from assistant.core.frames import receive, send
from assistant.core.process import give_way
from assistant.embedding.lane import advance
from assistant.embedding.onnx_embedder import OnnxEmbedder

T = TypeVar("T")

NICENESS = 10
_MOST_WAIT = 5.0
_UNMEASURED = 0.1
"""Seconds: a short step may wait longer than that is told from chance."""
_PRESSED_SECONDS = 60.0


def main() -> None:
    """Answer until the input closes or nobody asks."""
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    give_way(NICENESS)
    calls, answers = os.fdopen(0, "rb"), _own_output()
    folder, idle_seconds = receive(calls)
    asked: queue.SimpleQueue[list[str]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(calls, asked), daemon=True).start()
    embedder, leisure = OnnxEmbedder(Path(folder)), LeisureTime()
    while True:
        try:
            texts = asked.get(timeout=idle_seconds)
        except queue.Empty:
            _end()
        try:
            send(answers, _answer(embedder, texts, leisure))
        except BrokenPipeError:
            _end()


class LeisureTime:
    """Runs work in the time that nobody else wants: on a thread that gives way to every other at once (SCHED_IDLE
    of Linux). While the others leave hardly any, work runs on the calling thread, which has a low priority only.

    Without it a window that wakes up waits until the next tick of the system's clock, 4 ms, for a core.
    """

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, initializer=_give_way)
        self._pressed_until = time.monotonic() if hasattr(os, "SCHED_IDLE") else math.inf

    def run(self, work: Callable[[], T]) -> T:
        begun = time.monotonic()
        if begun < self._pressed_until:
            return work()
        result, spent = self._thread.submit(_timed, work).result()
        ended = time.monotonic()
        if ended - begun > _MOST_WAIT * spent + _UNMEASURED:
            self._pressed_until = ended + _PRESSED_SECONDS
        return result


def _give_way() -> None:
    with contextlib.suppress(OSError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    begun = time.thread_time()
    return work(), time.thread_time() - begun


def _answer(embedder: OnnxEmbedder, texts: list[str], leisure: LeisureTime) -> tuple[bool, Any]:
    try:
        steps = embedder.steps(texts, "index")
        # The model is loaded in the first step: a second of work, which must end soon.
        ended = advance(steps)
        while ended is None:
            ended = leisure.run(partial(advance, steps))
        return True, ended[0]
    except AssistantError as error:
        # The cause is a foreign error that may not travel; its text is in the detail.
        error.__cause__ = None
        return False, error


def _listen(calls: BinaryIO, asked: queue.SimpleQueue[list[str]]) -> None:
    try:
        while True:
            asked.put(receive(calls))
    except (EOFError, OSError):
        _end()


def _own_output() -> BinaryIO:
    """The pipe to the program; what a library prints goes elsewhere, not between the frames."""
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return pipe


def _end() -> NoReturn:
    # Nothing is kept here; taking the interpreter apart would only take time.
    os._exit(0)


if __name__ == "__main__":
    main()
