"""One owner for all tasks, so that no failure is silent and closing cancels everything."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context
from typing import Any, TypeVar

S = TypeVar("S")
T = TypeVar("T")

_log = logging.getLogger(__name__)

_SLICE = 32

FailureHandler = Callable[[str, BaseException], None]


class Supervisor:
    """Creates, names and ends tasks.

    Args:
        on_failure: called in the loop with the task's name and its exception, once for each failed task.
            Without it the failure is logged.
    """

    def __init__(self, on_failure: FailureHandler | None = None) -> None:
        self._on_failure = on_failure
        self._tasks: dict[asyncio.Task[Any], str] = {}
        self._slots: dict[str, asyncio.Task[Any]] = {}
        self._closed = False

    def start(
        self,
        work: Coroutine[Any, Any, Any],
        *,
        name: str,
        replaces: bool = False,
        context: Context | None = None,
    ) -> asyncio.Task[Any]:
        """Run `work` as a task that this supervisor owns.

        Args:
            work: the coroutine.
            name: what it is, for logs and errors.
            replaces: cancel the running task of the same name first (a newer search ends an older one).
            context: the context variables that it sees; a copy of the caller's by default.

        Raises:
            RuntimeError: after close.
        """
        if self._closed:
            work.close()
            raise RuntimeError(f"{name}: the application is closing")
        if replaces and (previous := self._slots.get(name)) is not None:
            previous.cancel()
        task = asyncio.get_running_loop().create_task(work, name=name, context=context)
        self._tasks[task] = name
        self._slots[name] = task
        task.add_done_callback(self._finished)
        return task

    def cancel(self, name: str) -> bool:
        """Cancel the newest task of that name; False when none is running."""
        task = self._slots.get(name)
        return task is not None and task.cancel()

    @property
    def running(self) -> tuple[str, ...]:
        """Names of the tasks that have not ended."""
        return tuple(self._tasks.values())

    @property
    def is_closing(self) -> bool:
        """Whether `close` was called: nothing can be started any more."""
        return self._closed

    async def rest(self, *, grace: float) -> bool:
        """Wait, at most `grace` seconds, until no task runs but the caller's; False when some still do."""
        loop = asyncio.get_running_loop()
        end = loop.time() + grace
        while tasks := [task for task in self._tasks if task is not asyncio.current_task()]:
            left = end - loop.time()
            if left <= 0:
                return False
            await asyncio.wait(tasks, timeout=left)
        return True

    async def close(self, *, grace: float = 0.5) -> None:
        """Cancel all tasks and wait for them, at most `grace` seconds. Safe to call twice."""
        self._closed = True
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks, timeout=grace)
            for task in late:
                _log.warning("task %s did not end within %.1f s", task.get_name(), grace)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        name = self._tasks.pop(task, task.get_name())
        if self._slots.get(name) is task:
            del self._slots[name]
        if task.cancelled():
            return
        error = task.exception()
        if error is None:
            return
        if self._on_failure is None:
            _log.error("task %s failed", name, exc_info=error)
        else:
            self._on_failure(name, error)


async def in_slices(work: Callable[[S], T], items: Iterable[S]) -> list[T]:
    """`work` of each item in turn, in the loop's thread but never for long: the loop's other work goes on in between.

    Cancelling ends it; an exception of `work` comes through.
    """
    results: list[T] = []
    for item in list(items):
        results.append(work(item))
        if len(results) % _SLICE == 0:
            await asyncio.sleep(0)
    return results
