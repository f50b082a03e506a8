"""The messages of a conversation and how high each is, measured or estimated. No widgets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from assistant.ui.models.messages import MessageItem
from assistant.ui.widgets.chat.heights import Heights

MESSAGE_GAP = 8
_LINE = 23
_CHARACTER = 7.6
_FIXED = 40
_BUBBLE = 0.7
_FOLDED_LINES = 31
_CODE_LINES = 26


def estimate(item: MessageItem, column: int) -> int:
    """A message's likely height in a text column of `column` pixels, from its length and line breaks only."""
    text = item.text
    breaks = text.count("\n")
    lines = len(text) * _CHARACTER / column + 1
    if item.role == "user":
        lines = lines / _BUBBLE + breaks
        height = (lines if lines < _FOLDED_LINES else _FOLDED_LINES) * _LINE + _FIXED + 20
    else:
        lines += breaks * 0.5
        if breaks > _CODE_LINES and "```" in text:
            lines = min(lines, _CODE_LINES * (1 + text.count("```") / 2) + len(text) / 200)
        height = lines * _LINE + _FIXED
    if item.recalled or item.remembered:
        height += 36
    if item.error is not None:
        height += 140
    if item.memory_note or item.reasoning or item.state != "complete":
        height += 30
    return int(height) + MESSAGE_GAP


class MessageList:
    """Items in order, found by id, with the height of each for one column width. Heights include the gap below."""

    def __init__(self, column: int) -> None:
        self._items: list[MessageItem] = []
        self._places: dict[str, int] = {}
        self._column = column
        self._measured: dict[str, int] = {}
        self.heights = Heights()

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: int) -> MessageItem:
        return self._items[index]

    def __iter__(self) -> Iterator[MessageItem]:
        return iter(self._items)

    def __contains__(self, message_id: object) -> bool:
        return message_id in self._places

    def index(self, message_id: str) -> int:
        """Where a message is.

        Raises:
            KeyError: no such message.
        """
        return self._places[message_id]

    def replace_all(self, items: Sequence[MessageItem]) -> None:
        """These instead of all."""
        self._items = list(items)
        self._measured.clear()
        self._index()

    def set_column(self, column: int) -> None:
        """Another column width: what was measured holds no longer."""
        if column != self._column:
            self._column = column
            self._measured.clear()
            self._index()

    def prepend(self, items: Iterable[MessageItem]) -> None:
        """These before all others."""
        self._items[:0] = list(items)
        self._index()

    def append(self, item: MessageItem) -> None:
        """One more at the end."""
        self._places[item.message_id] = len(self._items)
        self._items.append(item)
        self.heights.append(estimate(item, self._column))

    def replace(self, item: MessageItem) -> None:
        """Another state of a message that is in the list.

        Raises:
            KeyError: no such message.
        """
        index = self._places[item.message_id]
        self._items[index] = item
        if item.message_id not in self._measured:
            self.heights.set(index, estimate(item, self._column))

    def replace_from(self, index: int, items: Iterable[MessageItem]) -> None:
        """These instead of the message at `index` and all behind it."""
        for item in self._items[index:]:
            self._measured.pop(item.message_id, None)
        self._items[index:] = list(items)
        self._index()

    def remove(self, message_id: str) -> None:
        """Take a message out.

        Raises:
            KeyError: no such message.
        """
        del self._items[self._places[message_id]]
        self._measured.pop(message_id, None)
        self._index()

    def rename(self, old: str, new: str) -> None:
        """Another id for the same message.

        Raises:
            KeyError: no such message.
        """
        index = self._places.pop(old)
        self._places[new] = index
        self._items[index] = self._items[index].with_(message_id=new)
        if old in self._measured:
            self._measured[new] = self._measured.pop(old)

    def measure(self, index: int, height: int) -> None:
        """The true height of a message, gap included."""
        self._measured[self._items[index].message_id] = height
        self.heights.set(index, height)

    def forget_measure(self, message_id: str) -> None:
        """Its height may be another one now; the last one stands until it is measured."""
        self._measured.pop(message_id, None)

    def _index(self) -> None:
        self._places = {item.message_id: index for index, item in enumerate(self._items)}
        self.heights = Heights(
            self._measured.get(item.message_id) or estimate(item, self._column) for item in self._items
        )
