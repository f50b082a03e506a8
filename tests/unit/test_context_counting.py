"""Counting tokens: exact for OpenAI's encodings, checked against a second implementation; estimates elsewhere."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import cache
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.context.counting import (
    CountCache,
    EncodingCounter,
    EstimatingCounter,
    ServerCounter,
    TokenCounter,
    texts_of,
)
from assistant.context.reader import Reader
from assistant.context.windows import Encoding
from assistant.core.errors import InvalidTextError
from assistant.core.types import Message, Role
from benchmarks.script_texts import WORDS, script_texts

ENCODINGS: tuple[Encoding, ...] = get_args(Encoding)


@cache
def second(encoding: str) -> Any:
    import bpe_openai

    return bpe_openai.get_encoding(encoding)


def second_counts(encoding: str, texts: Sequence[str]) -> list[int]:
    return [len(second(encoding).encode_ordinary(text)) for text in texts]


def counters() -> list[TokenCounter]:
    return [EncodingCounter("o200k_base"), EstimatingCounter(), ServerCounter(EstimatingCounter())]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_texts_of_twenty_scripts_count_as_in_the_second_implementation(encoding: Encoding) -> None:
    texts = [text for _, text in script_texts(2300, random.Random(3))]
    assert len(WORDS) >= 20
    assert EncodingCounter(encoding).counts(texts) == second_counts(encoding, texts)


@pytest.mark.parametrize("encoding", ENCODINGS)
@settings(max_examples=150, deadline=None)
@given(text=st.text(max_size=200))
def test_any_text_counts_as_in_the_second_implementation(encoding: Encoding, text: str) -> None:
    assert EncodingCounter(encoding).counts([text]) == second_counts(encoding, [text])


def test_a_text_that_looks_like_a_special_token_counts_as_plain_text() -> None:
    counter = EncodingCounter("o200k_base")
    assert counter.counts(["<|endoftext|>"]) == second_counts("o200k_base", ["<|endoftext|>"])
    assert counter.counts(["<|endoftext|>"])[0] > 1


def test_a_chat_costs_three_tokens_a_message_its_role_and_three_for_the_reply() -> None:
    messages = [Message(role, f"This is what the {role} says.") for role in get_args(Role)]
    encoding = second("o200k_base")
    texts = [text for message in messages for text in (message.role, message.content)]
    expected = 3 + 3 * len(messages) + sum(len(encoding.encode_ordinary(text)) for text in texts)
    reader = Reader("openai:gpt-5-mini")
    assert sum(reader.costs(messages)) + reader.once == expected


def test_a_tool_call_and_its_answer_cost_more_than_their_texts() -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"at": "sea"}'}}
    messages = [
        Message("assistant", "", {"tool_calls": [call]}),
        Message("tool", "Blue.", {"tool_call_id": "c1"}),
    ]
    plain = [Message(message.role, message.content) for message in messages]
    reader = Reader("openai:gpt-5-mini")
    with_calls, without = reader.costs(messages), reader.costs(plain)
    assert all(more > less for more, less in zip(with_calls, without, strict=True))


def test_other_metadata_costs_nothing() -> None:
    assert texts_of(Message("user", "Hi", {"note": "x" * 1000})) == ["Hi"]


def test_counts_come_in_the_order_of_the_texts_however_often_they_are_asked_for() -> None:
    texts = ["one", "a much longer text than that", "one", ""]
    for counter in counters():
        first = counter.counts(texts)
        assert first[0] == first[2] < first[1]
        assert first[3] == 0
        assert counter.counts(texts[::-1]) == first[::-1]


def test_half_of_a_character_is_refused_by_name() -> None:
    for counter in counters():
        with pytest.raises(InvalidTextError, match="half of a character at position 4"):
            counter.counts(["fine", "abc\ud800"])


def test_a_remembered_count_keeps_nothing_of_its_text() -> None:
    cache = CountCache()
    cache.put("a secret that stays nowhere", 6)
    assert cache.get("a secret that stays nowhere") == 6
    assert "secret" not in repr(vars(cache))


def test_the_memory_of_counts_is_bounded_and_forgets_the_oldest() -> None:
    cache = CountCache()
    for number in range(60_000):
        cache.put(str(number), 1)
    assert len(cache.missing(map(str, range(60_000)))) >= 10_000
    assert cache.get("59999") == 1
    assert cache.get("0") is None


def test_an_estimate_is_never_nothing_and_grows_with_the_text() -> None:
    one, more, most = EstimatingCounter().counts(["a", "a" * 100, "a" * 1000])
    assert 1 <= one < more < most


@pytest.mark.parametrize("script", sorted(WORDS))
def test_an_estimate_is_within_reach_of_a_usual_vocabulary_in_every_script(script: str) -> None:
    text = WORDS[script] * 20
    (exact,), (estimate,) = EncodingCounter("o200k_base").counts([text]), EstimatingCounter().counts([text])
    assert 0.5 < estimate / exact < 3


def test_a_server_counter_takes_the_servers_word_and_estimates_what_it_was_not_asked() -> None:
    counter = ServerCounter(EstimatingCounter())
    assert counter.unknown(["a", "b", "a"]) == ["a", "b"]
    counter.learn(["a"], [17])
    assert counter.counts(["a", "b"]) == [17, *EstimatingCounter().counts(["b"])]
    assert counter.unknown(["a", "b"]) == ["b"]
    assert [counter.method(["a"]), counter.method(["a", "b"])] == ["server", "estimate"]
