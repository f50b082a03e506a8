"""One window per profile: a second start raises the first window and ends."""

from __future__ import annotations

import hashlib
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 500


class SingleInstance(QObject):
    """Listens for second starts of the same profile.

    Signals:
        raise_requested: somebody started the application again.
    """

    raise_requested = Signal()

    def __init__(self, profile: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        digest = hashlib.sha256(str(profile.resolve()).encode()).hexdigest()[:24]
        self._name = f"keepsake-{digest}"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._answer)

    def first(self) -> bool:
        """Become the one instance; False when another one runs (it was asked to show itself)."""
        socket = QLocalSocket()
        socket.connectToServer(self._name)
        if socket.waitForConnected(_WAIT_MS):
            socket.write(b"raise\n")
            socket.waitForBytesWritten(_WAIT_MS)
            socket.waitForReadyRead(_WAIT_MS)
            socket.disconnectFromServer()
            return False
        # Nobody answers: a socket file that a killed instance left behind is in the way.
        QLocalServer.removeServer(self._name)
        return self._server.listen(self._name)

    def close(self) -> None:
        """Stop listening. Safe to call twice."""
        self._server.close()

    def _answer(self) -> None:
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.write(b"ok\n")
            socket.flush()
            socket.disconnected.connect(socket.deleteLater)
            self.raise_requested.emit()
