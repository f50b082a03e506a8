"""ChromaProvider on disk: what stays, what is refused, what is never lost."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import textwrap
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import (
    EmbeddingModelError,
    InvalidInputError,
    MemoryIsolationError,
    MemoryStoreError,
    StoreClosedError,
    StoreDamagedError,
    StoreFullError,
    StoreInUseError,
)
from assistant.embedding.base import Embedder
from assistant.memory import ChromaProvider, MemoryScope, NewMemory
from assistant.memory.chroma_layout import collection_name
from tests.memory_fixtures import HashEmbedder

REPO = Path(__file__).resolve().parents[2]


@asynccontextmanager
async def opened(folder: Path | None, **options: Any) -> AsyncIterator[ChromaProvider]:
    options.setdefault("scope", MemoryScope.PER_USER)
    options.setdefault("embedder", HashEmbedder())
    memory = ChromaProvider(persist_directory=folder, **options)
    try:
        yield memory
    finally:
        await memory.close()


async def contents(memory: ChromaProvider, owner: str = "alice") -> set[str]:
    return {item.content for item in (await memory.list(user_id=owner, limit=1000)).items}


async def filled(folder: Path, count: int) -> None:
    async with opened(folder) as memory:
        await memory.add_many([NewMemory(f"fact number {n}") for n in range(count)], user_id="alice")


def whole(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but the lock."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


async def test_memories_are_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    async with opened(tmp_path / "deep" / "memory") as memory:
        kept = await memory.add("Atlas ships in September", metadata={"a": [1]}, user_id="alice")
        first = await memory.get(kept, user_id="alice")
    async with opened(tmp_path / "deep" / "memory") as memory:
        assert await memory.get(kept, user_id="alice") == first
        assert (await memory.search("Atlas", user_id="alice"))[0].memory_id == kept


async def test_nothing_is_opened_before_the_first_call(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    async with opened(folder):
        assert not folder.exists()


async def test_the_folder_is_for_its_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    await filled(folder, 1)
    assert folder.stat().st_mode & 0o077 == 0


async def test_reading_an_owner_without_memories_leaves_no_trace_of_that_owner(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await memory.add("tea", user_id="alice")
        assert await memory.search("tea", user_id="a curious stranger") == []
        assert await memory.purge_user("a curious stranger") == 0
    assert not any(b"curious" in content for content in whole(tmp_path).values())


async def test_a_second_holder_of_a_folder_is_told_that_it_is_in_use(tmp_path: Path) -> None:
    async with opened(tmp_path) as first, opened(tmp_path) as second:
        await first.add("tea", user_id="alice")
        with pytest.raises(StoreInUseError):
            await second.search("tea", user_id="alice")
        await first.close()
        assert await contents(second) == {"tea"}


async def test_ephemeral_memories_are_apart_and_gone_at_the_end() -> None:
    async with opened(None) as first, opened(None) as second:
        await first.add("tea", user_id="alice")
        assert await second.count(user_id="alice") == 0
        await second.add("coffee", user_id="alice")
        await first.close()
        assert await contents(second) == {"coffee"}
    async with opened(None) as third:
        assert await third.count(user_id="alice") == 0


async def test_many_ephemeral_memories_can_be_opened_and_closed_at_the_same_time() -> None:
    async def life(number: int) -> None:
        async with opened(None) as memory:
            await memory.add(f"fact {number}", user_id="alice")
            assert await contents(memory) == {f"fact {number}"}

    async with asyncio.TaskGroup() as group:
        for number in range(8):
            group.create_task(life(number))


async def test_two_names_in_one_folder_are_two_memories(tmp_path: Path) -> None:
    async with opened(tmp_path, collection_name="work") as memory:
        await memory.add("the boss is nice", user_id="alice")
    async with opened(tmp_path, collection_name="home") as memory:
        assert await contents(memory) == set()


@pytest.mark.parametrize("name", ["", "ab", "-abc", "abc-", "a b c", "a/b", "ü" * 4, "x" * 401])
def test_a_name_that_chroma_can_not_take_is_refused_at_once(name: str) -> None:
    with pytest.raises(InvalidInputError):
        ChromaProvider(name, embedder=HashEmbedder())


def test_a_folder_and_a_server_at_once_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError):
        ChromaProvider(persist_directory=tmp_path, host="localhost", embedder=HashEmbedder())


async def test_a_shared_memory_never_serves_a_partition_of_one_person(tmp_path: Path) -> None:
    async with opened(tmp_path, collection_name="mem") as memory:
        await memory.add("secret", user_id="alice")
    name = collection_name("mem", "alice")
    async with opened(tmp_path, collection_name=name, scope=MemoryScope.SHARED) as memory:
        with pytest.raises(MemoryIsolationError):
            await memory.search("secret")
        with pytest.raises(MemoryIsolationError):
            await memory.list()


async def test_a_collection_of_another_program_is_left_alone(tmp_path: Path) -> None:
    import chromadb
    from chromadb.config import Settings

    client = chromadb.PersistentClient(str(tmp_path), Settings(anonymized_telemetry=False))
    foreign = client.create_collection("agent_memory", embedding_function=None)
    foreign.add(ids=["1"], embeddings=[1.0] * 96, documents=["theirs"])
    getattr(client, "close")()  # noqa: B009  # not in its interface
    async with opened(tmp_path, scope=MemoryScope.SHARED) as memory:
        for call in (memory.search("theirs"), memory.add("mine"), memory.list(), memory.purge_user("alice")):
            with pytest.raises(MemoryStoreError, match="another program"):
                await call


async def test_vectors_of_two_models_are_never_mixed_but_the_texts_stay_readable(tmp_path: Path) -> None:
    await filled(tmp_path, 3)
    async with opened(tmp_path, embedder=HashEmbedder("another-model")) as memory:
        with pytest.raises(MemoryStoreError, match="another embedding model"):
            await memory.search("fact", user_id="alice")
        with pytest.raises(MemoryStoreError, match="another embedding model"):
            await memory.add("new", user_id="alice")
        page = await memory.list(user_id="alice")
        assert page.total == 3
        assert await memory.delete(page.items[0].memory_id, user_id="alice") is True
    async with opened(tmp_path) as memory:
        assert len(await memory.search("fact", user_id="alice")) == 2


async def test_looking_through_memories_needs_no_embedding_model(tmp_path: Path) -> None:
    await filled(tmp_path, 3)

    async def broken() -> Embedder:
        raise EmbeddingModelError("The weights are gone.")

    async with opened(tmp_path, embedder=broken) as memory:
        page = await memory.list(user_id="alice")
        assert page.total == await memory.count(user_id="alice") == 3
        assert await memory.get(page.items[0].memory_id, user_id="alice") == page.items[0]
        assert await memory.delete(page.items[0].memory_id, user_id="alice") is True
        with pytest.raises(EmbeddingModelError):
            await memory.search("fact", user_id="alice")
        with pytest.raises(EmbeddingModelError):
            await memory.add("fact", user_id="alice")
        assert await memory.purge_user("alice") == 2


async def test_an_embedder_from_a_factory_is_made_once_at_first_use_and_closed_with_the_memory() -> None:
    made: list[HashEmbedder] = []

    async def factory() -> Embedder:
        made.append(HashEmbedder())
        return made[-1]

    async with opened(None, embedder=factory) as memory:
        assert made == []
        await asyncio.gather(*(memory.add(f"fact {n}", user_id="alice") for n in range(5)))
        assert len(made) == 1
        assert not made[0].closed
    assert made[0].closed


async def test_an_embedder_that_was_given_stays_open() -> None:
    embedder = HashEmbedder()
    async with opened(None, embedder=embedder) as memory:
        await memory.add("tea", user_id="alice")
    assert not embedder.closed


async def test_a_caller_who_gives_up_does_not_stop_the_embedder_from_opening() -> None:
    let_go, calls = asyncio.Event(), []

    async def factory() -> Embedder:
        calls.append(1)
        await let_go.wait()
        return HashEmbedder()

    async with opened(None, embedder=factory) as memory:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(memory.search("tea", user_id="alice"), 0.01)
        let_go.set()
        assert await memory.search("tea", user_id="alice") == []
    assert calls == [1]


async def test_an_embedder_that_failed_to_open_is_tried_again_by_the_next_call() -> None:
    calls: list[int] = []

    async def factory() -> Embedder:
        calls.append(1)
        if len(calls) == 1:
            raise EmbeddingModelError("Not yet.")
        return HashEmbedder()

    async with opened(None, embedder=factory) as memory:
        with pytest.raises(EmbeddingModelError):
            await memory.add("tea", user_id="alice")
        await memory.add("tea", user_id="alice")


async def test_closing_ends_the_opening_of_an_embedder() -> None:
    started = asyncio.Event()

    async def factory() -> Embedder:
        started.set()
        await asyncio.Event().wait()
        raise AssertionError

    async with opened(None, embedder=factory) as memory:
        waiting = asyncio.create_task(memory.search("tea", user_id="alice"))
        await started.wait()
        await memory.close()
        with pytest.raises(StoreClosedError):
            await waiting


async def test_cancelling_an_import_keeps_the_finished_batches() -> None:
    async with opened(None) as memory:
        seen: list[int] = []

        def progress(done: int, total: int) -> None:
            seen.append(done)
            if done > 60:
                task.cancel()

        items = [NewMemory(f"fact {n}") for n in range(500)]
        task = asyncio.create_task(memory.add_many(items, user_id="alice", progress=progress))
        with pytest.raises(asyncio.CancelledError):
            await task
        assert seen[-1] < 500
        kept = (await memory.list(user_id="alice", sort="oldest", limit=1000)).items
        assert [item.content for item in kept[: seen[-1]]] == [f"fact {n}" for n in range(seen[-1])]


async def test_a_write_whose_caller_was_cancelled_still_shows_in_the_list() -> None:
    async with opened(None) as memory:
        await memory.add("first", user_id="alice")
        assert await contents(memory) == {"first"}
        embedded = asyncio.Event()

        class Telling(HashEmbedder):
            async def embed(self, texts: Any, *, priority: Any = "index") -> Any:
                embedded.set()
                return await super().embed(texts, priority=priority)

        memory._embedder._given = Telling()
        task = asyncio.create_task(memory.add("second", user_id="alice"))
        await embedded.wait()
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        assert (await contents(memory)) == {
            item.content for item in await memory.search("first second", user_id="alice")
        }


async def test_big_memories_are_found_whole(tmp_path: Path) -> None:
    async with opened(None) as memory:
        await memory.add_many([NewMemory(f"fact number {n}") for n in range(2100)], user_id="alice")
        found = await memory.search("fact number 7", limit=10**9, user_id="alice")
        assert len(found) == len({item.memory_id for item in found}) == 2100
        assert found[0].content == "fact number 7"
        assert (await memory.list(user_id="alice", offset=2000, limit=1000)).total == 2100


async def test_searching_after_most_memories_are_deleted_finds_the_rest() -> None:
    async with opened(None) as memory:
        ids = await memory.add_many([NewMemory(f"fact number {n}") for n in range(200)], user_id="alice")
        for memory_id in ids[:190]:
            await memory.delete(memory_id, user_id="alice")
        found = await memory.search("fact number 195", limit=50, user_id="alice")
        assert {item.memory_id for item in found} == set(ids[190:])


# Damage. Left to itself Chroma ends the process on some of it, so a child opens the folders.

READ_ALL = """
import asyncio, sys
from assistant.core.errors import StoreDamagedError
from assistant.memory import ChromaProvider, MemoryScope
from tests.memory_fixtures import HashEmbedder

