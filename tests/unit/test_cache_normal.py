"""Two askings of the very same question have one normal form, and no two questions share one."""

from __future__ import annotations

import pytest

from assistant.cache.normal import normal_form


@pytest.mark.parametrize(
    ("asked", "again"),
    [
        ("What is the capital of France?", "  what is  the capital of france "),
        ("What is the capital of France?", "What is the capital of France??"),
        ("What is the capital of France?", "WHAT IS THE CAPITAL OF FRANCE?"),
        ("Is it far?", "is it far"),
        ("What’s new in C++?", "What's new in C++?"),
        ("¿Qué es esto?", "qué es esto"),
        ("Wie weit ist der Mond?", "wie weit ist der mond"),
        ("Close the window.", "close the window"),
        ("cafe\u0301?", "café?"),
    ],
)
def test_the_same_question_has_one_form(asked: str, again: str) -> None:
    assert normal_form(asked) == normal_form(again)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Tell me about the US", "Tell me about us"),
        ("What does WHO say?", "What does who say?"),
        ("How do I polish it?", "How do I Polish it?"),
        ("Wie erreiche ich Sie?", "Wie erreiche ich sie?"),
        ("What is C?", "What is C++?"),
        ("What is C#?", "What is C?"),
        ("Delete it?", "Delete it."),
        ("What is x2?", "What is x²?"),
        ("Let's eat, grandma", "Let's eat grandma"),
        ("In welchen Maßen?", "In welchen Massen?"),
        ("Is 5 right?", "Is -5 right?"),
        ("Which is 'a'?", "Which is 'A'?"),
        ('How do I type "a  b"?', 'How do I type "a b"?'),
        ("if x:\n    y()", "if x:\n  y()"),
        ("What does f(A) do?", "What does f(a) do?"),
        ("Réservé ?", "Reserve ?"),
        ("^us", "US in it"),
    ],
)
def test_another_question_has_another_form(one: str, other: str) -> None:
    assert normal_form(one) != normal_form(other)


@pytest.mark.parametrize("text", ["?", "...", " ", "", "!?", "¿?"])
def test_a_question_of_marks_alone_has_a_form_too(text: str) -> None:
    assert normal_form(text) == normal_form(text)
