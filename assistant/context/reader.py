"""The model as the reader of a prompt: how much it takes in, and what a message costs it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assistant.context.counting import (
    CountingMethod,
    EncodingCounter,
    EstimatingCounter,
    ServerCounter,
    TokenCounter,
    texts_of,
)
from assistant.context.windows import ModelWindow, encoding_of, known_window
from assistant.core.types import Message

_LEAST_TO_LEARN_FROM = 60
_CLOSEST_RATIO, _FARTHEST_RATIO = 0.2, 5.0
_CAREFUL = 1.05


class Reader:
    """What is known about one model.

    Args:
        name: as in ChatModel.name.
        window: set by the caller; None takes what the name tells until a server says more.

    Attributes:
        name: of the model.
        window: how much fits.
        counter: counts for it.
    """

    def __init__(self, name: str, *, window: ModelWindow | None = None) -> None:
        self.name = name
        self.window = window or known_window(name)
        encoding = encoding_of(name)
        self.counter: TokenCounter = EstimatingCounter() if encoding is None else EncodingCounter(encoding)
        self._surplus = 0
        self._reports = 0

    @property
    def once(self) -> int:
        """Tokens that a prompt costs beside its messages."""
        return self.counter.format.once + self._surplus

    def costs(self, messages: Sequence[Message]) -> list[int]:
        """Tokens of each message with what the chat adds to it."""
        each = self.counter.format.each
        contents = self.counter.counts([message.content for message in messages])
        costs = [each + count for count in contents]
        for position, message in enumerate(messages):
            if message.metadata and len(texts := texts_of(message)) > 1:
                costs[position] += sum(self.counter.counts(texts[1:]))
        return costs

    def method(self, messages: Iterable[Message]) -> CountingMethod:
        """The least exact way in which one of these is counted."""
        return self.counter.method(text for message in messages for text in texts_of(message))

    def take_window(self, tokens: int) -> None:
        """Take the server's word, unless the caller set the window."""
        if self.window.source != "given":
            self.window = ModelWindow(tokens, "server")

    def use_server_counts(self) -> ServerCounter | None:
        """Count with the server's tokenizer from now on; None where the exact encoding is known anyway."""
        if isinstance(self.counter, EstimatingCounter):
            self.counter = ServerCounter(self.counter)
        return self.counter if isinstance(self.counter, ServerCounter) else None

    def learn(self, messages: Sequence[Message], reported: int) -> bool:
        """Compare a prompt with the usage that the server reported for it, and count better from then on.

        Returns:
            True when the server seems to have read only a part of it. Nothing is learned from that.
        """
        texts = [text for message in messages for text in texts_of(message)]
        expected = sum(self.costs(messages)) + self.once
        if self.counter.method(texts) == "estimate":
            return self._learn_ratio(texts, len(messages), reported, expected)
        if expected - reported > max(64, expected // 10):
            return True
        # A template may add a text of its own; what it once added is kept in mind, and slowly forgotten.
        missing = reported - (expected - self._surplus)
        self._surplus = max(missing, self._surplus - max(1, self._surplus // 8), 0)
        return False

    def _learn_ratio(self, texts: Sequence[str], messages: int, reported: int, expected: int) -> bool:
        estimates = self.counter.estimates if isinstance(self.counter, ServerCounter) else self.counter
        assert isinstance(estimates, EstimatingCounter)
        plain = sum(estimates.uncorrected(texts))
        around = self.counter.format.once + messages * self.counter.format.each
        likely = expected if self._reports > 1 else plain + around
        # Before a few reports an estimate may be twice too high for a text that is easy on the tokenizer.
        least = 0.7 if self._reports > 1 else 0.5
        if likely - reported > 256 and reported < likely * least:
            return True
        if plain >= _LEAST_TO_LEARN_FROM:
            seen = (reported - around) / plain * _CAREFUL
            weight = 1.0 if not self._reports else 0.7 if seen > estimates.ratio else 0.25
            learned = estimates.ratio + weight * (seen - estimates.ratio)
            estimates.ratio = min(max(learned, _CLOSEST_RATIO), _FARTHEST_RATIO)
            self._reports += 1
        return False
