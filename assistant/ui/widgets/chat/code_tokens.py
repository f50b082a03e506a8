"""Source code to coloured lines, a little at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

HIGHLIGHTED_LINES = 2_000
HIGHLIGHTED_CHARACTERS = 100_000

Style = Literal["keyword", "string", "comment", "number", "name", "deleted", "inserted", "strong"]


class Span(NamedTuple):
    """Part of a line in UTF-16 units, as Qt counts."""

    start: int
    length: int
    style: Style


LineSpans = tuple[Span, ...]


def utf16_length(text: str) -> int:
    """The length of `text` as Qt counts it: characters outside the basic plane are two."""
    if text.isascii():
        return len(text)
    return len(text) + sum(1 for character in text if character > "\uffff")


def coloured_lines(language: str, text: str) -> Iterator[LineSpans | None]:
    """The spans of each line of `text` in order; None in between means: not yet, ask again.

    Between two results lie a few milliseconds at most. Nothing comes for a language that Pygments does not know,
    and nothing past the first `HIGHLIGHTED_LINES` lines or `HIGHLIGHTED_CHARACTERS` characters.
    """
    from pygments.lexers import find_lexer_class_by_name

    if not _is_known(language):
        return
    yield None
    lexer_class = find_lexer_class_by_name(language)
    yield None
    yield from _prepare(lexer_class)
    lexer = lexer_class()
    yield None
    yield from _split_lines(lexer.get_tokens_unprocessed(_beginning(text)))


def _is_known(language: str) -> bool:
    # Without plug-ins: looking for those reads the metadata of every installed package.
    from pygments.lexers import get_all_lexers

    wanted = language.lower()
    return bool(wanted) and any(wanted in aliases for _, aliases, _, _ in get_all_lexers(plugins=False))


def _prepare(lexer_class: Any) -> Iterator[None]:
    """Compile the expressions of a lexer one by one: it finds them in re's cache afterwards, all at once they
    would take up to a tenth of a second."""
    for kind in lexer_class.__mro__:
        states = vars(kind).get("tokens", {})
        for rules in states.values() if isinstance(states, dict) else ():
            for rule in rules if isinstance(rules, list) else ():
                pattern: Any = rule[0] if type(rule) is tuple else None
                if hasattr(pattern, "get"):
                    pattern = pattern.get()
                if isinstance(pattern, str):
                    re.compile(pattern, lexer_class.flags)
                    yield None


def _beginning(text: str) -> str:
    cut = text[:HIGHLIGHTED_CHARACTERS]
    lines = cut.split("\n", HIGHLIGHTED_LINES)
    complete = lines[:HIGHLIGHTED_LINES] if len(text) <= HIGHLIGHTED_CHARACTERS else lines[:-1]
    return "\n".join(complete) + "\n"


def _split_lines(tokens: Iterator[tuple[int, Any, str]]) -> Iterator[LineSpans | None]:
    styles = _Styles()
    line: list[Span] = []
    column = 0
    for _, kind, value in tokens:
        style = styles.of(kind)
        first = True
        for part in value.split("\n"):
            if not first:
                yield tuple(line)
                line, column = [], 0
            first = False
            length = utf16_length(part)
            if style and length:
                _add(line, Span(column, length, style))
            column += length
        yield None
    if line:
        yield tuple(line)


def _add(line: list[Span], span: Span) -> None:
    """Lexers cut finely; what looks the same is one span."""
    if line and line[-1].style == span.style and line[-1].start + line[-1].length == span.start:
        line[-1] = line[-1]._replace(length=line[-1].length + span.length)
    else:
        line.append(span)


class _Styles:
    """Pygments' token types, of which there are hundreds, to the few looks of a code block."""

    def __init__(self) -> None:
        from pygments.token import Comment, Generic, Keyword, Name, Number, Operator, String

        self._known: dict[Any, Style | None] = {
            Keyword: "keyword",
            Keyword.Constant: "number",
            Operator.Word: "keyword",
            String: "string",
            Comment: "comment",
            Comment.Preproc: "keyword",
            Number: "number",
            Name.Function: "name",
            Name.Class: "name",
            Name.Decorator: "name",
            Name.Tag: "keyword",
            Name.Attribute: "name",
            Name.Builtin: "name",
            Name.Exception: "name",
            Generic.Deleted: "deleted",
            Generic.Inserted: "inserted",
            Generic.Heading: "strong",
            Generic.Subheading: "strong",
            Generic.Prompt: "comment",
        }

    def of(self, kind: Any) -> Style | None:
        if kind not in self._known:
            self._known[kind] = self.of(kind.parent) if kind.parent is not None else None
        return self._known[kind]
