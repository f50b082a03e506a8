"""A chat server on loopback that streams at a steady pace, as a process of its own.

    python -m benchmarks.stream_server RATE SECONDS

Prints its port. Answers POST /v1/chat/completions with RATE tokens a second for SECONDS seconds.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from itertools import islice

PARAGRAPHS = (
    "The old quarter climbs from the river in narrow steps, and each step has a view worth a rest.",
    "## What to see\n\nThree places, in the order of a walk:",
    "1. the **market** before ten, while the fish is still wet\n2. the tiled hall of the station\n3. the bridge, "
    "from *above* and from below",
    "A table of the trams:\n\n| line | from | minutes |\n|---|---|---:|\n| 1 | harbour | 20 |\n"
    "| 18 | museum | 12 |\n| 22 | square | 9 |",
    '```python\ndef minutes(stops, pace=2.5):\n    """How long a ride takes."""\n    return round(stops * pace)\n\n'
    "for stop in range(3, 9):\n    print(stop, minutes(stop))\n```",
    "> Rain comes from the west; when the gulls sit on the roofs, take a coat.",
    "Later, a slow lunch: soup, bread, something grilled, and coffee that asks for a second one. `09:00` is early.",
)


def tokens() -> Iterator[str]:
    """Text in pieces of about four characters, without end."""
    number = 0
    while True:
        text = PARAGRAPHS[number % len(PARAGRAPHS)] + "\n\n"
        number += 1
        for start in range(0, len(text), 4):
            yield text[start : start + 4]


async def answer(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, rate: float, seconds: float
) -> None:
    try:
        head = await reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.decode("latin-1").split("\r\n"):
            name, _, value = line.partition(":")
            if name.lower() == "content-length":
                length = int(value)
        await reader.readexactly(length)
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        loop = asyncio.get_running_loop()
        began = loop.time()
        for sent, token in enumerate(islice(tokens(), int(rate * seconds))):
            await asyncio.sleep(max(0.0, began + sent / rate - loop.time()))
            chunk = {"choices": [{"index": 0, "delta": {"content": token}, "finish_reason": None}]}
            writer.write(f"data: {json.dumps(chunk)}\n\n".encode())
            await writer.drain()
        last = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
        writer.write(f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n".encode())
        await writer.drain()
    except (ConnectionError, asyncio.IncompleteReadError):
        return
    finally:
        writer.close()


async def serve(rate: float, seconds: float) -> None:
    server = await asyncio.start_server(lambda r, w: answer(r, w, rate, seconds), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(float(sys.argv[1]), float(sys.argv[2])))
