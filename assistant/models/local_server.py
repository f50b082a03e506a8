"""The child process that runs a model file: llama.cpp behind a key, on loopback, until its parent is gone.

Reads one line of JSON from its input:
    {"model_path": …, "alias": …, "api_key": …, "context": tokens, "reply_limit": tokens, "threads": n,
     "temperature": n or null}
Prints one line of JSON when it is ready, {"port": n}, or {"error": text} when it can't be.
Ends when its input closes, so that it can't outlive the program that started it, however that ends.
"""

from __future__ import annotations

import ctypes
import json
import os
import signal
import sys
import threading
import time
from typing import Any, BinaryIO

_NICENESS = 5
_PROMPT_CACHE_MIB = 256
_CHECK_SECONDS = 1.0
_PR_SET_PDEATHSIG = 1
# A page's origin is never this, so no page is ever allowed in.
_NO_ORIGIN = "http://keepsake.invalid"


def main() -> int:
    """Serve until the input closes."""
    parent = os.getppid()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # A frozen program without a console has no sys.stdin, but still the pipe.
    source, report = os.fdopen(0, "rb"), _own_stdout()
    order = json.loads(source.readline() or b"null")
    if order is None:
        return 1
    _die_with_parent_while_busy()
    _end_with(source, parent)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    try:
        server = _serve(order)
    except RuntimeError as exc:
        _tell(report, {"error": str(exc)})
        return 1
    _tell(report, {"port": int(server.listening_address.rpartition(":")[2])})
    while True:
        time.sleep(3600)


def _serve(order: dict[str, Any]) -> Any:
    """The running llama.cpp server, loaded and listening.

    Raises:
        RuntimeError: the model can't be loaded.
    """
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = order["model_path"]
    params.model_alias = {order["alias"]}
    params.n_ctx = order["context"]
    params.n_predict = order["reply_limit"]
    if order["temperature"] is not None:
        params.sampling.temp = order["temperature"]
    params.n_parallel = 1
    params.cpuparams.n_threads = order["threads"]
    params.cpuparams_batch.n_threads = order["threads"]
    params.cache_ram_mib = _PROMPT_CACHE_MIB
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.api_keys = [order["api_key"]]
    params.cors_origins = _NO_ORIGIN
    params.cors_methods = "POST"
    params.cors_headers = ""
    params.cors_credentials = False
    params.ui = False
    params.endpoint_slots = False
    params.endpoint_metrics = False
    params.endpoint_props = False
    # Errors only: anything more quotes prompts.
    params.verbosity = 0
    return xllamacpp.Server(params)


def _die_with_parent_while_busy() -> None:
    """On Linux, let the kernel end this process with its parent.

    Loading a model keeps the interpreter's lock, so no thread here could see the input close meanwhile. The
    kernel watches the thread that started this process; ServerProcess keeps that thread until this one ends.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _end_with(source: BinaryIO, parent: int) -> None:
    def input_closed() -> None:
        while source.read(4096):
            pass
        os._exit(0)

    def parent_changed() -> None:
        # A process that the parent forked may hold the input open after the parent itself is gone.
        while os.getppid() == parent:
            time.sleep(_CHECK_SECONDS)
        os._exit(0)

    watchers = [input_closed] if os.name == "nt" else [input_closed, parent_changed]
    for watcher in watchers:
        threading.Thread(target=watcher, daemon=True).start()


def _own_stdout() -> BinaryIO:
    """The output for reports alone; whatever libraries print goes to standard error."""
    report = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return report


def _tell(report: BinaryIO, what: dict[str, Any]) -> None:
    report.write(json.dumps(what).encode() + b"\n")
    report.flush()


if __name__ == "__main__":
    sys.exit(main())
