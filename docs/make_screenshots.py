"""Draws docs/screenshots anew: first start, chat, memory, settings; light and dark.

    python -m docs.make_screenshots [--scale N] [--to FOLDER]

The real application on a virtual screen, with a profile made for the pictures.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path

from benchmarks.virtual_screen import virtual_screen

FOLDER = Path(__file__).resolve().parent / "screenshots"
CACHE = Path(__file__).resolve().parents[1] / ".cache" / "pictures"
"""One exported embedding model for all pictures."""
THEMES = ("light", "dark")
VIEWS = ("first-start", "chat", "memory", "waiting", "settings", "sent")

QUESTION = "We moved to Porto in November. What should we see on a rainy Sunday?"
REPLY = """Congratulations on the move. For a rainy Sunday, mostly under a roof:

| Time | Where | Why |
|---|---|---|
| 10:00 | Lello bookshop | quiet before eleven |
| 12:00 | Bolhão market | lunch at a stall |
| 14:30 | Serralves museum | the new wing, and the *tea room* |

You prefer metric units, so: the museum is **4 km** by tram, about 20 minutes.

- Take bus 203 if the tram is full
- Keep the penicillin note in your wallet when you travel
"""
CODE_QUESTION = "Can you turn that into a little script that prints the plan?"
CODE_REPLY = '''Here it is:

```python
PLAN = [("10:00", "Lello bookshop"), ("12:00", "Bolhão market")]

def show(plan: list[tuple[str, str]]) -> None:
    """Print one stop a line."""
    for time, place in plan:
        print(f"{time}  {place}")

show(PLAN)
```

Change `PLAN` to add stops.'''
FACTS = (
    ("Moved to Porto", 26, True),
    ("Prefers metric units", 48, True),
    ("Allergic to penicillin", 60, False),
    ("Project Atlas ships on 2026-09-01; the platform team owns it", 71, False),
    ("Marta's birthday is on 4 May, and she collects old maps", 95, True),
    ("Runs on Tuesdays and Fridays, about 8 km along the river", 120, False),
)
WAITING = (
    ("My salary is 4,100 euros", "This waits because it is about money."),
    ("I take ibuprofen for my knee", "This waits because it is about health."),
)
TITLES = (
    ("Gift ideas for Marta", 0),
    ("Tax papers", 5),
    ("Sourdough that does not rise", 19),
    ("Boat names", 43),
)

CHILD = """
import asyncio, sys
from PySide6.QtGui import QGuiApplication
import assistant.ui.app as app_module
from assistant.bootstrap import run_app

view, target, width, height = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
real = app_module.App.warm_up

async def warm_up(self):
    await real(self)
    window = self.window
    window.setGeometry(0, 0, width, height)
    if view == "memory":
        window.toggle_browser()
    elif view == "waiting":
        window.toggle_browser()
        window.memory.show_view("waiting")
    elif view == "sent":
        window.chat.composer.set_text("Which of these stops is open on Monday?")
        self.context.show_next()
    elif view == "settings":
        self.models.show_settings(1)
        self.models.dialog.move((width - self.models.dialog.width()) // 2, 90)
    await asyncio.sleep(1.5)
    QGuiApplication.primaryScreen().grabWindow(0, 0, 0, width, height).save(target)
    window.close()

app_module.App.warm_up = warm_up
sys.argv[1:] = []
sys.exit(run_app())
"""


async def fill(home: Path, theme: str, *, first_start: bool) -> None:
    """A profile for the pictures."""
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
    store_settings = SettingsStore(paths.settings_file)
    if first_start:
        store_settings.save(Settings(theme=theme))
        return
    opener = memory_opener(paths.cache, Preparation())
    profile = Profile(paths.profile(), StoreOpeners(open_record, open_conversations, opener))
    await profile.open()
    owner, store = profile.owner_id, profile.conversations
    for title, _ in reversed(TITLES):
        other = await store.create(user_id=owner, title=title)
        await store.append(other.session_id, Message("user", title), user_id=owner)
    now = datetime.now(UTC)
    facts = [
        NewMemory(
            text,
            {"kind": "explicit", "source": {"session_id": "s", "message_id": "m"}}
            if said
            else {"kind": "explicit"},
            created_at=now - timedelta(days=age),
        )
        for text, age, said in FACTS
    ]
    ids = await profile.memory.add_many(facts, user_id=owner)
    await profile.memory.pin(ids[2], user_id=owner)
    for text, reason in WAITING:
        await profile.memory.propose(text, metadata={"kind": "fact", "reason": reason}, user_id=owner)
    session = (await store.create(user_id=owner, title="Trip to Porto")).session_id
    await store.append(session, Message("user", QUESTION), user_id=owner)
    used = [{"memory_id": ids[n], "content": FACTS[n][0], "text": FACTS[n][0], "score": 0.6} for n in (1, 2)]
    saved = [{"memory_id": ids[0], "text": "Moved to Porto", "undone": False}]
    reply = await store.begin_reply(session, user_id=owner)
    await store.finish_reply(
        reply.message_id, user_id=owner, content=REPLY, metadata={"recalled": used, "remembered": saved}
    )
    await store.append(session, Message("user", CODE_QUESTION), user_id=owner)
    await store.append(session, Message("assistant", CODE_REPLY), user_id=owner)
    await profile.close()
    store_settings.save(
        Settings(first_start_done=True, endpoint="local", theme=theme, last_session_id=session)
    )


def picture(view: str, theme: str, target: Path, cache: Path, scale: float, size: tuple[int, int]) -> None:
    with tempfile.TemporaryDirectory(prefix="keepsake-pictures-") as place:
        home = Path(place)
        (home / "cache").symlink_to(cache, target_is_directory=True)
        asyncio.run(fill(home, theme, first_start=view == "first-start"))
        subprocess.run(
            [sys.executable, "-c", CHILD, view, str(target), *map(str, size)],
            env={**os.environ, "KEEPSAKE_HOME": place, "QT_SCALE_FACTOR": str(scale)},
            check=True,
            timeout=180,
        )


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="docs.make_screenshots", description=__doc__.splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--to", type=Path, default=FOLDER)
    parser.add_argument("--only", choices=VIEWS)
    parser.add_argument("--size", default="1200x800")
    options = parser.parse_args(argv)
    width, height = (int(part) for part in options.size.split("x"))
    options.to.mkdir(parents=True, exist_ok=True)
    screen = f"{round(width * options.scale)}x{round(height * options.scale)}x24"
    CACHE.mkdir(parents=True, exist_ok=True)
    with virtual_screen(screen):
        for theme in THEMES:
            for view in VIEWS:
                if options.only in (None, view):
                    target = options.to / f"{view}-{theme}.png"
                    picture(view, theme, target, CACHE, options.scale, (width, height))
                    sys.stdout.write(f"{target}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
