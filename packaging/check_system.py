"""Say what only the system can give and is not there, with the command that installs it.

Runs on the plain interpreter, before anything is installed: standard library only.

    python packaging/check_system.py run     what the window needs
    python packaging/check_system.py test    what the tests need as well
    python packaging/check_system.py ci      what .ci/run installs besides
"""

from __future__ import annotations

import ctypes
import importlib.util
import os
import platform
import shutil
import sys

# The libraries that Qt's xcb platform plug-in is linked to, and the Debian package of each.
LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}

# The programs that the tests start, and the Debian package of each.
TEST_PROGRAMS = {
    "Xvfb": "xvfb",
    "dbus-run-session": "dbus",
    "gnome-keyring-daemon": "gnome-keyring",
    "strace": "strace",
    "xdotool": "xdotool",
}

# Fonts have no program to look for; these files stand for their packages.
TEST_FONTS = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf": "fonts-dejavu-core",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc": "fonts-noto-cjk",
}


def missing_modules() -> list[str]:
    """Parts of Python that Debian ships apart from it."""
    return [name for name in ("venv", "ensurepip") if importlib.util.find_spec(name) is None]


def missing_libraries() -> dict[str, str]:
    """Library and package for each that the loader does not find."""
    missing = {}
    for library, package in LIBRARIES.items():
        try:
            ctypes.CDLL(library)
        except OSError:
            missing[library] = package
    return missing


def missing_programs() -> dict[str, str]:
    return {name: package for name, package in TEST_PROGRAMS.items() if shutil.which(name) is None}


def missing_fonts() -> dict[str, str]:
    return {path: package for path, package in TEST_FONTS.items() if not os.path.exists(path)}


def python_package() -> str:
    """The Debian package that carries this interpreter's venv module."""
    return "python{}.{}-venv".format(*sys.version_info[:2])


def what_is_missing(purpose: str) -> dict[str, str]:
    """Part and Debian package of each thing that is not there."""
    missing = {f"Python module {name}": python_package() for name in missing_modules()}
    if platform.system() != "Linux":
        return missing
    missing.update(missing_libraries())
    if purpose in ("test", "ci"):
        missing.update(missing_programs())
    if purpose == "ci":
        missing.update(missing_fonts())
    return missing


def main(arguments: list[str]) -> int:
    packages_only = "--packages" in arguments
    purposes = [word for word in arguments if not word.startswith("--")]
    if len(purposes) != 1 or purposes[0] not in ("run", "test", "ci"):
        print(__doc__, file=sys.stderr)
        return 2
    missing = what_is_missing(purposes[0])
    packages = " ".join(sorted(set(missing.values())))
    if packages_only:
        print(packages)
        return 0
    if not missing:
        return 0
    print("Keepsake needs these parts of the system, which are not here:", file=sys.stderr)
    for part in missing:
        print(f"  {part}", file=sys.stderr)
    if platform.system() == "Darwin":
        print("\nInstall a complete Python, then try again:\n\n  brew install python@3.13\n", file=sys.stderr)
    elif shutil.which("apt-get"):
        print(f"\nInstall them, then try again:\n\n  sudo apt-get install {packages}\n", file=sys.stderr)
    else:
        print(
            "\nInstall them with your system's package tool, then try again."
            f"\nOn Debian they are: {packages}\n",
            file=sys.stderr,
        )
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
