"""Tab through widgets in reading order: the order in which a virtual list makes them means nothing."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QWidget


def tab_stops(widgets: Iterable[QWidget]) -> list[QWidget]:
    """The parts of `widgets` where Tab stops: widget by widget, in each from top to bottom."""
    stops: list[QWidget] = []
    for widget in widgets:
        inside = [
            child
            for child in widget.findChildren(QWidget)
            if _takes_tab(child) and child.isVisibleTo(widget) and child.isEnabled()
        ]
        stops += sorted(inside, key=lambda child: _place(child, widget))
    return stops


def leave(widget: QWidget, *, forward: bool) -> bool:
    """Give the focus to what comes after `widget` and all of its parts (or before); false when nothing does."""
    following = widget
    while True:
        step = following.nextInFocusChain() if forward else following.previousInFocusChain()
        if step is None or step is widget:
            return False
        following = step
        if _takes_tab(step) and step.isVisible() and step.isEnabled() and not widget.isAncestorOf(step):
            reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
            step.setFocus(reason)
            return True


def _takes_tab(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)


def _place(child: QWidget, inside: QWidget) -> tuple[int, int]:
    corner = child.mapTo(inside, QPoint(0, 0))
    return corner.y(), corner.x()
