"""Words and snippets of the search."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.conversation.search_text import SearchQuery, fold, word_line


def snippet(query: str, text: str) -> str:
    return SearchQuery.parse(query).snippet(text)


def test_words_are_folded_and_kept_apart() -> None:
    assert word_line("Größe-Test, ÉCLAIR_2 Ｆｕｌｌ") == " grosse test eclair 2 full "


def test_scripts_without_spaces_give_one_word_for_a_character() -> None:
    assert word_line("Atlas計画 2026年") == " atlas 計 画 2026 年 "


def test_marks_belong_to_their_word() -> None:
    assert word_line("हिन्दी भाषा") == " हिन्दी भाषा "


def test_a_snippet_shows_the_place_that_fits() -> None:
    text = "word " * 100 + "the Atlas project " + "word " * 100
    shown = snippet("atlas", text)
    assert "the Atlas project" in shown
    assert shown.startswith("…word")
    assert shown.endswith("…")
    assert len(shown) < 200


def test_a_short_text_is_its_own_snippet_on_one_line() -> None:
    assert snippet("b", "  a\n\tb\0c  ") == "a b c"


@pytest.mark.parametrize(
    ("query", "word"),
    [
        ("munchen", "München"),
        ("eclair", "e\u0301clair"),
        ("strasse", "Straße"),
        ("北京", "北京"),
        ("🎉", "🎉"),
        ("e-mail", "E-Mail"),
    ],
)
def test_the_place_is_found_whatever_was_folded(query: str, word: str) -> None:
    assert word in snippet(query, "x " * 200 + word + " y" * 200)


def test_the_beginning_of_a_word_is_preferred_to_its_middle() -> None:
    text = "concatenate " + "x " * 200 + "cat " + "y " * 200
    assert "x cat y" in snippet("cat", text)


def test_a_piece_is_found_only_as_a_whole() -> None:
    query = SearchQuery.parse("e-mail")
    assert query.matches("my e mail")
    assert not query.matches("e or mail")


def test_every_piece_must_occur() -> None:
    assert SearchQuery.parse("one two").matches("two and one")
    assert not SearchQuery.parse("one two").matches("two and three")


def test_signs_alone_are_looked_for_as_they_are() -> None:
    query = SearchQuery.parse(" ++ ")
    assert (query.pieces, query.text) == ((), "++")
    assert query.matches("C++")
    assert not SearchQuery.parse("").matches("anything")


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=80), start=st.integers(0, 80), length=st.integers(1, 20))
def test_every_word_of_a_text_finds_it(text: str, start: int, length: int) -> None:
    words = word_line(text).split()
    for word in words[start : start + length]:
        assert SearchQuery.parse(word).matches(text)


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=200), query=st.text(min_size=1, max_size=10))
def test_a_snippet_is_always_one_printable_line(text: str, query: str) -> None:
    shown = snippet(query, text)
    assert shown == "" or shown.isprintable()


@settings(max_examples=200, deadline=None)
@given(text=st.text(max_size=50))
def test_folding_twice_changes_nothing_more_for_the_index(text: str) -> None:
    assert word_line(word_line(text)) == word_line(text)


@pytest.mark.parametrize(
    "text", ["word " * 30_000, "日本" * 30_000, "x" * 100_000, "é \n" * 30_000], ids=range(4)
)
def test_a_long_text_is_taken_in_pieces_without_tearing_words(text: str) -> None:
    words = word_line(text).split()
    if " " in text:
        assert words == [fold(word) for word in text.split()]
    else:
        assert "".join(words) == text


def test_a_snippet_shows_the_word_that_was_found_and_not_the_end_of_another() -> None:
    text = "un document " + "x " * 80 + "mentir et mént"
    assert "mentir" in SearchQuery.parse("ment").snippet(text)
    text = "un document " + "x " * 80 + "puis méntira"
    assert "méntira" in SearchQuery.parse("ment").snippet(text)
    assert "明天去北京" in SearchQuery.parse("北京").snippet("我们明天去北京开会")
