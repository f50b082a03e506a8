"""The file of cached answers: it outlives the process, and one that can't be used is cleared, never in the way."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path
from typing import Any

import apsw
import pytest
from cryptography.fernet import Fernet

from assistant.cache import SemanticCache
from assistant.cache.sqlite_backend import SqliteBackend
from assistant.cache.sqlite_file import APPLICATION_ID
from assistant.storage import find_bytes, fragments
from tests.cache_fixtures import ALICE, BOB, ROOMY, answer_to, ask, keep, kept, opened

QUESTION = "How do I learn the Xylographic alphabet?"
ANSWER = "With the Quillworth primer, page by page."


async def fill(path: Path, **options: Any) -> None:
    async with opened(backend="sqlite", path=path, **options) as cache:
        await keep(cache, QUESTION, ANSWER, used=["memory-of-zanzibar"])


async def test_answers_survive_a_restart(tmp_path: Path) -> None:
    await fill(tmp_path / "answers.db")
    async with opened(backend="sqlite", path=tmp_path / "answers.db") as cache:
        assert await answer_to(cache, QUESTION) == ANSWER
        assert await cache.forget(["memory-of-zanzibar"]) == 1


async def test_the_default_file_is_with_the_users_data(home: Path) -> None:
    async with opened(backend="sqlite") as cache:
        await keep(cache, QUESTION, ANSWER)
    assert [path.name for path in home.rglob("answers.db")] == ["answers.db"]


def set_pragma(path: Path, name: str, value: int) -> None:
    connection = apsw.Connection(str(path))
    connection.pragma(name, value)
    connection.close()


@pytest.mark.parametrize("change", ["newer version", "older layout", "no schema"])
async def test_a_file_of_another_version_is_cleared_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, change: str
) -> None:
    path = tmp_path / "answers.db"
    await fill(path)
    if change == "newer version":
        set_pragma(path, "user_version", 99)
    elif change == "older layout":
        connection = apsw.Connection(str(path))
        connection.execute("UPDATE about SET value = '0' WHERE name = 'layout'")
        connection.close()
    else:
        connection = apsw.Connection(str(path))
        connection.execute("DROP TABLE about; DROP TABLE used; DROP TABLE answers")
        connection.close()
    with caplog.at_level(logging.WARNING, "assistant.cache"):
        async with opened(backend="sqlite", path=path) as cache:
            assert await ask(cache, QUESTION) is None
            assert await keep(cache, QUESTION, ANSWER)
            assert await answer_to(cache, QUESTION) == ANSWER
            assert cache.stats().failures == 0
    assert len(caplog.records) == 1


@pytest.mark.parametrize("content", [b"no database at all " * 300, b"SQLite format 3\0" + b"\xff" * 8000])
async def test_a_file_that_may_be_something_else_is_renamed_not_removed(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "answers.db"
    path.write_bytes(content)
    async with opened(backend="sqlite", path=path) as cache:
        assert await keep(cache, QUESTION, ANSWER)
        assert await answer_to(cache, QUESTION) == ANSWER
        [aside] = tmp_path.glob("answers.db.damaged-*")
        assert aside.read_bytes() == content


async def test_the_database_of_another_part_is_never_removed(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    connection = apsw.Connection(str(path))
    connection.pragma("application_id", 77)
    connection.execute("CREATE TABLE memories (text)")
    connection.execute("INSERT INTO memories VALUES ('precious')")
    connection.close()
    async with opened(backend="sqlite", path=path) as cache:
        await keep(cache, QUESTION, ANSWER)
    [aside] = tmp_path.glob("ledger.db.damaged-*")
    assert b"precious" in aside.read_bytes()


async def test_a_file_that_is_damaged_while_it_is_used_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    async with opened(backend="sqlite", path=path) as cache:
        for number in range(200):
            await keep(cache, f"Question {number}?", "A long answer. " * 100)
    damage = bytearray(path.read_bytes())
    damage[4096 * 2 :] = b"\xa5" * (len(damage) - 4096 * 2)
    path.write_bytes(damage)
    async with opened(backend="sqlite", path=path) as cache:
        found = [await ask(cache, f"Question {number}?") for number in range(0, 200, 10)]
        assert found == [None] * len(found)
        assert await keep(cache, QUESTION, ANSWER)
        assert await answer_to(cache, QUESTION) == ANSWER


async def test_forgotten_answers_leave_no_trace_in_the_files(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    async with opened(backend="sqlite", path=path) as cache:
        await keep(cache, QUESTION, ANSWER, used=["memory-of-zanzibar"])
        await keep(cache, "Who was Plato?", "A philosopher.", caller=BOB)
        (tmp_path / "answers.db.damaged-20260101-000000").write_text(ANSWER)
        assert await cache.forget(["memory-of-zanzibar"]) == 1
        for text in (QUESTION, ANSWER, "memory-of-zanzibar"):
            assert list(find_bytes(tmp_path, fragments(text))) == []
        assert await answer_to(cache, "Who was Plato?", BOB) == "A philosopher."


async def test_purged_answers_leave_no_trace_in_the_files(tmp_path: Path) -> None:
    async with opened(backend="sqlite", path=tmp_path / "answers.db") as cache:
        await keep(cache, QUESTION, ANSWER)
        assert await cache.purge_user(ALICE.owner) == 1
        assert list(find_bytes(tmp_path, [*fragments(QUESTION), *fragments(ANSWER)])) == []


async def test_a_sealed_file_holds_nothing_that_can_be_read(tmp_path: Path) -> None:
    await fill(tmp_path / "answers.db", encrypt=True, key=Fernet.generate_key)
    for text in (QUESTION, ANSWER, "memory-of-zanzibar", "alice"):
        assert list(find_bytes(tmp_path, fragments(text))) == []


async def test_the_same_key_reads_what_it_sealed_and_another_one_clears_it(tmp_path: Path) -> None:
    path, key = tmp_path / "answers.db", Fernet.generate_key()
    await fill(path, encrypt=True, key=lambda: key)
    async with opened(backend="sqlite", path=path, encrypt=True, key=lambda: key) as cache:
        assert await answer_to(cache, QUESTION) == ANSWER
    async with opened(backend="sqlite", path=path, encrypt=True, key=Fernet.generate_key) as cache:
        assert await ask(cache, QUESTION) is None
        assert await cache.count() == 0


async def test_asking_for_sealing_removes_what_was_readable(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    await fill(path)
    async with opened(backend="sqlite", path=path, encrypt=True, key=Fernet.generate_key) as cache:
        await cache.open()
        assert list(find_bytes(tmp_path, [*fragments(QUESTION), *fragments(ANSWER)])) == []


async def test_two_processes_may_share_the_file(tmp_path: Path) -> None:
    path = tmp_path / "answers.db"
    one, other = SqliteBackend(path), SqliteBackend(path)
    await asyncio.gather(one.open("plain"), other.open("plain"))
    await asyncio.gather(
        *(
            place.put(kept(f"{n}{k}"), limits=ROOMY, now=0)
            for n, place in enumerate((one, other))
            for k in range(10)
        )
    )
    assert await one.count() == await other.count() == 20
    await one.close()
    await other.close()


async def test_a_cancelled_question_leaves_the_cache_usable(tmp_path: Path) -> None:
    cache = SemanticCache(backend="sqlite", path=tmp_path / "answers.db", match="exact")
    for _ in range(5):
        task = asyncio.get_running_loop().create_task(keep(cache, QUESTION, ANSWER))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert await keep(cache, QUESTION, ANSWER)
    assert await answer_to(cache, QUESTION) == ANSWER
    await cache.close()


def test_the_file_says_whose_it_is() -> None:
    assert APPLICATION_ID.to_bytes(4, "big") == b"KSAC"
