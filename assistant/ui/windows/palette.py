"""Ctrl+K: every command and conversation by a few letters. Ctrl+/: the shortcuts."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from assistant.ui.commands import Command
from assistant.ui.theme import SPACE
from assistant.ui.windows.dialogs import Dialog

_NUMBER = Qt.ItemDataRole.UserRole
_SHORTCUT = Qt.ItemDataRole.UserRole + 1


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
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setItemDelegate(_WithShortcut(self._list))
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
                item = QListWidgetItem(command.text)
                item.setData(_NUMBER, number)
                item.setData(_SHORTCUT, command.shortcut)
                self._list.addItem(item)
        self._list.setCurrentRow(0)

    def _run(self) -> None:
        if self._list.currentRow() < 0:
            return
        command = self._commands[int(self._list.currentItem().data(_NUMBER))]
        self.accept()
        command.action()


class _WithShortcut(QStyledItemDelegate):
    """Paints a command with its keys at the right."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        """As wide as the list, whatever the text."""
        return QSize(1, super().sizeHint(option, index).height())

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().paint(painter, option, index)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if selected else QPalette.ColorRole.PlaceholderText
        painter.save()
        painter.setPen(option.palette.color(role))
        area = option.rect.adjusted(0, 0, -SPACE.m, 0)
        keys = str(index.data(_SHORTCUT) or "")
        painter.drawText(area, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, keys)
        painter.restore()


class ShortcutsDialog(Dialog):
    """The keys that do something."""

    def __init__(self, parent: QWidget, commands: Sequence[Command]) -> None:
        super().__init__(parent, "Keyboard shortcuts")
        fixed = (
            ("Send the message", "Enter"),
            ("New line", "Shift+Enter"),
            ("Stop the reply", "Esc"),
            ("Edit the last message", "Up, nothing typed"),
            ("Edit the message that has the focus", "E"),
            ("Earlier or later version of a message", "Left, Right"),
            ("Rename the conversation", "F2"),
            ("Delete the marked conversation or memory", "Del"),
        )
        rows = [*fixed, *((c.text, c.shortcut) for c in commands if c.shortcut)]
        table = QGridLayout()
        table.setHorizontalSpacing(SPACE.xl)
        table.setVerticalSpacing(SPACE.s)
        table.setColumnStretch(0, 1)
        for number, (text, keys) in enumerate(rows):
            name = QLabel(keys)
            name.setProperty("kind", "muted")
            table.addWidget(QLabel(text), number, 0)
            table.addWidget(name, number, 1)
        self.body.addLayout(table)
        self.buttons.addStretch(1)
        self.button("Close", self.accept, "primary")
        self.finish_layout()
