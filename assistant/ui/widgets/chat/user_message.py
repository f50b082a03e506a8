"""The user's own message: plain text in a bubble on the right."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRect, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QPushButton, QWidget

from assistant.ui.models.messages import MessageItem
from assistant.ui.theme import SPACE, Theme
from assistant.ui.widgets.chat.cleaning import clean
from assistant.ui.widgets.chat.message_widget import MessageWidget, SelectableText
from assistant.ui.widgets.chat.plain_view import PlainView
from assistant.ui.widgets.chat.prose_formats import ProseFormats

FOLD_LINES = 30
FOLD_CHARACTERS = 2_400
UNFOLD_STEP = 20_000
_WIDEST = 0.75
_PAD_X = SPACE.l
_PAD_TOP = 7
_PAD_BOTTOM = 11
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class UserMessage(MessageWidget):
    """Shows what was typed. A long text shows its beginning; "Show more" goes on by `UNFOLD_STEP` characters."""

    def __init__(self, parent: QWidget, theme: Theme, formats: ProseFormats, item: MessageItem) -> None:
        super().__init__(parent, theme, formats, item)
        self._bubble = QFrame(self)
        self._bubble.setProperty("kind", "bubble")
        self._view = PlainView(self._bubble, formats)
        self._view.setAccessibleName("Your message")
        self.watch(self._view)
        self._text = ""
        self._unfolded = 0
        self._more: QPushButton | None = None
        self.show_item(item)

    @property
    def view(self) -> PlainView:
        """The text."""
        return self._view

    @property
    def bubble(self) -> QFrame:
        """The ground of the text."""
        return self._bubble

    @property
    def more_button(self) -> QPushButton | None:
        """ "Show more", for a text that is folded or was."""
        return self._more

    def texts(self) -> Sequence[SelectableText]:
        """The one text."""
        return (self._view,)

    def show_item(self, item: MessageItem) -> None:
        """Show `item`, which is the same message in another state."""
        super().show_item(item)
        self._text = clean(item.text)
        self.setAccessibleName(f"You: {self._text[:200]}")
        self._show_text()

    def show_editing(self, editing: bool) -> None:
        """Mark it as the message that is being edited."""
        if self._bubble.property("editing") != editing:
            self._bubble.setProperty("editing", editing)
            self._bubble.style().unpolish(self._bubble)
            self._bubble.style().polish(self._bubble)

    def find_words(self, words: str) -> QRect | None:
        """As for any message; what is folded away is unfolded."""
        place = super().find_words(words)
        if place is None:
            folded = self._text.casefold()
            at = next((folded.find(word) for word in words.casefold().split() if word in folded), -1)
            if at >= self._end_of_beginning():
                self._unfolded = at + UNFOLD_STEP
                self._show_text()
                self.resized.emit(False)
                place = super().find_words(words)
        return place

    def event(self, event: QEvent) -> bool:
        """F2 edits the message that has the focus, and renames the conversation elsewhere only."""
        is_key = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_F2
        if is_key and event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, F2 or E edits; Enter on a button is the button's."""
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        on_button = isinstance(QApplication.focusWidget(), QAbstractButton)
        edits = event.key() in (Qt.Key.Key_E, Qt.Key.Key_F2) or (event.key() in _ENTER and not on_button)
        if plain and edits:
            self.edit_requested.emit()
        else:
            super().keyPressEvent(event)

    def arrange(self, width: int, left: int, column: int) -> int:
        """Lay out in `width` pixels with the text in the `column` pixels from `left` on; the height it takes."""
        widest = int(column * _WIDEST) - 2 * _PAD_X
        height = self._view.height_at(widest)
        inner = min(widest, self._view.ideal_width())
        if self._more is not None and not self._more.isHidden():
            inner = max(inner, self._more.sizeHint().width())
        if inner < widest:
            height = self._view.height_at(inner)
        x = left + column - inner - 2 * _PAD_X
        self._view.setGeometry(_PAD_X, _PAD_TOP, inner, height)
        bottom = _PAD_TOP + height
        if self._more is not None and not self._more.isHidden():
            hint = self._more.sizeHint()
            self._more.setGeometry(_PAD_X - SPACE.xs, bottom + SPACE.xs, hint.width(), hint.height())
            bottom += SPACE.xs + hint.height()
        self._bubble.setGeometry(x, 0, inner + 2 * _PAD_X, bottom + _PAD_BOTTOM)
        return self.arrange_below(bottom + _PAD_BOTTOM, left, column)

    def _show_text(self) -> None:
        end = self._end_of_beginning()
        folded = end < len(self._text)
        if folded or self._unfolded:
            if self._more is None:
                self._more = QPushButton(self._bubble)
                self._more.setProperty("kind", "link")
                self._more.clicked.connect(self._unfold)
                self._more.show()
            left = len(self._text) - end
            long = f"Show more ({left:,} characters)" if left > UNFOLD_STEP else "Show more"
            self._more.setText(long if folded else "Show less")
        self._view.show_text(self._text[:end].rstrip("\n") + (" …" if folded else ""))

    def _end_of_beginning(self) -> int:
        if self._unfolded:
            return min(self._unfolded, len(self._text))
        end = 0
        for _ in range(FOLD_LINES):
            end = self._text.find("\n", end) + 1
            if not end:
                end = len(self._text)
                break
        return min(end, FOLD_CHARACTERS)

    def _unfold(self) -> None:
        end = self._end_of_beginning()
        self._unfolded = 0 if end == len(self._text) else end + UNFOLD_STEP
        self._show_text()
        self.resized.emit(True)
