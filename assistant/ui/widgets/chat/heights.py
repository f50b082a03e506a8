"""Heights of a long list of messages: sums and look-ups in logarithmic time (a Fenwick tree)."""

from __future__ import annotations

from collections.abc import Iterable


class Heights:
    """Heights in pixels by position. `offset(i)` is the sum of those before `i`."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._tree = [0, *self._heights]
        for index in range(1, len(self._tree)):
            parent = index + (index & -index)
            if parent < len(self._tree):
                self._tree[parent] += self._tree[index]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> int:
        return self._heights[index]

    @property
    def total(self) -> int:
        """The sum of all."""
        return self.offset(len(self._heights))

    def append(self, height: int) -> None:
        """One more at the end."""
        self._heights.append(height)
        index = len(self._heights)
        below = self.offset(index - 1) - self.offset(index - (index & -index))
        self._tree.append(height + below)

    def set(self, index: int, height: int) -> None:
        """Another height at `index`."""
        change = height - self._heights[index]
        if not change:
            return
        self._heights[index] = height
        node = index + 1
        while node < len(self._tree):
            self._tree[node] += change
            node += node & -node

    def offset(self, index: int) -> int:
        """The sum of the first `index` heights."""
        total = 0
        while index > 0:
            total += self._tree[index]
            index -= index & -index
        return total

    def at(self, offset: int) -> int:
        """The position whose height covers `offset`; the last one past the end.

        Raises:
            IndexError: there are none.
        """
        if not self._heights:
            raise IndexError("no heights")
        index, step = 0, 1 << (len(self._heights).bit_length() - 1)
        while step:
            following = index + step
            if following < len(self._tree) and self._tree[following] <= offset:
                index = following
                offset -= self._tree[following]
            step >>= 1
        return min(index, len(self._heights) - 1)
