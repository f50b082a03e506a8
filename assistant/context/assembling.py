"""From layers to a prompt: what is required is in, the rest gives way from the bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.context.counting import CountingMethod
from assistant.context.fences import cut_text
from assistant.context.grouping import exchanges
from assistant.context.layers import CONVERSATION, PROMPT_ORDER, USER_MESSAGE, Layer
from assistant.context.reader import Reader
from assistant.context.reports import Assembly, ContextReport, LayerReport, of_sizes, short_size, window_note
from assistant.core.errors import ContextTooLongError
from assistant.core.types import Message

_FIRST_CHUNK = 64
_BEST_FIRST: tuple[CountingMethod, ...] = ("exact", "server", "estimate")


@dataclass(frozen=True, slots=True)
class _Fitted:
    """What of a layer goes into the prompt."""

    messages: tuple[Message, ...]
    tokens: int
    kept: int
    total: int
    trimmed: str = ""
    fallen_out: tuple[Message, ...] = ()


def assemble(layers: Sequence[Layer], reader: Reader, *, reserve: int, budget: int) -> Assembly:
    """The prompt that these layers make.

    Required layers are sent whole. The others are trimmed in the order of their priority, the lowest first;
    of equals the one that was added last. A layer is touched when nothing is left of those below it. One that
    goes as a whole and could not be sent with the required ones alone is left out without touching others.

    Args:
        layers: in the order in which they were added.
        reader: the model.
        reserve: tokens kept free for the reply, for the report.
        budget: tokens that the prompt may cost.

    Raises:
        ContextTooLongError: the required layers alone cost more.
        InvalidTextError: a text with a lone surrogate.
    """
    layers = [layer for layer in layers if not layer.is_empty]
    fitted = {layer.name: _whole(layer, reader) for layer in layers if layer.required}
    left = budget - reader.once - sum(each.tokens for each in fitted.values())
    if left < 0:
        raise _too_long(fitted, reader, budget)
    room, closed = left, False
    # Sorting keeps the order of equals, so that those added last are trimmed first.
    for layer in sorted(layers, key=lambda layer: -layer.priority):
        if layer.required:
            continue
        each = _fit(layer, reader, -1 if closed else left)
        fitted[layer.name] = each
        left -= each.tokens
        if each.trimmed and not closed:
            closed = layer.trim != "drop" or _whole(layer, reader).tokens <= room
    ordered = sorted(layers, key=_place)
    reports = tuple(_reported(layer, fitted[layer.name], reader) for layer in ordered)
    conversation = fitted.get(CONVERSATION)
    report = ContextReport(
        model=reader.name,
        window=reader.window.tokens,
        window_source=reader.window.source,
        reserve=reserve,
        budget=budget,
        tokens=budget - left,
        overhead=reader.once,
        layers=reports,
        counting=max((each.counting for each in reports), key=_BEST_FIRST.index, default="exact"),
        notes=tuple(filter(None, [window_note(reader.name, reader.window)])),
    )
    return Assembly(
        messages=tuple(message for layer in ordered for message in fitted[layer.name].messages),
        report=report,
        fallen_out=() if conversation is None else conversation.fallen_out,
    )


def _fit(layer: Layer, reader: Reader, room: int) -> _Fitted:
    """As much of a layer as `room` tokens hold; below 0 nothing."""
    if layer.items is not None:
        return _fit_items(layer, reader, room)
    if layer.trim == "oldest":
        return _fit_newest(layer.messages, reader, room)
    if layer.trim == "items" and len(layer.messages) > 1:
        return _fit_first(layer.messages, reader, room)
    whole = _whole(layer, reader) if room >= 0 else None
    if whole is not None and whole.tokens <= room:
        return whole
    if layer.trim == "cut" and room >= 0:
        return _cut(layer.messages[0], reader, room)
    return _Fitted((), 0, 0, len(layer.messages), "left out")


def _whole(layer: Layer, reader: Reader) -> _Fitted:
    total = len(layer.messages) if layer.items is None else len(layer.items.items)
    messages = layer.rendered(total)
    return _Fitted(messages, sum(reader.costs(messages)), total, total)


def _fit_items(layer: Layer, reader: Reader, room: int) -> _Fitted:
    assert layer.items is not None
    total = len(layer.items.items)

    def with_first(kept: int) -> _Fitted:
        messages = layer.rendered(kept)
        return _Fitted(
            messages, sum(reader.costs(messages)), kept, total, _lost(total - kept, total, "items")
        )

    if room < 0:
        return with_first(0)
    best, fits, too_many = with_first(0), 0, total + 1
    tried = total
    while fits < tried < too_many:
        candidate = with_first(tried)
        if candidate.tokens <= room:
            best, fits = candidate, tried
        else:
            too_many = tried
        tried = (fits + too_many) // 2
    return best


def _fit_first(messages: Sequence[Message], reader: Reader, room: int) -> _Fitted:
    tokens, kept = 0, 0
    for cost in reader.costs(messages) if room >= 0 else ():
        if tokens + cost > room:
            break
        tokens, kept = tokens + cost, kept + 1
    total = len(messages)
    return _Fitted(tuple(messages[:kept]), tokens, kept, total, _lost(total - kept, total, "messages"))


def _fit_newest(messages: Sequence[Message], reader: Reader, room: int) -> _Fitted:
    """Whole exchanges, the newest first. Those that can't fit any more are not even counted."""
    tokens, first = 0, len(messages)
    groups = exchanges(messages) if room >= 0 else []
    chunk, size = len(messages), _FIRST_CHUNK
    costs: dict[int, int] = {}
    for group in reversed(groups):
        if group.start < chunk:
            start = min(group.start, max(0, chunk - size))
            costs.update(zip(range(start, chunk), reader.costs(messages[start:chunk]), strict=True))
            chunk, size = start, size * 2
        cost = sum(costs[position] for position in group)
        if tokens + cost > room:
            break
        tokens, first = tokens + cost, group.start
    return _Fitted(
        tuple(messages[first:]),
        tokens,
        len(messages) - first,
        len(messages),
        _lost(first, len(messages), "messages", "the oldest "),
        tuple(messages[:first]),
    )


