"""The indexing process: makes the vectors that `process_embedder` asks for.

Run with `core.process.start_child`. The first frame says where the model is and how many seconds to stay without
work; each other one is a list of texts, answered by (True, vectors) or (False, error). It ends with its input, in the
middle of its work too, so it can't outlive the program that started it.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

from assistant.core.errors import AssistantError
from assistant.core.frames import receive, send
from assistant.core.scheduling import give_way
from assistant.embedding.lane import advance
from assistant.embedding.onnx_embedder import OnnxEmbedder

NICENESS = 10


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
    embedder = OnnxEmbedder(Path(folder))
    while True:
        try:
            texts = asked.get(timeout=idle_seconds)
        except queue.Empty:
            _end()
        try:
            send(answers, _answer(embedder, texts))
        except BrokenPipeError:
            _end()


def _answer(embedder: OnnxEmbedder, texts: list[str]) -> tuple[bool, Any]:
    try:
        steps = embedder.steps(texts, "index")
        while (ended := advance(steps)) is None:
            pass
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
