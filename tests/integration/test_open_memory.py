"""The memory that the app opens: record and index in one folder, whatever happened to either."""

from __future__ import annotations

import asyncio
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from assistant.core.errors import EmbeddingModelError, StoreDamagedError, StoreInUseError
from assistant.embedding.base import Embedder, Priority, Vectors
from assistant.memory.base import MemoryScope, NewMemory
from assistant.memory.chroma_provider import ChromaProvider
from assistant.memory.ledger import IndexProgress, open_memory
from assistant.memory.ledger.chroma_index import ChromaIndex
from assistant.storage.scan import find_bytes
from tests.conftest import REPO
from tests.ledger_fixtures import contents, ledger, texts
from tests.memory_fixtures import HashEmbedder


async def indexed(folder: Path, owner: str = "alice") -> set[str]:
    """What the index of a closed ledger holds, by its texts."""
    index = ChromaIndex(folder, "hash-96")
    try:
        await index.open()
        records = await index.records(owner, await index.ids(owner))
        return {record.content for record in records}
    finally:
        await index.close()


async def test_memories_are_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Allergic to peanuts", user_id="alice")
    embedder = HashEmbedder()
    async with ledger(tmp_path, embedder=embedder) as memory:
        assert texts(await memory.search("peanuts", user_id="alice")) == ["Allergic to peanuts"]
    assert "Allergic to peanuts" not in embedder.texts


async def test_a_second_process_or_ledger_is_told_that_the_folder_is_in_use(tmp_path: Path) -> None:
    async with ledger(tmp_path):
        with pytest.raises(StoreInUseError):
            await open_memory(tmp_path, embedder=HashEmbedder())
    async with ledger(tmp_path) as memory:
        assert await memory.count(user_id="alice") == 0


@pytest.mark.parametrize("scope", MemoryScope)
async def test_memories_of_a_plain_provider_are_taken_over_without_embedding_them_again(
    tmp_path: Path, scope: MemoryScope
) -> None:
    before = ChromaProvider(persist_directory=tmp_path, scope=scope, embedder=HashEmbedder())
    kept = await before.add("Allergic to peanuts", metadata={"source": "own note", "n": [1]}, user_id="alice")
    await before.add("Lives in Porto", user_id="bob")
    old = await before.get(kept, user_id="alice")
    await before.close()
    embedder = HashEmbedder()
    async with ledger(tmp_path, scope=scope, embedder=embedder) as memory:
        found = await memory.search("peanuts", limit=1, user_id="alice")
        assert await memory.get(kept, user_id="alice") == old
        assert texts(found) == ["Allergic to peanuts"]
        assert found[0].metadata == {"source": "own note", "n": [1]}
        assert await contents(memory, "bob") >= {"Lives in Porto"}
        # The labels came along.
        assert await memory.purge_user("bob") == 1
        assert await memory.count(user_id="alice") == 1
    assert embedder.texts == ["peanuts"]


async def test_an_opening_that_is_given_up_gives_the_folder_back(tmp_path: Path) -> None:
    plain = ChromaProvider(persist_directory=tmp_path, scope=MemoryScope.PER_USER, embedder=HashEmbedder())
    await plain.add("first", user_id="alice")
    await plain.close()
    opening = asyncio.ensure_future(open_memory(tmp_path, embedder=HashEmbedder()))
    async with asyncio.timeout(30):
        while not (tmp_path / "ledger.sqlite").exists():
            await asyncio.wait([opening], timeout=0.001)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    async with ledger(tmp_path) as memory:
        assert await contents(memory) == {"first"}


