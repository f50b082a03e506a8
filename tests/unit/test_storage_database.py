"""A database with a thread of its own: transactions, cancellation, closing, erasure."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import apsw
import pytest

from assistant.core.errors import InvalidInputError, StorageError, StoreClosedError, StoreFullError
from assistant.storage.database import Database
from assistant.storage.opening import Migration, Schema, open_connection
from assistant.storage.rows import row, rows
from assistant.storage.scan import find_bytes

REPO = Path(__file__).resolve().parents[2]
SCHEMA = Schema(77, (Migration(1, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"),))


@asynccontextmanager
async def notes(folder: Path) -> AsyncIterator[Database]:
    database = await Database.open(folder / "notes.sqlite", SCHEMA)
    try:
        yield database
    finally:
        await database.close()


async def add(database: Database, text: str) -> None:
    def work(db: apsw.Connection) -> None:
        db.execute("INSERT INTO note (text) VALUES (?)", (text,))

    await database.write(work)


def texts(db: apsw.Connection) -> list[str]:
    return [text for (text,) in rows(db, "SELECT text FROM note ORDER BY id")]


async def test_what_was_written_is_read_and_is_there_after_opening_again(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        await add(database, "one\0two 🎉")
        assert await database.read(texts) == ["one\0two 🎉"]
    async with notes(tmp_path) as database:
        assert await database.read(texts) == ["one\0two 🎉"]


async def test_work_runs_outside_the_event_loops_thread(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        there = await database.read(lambda _: threading.get_ident())
    assert there != threading.get_ident()


async def test_an_exception_undoes_the_whole_write_and_comes_through(tmp_path: Path) -> None:
    def work(db: apsw.Connection) -> None:
        db.execute("INSERT INTO note (text) VALUES ('half')")
        raise InvalidInputError("no")

    async with notes(tmp_path) as database:
        with pytest.raises(InvalidInputError, match="no"):
            await database.write(work)
        assert await database.read(texts) == []
        await add(database, "next")
        assert await database.read(texts) == ["next"]


async def test_errors_of_sqlite_are_translated_and_undone(tmp_path: Path) -> None:
    def work(db: apsw.Connection) -> None:
        db.execute("INSERT INTO note (text) VALUES ('half')")
        db.execute("INSERT INTO note (text) VALUES (NULL)")

    async with notes(tmp_path) as database:
        with pytest.raises(StorageError):
            await database.write(work)
        assert await database.read(texts) == []


async def test_a_read_can_not_change_anything(tmp_path: Path) -> None:
    def work(db: apsw.Connection) -> None:
        db.execute("INSERT INTO note (text) VALUES ('sneaked in')")

    async with notes(tmp_path) as database:
        await database.read(work)
        assert await database.read(texts) == []


async def test_concurrent_writes_lose_nothing(tmp_path: Path) -> None:
    def count_up(db: apsw.Connection) -> None:
        (count,) = row(db, "SELECT count(*) FROM note") or (0,)
        db.execute("INSERT INTO note (text) VALUES (?)", (str(count),))

    async with notes(tmp_path) as database:
        await asyncio.gather(*(database.write(count_up, durable=n % 2 == 0) for n in range(100)))
        assert await database.read(texts) == [str(n) for n in range(100)]


async def test_a_durable_write_is_flushed_and_a_light_one_is_not(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        levels = [
            await database.write(lambda db: db.pragma("synchronous"), durable=durable)
            for durable in (True, False, True)
        ]
    assert levels == [2, 1, 2]


async def test_a_write_whose_caller_is_cancelled_is_made_whole(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def work(db: apsw.Connection) -> None:
        db.execute("INSERT INTO note (text) VALUES ('first')")
        begun.set()
        go_on.wait(60)
        db.execute("INSERT INTO note (text) VALUES ('second')")

    async with notes(tmp_path) as database:
        task = asyncio.create_task(database.write(work))
        await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        go_on.set()
        assert await database.read(texts) == ["first", "second"]


async def test_a_write_that_is_cancelled_before_its_turn_is_not_made(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(_: apsw.Connection) -> None:
        begun.set()
        go_on.wait(60)

    async with notes(tmp_path) as database:
        running = asyncio.create_task(database.read(slow))
        await asyncio.to_thread(begun.wait, 60)
        waiting = asyncio.create_task(add(database, "never"))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        go_on.set()
        await running
        assert await database.read(texts) == []


async def test_a_read_whose_caller_is_cancelled_ends_early(tmp_path: Path) -> None:
    begun = threading.Event()
    endless = "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"

    def work(db: apsw.Connection) -> None:
        begun.set()
        db.execute(endless).fetchall()

    async with notes(tmp_path) as database:
        task = asyncio.create_task(database.read(work))
        await asyncio.to_thread(begun.wait, 60)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await add(database, "after")
        assert await database.read(texts) == ["after"]


async def test_closing_finishes_what_was_asked_for_before(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        writes = [asyncio.create_task(add(database, str(n))) for n in range(20)]
        await asyncio.sleep(0)
        await database.close()
        await asyncio.gather(*writes)
    async with notes(tmp_path) as database:
        assert len(await database.read(texts)) == 20


async def test_closing_is_safe_to_repeat_and_to_do_at_once(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        await asyncio.gather(database.close(), database.close())
        await database.close()


async def test_closing_goes_on_when_its_caller_is_cancelled(tmp_path: Path) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(_: apsw.Connection) -> None:
        begun.set()
        go_on.wait(60)

    async with notes(tmp_path) as database:
        reading = asyncio.create_task(database.read(slow))
        await asyncio.to_thread(begun.wait, 60)
        closing = asyncio.create_task(database.close())
        await asyncio.sleep(0)
        closing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await closing
        go_on.set()
        await reading
        await database.close()
        assert not (tmp_path / "notes.sqlite-wal").exists()


async def test_after_closing_every_call_says_so(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        await database.close()
        calls = (database.read(texts), database.integrity(), database.backup_to(tmp_path), database.compact())
        for call in calls:
            with pytest.raises(StoreClosedError):
                await call


async def test_closing_leaves_one_file(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        await add(database, "x")
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["notes.sqlite"]


async def test_an_opening_that_is_cancelled_leaves_nothing_open(tmp_path: Path) -> None:
    task = asyncio.create_task(Database.open(tmp_path / "notes.sqlite", SCHEMA))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with notes(tmp_path) as database:
        assert await database.integrity() == []


async def test_a_full_disk_is_said_and_the_file_stays_sound(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        await add(database, "kept")

        def fill(db: apsw.Connection) -> None:
            db.execute("INSERT INTO note (text) VALUES (hex(zeroblob(4000000)))")

        await database.read(lambda db: db.pragma("max_page_count", 100))
        with pytest.raises(StoreFullError, match="The disk is full"):
            await database.write(fill)
        assert await database.read(texts) == ["kept"]
        assert await database.integrity() == []


async def test_a_write_that_the_system_refuses_for_space_is_said(tmp_path: Path) -> None:
    script = """