async def verdict(folder):
    memory = ChromaProvider(persist_directory=folder, scope=MemoryScope.PER_USER, embedder=HashEmbedder())
    try:
        page = await memory.list(user_id="alice", limit=1000)
        found = await memory.search("fact number 7", limit=20, user_id="alice")
        return f"fine: {page.total} listed, {len(found)} found"
    except StoreDamagedError as error:
        return "damaged, nothing was removed" if "othing was removed" in str(error) else str(error)
    finally:
        await memory.close()

for folder in sys.argv[1:]:
    print(asyncio.run(verdict(folder)), flush=True)
"""


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _halved(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])


def _blanked(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def _scribbled(path: Path) -> None:
    path.write_bytes(b"\xa5" * path.stat().st_size)


DAMAGE: dict[str, tuple[str, Callable[[Path], Any]]] = {
    f"{harm.__name__.strip('_')} {name}": (name, harm)
    for name, harms in {
        "chroma.sqlite3": (_emptied, _halved, _blanked, _scribbled, Path.unlink),
        "*/header.bin": (_emptied, _halved, _blanked, _scribbled, Path.unlink),
        "*/data_level0.bin": (_emptied, _halved, _blanked, _scribbled, Path.unlink),
        "*/length.bin": (_emptied, _halved, Path.unlink),
        "*/link_lists.bin": (_emptied, _halved, _blanked, _scribbled, Path.unlink),
        "*/index_metadata.pickle": (_emptied, _halved, _blanked, _scribbled, Path.unlink),
        "*-*": (shutil.rmtree,),
    }.items()
    for harm in harms
}


@dataclass(frozen=True)
class Opened:
    """What became of a damaged folder: the verdict, and the files before and after."""

    verdict: str
    before: dict[str, bytes]
    after: dict[str, bytes]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Opened]:
    """Each damage done to a folder with more memories than Chroma keeps outside its index files."""
    root = tmp_path_factory.mktemp("damage")
    asyncio.run(filled(root / "intact", 1300))
    before = {}
    for number, (case, (name, harm)) in enumerate(DAMAGE.items()):
        shutil.copytree(root / "intact", root / str(number))
        [victim] = (root / str(number)).glob(name)
        harm(victim)
        before[case] = whole(root / str(number))
    folders = [str(root / "intact"), *(str(root / str(number)) for number in range(len(DAMAGE)))]
    child = subprocess.run(
        [sys.executable, "-c", READ_ALL, *folders], cwd=REPO, capture_output=True, text=True, timeout=100
    )
    verdicts = dict(zip(["intact", *DAMAGE], child.stdout.splitlines(), strict=False))
    nothing: dict[str, bytes] = {}
    found = {"intact": Opened(verdicts.get("intact", child.stderr), nothing, nothing)}
    for number, case in enumerate(DAMAGE):
        verdict = verdicts.get(case, f"the process ended: {child.returncode} {child.stderr}")
        found[case] = Opened(verdict, before[case], whole(root / str(number)))
    return found


@pytest.mark.parametrize("case", list(DAMAGE))
def test_a_damaged_folder_is_told_and_left_as_it_is(outcomes: dict[str, Opened], case: str) -> None:
    outcome = outcomes[case]
    assert outcome.verdict == "damaged, nothing was removed"
    assert outcome.after.keys() == outcome.before.keys()
    # Opening a database counts a number up in its head.
    assert {path for path in outcome.before if outcome.after[path] != outcome.before[path]} <= {
        "chroma.sqlite3"
    }


def test_an_intact_folder_is_not_called_damaged(outcomes: dict[str, Opened]) -> None:
    assert outcomes["intact"].verdict == "fine: 1300 listed, 20 found"


async def test_a_file_where_the_folder_should_be_is_told(tmp_path: Path) -> None:
    place = tmp_path / "memory"
    place.write_text("a shopping list")
    async with opened(place) as memory:
        with pytest.raises((StoreDamagedError, StoreFullError)):
            await memory.add("tea", user_id="alice")
    assert place.read_text() == "a shopping list"


FILL_THE_DISK = """
import asyncio, resource, signal, sys
from assistant.core.errors import StoreFullError
from assistant.memory import ChromaProvider, MemoryScope, NewMemory
from tests.memory_fixtures import HashEmbedder

