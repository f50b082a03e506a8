"""A code block: its language, a copy button, the lines, and a fold for many of them."""

from __future__ import annotations

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QToolButton, QWidget

from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON_SMALL, icon
from assistant.ui.widgets.chat.blocks import Code
from assistant.ui.widgets.chat.code_text import CodeText
from assistant.ui.widgets.chat.highlight import CodeHighlighter

FOLDED_LINES = 24
UNFOLDED_LINES = 1_000
INNER_LINES = 40
_FOOTER_LINES = 2
_HEADER = 32
_TOP = 2
_BOTTOM = SPACE.m
_CONFIRMED_MS = 2_000
_NAMES = {
    "py": "Python", "python": "Python", "js": "JavaScript", "javascript": "JavaScript", "ts": "TypeScript",
    "typescript": "TypeScript", "sh": "Shell", "bash": "Shell", "shell": "Shell", "console": "Shell", "zsh": "Shell",
    "json": "JSON", "yaml": "YAML", "yml": "YAML", "toml": "TOML", "html": "HTML", "css": "CSS", "sql": "SQL",
    "xml": "XML", "c": "C", "cpp": "C++", "c++": "C++", "cs": "C#", "csharp": "C#", "go": "Go", "rust": "Rust",
    "rs": "Rust", "java": "Java", "kotlin": "Kotlin", "ruby": "Ruby", "rb": "Ruby", "php": "PHP", "swift": "Swift",
    "diff": "Diff", "md": "Markdown", "markdown": "Markdown", "text": "Text", "txt": "Text", "": "Code",
}  # fmt: skip


class CodeBlock(QFrame):
    """Shows up to 26 lines whole, of more the first 24 with a button that unfolds the rest.

    Past `UNFOLDED_LINES` it unfolds to a window of `INNER_LINES` that scrolls inside, so that the conversation stays
    a place where one can scroll past it. While the code is being written, the window follows its end.

    Signals:
        resized: it wants another height; true when the user asked for it.
    """

    resized = Signal(bool)

    def __init__(self, parent: QWidget, theme: Theme) -> None:
        super().__init__(parent)
        self.setProperty("kind", "code")
        self._theme = theme
        self._code = Code("", "")
        self._writing = False
        self._unfolded = False
        self._language = QLabel(self)
        self._language.setProperty("kind", "small")
        self.copy_button = QToolButton(self)
        self.copy_button.setProperty("kind", "quiet")
        self.copy_button.setIconSize(ICON_SMALL)
        self.copy_button.clicked.connect(self._copy)
        self.fold_button = QPushButton(self)
        self.fold_button.setProperty("kind", "codefold")
        self.fold_button.clicked.connect(self._toggle)
        self.fold_button.hide()
        self.text = CodeText(self, theme)
        self._line_height = self.text.line_height()
        self._highlighter = CodeHighlighter(self.text.document(), theme.tokens)
        self._show_copy(done=False)

    @property
    def line_count(self) -> int:
        """Lines of code."""
        return self.text.line_count

    @property
    def is_foldable(self) -> bool:
        """Whether there are more lines than are shown at once."""
        return self.line_count > FOLDED_LINES + _FOOTER_LINES

    @property
    def highlighter(self) -> CodeHighlighter:
        """What colours the lines."""
        return self._highlighter

    def show_code(self, code: Code, *, writing: bool) -> None:
        """Show this block; `writing` while more of it is to come."""
        finished = self._writing and not writing
        self._code, self._writing = code, writing
        name = _NAMES.get(code.language.lower(), code.language)
        if self._language.text() != name:
            self._language.setText(name)
            self.text.setAccessibleName(f"{name} code")
        self.text.show_code(code.text)
        self._highlighter.update_text(code.language, code.text)
        if self.is_foldable:
            self._show_fold()
            bar = self.text.verticalScrollBar()
            if writing:
                bar.setValue(bar.maximum())
            elif finished:
                bar.setValue(0)

    def height_at(self, width: int) -> int:
        """Lay out in `width` pixels; the height it takes."""
        footer = _FOOTER_LINES * self._line_height if self.is_foldable else 0
        lines = self.line_count
        scrolls = False
        if self.is_foldable and not self._unfolded:
            lines = FOLDED_LINES
        elif lines > UNFOLDED_LINES:
            lines, scrolls = INNER_LINES, True
        self.text.set_inner_scrolling(scrolls)
        body = (
            lines * self._line_height
            + _TOP
            + (0 if footer and not scrolls and not self._unfolded else _BOTTOM)
        )
        self.copy_button.adjustSize()
        side = self.copy_button.width()
        self._language.setGeometry(SPACE.m, 0, width - side - 2 * SPACE.m, _HEADER)
        self.copy_button.setGeometry(width - side - SPACE.xs, 2, side, _HEADER - 4)
        self.text.setGeometry(1, _HEADER, width - 2, body)
        self.fold_button.setGeometry(1, _HEADER + body, width - 2, footer - 1 if footer else 0)
        self.fold_button.setVisible(bool(footer))
        return _HEADER + body + footer

    def _toggle(self) -> None:
        self._unfolded = not self._unfolded
        self._show_fold()
        self.text.verticalScrollBar().setValue(0)
        self.resized.emit(True)

    def _show_fold(self) -> None:
        title = "Show fewer lines" if self._unfolded else f"Show all {self.line_count:,} lines"
        self.fold_button.setText(title)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._code.text)
        self._show_copy(done=True)
        QTimer.singleShot(_CONFIRMED_MS, self, lambda: self._show_copy(done=False))

    def _show_copy(self, *, done: bool) -> None:
        color = self._theme.tokens.ok if done else self._theme.tokens.muted
        self.copy_button.setIcon(icon("check" if done else "copy", color, active=self._theme.tokens.text))
        name = "Copied" if done else "Copy code"
        self.copy_button.setToolTip(name)
        self.copy_button.setAccessibleName(name)
