"""A reply: text on the page, what the model thought before it, and a caret until the first word comes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from assistant.ui.models.messages import MessageItem
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON_SMALL, icon
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.code_block import CodeBlock
from assistant.ui.widgets.chat.code_text import CodeText
from assistant.ui.widgets.chat.markdown import BlockParser
from assistant.ui.widgets.chat.message_widget import MessageWidget, SelectableText
from assistant.ui.widgets.chat.origin_line import OriginLine
from assistant.ui.widgets.chat.plain_view import PlainView
from assistant.ui.widgets.chat.prose_formats import QUOTE_INDENT, READING_LINE, ProseFormats
from assistant.ui.widgets.chat.reply_body import ReplyBody

_BLINK_MS = 560


class Caret(QWidget):
    """A caret that blinks until the first word comes; it stands still with reduced motion."""

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self._theme = theme
        self._on = True
        self.setAccessibleName("Waiting for the reply")
        self._timer = QTimer(self)
        self._timer.setInterval(_BLINK_MS)
        self._timer.timeout.connect(self._blink)
        if not theme.reduced_motion:
            self._timer.start()

    def paintEvent(self, event: QPaintEvent) -> None:
        """A bar as high as a letter."""
        if self._on:
            painter = QPainter(self)
            painter.fillRect(0, 3, 2, READING_LINE - 6, self._theme.color("accent"))
            painter.end()

    def _blink(self) -> None:
        self._on = not self._on
        self.update()


class ReplyMessage(MessageWidget):
    """Shows a reply, finished or being written."""

    def __init__(
        self, parent: QWidget, theme: Theme, formats: ProseFormats, parser: BlockParser, item: MessageItem
    ) -> None:
        super().__init__(parent, theme, formats, item)
        self.body = ReplyBody(self, theme, formats, parser)
        self.body.text_made.connect(self.watch)
        self.body.code_made.connect(self._watch_code)
        self.body.resized.connect(self.resized)
        self._text: str | None = None
        self._caret: Caret | None = None
        self._thinking: QPushButton | None = None
        self._thoughts: PlainView | None = None
        self._origin: OriginLine | None = None
        self.show_item(item)

    @property
    def thinking_button(self) -> QPushButton | None:
        """Shows and hides what the model thought; None when it did not."""
        return self._thinking

    @property
    def thoughts(self) -> PlainView | None:
        """What the model thought, once it was opened."""
        return self._thoughts

    @property
    def origin_line(self) -> OriginLine | None:
        """Says that the reply is an earlier answer; None when it is not."""
        return self._origin

    def texts(self) -> Sequence[SelectableText]:
        """The selectable texts from top to bottom."""
        thoughts = [self._thoughts] if self._thoughts is not None else []
        return [*thoughts, *self.body.texts()]

    def code_blocks(self) -> Sequence[CodeBlock]:
        """The code blocks from top to bottom."""
        return self.body.code_blocks()

    def show_item(self, item: MessageItem) -> None:
        """Show `item`. While it streams its text comes through `extend`, and the text of `item` is not looked at."""
        super().show_item(item)
        if item.state == "streaming":
            if self._text is None:
                self._text = item.text
                self.body.begin(item.text)
        elif self._text != item.text:
            self._text = item.text
            self.body.set_text(item.text)
        elif self.body.is_writing:
            self.body.finish()
        self._show_thinking()
        self._show_origin()
        self._show_caret()
        self.setAccessibleName(f"Reply: {item.text[:200]}")

    def extend(self, text: str) -> None:
        """More of the text that is being written."""
        self._text = (self._text or "") + text
        self.body.extend(text)
        self._show_caret()

    def arrange(self, width: int, left: int, column: int) -> int:
        """Lay out in `width` pixels with the text in the `column` pixels from `left` on; the height it takes."""
        y = 0
        if self._thinking is not None and not self._thinking.isHidden():
            hint = self._thinking.sizeHint()
            self._thinking.setGeometry(left - SPACE.s, y, hint.width(), hint.height())
            y += hint.height() + SPACE.xs
            if self._thoughts is not None and not self._thoughts.isHidden():
                height = self._thoughts.height_at(column - QUOTE_INDENT)
                self._thoughts.setGeometry(left + QUOTE_INDENT, y, column - QUOTE_INDENT, height)
                y += height + SPACE.m
        height = self.body.height_at(column)
        self.body.setGeometry(left, y, column, height)
        if self._caret is not None and not self._caret.isHidden():
            self._caret.setGeometry(left, y, column, READING_LINE)
            height = max(height, READING_LINE)
        y += height
        if self._origin is not None and not self._origin.isHidden():
            y += SPACE.s
            height = self._origin.height_at(column)
            self._origin.setGeometry(left, y, column, height)
            y += height
        return self.arrange_below(y, left, column)

    def _watch_code(self, text: CodeText) -> None:
        text.remember_requested.connect(self.remember_requested)
        text.selection_changed.connect(lambda: self.selection_changed.emit(text))

    def _show_caret(self) -> None:
        waiting = self.item.state == "streaming" and self.body.is_empty
        if waiting and self._caret is None:
            self._caret = Caret(self, self.theme)
            self._caret.show()
        elif not waiting and self._caret is not None:
            self._caret.hide()
            self._caret.deleteLater()
            self._caret = None

    def _show_origin(self) -> None:
        if self.item.cached and self._origin is None:
            self._origin = OriginLine(self)
            self._origin.ask_requested.connect(self.retry_requested)
        if self._origin is not None:
            self._origin.setVisible(self.item.cached and self.item.state != "streaming")

    def _show_thinking(self) -> None:
        reasoning = self.item.reasoning
        if reasoning and self._thinking is None:
            self._thinking = QPushButton("Thinking", self)
            self._thinking.setProperty("kind", "disclosure")
            self._thinking.setIconSize(ICON_SMALL)
            self._thinking.setAccessibleName("Thinking: show or hide")
            self._thinking.clicked.connect(self._toggle_thinking)
            self._thinking.show()
            self._point_thinking()
        if self._thoughts is not None and not self._thoughts.isHidden():
            self._thoughts.show_text(clean(reasoning))

    def _toggle_thinking(self) -> None:
        if self._thoughts is None:
            self._thoughts = PlainView(self, self.formats, muted=True)
            self._thoughts.setAccessibleName("What the model thought")
            self.watch(self._thoughts)
            self._thoughts.show()
        else:
            self._thoughts.setVisible(self._thoughts.isHidden())
        self._thoughts.show_text(clean(self.item.reasoning))
        self._point_thinking()
        self.resized.emit(True)

    def _point_thinking(self) -> None:
        opened = self._thoughts is not None and not self._thoughts.isHidden()
        name = "chevron-down" if opened else "chevron-right"
        if self._thinking is not None:
            self._thinking.setIcon(icon(name, self.theme.tokens.muted))
