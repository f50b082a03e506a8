"""The theme in force: follows the system or the user's choice, and tells who listens."""

from __future__ import annotations

import importlib
import sys
from typing import Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from assistant.ui.theme.icons import ICON_LIBRARY
from assistant.ui.theme.stylesheet import stylesheet
from assistant.ui.theme.tokens import DARK, LIGHT, Tokens

Choice = Literal["system", "light", "dark"]


class Theme(QObject):
    """Applies tokens to the application.

    Args:
        choice: "system" follows the system's appearance.
        icons_later: leave the icon library to `load_icons`, for a first frame without it.

    Attributes:
        tokens: the colours in force.
        reduced_motion: no animation when true.

    Signals:
        changed: tokens are new; widgets that paint by hand repaint.
    """

    changed = Signal()

    def __init__(
        self, application: QApplication, choice: Choice = "system", *, icons_later: bool = False
    ) -> None:
        super().__init__(application)
        self._application = application
        self._choice: Choice = choice
        self.reduced_motion = False
        self.tokens: Tokens = self._wanted()
        application.setStyle("Fusion")
        application.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._apply()
        if not icons_later:
            self.load_icons()

    def choose(self, choice: Choice) -> None:
        """Use this appearance from now on."""
        self._choice = choice
        self._refresh()

    def load_icons(self) -> None:
        """Load the icon library, unless it is; widgets draw their icons at the `changed` that follows."""
        if ICON_LIBRARY not in sys.modules:
            importlib.import_module(ICON_LIBRARY)
        self.changed.emit()

    def color(self, token: str) -> QColor:
        """A token's colour for painting.

        Raises:
            AttributeError: no such token.
        """
        return QColor(getattr(self.tokens, token))

    def mono_font(self, pixels: int) -> QFont:
        """The system's fixed-width font in that size."""
        font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        font.setPixelSize(pixels)
        return font

    def _wanted(self) -> Tokens:
        if self._choice == "system":
            scheme = self._application.styleHints().colorScheme()
            return DARK if scheme == Qt.ColorScheme.Dark else LIGHT
        return DARK if self._choice == "dark" else LIGHT

    def _follow_system(self) -> None:
        if self._choice == "system":
            self._refresh()

    def _refresh(self) -> None:
        wanted = self._wanted()
        if wanted is self.tokens:
            return
        self.tokens = wanted
        self._apply()
        self.changed.emit()

    def _apply(self) -> None:
        t = self.tokens
        palette = QPalette()
        pairs = {
            QPalette.ColorRole.Window: t.window,
            QPalette.ColorRole.WindowText: t.text,
            QPalette.ColorRole.Base: t.surface,
            QPalette.ColorRole.AlternateBase: t.sunken,
            QPalette.ColorRole.Text: t.text,
            QPalette.ColorRole.Button: t.surface,
            QPalette.ColorRole.ButtonText: t.text,
            QPalette.ColorRole.Highlight: t.accent,
            QPalette.ColorRole.HighlightedText: t.on_accent,
            QPalette.ColorRole.PlaceholderText: t.muted,
            QPalette.ColorRole.ToolTipBase: t.surface,
            QPalette.ColorRole.ToolTipText: t.text,
            QPalette.ColorRole.Link: t.accent,
            QPalette.ColorRole.LinkVisited: t.accent,
            QPalette.ColorRole.Mid: t.line,
        }
        for role, value in pairs.items():
            palette.setColor(role, QColor(value))
        for role in (QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText, QPalette.ColorRole.WindowText):
            palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(t.muted))
        self._application.setPalette(palette)
        self._application.setStyleSheet(stylesheet(t))
