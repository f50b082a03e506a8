"""Texts to token ids, and token ids to batches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.errors import EmbeddingModelError, InvalidInputError
from assistant.core.text import check_text

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

_CHARACTERS_PER_TOKEN = 8
_GROWTH = 8


def copied_texts(texts: Iterable[str]) -> list[str]:
    """The texts of a call, safe from later changes of the caller's list.

    Raises:
        InvalidInputError: one text instead of several.
    """
    if isinstance(texts, str):
        raise InvalidInputError("embed takes a list of texts, not one text.")
    return list(texts)


def check_texts(texts: Iterable[object]) -> None:
    """Check that all of `texts` can be embedded.

    Raises:
        InvalidInputError: something that is no text.
        InvalidTextError: a lone surrogate.
    """
    for text in texts:
        if not isinstance(text, str):
            raise InvalidInputError(f"Only text can be embedded, not {type(text).__name__}.")
        check_text(text)


class TextTokens:
    """Token ids of a text, cut at the model's length.

    One text at a time and so without the tokenizer's own thread pool: that one takes all cores, which a
    background job must not, and warns in processes that fork. The interpreter lock is free meanwhile.

    Args:
        path: a tokenizer.json.
        max_length: most ids of one text, the special ones included.

    Raises:
        EmbeddingModelError: the file is missing or damaged, or the package is not installed.
    """

    def __init__(self, path: Path, *, max_length: int) -> None:
        self._tokenizer = _load(path)
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(max_length)
        self._first_look = max_length * _CHARACTERS_PER_TOKEN

    def ids(self, text: str) -> list[int]:
        """The ids of `text`: exactly those of tokenizing it whole and cutting then.

        Only as much of a long text is tokenized as fills the length: 1 MB would take a second, of which the
        model reads the first thousandth.
        """
        length = self._first_look
        while length < len(text):
            encoding = self._tokenizer.encode(text[:length])
            if _is_settled(encoding):
                return list(encoding.ids)
            length *= _GROWTH
        return list(self._tokenizer.encode(text).ids)


def plan_batches(lengths: Sequence[int], *, max_tokens: int, max_texts: int) -> list[list[int]]:
    """Group texts of similar length, so that little is padded.

    Args:
        lengths: ids of each text.
        max_tokens: most ids of a batch once padded; a text that is longer alone is a batch alone.
        max_texts: most texts of a batch.

    Returns:
        Positions in `lengths`, each exactly once, shortest texts first.
    """
    batches: list[list[int]] = []
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) == max_texts or (len(batch) + 1) * lengths[position] > max_tokens):
            batches.append(batch)
            batch = []
        batch.append(position)
    if batch:
        batches.append(batch)
    return batches


def _is_settled(encoding: Encoding) -> bool:
    """Whether more text behind the cut could not change the ids: the word at the cut lies beyond them."""
    if not encoding.overflowing:
        return False
    last = max((word for word in encoding.word_ids if word is not None), default=None)
    beyond = max((word for word in encoding.overflowing[-1].word_ids if word is not None), default=None)
    return last is not None and beyond is not None and last < beyond


def _load(path: Path) -> Tokenizer:
    try:
        from tokenizers import Tokenizer

        return Tokenizer.from_file(str(path))
    except Exception as exc:  # tokenizers raises bare Exception for every kind of bad file
        raise EmbeddingModelError(
            "The embedding model's word list can't be read. Nothing that is stored is lost.",
            hint="Start Keepsake again to prepare the model anew.",
            detail=f"{path}: {type(exc).__name__}: {exc}",
        ) from exc
