"""How many tokens texts are, counted in the best way that is there for a model.

What a chat adds around each message: OpenAI, "How to count tokens with tiktoken" (three tokens and the role for
each message, three to begin the reply). Servers with chat templates of their own spend a little more; what is
missing there is learned from the usage that they report.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from assistant.context.grouping import TOOL_CALL_ID, TOOL_CALLS
from assistant.context.windows import Encoding
from assistant.core.text import check_text
from assistant.core.types import Message

CountingMethod = Literal["exact", "server", "estimate"]
"""By the model's own encoding on this computer, by the server's tokenizer, or from the length."""

_REMEMBERED = 50_000
_FIRST_RATIO = 1.15
_TOKENS_PER_DIGIT = 0.7
_RARE = re.compile("[\u0700-\u08ff\u0f00-\u0fff\u1200-\u177f\u1800-\u1c7f\ua000-\uabff\U00010000-\U0010ffff]")

BYTES_PER_TOKEN = 3.5
"""Bytes of UTF-8 to one estimated token."""


@dataclass(frozen=True, slots=True)
class ChatFormat:
    """What a chat adds to its texts, in tokens.

    Attributes:
        each: around one message, its role included.
        once: for the whole prompt.
    """

    each: int
    once: int


OPENAI_FORMAT = ChatFormat(each=4, once=3)
TEMPLATE_FORMAT = ChatFormat(each=6, once=8)


class CountCache:
    """Counts by text. Keeps no text, only its hash and length, and at most 50,000 of them."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, int], int] = {}

    def get(self, text: str) -> int | None:
        """The count of `text`, None when it was not put in."""
        return self._counts.get((hash(text), len(text)))

    def put(self, text: str, count: int) -> None:
        """Remember a count."""
        self._make_room()
        self._counts[hash(text), len(text)] = count

    def counts(self, texts: Sequence[str], count: Callable[[list[str]], list[int]]) -> list[int]:
        """The counts of `texts`, in order; those that were not put in are got from `count`, each once."""
        keys = [(hash(text), len(text)) for text in texts]
        found = [self._counts.get(key) for key in keys]
        if None in found:
            unknown = {
                key: text for key, text, known in zip(keys, texts, found, strict=True) if known is None
            }
            fresh = dict(zip(unknown, count(list(unknown.values())), strict=True))
            found = [fresh[key] if known is None else known for key, known in zip(keys, found, strict=True)]
            self._make_room()
            self._counts.update(fresh)
        return [known for known in found if known is not None]

    def missing(self, texts: Iterable[str]) -> list[str]:
        """Those of `texts` that were not put in, each once."""
        return list(dict.fromkeys(text for text in texts if self.get(text) is None))

    def _make_room(self) -> None:
        if len(self._counts) >= _REMEMBERED:
            for old in list(self._counts)[: _REMEMBERED // 2]:
                self._counts.pop(old, None)


class TokenCounter(Protocol):
    """Counts for one model.

    Attributes:
        format: what its chats add.
    """

    @property
    def format(self) -> ChatFormat: ...

    def counts(self, texts: Sequence[str]) -> list[int]:
        """Tokens of each text, in order.

        Raises:
            InvalidTextError: a lone surrogate.
        """
        ...

    def method(self, texts: Iterable[str]) -> CountingMethod:
        """How `counts` counts these: the least exact way that it takes for any of them."""
        ...


class EncodingCounter:
    """OpenAI's encodings, offline and exact. Loading one takes a third of a second, once for all.

    Texts that look like special tokens count as the plain text that a message is.
    """

    format = OPENAI_FORMAT

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self._cache = CountCache()

    def load(self) -> None:
        """Load the encoding now, so that the first count does not wait for it."""
        self._count(["a"])

    def counts(self, texts: Sequence[str]) -> list[int]:
        """See TokenCounter."""
        return self._cache.counts(texts, self._count)

    def method(self, texts: Iterable[str]) -> CountingMethod:
        """Always exact."""
        return "exact"

    def _count(self, texts: list[str]) -> list[int]:
        from toktok import batch_count

        try:
            counts: list[int] = batch_count(texts, self.encoding, threads=1)
            return counts
        except UnicodeEncodeError:
            for text in texts:
                check_text(text)
            raise


class EstimatingCounter:
    """From the length of a text, corrected by what the server reported for earlier prompts.

    Attributes:
        ratio: reported tokens to one estimated; above 1 until there was a report, so as to be careful.
    """

    format = TEMPLATE_FORMAT

    def __init__(self) -> None:
        self.ratio = _FIRST_RATIO
        self._cache = CountCache()

    def counts(self, texts: Sequence[str]) -> list[int]:
        """See TokenCounter."""
        return [math.ceil(count * self.ratio) for count in self.uncorrected(texts)]

    def uncorrected(self, texts: Sequence[str]) -> list[int]:
        """The plain estimates."""
        return self._cache.counts(texts, lambda unknown: [_estimate(check_text(text)) for text in unknown])

    def method(self, texts: Iterable[str]) -> CountingMethod:
        """Always an estimate."""
        return "estimate"


class ServerCounter:
    """What the server's tokenizer has told, and estimates for the texts that it was not asked about.

    Args:
        estimates: for those.
    """

    format = TEMPLATE_FORMAT

    def __init__(self, estimates: EstimatingCounter) -> None:
        self.estimates = estimates
        self._told = CountCache()

    def learn(self, texts: Sequence[str], counts: Sequence[int]) -> None:
        """Take the server's counts of texts."""
        for text, count in zip(texts, counts, strict=True):
            self._told.put(text, count)

    def unknown(self, texts: Iterable[str]) -> list[str]:
        """Those that the server was not asked about, each once."""
        return self._told.missing(texts)

    def counts(self, texts: Sequence[str]) -> list[int]:
        """See TokenCounter."""
        told = [self._told.get(text) for text in texts]
        return [
            self.estimates.counts([text])[0] if count is None else count
            for text, count in zip(texts, told, strict=True)
        ]

    def method(self, texts: Iterable[str]) -> CountingMethod:
        """ "server" when it was asked about all of them."""
        return "server" if all(self._told.get(text) is not None for text in texts) else "estimate"


def texts_of(message: Message) -> list[str]:
    """What of a message costs tokens: its content, and a tool's call or answer where it carries one."""
    if not message.metadata:
        return [message.content]
    extra = {
        key: message.metadata[key] for key in (TOOL_CALLS, TOOL_CALL_ID, "name") if message.metadata.get(key)
    }
    return (
        [message.content, json.dumps(extra, ensure_ascii=False, default=str)] if extra else [message.content]
    )


def _estimate(text: str) -> int:
    """Tokens from the length in UTF-8, which follows what scripts cost better than their characters do. Digits
    count more, since many vocabularies hold them one by one, and so do scripts that few vocabularies hold."""
    rare = 0 if text.isascii() else len(_RARE.findall(text))
    digits = sum(map(text.count, "0123456789"))
    return rare + math.ceil((len(text.encode()) - digits) / BYTES_PER_TOKEN + digits * _TOKENS_PER_DIGIT)
