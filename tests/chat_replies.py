"""What the scripted model server can say: ready replies, and the pieces to make others."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Literal

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
