"""Where messages go around the one that stays. Pure arithmetic: no widgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Viewport:
    """What messages are placed in, in pixels: its height, the margin above the first and below the last message,
    and the gap that each message's height includes."""

    height: int
    margin: int
    gap: int


@dataclass(slots=True)
class Anchor:
    """What stays where it is: the top of message `message_id` is `offset` pixels below the top of the viewport.
    `pinned` beats it: then the end of the conversation stays at the bottom. `room` pixels may stay empty below the
    end, so that a message does not move when what was behind it goes."""

    message_id: str = ""
    offset: int = 0
    pinned: bool = True
    room: int = 0


class Placement:
    """Messages placed without a hole around one of them.

    Attributes:
        tops: the top of each placed message below the top of the viewport, by position.
        at_end: whether the end of the last message is in sight, and at the bottom if it can be.
        room: pixels that stay empty below the end.
    """

    def __init__(
        self, count: int, measure: Callable[[int], int], viewport: Viewport, *, room: int = 0
    ) -> None:
        """`measure(position)` gives a height, gap included, and is asked for the messages that are placed only. `room`
        pixels may stay empty below the end."""
        self._count = count
        self._measure = measure
        self._viewport = viewport
        self.room = room
        self._first = self._last = 0
        self.tops: dict[int, int] = {}
        self.at_end = False

    def around(self, index: int, top: int) -> None:
        """Place message `index` at `top` and all others that are in sight then. Where that would leave a hole, at
        the end or at the beginning, everything moves to fill it."""
        self._first = self._last = index
        self.tops = {index: top}
        self._go_down()
        self._go_up()
        end = self._viewport.height - self._viewport.margin + self._viewport.gap
        missing = end - self._bottom()
        self.at_end = self._last == self._count - 1 and missing >= 0
        self.room = max(0, min(self.room, missing))
        if self.at_end:
            self._shift(missing - self.room)
            self._go_up()
        if self._first == 0 and self.tops[0] >= self._viewport.margin:
            self.room = 0
            self._shift(self._viewport.margin - self.tops[0])
            self._go_down()
        self.at_end = self.at_end and not self.room

    def from_end(self) -> None:
        """Place the last messages at the bottom, or all from the top when they are fewer than fit."""
        last = self._count - 1
        height = self._measure(last)
        self.around(last, self._viewport.height - self._viewport.margin + self._viewport.gap - height)

    def _bottom(self) -> int:
        return self.tops[self._last] + self._measure(self._last)

    def _go_down(self) -> None:
        while self._last + 1 < self._count and self._bottom() < self._viewport.height:
            self.tops[self._last + 1] = self._bottom()
            self._last += 1

    def _go_up(self) -> None:
        while self._first > 0 and self.tops[self._first] > 0:
            self.tops[self._first - 1] = self.tops[self._first] - self._measure(self._first - 1)
            self._first -= 1

    def _shift(self, distance: int) -> None:
        for index in self.tops:
            self.tops[index] += distance
