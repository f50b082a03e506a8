"""How smooth the window stays while a fast reply streams into a long conversation and memories are added.

The whole application in a real window on a virtual screen. A server process on loopback streams 200 tokens a second
for 30 seconds into a conversation of 2,000 messages; meanwhile 500 memories are added evenly, each embedded and
stored. The same run without the additions is the floor. Stall is how late a precise 5 ms timer fires.

    python -m benchmarks.responsiveness [--seconds N] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.report import Row, report
from benchmarks.virtual_screen import virtual_screen

RATE = 200
MESSAGES = 2_000
MEMORIES = 500
TIMER_MS = 5

CHILD = """
import asyncio, json, sys, time
from PySide6.QtCore import QObject, QTimer, Qt, QElapsedTimer, QEvent

seconds, additions = float(sys.argv[1]), int(sys.argv[2])

import assistant.ui.app as app_module
from assistant.bootstrap import run_app

class Meter(QObject):
    def __init__(self):
        super().__init__()
        self.late, self.frames, self.on = [], 0, False
        self.timer = QTimer(self)
        self.timer.setTimerType(Qt.TimerType.PreciseTimer)
        self.timer.setInterval(TIMER_MS)
        self.timer.timeout.connect(self.tick)
        self.clock = QElapsedTimer()

    def start(self):
        self.on, self.longest, self.began = True, (0.0, 0.0), time.monotonic()
        self.clock.start()
        self.timer.start()

    def tick(self):
        late = max(0.0, self.clock.nsecsElapsed() / 1e6 - TIMER_MS)
        if late > self.longest[0]:
            self.longest = (late, time.monotonic() - self.began)
        self.late.append(late)
        self.clock.restart()

    def stop(self):
        self.on = False
        self.timer.stop()

real_warm_up = app_module.App.warm_up

async def warm_up(self):
    await real_warm_up(self)
    profile = self._services.profile
    meter = Meter()
    painted = [0]
    self.window.chat.view.painted.connect(lambda: painted.__setitem__(0, painted[0] + 1))
    done = asyncio.get_running_loop().create_future()
    started = asyncio.get_running_loop().create_future()
    view = self.window.chat.view
    real_extend = view.extend_stream

    def extend(message_id, text):
        if not started.done():
            started.set_result(None)
        real_extend(message_id, text)

    view.extend_stream = extend

    async def add():
        gap = seconds / max(additions, 1)
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number in range(additions):
            await asyncio.sleep(max(0.0, began + number * gap - loop.time()))
            await profile.memory.add(
                f"On day {number} the harbour office moved file {number * 7} to shelf {number % 41}.",
                user_id=profile.owner_id)

    self.window.chat.composer.set_text("Tell me about the old quarter, at length.")
    self.chat.send("Tell me about the old quarter, at length.")
    await started
    meter.start()
    painted[0] = 0
    adding = asyncio.ensure_future(add())
    begun = time.monotonic()
    while self.chat.is_running:
        await asyncio.sleep(0.05)
    took = time.monotonic() - begun
    meter.stop()
    await adding
    late = sorted(meter.late)
    item = view.items()[-1]
    print(json.dumps({
        "longest_at_s": meter.longest[1],
        "p50": late[len(late) // 2], "p99": late[int(len(late) * 0.99)], "max": late[-1],
        "frames_per_s": painted[0] / took, "seconds": took, "characters": len(item.text), "state": item.state,
    }), flush=True)
    self.window.close()

app_module.App.warm_up = warm_up
sys.argv[1:] = []
sys.exit(run_app())
""".replace("TIMER_MS", str(TIMER_MS))


async def fill(home: Path, port: int) -> None:
    """A profile with one long conversation, and the loopback server as its model."""
    os.environ["KEEPSAKE_HOME"] = str(home)
    from assistant.bootstrap import Preparation, memory_opener, open_conversations, open_record
    from assistant.config.paths import AppPaths
    from assistant.config.settings import Settings
    from assistant.config.settings_store import SettingsStore
    from assistant.core.types import Message
    from assistant.ownership.profile import Profile, StoreOpeners

    paths = AppPaths.for_user()
    paths.ensure()
    opener = memory_opener(paths.cache, Preparation())
    profile = Profile(paths.profile(), StoreOpeners(open_record, open_conversations, opener))
    await profile.open()
    owner, store = profile.owner_id, profile.conversations
    session = (await store.create(user_id=owner, title="The old quarter")).session_id
    for number in range(MESSAGES // 2):
        await store.append(session, Message("user", f"What is at stop {number}?"), user_id=owner)
        await store.append(
            session,
            Message("assistant", f"Stop {number}:\n\n- a bakery\n- a **view**\n\n```\nstop = {number}\n```"),
            user_id=owner,
        )
    await profile.memory.ready()
    await profile.close()
    SettingsStore(paths.settings_file).save(
        Settings(
            first_start_done=True,
            endpoint="custom",
            base_url=f"http://127.0.0.1:{port}/v1",
            model="steady",
            last_session_id=session,
        )
    )


def measure(seconds: float, additions: int) -> dict[str, Any]:
    """One run of the application on a fresh profile."""
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as place:
        server = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.stream_server", str(RATE), str(seconds)],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            port = int(server.stdout.readline())
            asyncio.run(fill(Path(place), port))
            done = subprocess.run(
                [sys.executable, "-c", CHILD, str(seconds), str(additions)],
                env={**os.environ, "KEEPSAKE_HOME": place},
                capture_output=True,
                text=True,
                timeout=seconds * 4 + 120,
                check=False,
            )
        finally:
            server.kill()
            server.wait()
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        raise SystemExit(f"the application failed ({done.returncode}):\n{done.stdout}\n{done.stderr}")
    found: dict[str, Any] = json.loads(lines[-1])
    if found["state"] != "complete" or found["characters"] < RATE * seconds * 3:
        raise SystemExit(f"the reply did not come whole: {found}")
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.responsiveness", description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    with virtual_screen():
        alone = measure(options.seconds, 0)
        adding = measure(options.seconds, round(MEMORIES * options.seconds / 30))
    rows = [
        Row("stall p99, reply alone", "stall_p99_alone_ms", alone["p99"], unit="ms"),
        Row(
            "stall longest, reply alone",
            "stall_max_alone_ms",
            alone["max"],
            unit="ms",
            note=f"after {alone['longest_at_s']:.1f} s",
        ),
        Row("frames a second, reply alone", "frames_alone_per_s", alone["frames_per_s"], unit="/s"),
        Row("stall p99, while adding memories", "stall_p99_ms", adding["p99"], unit="ms", at_most=24),
        Row(
            "stall longest, while adding memories",
            "stall_max_ms",
            adding["max"],
            unit="ms",
            at_most=100,
            note=f"after {adding['longest_at_s']:.1f} s",
        ),
        Row("ratio of the two p99", "stall_ratio", adding["p99"] / max(alone["p99"], 0.001), at_most=1.5),
        Row("frames a second, while adding", "frames_per_s", adding["frames_per_s"], unit="/s", at_least=25),
    ]
    return report(f"Responsiveness, {RATE} tokens/s for {options.seconds:.0f} s", rows, options.json)


if __name__ == "__main__":
    sys.exit(main())
