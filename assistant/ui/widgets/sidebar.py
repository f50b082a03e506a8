"""Left: the conversations."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QInputDialog,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from assistant.ui.delegates.conversation_delegate import ConversationDelegate
from assistant.ui.models.conversations import ConversationListModel, ConversationRow
from assistant.ui.theme import SPACE, Theme
from assistant.ui.theme.icons import ICON, icon
from assistant.ui.theme.tokens import SIDEBAR_WIDTH

_SEARCH_DELAY_MS = 200
_TITLE_WIDTH = 380
_TOGGLES = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space, Qt.Key.Key_Left, Qt.Key.Key_Right)


class Sidebar(QWidget):
    """The list of conversations with its search, and the ways to profile and settings.

    Signals:
        opened(session_id, message_id): a row was chosen; message_id is set for a search hit.
        new_requested, temporary_requested, settings_requested: the buttons.
        searched(text): the search text has come to rest.
        rename_requested(session_id, title), pin_requested(session_id, pinned), archive_requested(session_id, archived),
        keep_requested(session_id), delete_requested(session_id): of a row.
        archived_toggled: the archived conversations are to be shown, or folded away.
    """

    opened = Signal(str, str)
    new_requested = Signal()
    temporary_requested = Signal()
    settings_requested = Signal()
    searched = Signal(str)
    rename_requested = Signal(str, str)
    pin_requested = Signal(str, bool)
    archive_requested = Signal(str, bool)
    keep_requested = Signal(str)
    delete_requested = Signal(str)
    archived_toggled = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setProperty("kind", "side")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(SIDEBAR_WIDTH)
        self.setAccessibleName("Conversations")
        self._model = ConversationListModel()
        self._current = ""

        brand = QLabel("Keepsake")
        brand.setProperty("kind", "brand")
        self._new = QToolButton()
        self._new.setToolTip("New conversation (Ctrl+N)")
        self._new.setAccessibleName("New conversation")
        self._new.setIconSize(ICON)
        self._new.clicked.connect(self.new_requested)
        self._new_temporary = QToolButton()
        self._new_temporary.setToolTip("Temporary conversation, of which nothing is kept (Ctrl+Shift+N)")
        self._new_temporary.setAccessibleName("New temporary conversation")
        self._new_temporary.setIconSize(ICON)
        self._new_temporary.clicked.connect(self.temporary_requested)
        top = QHBoxLayout()
        top.addWidget(brand)
        top.addStretch(1)
        top.addWidget(self._new_temporary)
        top.addWidget(self._new)

        self._search = QLineEdit()
        self._search.setPlaceholderText("Search")
        self._search.setAccessibleName("Search conversations")
        self._search.installEventFilter(self)
        self._search_timer = QTimer(self)
        self._search.textChanged.connect(lambda _: self._search_timer.start())
        self._search_timer.setSingleShot(True)
        self._search_timer.setInterval(_SEARCH_DELAY_MS)
        self._search_timer.timeout.connect(lambda: self.searched.emit(self._search.text().strip()))

        self._list = QListView()
        self._list.setAccessibleName("Conversations")
        self._list.setModel(self._model)
        self._delegate = ConversationDelegate(theme)
        self._list.setItemDelegate(self._delegate)
        self._list.setMouseTracking(True)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self._list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self._list.customContextMenuRequested.connect(self._show_menu)
        self._list.clicked.connect(self._open)
        self._list.activated.connect(self._open)
        self._list.installEventFilter(self)

        self._empty = QLabel("Your conversations will be listed here.")
        self._empty.setProperty("kind", "muted")
        self._empty.setWordWrap(True)
        self._empty.hide()

        self._profile = QPushButton("You")
        self._profile.setProperty("kind", "quiet")
        self._profile.setToolTip("Settings and privacy")
        self._profile.clicked.connect(self.settings_requested)
        self._gear = QToolButton()
        self._gear.setToolTip("Settings (Ctrl+,)")
        self._gear.setAccessibleName("Settings")
        self._gear.setIconSize(ICON)
        self._gear.clicked.connect(self.settings_requested)
        bottom = QHBoxLayout()
        bottom.addWidget(self._profile)
        bottom.addStretch(1)
        bottom.addWidget(self._gear)

        layout = QVBoxLayout(self)
        layout.setContentsMargins(SPACE.l, SPACE.m, SPACE.l, SPACE.m)
        layout.setSpacing(SPACE.s)
        layout.addLayout(top)
        layout.addWidget(self._search)
        layout.addWidget(self._empty)
        layout.addWidget(self._list, 1)
        layout.addLayout(bottom)
        theme.changed.connect(self.load_icons)

    def load_icons(self) -> None:
        """Draw the icons in the theme's colours (after the first frame, then on each theme change)."""
        t = self._theme.tokens
        self._search.setClearButtonEnabled(True)
        self._new.setIcon(icon("new", t.muted, active=t.text))
        self._new_temporary.setIcon(icon("temporary", t.muted, active=t.text))
        self._gear.setIcon(icon("settings", t.muted, active=t.text))
        self._profile.setIcon(icon("person", t.muted))
        self._list.viewport().update()

    def show_rows(self, rows: Sequence[ConversationRow], *, searching: bool = False) -> None:
        """List these rows (headings included). The open conversation stays marked, or the row that has the keyboard."""
        held = self._list.currentIndex() if self._list.hasFocus() else QModelIndex()
        key, number = (self._model.row(held).key, held.row()) if held.isValid() else (("", ""), -1)
        self._model.show(rows)
        self._empty.setVisible(not rows)
        self._empty.setText(
            "No conversation holds these words." if searching else "Your conversations will be listed here."
        )
        if number < 0:
            self.mark(self._current)
            return
        same = self._model.index_of_key(key)
        self._list.setCurrentIndex(same if same.isValid() else self._model.near(number))

    def mark(self, session_id: str) -> None:
        """Show that conversation as the open one."""
        self._current = session_id
        index = self._model.index_of(session_id)
        if index.isValid():
            self._list.setCurrentIndex(index)
        else:
            self._list.clearSelection()
            self._list.setCurrentIndex(QModelIndex())

    def listed(self) -> list[tuple[str, str]]:
        """Id and title of the listed conversations in order."""
        return self._model.listed()

    def rows(self) -> list[str]:
        """Texts of all rows in order, headings included."""
        return [str(self._model.index(n).data()) for n in range(self._model.rowCount())]

    def set_search(self, text: str) -> None:
        """Put `text` into the search field."""
        self._search.setText(text)

    def focus_search(self) -> None:
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def rename_current(self) -> None:
        """Ask for a new title of the marked conversation."""
        index = self._model.index_of(self._current)
        if index.isValid():
            self._ask_title(self._model.row(index))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if watched is self._list and (event.key() == Qt.Key.Key_F2 or _is_archive(event)):
                # Of the row that has the keyboard, not of the open conversation.
                event.accept()
                return True
            if watched is self._search and event.key() == Qt.Key.Key_Escape and self._search.text():
                # The key is ours now, not the window's.
                event.accept()
                return True
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if watched is self._search and event.key() == Qt.Key.Key_Escape and self._search.text():
                self._search.clear()
                return True
            if watched is self._search and event.key() == Qt.Key.Key_Down:
                self._list.setFocus(Qt.FocusReason.TabFocusReason)
                return True
            if watched is self._list:
                return self._list_key(event)
        return super().eventFilter(watched, event)

    def _list_key(self, event: QKeyEvent) -> bool:
        index = self._list.currentIndex()
        if not index.isValid():
            return False
        row = self._model.row(index)
        if row.folded is not None:
            if event.key() in _TOGGLES:
                self.archived_toggled.emit()
                return True
            return False
        if event.key() == Qt.Key.Key_Delete:
            self.delete_requested.emit(row.session_id)
        elif event.key() == Qt.Key.Key_F2:
            self._ask_title(row)
        elif event.key() == Qt.Key.Key_Menu:
            self._show_menu(self._list.visualRect(index).center())
        elif _is_archive(event):
            self._archive(row)
        else:
            return False
        return True

    def _open(self, index: QModelIndex) -> None:
        row = self._model.row(index)
        if row.folded is not None:
            self.archived_toggled.emit()
        elif not row.is_heading:
            self.opened.emit(row.session_id, row.message_id)

    def _archive(self, row: ConversationRow) -> None:
        if not row.temporary:
            self.archive_requested.emit(row.session_id, not row.archived)

    def _show_menu(self, point: QPoint) -> None:
        index = self._list.indexAt(point)
        if index.isValid() and not self._model.row(index).is_heading:
            self.menu_of(self._model.row(index)).popup(self._list.viewport().mapToGlobal(point))

    def menu_of(self, row: ConversationRow) -> QMenu:
        """What can be done with a conversation; the menu deletes itself when it closes."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Open", lambda: self.opened.emit(row.session_id, row.message_id))
        menu.addAction("Rename…\tF2", lambda: self._ask_title(row))
        if row.temporary:
            menu.addAction("Keep", lambda: self.keep_requested.emit(row.session_id))
        else:
            menu.addAction(
                "Unpin" if row.pinned else "Pin",
                lambda: self.pin_requested.emit(row.session_id, not row.pinned),
            )
            menu.addAction(
                "Unarchive\tCtrl+E" if row.archived else "Archive\tCtrl+E", lambda: self._archive(row)
            )
        menu.addSeparator()
        menu.addAction("Delete\tDel", lambda: self.delete_requested.emit(row.session_id))
        return menu

    def _renamed(self, session_id: str, title: str) -> None:
        if title.strip():
            self.rename_requested.emit(session_id, title.strip())

    def _ask_title(self, row: ConversationRow) -> None:
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Rename conversation")
        dialog.setLabelText("Title")
        dialog.setTextValue(row.title)
        dialog.setOkButtonText("Rename")
        for field in dialog.findChildren(QLineEdit):
            field.setMinimumWidth(_TITLE_WIDTH)
        dialog.textValueSelected.connect(lambda title: self._renamed(row.session_id, title))
        dialog.open()


def _is_archive(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_E and event.modifiers() == Qt.KeyboardModifier.ControlModifier
