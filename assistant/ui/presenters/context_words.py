"""The numbers of a prompt in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.agent.turn_notes import context_notes
from assistant.context.reports import ContextReport, LayerReport, of_sizes
from assistant.core.errors import ContextTooLongError
from assistant.core.types import Message
from assistant.ui.models.context import ContextView, LayerRow, SentMessage
from assistant.ui.words import count

_NAMES = {
    "identity": "What Keepsake is",
    "prompt_blocks": "Blocks",
    "output_format": "Form of the reply",
    "memory": "Memories",
    "summary": "Summary of earlier messages",
    "conversation": "Earlier messages",
    "user_message": "Your message",
}
_FRAME = "Around the messages"
_COUNTING = {
    "exact": "Counted exactly.",
    "server": "Counted by the model's own server.",
    "estimate": "Estimated from the length of the text.",
}
MEMORY = "memory"


def layer_name(name: str) -> str:
    """What a layer is called."""
    return _NAMES.get(name, name.replace("_", " ").capitalize())


def context_view(report: ContextReport, about: str) -> ContextView:
    """A prompt that fits.

    Args:
        about: which prompt this is.
    """
    budget = max(report.budget, 1)
    rows = [
        LayerRow(
            layer_name(layer.name),
            layer.tokens,
            min(layer.tokens / budget, 1.0),
            f"{layer.kept:,} of {layer.total:,}" if layer.trimmed and layer.total > 1 else "",
            layer.name == MEMORY,
        )
        for layer in report.layers
    ]
    rows.append(LayerRow(_FRAME, report.overhead, min(report.overhead / budget, 1.0)))
    trimmed = tuple(_trimmed(layer) for layer in report.trimmed)
    return ContextView(
        figure=f"{of_sizes(report.tokens, report.budget)} tokens",
        level="trimmed" if trimmed else "",
        about=about,
        rows=tuple(rows),
        trimmed=trimmed,
        notices=tuple(context_notes(report).values()),
        facts=tuple(filter(None, (_COUNTING[report.counting], _window(report), _kept_free(report)))),
    )


def over_view(error: ContextTooLongError) -> ContextView:
    """A prompt that does not fit."""
    known = error.tokens is not None and error.limit is not None
    figure = f"{of_sizes(error.tokens or 0, error.limit or 0)} tokens" if known else "Too long"
    return ContextView(figure, "over", "For the message you are writing", notices=(str(error),))


def sent_messages(messages: Sequence[Message], report: ContextReport | None) -> tuple[SentMessage, ...]:
    """The messages of a prompt with what each of them is."""
    layers = (
        [] if report is None else [name for each in report.layers for name in [each.name] * each.messages]
    )
    if len(layers) != len(messages):
        layers = [""] * len(messages)
    return tuple(
        SentMessage(message.role, layer_name(layer) if layer else "", message.content, layer == MEMORY)
        for message, layer in zip(messages, layers, strict=True)
    )


def _trimmed(layer: LayerReport) -> str:
    lost = layer.total - layer.kept
    if layer.name == "conversation":
        return f"{count(lost, 'earlier message', 'earlier messages')} left out"
    if layer.name == MEMORY:
        return f"{count(lost, 'memory', 'memories')} left out"
    return f"{layer_name(layer.name)}: {layer.trimmed}"


def _window(report: ContextReport) -> str:
    tokens = f"{report.window:,} tokens"
    return {
        "given": f"The model reads {tokens}.",
        "server": f"The model reads {tokens}: its server says so.",
        "name": f"The model reads {tokens}, as its maker says.",
        "family": f"Models of this family read {tokens}.",
        "assumed": f"How much the model reads is not known; {tokens} are assumed, to be careful.",
    }[report.window_source]


def _kept_free(report: ContextReport) -> str:
    return f"{report.reserve:,} of them are kept free for the reply." if report.reserve else ""
