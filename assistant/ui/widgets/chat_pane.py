"""Centre: a header, the conversation, the composer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON, ICON_SMALL, icon
from assistant.ui.theme.tokens import READING_WIDTH
from assistant.ui.widgets.banner import Banner
from assistant.ui.widgets.chat.composer import Composer
from assistant.ui.widgets.elided_label import ElidedLabel

if TYPE_CHECKING:
    from assistant.ui.widgets.chat.conversation_view import ConversationView

_STARTERS_WIDTH = 520


class ChatPane(QWidget):
    """The chat without its logic.

    Attributes:
        view: the messages; there once it is complete.
        composer: where the user writes.
        banner: says what is special about the conversation.

    Signals:
        sidebar_toggled, memory_toggled: the fold buttons.
        model_requested: the chip that names the model, or an error's "Choose another model".
        suggestion_chosen(text): one of the starters on the empty page.
    """

    sidebar_toggled = Signal()
    memory_toggled = Signal()
    model_requested = Signal()
    suggestion_chosen = Signal(str)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setProperty("kind", "page")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.composer = Composer(theme)
        self._stack = QStackedWidget()
        self._stack.addWidget(self._build_empty())
        self._note = self._build_note()
        self._host, self._stays, self._temporary = "", True, False
        self.banner = Banner()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, SPACE.s)
        layout.setSpacing(0)
        layout.addLayout(self._build_header())
        layout.addWidget(self._note)
        layout.addWidget(self._centred(self.banner, inset=SPACE.l))
        layout.addWidget(self._stack, 1)
        layout.addWidget(self._centred(self.composer))
        self.composer.destination_clicked.connect(self.model_requested)
        theme.changed.connect(self.load_icons)

    view: ConversationView

    def complete(self) -> None:
        """Make the view of the messages, whose libraries the first frame does not wait for."""
        from assistant.ui.widgets.chat.conversation_view import ConversationView

        self.view = ConversationView(self._theme)
        self.view.model_requested.connect(self.model_requested)
        self._stack.addWidget(self.view)

    def _build_header(self) -> QHBoxLayout:
        self._left = QToolButton()
        self._left.setIconSize(ICON)
        self._left.setToolTip("Show or hide conversations (Ctrl+B)")
        self._left.setAccessibleName("Show or hide conversations")
        self._left.clicked.connect(self.sidebar_toggled)
        self._title = ElidedLabel()
        self._title.setProperty("kind", "title")
        self._model = QPushButton("")
        self._model.setProperty("kind", "chip")
        self._model.setToolTip("Choose who answers")
        self._model.clicked.connect(self.model_requested)
        self._model.hide()
        self._right = QToolButton()
        self._right.setIconSize(ICON)
        self._right.setToolTip("Show or hide memory (Ctrl+M)")
        self._right.setAccessibleName("Show or hide memory")
        self._right.clicked.connect(self.memory_toggled)
        row = QHBoxLayout()
        row.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.s)
        row.setSpacing(SPACE.s)
        row.addWidget(self._left)
        row.addWidget(self._title, 1)
        row.addWidget(self._model)
        row.addWidget(self._right)
        return row

    def _build_note(self) -> QWidget:
        note = QWidget()
        self._note_text = QLabel("")
        self._note_text.setProperty("kind", "muted")
        self._note_text.setWordWrap(True)
        self._note_text.setTextFormat(Qt.TextFormat.PlainText)
        self._note_bar = QProgressBar()
        self._note_bar.setTextVisible(False)
        self._note_close = QPushButton("Dismiss")
        self._note_close.setProperty("kind", "link")
        self._note_close.clicked.connect(lambda: self.show_note(""))
        line = QHBoxLayout()
        line.addWidget(self._note_text, 1)
        line.addWidget(self._note_close)
        box = QVBoxLayout(note)
        box.setContentsMargins(SPACE.xl, 0, SPACE.xl, SPACE.s)
        box.setSpacing(SPACE.xs)
        box.addLayout(line)
        box.addWidget(self._note_bar)
        note.hide()
        return note

    def _build_empty(self) -> QWidget:
        page = QWidget()
        self._welcome = QLabel("What is on your mind?")
        self._welcome.setProperty("kind", "welcome")
        self._welcome.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._boundary = QLabel("")
        self._boundary.setProperty("kind", "muted")
        self._boundary.setWordWrap(True)
        self._boundary.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        starters = QHBoxLayout()
        self._starters = starters
        starters.setSpacing(SPACE.s)
        starters.addStretch(1)
        self._starter_buttons: list[QPushButton] = []
        for text in ("Remember that I prefer metric units.", "What do you know about me?"):
            button = QPushButton(text)
            button.setProperty("kind", "chip")
            button.clicked.connect(lambda _=False, t=text: self.suggestion_chosen.emit(t))
            self._starter_buttons.append(button)
            starters.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        starters.addStretch(1)
        column = QVBoxLayout(page)
        column.setContentsMargins(SPACE.xl, SPACE.xl, SPACE.xl, SPACE.xl)
        column.setSpacing(SPACE.m)
        column.addStretch(2)
        column.addWidget(self._welcome)
        column.addWidget(self._boundary)
        column.addLayout(starters)
        column.addStretch(3)
        return page

    def _centred(self, widget: QWidget, *, inset: int = 0) -> QWidget:
        """At most as wide as the reading column, with its margins; `inset` for a widget without margins of its own."""
        box = QWidget()
        widget.setMaximumWidth(READING_WIDTH + 2 * (SPACE.l - inset))
        row = QHBoxLayout(box)
        row.setContentsMargins(SPACE.l + inset, 0, SPACE.l + inset, 0)
        row.addStretch(1)
        row.addWidget(widget, 1000)
        row.addStretch(1)
        return box

    def load_icons(self) -> None:
        """Draw the icons in the theme's colours (after the first frame, then on each theme change)."""
        t = self._theme.tokens
        self._left.setIcon(icon("sidebar", t.muted, active=t.text))
        self._right.setIcon(icon("panel", t.muted, active=t.text))
        self._model.setIconSize(ICON_SMALL)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The starters stand below each other where they have no room beside each other."""
        super().resizeEvent(event)
        narrow = event.size().width() < _STARTERS_WIDTH
        self._starters.setDirection(
            QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        )

    def set_title(self, title: str) -> None:
        self._title.show_text(title)

    def title(self) -> str:
        return self._title.text()

    def show_empty(self, empty: bool) -> None:
        """Show the page of a conversation that has no message yet, or the messages."""
        self._stack.setCurrentIndex(0 if empty else 1)

    def set_destination(self, model: str, host: str, *, stays: bool) -> None:
        """Name the model in the header and where messages go under the composer."""
        self._model.setText(model or "Choose a model")
        self._model.setVisible(True)
        where = "computer" if stays else "internet"
        self.composer.set_destination(host or "nowhere yet", where)
        self._host, self._stays = host, stays
        self._show_boundary()

    def set_temporary(self, temporary: bool) -> None:
        """Whether nothing of the conversation is kept: pages, composer and messages say so."""
        self._temporary = temporary
        self.composer.set_temporary(temporary)
        self.view.set_temporary(temporary)
        self._welcome.setText("A temporary conversation" if temporary else "What is on your mind?")
        for button in self._starter_buttons:
            # They ask for memories, which is not what this is for.
            button.setVisible(not temporary)
        self._show_boundary()

    def boundary(self) -> str:
        """What the empty page says about where messages go and what is kept."""
        return self._boundary.text()

    def _show_boundary(self) -> None:
        if not self._host:
            said = "Choose a model to start. Chats and memories stay on this computer."
        elif self._temporary:
            goes = (
                ""
                if self._stays
                else f" Each message, with the memories listed under it, goes to {self._host}."
            )
            said = (
                "No message, draft or memory of it is saved. It is gone when you delete it or close Keepsake."
                f"{goes}"
            )
        elif self._stays:
            said = "Nothing leaves this computer."
        else:
            said = (
                "Chats and memories stay on this computer. "
                f"Each message, with the memories listed under it, goes to {self._host}."
            )
        self._boundary.setText(said)

    def show_note(self, text: str, *, done: int = 0, total: int = 0) -> None:
        """A line under the header; empty text hides it. `total` above 0 shows progress."""
        self._note.setVisible(bool(text))
        self._note_text.setText(text)
        self._note_bar.setVisible(total > 0)
        self._note_bar.setMaximum(max(total, 1))
        self._note_bar.setValue(done)
        self._note_close.setVisible(total == 0)

    def note(self) -> str:
        return self._note_text.text() if self._note.isVisible() else ""

    def focus_composer(self) -> None:
        self.composer.focus()
