"""Opens a long and a short conversation in a real view, again and again: from the click to the painted messages.

What the window does on a click: read the last page from the store, make items of it, give them to the view, paint.
A process of its own for benchmarks.conversations; prints one JSON object.

    python -m benchmarks.conversation_opening FILE ROUNDS
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.ui.presenters.items import message_item
from assistant.ui.theme import Theme
from assistant.ui.widgets.chat.conversation_view import ConversationView
from benchmarks.conversation_corpus import LONG, OWNER, SHORT

PAGE = 60


class Painted(QObject):
    """Tells when the view has been painted next."""

    def __init__(self, view: ConversationView) -> None:
        super().__init__()
        self._waiting: asyncio.Future[None] | None = None
        view.viewport().installEventFilter(self)

    def next(self) -> asyncio.Future[None]:
        self._waiting = asyncio.get_running_loop().create_future()
        return self._waiting

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._waiting is not None:
            waiting, self._waiting = self._waiting, None
            # Behind the painting, which comes after this filter.
            QTimer.singleShot(0, self, lambda: waiting.set_result(None))
        return super().eventFilter(watched, event)


async def opening_ms(
    store: SqliteConversationStore, view: ConversationView, painted: Painted, session: str
) -> float:
    """Milliseconds to open a conversation in an empty view."""
    cleared = painted.next()
    view.set_messages([])
    view.viewport().update()
    await cleared
    began = time.perf_counter()
    page = await store.messages(session, user_id=OWNER, limit=PAGE)
    items = [item for message in page.items if (item := message_item(message)) is not None]
    seen = painted.next()
    view.set_messages(items, page.total - len(items))
    await seen
    took = (time.perf_counter() - began) * 1000
    last = view.widget(items[-1].message_id)
    if last is None or not last.isVisible() or len(items) != PAGE:
        raise SystemExit("the end of the conversation was not painted")
    return took


async def measure(path: Path, rounds: int) -> dict[str, list[float]]:
    """The times by session, the first of each cold; and the time to read all of the long one, as a floor."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    view = ConversationView(Theme(application, "light"))
    painted = Painted(view)
    view.resize(860, 800)
    shown = painted.next()
    view.show()
    await shown
    store = await SqliteConversationStore.open(path)
    times: dict[str, list[float]] = {SHORT: [], LONG: [], "whole": []}
    try:
        for _ in range(rounds):
            for session in (SHORT, LONG):
                times[session].append(await opening_ms(store, view, painted, session))
        for _ in range(3):
            began = time.perf_counter()
            await store.messages(LONG, user_id=OWNER, limit=10_000)
            times["whole"].append((time.perf_counter() - began) * 1000)
    finally:
        await store.close()
        view.close()
    return times


def main() -> int:
    application = QApplication(sys.argv[:1])
    application.setQuitOnLastWindowClosed(False)
    with asyncio.Runner(loop_factory=lambda: QEventLoop(application)) as runner:
        print(json.dumps(runner.run(measure(Path(sys.argv[1]), int(sys.argv[2])))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
