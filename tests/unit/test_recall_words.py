"""Words of texts and queries."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.memory.recall.personal import asks_about_oneself
from assistant.memory.recall.traits import questions_in, traits_of
from assistant.memory.recall.words import has_subject, indexed_words, query_words, word_count


def test_a_text_is_indexed_by_its_folded_words_and_its_speaker() -> None:
    assert indexed_words("The DOG, Rex!", "Ana María") == "ana maría the dog rex"


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("我的猫叫咪咪", {"猫叫", "咪咪", "猫"}),
        ("東京に住んでいます", {"東京", "住ん", "東"}),
        ("고양이는", {"고양", "양이", "고"}),
        ("ผมชื่อแมว", {"ชื", "ื่", "แม", "ม"}),
    ],
)
def test_scripts_without_spaces_are_indexed_by_pairs_and_single_characters(
    text: str, pairs: set[str]
) -> None:
    assert pairs <= set(indexed_words(text).split())


def test_mixed_scripts_are_parted() -> None:
    assert set(indexed_words("iPhone手机 v2").split()) >= {"iphone", "手机", "v2"}


def test_marks_stay_with_their_letters() -> None:
    assert indexed_words("हिन्दी नमस्ते") == "हिन्दी नमस्ते"


def test_a_query_keeps_what_tells_memories_apart() -> None:
    assert query_words("What is the name of Ana's dog?") == ["name", "ana", "dog"]
    assert query_words("Wie heißt mein Hund?") == ["heisst", "hund"]
    assert query_words("¿Cuál es mi color favorito?") == ["color", "favorito"]


def test_a_query_of_silent_words_alone_keeps_them() -> None:
    assert query_words("who are you") == ["who", "are", "you"]


def test_of_a_pasted_text_only_the_beginning_is_read() -> None:
    assert len(query_words(" ".join(f"word{n}" for n in range(100_000)))) < 1000


@pytest.mark.parametrize("text", ["ok", "Thanks!", "hello", "", "…", "and you?"])
def test_small_talk_has_no_subject(text: str) -> None:
    assert not has_subject(text)


@pytest.mark.parametrize("text", ["peanuts", "我的猫", "Wo wohne ich?"])
def test_a_question_has_a_subject(text: str) -> None:
    assert has_subject(text)


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_gives_plain_words(text: str) -> None:
    words = indexed_words(text)
    assert word_count(words) >= 1
    assert all(word and '"' not in word for word in words.split())
    assert set(query_words(text)) <= set(words.split())


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("How are you?", 1.0),
        ("I moved. And you?", 0.5),
        ("Done!", 0.0),
        ("", 0.0),
        ("你好吗？我很好。", 0.5),
        ("?!", 0.0),
    ],
)
def test_the_share_of_questions_is_counted(text: str, share: float) -> None:
    assert questions_in(text) == share


def test_traits_say_whether_a_time_is_told() -> None:
    assert traits_of("I painted it last year").tells_time
    assert not traits_of("I painted it").tells_time


@pytest.mark.parametrize(
    "query",
    [
        "Where do I live?",
        "what’s my job?",
        "Wo wohne ich?",
        "Où est ma maison ?",
        "¿Dónde vivo?",
        "Dove lavoro?",
        "我住在哪里？",
    ],
)
def test_a_question_about_oneself_is_told(query: str) -> None:
    assert asks_about_oneself(query)


@pytest.mark.parametrize(
    "query", ["How do you sort a list?", "Wer schrieb den Faust?", "C'est quoi, un quark ?", "东京在哪里？"]
)
def test_a_question_about_the_world_is_none_about_oneself(query: str) -> None:
    assert not asks_about_oneself(query)
