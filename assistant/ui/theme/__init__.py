"""The design system: tokens, style sheet, icons, and the theme that hands them out."""

from assistant.ui.theme.theme import Theme
from assistant.ui.theme.tokens import DARK, LIGHT, RADIUS, SPACE, TYPE, Tokens

__all__ = ["DARK", "LIGHT", "RADIUS", "SPACE", "TYPE", "Theme", "Tokens"]
