"""An owner's active memories as arrays, so that a query is scored against all of them in a few passes.

A place in the arrays is a *slot*; a memory that was taken off leaves its slot dead. Not safe for several threads: the
ledger keeps each shelf to one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from assistant.embedding.base import Vectors
from assistant.memory.recall.windows import Floats, Slots, Windows

UNKNOWN_POSITION = 2**62
_GROWTH = 1.5


@dataclass(frozen=True, slots=True)
class Card:
    """What the ranking knows of one memory.

    Attributes:
        number: in the record; unique.
        memory_id: its id.
        is_turn: something that was said, as opposed to a fact.
        session: groups turns, empty for none.
        position: order within the session.
        said: days since 1970 in UTC.
        speaker: who said it, folded; empty when unknown.
        length: words, at least 1.
        questions: share of its sentences that are questions, 0..1.
        tells_time: it mentions a time.
        pinned: always injected.
    """

    number: int
    memory_id: str
    is_turn: bool = False
    session: str = ""
    position: int = UNKNOWN_POSITION
    said: float = 0.0
    speaker: str = ""
    length: int = 1
    questions: float = 0.0
    tells_time: bool = False
    pinned: bool = False


@dataclass(slots=True)
class Columns:
    """The cards' fields, one array each; names and sessions as codes, 0 for none."""

    number: NDArray[np.int64]
    alive: NDArray[np.bool_]
    indexed: NDArray[np.bool_]
    is_turn: NDArray[np.bool_]
    session: NDArray[np.int32]
    position: NDArray[np.int64]
    said: NDArray[np.float64]
    speaker: NDArray[np.int32]
    length: Floats
    questions: Floats
    tells_time: NDArray[np.bool_]
    pinned: NDArray[np.bool_]

    def cut(self, count: int) -> Columns:
        """The first `count` of each, as views."""
        return Columns(*(getattr(self, field.name)[:count] for field in fields(self)))

    def grown(self, size: int) -> Columns:
        """Copies of `size` entries."""

        def longer(array: NDArray[np.generic]) -> NDArray[np.generic]:
            return np.concatenate([array, np.zeros(size - len(array), array.dtype)])

        return Columns(*(longer(getattr(self, field.name)) for field in fields(self)))  # type: ignore[arg-type]


