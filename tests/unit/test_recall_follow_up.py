"""Queries that need what was said before."""

from __future__ import annotations

import pytest

from assistant.core.types import Message
from assistant.memory.recall.follow_up import completed

HISTORY = [
    Message("user", "Tell me about my sister Ana"),
    Message("assistant", "Ana is a nurse in Porto."),
]


@pytest.mark.parametrize(
    "query",
    [
        "And where does she live?",
        "What about her children?",
        "when?",
        "Und wo wohnt sie?",
        "¿Y dónde vive ella?",
        "她住在哪里",
    ],
)
def test_a_follow_up_is_completed_from_the_turns_before(query: str) -> None:
    question = completed(query, HISTORY)
    assert question.is_follow_up
    assert "sister Ana" in question.completed
    assert question.completed.endswith(query)


@pytest.mark.parametrize(
    "query",
    [
        "Which medicine was prescribed by doctor Meyer in Berlin?",
        "ok, thanks",
        "Write a poem about autumn leaves",
    ],
)
def test_a_query_that_stands_alone_stays_as_it_is(query: str) -> None:
    question = completed(query, HISTORY)
    assert not question.is_follow_up
    assert question.completed == query


def test_without_a_history_nothing_is_completed() -> None:
    assert completed("And where does she live?", []).completed == "And where does she live?"


def test_the_query_itself_at_the_end_of_the_history_is_not_what_was_said_before() -> None:
    history = [*HISTORY, Message("user", "And where does she live?")]
    assert completed("And where does she live?", history) == completed("And where does she live?", HISTORY)


def test_only_the_last_turns_and_beginnings_are_taken() -> None:
    history = [Message("user", f"question {n} " + "x" * 5000) for n in range(9)]
    question = completed("and that?", history)
    assert "question 8" in question.completed
    assert "question 5" not in question.completed
    assert len(question.completed) < 1000
