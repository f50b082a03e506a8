"""What the window shows of a prompt: its size, layer by layer, and its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["", "trimmed", "over"]


@dataclass(frozen=True, slots=True)
class LayerRow:
    """One part of a prompt.

    Attributes:
        name: for people.
        tokens: what it costs.
        share: of what the prompt may cost, 0..1.
        note: how much of it is in, where not all is; empty otherwise.
        is_memory: it shows in the colour of memory.
    """

    name: str
    tokens: int
    share: float
    note: str = ""
    is_memory: bool = False


@dataclass(frozen=True, slots=True)
class ContextView:
    """The size of a prompt.

    Attributes:
        figure: "3.1k of 8k tokens".
        level: whether something had to stay out, or it does not fit at all.
        about: which prompt this is.
        rows: its parts, in the order of the prompt.
        trimmed: what stayed out, in sentences.
        notices: what a person should know, in sentences.
        facts: how it was counted and who says how much the model reads, in sentences.
    """

    figure: str
    level: Level = ""
    about: str = ""
    rows: tuple[LayerRow, ...] = ()
    trimmed: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SentMessage:
    """One message of a prompt.

    Attributes:
        role: as the model is told.
        layer: what it is, for people.
        text: all of it.
        is_memory: it quotes memories.
    """

    role: str
    layer: str
    text: str
    is_memory: bool = False


@dataclass(frozen=True, slots=True)
class SentView:
    """A request.

    Attributes:
        heading: of the dialog.
        where: where it goes or went, in sentences.
        note: what else a person should know of it; empty for nothing.
        messages: in order; empty when nothing can be shown.
        body: the request as it goes over the wire; empty when unknown.
    """

    heading: str
    where: str
    note: str = ""
    messages: tuple[SentMessage, ...] = ()
    body: str = ""
