"""Forgetting a memory for good reaches every place of a profile that keeps its text."""

from __future__ import annotations

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from assistant.agent.answer_book import session_mark
from assistant.cache.semantic_cache import SemanticCache
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.conversation.temporary import StoreWithTemporary
from assistant.core.types import CallerContext, Message
from assistant.memory.learning.base import Utterance
from assistant.memory.ledger import MemoryLedger, open_memory
from assistant.ownership import forget
from assistant.ownership.forget import (
    compact_files,
    compaction_is_due,
    forget_hidden,
    forget_memories,
    remove_backups,
)
from assistant.ownership.profile import Profile, StoreOpeners
from assistant.storage.profile import ProfileRecord
from assistant.storage.scan import find_bytes
from tests.ledger_fixtures import turn
from tests.memory_fixtures import HashEmbedder

TOWN = "Zwolpertingen"
FACT = f"I live in {TOWN}"


@asynccontextmanager
async def profile_in(folder: Path) -> AsyncIterator[Profile]:
    async def conversations(place: Path) -> StoreWithTemporary:
        return StoreWithTemporary(await SqliteConversationStore.open(place / "conversations.sqlite"))

    async def memory(place: Path) -> MemoryLedger:
        return await open_memory(place / "memory", embedder=HashEmbedder())

    profile = Profile(folder / "profile", StoreOpeners(ProfileRecord.open, conversations, memory))
    await profile.open()
    try:
        await (await profile.memory.ledger()).ready()
        yield profile
    finally:
        await profile.close()


async def notes_of(profile: Profile, message_id: str, session: str) -> dict[str, object]:
    page = await profile.conversations.messages(session, user_id=profile.owner_id)
    return next(dict(m.metadata) for m in page.items if m.message_id == message_id)


async def test_no_file_of_the_profile_holds_the_text_when_no_message_says_it(tmp_path: Path) -> None:
    async with profile_in(tmp_path) as profile:
        store, owner = profile.conversations, profile.owner_id
        kept = await profile.memory.add(FACT, user_id=owner)
        other = await profile.memory.add("I like the sea", user_id=owner)
        session = (await store.create(user_id=owner)).session_id
        asked = await store.append(
            session,
            Message("user", "Where am I?", {"remembered": [{"memory_id": kept, "text": FACT}]}),
            user_id=owner,
        )
        used = [{"memory_id": kept, "text": FACT}, {"memory_id": other, "text": "I like the sea"}]
        reply = await store.append(
            session, Message("assistant", "At home.", {"recalled": used, "model": "m"}), user_id=owner
        )
        # The notes of a way that is not current any more are reached too.
        await store.branch(session, reply.message_id, Message("assistant", "Home."), user_id=owner)
        backup = profile.directory / "memory" / "ledger.sqlite.backup-v1"
        backup.write_text(FACT)
        report = await forget_memories(profile, [kept], compact=True)
        assert report.memories == (kept,)
        assert (report.replies, report.kept_messages, report.traces) == (2, (), ())
        assert report.files_checked > 3
        assert not backup.exists()
        assert (await notes_of(profile, asked.message_id, session))["remembered"] == []
        await store.choose(session, reply.message_id, user_id=owner)
        assert await notes_of(profile, reply.message_id, session) == {"recalled": used[1:], "model": "m"}
    assert find_bytes(tmp_path, [TOWN, TOWN.lower()]) == []


