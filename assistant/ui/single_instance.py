"""One window per profile: a second start raises the first window and ends."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThread, Signal

from assistant.core.errors import StoreFullError, StoreInUseError
from assistant.storage.lock import FileLock

if TYPE_CHECKING:
    from PySide6.QtNetwork import QLocalServer

_TRIES = 20
_TRY_MS = 150


class SingleInstance(QObject):
    """Holds the lock of a profile's window and listens for second starts.

    The lock decides who is first, at once; the socket only carries the wish to be raised, so it may come after the
    first frame. A killed instance leaves a lock that is free and a socket that is replaced.

    Signals:
        raise_requested: somebody started the application again.
    """

    raise_requested = Signal()

    def __init__(self, profile: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        digest = hashlib.sha256(str(profile.resolve()).encode()).hexdigest()[:24]
        self._name = f"keepsake-{digest}"
        # Beside the folder, not in it: a wipe replaces the folder.
        self._lock = FileLock(profile.with_name(f".{profile.name}.window.lock"), "This profile")
        self._server: QLocalServer | None = None

    def first(self) -> bool:
        """Become the one instance; False when another one runs (it was asked to show itself)."""
        try:
            self._lock.acquire()
        except StoreInUseError:
            self._ask_to_raise()
            return False
        except StoreFullError:
            # No folder, no second window to collide with: the start itself tells what is wrong.
            return True
        return True

    def listen(self) -> None:
        """Hear second starts from now on."""
        from PySide6.QtNetwork import QLocalServer

        server = QLocalServer(self)
        server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        server.newConnection.connect(self._answer)
        QLocalServer.removeServer(self._name)
        server.listen(self._name)
        self._server = server

    def close(self) -> None:
        """Stop listening and give the lock back. Safe to call twice."""
        if self._server is not None:
            self._server.close()
            self._server = None
        self._lock.release()

    def _ask_to_raise(self) -> None:
        from PySide6.QtNetwork import QLocalSocket

        for _ in range(_TRIES):
            socket = QLocalSocket()
            socket.connectToServer(self._name)
            if socket.waitForConnected(_TRY_MS):
                socket.write(b"raise\n")
                socket.waitForBytesWritten(_TRY_MS)
                socket.waitForReadyRead(_TRY_MS)
                socket.disconnectFromServer()
                return
            # The first one is just starting and does not listen yet.
            QThread.msleep(_TRY_MS)

    def _answer(self) -> None:
        while self._server is not None and (socket := self._server.nextPendingConnection()) is not None:
            socket.write(b"ok\n")
            socket.flush()
            socket.disconnected.connect(socket.deleteLater)
            self.raise_requested.emit()
