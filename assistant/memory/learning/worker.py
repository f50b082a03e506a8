"""Works through the lessons that wait, in the background: one at a time, bounded, never beside a running turn."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from assistant.core.errors import (
    AssistantError,
    CertificateError,
    ContextTooLongError,
    HostNotAllowedError,
    LocalModelError,
    ModelServerError,
    NoSuchModelError,
    RateLimitedError,
    StoreClosedError,
    UnreachableError,
    WrongKeyError,
)
from assistant.core.tasks import Supervisor
from assistant.memory.learning.queue import Lesson, LessonQueue

T = TypeVar("T")

_log = logging.getLogger(__name__)

NOT_THERE = (
    UnreachableError,
    CertificateError,
    WrongKeyError,
    NoSuchModelError,
    RateLimitedError,
    HostNotAllowedError,
    LocalModelError,
)
"""The model can't be had now, whatever it is asked: no lesson's fault."""

_CLOSING = 0.2
_REFUSED = re.compile(r"\s*HTTP 4\d\d\b")


class Interrupted(Exception):
    """A turn began while the model was asked."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How lessons are worked through.

    Attributes:
        lesson_timeout: seconds for one lesson.
        attempts: how often a lesson is tried before it is given up.
        first_rest, longest_rest: seconds between tries after a failure, doubled from one to the next; a new lesson
            ends a rest.
    """

    lesson_timeout: float = 120.0
    attempts: int = 3
    first_rest: float = 20.0
    longest_rest: float = 600.0


class LessonWorker:
    """Takes lessons from a queue until it is empty, and has each studied.

    Args:
        queue: gives the queue, once the memory is open.
        study: reads a lesson and takes it from the queue; False when it can't be read now. Asks models through `ask`
            only.
        tidy: drops what may not be learned from any more; whether anything may.
        host: where the model is that reads (see LessonQueue.take).
        steps_aside: whether a model that is asked is interrupted when a turn begins (one that runs on this computer
            has no time for two).
        tasks: owns the work.
        pace: see Pace.

    Attributes:
        given_up: lessons that no attempt could read.
    """

    def __init__(
        self,
        queue: Callable[[], Awaitable[LessonQueue]],
        study: Callable[[Lesson], Awaitable[bool]],
        *,
        tidy: Callable[[LessonQueue], Awaitable[bool]],
        host: Callable[[], str | None],
        steps_aside: Callable[[], bool],
        tasks: Supervisor,
        pace: Pace,
    ) -> None:
        self._queue = queue
        self._study = study
        self._tidy = tidy
        self._host = host
        self._steps_aside = steps_aside
        self._tasks = tasks
        self._pace = pace
        self._turns = 0
        self._quiet = asyncio.Event()
        self._quiet.set()
        self._stirred = asyncio.Event()
        self._pause: asyncio.Future[None] | None = None
        self._working: asyncio.Task[None] | None = None
        self._asked: asyncio.Task[Any] | None = None
        self._stop_asking: asyncio.Future[None] | None = None
        self._deadline = 0.0
        self._failures = 0
        self._closed = False
        self.given_up = 0

    def stir(self) -> None:
        """Begin to work, or end a rest."""
        self._stirred.set()
        idle = self._working is None or self._working.done()
        if idle and not self._closed and not self._tasks.is_closing:
            self._pause = asyncio.get_running_loop().create_future()
            self._working = self._tasks.start(self._work(), name="learn from what was said")

    @contextmanager
    def busy(self) -> Iterator[None]:
        """While it lasts, no model is asked."""
        self._turns += 1
        self._quiet.clear()
        stop = self._stop_asking
        if stop is not None and not stop.done() and self._steps_aside():
            stop.set_result(None)
        try:
            yield
        finally:
            self._turns -= 1
            if not self._turns:
                self._quiet.set()

    async def ask(self, question: Coroutine[Any, Any, T]) -> T:
        """The answer of a model, or whatever else may take long or never end.

        Raises:
            TimeoutError: the lesson's time is over. What was asked is left to itself: it may not heed.
            Interrupted: a turn began.
        """
        if self._turns and self._steps_aside():
            question.close()
            raise Interrupted
        if self._tasks.is_closing:
            question.close()
            raise StoreClosedError("Learning was closed.")
        loop = asyncio.get_running_loop()
        stop = self._stop_asking = loop.create_future()
        task: asyncio.Task[T | _Failure] = self._tasks.start(_answer(question), name="ask a model")
        self._asked = task
        try:
            left = max(self._deadline - loop.time(), 0.0)
            await asyncio.wait({task, stop}, timeout=left, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._stop_asking = None
            if not task.done():
                task.cancel()
        if task.done() and not task.cancelled():
            answer = task.result()
            if isinstance(answer, _Failure):
                raise answer.error
            return answer
        if stop.done():
            raise Interrupted
        raise TimeoutError

    async def rest(self, grace: float) -> bool:
        """Wait, at most `grace` seconds, until nothing is left to do, or nothing can be done after a failure; False
        when something is left."""
        if self._working is not None and not self._working.done():
            assert self._pause is not None
            waiting: list[asyncio.Future[None]] = [self._working, self._pause]
            await asyncio.wait(waiting, timeout=grace, return_when=asyncio.FIRST_COMPLETED)
        return self._working is None or self._working.done()

    async def close(self) -> None:
        """Stop; what is not done stays in the queue. Safe to call twice."""
        self._closed = True
        running = [task for task in (self._working, self._asked) if task is not None and not task.done()]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=_CLOSING)

    # ---- inside

    async def _work(self) -> None:
        try:
            queue = await self._queue()
            while True:
                self._stirred.clear()
                await self._quiet.wait()
                async with queue.order:
                    rest = await self._next(queue)
                if rest is not None:
                    await self._rest_for(rest)
                elif not self._stirred.is_set():
                    return
        except StoreClosedError:
            return
        except AssistantError as error:
            _log.warning("lessons wait: %s %s", error.title, error, exc_info=error)

    async def _next(self, queue: LessonQueue) -> float | None:
        """Work on one lesson; seconds to rest then, None when nothing can be done."""
        if not await self._tidy(queue):
            return None
        lesson = await queue.take(self._host())
        if lesson is None:
            return None
        if lesson.attempts > self._pace.attempts:
            await self._give_up(queue, lesson)
            return 0.0
        self._deadline = asyncio.get_running_loop().time() + self._pace.lesson_timeout
        try:
            studied = await self._study(lesson)
        except (asyncio.CancelledError, Interrupted) as stopped:
            await queue.give_back(lesson)
            if isinstance(stopped, asyncio.CancelledError):
                raise
            return 0.0
        except NOT_THERE as error:
            await queue.give_back(lesson)
            return self._wait_for(error)
        except StoreClosedError:
            raise
        except Exception as error:  # noqa: BLE001  # an extractor is anybody's code
            _log.warning("a lesson failed: %s", type(error).__name__, exc_info=error)
            if lesson.attempts >= self._pace.attempts or _is_hopeless(error):
                await self._give_up(queue, lesson)
            return self._wait_for(error)
        if not studied:
            await queue.give_back(lesson)
            return None
        self._failures = 0
        return 0.0

    async def _give_up(self, queue: LessonQueue, lesson: Lesson) -> None:
        self.given_up += 1
        _log.warning("a lesson was given up after %d attempts", self._pace.attempts)
        await queue.finish(lesson)

    def _wait_for(self, error: BaseException) -> float:
        pause = min(self._pace.first_rest * 2.0**self._failures, self._pace.longest_rest)
        self._failures = min(self._failures + 1, 20)
        if isinstance(error, RateLimitedError) and error.retry_after is not None:
            pause = max(pause, min(error.retry_after, self._pace.longest_rest))
        return pause

    async def _rest_for(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        assert self._pause is not None
        self._pause.set_result(None)
        try:
            await asyncio.wait_for(self._stirred.wait(), seconds)
        except TimeoutError:
            return
        finally:
            self._pause = asyncio.get_running_loop().create_future()


def _is_hopeless(error: Exception) -> bool:
    """Whether the same question can only fail again."""
    if isinstance(error, ContextTooLongError):
        return True
    return isinstance(error, ModelServerError) and _REFUSED.match(error.detail) is not None


@dataclass(frozen=True, slots=True)
class _Failure:
    error: BaseException


async def _answer(question: Coroutine[Any, Any, T]) -> T | _Failure:
    """A failure is told to whoever asked, not to the supervisor: nobody may wait for it any more."""
    try:
        return await question
    except Exception as error:  # noqa: BLE001  # raised again by whoever asked
        return _Failure(error)
