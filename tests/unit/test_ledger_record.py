"""What the record keeps of a memory through its life."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from assistant.core.errors import EmbeddingError, InvalidInputError, MemoryStoreError, StoreClosedError
from assistant.embedding.base import Priority, Vectors
from assistant.memory.base import BrowsableMemory, MemoryScope, NewMemory
from assistant.memory.ledger import Entry, MemoryLedger, open_memory
from assistant.memory.ledger.chroma_index import ChromaIndex
from tests.ledger_fixtures import START, contents, ledger, texts, turn
from tests.memory_fixtures import HashEmbedder
from tests.unit.test_memory_isolation import Isolation


async def entry_of(memory: MemoryLedger, memory_id: str, owner: str = "alice") -> Entry:
    entry = await memory.entry(memory_id, user_id=owner)
    assert entry is not None
    return entry


async def test_metadata_says_what_is_known_of_a_memory(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        fact = {
            "quote": "allergic to peanuts",
            "source": {"session_id": "s9", "message_id": "m4"},
            "said_at": "2026-03-02T10:00:00+01:00",
            "valid_from": "2026-03-02",
            "subject": "user",
            "language": "en",
            "sensitivity": "health",
        }
        kept = await memory.add("Allergic to peanuts", metadata=fact, user_id="alice")
        [said] = await memory.add_many([turn("Hello", session="s1", position=7)], user_id="alice")
        details = (await entry_of(memory, kept)).details
        assert (details.kind, details.quote, details.subject) == ("fact", "allergic to peanuts", "user")
        assert (details.language, details.sensitivity) == ("en", "health")
        assert details.said_at == int(datetime(2026, 3, 2, 9, tzinfo=UTC).timestamp() * 1_000_000)
        assert details.valid_from == int(datetime(2026, 3, 2, tzinfo=UTC).timestamp() * 1_000_000)
        spoken = (await entry_of(memory, said)).details
        assert (spoken.kind, spoken.speaker, spoken.session, spoken.position) == ("turn", "Ana", "s1", 7)


@pytest.mark.parametrize(
    "metadata",
    [
        {"kind": 5, "speaker": ["Ana"], "said_at": 3, "session_id": {}, "position": "two"},
        {"kind": "turn", "said_at": "yesterday", "position": 2**70, "session_id": ""},
        {"kind": "turn", "said_at": "9999-99-99", "position": True, "speaker": " "},
        {"kind": "x" * 10_000, "said_at": "0001-01-01T00:00:00+14:00", "speaker": "\0"},
        {"kind": "turn", "said_at": "9999-12-31T23:59:59-14:00", "position": -5, "session_id": "\0"},
    ],
    ids=range(5),
)
async def test_metadata_of_another_form_is_kept_and_not_understood(
    tmp_path: Path, metadata: dict[str, Any]
) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("Hello peanuts", metadata=metadata, user_id="alice")
        found = await memory.search("peanuts in 2020", user_id="alice")
        assert [(item.memory_id, item.metadata) for item in found] == [(kept, metadata)]


async def test_older_texts_are_kept_with_the_time_of_their_replacement(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.add("Likes tea", metadata={"n": 1}, user_id="alice")
        await memory.update(kept, "Likes coffee", metadata={"n": 2}, user_id="alice")
        await memory.update(kept, "Likes coffee", metadata={"n": 3}, user_id="alice")
        await memory.update(kept, "Likes water", user_id="alice")
        history = await memory.versions(kept, user_id="alice")
        assert [(v.number, v.content, v.metadata) for v in history] == [
            (1, "Likes tea", {"n": 1}),
            (2, "Likes coffee", {"n": 3}),
        ]
        assert all(v.replaced_at is not None for v in history)
        assert (await entry_of(memory, kept)).version == 3
        assert await memory.versions(kept, user_id="bob") == []
        await memory.delete(kept, user_id="alice")
        assert await memory.versions(kept, user_id="alice") == []


async def test_pending_memories_are_found_by_nothing_until_they_are_accepted(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.propose("Has diabetes", metadata={"sensitivity": "health"}, user_id="alice")
        assert await memory.search("diabetes", user_id="alice") == []
        assert (await memory.recall("diabetes", user_id="alice", token_budget=100)).items == ()
        assert await memory.count(user_id="alice") == 0
        assert await contents(memory, state="pending") == {"Has diabetes"}
        assert await memory.accept(kept, user_id="bob") is False
        assert await memory.accept(kept, user_id="alice") is True
        assert await memory.accept(kept, user_id="alice") is False
        assert texts(await memory.search("diabetes", user_id="alice")) == ["Has diabetes"]
        assert await memory.count(user_id="alice") == 1
    index = ChromaIndex(tmp_path, "hash-96")
    await index.open()
    assert await index.ids("alice") == [kept]
    await index.close()


async def test_a_refused_memory_is_gone(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        kept = await memory.propose("Has diabetes", user_id="alice")
        assert await memory.delete(kept, user_id="alice") is True
        assert await memory.accept(kept, user_id="alice") is False
        assert await memory.count(user_id="alice", state="pending") == 0


async def test_superseding_keeps_the_old_one_as_history(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        old = await memory.add("Lives in Lisbon", user_id="alice")
        moved = {"valid_from": START.isoformat()}
        new = await memory.supersede(old, "Lives in Porto", metadata=moved, user_id="alice")
        assert new is not None
        assert await contents(memory) == {"Lives in Porto"}
        assert await contents(memory, state="superseded") == {"Lives in Lisbon"}
        assert (await entry_of(memory, old)).details.valid_to == int(START.timestamp() * 1_000_000)
        assert await memory.supersede(old, "Lives in Faro", user_id="alice") is None
        assert await memory.supersede(new, "Lives in Faro", user_id="bob") is None
        assert await memory.purge_user("alice") == 1
        assert await memory.count(user_id="alice", state="superseded") == 0


async def test_a_barred_turn_stays_but_is_found_no_more(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        [kept] = await memory.add_many([turn("Peanuts are dangerous")], user_id="alice")
        assert await memory.bar(kept, user_id="alice")
        assert await memory.search("peanuts", user_id="alice") == []
        assert await memory.get(kept, user_id="alice") is not None
        assert await memory.bar(kept, user_id="alice", barred=False)
        assert len(await memory.search("peanuts", user_id="alice")) == 1


async def test_a_list_can_be_of_some_kinds_only(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("a fact", user_id="alice")
        await memory.add("a wish", metadata={"kind": "wish"}, user_id="alice")
        await memory.add_many([turn("a turn")], user_id="alice")
        assert await contents(memory, kinds=("fact", "wish")) == {"a fact", "a wish"}
        assert await memory.count(user_id="alice", kinds=("turn",)) == 1
        assert await memory.count(user_id="alice") == 3


async def test_the_ledger_is_a_browsable_memory_and_must_be_opened(tmp_path: Path) -> None:
    closed = MemoryLedger(tmp_path, None)
    assert isinstance(closed, BrowsableMemory)
    with pytest.raises(InvalidInputError):
        await closed.count(user_id="alice")
    await closed.close()
    await closed.open()
    with pytest.raises(StoreClosedError):
        await closed.count(user_id="alice")


async def test_a_ledger_without_index_finds_by_words(tmp_path: Path) -> None:
    memory = MemoryLedger(tmp_path, None, scope=MemoryScope.PER_USER)
    await memory.open()
    await memory.ready()
    await memory.add_many([NewMemory("Likes tea"), NewMemory("Allergic to peanuts")], user_id="alice")
    assert texts(await memory.search("peanut", limit=1, user_id="alice")) == ["Allergic to peanuts"]
    await memory.compact()
    await memory.close()


class Gate(HashEmbedder):
    """Embeds for the index only when it is let through; fails when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.open = asyncio.Event()
        self.asked = asyncio.Event()
        self.fails = False

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        if priority == "index":
            self.asked.set()
            await self.open.wait()
            if self.fails:
                raise EmbeddingError("The embedding model failed.")
        return await super().embed(texts, priority=priority)


