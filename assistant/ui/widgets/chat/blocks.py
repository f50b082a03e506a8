"""What a reply is made of, ready to be drawn: flat paragraphs, tables and code, with no markup left."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

LIST = "l"
QUOTE = "q"

Align = Literal["", "left", "center", "right"]
ParagraphKind = Literal["text", "heading", "rule"]


class Run(NamedTuple):
    """A stretch of text in one look. `href` is empty or an http, https or mailto address; a line break is \\n."""

    text: str
    bold: bool = False
    italic: bool = False
    strike: bool = False
    code: bool = False
    href: str = ""

    def looks_like(self, other: Run) -> bool:
        """Whether both are drawn with the same format."""
        return self[1:] == other[1:]


Runs = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, heading, list item or rule.

    Attributes:
        kind: "text", "heading" or "rule" (which has no runs).
        runs: its text.
        level: 1 to 6 for a heading, else 0.
        path: the containers around it from outside in: `LIST` for each list item, `QUOTE` for each quotation.
        marker: the bullet or number before it; empty for the further paragraphs of an item.
    """

    kind: ParagraphKind
    runs: Runs = ()
    level: int = 0
    path: str = ""
    marker: str = ""

    @property
    def text(self) -> str:
        return "".join(run.text for run in self.runs)


@dataclass(frozen=True, slots=True)
class Table:
    """A table; each row has as many cells as `aligns`."""

    header: tuple[Runs, ...]
    rows: tuple[tuple[Runs, ...], ...]
    aligns: tuple[Align, ...]
    path: str = ""


@dataclass(frozen=True, slots=True)
class Code:
    """A code block; `text` has no newline at its end, `language` is the first word after the fence or empty."""

    language: str
    text: str
    path: str = ""


Block = Paragraph | Table | Code
