"""One run of the local server's process, watched from a thread so that any event loop can wait for it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import threading
from collections import deque
from collections.abc import Callable
from typing import Any

from assistant.core.errors import LocalModelError
from assistant.core.process import start_child

MODULE = "assistant.models.local_server"
_STDERR_LINES = 40


class ServerProcess:
    """Starts the process and tells when it is ready and when it has ended.

    Args:
        order: makes the line that the process reads (see `local_server`); is called in the watching thread, so
            it may block, and may raise LocalModelError.

    Attributes:
        ready: the server's port, or the LocalModelError that kept it from starting.
        ended: set once the process is gone.
    """

    def __init__(self, order: Callable[[], dict[str, Any]]) -> None:
        self._loop = asyncio.get_running_loop()
        self._order = order
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._unwanted = False
        self._complaints: deque[str] = deque(maxlen=_STDERR_LINES)
        self.ready: asyncio.Future[int] = self._loop.create_future()
        self.ended = asyncio.Event()
        # Nobody may be waiting for a start that is given up.
        self.ready.add_done_callback(lambda future: future.cancelled() or future.exception())
        threading.Thread(target=self._run, name="keepsake-local-model", daemon=True).start()

    @property
    def pid(self) -> int | None:
        """The process's id, None before it runs."""
        return None if self._process is None else self._process.pid

    @property
    def complaints(self) -> str:
        """The last that it wrote to standard error."""
        return "\n".join(self._complaints)

    async def end(self, *, grace: float = 0.15) -> None:
        """End it: ask first, after `grace` seconds kill. Returns when it is gone."""
        self._signal(subprocess.Popen.terminate)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(grace):
                await self.ended.wait()
                return
        self.kill()
        await self.ended.wait()

    def kill(self) -> None:
        """End it at once, without waiting."""
        self._signal(subprocess.Popen.kill)

    def _signal(self, send: Callable[[subprocess.Popen[bytes]], None]) -> None:
        with self._lock:
            self._unwanted = True
            process = self._process
        if process is not None:
            with contextlib.suppress(OSError):
                send(process)

    def _run(self) -> None:
        try:
            self._serve(self._order())
        except LocalModelError as error:
            self._tell_ready(error)
        except OSError as exc:
            self._tell_ready(LocalModelError("The local model's program can't be started.", detail=str(exc)))
        finally:
            self._in_loop(self.ended.set)

    def _serve(self, order: dict[str, Any]) -> None:
        with self._lock:
            if self._unwanted:
                raise LocalModelError("The start of the local model was given up.")
            self._process = process = start_child(
                MODULE, stderr=subprocess.PIPE, environment={"GGML_NO_BACKTRACE": "1"}
            )
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        complaining = threading.Thread(target=self._read_complaints, args=(process.stderr,), daemon=True)
        complaining.start()
        with process.stdin, process.stdout, process.stderr:
            with contextlib.suppress(OSError):
                process.stdin.write(json.dumps(order).encode() + b"\n")
                process.stdin.flush()
            report = process.stdout.readline()
            port = _port_in(report)
            if port is not None:
                self._tell_ready(port)
            code = process.wait()
            complaining.join(1)
            if port is None:
                self._tell_ready(self._failure(report, code))

    def _read_complaints(self, stream: Any) -> None:
        with contextlib.suppress(ValueError, OSError):
            for line in stream:
                self._complaints.append(line.decode("utf-8", "replace").rstrip()[:300])

    def _failure(self, report: bytes, code: int) -> LocalModelError:
        why = report.decode("utf-8", "replace").strip()
        return LocalModelError(
            "The model file can't be loaded.",
            hint="It may need more memory than is free, or be of a kind that is not supported;"
            " try a smaller one, or choose another in Settings.",
            detail=f"exit code {code}\n{why}\n{self.complaints}",
        )

    def _tell_ready(self, result: int | LocalModelError) -> None:
        def tell() -> None:
            if self.ready.done():
                return
            if isinstance(result, int):
                self.ready.set_result(result)
            else:
                self.ready.set_exception(result)

        self._in_loop(tell)

    def _in_loop(self, call: Callable[[], object]) -> None:
        # The loop may have been closed while the process was ending.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(call)


def _port_in(report: bytes) -> int | None:
    try:
        port = json.loads(report)["port"]
    except (ValueError, KeyError, TypeError):
        return None
    return port if isinstance(port, int) else None