async def test_a_cancelled_add_is_in_the_record_and_is_indexed_later(tmp_path: Path) -> None:
    embedder = Gate()
    async with ledger(tmp_path, embedder=embedder) as memory:
        adding = asyncio.ensure_future(memory.add("Allergic to peanuts", user_id="alice"))
        await embedder.asked.wait()
        assert await contents(memory) == {"Allergic to peanuts"}
        adding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await adding
        embedder.open.set()
        await memory.ready()
        assert (memory.indexing.total, memory.indexing.failed) == (0, 0)
        [item] = (await memory.recall("peanuts", user_id="alice", token_budget=100)).items
        assert item.why.similarity is not None


async def test_cancelling_many_keeps_the_batches_that_were_finished(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        reached = asyncio.Event()

        def progress(done: int, total: int) -> None:
            if done >= 256:
                reached.set()

        items = [NewMemory(f"fact {n}") for n in range(20_000)]
        adding = asyncio.ensure_future(memory.add_many(items, user_id="alice", progress=progress))
        await reached.wait()
        adding.cancel()
        with pytest.raises(asyncio.CancelledError):
            await adding
        await memory.ready()
        kept = await memory.count(user_id="alice")
        assert 256 <= kept < 20_000
        assert len(await memory.search("fact", limit=30_000, user_id="alice")) == kept


async def test_what_could_not_be_embedded_is_kept_and_tried_again(tmp_path: Path) -> None:
    embedder = Gate()
    embedder.open.set()
    async with ledger(tmp_path, embedder=embedder) as memory:
        embedder.fails = True
        await memory.add("Allergic to peanuts", user_id="alice")
        assert memory.indexing.failed == 1
        assert texts(await memory.search("peanuts", user_id="alice")) == ["Allergic to peanuts"]
        embedder.fails = False
        await memory.add("Likes tea", user_id="alice")
        await memory.ready()
        assert memory.indexing.failed == 0
        found = await memory.recall("peanuts", user_id="alice", token_budget=100)
        assert found.items[0].why.similarity is not None


async def recorded(memory: MemoryLedger, expected: set[str]) -> None:
    """Return once the record holds exactly these texts; each look lets the writes go on."""
    while await contents(memory) != expected:
        pass


async def test_a_memory_changed_while_it_is_embedded_is_indexed_as_it_is_now(tmp_path: Path) -> None:
    embedder = Gate()
    async with ledger(tmp_path, embedder=embedder) as memory:
        adding = asyncio.ensure_future(memory.add("violin", user_id="alice"))
        await embedder.asked.wait()
        [kept] = [item.memory_id for item in (await memory.list(user_id="alice")).items]
        changing = asyncio.ensure_future(memory.update(kept, "submarine", user_id="alice"))
        removing = asyncio.ensure_future(memory.add("trumpet", user_id="alice"))
        await recorded(memory, {"submarine", "trumpet"})
        [gone] = [item.memory_id for item in (await memory.list(user_id="alice", contains="trumpet")).items]
        assert await memory.delete(gone, user_id="alice")
        embedder.open.set()
        await asyncio.gather(adding, changing, removing)
    index = ChromaIndex(tmp_path, "hash-96")
    await index.open()
    assert (await index.vectors("alice", [kept, gone])).texts == ["submarine"]
    await index.close()


async def test_more_owners_than_fit_into_memory_are_served_in_turn(tmp_path: Path) -> None:
    owners = [f"owner {number}" for number in range(6)]
    async with ledger(tmp_path) as memory:
        for owner in owners:
            await memory.add_many([NewMemory(f"fact {n} of {owner}") for n in range(10)], user_id=owner)
    index = ChromaIndex(tmp_path, "hash-96")
    memory = MemoryLedger(tmp_path, index, embedder=HashEmbedder(), most_in_memory=25)
    await memory.open()
    try:
        await memory.ready()
        for owner in owners * 2:
            found = await memory.search(f"fact 7 of {owner}", limit=100, user_id=owner)
            assert len(found) == 10
            assert found[0].content == f"fact 7 of {owner}"
            await memory.add(f"late fact of {owner}", user_id=owner)
            await memory.delete(found[0].memory_id, user_id=owner)
            await memory.add_many([NewMemory(found[0].content)], user_id=owner)
            await memory.delete(
                (await memory.search(f"late fact of {owner}", user_id=owner))[0].memory_id, user_id=owner
            )
    finally:
        await memory.close()


async def test_an_owner_with_more_than_fits_into_memory_is_searched_in_the_index(tmp_path: Path) -> None:
    index = ChromaIndex(tmp_path, "hash-96")
    memory = MemoryLedger(tmp_path, index, embedder=HashEmbedder(), most_in_memory=25)
    await memory.open()
    try:
        await memory.add_many([NewMemory(f"fact {n}") for n in range(40)], user_id="alice")
        await memory.add("the violin", user_id="bob")
        found = await memory.search("fact 7", limit=100, user_id="alice")
        assert (len(found), found[0].content) == (40, "fact 7")
    finally:
        await memory.close()


class FailingIndex(ChromaIndex):
    """An index that can't be written to."""

    async def remove(self, owner: str | None, ids: Sequence[str]) -> None:
        raise MemoryStoreError("The index can't be written.")


async def test_a_removal_that_did_not_reach_the_index_is_told_and_finished_at_the_next_start(
    tmp_path: Path,
) -> None:
    memory = MemoryLedger(tmp_path, FailingIndex(tmp_path, "hash-96"), embedder=HashEmbedder())
    await memory.open()
    kept = await memory.add("Allergic to peanuts", user_id="alice")
    with pytest.raises(MemoryStoreError):
        await memory.delete(kept, user_id="alice")
    assert await memory.search("peanuts", user_id="alice") == []
    await memory.close()
    async with ledger(tmp_path) as memory:
        assert await memory.count(user_id="alice") == 0
    index = ChromaIndex(tmp_path, "hash-96")
    await index.open()
    assert await index.ids("alice") == []
    await index.close()


class LedgerIsolation(Isolation):
    def provider(self) -> BrowsableMemory:
        import tempfile

        self._folder = tempfile.TemporaryDirectory()
        return self.run(open_memory(self._folder.name, embedder=HashEmbedder()))

    def teardown(self) -> None:
        super().teardown()
        self._folder.cleanup()


TestLedgerIsolation = LedgerIsolation.TestCase
TestLedgerIsolation.settings = settings(
    max_examples=15, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
