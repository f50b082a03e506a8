"""Who stands next to whom: each turn with the turns just before and after it in its session.

A short turn ("Yes, since March!") rarely says what it is about; its neighbours do. So a turn is scored together with
its window, whose members count the less the farther away they are. Scores of windows are had from scores of their
members: nothing is embedded or indexed twice.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from assistant.embedding.base import Vectors

Floats = NDArray[np.float32]
Slots = NDArray[np.int64]

NEAR = (0.5, 0.25, 0.125)
"""The weight of a neighbour at distance 1, 2, 3 beside the turn's own 1."""

_CHUNK = 4096
_NOBODY = -1


class Windows:
    """Links between slots, with the length of each window's summed vector.

    Args:
        sessions: code of each slot's session, 0 for none.
        positions: order of each slot within its session.
    """

    def __init__(self, sessions: NDArray[np.int32], positions: NDArray[np.int64]) -> None:
        size = len(sessions)
        self._before = np.full(size, _NOBODY, np.int64)
        self._after = np.full(size, _NOBODY, np.int64)
        self._last: dict[int, int] = {}
        self._steps: list[tuple[Slots, Slots]] | None = None
        self._norms = np.zeros(size, np.float32)
        self._stale: set[int] | None = None
        linked = np.flatnonzero(sessions > 0)
        order = linked[np.lexsort((linked, positions[linked], sessions[linked]))]
        if not len(order):
            return
        same = sessions[order[1:]] == sessions[order[:-1]]
        self._before[order[1:][same]] = order[:-1][same]
        self._after[order[:-1][same]] = order[1:][same]
        ends = order[np.append(~same, True)]
        self._last = dict(zip(sessions[ends].tolist(), ends.tolist(), strict=True))

    def grow(self, size: int) -> None:
        """Make room for slots below `size`; the new ones have no neighbours."""
        more = size - len(self._before)
        self._before = np.append(self._before, np.full(more, _NOBODY, np.int64))
        self._after = np.append(self._after, np.full(more, _NOBODY, np.int64))
        self._norms = np.append(self._norms, np.zeros(more, np.float32))
        self._steps = None

    def link(self, slot: int, session: int, positions: NDArray[np.int64]) -> None:
        """Put a slot at its place in a session."""
        before, after = self._last.get(session, _NOBODY), _NOBODY
        while before != _NOBODY and positions[before] > positions[slot]:
            before, after = int(self._before[before]), before
        self._join(before, slot)
        self._join(slot, after)
        if after == _NOBODY:
            self._last[session] = slot
        self.touch(slot)

    def unlink(self, slot: int, session: int) -> None:
        """Take a slot out of its session; its neighbours become each other's."""
        self.touch(slot)
        before, after = int(self._before[slot]), int(self._after[slot])
        self._join(before, after)
        self._before[slot] = self._after[slot] = _NOBODY
        if self._last.get(session) == slot:
            if before == _NOBODY:
                del self._last[session]
            else:
                self._last[session] = before

    def touch(self, slot: int) -> None:
        """Note that a slot's vector or neighbours have changed."""
        self._steps = None
        if self._stale is None:
            return
        self._stale.add(slot)
        for links in (self._before, self._after):
            near = slot
            for _ in NEAR:
                near = int(links[near])
                if near == _NOBODY:
                    break
                self._stale.add(near)

    def forget_norms(self) -> None:
        """Note that many vectors have changed."""
        self._stale = None

    def spread(self, values: Floats) -> Floats:
        """Each slot's value plus its neighbours', weighted by NEAR.

        Args:
            values: float32, one for each slot.
        """
        padded = np.append(values, np.float32(0))
        total = values.copy()
        for weight, (before, after) in zip(NEAR, self._reached(len(values)), strict=True):
            total += np.float32(weight) * (padded[before] + padded[after])
        return total

    def best(self, values: Floats) -> Floats:
        """The highest value within each slot's window."""
        padded = np.append(values, np.float32(-np.inf))
        highest = values.copy()
        for before, after in self._reached(len(values)):
            np.maximum(highest, padded[before], out=highest)
            np.maximum(highest, padded[after], out=highest)
        return highest

    def previous(self, count: int) -> Slots:
        """The slot before each of the first `count`; -1 for none."""
        return self._before[:count]

    def norms(self, vectors: Vectors) -> Floats:
        """The length of each window's summed vector: a window's cosine is spread(cosines) / norms.

        Args:
            vectors: float32 of shape (count, dimension).
        """
        count = len(vectors)
        if self._stale is None:
            for start in range(0, count, _CHUNK):
                self._measure(np.arange(start, min(start + _CHUNK, count)), vectors)
        elif self._stale:
            self._measure(np.fromiter(self._stale, np.int64), vectors)
        self._stale = set()
        return self._norms[:count]

    def _join(self, before: int, after: int) -> None:
        if before != _NOBODY:
            self._after[before] = after
        if after != _NOBODY:
            self._before[after] = before

    def _reached(self, count: int) -> list[tuple[Slots, Slots]]:
        """For each distance, the slot before and after each of the first `count`; -1 for none."""
        if self._steps is None or len(self._steps[0][0]) != count:
            before, after = self._before[:count], self._after[:count]
            padded_before, padded_after = np.append(before, _NOBODY), np.append(after, _NOBODY)
            self._steps = [(before, after)]
            for _ in NEAR[1:]:
                near_before, near_after = self._steps[-1]
                self._steps.append((padded_before[near_before], padded_after[near_after]))
        return self._steps

    def _measure(self, slots: Slots, vectors: Vectors) -> None:
        total = vectors[slots].copy()
        before, after = slots, slots
        for weight in NEAR:
            before = np.where(before == _NOBODY, _NOBODY, self._before[before])
            after = np.where(after == _NOBODY, _NOBODY, self._after[after])
            for near in (before, after):
                there = near != _NOBODY
                total[there] += np.float32(weight) * vectors[near[there]]
        self._norms[slots] = np.maximum(np.linalg.norm(total, axis=1), np.float32(1e-6))