async def test_the_message_that_said_it_stays_and_is_named_and_its_summaries_and_lessons_go(
    tmp_path: Path,
) -> None:
    async with profile_in(tmp_path) as profile:
        store, owner, ledger = profile.conversations, profile.owner_id, await profile.memory.ledger()
        told = {"summary": {"text": f"Lives in {TOWN}.", "first": 0}}
        sessions = [(await store.create(user_id=owner)).session_id for _ in range(2)]
        said = await store.append(sessions[0], Message("user", f"{FACT}."), user_id=owner)
        later = await store.append(sessions[0], Message("assistant", "Good.", told), user_id=owner)
        elsewhere = await store.append(sessions[1], Message("user", "Hello", told), user_id=owner)
        for message_id in (said.message_id, elsewhere.message_id):
            session = sessions[0] if message_id == said.message_id else sessions[1]
            await ledger.lessons.put(
                Utterance("Something.", datetime.now(UTC), session, message_id), user_id=owner
            )
        (turn_id,) = await ledger.add_many(
            [turn(f"{FACT}.", session=sessions[0], message_id=said.message_id)], user_id=owner
        )
        source = {"session_id": sessions[0], "message_id": said.message_id}
        kept = await ledger.add(FACT, metadata={"quote": FACT, "source": source}, user_id=owner)
        report = await forget_memories(profile, [kept])
        assert report.barred == (turn_id,)
        assert report.kept_messages == ((sessions[0], said.message_id),)
        assert report.files_checked == 0
        assert await notes_of(profile, later.message_id, sessions[0]) == {}
        assert await notes_of(profile, elsewhere.message_id, sessions[1]) == told
        assert await ledger.lessons.count(user_id=owner) == 1


async def test_what_was_hidden_before_the_process_ended_is_forgotten_by_the_next_but_for_what_may_come_back(
    tmp_path: Path,
) -> None:
    async with profile_in(tmp_path) as profile:
        first = await profile.memory.add(FACT, user_id=profile.owner_id)
        second = await profile.memory.add("I like the sea", user_id=profile.owner_id)
        await (await profile.memory.ledger()).hide([first, second], user_id=profile.owner_id)
    async with profile_in(tmp_path) as profile:
        ledger = await profile.memory.ledger()
        assert (await forget_hidden(profile, but=[second])).memories == (first,)
        assert await ledger.hidden(user_id=profile.owner_id) == [second]
        assert (await forget_hidden(profile)).memories == (second,)
        assert await forget_hidden(profile) == forget.ForgetReport()


async def test_making_the_files_anew_is_due_until_it_was_done_also_in_the_next_process(
    tmp_path: Path,
) -> None:
    async with profile_in(tmp_path) as profile:
        assert not await compaction_is_due(profile)
        await forget_memories(profile, [await profile.memory.add(FACT, user_id=profile.owner_id)])
    async with profile_in(tmp_path) as profile:
        assert await compaction_is_due(profile)
        files, traces = await compact_files(profile, [FACT])
        assert (files > 3, traces) == (True, ())
        assert not await compaction_is_due(profile)


async def test_ids_that_there_are_not_change_nothing(tmp_path: Path) -> None:
    async with profile_in(tmp_path) as profile:
        assert await forget_memories(profile, ["nothing"]) == forget.ForgetReport()
        assert not await compaction_is_due(profile)


def test_only_backups_of_that_age_are_removed(tmp_path: Path) -> None:
    folder = tmp_path / "profile"
    folder.mkdir()
    old, new, store = (folder / name for name in ("a.sqlite.backup-v1", "b.sqlite.backup-v1", "a.sqlite"))
    for path in (old, new, store):
        path.write_text("x")
    month_ago = time.time() - 31 * 86_400
    for path in (old, store):
        os.utime(path, (month_ago, month_ago))
    assert remove_backups(folder, older_than_days=30) == 1
    assert sorted(folder.iterdir()) == sorted([new, store])


async def test_answers_of_a_conversation_go_with_its_mark(tmp_path: Path) -> None:
    cache = SemanticCache(match="exact", backend="sqlite", path=tmp_path / "answers.db")
    keys = {"caller": CallerContext("alice"), "model": "m", "instructions": "", "context": ""}
    try:
        for session in ("s1", "s2"):
            await cache.put(f"What of {session}?", "That.", **keys, used=("m1", session_mark(session)))  # type: ignore[arg-type]
        assert await cache.forget([session_mark("s1")]) == 1
        assert await cache.get("What of s1?", **keys) is None  # type: ignore[arg-type]
        assert await cache.get("What of s2?", **keys) is not None  # type: ignore[arg-type]
    finally:
        await cache.close()
