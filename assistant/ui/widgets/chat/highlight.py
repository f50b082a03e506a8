"""Colours for the lines of a code document, put on in slices between the events of the window."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QFont, QTextCharFormat, QTextDocument, QTextLayout

from assistant.ui.theme import Tokens
from assistant.ui.widgets.chat.code_tokens import LineSpans, Style, coloured_lines

_SLICE_SECONDS = 0.004
_PAUSE_MS = 4
_SHORTEST_WAIT_MS = 150


@dataclass(frozen=True, slots=True)
class CodeColors:
    """Colours of code on `sunken`; violet is left out, it means memory."""

    keyword: str
    string: str
    comment: str
    number: str
    name: str
    deleted: str
    inserted: str
    strong: str

    @classmethod
    def of(cls, tokens: Tokens) -> CodeColors:
        return cls(
            keyword=tokens.accent,
            string=tokens.warn,
            comment=tokens.muted,
            number="#E8A27C" if tokens.is_dark else "#9A4318",
            name="#8DB9E8" if tokens.is_dark else "#1F5F99",
            deleted=tokens.danger,
            inserted=tokens.ok,
            strong=tokens.text,
        )


class CodeHighlighter(QObject):
    """Colours one document. A text that grows is coloured anew from its start, at most a tenth of the time."""

    def __init__(self, document: QTextDocument, tokens: Tokens) -> None:
        super().__init__(document)
        self._document = document
        self._formats = _formats(tokens)
        self._language = ""
        self._text = ""
        self._lines: list[LineSpans] = []
        self._pass: Iterator[LineSpans | None] | None = None
        self._line = 0
        self._spent = 0.0
        self._stale = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tick)

    @property
    def is_idle(self) -> bool:
        """Whether every line that will have colours has them."""
        return self._pass is None and not self._stale

    def update_text(self, language: str, text: str) -> None:
        """The document shows this now; the same call serves a first text and a longer one."""
        if not language or (language, text) == (self._language, self._text):
            return
        self._language, self._text = language, text
        self._stale = True
        if not self._timer.isActive():
            self._timer.start(_PAUSE_MS)

    def _tick(self) -> None:
        if self._pass is None:
            self._pass = coloured_lines(self._language, self._text)
            self._stale, self._line, self._spent = False, 0, 0.0
        start = perf_counter()
        running = True
        while running and perf_counter() - start < _SLICE_SECONDS:
            running = self._advance(self._pass)
        self._spent += perf_counter() - start
        if running:
            self._timer.start(_PAUSE_MS)
            return
        self._pass = None
        if self._stale:
            self._timer.start(max(_SHORTEST_WAIT_MS, int(self._spent * 10_000)))

    def _advance(self, lines: Iterator[LineSpans | None]) -> bool:
        for spans in lines:
            if spans is not None:
                self._show(spans)
                self._line += 1
            return True
        return False

    def _show(self, spans: LineSpans) -> None:
        number = self._line
        if number < len(self._lines):
            if self._lines[number] == spans:
                return
            self._lines[number] = spans
        else:
            self._lines.append(spans)
            if not spans:
                return
        block = self._document.findBlockByNumber(number)
        if not block.isValid():
            return
        block.layout().setFormats([self._range(*span) for span in spans])
        self._document.markContentsDirty(block.position(), block.length())

    def _range(self, start: int, length: int, style: Style) -> QTextLayout.FormatRange:
        result = QTextLayout.FormatRange()
        result.start = start
        result.length = length
        result.format = self._formats[style]
        return result


def _formats(tokens: Tokens) -> dict[Style, QTextCharFormat]:
    colors = CodeColors.of(tokens)
    styles: tuple[Style, ...] = (
        "keyword", "string", "comment", "number", "name", "deleted", "inserted", "strong",
    )  # fmt: skip
    result = {}
    for style in styles:
        form = QTextCharFormat()
        form.setForeground(QColor(getattr(colors, style)))
        if style == "comment":
            form.setFontItalic(True)
        if style == "strong":
            form.setFontWeight(QFont.Weight.DemiBold)
        result[style] = form
    return result
