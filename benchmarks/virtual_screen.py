"""A screen for windows where there is none: an Xvfb of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def virtual_screen(size: str = "1280x900x24") -> Iterator[str]:
    """Run the block with DISPLAY set to a fresh Xvfb, which ends with it; yields the display's name.

    Raises:
        SystemExit: Xvfb is not installed.
    """
    if shutil.which("Xvfb") is None:
        raise SystemExit("Xvfb is missing: install it (Debian: apt-get install xvfb).")
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", size, "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    before = {name: os.environ.get(name) for name in ("DISPLAY", "QT_QPA_PLATFORM")}
    try:
        with os.fdopen(reader) as pipe:
            number = pipe.readline().strip()
        if not number:
            raise SystemExit("Xvfb did not start.")
        os.environ["DISPLAY"] = f":{number}"
        os.environ["QT_QPA_PLATFORM"] = "xcb"
        yield os.environ["DISPLAY"]
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        server.terminate()
        server.wait(10)
