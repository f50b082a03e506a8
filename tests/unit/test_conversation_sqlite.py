"""What the store on disk promises besides: crashes, damage, erasure, long conversations."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import pytest

from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.core.errors import StoreDamagedError, StoreInUseError, StoreVersionError
from assistant.storage.rows import row, rows
from assistant.storage.scan import find_bytes
from tests.unit.conversation_stores import TickingClock, contents, reply, user

REPO = Path(__file__).resolve().parents[2]
ALICE = "alice"


@asynccontextmanager
async def opened(folder: Path, *, check: bool = False) -> AsyncIterator[SqliteConversationStore]:
    store = await SqliteConversationStore.open(
        folder / "conversations.sqlite", clock=TickingClock(), check=check
    )
    try:
        yield store
    finally:
        await store.close()


async def count(store: SqliteConversationStore, sql: str) -> int:
    found = await store.database.read(lambda db: row(db, sql))
    assert found is not None
    return int(found[0])


async def test_everything_is_there_after_opening_again(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        made = await store.create(user_id=ALICE, title="Trip")
        await store.append(made.session_id, user("q zebra"), user_id=ALICE)
        await store.pin(made.session_id, True, user_id=ALICE)
        await store.save_draft(made.session_id, "unsent", user_id=ALICE)
        before = await store.list(user_id=ALICE), await store.messages(made.session_id, user_id=ALICE)
    async with opened(tmp_path, check=True) as store:
        after = await store.list(user_id=ALICE), await store.messages(made.session_id, user_id=ALICE)
        assert after == before
        assert await store.draft(made.session_id, user_id=ALICE) == "unsent"
        assert len(await store.search("zebra", user_id=ALICE)) == 1


STREAMING = """
import asyncio, sys
from pathlib import Path
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.core.types import Message

async def main():
    store = await SqliteConversationStore.open(Path(sys.argv[1]))
    session = (await store.create(user_id="alice", title="t", session_id="s")).session_id
    asked = await store.append(session, Message("user", "what is kept?"), user_id="alice")
    answer = await store.begin_reply(session, user_id="alice", after=asked.message_id, metadata={"model": "m"})
    for n in range(1_000_000):
        await store.extend_reply(answer.message_id, f"{n}\\0 ", user_id="alice")
        print(n, flush=True)

