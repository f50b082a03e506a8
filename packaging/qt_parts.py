"""Which of Qt's plug-ins and translations the bundle carries; shared by the PyInstaller hooks beside it.

PyInstaller takes every plug-in of a Qt module that is used. Most serve hardware and desktops that a window of
widgets never meets, and one of them, the GTK theme, brings half a desktop with it.
"""

from __future__ import annotations

from pathlib import PurePath

Entry = tuple[str, str]

WANTED_PLUGINS: dict[str, frozenset[str] | None] = {
    "platforms": frozenset({"qxcb", "qwayland", "qoffscreen", "qcocoa", "qwindows"}),
    "platformthemes": frozenset({"qxdgdesktopportal"}),
    "platforminputcontexts": frozenset(
        {"composeplatforminputcontextplugin", "ibusplatforminputcontextplugin"}
    ),
    "iconengines": frozenset({"qsvgicon"}),
    "imageformats": frozenset({"qsvg", "qico", "qicns", "qjpeg"}),
    "styles": None,
    "xcbglintegrations": None,
    "wayland-decoration-client": None,
    "wayland-shell-integration": frozenset({"xdg-shell"}),
}
"""Kind of plug-in to the names that are wanted; None means all of the kind."""


def _is_wanted(entry: Entry) -> bool:
    source = PurePath(entry[0])
    if "translations" in source.parts:
        return False
    if "plugins" not in source.parts:
        return True
    kind = source.parent.name
    names = WANTED_PLUGINS.get(kind, frozenset())
    return names is None or source.stem.removeprefix("lib") in names


def wanted(entries: list[Entry]) -> list[Entry]:
    """The entries (source file, folder in the bundle) that Keepsake needs."""
    return [entry for entry in entries if _is_wanted(entry)]
