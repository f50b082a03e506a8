"""A scripted model server on loopback, over real sockets: what tests and benchmarks talk to.

    with ChatServer() as server:                      # in a thread of its own
        server.answer(says("Hel", "lo"), fails(429, "slow down", {"Retry-After": "7"}))
        ... talk to server.base_url ...
        server.chats[0].messages                      # what was sent

    async with ChatServer() as server: ...            # in the running loop

A reply is a coroutine function that gets an `Exchange` and may write any bytes. Ready ones: `says`, `echoes`,
`ticks`, `fails`, `streams` and `raw`, whose steps are bytes or one of `HANG`, `CLOSE`, `RESET` and a `Gate`.
Chat requests take the queued replies in order, then `server.default`. Also answers /v1/models and, when asked
to, Ollama's and llama.cpp's own paths. Run as a program it serves until its input closes.
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
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

CHAT_PATH = "/v1/chat/completions"
_REASONS = {200: "OK", 302: "Found", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found"}


class Gate:
    """An event that any thread may open and any loop may wait for."""

    def __init__(self) -> None:
        self._future: Future[None] = Future()

    def open(self) -> None:
        with contextlib.suppress(Exception):
            self._future.set_result(None)

    @property
    def is_open(self) -> bool:
        return self._future.done()

    async def wait(self) -> None:
        await asyncio.shield(asyncio.wrap_future(self._future))

    def block(self, timeout: float = 30.0) -> None:
        """Wait in a thread; raises TimeoutError."""
        self._future.result(timeout)


Step = bytes | Gate | Literal["hang", "close", "reset"]
HANG: Step = "hang"
"""Send nothing more until the client leaves."""
CLOSE: Step = "close"
"""End the connection in the middle, politely (FIN)."""
RESET: Step = "reset"
"""End the connection in the middle, rudely (RST)."""


@dataclass(slots=True)
class Received:
    """A request as it came.

    Attributes:
        method, path, headers, body: of the request; header names in lower case, the path without its query.
        left: opens when the client closes the connection before the answer was complete.
        answered: opens when the whole answer was sent.
    """

    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    left: Gate = field(default_factory=Gate)
    answered: Gate = field(default_factory=Gate)

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def messages(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.json["messages"]
        return found


class Exchange:
    """One request and the socket that its answer goes to."""

    def __init__(self, request: Received, writer: asyncio.StreamWriter) -> None:
        self.request = request
        self._writer = writer
        self._chunked = False

    async def head(
        self, status: int = 200, headers: Mapping[str, str] | None = None, *, chunked: bool = False
    ) -> None:
        self._chunked = chunked
        lines = [f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
        lines += ["Transfer-Encoding: chunked"] if chunked else []
        await self.raw(("\r\n".join([*lines, "Connection: close"]) + "\r\n\r\n").encode())

    async def body(self, part: bytes) -> None:
        if part:
            await self.raw(b"%x\r\n%s\r\n" % (len(part), part) if self._chunked else part)

    async def end(self) -> None:
        if self._chunked:
            await self.raw(b"0\r\n\r\n")

    async def raw(self, data: bytes) -> None:
        self._writer.write(data)
        await self._writer.drain()

    async def step(self, step: Step, send: Callable[[bytes], Awaitable[None]]) -> bool:
        """Do one step of a script; False when the connection is over."""
        if isinstance(step, bytes):
            await send(step)
        elif isinstance(step, Gate):
            await step.wait()
        elif step == "hang":
            await asyncio.Event().wait()
        elif step == "reset":
            self._writer.transport.abort()
            return False
        else:
            self._writer.close()
            return False
        return True


Reply = Callable[[Exchange], Awaitable[None]]


def event(value: Any) -> bytes:
    """One server-sent event that carries `value` as JSON (a str goes as it is)."""
    text = value if isinstance(value, str) else json.dumps(value)
    return f"data: {text}\n\n".encode()


def chunk(
    content: Any = None, *, finish: str | None = None, usage: Mapping[str, int] | None = None, **delta: Any
) -> dict[str, Any]:
    """A chat completion chunk as OpenAI sends it."""
    if content is not None:
        delta["content"] = content
    value: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "test-model",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }
    if usage is not None:
        value["usage"] = dict(usage)
    return value


def says(
    *pieces: str,
    reasoning: Sequence[str] = (),
    usage: tuple[int, int] | None = (7, 3),
    finish: str = "stop",
    pause: float = 0.0,
    gate: Gate | None = None,
) -> Reply:
    """A well-formed reply, streamed or whole as the request asks.

    Args:
        pieces: the deltas.
        reasoning: deltas of reasoning_content before them.
        usage: prompt and completion tokens, None for none.
        finish: the finish reason.
        pause: seconds before each delta.
        gate: is waited for before the last delta.
    """
    counts = usage and {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage)}

    async def reply(exchange: Exchange) -> None:
        if not exchange.request.json.get("stream"):
            message = {"role": "assistant", "content": "".join(pieces)}
            choice = {"index": 0, "message": message, "finish_reason": finish}
            await _send_json(
                exchange, 200, {"object": "chat.completion", "choices": [choice], "usage": counts}
            )
            return
        await exchange.head(headers={"Content-Type": "text/event-stream"}, chunked=True)
        await exchange.body(event(chunk(role="assistant", content="")))
        for thought in reasoning:
            await exchange.body(event(chunk(reasoning_content=thought)))
        for number, piece in enumerate(pieces):
            if gate is not None and number == len(pieces) - 1:
                await gate.wait()
            if pause:
                await asyncio.sleep(pause)
            await exchange.body(event(chunk(piece)))
        await exchange.body(event(chunk(finish=finish)))
        if counts and exchange.request.json.get("stream_options", {}).get("include_usage"):
            await exchange.body(event({"object": "chat.completion.chunk", "choices": [], "usage": counts}))
        await exchange.body(event("[DONE]"))
        await exchange.end()

    return reply


def echoes(prefix: str = "") -> Reply:
    """Says what the last message said."""

    async def reply(exchange: Exchange) -> None:
        await says(prefix, exchange.request.messages[-1]["content"])(exchange)

    return reply


def ticks(piece: str, *, per_second: float, seconds: float) -> Reply:
    """Streams `piece` at an even rate, in step with the clock even when single sleeps are late."""

    async def reply(exchange: Exchange) -> None:
        loop = asyncio.get_running_loop()
        await exchange.head(headers={"Content-Type": "text/event-stream"}, chunked=True)
        line, begin = event(chunk(piece)), loop.time()
        for number in range(int(per_second * seconds)):
            await asyncio.sleep(max(0.0, begin + number / per_second - loop.time()))
            await exchange.body(line)
        await exchange.body(event(chunk(finish="stop")) + event("[DONE]"))
        await exchange.end()

    return reply


def fails(status: int, body: Any = "", headers: Mapping[str, str] | None = None) -> Reply:
    """An answer with that status; a str body goes as it is, anything else as JSON."""

    async def reply(exchange: Exchange) -> None:
        if isinstance(body, str):
            await _send(exchange, status, body.encode(), "text/plain", headers)
        else:
            await _send_json(exchange, status, body, headers)

    return reply


def streams(*steps: Step, framed: bool = True, content_type: str = "text/event-stream") -> Reply:
    """Status 200 and exactly these bytes as body: in HTTP chunks when `framed`, else until the close."""

    async def reply(exchange: Exchange) -> None:
        await exchange.head(headers={"Content-Type": content_type}, chunked=framed)
        for step in steps:
            if not await exchange.step(step, exchange.body):
                return
        await exchange.end()

    return reply


def raw(*steps: Step) -> Reply:
    """Exactly these bytes, the status line included."""

    async def reply(exchange: Exchange) -> None:
        for step in steps:
            if not await exchange.step(step, exchange.raw):
                return

    return reply


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
            if request is not None:
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
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except asyncio.IncompleteReadError:
        return None
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


async def _send_json(
    exchange: Exchange, status: int, value: Any, headers: Mapping[str, str] | None = None
) -> None:
    await _send(exchange, status, json.dumps(value).encode(), "application/json", headers)


async def _send(
    exchange: Exchange, status: int, body: bytes, kind: str, headers: Mapping[str, str] | None
) -> None:
    lengths = {"Content-Type": kind, "Content-Length": str(len(body))}
    await exchange.head(status, lengths | dict(headers or {}))
    await exchange.raw(body)


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
