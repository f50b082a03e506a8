"""Work with a model that is nobody's reply: done beside the turns, one piece at a time, when nothing is running."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from contextvars import Context
from dataclasses import dataclass
from typing import Any

from assistant.core.errors import AssistantError
from assistant.core.tasks import Supervisor

_log = logging.getLogger(__name__)

Work = Callable[[], Coroutine[Any, Any, None]]

REST = 3.0
"""Seconds without a turn after which work begins."""
LONGEST = 120.0
"""Seconds that a piece of work may take."""
_CLOSING = 0.2


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of work that waits.

    Attributes:
        name: a later piece of the same name takes its place.
        work: what to do; may be ended at any await, and is done anew then.
        rest: seconds without a turn before it begins.
        since: the loop's time from which they count at the earliest.
        steps_aside: it ends when a turn begins, to be done anew later.
        context: context variables that it sees, None for a copy of whoever began the work.
    """

    name: str
    work: Work
    rest: float
    since: float
    steps_aside: bool
    context: Context | None


class AfterHours:
    """Does pieces of work in the order in which their time comes.

    A piece that fails, or takes too long, is not done again. One that does not heed its end (a model that never
    returns) keeps the others waiting: no second model is asked while a first one may still be at work.

    Args:
        tasks: owns the work.
        first: awaited before each piece: what has precedence (what was said is read before it is looked through).
        rest: seconds without a turn, when a piece names no other number.
        longest: seconds for one piece.
    """

    def __init__(
        self,
        tasks: Supervisor,
        *,
        first: Callable[[], Awaitable[object]] | None = None,
        rest: float = REST,
        longest: float = LONGEST,
    ) -> None:
        self._tasks = tasks
        self._first = first
        self._rest = rest
        self._longest = longest
        self._waiting: dict[str, _Piece] = {}
        self._turns = 0
        self._quiet_since = float("-inf")
        self._changed = asyncio.Event()
        self._settled = asyncio.Event()
        self._settled.set()
        self._working: asyncio.Task[None] | None = None
        self._running: asyncio.Task[None] | None = None
        self._stop: asyncio.Future[None] | None = None

    def put(
        self,
        name: str,
        work: Work,
        *,
        rest: float | None = None,
        steps_aside: bool = True,
        context: Context | None = None,
    ) -> None:
        """Have `work` done later, once; in place of what waits under the same name. See _Piece."""
        if self._tasks.is_closing:
            return
        now = asyncio.get_running_loop().time()
        self._waiting.pop(name, None)
        wanted = self._rest if rest is None else rest
        self._waiting[name] = _Piece(name, work, wanted, now, steps_aside, context)
        self._settled.clear()
        self._changed.set()
        if self._working is None or self._working.done():
            self._working = self._tasks.start(self._work(), name="work after hours")

    @contextmanager
    def busy(self) -> Iterator[None]:
        """While it lasts a turn is running: nothing begins, and what steps aside ends."""
        self._turns += 1
        stop = self._stop
        if stop is not None and not stop.done():
            stop.set_result(None)
        try:
            yield
        finally:
            self._turns -= 1
            if not self._turns:
                self._quiet_since = asyncio.get_running_loop().time()
                self._changed.set()

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of the pieces that are not begun, the oldest first."""
        return tuple(self._waiting)

    async def settle(self, grace: float) -> bool:
        """Wait, at most `grace` seconds, until nothing is left to do; False when something is."""
        try:
            await asyncio.wait_for(self._settled.wait(), grace)
        except TimeoutError:
            return False
        return True

    async def clear(self) -> None:
        """End what is being done and drop what waits; more can be put afterwards. Safe to call twice."""
        self._waiting.clear()
        ending = [task for task in (self._working, self._running) if task is not None and not task.done()]
        self._working = None
        self._settled.set()
        for task in ending:
            task.cancel()
        if ending:
            await asyncio.wait(ending, timeout=_CLOSING)

    # ---- inside

    async def _work(self) -> None:
        while self._waiting:
            self._changed.clear()
            piece, wait = self._next()
            if piece is None:
                await self._wait(wait)
                continue
            if self._first is not None:
                await _told(self._first(), "what comes first")
            if self._turns or self._waiting.get(piece.name) is not piece:
                continue
            del self._waiting[piece.name]
            await self._do(piece)
        self._settled.set()

    def _next(self) -> tuple[_Piece | None, float | None]:
        """The piece whose time has come, or the seconds until one's time comes, None while a turn is running."""
        if self._turns:
            return None, None
        now = asyncio.get_running_loop().time()
        piece = min(self._waiting.values(), key=self._due)
        wait = self._due(piece) - now
        return (piece, 0.0) if wait <= 0 else (None, wait)

    def _due(self, piece: _Piece) -> float:
        return max(self._quiet_since, piece.since) + piece.rest

    async def _wait(self, seconds: float | None) -> None:
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return

    async def _do(self, piece: _Piece) -> None:
        task = self._running = self._tasks.start(
            _told(piece.work(), piece.name), name=piece.name, context=piece.context
        )
        stop = asyncio.get_running_loop().create_future()
        if piece.steps_aside:
            self._stop = stop
        try:
            await asyncio.wait({task, stop}, timeout=self._longest, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._stop = None
            task.cancel()
        if not task.done() or task.cancelled():
            if stop.done():
                self._waiting.setdefault(piece.name, piece)
            else:
                _log.warning("%s took too long and was ended", piece.name)
        if not task.done():
            await asyncio.wait([task])


async def _told(work: Awaitable[object], name: str) -> None:
    """A failure is told to the log: nobody waits for it."""
    try:
        await work
    except AssistantError as error:
        _log.info("%s: %s %s", name, error.title, error)
    except Exception as error:  # noqa: BLE001  # models and guardrails are anybody's code
        _log.warning("%s failed: %s", name, type(error).__name__, exc_info=error)
