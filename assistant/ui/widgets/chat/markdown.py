"""Markdown of a reply to blocks.

CommonMark with tables and strike-through, through markdown-it-py. HTML is text, images are named and never
loaded, links lead to http, https and mailto only; a line break in a paragraph stays one, as chat models mean it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from assistant.core.text import drop_lone_surrogates
from assistant.ui.widgets.chat.blocks import LIST, QUOTE, Align, Block, Code, Paragraph, Run, Runs, Table

LONGEST_INLINE = 20_000
"""Characters of one paragraph up to which its emphasis and links are looked for; past it the text stays as it is."""

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
_BULLETS = ("•", "◦", "▪")

InlineCache = dict[str, Runs]


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
    """The blocks of one top-level construct (a paragraph, a whole list, ...), which starts at line `start`.

    `fence` is its opening line's marker when it is a fenced code block that is not indented.
    """

    start: int
    blocks: tuple[Block, ...]
    fence: str = ""


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

        result = [
            Group(group[0].map[0] if group[0].map else 0, tuple(_blocks(group, inline)), _fence_of(group[0]))
            for group in _top_level(tokens)
        ]
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


def _fence_of(token: Token) -> str:
    return token.markup if token.type == "fence" else ""


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


def _blocks(tokens: Sequence[Token], inline: Any) -> Iterator[Block]:
    walk = _Walk()
    position = 0
    while position < len(tokens):
        token = tokens[position]
        match token.type:
            case "bullet_list_open":
                walk.lists.append(None)
            case "ordered_list_open":
                start = token.attrGet("start")
                walk.lists.append(1 if start is None else int(start))
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
                yield _table(tokens[position:end], inline, walk.path)
                position = end
            case _:
                pass
        position += 1


def _table(tokens: Sequence[Token], inline: Any, path: str) -> Table:
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
    return Table(tuple(rows[0]), tuple(tuple(row) for row in rows[1:]), tuple(aligns), path)


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
