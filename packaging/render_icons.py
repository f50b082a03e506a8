"""Draw resources/icons/keepsake.svg at the sizes and in the formats that the systems ask for.

QT_QPA_PLATFORM=offscreen python packaging/render_icons.py
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage, QImageWriter, QPainter
from PySide6.QtSvg import QSvgRenderer

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "icons"
PNG_SIZES = (32, 64, 128, 256, 512)
ICO_SIZES = (16, 32, 48, 256)
# The type codes of PNG entries in an ICNS file, by edge in pixels.
ICNS_TYPES = {32: b"ic11", 64: b"ic12", 128: b"ic07", 256: b"ic08", 512: b"ic09"}


def png(renderer: QSvgRenderer, edge: int) -> bytes:
    """The mark as a PNG of `edge` x `edge` pixels."""
    image = QImage(edge, edge, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    renderer.render(painter)
    painter.end()
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"png")).write(image)
    return bytes(buffer.data().data())


def ico(pictures: dict[int, bytes]) -> bytes:
    """Several PNGs as one Windows icon file."""
    entries, body = b"", b""
    offset = 6 + 16 * len(pictures)
    for edge, picture in pictures.items():
        entries += struct.pack(
            "<BBBBHHII", edge % 256, edge % 256, 0, 0, 1, 32, len(picture), offset + len(body)
        )
        body += picture
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + body


def icns(pictures: dict[int, bytes]) -> bytes:
    """Several PNGs as one macOS icon file."""
    body = b"".join(
        ICNS_TYPES[edge] + struct.pack(">I", len(picture) + 8) + picture for edge, picture in pictures.items()
    )
    return b"icns" + struct.pack(">I", len(body) + 8) + body


def main() -> int:
    application = QGuiApplication(sys.argv)
    renderer = QSvgRenderer(str(FOLDER / "keepsake.svg"))
    if not renderer.isValid():
        print("keepsake.svg can't be drawn", file=sys.stderr)
        return 1
    for edge in PNG_SIZES:
        (FOLDER / f"keepsake-{edge}.png").write_bytes(png(renderer, edge))
    (FOLDER / "keepsake.ico").write_bytes(ico({edge: png(renderer, edge) for edge in ICO_SIZES}))
    (FOLDER / "keepsake.icns").write_bytes(icns({edge: png(renderer, edge) for edge in ICNS_TYPES}))
    application.quit()
    return 0


if __name__ == "__main__":
    sys.exit(main())