asyncio.run(main())
"""


async def test_kill_9_in_mid_stream_keeps_the_question_and_every_part_that_was_shown(tmp_path: Path) -> None:
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        STREAMING,
        str(tmp_path / "conversations.sqlite"),
        stdout=asyncio.subprocess.PIPE,
        cwd=REPO,
    )
    assert child.stdout is not None
    for _ in range(100):
        await child.stdout.readline()
    child.kill()
    shown = 100 + (await child.stdout.read()).count(b"\n")
    await child.wait()
    async with opened(tmp_path, check=True) as store:
        asked, answer = (await store.messages("s", user_id=ALICE)).items
        assert asked.content == "what is kept?"
        assert (answer.state, answer.metadata) == ("cut", {"model": "m"})
        assert answer.content.startswith("".join(f"{n}\0 " for n in range(shown)))
        assert await count(store, "SELECT count(*) FROM reply_part") == 0
        assert len(await store.search("99", user_id=ALICE)) == 1
        await store.append("s", user("and on"), user_id=ALICE)


async def test_a_reply_that_was_open_at_the_end_is_cut_for_good(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        answer = await store.begin_reply(session, user_id=ALICE)
        await store.extend_reply(answer.message_id, "so far", user_id=ALICE)
    for _ in range(2):
        async with opened(tmp_path) as store:
            (message,) = (await store.messages(session, user_id=ALICE)).items
            assert (message.content, message.state) == ("so far", "cut")


async def test_extending_a_reply_costs_no_flush_and_the_next_message_does(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        answer = await store.begin_reply(session, user_id=ALICE)
        assert await count(store, "PRAGMA synchronous") == 2
        await store.extend_reply(answer.message_id, "x", user_id=ALICE)
        assert await count(store, "PRAGMA synchronous") == 1
        await store.append(session, user("q"), user_id=ALICE)
        assert await count(store, "PRAGMA synchronous") == 2


async def test_the_end_of_a_long_conversation_is_one_step_in_an_index(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        await store.append(session, user("0"), user_id=ALICE)

        def fill(db: apsw.Connection) -> None:
            db.execute(
                """
                WITH RECURSIVE n (x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM n WHERE x < 10000)
                INSERT INTO message
                    (key, id, conversation, parent, depth, shown, role, content, state, created, metadata)
                SELECT x, 'm' || x, 1, x - 1, x - 1, 1, 'user', x - 1, 'complete', x, '{}' FROM n
                """
            )
            db.execute("UPDATE conversation SET head = 10000")

        await store.database.write(fill)
        page = await store.messages(session, user_id=ALICE, limit=100)
        assert (page.total, contents(page)) == (10_000, [str(n) for n in range(9_900, 10_000)])
        middle = await store.messages(session, user_id=ALICE, before=5_000, limit=2)
        assert contents(middle) == ["4998", "4999"]

        steps = 0

        def tick() -> bool:
            nonlocal steps
            steps += 1
            return False

        def counted(db: apsw.Connection) -> None:
            db.set_progress_handler(tick, 1, id=counted)
            list(db.execute("SELECT * FROM message WHERE conversation = 1 AND shown = 1 AND depth < 9999 "
                            "ORDER BY depth DESC LIMIT 100"))  # fmt: skip
            db.set_progress_handler(None, id=counted)

        await store.database.read(counted)
        assert steps < 5_000


async def test_after_deleting_no_byte_of_the_conversation_is_left(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        kept = (await store.create(user_id=ALICE, title="Kept")).session_id
        gone = (await store.create(user_id=ALICE, title="Xylophone lessons")).session_id
        for n in range(40):
            await store.append(kept, user(f"ordinary message number {n}"), user_id=ALICE)
            await store.append(gone, user(f"quokka{n} in Zanzibar{n} 日本{n}"), user_id=ALICE)
        answer = await store.begin_reply(gone, user_id=ALICE, metadata={"recalled": "marsupial"})
        for n in range(40):
            await store.extend_reply(answer.message_id, f"wallaby{n} ", user_id=ALICE)
        await store.save_draft(gone, "platypus", user_id=ALICE)
        traces = ["quokka", "anzibar", "allaby", "arsupial", "platypus", "ylophone", "日本"]
        assert {hit.needle for hit in find_bytes(tmp_path, traces)} == set(traces)
        await store.delete(gone, user_id=ALICE)
        assert find_bytes(tmp_path, traces) == []
        assert len(await store.search("ordinary", user_id=ALICE)) == 40
        assert await store.database.integrity() == []
        await store.database.read(
            lambda db: rows(db, "INSERT INTO message_words (message_words) VALUES ('integrity-check')")
        )
    assert find_bytes(tmp_path, traces) == []


async def test_after_purging_a_user_no_byte_of_theirs_is_left(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        for owner, word in ((ALICE, "quokka"), ("bob", "capybara")):
            session = (await store.create(user_id=owner, title=f"{word} title")).session_id
            for n in range(20):
                await store.append(session, user(f"{word} {n}"), user_id=owner)
            await store.save_draft("", f"{word} draft", user_id=owner)
        await store.purge_user(ALICE)
        assert find_bytes(tmp_path, ["quokka", ALICE]) == []
        assert len(await store.search("capybara", user_id="bob")) == 21


async def test_a_finished_reply_leaves_no_trace_of_what_was_replaced(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        answer = await store.begin_reply(session, user_id=ALICE)
        await store.extend_reply(answer.message_id, "quokka", user_id=ALICE)
        await store.finish_reply(answer.message_id, user_id=ALICE, content="replaced")
        await store.database.erase_traces()
        assert find_bytes(tmp_path, ["quokka"]) == []


async def test_a_second_opening_is_refused_while_the_first_is_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        answer = await store.begin_reply(session, user_id=ALICE)
        with pytest.raises(StoreInUseError):
            await SqliteConversationStore.open(tmp_path / "conversations.sqlite")
        await store.extend_reply(answer.message_id, "still streaming", user_id=ALICE)


async def test_a_damaged_file_is_said_stays_and_is_not_locked(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    path.write_bytes(b"damaged" * 2000)
    for _ in range(2):
        with pytest.raises(StoreDamagedError):
            await SqliteConversationStore.open(path)
    assert path.read_bytes() == b"damaged" * 2000


async def test_a_file_of_a_newer_version_is_untouched(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    async with opened(tmp_path):
        pass
    newer = apsw.Connection(str(path))
    newer.pragma("user_version", 99)
    newer.close()
    before = path.read_bytes()
    with pytest.raises(StoreVersionError):
        await SqliteConversationStore.open(path)
    assert path.read_bytes() == before


async def test_an_append_whose_caller_is_cancelled_leaves_a_sound_conversation(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        for n in range(30):
            task = asyncio.create_task(store.append(session, user(str(n)), user_id=ALICE))
            for _ in range(n % 4):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
        await store.append(session, reply("end"), user_id=ALICE)
        page = await store.messages(session, user_id=ALICE)
        assert [m.position for m in page.items] == list(range(page.total))
        assert all(
            m.parent_id == before.message_id for before, m in zip(page.items, page.items[1:], strict=False)
        )
        assert contents(page)[-1] == "end"


async def test_folders_that_are_missing_are_made(tmp_path: Path) -> None:
    store = await SqliteConversationStore.open(str(tmp_path / "a" / "b" / "c.sqlite"))
    await store.close()
    assert (tmp_path / "a" / "b" / "c.sqlite").exists()
