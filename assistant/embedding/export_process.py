"""Runs the export as a child process of low priority."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from assistant.core.errors import EmbeddingError
from assistant.core.process import child_command
from assistant.embedding.manifest import GRAVE_PREFIX, WORK_PREFIX

Progress = Callable[[str, int, int], None]
"""Called with a step in words, the steps done, and how many there are."""

EXPORT_MODULE = "assistant.embedding.export"
TIME_LIMIT = 600.0
_STALE_AFTER = 24 * 3600.0


async def run_export(
    weights: Path,
    target: Path,
    *,
    progress: Progress | None = None,
    time_limit: float = TIME_LIMIT,
    command: Sequence[str] | None = None,
) -> None:
    """Export the model in `weights` to the folder `target`, in a child process.

    Cancelling kills the child; what it had begun is removed.

    Args:
        weights: a model folder.
        target: where the export goes; its parent is made.
        progress: called in the event loop.
        time_limit: seconds after which the child is killed.
        command: the command line that `--weights`, `--target` and `--work` are added to; the project's own
            exporter when left out.

    Raises:
        EmbeddingError: the export failed, or took longer than `time_limit`.
    """
    loop = asyncio.get_running_loop()

    def on_progress(step: str, done: int, total: int) -> None:
        if progress is not None:
            loop.call_soon_threadsafe(progress, step, done, total)

    child = _ExportChild(list(command or child_command(EXPORT_MODULE)), weights, target, on_progress)
    executor = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embed-export")
    running = loop.run_in_executor(executor, child.run)
    try:
        done, _ = await asyncio.wait({running}, timeout=time_limit)
        if not done:
            raise EmbeddingError(f"Preparing the embedding model took longer than {time_limit:.0f} seconds.")
        running.result()
    finally:
        child.stop()
        try:
            await asyncio.wait({running})
        finally:
            executor.shutdown(wait=False)


class _ExportChild:
    """The child, its work folder and its output. `run` blocks a thread; `stop` may come from any."""

    def __init__(self, command: list[str], weights: Path, target: Path, on_progress: Progress) -> None:
        self._command = command
        self._weights = weights
        self._target = target
        self._on_progress = on_progress
        self._lock = threading.Lock()
        self._stopped = False
        self._process: subprocess.Popen[str] | None = None

    def run(self) -> None:
        work: Path | None = None
        try:
            self._target.parent.mkdir(parents=True, exist_ok=True)
            _sweep(self._target.parent)
            work = Path(tempfile.mkdtemp(prefix=WORK_PREFIX, dir=self._target.parent))
            self._run_in(work)
        except OSError as exc:
            raise EmbeddingError("The embedding model could not be prepared.", detail=str(exc)) from exc
        finally:
            if work is not None:
                shutil.rmtree(work, ignore_errors=True)

    def stop(self) -> None:
        with self._lock:
            self._stopped = True
            if self._process is not None and self._process.poll() is None:
                self._process.kill()

    def _run_in(self, work: Path) -> None:
        error = ""
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as noise:
            with self._lock:
                if self._stopped:
                    return
                self._process = _start(
                    [
                        *self._command,
                        "--weights",
                        str(self._weights),
                        "--target",
                        str(self._target),
                        "--work",
                        str(work),
                    ],
                    noise.fileno(),
                )
            with self._process as process:
                for line in process.stdout or ():
                    error = self._read_line(line) or error
            if process.returncode != 0 and not self._stopped:
                noise.seek(0)
                raise EmbeddingError(
                    "The embedding model could not be prepared.",
                    detail=error or f"exit code {process.returncode}: {noise.read()[-2000:]}",
                )

    def _read_line(self, line: str) -> str:
        """Pass a line of progress on; the error that it tells, else an empty text."""
        try:
            entry = json.loads(line)
            if "error" in entry:
                return str(entry["error"])
            self._on_progress(str(entry["step"]), int(entry["done"]), int(entry["total"]))
        except (ValueError, KeyError, TypeError):
            return ""
        return ""


def _sweep(cache: Path) -> None:
    """Remove what exports left behind that were killed together with the app."""
    for prefix in (WORK_PREFIX, GRAVE_PREFIX):
        for folder in cache.glob(f"{prefix}*"):
            with suppress(OSError):
                if time.time() - folder.stat().st_mtime > _STALE_AFTER:
                    shutil.rmtree(folder, ignore_errors=True)


def _start(command: list[str], noise: int) -> subprocess.Popen[str]:
    flags = 0
    if sys.platform == "win32":
        flags = subprocess.BELOW_NORMAL_PRIORITY_CLASS | subprocess.CREATE_NO_WINDOW
    environment = dict(os.environ)
    if not getattr(sys, "frozen", False):
        # The child finds this very package, wherever the app was started from.
        home = str(Path(__file__).resolve().parents[2])
        environment["PYTHONPATH"] = os.pathsep.join(filter(None, (home, environment.get("PYTHONPATH"))))
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=noise,
        text=True,
        encoding="utf-8",
        env=environment,
        creationflags=flags,
    )
