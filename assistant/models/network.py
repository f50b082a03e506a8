"""The in-process guard: which hosts may be reached, and a record of each connection."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from assistant.core.clock import Clock, SystemClock
from assistant.core.errors import HostNotAllowedError

Outcome = Literal["open", "done", "failed", "refused"]
"""open: still running. done: ended, by the server or by us. failed: broke. refused: never made."""


@dataclass(frozen=True, slots=True)
class NetworkRecord:
    """One request over the network.

    Attributes:
        number: its number since the guard was made; the same record keeps it while it changes.
        started_at, ended_at: UTC; ended_at is None while it is open.
        host, port: where it went; the proxy is named in `through`.
        why: what for ("chat", "model list"), in plain words.
        outcome: see Outcome.
        sent, received: bytes of headers and bodies, as they are before encryption.
        through: "host:port" of the proxy that carried it, empty without one.
    """

    number: int
    started_at: datetime
    host: str
    port: int
    why: str
    outcome: Outcome = "open"
    sent: int = 0
    received: int = 0
    ended_at: datetime | None = None
    through: str = ""


RecordListener = Callable[[NetworkRecord], None]


class NetworkGuard:
    """Knows the hosts that may be reached; everything else is refused before a name is even looked up.

    It guards the HTTP clients that are opened with it (`http_client.open_http_client`), redirects and proxies
    included. To be used in one thread, that of the loop.

    Args:
        allowed: (host, port) pairs.
        clock: tells the times of records.
        keep: how many records are kept; the oldest go first.
    """

    def __init__(
        self, allowed: Iterable[tuple[str, int]] = (), *, clock: Clock | None = None, keep: int = 1000
    ) -> None:
        self._allowed = {(host.lower(), port) for host, port in allowed}
        self._clock = clock or SystemClock()
        self._keep = keep
        self._records: OrderedDict[int, NetworkRecord] = OrderedDict()
        self._next_number = 1
        self._listeners: list[RecordListener] = []

    @property
    def allowed(self) -> frozenset[tuple[str, int]]:
        """The (host, port) pairs that may be reached now."""
        return frozenset(self._allowed)

    @property
    def records(self) -> tuple[NetworkRecord, ...]:
        """What was recorded, oldest first."""
        return tuple(self._records.values())

    def allow(self, host: str, port: int) -> None:
        """Let connections to that host and port pass from now on."""
        self._allowed.add((host.lower(), port))

    def withdraw(self, host: str, port: int) -> None:
        """Refuse that host and port from now on; connections that are open stay."""
        self._allowed.discard((host.lower(), port))

    def check(self, host: str, port: int, *, why: str) -> None:
        """Pass when the host may be reached; otherwise record the refusal.

        Raises:
            HostNotAllowedError: it may not.
        """
        if (host.lower(), port) in self._allowed:
            return
        now = self._clock.now()
        self._put(NetworkRecord(self._new_number(), now, host, port, why, "refused", ended_at=now))
        raise HostNotAllowedError(
            f"Keepsake did not connect to {host}: it is not the server that you chose.",
            hint="Nothing was sent. If you want to use it, choose it in Settings.",
        )

    def opened(self, host: str, port: int, *, why: str, through: str = "") -> NetworkRecord:
        """Record that a request begins, and return its record."""
        record = NetworkRecord(self._new_number(), self._clock.now(), host, port, why, through=through)
        self._put(record)
        return record

    def closed(self, record: NetworkRecord, *, outcome: Outcome, sent: int, received: int) -> None:
        """Record how the request of `record` ended."""
        self._put(replace(record, outcome=outcome, sent=sent, received=received, ended_at=self._clock.now()))

    def listen(self, listener: RecordListener) -> Callable[[], None]:
        """Call `listener` with each record, when it begins and again when it ends.

        Returns:
            A function that ends it.
        """
        self._listeners.append(listener)

        def stop() -> None:
            if listener in self._listeners:
                self._listeners.remove(listener)

        return stop

    def _new_number(self) -> int:
        number = self._next_number
        self._next_number += 1
        return number

    def _put(self, record: NetworkRecord) -> None:
        self._records[record.number] = record
        while len(self._records) > self._keep:
            self._records.popitem(last=False)
        for listener in tuple(self._listeners):
            listener(record)
