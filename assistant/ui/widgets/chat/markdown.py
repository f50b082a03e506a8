"""Markdown of a reply to blocks.

CommonMark with tables and strike-through, through markdown-it-py. HTML is text, images are named and never
loaded, links lead to http, https and mailto only; a line break in a paragraph stays one, as chat models mean it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from assistant.ui.widgets.chat.block_tokens import LONGEST_TABLE, Inline, blocks_of, first_number, top_level
from assistant.ui.widgets.chat.blocks import Block, Run, Runs
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.inline_runs import runs_of

LONGEST_INLINE = 20_000
"""Characters of one paragraph up to which its emphasis and links are looked for; past it the text stays as it is."""

_LONGEST_NUMBER = 9

InlineCache = dict[str, Runs]


def parse(text: str) -> list[Block]:
    """The blocks of a whole text of any length; broken Markdown gives text, never an error."""
    groups = BlockParser().groups(clean(text), {})
    return [block for group in groups for block in group.blocks]


@dataclass(frozen=True, slots=True)
class Group:
    """The blocks of one top-level construct (a paragraph, a whole list, ...).

    Attributes:
        start: its first line.
        blocks: what it means.
        fence: the marker of its opening line when it is a fenced code block.
        cuts: places inside of it from which it can be parsed alone.
    """

    start: int
    blocks: tuple[Block, ...]
    fence: str = ""
    cuts: tuple[Cut, ...] = ()


@dataclass(frozen=True, slots=True)
class Cut:
    """A place inside a list (before an item) or a long table (before a piece).

    Attributes:
        line: its line.
        first: the position of the first block after it in the group.
        lead: lines that make the text from there on mean the same as in its place.
        extra: how many blocks the lead itself gives.
    """

    line: int
    first: int
    lead: str
    extra: int


class BlockParser:
    """Parses source into groups; keeps what was found inside paragraphs, which is nine tenths of the work."""

    def __init__(self) -> None:
        self._markdown = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False})
        self._markdown.enable(["table", "strikethrough"])
        # Every address is taken apart here, so that a refused one can be shown instead of staying raw markup.
        self._markdown.validateLink = lambda url: True  # type: ignore[method-assign]

    def groups(
        self, source: str, references: dict[str, Any], cache: InlineCache | None = None
    ) -> list[Group]:
        """The groups of `source`, which went through `clean`.

        Args:
            references: link definitions that are known already; those found are added.
            cache: runs by paragraph source of the last call; replaced by those of this call. Not used as soon as
                a link definition exists, since that changes what a paragraph means.
        """
        if source and not source.endswith("\n"):
            source += "\n"  # the parser loses a last line of spaces without it
        environment: dict[str, Any] = {"references": references}
        tokens: list[Token] = []
        self._markdown.block.parse(source, self._markdown, environment, tokens)
        known: InlineCache = {} if cache is None or references else dict(cache)
        used: InlineCache = {}

        def inline(content: str) -> Runs:
            runs = known.get(content)
            if runs is None:
                runs = self._runs(content, environment)
            used[content] = known[content] = runs
            return runs

        result = [_group(group, inline, source) for group in top_level(tokens)]
        if cache is not None:
            cache.clear()
            if not references:
                cache.update(used)
        return result

    def _runs(self, content: str, environment: dict[str, Any]) -> Runs:
        if len(content) > LONGEST_INLINE:
            return (Run(content),)
        children: list[Token] = []
        self._markdown.inline.parse(content, self._markdown, environment, children)
        return runs_of(children)


def _group(tokens: Sequence[Token], inline: Inline, source: str) -> Group:
    first = tokens[0]
    fence = first.markup if first.type == "fence" else ""
    if first.type in ("bullet_list_open", "ordered_list_open"):
        blocks, cuts = _list(tokens, inline)
    else:
        blocks, cuts = list(blocks_of(tokens, inline)), []
        if first.type == "table_open" and len(blocks) > 1:
            cuts = _table_cuts(tokens, source)
    return Group(_line(first), tuple(blocks), fence, tuple(cuts))


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _list(tokens: Sequence[Token], inline: Inline) -> tuple[list[Block], list[Cut]]:
    number = first_number(tokens[0])
    blocks: list[Block] = []
    cuts: list[Cut] = []
    start = 1
    for index, token in enumerate(tokens):
        if token.type == "list_item_close" and token.level == 1:
            before = "" if number is None else str(number - 1)
            if blocks and len(before) <= _LONGEST_NUMBER:
                # Moved in as far as it goes, so that no item of the list counts as one below it.
                cuts.append(Cut(_line(tokens[start]), len(blocks), f"   {before}{token.markup} x\n", 1))
            blocks += blocks_of(tokens[start : index + 1], inline, number)
            number = None if number is None else number + 1
            start = index + 1
    return blocks, cuts


def _table_cuts(tokens: Sequence[Token], source: str) -> list[Cut]:
    rows = [_line(token) for token in tokens if token.type == "tr_open"][1:]
    head = source.split("\n", _line(tokens[0]) + 2)[_line(tokens[0]) : _line(tokens[0]) + 2]
    lead = "".join(f"{line}\n" for line in head)
    starts = range(LONGEST_TABLE, len(rows), LONGEST_TABLE)
    return [Cut(rows[start], piece + 1, lead, 0) for piece, start in enumerate(starts)]