import asyncio, resource, sys
from pathlib import Path
from assistant.core.errors import StoreFullError
from assistant.storage.database import Database
from assistant.storage.opening import Migration, Schema
schema = Schema(77, (Migration(1, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"),))
async def main():
    database = await Database.open(Path(sys.argv[1]), schema)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
    try:
        sql = "INSERT INTO note (text) VALUES (hex(zeroblob(4000000)))"
        await database.write(lambda db: db.execute(sql).fetchall())
    except StoreFullError as error:
        print(error.title)
    print(await database.integrity())
    await database.close()
asyncio.run(main())
"""
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", script, str(tmp_path / "notes.sqlite")],
        capture_output=True,
        text=True,
        check=True,
        cwd=REPO,
    )
    assert done.stdout.splitlines() == ["The disk is full", "[]"]


async def test_a_backup_is_a_whole_database_in_one_file(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        await add(database, "kept")
        await database.backup_to(tmp_path / "copy.sqlite")
        await add(database, "later")
    names = {path.name for path in tmp_path.iterdir() if path.is_file()}
    assert names == {"notes.sqlite", "copy.sqlite"}
    copy = open_connection(tmp_path / "copy.sqlite", SCHEMA, check=True)
    assert texts(copy) == ["kept"]
    copy.close()


async def test_a_backup_that_fails_leaves_the_older_one(tmp_path: Path) -> None:
    target = tmp_path / "missing" / "copy.sqlite"
    async with notes(tmp_path) as database:
        with pytest.raises(StorageError):
            await database.backup_to(target)
        target.parent.mkdir()
        target.write_text("older")
        (target.parent / "copy.sqlite.tmp").mkdir()
        with pytest.raises(StorageError):
            await database.backup_to(target)
    assert target.read_text() == "older"


async def test_deleted_text_leaves_no_byte_in_the_files(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        for n in range(300):
            await add(database, f"secret-{n:03d} " * 20)
        await database.write(lambda db: db.execute("DELETE FROM note WHERE id % 3 <> 0").fetchall())
        await database.erase_traces()
        gone = [f"secret-{n:03d}" for n in range(300) if (n + 1) % 3]
        assert find_bytes(tmp_path, gone) == []
        assert len(await database.read(texts)) == 100


async def test_compacting_gives_the_space_back(tmp_path: Path) -> None:
    async with notes(tmp_path) as database:
        await database.write(
            lambda db: db.execute(
                "WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 500) "
                "INSERT INTO note (text) SELECT hex(zeroblob(1500)) FROM n"
            ).fetchall()
        )
        await database.erase_traces()
        before = database.path.stat().st_size
        await database.write(lambda db: db.execute("DELETE FROM note").fetchall())
        await database.compact()
        assert database.path.stat().st_size < before / 10
        assert await database.integrity() == []


@pytest.mark.parametrize("durable", [True, False])
async def test_every_acknowledged_write_survives_kill_9(tmp_path: Path, durable: bool) -> None:
    script = """
import asyncio, sys
from pathlib import Path
from assistant.storage.database import Database
from assistant.storage.opening import Migration, Schema
schema = Schema(77, (Migration(1, "CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT"),))
async def main():
    database = await Database.open(Path(sys.argv[1]), schema)
    for n in range(100_000):
        await database.write(lambda db: db.execute("INSERT INTO note (text) VALUES (?)", (str(n),)).fetchall(),
                             durable=sys.argv[2] == "True")
        print(n, flush=True)
asyncio.run(main())
"""
    child = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        script,
        str(tmp_path / "notes.sqlite"),
        str(durable),
        stdout=asyncio.subprocess.PIPE,
        cwd=REPO,
    )
    assert child.stdout is not None
    for _ in range(50):
        await child.stdout.readline()
    child.kill()
    acknowledged = 50 + len((await child.stdout.read()).splitlines())
    await child.wait()
    async with notes(tmp_path) as database:
        kept = await database.read(texts)
        assert await database.integrity() == []
    assert kept[:acknowledged] == [str(n) for n in range(len(kept))][:acknowledged]
    assert len(kept) >= acknowledged - 1