async def test_what_is_added_by_a_plain_provider_between_two_starts_is_taken_over_too(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("first", user_id="alice")
    plain = ChromaProvider(persist_directory=tmp_path, scope=MemoryScope.PER_USER, embedder=HashEmbedder())
    assert texts((await plain.list(user_id="alice")).items) == ["first"]
    await plain.add("second", user_id="alice")
    await plain.close()
    async with ledger(tmp_path) as memory:
        assert await contents(memory) == {"first", "second"}


async def test_what_was_forgotten_does_not_come_back_from_an_index_that_still_has_it(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        gone = await memory.add("forget this", user_id="alice")
        await memory.add("purged with bob", user_id="bob")
    saved = shutil.copytree(tmp_path, tmp_path.with_name("saved"))
    async with ledger(tmp_path) as memory:
        await memory.delete(gone, user_id="alice")
        await memory.purge_user("bob")
    for part in (path for path in saved.iterdir() if not path.name.startswith("ledger")):
        target = tmp_path / part.name
        if target.is_dir():
            shutil.rmtree(target)
        shutil.copytree(part, target) if part.is_dir() else shutil.copy(part, target)
    async with ledger(tmp_path) as memory:
        assert await memory.count(user_id="alice") == 0
        assert await memory.count(user_id="bob") == 0
    assert await indexed(tmp_path) == set()
    assert await indexed(tmp_path, "bob") == set()


def _without_index(folder: Path) -> None:
    for path in folder.iterdir():
        if not path.name.startswith("ledger"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _blank_database(folder: Path) -> None:
    (folder / "chroma.sqlite3").write_bytes(b"\0" * 4096)


def _cut_database(folder: Path) -> None:
    path = folder / "chroma.sqlite3"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 3])


@pytest.mark.parametrize("harm", [_without_index, _blank_database, _cut_database])
async def test_a_missing_or_damaged_index_is_made_again_from_the_record(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many([NewMemory(f"fact number {n}") for n in range(300)], user_id="alice")
    harm(tmp_path)
    told: list[IndexProgress] = []
    async with ledger(tmp_path, on_indexing=told.append) as memory:
        assert len(await memory.search("fact", limit=1000, user_id="alice")) == 300
        found = await memory.recall("fact number 7", user_id="alice", token_budget=100)
        assert found.items[0].memory.content == "fact number 7"
        assert not found.keywords_only
    assert (told[-1].done, told[-1].total) == (300, 300)
    assert len(told) > 1
    assert len(await indexed(tmp_path)) == 300


async def test_another_embedding_model_makes_all_vectors_again(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Allergic to peanuts", user_id="alice")
    other = HashEmbedder("hash-48", 48)
    async with ledger(tmp_path, embedder=other) as memory:
        assert texts(await memory.search("peanuts", user_id="alice")) == ["Allergic to peanuts"]
    assert "Allergic to peanuts" in other.texts


class StandingEmbedder(HashEmbedder):
    """Indexes nothing until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        if priority == "index":
            await self.go.wait()
        return await super().embed(texts, priority=priority)


async def test_words_find_while_the_index_is_made(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many([NewMemory("Allergic to peanuts"), NewMemory("Likes tea")], user_id="alice")
    _without_index(tmp_path)
    embedder = StandingEmbedder()
    memory = await open_memory(tmp_path, embedder=embedder)
    try:
        assert texts(await memory.search("peanuts", limit=1, user_id="alice")) == ["Allergic to peanuts"]
        assert len((await memory.recall("Who is allergic?", user_id="alice", token_budget=100)).items) == 1
        assert memory.indexing.total > memory.indexing.done
        embedder.go.set()
        await memory.ready()
        assert memory.indexing.total == memory.indexing.done
    finally:
        await memory.close()


async def test_without_an_embedding_model_everything_is_kept_and_words_find_it(tmp_path: Path) -> None:
    async def broken() -> Embedder:
        raise EmbeddingModelError("There is no model.")

    async with ledger(tmp_path) as memory:
        await memory.add("Allergic to peanuts", user_id="alice")
    memory = await open_memory(tmp_path, embedder=broken)
    try:
        await memory.add("Likes green tea", user_id="alice")
        assert texts(await memory.search("tea", limit=1, user_id="alice")) == ["Likes green tea"]
        found = await memory.recall("peanuts", user_id="alice", token_budget=100)
        assert found.keywords_only
        assert texts(found.memories) == ["Allergic to peanuts"]
    finally:
        await memory.close()
    async with ledger(tmp_path):
        pass
    assert await indexed(tmp_path) == {"Allergic to peanuts", "Likes green tea"}


async def test_a_record_that_is_no_database_is_told_and_left_as_it_is(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add("Allergic to peanuts", user_id="alice")
    record = tmp_path / "ledger.sqlite"
    damaged = record.read_bytes()[:100] + b"\xff" * 3000 + record.read_bytes()[3100:]
    record.write_bytes(damaged)
    with pytest.raises(StoreDamagedError) as caught:
        await open_memory(tmp_path, embedder=HashEmbedder())
    assert caught.value.path == record
    assert record.read_bytes() == damaged
    record.unlink()
    async with ledger(tmp_path) as memory:
        # Set aside, the record begins empty; the index still knows what it said.
        assert await contents(memory) == {"Allergic to peanuts"}


async def test_compacting_leaves_no_trace_of_what_was_removed(tmp_path: Path) -> None:
    secret = "the vault code is 9174-hazelnut"
    embedder = HashEmbedder()
    trace = (await embedder.embed([secret]))[0].tobytes()[:64]
    async with ledger(tmp_path, embedder=embedder) as memory:
        await memory.add_many([NewMemory(f"plain fact {n}") for n in range(40)], user_id="alice")
        await memory.add(secret, user_id="bob")
        asked = len(embedder.texts)
        assert await memory.wipe("bob") == 1
        assert len(embedder.texts) == asked
        assert len(await memory.search("plain", limit=100, user_id="alice")) == 40
    assert find_bytes(tmp_path, [secret, "9174-hazelnut", trace]) == []
    assert len(await indexed(tmp_path)) == 40


async def test_the_index_can_have_a_process_of_its_own(tmp_path: Path) -> None:
    async with ledger(tmp_path, own_process=True) as memory:
        await memory.add_many([NewMemory(f"fact number {n}") for n in range(300)], user_id="alice")
        await memory.delete(
            (await memory.search("fact number 9", user_id="alice"))[0].memory_id, user_id="alice"
        )
        await memory.compact()
    async with ledger(tmp_path, own_process=True) as memory:
        assert len(await memory.search("fact", limit=1000, user_id="alice")) == 299
    assert len(await indexed(tmp_path)) == 299


KILLED = """
    import asyncio, sys
    from pathlib import Path
    from assistant.memory.base import NewMemory
    from assistant.memory.ledger import open_memory
    from tests.memory_fixtures import HashEmbedder

    async def main():
        memory = await open_memory(Path(sys.argv[1]), embedder=HashEmbedder())
        number = 0
        while True:
            await memory.add(f"fact {number}", user_id="alice")
            print(number, flush=True)
            number += 1

    asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_a_kill_and_the_index_catches_up(tmp_path: Path) -> None:
    command = [sys.executable, "-c", textwrap.dedent(KILLED), str(tmp_path)]
    process = await asyncio.create_subprocess_exec(*command, cwd=REPO, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    acknowledged = [await process.stdout.readline() for _ in range(25)]
    process.kill()
    await process.wait()
    async with ledger(tmp_path) as memory:
        kept = await contents(memory)
    assert kept >= {f"fact {int(line)}" for line in acknowledged}
    assert await indexed(tmp_path) == kept


async def test_an_owner_is_loaded_while_others_are_added_to(tmp_path: Path) -> None:
    async with ledger(tmp_path) as memory:
        await memory.add_many([NewMemory(f"fact {n}") for n in range(100)], user_id="alice")
    opened = await open_memory(tmp_path, embedder=HashEmbedder())
    try:
        async with asyncio.TaskGroup() as group:
            for number in range(20):
                group.create_task(opened.add(f"late fact {number}", user_id="alice"))
                group.create_task(opened.search("fact", user_id="alice"))
        assert len(await opened.search("late", limit=1000, user_id="alice")) == 120
    finally:
        await opened.close()
    assert len(await indexed(tmp_path)) == 120
