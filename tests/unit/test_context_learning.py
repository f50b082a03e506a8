"""Learning from what servers report: better estimates, and a warning when a prompt was cut in silence."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.context import Assembly, ContextEngine
from assistant.core.types import Message, Usage
from assistant.models.scripted import ScriptedModel

UNKNOWN = "custom:my-model"


def named(name: str) -> ScriptedModel:
    return ScriptedModel([], name=name)


def prompt_of(engine: ContextEngine, words: int) -> Assembly:
    engine.add_layer("user message", content="word " * words)
    return engine.assemble()


def test_an_estimate_follows_what_the_server_reports() -> None:
    engine = ContextEngine(UNKNOWN, window=100_000)
    for _ in range(6):
        engine.learn(prompt := prompt_of(engine, 1000), Usage(2000))
    assert 2000 <= prompt.report.tokens <= 2200
    for _ in range(12):
        engine.learn(prompt := prompt_of(engine, 1000), Usage(1500))
    assert 1500 <= prompt.report.tokens <= 1650


def test_a_count_that_was_too_low_is_corrected_at_once() -> None:
    engine = ContextEngine(UNKNOWN, window=100_000)
    for _ in range(3):
        engine.learn(prompt_of(engine, 1000), Usage(1500))
    engine.learn(prompt_of(engine, 1000), Usage(3000))
    assert prompt_of(engine, 1000).report.tokens > 2500


@settings(max_examples=60, deadline=None)
@given(reports=st.lists(st.integers(0, 10**9), max_size=12))
def test_no_report_makes_the_estimate_absurd(reports: list[int]) -> None:
    engine = ContextEngine(UNKNOWN, window=10**12)
    for reported in reports:
        engine.learn(prompt_of(engine, 100), Usage(reported))
    assert 20 < prompt_of(engine, 100).report.tokens < 1000


@pytest.mark.parametrize("usage", [Usage(), Usage(0), Usage(None, 7)])
def test_a_server_that_reports_nothing_teaches_nothing(usage: Usage) -> None:
    engine = ContextEngine(UNKNOWN)
    prompt = prompt_of(engine, 100)
    assert engine.learn(prompt, usage) == prompt.report
    assert prompt_of(engine, 100).report == prompt.report


def test_a_short_prompt_teaches_no_ratio() -> None:
    engine = ContextEngine(UNKNOWN)
    before = prompt_of(engine, 400).report.tokens
    engine.add_layer("user message", content="Hi")
    engine.learn(engine.assemble(), Usage(400))
    assert prompt_of(engine, 400).report.tokens == before


def test_what_a_template_adds_is_kept_in_mind_for_exact_counts() -> None:
    engine = ContextEngine("openai:gpt-5-mini", window=1000, response_reserve=0)
    first = prompt_of(engine, 100)
    engine.learn(first, Usage(first.report.tokens + 40))
    assert prompt_of(engine, 100).report.tokens == first.report.tokens + 40
    assert prompt_of(engine, 100).report.overhead == first.report.overhead + 40
    for _ in range(100):
        engine.learn(prompt_of(engine, 100), Usage(first.report.tokens))
    assert prompt_of(engine, 100).report.tokens == first.report.tokens


@pytest.mark.parametrize("model", [UNKNOWN, "openai:gpt-5-mini"])
def test_a_server_that_read_far_less_than_was_sent_is_told_on(model: str) -> None:
    engine = ContextEngine(model, window=100_000)
    prompt = prompt_of(engine, 6000)
    report = engine.learn(prompt, Usage(2048))
    assert report.truncation_suspected
    assert report.reported_tokens == 2048
    assert report.notes[-1].startswith("The server seems to have read only a part of what was sent (2k of ")
    assert engine.report() == report
    assert prompt_of(engine, 6000).report.tokens == prompt.report.tokens


@pytest.mark.parametrize(("model", "reported"), [(UNKNOWN, 900), (UNKNOWN, 1400), ("openai:gpt-5-mini", 990)])
def test_a_count_that_may_just_be_off_is_no_alarm(model: str, reported: int) -> None:
    engine = ContextEngine(model, window=100_000)
    assert not engine.learn(prompt_of(engine, 1000), Usage(reported)).truncation_suspected


def test_after_a_few_reports_a_smaller_cut_is_seen() -> None:
    engine = ContextEngine(UNKNOWN, window=100_000)
    for _ in range(3):
        assert not engine.learn(prompt_of(engine, 2000), Usage(2010)).truncation_suspected
    assert engine.learn(prompt_of(engine, 4000), Usage(2600)).truncation_suspected


def test_what_was_learned_of_one_model_does_not_touch_another() -> None:
    engine = ContextEngine(None, window=100_000)
    one, other = (engine.for_turn(named(name)) for name in ("custom:one", "custom:other"))
    before = prompt_of(other, 1000).report.tokens
    for _ in range(3):
        one.learn(prompt_of(one, 1000), Usage(4000))
    assert prompt_of(other, 1000).report.tokens == before
    assert prompt_of(engine.for_turn(named("custom:one")), 1000).report.tokens >= 4000


def test_a_turn_has_the_layers_of_its_engine_and_keeps_its_own_to_itself() -> None:
    engine = ContextEngine("openai:gpt-5-mini")
    engine.add_layer("mission", content="Help.")
    turns = [engine.for_turn(named("openai:gpt-5-mini")) for _ in range(2)]
    for number, turn in enumerate(turns):
        turn.add_layer("user message", content=f"Message {number}")
    contents = [[message.content for message in turn.assemble()] for turn in turns]
    assert contents == [["Help.", "Message 0"], ["Help.", "Message 1"]]
    assert list(engine.assemble()) == [Message("system", "Help.")]


def test_an_engine_without_a_model_follows_the_one_that_answers() -> None:
    engine = ContextEngine()
    assert engine.for_turn(named("openai:gpt-4")).window.tokens == 8192
    assert engine.for_turn(named("openai:gpt-4o")).window.tokens == 128_000
    assert ContextEngine("openai:gpt-4").for_turn(named("scripted:model")).window.tokens == 8192


def test_the_reply_gets_as_much_as_it_may_be_long() -> None:
    engine = ContextEngine("openai:gpt-4")
    assert engine.for_turn(named("openai:gpt-4"), reply_limit=300).assemble().report.reserve == 300
    assert engine.for_turn(named("openai:gpt-4"), reply_limit=8000).assemble().report.reserve == 4096
    fixed = ContextEngine("openai:gpt-4", response_reserve=1000)
    assert fixed.for_turn(named("openai:gpt-4"), reply_limit=300).assemble().report.reserve == 1000
