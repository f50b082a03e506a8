"""How long closing takes in the middle of a reply, with a job running that adds memories.

Ways: the window's button, Ctrl+Q, the system's Quit event, SIGTERM and SIGHUP (as a session sends when it ends).
The clock starts when the way is taken and stops when the process is gone.

    python -m benchmarks.closing [--runs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import Row, report
from benchmarks.virtual_screen import virtual_screen
from tests.chat_server import HANG, ChatServer, chunk, event, streams
from tests.integration.running import running, settings

SIGNALS = {"sigterm": signal.SIGTERM, "sighup": signal.SIGHUP}
WAYS = ("button", "ctrl-q", "quit-event", *SIGNALS)


async def close_once(home: Path, way: str) -> float:
    """Seconds from the way being taken to the end of the process."""
    async with ChatServer() as server:
        server.default = streams(event(chunk("Once upon a time ")), HANG)
        settings(home, endpoint="custom", base_url=server.base_url, model="endless")
        async with running(home, "stream_for_ever", way) as app:
            await app.seen()
            started = time.monotonic()
            if way in SIGNALS:
                app.process.send_signal(SIGNALS[way])
            code, errors = await app.ended()
            took = time.monotonic() - started
    if code != 0 or errors:
        raise SystemExit(f"closing by {way} ended with {code} and said: {errors}")
    return took


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.closing", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    rows = []
    with virtual_screen():
        for way in WAYS:
            with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as place:
                took = [asyncio.run(close_once(Path(place), way)) for _ in range(options.runs)]
            name = f"close_{way.replace('-', '_')}_s"
            rows.append(Row(f"closed by {way}", name, statistics.median(took), unit="s", at_most=1.0))
    return report(f"Closing, medians of {options.runs} runs", rows, options.json)


if __name__ == "__main__":
    sys.exit(main())
