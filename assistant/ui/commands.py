"""Things that can be done in the window, as shortcuts and the palette know them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Command:
    """Something that can be done.

    Attributes:
        text: what it does.
        shortcut: its keys, for people; may be empty.
        action: does it.
    """

    text: str
    shortcut: str
    action: Callable[[], object]
