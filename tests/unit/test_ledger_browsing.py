"""Looking through a ledger: pages with pinned ones first, what took whose place, and the way back."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from assistant.core.errors import InvalidTextError, MemoryIsolationError, StoreClosedError
from assistant.memory.base import NewMemory
from assistant.memory.ledger.ledger import MemoryLedger

ANNE, BEN = "anne", "ben"
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)


@asynccontextmanager
async def open_ledger(folder: Path) -> AsyncIterator[MemoryLedger]:
    ledger = MemoryLedger(folder, None)
    await ledger.open()
    try:
        yield ledger
    finally:
        await ledger.close()


async def fill(ledger: MemoryLedger, *texts: str, owner: str = ANNE) -> list[str]:
    """One memory a day."""
    items = [NewMemory(text, created_at=BEGIN + timedelta(days=day)) for day, text in enumerate(texts)]
    return await ledger.add_many(items, user_id=owner)


async def texts(ledger: MemoryLedger, **wanted: object) -> list[str]:
    page = await ledger.browser.page(user_id=ANNE, **wanted)  # type: ignore[arg-type]
    return [entry.record.content for entry in page.items]


async def test_pinned_ones_come_first_in_every_order(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        _, second, _ = await fill(ledger, "b", "c", "a")
        await ledger.pin(second, user_id=ANNE)
        assert await texts(ledger) == ["c", "a", "b"]
        assert await texts(ledger, sort="oldest") == ["c", "b", "a"]
        assert await texts(ledger, sort="text") == ["c", "a", "b"]


async def test_pages_follow_one_another_without_gap_or_repetition(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        ids = await fill(ledger, *(f"fact {number}" for number in range(25)))
        await ledger.pin(ids[3], user_id=ANNE)
        found: list[str] = []
        for offset in range(0, 30, 7):
            page = await ledger.browser.page(user_id=ANNE, offset=offset, limit=7)
            assert page.total == 25
            found += [entry.memory_id for entry in page.items]
        assert sorted(found) == sorted(ids)
        assert found[0] == ids[3]


async def test_turns_are_left_out_unless_asked_for(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        await fill(ledger, "a fact")
        await ledger.add("said so", metadata={"kind": "turn"}, user_id=ANNE)
        assert await texts(ledger) == ["a fact"]
        assert await texts(ledger, kinds=("turn",), but=()) == ["said so"]
        assert await ledger.browser.kinds(user_id=ANNE) == {"fact": 1}


async def test_a_page_holds_what_contains_the_words_whatever_their_case(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        await fill(ledger, "Die STRASSE ist lang", "Ein Weg")
        assert await texts(ledger, contains="straße") == ["Die STRASSE ist lang"]


async def test_what_took_whose_place_is_known_and_a_history_is_followed(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        (first,) = await fill(ledger, "Lives in Lisbon")
        second = await ledger.supersede(first, "Lives in Porto", user_id=ANNE)
        assert second is not None
        third = await ledger.supersede(second, "Lives in Braga", user_id=ANNE)
        assert third is not None
        browser = ledger.browser
        replaced = await browser.replaced([third, second, "nobody"], user_id=ANNE)
        assert {new: old.memory_id for new, old in replaced.items()} == {third: second, second: first}
        history = await browser.history(third, user_id=ANNE)
        assert [entry.record.content for entry in history] == ["Lives in Porto", "Lives in Lisbon"]
        assert await texts(ledger, state="superseded") == ["Lives in Porto", "Lives in Lisbon"]


async def test_what_was_removed_comes_back_as_it_was(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        (memory_id,) = await fill(ledger, "The boat is called Möwe")
        await ledger.pin(memory_id, user_id=ANNE)
        waiting = await ledger.propose("Has asthma", metadata={"reason": "health"}, user_id=ANNE)
        for key in (memory_id, waiting):
            before = await ledger.entry(key, user_id=ANNE)
            assert before is not None
            await ledger.delete(key, user_id=ANNE)
            await ledger.browser.put_back(before, user_id=ANNE)
            after = await ledger.entry(key, user_id=ANNE)
            assert after is not None
            assert (after.record, after.state, after.pinned, after.details) == (
                before.record,
                before.state,
                before.pinned,
                before.details,
            )
        assert [m.content for m in await ledger.search("boat", user_id=ANNE)] == ["The boat is called Möwe"]
        assert waiting not in [m.memory_id for m in await ledger.search("asthma", user_id=ANNE)]


async def test_nobody_sees_anothers_and_nobody_at_all_sees_nothing(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        (secret,) = await fill(ledger, "secret")
        browser = ledger.browser
        assert (await browser.page(user_id=BEN)).total == 0
        assert await browser.entries([secret], user_id=BEN) == {}
        assert await browser.history(secret, user_id=BEN) == ()
        with pytest.raises(MemoryIsolationError):
            await browser.page()
        with pytest.raises(MemoryIsolationError):
            await browser.entries([secret])


async def test_bad_input_is_refused_and_a_closed_ledger_says_so(tmp_path: Path) -> None:
    async with open_ledger(tmp_path) as ledger:
        with pytest.raises(InvalidTextError):
            await ledger.browser.page(user_id=ANNE, contains="\ud800")
        with pytest.raises(InvalidTextError):
            await ledger.browser.entries(["\ud800"], user_id=ANNE)
    with pytest.raises(StoreClosedError):
        await ledger.browser.page(user_id=ANNE)
