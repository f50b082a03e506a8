"""The benchmark's judge and its scripted model do what the figures stand for."""

from __future__ import annotations

import json

import pytest

from assistant.memory.extraction import ModelExtractor, RulesExtractor
from assistant.models.scripted import ScriptedModel
from benchmarks.extraction import read_statements, run
from benchmarks.extraction_checker import complaint
from benchmarks.extraction_scripted import scripted_answer

TEXT = "I don't live in Rome, I live in Oslo with 2 cats. Do I own a car?"


@pytest.mark.parametrize(
    ("content", "quote"),
    [
        ("I live in Oslo with 3 cats", "I live in Oslo with 2 cats"),
        ("I live in Bergen with 2 cats", "I live in Oslo with 2 cats"),
        ("I do not live in Oslo with 2 cats", "I live in Oslo with 2 cats"),
        ("I live in Oslo with 2 happy cats", "I live in Oslo with 2 cats"),
        ("I live in Oslo", "I live in Oslo with 2 dogs"),
        ("I own a car", "I own a car"),
        ("[NAME] live in Oslo", "I live in Oslo with 2 cats"),
        ("", "I live in Oslo"),
    ],
)
def test_the_checker_complains_about_what_was_not_said(content: str, quote: str) -> None:
    assert complaint(content, quote, TEXT) is not None


@pytest.mark.parametrize("content", ["I live in Oslo with 2 cats", "The user lives in Oslo with 2 cats."])
def test_the_checker_accepts_what_was_said(content: str) -> None:
    assert complaint(content, "I live in Oslo with 2 cats", TEXT) is None


def test_there_are_two_hundred_statements_a_quarter_of_which_say_nothing_to_keep() -> None:
    statements = read_statements()
    assert len(statements) == 200
    assert sum(not statement.labels for statement in statements) == 50
    assert all(label in statement.text for statement in statements for label in statement.labels)


def test_the_scripted_model_makes_up_much_more_than_it_gets_right() -> None:
    reply = scripted_answer(
        "I live in Oslo.", [{"quote": "I live in Oslo.", "content": "I live in Oslo."}], 0
    )
    facts = json.loads(reply)["facts"]
    assert len(facts) > 10
    assert sum(each["content"] == each["quote"] == "I live in Oslo." for each in facts) == 1


async def test_rules_and_scripted_model_reach_their_figures() -> None:
    statements = read_statements()
    by_rules = await run(RulesExtractor(), statements)
    answers = [
        scripted_answer(each.text, [{"quote": quote, "content": told} for quote, told in each.right], number)
        for number, each in enumerate(statements)
    ]
    by_script = await run(ModelExtractor(ScriptedModel(answers)), statements)
    assert by_rules.ungrounded == by_script.ungrounded == []
    assert by_rules.from_nothing == 0
    assert by_rules.recall >= 40
    assert by_script.recall >= 90
