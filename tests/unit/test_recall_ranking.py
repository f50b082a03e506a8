"""How signals make a score, and how scores make a selection."""

from __future__ import annotations

from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.memory.recall.ranking import Asked, Posting, best, rank, rarity, squashed
from assistant.memory.recall.selection import Candidate, fitting, pinned, worthwhile
from assistant.memory.recall.shelf import Card, Shelf
from assistant.memory.recall.times import periods_in

UP, SIDE = np.array([1, 0, 0], np.float32), np.array([0, 1, 0], np.float32)


def shelf_of(cards: list[Card], vectors: list[np.ndarray] | None = None) -> Shelf:
    shelf = Shelf(cards, 3)
    if vectors is not None:
        shelf.give_vectors([card.memory_id for card in cards], np.stack(vectors))
    return shelf


def order(shelf: Shelf, asked: Asked) -> list[str]:
    return [shelf.ids[slot] for slot in best(rank(shelf, asked).total, 100)]


def holds(word: str, *numbers: int) -> Posting:
    return Posting(word, np.array(numbers, np.int64), len(numbers))


def test_the_nearest_vector_comes_first_without_any_word() -> None:
    shelf = shelf_of([Card(1, "a"), Card(2, "b")], [SIDE, UP])
    assert order(shelf, Asked(vector=UP)) == ["b", "a"]


def test_the_rarer_word_counts_more() -> None:
    shelf = shelf_of([Card(n, f"m{n}") for n in range(1, 9)])
    asked = Asked(postings=[holds("rare", 1), holds("common", 2, 3, 4, 5)])
    assert order(shelf, asked)[0] == "m1"
    assert rarity(1, 8) > rarity(4, 8) > 0


def test_a_shorter_text_with_the_same_word_comes_first() -> None:
    shelf = shelf_of([Card(1, "long", length=80), Card(2, "short", length=5)])
    assert order(shelf, Asked(postings=[holds("word", 1, 2)])) == ["short", "long"]


def test_a_neighbour_of_a_match_comes_before_a_stranger() -> None:
    turns = [Card(n, f"t{n}", True, "s", n, length=5) for n in range(1, 4)]
    shelf = shelf_of([*turns, Card(9, "other", True, "x", 1, length=5)])
    found = order(shelf, Asked(postings=[holds("word", 1)]))
    assert found[:2] == ["t1", "t2"]
    assert found[-1] == "other"


def test_a_question_counts_less_than_an_answer() -> None:
    shelf = shelf_of([Card(1, "q", True, "s", 1, questions=1.0), Card(2, "a", True, "s", 2)], [UP, UP])
    assert order(shelf, Asked(vector=UP)) == ["a", "q"]


def test_a_named_speaker_and_a_named_time_lift() -> None:
    day = (date(2026, 3, 10) - date(1970, 1, 1)).days + 0.5
    cards = [
        Card(1, "ana", True, "s", 1, said=day, speaker="ana"),
        Card(2, "ben", True, "t", 1, said=day - 90, speaker="ben lee"),
    ]
    shelf = shelf_of(cards, [UP, UP])
    assert order(shelf, Asked(vector=UP, names=frozenset({"ana"})))[0] == "ana"
    assert rank(shelf, Asked(names=frozenset({"ben"}))).speaker.tolist() == [0, 1]
    assert rank(shelf, Asked(names=frozenset({"lee"}))).speaker.tolist() == [0, 0]
    periods = periods_in("10 March 2026", date(2026, 4, 1))
    assert order(shelf, Asked(vector=UP, periods=periods, names=frozenset({"ana"})))[0] == "ana"


def test_of_equals_the_newest_comes_first() -> None:
    shelf = shelf_of([Card(1, "old"), Card(2, "new")], [UP, UP])
    assert order(shelf, Asked(vector=UP)) == ["new", "old"]
    aged = shelf_of([Card(1, "new", said=1000.0), Card(2, "old", said=10.0)], [UP, UP])
    assert order(aged, Asked(vector=UP, now=1000.0)) == ["new", "old"]


