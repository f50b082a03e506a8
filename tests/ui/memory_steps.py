"""Small steps that the tests of the memory panel share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from assistant.core.types import Message
from assistant.memory.ledger.entry import Entry
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.ui.widgets.chat.fact_chip import FactChip
from assistant.ui.widgets.memory_list import MemoryListView
from tests.ui.app_fixtures import Running


async def ledger(running: Running) -> MemoryLedger:
    """The open memory."""
    return await running.profile.memory.ledger()


async def entry(running: Running, memory_id: str) -> Entry | None:
    """What the memory holds of one id."""
    return await running.profile.memory.entry(memory_id, user_id=running.owner)


async def propose(
    running: Running, *texts: str, reason: str = "This waits because it is about health."
) -> list[str]:
    """Memories that wait, oldest first; the panel knows of them."""
    ids = [
        await running.profile.memory.propose(text, metadata={"reason": reason}, user_id=running.owner)
        for text in texts
    ]
    await running.app.memories.load()
    return ids


async def say_turn(running: Running, text: str, *, title: str = "Boats") -> tuple[str, str]:
    """Something that was said in a stored conversation, as the memory keeps it; conversation and message."""
    store, owner = running.profile.conversations, running.owner
    session = (await store.create(user_id=owner, title=title)).session_id
    message = await store.append(session, Message("user", text), user_id=owner)
    metadata = {
        "kind": "turn",
        "speaker": "user",
        "said_at": datetime.now(UTC).isoformat(),
        "session_id": session,
        "message_id": message.message_id,
        "position": 0,
    }
    await running.profile.memory.add(text, metadata=metadata, user_id=owner)
    return session, message.message_id


def memory_list(running: Running) -> MemoryListView:
    """The list in the panel."""
    found = running.window.memory.findChild(MemoryListView)
    assert isinstance(found, MemoryListView)
    return found


def mark(running: Running, place: int) -> MemoryListView:
    """Mark a row of the list and give it the focus."""
    listed = memory_list(running)
    listed.setFocus()
    listed.setCurrentIndex(listed.model().index(place, 0))
    return listed


async def press(running: Running, place: int, key: Qt.Key) -> None:
    """Press a key on a row, and wait for what comes of it."""
    QTest.keyClick(mark(running, place), key)
    await running.settled()


def chips(running: Running) -> list[FactChip]:
    """The pills about memories that are shown in the conversation, from top to bottom."""
    view = running.window.chat.view
    found = [chip for chip in view.findChildren(FactChip) if chip.isVisibleTo(view)]
    return sorted(found, key=lambda chip: chip.mapTo(view, chip.rect().topLeft()).toTuple()[::-1])


def said_in(widget: QWidget) -> str:
    """What a pill says, in full."""
    return widget.findChildren(QWidget)[0].accessibleName()


async def press_button(running: Running, button: QPushButton | None) -> None:
    """Click a button, and wait for what comes of it."""
    assert button is not None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    await running.settled()


async def noted(running: Running, message_id: str) -> list[dict[str, Any]]:
    """What the stored message says about memories that came from it."""
    stored = await running.profile.conversations.annotate(message_id, {}, user_id=running.owner)
    return list(stored.metadata.get("remembered", []))
