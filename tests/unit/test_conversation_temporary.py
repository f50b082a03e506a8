"""Temporary conversations: as good as others while they last, nowhere on disk, and kept when asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assistant.conversation.base import ConversationStore
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.conversation.temporary import StoreWithTemporary
from assistant.core.errors import InvalidInputError, NoSuchConversationError, StorageError
from assistant.core.types import Message
from assistant.storage.scan import find_bytes
from tests.unit.conversation_stores import (
    WITH_TEMPORARY,
    TickingClock,
    contents,
    opened,
    reply,
    user,
)

ALICE, BOB = "alice", "bob"
both = pytest.mark.parametrize("kind", WITH_TEMPORARY)


@asynccontextmanager
async def on_disk(folder: Path) -> AsyncIterator[StoreWithTemporary]:
    clock = TickingClock()
    disk = await SqliteConversationStore.open(folder / "conversations.sqlite", clock=clock)
    store = StoreWithTemporary(disk, clock=clock)
    try:
        yield store
    finally:
        await store.close()


async def filled(store: ConversationStore) -> str:
    """A temporary conversation with every kind of thing in it; returns its id."""
    session = (await store.create(user_id=ALICE, title="quokka title", temporary=True)).session_id
    first = await store.append(session, Message("user", "quokka one", {"note": "quokka"}), user_id=ALICE)
    answer = await store.begin_reply(session, user_id=ALICE, metadata={"model": "quokka-1"})
    await store.extend_reply(answer.message_id, "quokka ", user_id=ALICE)
    await store.finish_reply(answer.message_id, user_id=ALICE, state="stopped", metadata={"more": 1})
    again = await store.begin_reply(session, user_id=ALICE, after=first.message_id)
    await store.finish_reply(again.message_id, user_id=ALICE, state="failed", content="quokka again")
    await store.append(session, user("quokka two"), user_id=ALICE)
    await store.branch(session, first.message_id, user("quokka edited"), user_id=ALICE)
    await store.append(session, reply("quokka reply"), user_id=ALICE)
    await store.choose(session, answer.message_id, user_id=ALICE)
    await store.rename(session, "quokka named", user_id=ALICE)
    await store.pin(session, True, user_id=ALICE)
    await store.annotate(answer.message_id, {"recalled": ["quokka"]}, user_id=ALICE)
    await store.save_draft(session, "quokka draft", user_id=ALICE)
    return session


async def everything(store: ConversationStore, session: str) -> object:
    """All of a conversation, with each path in turn; leaves the first one current."""
    paths = []
    for root in await store.variants(session, await first_id(store, session), user_id=ALICE):
        await store.choose(session, root.message_id, user_id=ALICE)
        page = await store.messages(session, user_id=ALICE)
        paths.append([await store.variants(session, m.message_id, user_id=ALICE) for m in page.items])
    await store.choose(session, paths[0][0][0].message_id, user_id=ALICE)
    return paths, await store.draft(session, user_id=ALICE)


async def first_id(store: ConversationStore, session: str) -> str:
    page = await store.messages(session, user_id=ALICE)
    return page.items[0].message_id


@both
async def test_a_temporary_conversation_is_neither_listed_nor_found(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = await filled(store)
        made = await store.get(session, user_id=ALICE)
        assert made is not None
        assert made.temporary
        assert await store.list(user_id=ALICE, archived=None) == []
        assert await store.list(user_id=ALICE, temporary=True) == [made]
        assert await store.search("quokka", user_id=ALICE) == []


@both
async def test_kept_it_is_listed_found_and_whole(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = await filled(store)
        shown = await store.messages(session, user_id=ALICE)
        before = await everything(store, session)
        kept = await store.keep(session, user_id=ALICE)
        assert (kept.temporary, kept.title, kept.pinned) == (False, "quokka named", True)
        assert await store.list(user_id=ALICE) == [kept]
        assert await store.list(user_id=ALICE, temporary=True) == []
        assert await store.get(session, user_id=ALICE) == kept
        assert await everything(store, session) == before
        await store.choose(session, shown.items[-1].message_id, user_id=ALICE)
        assert await store.messages(session, user_id=ALICE) == shown
        found = {hit.snippet for hit in await store.search("quokka", user_id=ALICE)}
        assert found == {"quokka named", "quokka one", "quokka", "quokka again", "quokka two",
                         "quokka edited", "quokka reply"}  # fmt: skip


@both
async def test_keeping_what_is_kept_changes_nothing(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        made = await store.create(user_id=ALICE, title="lasting")
        assert await store.keep(made.session_id, user_id=ALICE) == made
        session = await filled(store)
        kept = await store.keep(session, user_id=ALICE)
        assert await store.keep(session, user_id=ALICE) == kept


@both
async def test_one_that_was_deleted_can_not_be_begun_again_by_a_late_turn(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = await filled(store)
        assert await store.delete(session, user_id=ALICE)
        assert await store.get(session, user_id=ALICE) is None
        with pytest.raises(NoSuchConversationError, match="over"):
            await store.create(user_id=ALICE, session_id=session)
        with pytest.raises(NoSuchConversationError):
            await store.append(session, user("quokka"), user_id=ALICE)
        with pytest.raises(NoSuchConversationError):
            await store.keep(session, user_id=ALICE)
        assert await store.list(user_id=ALICE) == []


@both
async def test_one_that_was_kept_and_deleted_leaves_its_id_free(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = await filled(store)
        await store.keep(session, user_id=ALICE)
        assert await store.delete(session, user_id=ALICE)
        assert (await store.create(user_id=ALICE, session_id=session)).session_id == session


@both
async def test_ids_are_shared_with_lasting_conversations(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        await store.create(user_id=ALICE, session_id="lasting")
        await store.create(user_id=ALICE, session_id="passing", temporary=True)
        for session in ("lasting", "passing"):
            for temporary in (False, True):
                with pytest.raises(InvalidInputError, match="already"):
                    await store.create(user_id=ALICE, session_id=session, temporary=temporary)
        assert (await store.create(user_id=BOB, session_id="passing")).temporary is False
        assert [c.temporary for c in await store.list(user_id=BOB)] == [False]


@both
async def test_anothers_temporary_conversation_behaves_as_absent(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = await filled(store)
        message = await first_id(store, session)
        assert await store.get(session, user_id=BOB) is None
        assert await store.list(user_id=BOB, temporary=True) == []
        assert await store.delete(session, user_id=BOB) is False
        for call in (
            store.messages(session, user_id=BOB),
            store.append(session, user("x"), user_id=BOB),
            store.annotate(message, {"x": 1}, user_id=BOB),
            store.choose(session, message, user_id=BOB),
            store.keep(session, user_id=BOB),
            store.draft(session, user_id=BOB),
            store.save_draft(session, "x", user_id=BOB),
        ):
            with pytest.raises(NoSuchConversationError):
                await call
        assert (await store.messages(session, user_id=ALICE)).total > 0


@both
async def test_purging_a_user_takes_temporary_conversations_along(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = await filled(store)
        await store.create(user_id=ALICE)
        assert await store.purge_user(ALICE) == 2
        assert await store.get(session, user_id=ALICE) is None
        with pytest.raises(NoSuchConversationError):
            await store.create(user_id=ALICE, session_id=session)


async def test_a_store_of_a_disk_only_refuses_temporary_conversations(tmp_path: Path) -> None:
    async with opened("sqlite", tmp_path) as store:
        with pytest.raises(InvalidInputError, match="temporary"):
            await store.create(user_id=ALICE, title="quokka", temporary=True)
        assert await store.list(user_id=ALICE, archived=None) == []
    assert find_bytes(tmp_path, ["quokka"]) == []


async def test_no_byte_of_a_temporary_conversation_is_on_disk_while_it_lasts_or_after(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        lasting = (await store.create(user_id=ALICE)).session_id
        session = await filled(store)
        await store.append(lasting, user("an ordinary message"), user_id=ALICE)
        traces = ["quokka", session]
        assert find_bytes(tmp_path, traces) == []
        assert contents(await store.messages(session, user_id=ALICE))[0] == "quokka one"
    assert find_bytes(tmp_path, traces) == []


async def test_kept_it_is_there_after_opening_again_with_its_draft(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        session = await filled(store)
        await store.keep(session, user_id=ALICE)
        before = await everything(store, session)
    async with on_disk(tmp_path) as store:
        assert await everything(store, session) == before
        assert await store.draft(session, user_id=ALICE) == "quokka draft"


async def test_a_reply_that_runs_while_its_conversation_is_kept_loses_nothing(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        session = (await store.create(user_id=ALICE, temporary=True)).session_id
        asked = await store.append(session, user("q"), user_id=ALICE)
        answer = await store.begin_reply(session, user_id=ALICE, after=asked.message_id)

        async def stream() -> None:
            for n in range(200):
                await store.extend_reply(answer.message_id, f"{n} ", user_id=ALICE)
                await asyncio.sleep(0)

        streaming = asyncio.create_task(stream())
        for _ in range(20):
            await asyncio.sleep(0)
        await store.keep(session, user_id=ALICE)
        await streaming
        await store.finish_reply(answer.message_id, user_id=ALICE)
    async with on_disk(tmp_path) as store:
        page = await store.messages(session, user_id=ALICE)
        assert contents(page) == ["q", "".join(f"{n} " for n in range(200))]
        assert page.items[1].state == "complete"
        assert len(await store.search("199", user_id=ALICE)) == 1


async def test_calls_that_come_while_it_is_kept_wait_and_find_it_on_disk(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        session = await filled(store)
        keeping = [asyncio.create_task(store.keep(session, user_id=ALICE)) for _ in range(3)]
        await asyncio.sleep(0)
        appended = await asyncio.gather(
            *(store.append(session, user(f"late {n}"), user_id=ALICE) for n in range(5))
        )
        kept = await asyncio.gather(*keeping)
        assert {each.session_id for each in kept} == {session}
        assert not (await store.list(user_id=ALICE, temporary=True))
        page = await store.disk.messages(session, user_id=ALICE)
        assert {m.message_id for m in appended} <= {m.message_id for m in page.items}


async def test_a_disk_that_can_not_take_it_leaves_it_whole_in_memory(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        session = await filled(store)
        before = await everything(store, session)
        await store.disk.close()
        with pytest.raises(StorageError):
            await store.keep(session, user_id=ALICE)
        assert await everything(store, session) == before
        now = await store.get(session, user_id=ALICE)
        assert now is not None
        assert now.temporary
    assert find_bytes(tmp_path, ["quokka"]) == []


async def test_a_copy_that_fails_in_the_middle_leaves_nothing_on_disk(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        session = await filled(store)
        # The last message of the copy has an id that is taken.
        taken = (await store.messages(session, user_id=ALICE)).items[-1].message_id
        other = (await store.create(user_id=BOB)).session_id
        await store.append(other, user("his"), user_id=BOB)
        await store.disk.database.write(
            lambda db: db.execute("UPDATE message SET id = ?", (taken,)).fetchall()
        )
        with pytest.raises(StorageError):
            await store.keep(session, user_id=ALICE)
        assert await store.list(user_id=ALICE, archived=None) == []
        assert [c.session_id for c in await store.list(user_id=ALICE, temporary=True)] == [session]
        await store.append(session, user("on"), user_id=ALICE)


async def test_keeping_that_is_cancelled_ends_in_one_place(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        for steps in range(6):
            session = await filled(store)
            keeping = asyncio.create_task(store.keep(session, user_id=ALICE))
            for _ in range(steps):
                await asyncio.sleep(0)
            keeping.cancel()
            await asyncio.wait([keeping])
            message = await store.append(session, user("after"), user_id=ALICE)
            now = await store.get(session, user_id=ALICE)
            assert now is not None
            listed = await store.list(user_id=ALICE, temporary=now.temporary)
            assert session in [c.session_id for c in listed]
            assert (await store.messages(session, user_id=ALICE)).items[-1] == message


async def test_closing_waits_for_what_is_being_kept(tmp_path: Path) -> None:
    async with on_disk(tmp_path) as store:
        session = await filled(store)
        keeping = asyncio.create_task(store.keep(session, user_id=ALICE))
        await asyncio.sleep(0)
        await store.close()
        kept = await keeping
    async with on_disk(tmp_path) as store:
        assert await store.get(session, user_id=ALICE) == kept