def test_what_was_taken_off_is_never_found() -> None:
    shelf = shelf_of([Card(1, "a"), Card(2, "b")], [UP, UP])
    shelf.take_off(["b"])
    assert order(shelf, Asked(vector=UP, postings=[holds("word", 1, 2)])) == ["a"]
    shelf.take_off(["a"])
    assert order(shelf, Asked(vector=UP)) == []
    assert order(shelf_of([]), Asked(vector=UP)) == []


@settings(deadline=None)
@given(st.lists(st.floats(-5, 5, width=32), max_size=40), st.integers(0, 50))
def test_the_best_are_the_best_in_order(values: list[float], limit: int) -> None:
    scores = np.array(values, np.float32)
    found = best(scores, limit)
    assert [scores[slot] for slot in found] == sorted(scores, reverse=True)[:limit]
    assert len(set(found.tolist())) == len(found)


@given(st.lists(st.floats(-3, 30), min_size=2, max_size=5))
def test_a_score_is_between_0_and_1_and_keeps_the_order(totals: list[float]) -> None:
    scores = [squashed(total) for total in sorted(totals)]
    assert all(0 <= score <= 1 for score in scores)
    assert scores == sorted(scores)


def test_a_floor_keeps_out_what_does_not_fit_and_pinned_ones_are_apart() -> None:
    cards = [Card(1, "near"), Card(2, "far"), Card(3, "pin", pinned=True)]
    shelf = shelf_of(cards, [UP, SIDE, UP])
    scores = rank(shelf, Asked(vector=UP))
    assert [shelf.ids[slot] for slot in worthwhile(shelf, scores, 10)] == ["near"]
    assert [shelf.ids[slot] for slot in pinned(shelf)] == ["pin"]


def candidate(place: int, content: str, **more: object) -> Candidate:
    values = {"is_turn": False, "session": None, "quote": None} | more
    return Candidate(place=place, content=content, **values)  # type: ignore[arg-type]


@settings(deadline=None)
@given(st.lists(st.text(min_size=1, max_size=60), max_size=12), st.integers(0, 200))
def test_what_is_chosen_is_whole_in_order_and_within_the_budget(contents: list[str], budget: int) -> None:
    given_ones = [candidate(place, content) for place, content in enumerate(contents)]
    chosen = fitting(given_ones, budget)
    assert sum(chosen.tokens) <= budget
    places = [one.place for one in chosen.candidates]
    assert places == sorted(places)
    assert all(one == given_ones[one.place] for one in chosen.candidates)


def test_a_long_one_does_not_keep_out_the_next() -> None:
    chosen = fitting([candidate(0, "x" * 4000), candidate(1, "short")], 100)
    assert [one.place for one in chosen.candidates] == [1]
    assert chosen.left_out == 1


@pytest.mark.parametrize(
    ("fact", "taken"),
    [
        ({"session": "s", "quote": "allergic to peanuts"}, {"Has an allergy"}),
        ({"session": None, "quote": "allergic to peanuts"}, {"Has an allergy"}),
        (
            {"session": "other", "quote": "allergic to peanuts"},
            {"Has an allergy", "I am allergic to peanuts."},
        ),
        ({"session": "s", "quote": "something else"}, {"Has an allergy", "I am allergic to peanuts."}),
    ],
)
def test_a_turn_gives_way_to_the_fact_that_was_taken_from_it(
    fact: dict[str, object], taken: set[str]
) -> None:
    turn = candidate(0, "I am allergic to peanuts.", is_turn=True, session="s")
    chosen = fitting([turn, candidate(1, "Has an allergy", **fact)], 1000)
    assert {one.content for one in chosen.candidates} == taken


def test_equal_texts_come_once() -> None:
    chosen = fitting([candidate(0, "Likes tea"), candidate(1, "likes  tea.")], 1000)
    assert [one.place for one in chosen.candidates] == [0]
