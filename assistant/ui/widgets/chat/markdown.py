"""Markdown of a reply to blocks.

CommonMark with tables and strike-through, through markdown-it-py. HTML is text, images are named and never
loaded, links lead to http, https and mailto only; a line break in a paragraph stays one, as chat models mean it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from assistant.core.text import drop_lone_surrogates
from assistant.ui.widgets.chat.blocks import LIST, QUOTE, Align, Block, Code, Paragraph, Run, Runs, Table

LONGEST_INLINE = 20_000
"""Characters of one paragraph up to which its emphasis and links are looked for; past it the text stays as it is."""

LONGEST_TABLE = 60
"""Rows of a table in one piece."""

_SCHEMES = ("http", "https", "mailto")
_REPLACED = str.maketrans(
    {
        "\0": "�",
        "￼": "�",
        "\ufdd0": "�",
        "\ufdd1": "�",
        "\x0b": " ",
        "\x0c": " ",
        "\u2028": "\n",
        "\u2029": "\n",
    }
)
_LONGEST_NUMBER = 9
_BULLETS = ("•", "◦", "▪")

InlineCache = dict[str, Runs]
Inline = Callable[[str], Runs]


def clean(text: str) -> str:
    """`text` with valid Unicode, one kind of line end, and without the characters that a text document reserves."""
    if not text.isascii():
        text = drop_lone_surrogates(text)
    return text.replace("\r\n", "\n").replace("\r", "\n").translate(_REPLACED)


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

        result = [_group(group, inline, source) for group in _top_level(tokens)]
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
        return _merged(_inline_runs(children))


def is_followable(url: str) -> bool:
    """Whether a link to `url` may be offered: http, https or mailto, with something behind it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme.lower() in _SCHEMES and bool(parts.netloc or parts.path)


def _group(tokens: Sequence[Token], inline: Inline, source: str) -> Group:
    first = tokens[0]
    fence = first.markup if first.type == "fence" else ""
    if first.type in ("bullet_list_open", "ordered_list_open"):
        blocks, cuts = _list(tokens, inline)
    else:
        blocks, cuts = list(_blocks(tokens, inline)), []
        if first.type == "table_open" and len(blocks) > 1:
            cuts = _table_cuts(tokens, source)
    return Group(_line(first), tuple(blocks), fence, tuple(cuts))


def _line(token: Token) -> int:
    return token.map[0] if token.map else 0


def _list(tokens: Sequence[Token], inline: Inline) -> tuple[list[Block], list[Cut]]:
    number = _first_number(tokens[0])
    blocks: list[Block] = []
    cuts: list[Cut] = []
    start = 1
    for index, token in enumerate(tokens):
        if token.type == "list_item_close" and token.level == 1:
            before = "" if number is None else str(number - 1)
            if blocks and len(before) <= _LONGEST_NUMBER:
                # Moved in as far as it goes, so that no item of the list counts as one below it.
                cuts.append(Cut(_line(tokens[start]), len(blocks), f"   {before}{token.markup} x\n", 1))
            blocks += _blocks(tokens[start : index + 1], inline, number)
            number = None if number is None else number + 1
            start = index + 1
    return blocks, cuts


def _table_cuts(tokens: Sequence[Token], source: str) -> list[Cut]:
    rows = [_line(token) for token in tokens if token.type == "tr_open"][1:]
    head = source.split("\n", _line(tokens[0]) + 2)[_line(tokens[0]) : _line(tokens[0]) + 2]
    lead = "".join(f"{line}\n" for line in head)
    starts = range(LONGEST_TABLE, len(rows), LONGEST_TABLE)
    return [Cut(rows[start], piece + 1, lead, 0) for piece, start in enumerate(starts)]


def _first_number(token: Token) -> int | None:
    """The number of a list's first item, None for bullets."""
    if token.type == "bullet_list_open":
        return None
    start = token.attrGet("start")
    return 1 if start is None else int(start)


def _top_level(tokens: Sequence[Token]) -> Iterator[list[Token]]:
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


def _blocks(
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
                walk.lists.append(_first_number(token))
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


def _inline_runs(tokens: Sequence[Token]) -> Iterator[Run]:
    bold = italic = strike = 0
    href = refused = label = ""
    for token in tokens:
        if refused:
            label += token.content
        match token.type:
            case "text" | "text_special":
                yield Run(token.content, bold > 0, italic > 0, strike > 0, False, href)
            case "code_inline":
                yield Run(token.content, bold > 0, italic > 0, strike > 0, True, href)
            case "softbreak" | "hardbreak":
                yield Run("\n", bold > 0, italic > 0, strike > 0, False, href)
            case "strong_open" | "strong_close":
                bold += token.nesting
            case "em_open" | "em_close":
                italic += token.nesting
            case "s_open" | "s_close":
                strike += token.nesting
            case "link_open":
                address = str(token.attrGet("href") or "")
                href, refused, label = (address, "", "") if is_followable(address) else ("", address, "")
            case "link_close":
                if refused and refused != label:
                    yield Run(f" ({refused})", bold > 0, italic > 0, strike > 0)
                href = refused = ""
            case "image":
                address = str(token.attrGet("src") or "")
                name = f"Image: {token.content} ({address})" if token.content else f"Image: {address}"
                yield Run(name, bold > 0, italic > 0, strike > 0, False, href)
            case _:
                yield Run(token.content, bold > 0, italic > 0, strike > 0, False, href)


def _merged(runs: Iterator[Run]) -> Runs:
    result: list[Run] = []
    for run in runs:
        if not run.text:
            continue
        if result and result[-1].looks_like(run):
            result[-1] = run._replace(text=result[-1].text + run.text)
        else:
            result.append(run)
    return tuple(result)
