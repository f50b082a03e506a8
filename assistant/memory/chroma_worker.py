"""The Chroma process: answers the calls of `chroma_process` one after the other until its input closes.

Run with `core.process.start_child`. It can't outlive the program: when that ends, however it ends, the input closes.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

from assistant.core.errors import AssistantError, MemoryStoreError, StoreFullError, StoreInUseError
from assistant.core.frames import receive, send
from assistant.memory.chroma_client import ChromaPlace, translated
from assistant.memory.chroma_collections import ChromaCollections

NICENESS = 10
_PREDECESSOR_SECONDS = 3.0
"""How long a killed program's process may take to notice and give the folder back."""


def main(kind: type[ChromaCollections] = ChromaCollections, *, locked: bool = False) -> None:
    """Serve the folder that the first frame names.

    Args:
        kind: whose methods are called.
        locked: whoever calls holds the folder's own lock (see ChromaPlace).
    """
    # Ctrl+C in a terminal goes to the whole group; this process ends when its input does, after what it is writing.
    for name in ("SIGINT", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    calls, answers = sys.stdin.buffer, sys.stdout.buffer
    # What a library prints must not get between the frames.
    sys.stdout = sys.stderr
    try:
        collections = kind(ChromaPlace(directory=Path(receive(calls)), locked=locked))
        while True:
            method, arguments = receive(calls)
            send(answers, _answer(collections, method, arguments))
            if method == "close":
                # The store is closed; taking the interpreter apart would only keep the window waiting.
                os._exit(0)
    except (EOFError, BrokenPipeError):
        return


def _answer(collections: ChromaCollections, method: str, arguments: tuple[Any, ...]) -> tuple[bool, Any]:
    end = time.monotonic() + _PREDECESSOR_SECONDS
    while True:
        try:
            with translated("The memory could not be used."):
                return True, getattr(collections, method)(*arguments)
        except StoreInUseError as error:
            if time.monotonic() > end:
                return False, error
            time.sleep(0.05)
        except AssistantError as error:
            if isinstance(error, StoreFullError | MemoryStoreError) and error.__cause__ is not None:
                collections.start_over()
            # The cause is a foreign error that may not travel; its text is in the detail.
            error.__cause__ = None
            return False, error


if __name__ == "__main__":
    main()
