"""What waits to be read goes when the settings say that it may not be read any more."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assistant.agent.desk import AgentDesk
from assistant.agent.learning_desk import LearningDesk
from assistant.bootstrap import open_conversations, open_record
from assistant.config.settings import Settings
from assistant.config.settings_keeper import SettingsKeeper
from assistant.config.settings_store import SettingsStore
from assistant.memory.ledger.ledger import MemoryLedger
from assistant.memory.ledger.lessons import LedgerLessons
from assistant.memory.ledger.opening import open_memory
from assistant.ownership.profile import Profile, StoreOpeners
from tests.learner_fixtures import said
from tests.memory_fixtures import HashEmbedder
from tests.unit.test_agent_desk import FixedBoard

WISH = "Remember that my dog is Rex."


@dataclass
class Room:
    """A desk of learners whose queue holds something, and no model that reads it."""

    desk: AgentDesk
    learning: LearningDesk
    settings: SettingsKeeper
    profile: Profile

    async def lessons(self) -> LedgerLessons:
        return (await self.profile.memory.ledger()).lessons

    async def fill(self) -> None:
        lessons, owner = await self.lessons(), self.profile.owner_id
        await lessons.put(said("My cat is Tom", message="m1"), user_id=owner)
        await lessons.put(said("My city is Porto", message="m2"), user_id=owner, held=True)
        await lessons.put(said(WISH, message="m3"), user_id=owner, held=True)

    async def left(self, count: int) -> None:
        """Wait until so many are left."""
        lessons = await self.lessons()
        while await lessons.count() != count:
            pass


@asynccontextmanager
async def room(folder: Path, **chosen: Any) -> AsyncIterator[Room]:
    async def open_ledger(place: Path) -> MemoryLedger:
        return await open_memory(place / "memory", embedder=HashEmbedder())

    keeper = SettingsKeeper(SettingsStore(folder / "settings.toml"), Settings(**chosen))
    profile = Profile(folder / "profile", StoreOpeners(open_record, open_conversations, open_ledger))
    board: Any = FixedBoard(None)
    learning = LearningDesk(keeper, board, profile)
    desk = AgentDesk(keeper, board, profile, learning)
    await profile.open()
    try:
        yield Room(desk, learning, keeper, profile)
    finally:
        await profile.close()


CHOICES: list[tuple[dict[str, Any], int]] = [
    ({"memory_enabled": False}, 0),
    ({"memory_consent": "manual"}, 1),
    ({"memory_extraction": False}, 2),
]


@pytest.mark.parametrize(("change", "left"), CHOICES)
async def test_a_change_of_the_settings_drops_what_may_not_be_read(
    tmp_path: Path, change: dict[str, Any], left: int
) -> None:
    async with room(tmp_path) as at:
        await at.fill()
        at.settings.change(**change)
        await at.left(left)


@pytest.mark.parametrize(("chosen", "left"), CHOICES)
async def test_the_first_use_drops_what_an_earlier_run_left(
    tmp_path: Path, chosen: dict[str, Any], left: int
) -> None:
    async with room(tmp_path) as at:
        await at.fill()
    async with room(tmp_path, **chosen) as at:
        assert await at.desk.agent() is None
        await at.left(left)


async def test_another_setting_drops_nothing(tmp_path: Path) -> None:
    async with room(tmp_path) as at:
        await at.fill()
        at.settings.change(instructions="Be brief.")
        assert await at.desk.agent() is None
        await at.left(3)
        at.settings.change(memory_extraction=False)
        await at.left(2)