async def main():
    memory = ChromaProvider(persist_directory=sys.argv[1], scope=MemoryScope.PER_USER, embedder=HashEmbedder())
    await memory.add("the first", user_id="alice")
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, most))
    kept = ["the first"]
    try:
        while len(kept) < 10_000:
            text = f"fact {len(kept)} " + "x" * 2000
            await memory.add(text, user_id="alice")
            kept.append(text)
    except StoreFullError as error:
        assert "othing was removed" in str(error), error
    for call in (memory.search("fact", user_id="alice"), memory.add("more", user_id="alice")):
        try:
            await call
        except StoreFullError:
            pass
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    await memory.add("the last", user_id="alice")
    page = await memory.list(user_id="alice", limit=1000)
    there = {item.content for item in page.items}
    assert 10 < len(kept) < 10_000 and {*kept, "the last"} <= there, (len(kept), page.total)
    assert (await memory.search("the last", user_id="alice"))[0].content == "the last"
    await memory.close()

asyncio.run(main())
"""


def test_a_full_disk_is_told_and_once_there_is_space_everything_that_was_kept_is_there(
    tmp_path: Path,
) -> None:
    child = subprocess.run(
        [sys.executable, "-c", FILL_THE_DISK, str(tmp_path)],
        cwd=REPO,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (child.returncode, child.stderr) == (0, "")


async def test_a_start_that_was_killed_before_anything_was_kept_is_no_damage(tmp_path: Path) -> None:
    (tmp_path / "chroma.sqlite3").write_bytes(b"")
    async with opened(tmp_path) as memory:
        await memory.add("tea", user_id="alice")
        assert await contents(memory) == {"tea"}


ADD_UNTIL_KILLED = textwrap.dedent(
    """
    import asyncio, sys
    from assistant.memory import ChromaProvider, MemoryScope, NewMemory
    from tests.memory_fixtures import HashEmbedder

    async def main():
        memory = ChromaProvider(persist_directory=sys.argv[1], scope=MemoryScope.PER_USER, embedder=HashEmbedder())
        number = 0
        while True:
            batch = [NewMemory(f"fact {n}") for n in range(number, number + int(sys.argv[2]))]
            await memory.add_many(batch, user_id="alice")
            number += len(batch)
            print(number, flush=True)

    asyncio.run(main())
    """
)


def kill_while_adding(folder: Path, batch: int, acknowledged: int) -> int:
    """Kill a child that adds facts 0, 1, 2, … when it has acknowledged so many; returns how many it had in the end."""
    command = [sys.executable, "-c", ADD_UNTIL_KILLED, str(folder), str(batch)]
    with subprocess.Popen(command, cwd=REPO, stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        said = 0
        while said < acknowledged:
            said = int(child.stdout.readline())
        child.kill()
        last = child.stdout.read().split()
    return int(last[-1]) if last else said


# The bigger ones cross the thousand at which Chroma writes its index to disk.
@pytest.mark.parametrize(("batch", "acknowledged"), [(1, 12), (1, 25), (16, 960), (32, 1984)])
async def test_what_was_acknowledged_survives_a_kill(tmp_path: Path, batch: int, acknowledged: int) -> None:
    said = await asyncio.to_thread(kill_while_adding, tmp_path / "memory", batch, acknowledged)
    async with opened(tmp_path / "memory") as memory:
        page = await memory.list(user_id="alice", sort="oldest", limit=1000)
        assert page.total >= said
        texts = [
            item.content
            for offset in range(0, page.total, 1000)
            for item in (await memory.list(user_id="alice", sort="oldest", offset=offset, limit=1000)).items
        ]
        assert texts == [f"fact {n}" for n in range(page.total)]
        for number in (0, said // 2, said - 1):
            found = await memory.search(f"fact {number}", user_id="alice")
            assert found[0].content == f"fact {number}"
        await memory.add("life goes on", user_id="alice")
