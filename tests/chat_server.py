"""A scripted model server on loopback, over real sockets: what tests and benchmarks talk to.

    with ChatServer() as server:                      # in a thread of its own
        server.answer(says("Hel", "lo"), fails(429, "slow down", {"Retry-After": "7"}))
        ... talk to server.base_url ...
        server.chats[0].messages                      # what was sent

    async with ChatServer() as server: ...            # in the running loop

A reply is a coroutine function that gets an `Exchange` and may write any bytes. Ready ones: `says`, `echoes`,
`ticks`, `fails`, `streams` and `raw`, whose steps are bytes or one of `HANG`, `CLOSE`, `RESET` and a `Gate`.
Chat requests take the queued replies in order, then `server.default`. Also answers /v1/models and, when asked
to, Ollama's and llama.cpp's own paths. As a program (`python -m tests.chat_server`) it serves until its input
closes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import ssl
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from types import TracebackType
from typing import Any, Self

from tests.chat_replies import (
    CLOSE,
    HANG,
    RESET,
    Exchange,
    Gate,
    Received,
    Reply,
    Step,
    chunk,
    echoes,
    event,
    fails,
    raw,
    says,
    streams,
    ticks,
)

__all__ = [
    "ChatServer", "CHAT_PATH", "Exchange", "Gate", "Received", "Reply", "Step", "CLOSE", "HANG", "RESET",
    "says", "echoes", "ticks", "fails", "streams", "raw", "chunk", "event",
]  # fmt: skip

CHAT_PATH = "/v1/chat/completions"


class ChatServer:
    """The server.

    Args:
        models: ids in /v1/models.
        api_key: required as a bearer token when not empty.
        tls: serve https with it.
        ollama: answer /api/tags and /api/show.
        llamacpp: answer /health, /props and /tokenize (one token for each word).
        context: the window that those report.
        port: 0 for a free one.

    Attributes:
        requests: all requests in the order of their arrival.
        default: the reply to a chat when none is queued.
    """

    def __init__(
        self,
        *,
        models: Sequence[str] = ("test-model",),
        api_key: str = "",
        tls: ssl.SSLContext | None = None,
        ollama: bool = False,
        llamacpp: bool = False,
        context: int = 4096,
        port: int = 0,
    ) -> None:
        self.requests: list[Received] = []
        self.default: Reply = says("Hello", " there", ".")
        self._models, self._api_key, self._tls = tuple(models), api_key, tls
        self._ollama, self._llamacpp, self._context = ollama, llamacpp, context
        self._queued: deque[Reply] = deque()
        self._paths: dict[tuple[str, str], Reply] = {}
        self._arrivals: list[tuple[int, Gate]] = []
        self._lock = threading.Lock()
        self._port = port
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._thread: threading.Thread | None = None
        self._stop: Callable[[], object] = lambda: None

    @property
    def port(self) -> int:
        return self._port

    @property
    def address(self) -> tuple[str, int]:
        return "127.0.0.1", self._port

    @property
    def root_url(self) -> str:
        return f"{'https' if self._tls else 'http'}://127.0.0.1:{self._port}"

    @property
    def base_url(self) -> str:
        return f"{self.root_url}/v1"

    @property
    def chats(self) -> list[Received]:
        """The chat requests only."""
        return [request for request in self.requests if request.path == CHAT_PATH]

    def answer(self, *replies: Reply) -> None:
        """Queue replies for the next chat requests."""
        with self._lock:
            self._queued.extend(replies)

    def on(self, method: str, path: str, reply: Reply) -> None:
        """Answer that path with `reply` from now on."""
        self._paths[method, path] = reply

    def arrival(self, number: int = 1) -> Gate:
        """Opens when that many chat requests have come (since the start)."""
        gate = Gate()
        with self._lock:
            self._arrivals.append((number, gate))
            self._open_arrivals()
        return gate

    def __enter__(self) -> Self:
        ready: Future[None] = Future()
        self._thread = threading.Thread(target=self._run, args=(ready,), name="chat-server", daemon=True)
        self._thread.start()
        ready.result(30)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        assert self._thread is not None
        self._thread.join(30)

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", self._port, ssl=self._tls)
        self._port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        await self._server.wait_closed()

    def _run(self, ready: Future[None]) -> None:
        async def serve() -> None:
            stopped = asyncio.Event()
            loop = asyncio.get_running_loop()
            self._stop = lambda: loop.call_soon_threadsafe(stopped.set)
            async with self:
                ready.set_result(None)
                await stopped.wait()

        asyncio.run(serve())

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        try:
            request = await _read_request(reader)
            if request is None:
                writer.write(b"HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n")
            else:
                await self._exchange(request, reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError, ssl.SSLError):
            writer.transport.abort()
        finally:
            self._connections.discard(task)
            with contextlib.suppress(ConnectionError, ssl.SSLError):
                writer.close()

    async def _exchange(
        self, request: Received, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        reply = self._reply_to(request)
        with self._lock:
            self.requests.append(request)
            self._open_arrivals()
        answering = asyncio.ensure_future(reply(Exchange(request, writer)))
        leaving = asyncio.ensure_future(_until_left(reader))
        try:
            await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if answering.done():
                try:
                    answering.result()
                    request.answered.open()
                except ConnectionError:
                    request.left.open()
            else:
                request.left.open()
        finally:
            answering.cancel()
            leaving.cancel()
            await asyncio.gather(answering, leaving, return_exceptions=True)

    def _open_arrivals(self) -> None:
        count = len(self.chats)
        for number, gate in self._arrivals:
            if count >= number:
                gate.open()

    def _reply_to(self, request: Received) -> Reply:
        if (reply := self._paths.get((request.method, request.path))) is not None:
            return reply
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        if self._api_key and request.path != "/health" and key != self._api_key:
            return fails(401, {"error": {"message": "Invalid API Key", "code": "invalid_api_key"}})
        if request.method == "POST" and request.path == CHAT_PATH:
            with self._lock:
                return self._queued.popleft() if self._queued else self.default
        answer = self._information(request)
        return fails(404, "404 page not found") if answer is None else fails(200, answer)

    def _information(self, request: Received) -> Any:
        path = request.path
        if path == "/v1/models":
            return {"object": "list", "data": [{"id": name, "object": "model"} for name in self._models]}
        if self._ollama and path == "/api/tags":
            return {"models": [{"name": name, "model": name} for name in self._models]}
        if self._ollama and path == "/api/show" and request.json.get("model") in self._models:
            return {"details": {"family": "llama"}, "model_info": {"llama.context_length": self._context}}
        if self._llamacpp and path == "/health":
            return {"status": "ok"}
        if self._llamacpp and path == "/props":
            return {"default_generation_settings": {"n_ctx": self._context}, "model_alias": self._models[0]}
        if self._llamacpp and path == "/tokenize":
            return {"tokens": list(range(len(request.json["content"].split())))}
        return None


async def _read_request(reader: asyncio.StreamReader) -> Received | None:
    """The request; None for what is none, such as the greeting of an encrypted connection."""
    begin = await reader.readexactly(1)
    if not begin.isalpha():
        return None
    head = (begin + await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.rstrip("\r\n").split("\r\n")
    method, target, _ = first.split(" ", 2)
    headers = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Received(method, target.partition("?")[0], headers, body)


async def _until_left(reader: asyncio.StreamReader) -> None:
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while await reader.read(65536):
            pass


def main() -> None:
    """Serve from a process of its own; prints its port as JSON, ends when its input closes."""
    parser = argparse.ArgumentParser(description="A scripted model server on loopback.")
    parser.add_argument("--piece", default="word ", help="the text of each delta")
    parser.add_argument("--rate", type=float, default=0.0, help="deltas a second; 0 answers at once")
    parser.add_argument("--seconds", type=float, default=1.0, help="how long a reply goes on")
    arguments = parser.parse_args()
    server = ChatServer(llamacpp=True)
    if arguments.rate:
        server.default = ticks(arguments.piece, per_second=arguments.rate, seconds=arguments.seconds)
    with server:
        sys.stdout.write(json.dumps({"port": server.port}) + "\n")
        sys.stdout.flush()
        sys.stdin.read()


if __name__ == "__main__":
    main()
