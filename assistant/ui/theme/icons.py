"""Icons of one family, tinted by token."""

from __future__ import annotations

import sys

from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon

ICON_LIBRARY = "qtawesome"

_NAMES = {
    "new": "mdi6.square-edit-outline",
    "send": "mdi6.arrow-up",
    "stop": "mdi6.stop",
    "retry": "mdi6.refresh",
    "copy": "mdi6.content-copy",
    "check": "mdi6.check",
    "remember": "mdi6.bookmark-plus-outline",
    "memory": "mdi6.bookmark-multiple-outline",
    "settings": "mdi6.cog-outline",
    "search": "mdi6.magnify",
    "sidebar": "mdi6.dock-left",
    "panel": "mdi6.dock-right",
    "edit": "mdi6.pencil-outline",
    "delete": "mdi6.trash-can-outline",
    "add": "mdi6.plus",
    "more": "mdi6.dots-horizontal",
    "pin": "mdi6.pin-outline",
    "pinned": "mdi6.pin",
    "export": "mdi6.tray-arrow-up",
    "import": "mdi6.tray-arrow-down",
    "wipe": "mdi6.eraser",
    "close": "mdi6.close",
    "down": "mdi6.arrow-down",
    "chevron-right": "mdi6.chevron-right",
    "chevron-down": "mdi6.chevron-down",
    "computer": "mdi6.laptop",
    "network": "mdi6.lan",
    "internet": "mdi6.web",
    "warning": "mdi6.alert-outline",
    "info": "mdi6.information-outline",
    "key": "mdi6.key-outline",
    "person": "mdi6.account-outline",
    "chip": "mdi6.chip",
    "folder": "mdi6.folder-outline",
    "expand": "mdi6.arrow-expand",
    "sent": "mdi6.text-box-search-outline",
    "branch": "mdi6.source-branch",
    "temporary": "mdi6.incognito",
}


def icon(name: str, color: str, *, active: str | None = None) -> QIcon:
    """The icon `name` in `color` (#RRGGBB), in `active` while hovered or pressed.

    Empty until the icon library is loaded (`Theme.load_icons`): loading takes longer than the first frame may.

    Raises:
        KeyError: no icon of that name.
    """
    qtawesome = sys.modules.get(ICON_LIBRARY)
    if qtawesome is None:
        return QIcon()
    result: QIcon = qtawesome.icon(
        _NAMES[name], color=QColor(color), color_active=QColor(active or color), color_disabled=QColor(color)
    )
    return result


ICON_SMALL = QSize(16, 16)
ICON = QSize(20, 20)
