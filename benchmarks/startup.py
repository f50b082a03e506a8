"""How soon the window is usable, against a bare PySide6 window; how soon memories can be recalled.

Each run is a fresh process. Contestants take turns, so that a machine that slows down slows both. The profile has
200 conversations and 1,000 memories, and a first run fills the caches: what is measured is a warm start.

    python -m benchmarks.startup [--runs N] [--json FILE]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.report import Row, report
from benchmarks.virtual_screen import virtual_screen

CONVERSATIONS = 200
MEMORIES = 1_000
NOT_IN_A_WARM_RUN = ("torch", "transformers", "sentence_transformers")
NOT_BEFORE_THE_FRAME = ("chromadb", "openai", "onnxruntime")

BARE = """
import json, sys, time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMainWindow

class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        QTimer.singleShot(0, done)

def done():
    print(json.dumps({"frame": time.time()}), flush=True)
    app.quit()

app = QApplication([])
window = Window()
window.resize(1200, 800)
window.show()
sys.exit(app.exec())
"""

KEEPSAKE = """
import asyncio, json, sys, time

LIBRARIES = ("torch", "transformers", "sentence_transformers", "chromadb", "openai", "onnxruntime")
seen = {}

def loaded():
    return [name for name in LIBRARIES if name in sys.modules]

import assistant.ui.app as app_module
from assistant.bootstrap import run_app

real_first_frame = app_module.first_frame

async def first_frame(window):
    await real_first_frame(window)
    seen["frame"] = time.time()
    seen["loaded_before_frame"] = loaded()
    seen["usable"] = window.chat.composer.isEnabled() and len(window.sidebar.listed()) > 0

real_warm_up = app_module.App.warm_up

async def warm_up(self):
    async def recall():
        profile = self._services.profile
        found = await profile.memory.search("Where do I live?", user_id=profile.owner_id)
        seen["recall"] = time.time()
        seen["found"] = len(found)
        seen["loaded_at_recall"] = loaded()
    recalling = asyncio.ensure_future(recall())
    await real_warm_up(self)
    await recalling
    seen["loaded_at_end"] = loaded()
    print(json.dumps(seen), flush=True)
    self.window.close()

app_module.first_frame = first_frame
app_module.App.warm_up = warm_up
sys.exit(run_app())
"""


async def fill(home: Path) -> None:
    """A profile as somebody has it after some weeks."""
    os.environ["KEEPSAKE_HOME"] = str(home)
    from assistant.bootstrap import Preparation, memory_opener, open_conversations, open_record
    from assistant.config.paths import AppPaths
    from assistant.config.settings import Settings
    from assistant.config.settings_store import SettingsStore
    from assistant.core.types import Message
    from assistant.memory.base import NewMemory
    from assistant.ownership.profile import Profile, StoreOpeners

    paths = AppPaths.for_user()
    paths.ensure()
    profile = Profile(
        paths.profile(),
        StoreOpeners(open_record, open_conversations, memory_opener(paths.cache, Preparation())),
    )
    await profile.open()
    owner, store = profile.owner_id, profile.conversations
    session = ""
    for number in range(CONVERSATIONS):
        conversation = await store.create(user_id=owner, title=f"Plans for week {number}")
        session = conversation.session_id
        await store.append(session, Message("user", f"What about week {number}?"), user_id=owner)
        await store.append(session, Message("assistant", f"Week **{number}** is free."), user_id=owner)
    for number in range(60):
        await store.append(session, Message("user", f"And day {number}?"), user_id=owner)
        await store.append(
            session,
            Message("assistant", f"Day {number}:\n\n- a walk\n- *lunch* at {number % 12 + 1}\n\nThen rest."),
            user_id=owner,
        )
    facts = [NewMemory(f"My friend number {n} lives in city {n % 97}.") for n in range(MEMORIES - 1)]
    await profile.memory.add_many([*facts, NewMemory("I live in Porto.")], user_id=owner)
    await profile.close()
    SettingsStore(paths.settings_file).save(
        Settings(first_start_done=True, endpoint="local", last_session_id=session)
    )


def run_child(code: str, home: Path) -> tuple[float, dict[str, Any]]:
    """Run a program; returns when it was started, and what it printed."""
    environment = {**os.environ, "KEEPSAKE_HOME": str(home)}
    started = time.time()
    command = [sys.executable, "-X", "faulthandler", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not lines:
        name = "Keepsake" if code is KEEPSAKE else "the bare window"
        raise SystemExit(f"{name} failed ({done.returncode}):\n{done.stdout}\n{done.stderr}")
    return started, json.loads(lines[-1])


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.startup", description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args(argv)
    bare: list[float] = []
    frame: list[float] = []
    recall: list[float] = []
    early: set[str] = set()
    heavy: set[str] = set()
    with tempfile.TemporaryDirectory(prefix="keepsake-bench-") as place, virtual_screen():
        home = Path(place)
        asyncio.run(fill(home))
        run_child(BARE, home)
        run_child(KEEPSAKE, home)
        for _ in range(options.runs):
            started, seen = run_child(BARE, home)
            bare.append(seen["frame"] - started)
            started, seen = run_child(KEEPSAKE, home)
            if not seen["usable"] or not seen["found"]:
                raise SystemExit(f"the frame was not usable, or nothing was recalled: {seen}")
            frame.append(seen["frame"] - started)
            recall.append(seen["recall"] - started)
            early |= set(seen["loaded_before_frame"]) & set(NOT_BEFORE_THE_FRAME)
            heavy |= set(seen["loaded_at_end"]) & set(NOT_IN_A_WARM_RUN)
    first, plain, ready = (statistics.median(values) for values in (frame, bare, recall))
    rows = [
        Row("bare window, first frame", "bare_frame_s", plain, unit="s"),
        Row("Keepsake, first usable frame", "first_frame_s", first, unit="s"),
        Row("ratio", "first_frame_ratio", first / plain, at_most=3.0),
        Row("recall works, warm", "recall_ready_s", ready, unit="s", at_most=2.5),
        Row("heavy libraries in a warm run", "heavy_loaded", len(heavy), at_most=0),
        Row("libraries too early, before the frame", "loaded_early", len(early), at_most=0),
    ]
    return report(f"Start, medians of {options.runs} runs", rows, options.json)


if __name__ == "__main__":
    sys.exit(main())
