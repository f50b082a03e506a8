"""What was put into a prompt, layer by layer, and what had to stay out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from assistant.context.counting import CountingMethod
from assistant.context.windows import ModelWindow, WindowSource
from assistant.core.types import Message


@dataclass(frozen=True, slots=True)
class LayerReport:
    """One layer of a prompt.

    Attributes:
        name, priority, required: as added.
        tokens: what it costs, with what the chat adds around its messages.
        kept, total: its parts in the prompt and altogether: messages of a conversation, items of a list, or one.
        trimmed: in words what was left out; empty when nothing was.
        counting: how its tokens were counted.
        messages: how many messages of the prompt are its.
    """

    name: str
    priority: int
    required: bool
    tokens: int
    kept: int
    total: int
    trimmed: str
    counting: CountingMethod
    messages: int = 0


@dataclass(frozen=True, slots=True)
class ContextReport:
    """A prompt in numbers.

    Attributes:
        model: whose window and tokens these are.
        window: prompt and reply together, in tokens.
        window_source: who says so; "assumed" is a cautious guess.
        reserve: tokens kept free for the reply.
        budget: tokens that the prompt may cost.
        tokens: what it costs as counted, `overhead` and all layers together.
        overhead: tokens of the chat's frame, beside the messages.
        layers: those that have content, in the order of the prompt.
        counting: the least exact way in which a layer was counted.
        notes: what a person should know, in whole sentences.
        reported_tokens: what the server says it read, None before a reply or when it does not say.
        truncation_suspected: the server seems to have read only a part of the prompt.
    """

    model: str
    window: int
    window_source: WindowSource
    reserve: int
    budget: int
    tokens: int
    overhead: int
    layers: tuple[LayerReport, ...]
    counting: CountingMethod
    notes: tuple[str, ...] = ()
    reported_tokens: int | None = None
    truncation_suspected: bool = False

    def layer(self, name: str) -> LayerReport | None:
        """The layer of that name, None when it has no content."""
        return next((layer for layer in self.layers if layer.name == name), None)

    @property
    def trimmed(self) -> tuple[LayerReport, ...]:
        """The layers that lost something."""
        return tuple(layer for layer in self.layers if layer.trimmed)


@dataclass(frozen=True, slots=True, eq=False)
class Assembly(Sequence[Message]):
    """A prompt: a sequence of messages, with its report.

    Attributes:
        messages: what to send, in order. Messages that were given as such are the same objects.
        report: its numbers.
        fallen_out: messages of the conversation that did not fit, oldest first.
    """

    messages: tuple[Message, ...]
    report: ContextReport
    fallen_out: tuple[Message, ...] = ()

    def __len__(self) -> int:
        return len(self.messages)

    def __iter__(self) -> Iterator[Message]:
        return iter(self.messages)

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Message, ...]: ...
    def __getitem__(self, index: int | slice) -> Message | tuple[Message, ...]:
        return self.messages[index]


def of_sizes(tokens: int, limit: int) -> str:
    """ "12k of 8k": two sizes for people, exact ones when they would read alike."""
    if short_size(tokens) == short_size(limit):
        return f"{tokens:,} of {limit:,}"
    return f"{short_size(tokens)} of {short_size(limit)}"


def short_size(tokens: int) -> str:
    """ "950", "3.1k", "12k", "1.2M"."""
    if tokens < 1000:
        return str(tokens)
    for unit, size in (("k", 1000), ("M", 1_000_000)):
        if tokens < 9_950 * size // 1000:
            return f"{tokens / size:.1f}".removesuffix(".0") + unit
        if tokens < 999_500 * size // 1000:
            return f"{tokens / size:.0f}{unit}"
    return f"{tokens / 1_000_000:,.0f}M"


def window_note(model: str, window: ModelWindow) -> str:
    """A sentence when the window is not known, else empty."""
    if window.source != "assumed":
        return ""
    return f"How much {model or 'this model'} reads is not known; {window.tokens:,} tokens are assumed, to be careful."
