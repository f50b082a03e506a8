"""The record of a profile: a random owner, and deletions that can be undone for a while."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from assistant.core.errors import InvalidInputError, InvalidTextError, StoreClosedError, StoreDamagedError
from assistant.storage.profile import PendingDeletion, ProfileRecord

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
SECOND = timedelta(seconds=1)


class StoppedClock:
    def now(self) -> datetime:
        return NOON


@asynccontextmanager
async def profile(folder: Path) -> AsyncIterator[ProfileRecord]:
    record = await ProfileRecord.open(folder, clock=StoppedClock())
    try:
        yield record
    finally:
        await record.close()


async def test_the_owner_is_random_and_stays(tmp_path: Path) -> None:
    async with profile(tmp_path / "a") as first, profile(tmp_path / "b") as second:
        assert first.owner_id != second.owner_id
        assert len(first.owner_id) >= 32
        kept = first.owner_id
    async with profile(tmp_path / "a") as again:
        assert again.owner_id == kept


async def test_the_name_and_the_time_of_creation_are_kept(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        assert (record.name, record.created_at) == ("", NOON)
        await record.rename("Zoë 日本")
        assert record.name == "Zoë 日本"
        with pytest.raises(InvalidTextError):
            await record.rename("\udc00")
    async with profile(tmp_path) as again:
        assert (again.name, again.created_at) == ("Zoë 日本", NOON)


async def test_what_was_hidden_stays_hidden_after_a_restart(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.hide("conversation", "c1", NOON)
        await record.hide("memory", "m1", NOON)
    async with profile(tmp_path) as again:
        assert await again.hidden("conversation") == {"c1"}
        assert await again.hidden("memory") == {"m1"}
        assert await again.hidden("other") == frozenset()


async def test_undo_brings_an_item_back_once(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.hide("memory", "m1", NOON)
        assert await record.unhide("memory", "m1") is True
        assert await record.unhide("memory", "m1") is False
        assert await record.hidden("memory") == frozenset()
        assert await record.due() == []


async def test_a_deletion_is_due_from_its_time_on_earliest_first(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.hide("memory", "late", NOON + SECOND)
        await record.hide("memory", "early", NOON)
        early = PendingDeletion("memory", "early", NOON)
        late = PendingDeletion("memory", "late", NOON + SECOND)
        assert await record.due(NOON - timedelta(microseconds=1)) == []
        assert await record.due(NOON) == [early]
        assert await record.due(NOON + SECOND) == [early, late]


async def test_at_a_start_everything_pending_is_due(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.hide("memory", "m1", datetime.max.replace(tzinfo=UTC))
        assert [item.item_id for item in await record.due()] == ["m1"]


async def test_a_settled_deletion_is_over(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.hide("memory", "m1", NOON)
        assert await record.settled("memory", "m1") is True
        assert await record.settled("memory", "m1") is False
        assert await record.due() == []


async def test_hiding_again_moves_the_time(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.hide("memory", "m1", NOON)
        await record.hide("memory", "m1", NOON + SECOND)
        assert await record.due() == [PendingDeletion("memory", "m1", NOON + SECOND)]


async def test_times_of_any_zone_are_compared_as_moments(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.hide("memory", "m1", NOON.astimezone(timezone(timedelta(hours=9))))
        assert await record.due(NOON) == [PendingDeletion("memory", "m1", NOON)]


async def test_hostile_ids_are_kept_apart(tmp_path: Path) -> None:
    ids = ["a", "a\0", "a\0b", "", "'; DROP TABLE pending_deletion; --", "🎉", "ä", "a\u0308"]
    async with profile(tmp_path) as record:
        for item in filter(None, ids):
            await record.hide("memory", item, NOON)
        assert await record.hidden("memory") == set(filter(None, ids))
        with pytest.raises(InvalidInputError):
            await record.hide("memory", "", NOON)
        with pytest.raises(InvalidInputError):
            await record.hide("memory", "m1", datetime(2026, 1, 1))  # noqa: DTZ001 - what is refused


async def test_a_damaged_record_is_not_replaced_by_a_new_owner(tmp_path: Path) -> None:
    (tmp_path / "profile.sqlite").write_bytes(b"damaged" * 1000)
    with pytest.raises(StoreDamagedError):
        await ProfileRecord.open(tmp_path)
    assert (tmp_path / "profile.sqlite").read_bytes() == b"damaged" * 1000


async def test_after_closing_calls_say_so(tmp_path: Path) -> None:
    async with profile(tmp_path) as record:
        await record.close()
        await record.close()
        with pytest.raises(StoreClosedError):
            await record.hidden("memory")
