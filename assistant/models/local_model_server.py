"""The server for a model file on this computer: started when needed, restarted after a crash."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import secrets
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from assistant.core.errors import LocalModelError
from assistant.core.tasks import Supervisor
from assistant.models.endpoint import Endpoint
from assistant.models.gguf import GGUFInfo, read_gguf
from assistant.models.server_process import ServerProcess
from assistant.models.trial_model import trial_model_path

_log = logging.getLogger(__name__)

LocalServerState = Literal["stopped", "starting", "ready", "crashed", "failed"]
"""crashed: it ended by itself and is started again when it is needed. failed: it can't be started."""

StateListener = Callable[[LocalServerState], None]

DEFAULT_CONTEXT = 8192
"""Tokens; a model's own window may be far larger than the memory for it."""
_START = "start of the local model"
_SMOLLM_TEMPERATURE = 0.2
"""What its makers recommend (SmolLM2's model card); the server's own .8 makes so small a model ramble."""
_SMOLLM_REPLY = 1024
"""Tokens; it can fall into repeating itself without end."""
_QUANTISATION = re.compile(r"[.-](?:i?q\d[\w]*|[bf]?f16|f32|mxfp4\w*)$", re.IGNORECASE)


class LocalModelServer:
    """Runs a GGUF file behind a random key on loopback, in a process that can't outlive this one.

    Args:
        gguf_path: the model file; None for the trial model.
        context: tokens that it reads; by default the model's own window, at most DEFAULT_CONTEXT.
        threads: processor threads; by default one core stays free for the window. More threads than free
            cores make llama.cpp more than ten times slower, because they wait for each other.
        start_timeout: seconds until it must be ready.
        steady_after: seconds; one that crashes later is started again at once. One that crashes sooner would
            only crash again, so the next message starts it.
        on_state: called in the loop at each change of state.

    Raises:
        LocalModelError: the trial model is asked for and not installed.
    """

    def __init__(
        self,
        gguf_path: Path | None = None,
        *,
        context: int | None = None,
        threads: int | None = None,
        start_timeout: float = 180.0,
        steady_after: float = 10.0,
        on_state: StateListener | None = None,
    ) -> None:
        self._path = (gguf_path or trial_model_path()).expanduser().absolute()
        self._context = context
        self._threads = threads or _default_threads()
        self._start_timeout = start_timeout
        self._steady_after = steady_after
        self._on_state = on_state
        # The error reaches those who wait for the start; a restart that fails shows in the state.
        self._supervisor = Supervisor(lambda name, error: _log.warning("%s: %s", name, error))
        self._starting: asyncio.Task[Endpoint] | None = None
        self._process: ServerProcess | None = None
        self._endpoint: Endpoint | None = None
        self._state: LocalServerState = "stopped"

    @property
    def model_name(self) -> str:
        """The file's name without its ending and quantisation, such as "SmolLM2-135M-Instruct"."""
        return _QUANTISATION.sub("", self._path.stem) or self._path.stem

    @property
    def path(self) -> Path:
        """The model file."""
        return self._path

    @property
    def state(self) -> LocalServerState:
        """What it is doing."""
        return self._state

    @property
    def endpoint(self) -> Endpoint | None:
        """Where it answers, None unless it is ready."""
        return self._endpoint

    @property
    def pid(self) -> int | None:
        """Its process, None when there is none."""
        return None if self._process is None else self._process.pid

    async def start(self) -> Endpoint:
        """Start it unless it runs, and wait until it is ready.

        Cancelling the wait does not stop the start: the model is loaded for the next message.

        Raises:
            LocalModelError: the file is missing, not a chat model, too big, or can't be loaded.
        """
        if self._endpoint is not None:
            return self._endpoint
        starting = self._begin()
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            if starting.cancelled() and not _is_being_cancelled():
                raise LocalModelError("The start of the local model was given up.") from None
            raise

    async def stop(self) -> None:
        """End its process, in less than .3 s. Safe to call twice; `start` works again afterwards."""
        starting, self._starting = self._starting, None
        process, self._process, self._endpoint = self._process, None, None
        if starting is not None:
            starting.cancel()
        if process is not None:
            await process.end()
        self._set_state("stopped")

    async def has_ended(self, *, within: float = 0.5) -> bool:
        """Whether its process is gone; waits a moment, as a connection breaks a little before that shows."""
        process = self._process
        if process is None:
            return True
        try:
            async with asyncio.timeout(within):
                await process.ended.wait()
        except TimeoutError:
            return False
        return True

    def _begin(self) -> asyncio.Task[Endpoint]:
        if self._starting is None or self._starting.done():
            self._starting = self._supervisor.start(self._launch(), name=_START)
        return self._starting

    async def _launch(self) -> Endpoint:
        self._set_state("starting")
        key = secrets.token_hex(32)
        process = self._process = ServerProcess(lambda: self._order(key))
        try:
            async with asyncio.timeout(self._start_timeout):
                port = await process.ready
        except TimeoutError:
            process.kill()
            self._set_state("failed")
            raise LocalModelError(
                f"The local model was not ready after {self._start_timeout:.0f} seconds.",
                hint="Close other programs, or choose a smaller model in Settings.",
                detail=process.complaints,
            ) from None
        except LocalModelError:
            self._process = None
            self._set_state("failed")
            raise
        except asyncio.CancelledError:
            process.kill()
            raise
        self._endpoint = Endpoint("local", f"http://127.0.0.1:{port}/v1", api_key=key)
        self._supervisor.start(self._watch(process, time.monotonic()), name="watch over the local model")
        self._set_state("ready")
        return self._endpoint

    async def _watch(self, process: ServerProcess, since: float) -> None:
        await process.ended.wait()
        if process is not self._process:
            return
        _log.warning("the local model ended by itself")
        self._process = self._endpoint = None
        self._set_state("crashed")
        if time.monotonic() - since >= self._steady_after:
            self._begin()

    def _order(self, key: str) -> dict[str, Any]:
        info = read_gguf(self._path)
        _check_memory(info)
        context = self._context or min(info.context_length or DEFAULT_CONTEXT, DEFAULT_CONTEXT)
        is_small = self.model_name.startswith("SmolLM2")
        return {
            "model_path": str(self._path),
            "alias": self.model_name,
            "api_key": key,
            "context": context,
            "reply_limit": min(context // 2, _SMOLLM_REPLY if is_small else context),
            "threads": self._threads,
            "temperature": _SMOLLM_TEMPERATURE if is_small else None,
        }

    def _set_state(self, state: LocalServerState) -> None:
        if state == self._state:
            return
        self._state = state
        if self._on_state is not None:
            self._on_state(state)


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _default_threads() -> int:
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 2
    # Larger processors count each core twice, or have slow ones that would hold up the fast.
    return max(1, usable - 1 if usable <= 4 else usable // 2)


def _check_memory(info: GGUFInfo) -> None:
    memory = _memory_bytes()
    if memory is not None and info.size > memory:
        raise LocalModelError(
            f"{info.path.name} needs about {info.size / 1e9:.0f} GB of memory;"
            f" this computer has {memory / 1e9:.0f} GB.",
            hint="Choose a smaller model in Settings.",
        )


def _memory_bytes() -> int | None:
    """The computer's memory, None where the system does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return None