def _cut(message: Message, reader: Reader, room: int) -> _Fitted:
    def cut(text: str) -> Message:
        return Message(message.role, text, message.metadata)

    text = cut_text(message.content, lambda text: sum(reader.costs([cut(text)])) <= room)
    if not text:
        return _Fitted((), 0, 0, 1, "left out")
    trimmed = f"cut to {len(text):,} of {len(message.content):,} characters"
    return _Fitted((cut(text),), sum(reader.costs([cut(text)])), 1, 1, trimmed)


def _lost(lost: int, total: int, unit: str, which: str = "") -> str:
    if not lost:
        return ""
    return "left out" if lost == total else f"{which}{lost:,} of {total:,} {unit} left out"


def _reported(layer: Layer, fitted: _Fitted, reader: Reader) -> LayerReport:
    return LayerReport(
        name=layer.name,
        priority=layer.priority,
        required=layer.required,
        tokens=fitted.tokens,
        kept=fitted.kept,
        total=fitted.total,
        trimmed=fitted.trimmed,
        counting=reader.method(fitted.messages),
        messages=len(fitted.messages),
    )


def _place(layer: Layer) -> int:
    return PROMPT_ORDER.index(layer.name if layer.name in PROMPT_ORDER else "")


def _too_long(required: dict[str, _Fitted], reader: Reader, budget: int) -> ContextTooLongError:
    parts = {name: fitted.tokens for name, fitted in required.items()}
    detail = ", ".join(f"{name} {tokens:,}" for name, tokens in parts.items())
    detail = (
        f"{reader.name or 'the model'}: window {reader.window.tokens:,} ({reader.window.source}), "
        f"for the prompt {budget:,}; {detail}, frame {reader.once:,} tokens"
    )
    message_alone = parts.get(USER_MESSAGE, 0) + reader.once
    if message_alone > budget:
        return ContextTooLongError(
            "This message alone is larger than the model can read "
            f"({of_sizes(message_alone, budget)} tokens).",
            hint="Shorten it, or choose a larger model.",
            detail=detail,
            tokens=message_alone,
            limit=budget,
            assumed=reader.window.source == "assumed",
        )
    needed = sum(parts.values()) + reader.once
    sizes = ", ".join(
        f"{'your message' if name == USER_MESSAGE else name.replace('_', ' ')} {short_size(tokens)}"
        for name, tokens in sorted(parts.items(), key=lambda part: -part[1])
    )
    return ContextTooLongError(
        f"What must be sent is larger than the model can read ({of_sizes(needed, budget)} tokens: {sizes}).",
        hint="Shorten the message or the instructions, or choose a larger model.",
        detail=detail,
        tokens=needed,
        limit=budget,
        assumed=reader.window.source == "assumed",
    )
