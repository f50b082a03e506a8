"""Memories as arrays: whatever comes and goes, they stay what they would be if made anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.memory.recall.shelf import Card, Shelf
from assistant.memory.recall.windows import NEAR

DIMENSION = 4


def vector_of(card: Card) -> list[float]:
    return [float(card.number % 7 + 1), float(card.position), 1.0, float(len(card.session))]


def filled(cards: list[Card]) -> Shelf:
    shelf = Shelf(cards, DIMENSION)
    if cards:
        vectors = np.array([vector_of(card) for card in cards], np.float32)
        shelf.give_vectors([card.memory_id for card in cards], vectors)
    return shelf


def seen(shelf: Shelf) -> dict[str, tuple[float, float, float, int]]:
    """What the ranking would see of each living memory."""
    own = shelf.vectors.sum(axis=1)
    spread, best = shelf.windows.spread(own), shelf.windows.best(own)
    norms = shelf.windows.norms(shelf.vectors)
    numbers = shelf.columns.number
    return {
        memory_id: (
            round(float(spread[slot]), 3),
            round(float(best[slot]), 3),
            round(float(norms[slot]), 3),
            int(numbers[slot]),
        )
        for memory_id, slot in shelf.slot_of.items()
    }


cards = st.builds(
    Card,
    number=st.integers(1, 40),
    memory_id=st.sampled_from([f"m{n}" for n in range(12)]),
    is_turn=st.booleans(),
    session=st.sampled_from(["", "s", "tt"]),
    position=st.integers(0, 6),
)
steps = st.lists(st.tuples(st.sampled_from(["put", "take", "look"]), cards), max_size=30)


@settings(max_examples=150, deadline=None)
@given(steps)
def test_a_shelf_that_was_changed_is_like_one_made_anew(changes: list[tuple[str, Card]]) -> None:
    shelf = filled([])
    kept: dict[str, Card] = {}
    for place, (what, card) in enumerate(changes):
        # Each memory has a number of its own, and turns of a session each a place.
        card = replace(card, number=100 + card.number * 100 + place, position=card.position * 100 + place)
        if what == "put":
            shelf.put(card)
            shelf.give_vectors([card.memory_id], np.array([vector_of(card)], np.float32))
            kept[card.memory_id] = card
        elif what == "take":
            shelf.take_off([card.memory_id])
            kept.pop(card.memory_id, None)
        else:
            seen(shelf)
    anew = filled(sorted(kept.values(), key=lambda card: card.number))
    assert seen(shelf) == seen(anew)
    assert shelf.living == len(kept)


def test_a_turn_reaches_three_turns_to_either_side_of_its_session_only() -> None:
    turns = [Card(n, f"m{n}", True, "s", n) for n in range(8)] + [
        Card(8, "m8", True, "other", 0),
        Card(9, "fact"),
    ]
    shelf = Shelf(turns, DIMENSION)
    values = np.zeros(10, np.float32)
    values[3] = 1
    spread = shelf.windows.spread(values)
    expected = [NEAR[2], NEAR[1], NEAR[0], 1, NEAR[0], NEAR[1], NEAR[2], 0, 0, 0]
    assert spread.tolist() == expected


def test_numbers_are_found_in_any_order_and_strangers_are_not() -> None:
    shelf = Shelf([Card(5, "a"), Card(9, "b"), Card(7, "c")], DIMENSION)
    assert {shelf.ids[slot] for slot in shelf.slots_of(np.array([7, 5, 6, 100, -1]))} == {"a", "c"}
    shelf.take_off(["a"])
    assert [shelf.ids[slot] for slot in shelf.slots_of(np.array([5, 9]))] == ["b"]
    assert Shelf([], DIMENSION).slots_of(np.array([1])).tolist() == []


def test_a_shelf_that_lost_most_of_its_memories_is_worn() -> None:
    shelf = Shelf([Card(n, f"m{n}") for n in range(3000)], DIMENSION)
    assert not shelf.is_worn
    shelf.take_off([f"m{n}" for n in range(2500)])
    assert shelf.is_worn
