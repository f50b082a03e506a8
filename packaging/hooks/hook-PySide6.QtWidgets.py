"""Takes the place of PyInstaller's own hook for this module; see packaging/qt_parts.py."""

from PyInstaller.utils.hooks.qt import add_qt6_dependencies
from qt_parts import wanted

hiddenimports, binaries, datas = add_qt6_dependencies(__file__)
binaries, datas = wanted(binaries), wanted(datas)
