"""The text of a reply: segments below each other, of which only the last ones change while it is written."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QWidget

from assistant.ui.theme import Theme
from assistant.ui.theme.tokens import READING_WIDTH
from assistant.ui.widgets.chat.blocks import Block, Code, Paragraph, Table
from assistant.ui.widgets.chat.code_block import CodeBlock
from assistant.ui.widgets.chat.code_text import CodeText
from assistant.ui.widgets.chat.markdown import BlockParser
from assistant.ui.widgets.chat.markdown_stream import MarkdownStream
from assistant.ui.widgets.chat.prose_formats import ProseFormats, indent_of
from assistant.ui.widgets.chat.prose_view import ProseView, TableView
from assistant.ui.widgets.chat.segments import Segment, plan
from assistant.ui.widgets.chat.text_view import TextView

_AT_ONCE = 12_000
_SLICE = 8_000

SelectableText = TextView | CodeText


@dataclass(slots=True)
class _Part:
    """A segment with its widget; `height` holds for `width`, 0 means: to be measured."""

    segment: Segment
    view: ProseView | TableView | CodeBlock
    width: int = 0
    height: int = 0


class ReplyBody(QWidget):
    """Shows Markdown, whole or as it comes. A long text is shown from its beginning, the rest in slices.

    Signals:
        resized: the height is another one; true when the user asked for it.
        text_made: a text of prose or a table that is new.
        code_made: the text of a code block that is new.
    """

    resized = Signal(bool)
    text_made = Signal(object)
    code_made = Signal(object)

    def __init__(self, parent: QWidget, theme: Theme, formats: ProseFormats, parser: BlockParser) -> None:
        super().__init__(parent)
        self._parser = parser
        self._theme = theme
        self._formats = formats
        self._stream = MarkdownStream(self._parser)
        self._settled = 0
        self._parts: list[_Part] = []
        self._width = READING_WIDTH
        self._writing = False
        self._waiting = ""
        self._slices = QTimer(self)
        self._slices.setInterval(0)
        self._slices.timeout.connect(self._take_slice)

    @property
    def blocks(self) -> list[Block]:
        """What is shown."""
        return self._stream.blocks

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to see yet."""
        return not self._stream.blocks

    @property
    def is_writing(self) -> bool:
        """Whether more text is to come."""
        return self._writing

    @property
    def is_complete(self) -> bool:
        """Whether all text that was given is shown."""
        return not self._waiting

    def set_text(self, text: str) -> None:
        """Show this text instead."""
        self._start()
        self._waiting = text
        self._take_slice(_AT_ONCE)

    def begin(self, text: str) -> None:
        """Show this beginning of a text that is being written."""
        self._start()
        self._writing = True
        self.extend(text)

    def extend(self, text: str) -> None:
        """More of the text that is being written."""
        self._stream.feed(text)
        self._show()

    def finish(self) -> None:
        """The text is complete."""
        self._writing = False
        self._stream.finish()
        self._settled = 0
        self._show()

    def height_at(self, width: int) -> int:
        """Lay out in `width` pixels; the height it takes."""
        y = 0
        self._width = width
        for part in self._parts:
            indent = self._indent(part.segment)
            if part.width != width or not part.height:
                part.width, part.height = width, part.view.height_at(width - indent)
            y += part.segment.gap
            part.view.setGeometry(indent, y, width - indent, part.height)
            y += part.height
        return y

    def texts(self) -> list[SelectableText]:
        """The selectable texts from top to bottom."""
        return [part.view.text if isinstance(part.view, CodeBlock) else part.view for part in self._parts]

    def code_blocks(self) -> list[CodeBlock]:
        """The code blocks from top to bottom."""
        return [part.view for part in self._parts if isinstance(part.view, CodeBlock)]

    def _start(self) -> None:
        self._slices.stop()
        self._stream = MarkdownStream(self._parser)
        self._settled = 0
        self._writing = False

    def _take_slice(self, size: int = _SLICE) -> None:
        piece, self._waiting = self._waiting[:size], self._waiting[size:]
        self._stream.feed(piece)
        if self._waiting:
            self._show()
            self._slices.start()
        else:
            self._slices.stop()
            self.finish()
        if self.isVisible():
            self.resized.emit(False)

    def _show(self) -> None:
        """Bring the widgets in line with the blocks; those of settled blocks are not looked at."""
        blocks = self._stream.blocks
        kept = 0
        while kept + 1 < len(self._parts) and self._parts[kept + 1].segment.first < self._settled:
            kept += 1
        first = self._parts[kept].segment.first if self._parts else 0
        segments = plan(blocks, first)
        for offset, segment in enumerate(segments):
            self._show_segment(kept + offset, segment, is_last=offset == len(segments) - 1)
        for part in self._parts[kept + len(segments) :]:
            self._remove(part)
        del self._parts[kept + len(segments) :]
        self._settled = self._stream.settled

    def _show_segment(self, index: int, segment: Segment, *, is_last: bool) -> None:
        if index < len(self._parts) and self._parts[index].segment.kind is not segment.kind:
            self._remove(self._parts[index])
            self._parts[index] = _Part(segment, self._view_for(segment))
        elif index == len(self._parts):
            self._parts.append(_Part(segment, self._view_for(segment)))
        part = self._parts[index]
        part.segment, part.height = segment, 0
        blocks = self._stream.blocks[segment.first : segment.end]
        match part.view:
            case ProseView():
                part.view.show_paragraphs([block for block in blocks if isinstance(block, Paragraph)])
            case TableView():
                assert isinstance(blocks[0], Table)
                part.view.show_table(blocks[0])
            case CodeBlock():
                assert isinstance(blocks[0], Code)
                part.view.show_code(blocks[0], writing=self._writing and is_last)

    def _view_for(self, segment: Segment) -> ProseView | TableView | CodeBlock:
        view: ProseView | TableView | CodeBlock
        if segment.kind is Code:
            view = CodeBlock(self, self._theme)
            view.resized.connect(self._code_resized)
            self.code_made.emit(view.text)
        else:
            view = (
                ProseView(self, self._formats)
                if segment.kind is Paragraph
                else TableView(self, self._formats)
            )
            # Before there is text, which would be laid out twice otherwise.
            view.height_at(self._width - self._indent(segment))
            self.text_made.emit(view)
        view.show()
        return view

    def _code_resized(self, by_user: bool) -> None:
        for part in self._parts:
            if isinstance(part.view, CodeBlock):
                part.height = 0
        self.resized.emit(by_user)

    def _remove(self, part: _Part) -> None:
        text = part.view.text if isinstance(part.view, CodeBlock) else part.view
        text.clear_selection()
        part.view.hide()
        part.view.deleteLater()

    def _indent(self, segment: Segment) -> int:
        if segment.kind is Paragraph:
            return 0
        return indent_of(self._stream.blocks[segment.first].path)
