"""Texts become the tokens that the model was trained on, and batches that pad little."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from assistant.core.errors import EmbeddingModelError, InvalidInputError, InvalidTextError
from assistant.embedding.tokens import TextTokens, check_texts, copied_texts, plan_batches
from assistant.embedding.weights import packaged_weights_folder

TOKENIZER = packaged_weights_folder() / "tokenizer.json"
LENGTH = 16


def whole_tokenizer() -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LENGTH)
    return tokenizer


WHOLE = whole_tokenizer()
TOKENS = TextTokens(TOKENIZER, max_length=LENGTH)

pieces = st.one_of(
    st.text(alphabet=st.characters(codec="utf-8"), max_size=40),
    st.sampled_from(
        [
            "word ",
            "antidisestablishmentarianism",
            " " * 150,
            "記憶" * 40,
            "e\u0301",
            "한국어 ",
            "a" * 130,
            "\0",
            "😀",
        ]
    ),
)


@settings(max_examples=300, deadline=None)
@given(st.lists(pieces, max_size=40).map("".join))
def test_a_long_text_has_the_tokens_of_its_whole(text: str) -> None:
    assert TOKENS.ids(text) == WHOLE.encode(text).ids


@pytest.mark.parametrize(
    "text",
    ["word " * 200_000, "a" * 1_000_000, " " * 999_990 + " end", "記" * 300_000],
    ids=["words", "one word", "spaces", "cjk"],
)
def test_a_megabyte_has_the_tokens_of_its_whole(text: str) -> None:
    assert TOKENS.ids(text) == WHOLE.encode(text).ids


def test_a_broken_word_list_is_an_embedding_model_error(tmp_path: Path) -> None:
    broken = tmp_path / "tokenizer.json"
    broken.write_text("{", encoding="utf-8")
    with pytest.raises(EmbeddingModelError, match="word list"):
        TextTokens(broken, max_length=LENGTH)


@given(st.lists(st.integers(1, 300), max_size=200), st.integers(1, 600), st.integers(1, 40))
def test_each_text_is_in_one_batch_and_no_batch_is_too_large(
    lengths: list[int], max_tokens: int, max_texts: int
) -> None:
    plan = plan_batches(lengths, max_tokens=max_tokens, max_texts=max_texts)
    assert sorted(position for batch in plan for position in batch) == list(range(len(lengths)))
    for batch in plan:
        assert len(batch) <= max_texts
        assert len(batch) == 1 or len(batch) * max(lengths[position] for position in batch) <= max_tokens


def test_texts_of_like_length_share_a_batch() -> None:
    assert plan_batches([50, 3, 48, 4], max_tokens=100, max_texts=8) == [[1, 3], [2, 0]]


def test_one_text_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="list of texts"):
        copied_texts("hello")


def test_half_of_a_character_is_refused() -> None:
    with pytest.raises(InvalidTextError):
        check_texts(["fine", "half \ud83d"])


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="int"):
        check_texts(["fine", 3])