class Shelf:
    """The arrays of one owner.

    Args:
        cards: all active memories.
        dimension: of the vectors.

    Attributes:
        count: slots in use, dead ones included.
        ids: the id of each slot's memory.
        slot_of: the slot of each living memory, by id.
        speakers: folded names and their codes.
    """

    def __init__(self, cards: Sequence[Card], dimension: int) -> None:
        self.count = len(cards)
        self.ids = [card.memory_id for card in cards]
        self.slot_of = {memory_id: slot for slot, memory_id in enumerate(self.ids)}
        self.speakers: dict[str, int] = {}
        self._sessions: dict[str, int] = {}
        self._columns = self._filled(cards)
        self._windows = Windows(self._columns.session, self._columns.position)
        self._vectors: Vectors = np.zeros((self.count, dimension), np.float32)
        self._by_number: Slots | None = None

    @property
    def columns(self) -> Columns:
        """The fields of all slots."""
        return self._columns.cut(self.count)

    @property
    def vectors(self) -> Vectors:
        """float32 of shape (count, dimension); zero where there is no vector yet."""
        return self._vectors[: self.count]

    @property
    def windows(self) -> Windows:
        return self._windows

    @property
    def living(self) -> int:
        """How many memories are on the shelf."""
        return len(self.slot_of)

    @property
    def is_worn(self) -> bool:
        """Whether so many were taken off that the shelf should be made anew."""
        return self.count > 2 * self.living + 1000

    def put(self, card: Card) -> None:
        """Add a memory, or replace the one of that id. It has no vector then."""
        self.take_off([card.memory_id])
        if self.count == len(self._columns.number):
            self._grow()
        slot = self.count
        self.count += 1
        self.ids.append(card.memory_id)
        self.slot_of[card.memory_id] = slot
        one = self._filled([card])
        for field in fields(Columns):
            getattr(self._columns, field.name)[slot] = getattr(one, field.name)[0]
        if one.session[0]:
            self._windows.link(slot, int(one.session[0]), self._columns.position)
        else:
            self._windows.touch(slot)
        self._by_number = None

    def take_off(self, memory_ids: Iterable[str]) -> None:
        """Remove memories; ids that are not here are ignored."""
        for memory_id in memory_ids:
            slot = self.slot_of.pop(memory_id, None)
            if slot is None:
                continue
            if session := int(self._columns.session[slot]):
                self._windows.unlink(slot, session)
            self._columns.alive[slot] = False
            self._vectors[slot] = 0
            self._by_number = None

    def give_vectors(self, memory_ids: Sequence[str], vectors: Vectors) -> None:
        """Set the vectors of memories; ids that are not here are ignored.

        Args:
            vectors: float32 of shape (len(memory_ids), dimension).
        """
        places = [self.slot_of.get(memory_id, -1) for memory_id in memory_ids]
        rows = [row for row, slot in enumerate(places) if slot >= 0]
        slots = [places[row] for row in rows]
        self._vectors[slots] = vectors[rows]
        self._columns.indexed[slots] = True
        if len(slots) > _MANY:
            self._windows.forget_norms()
        else:
            for slot in slots:
                self._windows.touch(slot)

    def pin(self, memory_id: str, pinned: bool) -> None:
        """Set or clear a memory's pin."""
        slot = self.slot_of.get(memory_id)
        if slot is not None:
            self._columns.pinned[slot] = pinned

    def said_in(self, session: str) -> NDArray[np.bool_]:
        """Which slots are turns of a session."""
        code = self._sessions.get(session)
        return self.columns.session == code if code else np.zeros(self.count, np.bool_)

    def slots_of(self, numbers: NDArray[np.int64]) -> Slots:
        """The slots of those `numbers` that are on the shelf."""
        if self._by_number is None:
            living = np.flatnonzero(self.columns.alive)
            self._by_number = living[np.argsort(self._columns.number[living], kind="stable")]
        known = self._columns.number[self._by_number]
        if not len(known):
            return self._by_number
        places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
        found: Slots = self._by_number[places[known[places] == numbers]]
        return found

    def _filled(self, cards: Sequence[Card]) -> Columns:
        count = len(cards)
        return Columns(
            number=np.fromiter((card.number for card in cards), np.int64, count),
            alive=np.ones(count, np.bool_),
            indexed=np.zeros(count, np.bool_),
            is_turn=np.fromiter((card.is_turn for card in cards), np.bool_, count),
            session=np.fromiter(
                (_code(self._sessions, card.session) if card.is_turn else 0 for card in cards),
                np.int32,
                count,
            ),
            position=np.fromiter((card.position for card in cards), np.int64, count),
            said=np.fromiter((card.said for card in cards), np.float64, count),
            speaker=np.fromiter((_code(self.speakers, card.speaker) for card in cards), np.int32, count),
            length=np.fromiter((card.length for card in cards), np.float32, count),
            questions=np.fromiter((card.questions for card in cards), np.float32, count),
            tells_time=np.fromiter((card.tells_time for card in cards), np.bool_, count),
            pinned=np.fromiter((card.pinned for card in cards), np.bool_, count),
        )

    def _grow(self) -> None:
        size = int(self.count * _GROWTH) + 64
        self._columns = self._columns.grown(size)
        vectors = np.zeros((size, self._vectors.shape[1]), np.float32)
        vectors[: self.count] = self.vectors
        self._vectors = vectors
        self._windows.grow(size)


_MANY = 256


def _code(codes: dict[str, int], name: str) -> int:
    return codes.setdefault(name, len(codes) + 1) if name else 0
