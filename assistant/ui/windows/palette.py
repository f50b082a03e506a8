"""Ctrl+K: every command and conversation by a few letters. Ctrl+/: the shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from assistant.ui.commands import Command
from assistant.ui.theme import SPACE
from assistant.ui.windows.dialogs import Dialog


def fits(query: str, text: str) -> bool:
    """Whether each word of `query` begins a word of `text` or lies within it."""
    folded = text.casefold()
    return all(word in folded for word in query.casefold().split())


class CommandPalette(QDialog):
    """A field and the commands that fit what is typed."""

    def __init__(self, parent: QWidget, commands: Sequence[Command]) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Commands")
        self.setFixedWidth(520)
        self._commands = list(commands)
        self._field = QLineEdit()
        self._field.setPlaceholderText("Type a command or a conversation")
        self._field.setAccessibleName("Command")
        self._field.textChanged.connect(lambda _: self._filter())
        self._field.installEventFilter(self)
        self._list = QListWidget()
        self._list.setProperty("kind", "palette")
        self._list.setMinimumHeight(320)
        self._list.itemActivated.connect(lambda _: self._run())
        self._list.itemClicked.connect(lambda _: self._run())
        self._list.setStyleSheet("QListWidget::item { padding: 6px 8px; }")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE.m, SPACE.m, SPACE.m, SPACE.m)
        layout.addWidget(self._field)
        layout.addWidget(self._list)
        self._filter()
        self._field.setFocus()

    def type_text(self, text: str) -> None:
        self._field.setText(text)

    def shown(self) -> list[str]:
        """What is offered now, in order."""
        return [self._list.item(n).text() for n in range(self._list.count())]

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._field and event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            row, last = self._list.currentRow(), self._list.count() - 1
            match event.key():
                case Qt.Key.Key_Down:
                    self._list.setCurrentRow(min(row + 1, last))
                    return True
                case Qt.Key.Key_Up:
                    self._list.setCurrentRow(max(row - 1, 0))
                    return True
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._run()
                    return True
        return super().eventFilter(watched, event)

    def _filter(self) -> None:
        self._list.clear()
        for number, command in enumerate(self._commands):
            if fits(self._field.text(), command.text):
                item = QListWidgetItem(
                    f"{command.text}    {command.shortcut}" if command.shortcut else command.text
                )
                item.setData(Qt.ItemDataRole.UserRole, number)
                self._list.addItem(item)
        self._list.setCurrentRow(0)

    def _run(self) -> None:
        if self._list.currentRow() < 0:
            return
        command = self._commands[int(self._list.currentItem().data(Qt.ItemDataRole.UserRole))]
        self.accept()
        command.action()


class ShortcutsDialog(Dialog):
    """The keys that do something."""

    def __init__(self, parent: QWidget, commands: Sequence[Command]) -> None:
        super().__init__(parent, "Keyboard shortcuts")
        fixed = (
            ("Send the message", "Enter"),
            ("New line", "Shift+Enter"),
            ("Stop the reply", "Esc"),
            ("Rename the conversation", "F2"),
            ("Delete the marked conversation or memory", "Del"),
        )
        rows = [*fixed, *((c.text, c.shortcut) for c in commands if c.shortcut)]
        table = "".join(
            f"<tr><td style='padding:3px 24px 3px 0'>{text}</td><td><b>{keys}</b></td></tr>"
            for text, keys in rows
        )
        label = QLabel(f"<table>{table}</table>")
        self.body.addWidget(label)
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()
