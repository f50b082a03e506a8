"""Blocks of a reply to segments: what goes into one widget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.ui.theme import SPACE
from assistant.ui.widgets.chat.blocks import Block, Code, Paragraph, Table
from assistant.ui.widgets.chat.prose_formats import gap_between

LONGEST_PROSE = 4_000
"""Characters after which prose goes on in another widget, so that adding to it costs the same in a long reply."""


@dataclass(frozen=True, slots=True)
class Segment:
    """Blocks `first` to `end` (not included) of a reply: one table, one code block, or paragraphs.

    `gap` is the distance to the segment above, in pixels.
    """

    first: int
    end: int
    kind: type[Paragraph] | type[Table] | type[Code]
    gap: int


def plan(blocks: Sequence[Block], first: int = 0) -> list[Segment]:
    """The segments from block `first` on, where a segment starts. Text added later changes only the last one."""
    result: list[Segment] = []
    index = first
    while index < len(blocks):
        block = blocks[index]
        gap = _gap(blocks[index - 1] if index else None, block)
        end = index + 1
        if isinstance(block, Paragraph):
            size = _size(block)
            while end < len(blocks) and size < LONGEST_PROSE:
                following = blocks[end]
                if not isinstance(following, Paragraph):
                    break
                size += _size(following)
                end += 1
        result.append(Segment(index, end, type(block), gap))
        index = end
    return result


def _gap(above: Block | None, below: Block) -> int:
    if above is None:
        return 0
    if isinstance(above, Paragraph) and isinstance(below, Paragraph):
        return gap_between(above, below)
    if isinstance(below, Paragraph) and below.kind == "heading":
        return SPACE.xl
    return SPACE.m


def _size(paragraph: Paragraph) -> int:
    return sum(len(run.text) for run in paragraph.runs)
