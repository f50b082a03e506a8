"""A long conversation is gone at once, leaves the file in slices, and a crash in between is made good."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assistant.conversation.sqlite_removal import mark_gone, remove_slice
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.core.errors import NoSuchConversationError
from assistant.storage.rows import row, rows
from assistant.storage.scan import find_bytes
from tests.unit.conversation_stores import TickingClock, user

REPO = Path(__file__).resolve().parents[2]
ALICE = "alice"
TRACES = ["quokka", "anzibar", "ylophone", "platypus"]


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[SqliteConversationStore]:
    store = await SqliteConversationStore.open(folder / "conversations.sqlite", clock=TickingClock())
    try:
        yield store
    finally:
        await store.close()


async def filled(store: SqliteConversationStore, messages: int = 200) -> str:
    session = (await store.create(user_id=ALICE, title="Xylophone lessons", session_id="long")).session_id
    for n in range(messages):
        await store.append(session, user(f"quokka {n} in Zanzibar"), user_id=ALICE)
    await store.save_draft(session, "platypus", user_id=ALICE)
    return session


async def messages_left(store: SqliteConversationStore) -> int:
    found = await store.database.read(lambda db: row(db, "SELECT count(*) FROM message"))
    assert found is not None
    return int(found[0])


async def test_other_calls_come_between_the_slices(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = await filled(store, 400)
        other = (await store.create(user_id=ALICE)).session_id
        deleting = asyncio.create_task(store.delete(session, user_id=ALICE))
        left: list[int] = []
        while not deleting.done():
            await store.append(other, user("meanwhile"), user_id=ALICE)
            left.append(await messages_left(store) - len(left))
        assert await deleting
        assert len(left) >= 4
        assert left == sorted(left, reverse=True)
        assert left[0] > 100


async def test_from_the_first_slice_on_it_is_gone_for_every_call(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = await filled(store)
        message = (await store.messages(session, user_id=ALICE)).items[0].message_id
        deleting = asyncio.create_task(store.delete(session, user_id=ALICE))
        await asyncio.sleep(0)
        assert await store.get(session, user_id=ALICE) is None
        assert await messages_left(store) > 0
        assert await store.list(user_id=ALICE, archived=None) == []
        assert await store.search("quokka", user_id=ALICE) == []
        assert await store.search("xylophone", user_id=ALICE) == []
        assert await store.delete(session, user_id=ALICE) is False
        assert await store.owners() == []
        for call in (
            store.messages(session, user_id=ALICE),
            store.append(session, user("x"), user_id=ALICE),
            store.annotate(message, {"x": 1}, user_id=ALICE),
            store.draft(session, user_id=ALICE),
        ):
            with pytest.raises(NoSuchConversationError):
                await call
        again = await store.create(user_id=ALICE, session_id=session)
        assert again.message_count == 0
        await deleting
        assert await store.get(session, user_id=ALICE) == again


async def test_nobody_can_be_the_owner_of_what_is_gone(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        await filled(store, 3)
        await store.database.write(lambda db: mark_gone(db, ALICE, "long"))
        owners = await store.database.read(lambda db: rows(db, "SELECT owner, title, head FROM conversation"))
        assert owners == [("", "", None)]


async def test_a_delete_whose_caller_is_cancelled_goes_on(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = await filled(store)
        deleting = asyncio.create_task(store.delete(session, user_id=ALICE))
        while await store.get(session, user_id=ALICE) is not None:
            pass
        deleting.cancel()
        await asyncio.wait([deleting])
        await store.removed()
        assert await messages_left(store) == 0
        assert find_bytes(tmp_path, TRACES) == []


async def test_closing_in_the_middle_leaves_the_rest_to_the_next_opening(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = await filled(store, 400)
        deleting = asyncio.create_task(store.delete(session, user_id=ALICE))
        while await store.get(session, user_id=ALICE) is not None:
            pass
        await store.close()
        assert await deleting is True
    assert find_bytes(tmp_path, ["quokka"]) != []
    async with opened(tmp_path) as store:
        assert await store.list(user_id=ALICE) == []
        await store.removed()
        assert await messages_left(store) == 0
        assert find_bytes(tmp_path, TRACES) == []
        assert await store.database.integrity() == []


DELETING = """
import asyncio, sys
from pathlib import Path
from assistant.conversation.sqlite_removal import remove_slice
from assistant.conversation.sqlite_store import SqliteConversationStore
import assistant.conversation.sqlite_removal as removal

def slowly(db, key):
    print("slice", flush=True)
    sys.stdin.readline()
    return remove_slice(db, key)

removal.remove_slice = slowly

async def main():
    store = await SqliteConversationStore.open(Path(sys.argv[1]))
    await store.delete("long", user_id="alice")

asyncio.run(main())
"""


@pytest.mark.parametrize("slices", [1, 2, 3])
async def test_kill_9_in_the_middle_is_made_good_at_the_next_opening(tmp_path: Path, slices: int) -> None:
    async with opened(tmp_path) as store:
        await filled(store)
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        DELETING,
        str(tmp_path / "conversations.sqlite"),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=REPO,
    )
    assert child.stdout is not None
    assert child.stdin is not None
    for _ in range(slices):
        assert await child.stdout.readline() == b"slice\n"
        child.stdin.write(b"\n")
    child.kill()
    await child.wait()
    async with opened(tmp_path) as store:
        assert await store.list(user_id=ALICE) == []
        assert await store.search("quokka", user_id=ALICE) == []
        await store.removed()
        assert await messages_left(store) == 0
        assert find_bytes(tmp_path, TRACES) == []
        assert await store.database.integrity() == []


async def test_long_messages_make_small_slices(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        for n in range(6):
            await store.append(session, user(f"{n} " + "long text " * 8_000), user_id=ALICE)
        (key,) = await store.database.write(lambda db: mark_gone(db, ALICE, session))
        left = []
        while await store.database.write(lambda db: remove_slice(db, key)):
            left.append(await messages_left(store))
        assert left == [5, 4, 3, 2, 1]


async def test_purging_many_conversations_goes_in_slices_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        for n in range(20):
            session = (await store.create(user_id=ALICE, title=f"quokka {n}")).session_id
            await store.append(session, user(f"Zanzibar {n}"), user_id=ALICE)
        other = (await store.create(user_id="bob")).session_id
        purging = asyncio.create_task(store.purge_user(ALICE))
        await asyncio.sleep(0)
        assert await store.list(user_id=ALICE) == []
        await store.append(other, user("meanwhile"), user_id="bob")
        assert await messages_left(store) > 1
        assert await purging == 20
        assert await messages_left(store) == 1
        assert find_bytes(tmp_path, [*TRACES, ALICE]) == []
