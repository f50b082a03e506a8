"""Values of the design system. Every colour, gap and size in the window comes from here."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Tokens:
    """Colours of one appearance, as #RRGGBB. Each text colour has a contrast of 4.5:1 or better on its ground."""

    name: str
    window: str
    surface: str
    sunken: str
    text: str
    muted: str
    line: str
    accent: str
    on_accent: str
    accent_soft: str
    memory: str
    memory_soft: str
    danger: str
    warn: str
    ok: str
    hover: str
    selected: str

    @property
    def is_dark(self) -> bool:
        return self.name == "dark"


LIGHT = Tokens(
    name="light",
    window="#FAF9F7",
    surface="#FFFFFF",
    sunken="#F1EFEB",
    text="#1F1E1B",
    muted="#65615A",
    line="#DEDAD3",
    accent="#2F6F5E",
    on_accent="#FFFFFF",
    accent_soft="#E3EFEA",
    memory="#6A4C93",
    memory_soft="#EFE9F6",
    danger="#B3261E",
    warn="#8A5A00",
    ok="#2C6E3F",
    hover="#E9E6E0",
    selected="#E1DDD5",
)

DARK = Tokens(
    name="dark",
    window="#191817",
    surface="#21201E",
    sunken="#151413",
    text="#ECEAE5",
    muted="#A8A399",
    line="#3A3834",
    accent="#6FBFA6",
    on_accent="#10231D",
    accent_soft="#23362F",
    memory="#BFA3E8",
    memory_soft="#2E2740",
    danger="#FF8A80",
    warn="#E3B341",
    ok="#7CCB8F",
    hover="#252422",
    selected="#2E2C29",
)


@dataclass(frozen=True, slots=True)
class Space:
    """Gaps in pixels."""

    xs: int = 4
    s: int = 8
    m: int = 12
    l: int = 16  # noqa: E741
    xl: int = 24
    xxl: int = 32


@dataclass(frozen=True, slots=True)
class Radius:
    """Corner radii in pixels."""

    control: int = 8
    card: int = 12


@dataclass(frozen=True, slots=True)
class TypeScale:
    """Font sizes in pixels, and the line height of reading text as a factor."""

    small: int = 12
    side: int = 13
    code: int = 13
    reading: int = 15
    title: int = 18
    welcome: int = 24
    line_height: float = 1.55


SPACE = Space()
RADIUS = Radius()
TYPE = TypeScale()

READING_WIDTH = 720
SIDEBAR_WIDTH = 248
MEMORY_WIDTH = 320
MOTION_MS = 120
