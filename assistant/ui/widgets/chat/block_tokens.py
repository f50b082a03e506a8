"""The parser's tokens to blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from markdown_it.token import Token

from assistant.ui.widgets.chat.blocks import LIST, QUOTE, Align, Block, Code, Paragraph, Runs, Table

LONGEST_TABLE = 60
"""Rows of a table in one piece."""

_BULLETS = ("•", "◦", "▪")

Inline = Callable[[str], Runs]


def first_number(token: Token) -> int | None:
    """The number of a list's first item, None for bullets."""
    if token.type == "bullet_list_open":
        return None
    start = token.attrGet("start")
    return 1 if start is None else int(start)


def top_level(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """The tokens of each top-level construct."""
    group: list[Token] = []
    depth = 0
    for token in tokens:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []


class _Walk:
    """Where the walk through a group's tokens is: containers, list counters, the marker that waits for its text."""

    def __init__(self) -> None:
        self.path = ""
        self.lists: list[int | None] = []
        self.marker = ""

    def enter_item(self) -> None:
        number = self.lists[-1]
        bullets = sum(1 for entry in self.lists if entry is None)
        self.marker = _BULLETS[min(bullets, len(_BULLETS)) - 1] if number is None else f"{number}."
        if number is not None:
            self.lists[-1] = number + 1
        self.path += LIST

    def take_marker(self) -> str:
        marker, self.marker = self.marker, ""
        return marker


def blocks_of(
    tokens: Sequence[Token], inline: Inline, number: int | Literal["outside"] | None = "outside"
) -> Iterator[Block]:
    """The blocks of a group, or of one item of a list that has this number, None for a bullet."""
    walk = _Walk()
    if number != "outside":
        walk.lists.append(number)
    position = 0
    while position < len(tokens):
        token = tokens[position]
        match token.type:
            case "bullet_list_open" | "ordered_list_open":
                walk.lists.append(first_number(token))
            case "bullet_list_close" | "ordered_list_close":
                walk.lists.pop()
            case "list_item_open":
                walk.enter_item()
            case "list_item_close":
                if walk.marker:
                    yield Paragraph("text", path=walk.path, marker=walk.take_marker())
                walk.path = walk.path[:-1]
            case "blockquote_open":
                if walk.marker:
                    yield Paragraph("text", path=walk.path, marker=walk.take_marker())
                walk.path += QUOTE
            case "blockquote_close":
                walk.path = walk.path[:-1]
            case "inline":
                heading = tokens[position - 1]
                level = int(heading.tag[1]) if heading.type == "heading_open" else 0
                kind = "heading" if level else "text"
                yield Paragraph(kind, inline(token.content), level, walk.path, walk.take_marker())  # type: ignore[arg-type]
            case "hr":
                yield Paragraph("rule", path=walk.path, marker=walk.take_marker())
            case "fence" | "code_block":
                if walk.marker:
                    yield Paragraph("text", path=walk.path, marker=walk.take_marker())
                words = token.info.split(maxsplit=1)
                yield Code(words[0] if words else "", token.content.removesuffix("\n"), walk.path)
            case "table_open":
                end = next(i for i in range(position, len(tokens)) if tokens[i].type == "table_close")
                if walk.marker:
                    yield Paragraph("text", path=walk.path, marker=walk.take_marker())
                yield from _tables(tokens[position:end], inline, walk.path)
                position = end
            case _:
                pass
        position += 1


def _tables(tokens: Sequence[Token], inline: Inline, path: str) -> Iterator[Table]:
    """The table, in pieces with the same header when it is long: laying one out takes time with its length."""
    rows: list[list[Runs]] = []
    aligns: list[Align] = []
    for index, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append(inline(tokens[index + 1].content))
            if token.type == "th_open":
                style = str(token.attrGet("style") or "")
                aligns.append(style.removeprefix("text-align:"))  # type: ignore[arg-type]
    body = [tuple(row) for row in rows[1:]]
    for start in range(0, max(1, len(body)), LONGEST_TABLE):
        yield Table(tuple(rows[0]), tuple(body[start : start + LONGEST_TABLE]), tuple(aligns), path)
