"""What all tests share: a home of their own, loopback only, and coroutine tests.

A test may be an `async def`: it runs on a fresh loop (Qt's own loop under tests/ui and tests/integration where it
asks for the `qapp` fixture) and is ended after `ASYNC_TIMEOUT` seconds.
"""

from __future__ import annotations

import asyncio
import gc
import inspect
import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest_plugins = ["tests.embedding_fixtures"]

ASYNC_TIMEOUT = 300.0
GARBAGE = 100_000
"""Objects after which it is time to look for cycles."""
_QT_LOOPS: list[asyncio.AbstractEventLoop] = []
"""Kept to the end: a loop has timers of Qt, which crash it when another thread's garbage collection takes them."""
REPO = Path(__file__).resolve().parent.parent

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["HF_HUB_OFFLINE"] = "1"


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    arguments = {name: pyfuncitem.funcargs[name] for name in names}

    async def bounded() -> None:
        await asyncio.wait_for(pyfuncitem.obj(**arguments), ASYNC_TIMEOUT)

    factory = None
    if "qapp" in pyfuncitem.fixturenames:
        from qasync import QEventLoop

        application = pyfuncitem.funcargs["qapp"]

        def factory() -> asyncio.AbstractEventLoop:
            _QT_LOOPS.append(QEventLoop(application))
            return _QT_LOOPS[-1]

    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(bounded())
    return True


@pytest.fixture(scope="session")
def qapp() -> Iterator[Any]:
    """The one QApplication of the test run."""
    from PySide6.QtWidgets import QApplication

    # As in the application: a cycle that holds a widget must not be taken apart in a worker thread.
    gc.disable()
    application = QApplication.instance() or QApplication(["keepsake-tests"])
    application.setQuitOnLastWindowClosed(False)
    yield application
    # What belongs to Qt goes while the application is there, not in whatever order the interpreter ends.
    application.clipboard().clear()
    _QT_LOOPS.clear()
    gc.collect()


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect cycles between tests, in this thread, once the automatic collector is off."""
    yield
    if not gc.isenabled() and gc.get_count()[0] > GARBAGE:
        gc.collect()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user directory for this test alone; KEEPSAKE_HOME puts data, settings, caches and logs below it."""
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("KEEPSAKE_HOME", str(folder / "keepsake"))
    for name in (
        "XDG_DATA_HOME",
        "XDG_CONFIG_HOME",
        "XDG_CACHE_HOME",
        "XDG_STATE_HOME",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
        "OPENROUTER_API_KEY",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
        "http_proxy",
        "https_proxy",
        "all_proxy",
    ):
        monkeypatch.delenv(name, raising=False)
    return folder


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection of this process to anything but loopback fails the test that made it."""
    real_connect, real_connect_ex = socket.socket.connect, socket.socket.connect_ex

    def check(address: Any) -> None:
        if isinstance(address, tuple):
            host = str(address[0])
            if host != "localhost" and not ipaddress.ip_address(host.split("%")[0]).is_loopback:
                raise AssertionError(f"a test tried to connect to {host}")

    def connect(self: socket.socket, address: Any) -> Any:
        check(address)
        return real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> Any:
        check(address)
        return real_connect_ex(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
