"""The queue of messages that a model still has to read: on disk in the ledger, and in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.core.errors import InvalidTextError, MemoryIsolationError, StoreClosedError
from assistant.memory.base import MemoryScope
from assistant.memory.learning import queue as queues
from assistant.memory.learning.base import Utterance
from assistant.memory.learning.queue import LONGEST_LESSON, But, InMemoryLessons, Lesson, LessonQueue
from assistant.memory.ledger import MemoryLedger, schema
from assistant.memory.ledger import lessons as ledger_lessons
from assistant.storage.scan import find_bytes
from tests.ledger_fixtures import START

KINDS = ("ledger", "memory")


def said(text: str, *, session: str | None = "s1", message: str | None = None, minute: int = 0) -> Utterance:
    return Utterance(text, START + timedelta(minutes=minute), session, message)


@asynccontextmanager
async def record(folder: Path, scope: MemoryScope = MemoryScope.PER_USER) -> AsyncIterator[MemoryLedger]:
    """A ledger that finds by words alone: its queue needs no index."""
    memory = MemoryLedger(folder, None, scope=scope)
    await memory.open()
    try:
        yield memory
    finally:
        await memory.close()


@asynccontextmanager
async def empty(kind: str, folder: Path) -> AsyncIterator[LessonQueue]:
    if kind == "memory":
        yield InMemoryLessons()
        return
    async with record(folder) as memory:
        yield memory.lessons


async def taken(queue: LessonQueue) -> Lesson:
    lesson = await queue.take()
    assert lesson is not None
    return lesson


async def emptied(queue: LessonQueue) -> list[tuple[str | None, str]]:
    """Owner and text of all lessons, which are finished."""
    found = []
    while (lesson := await queue.take()) is not None:
        found.append((lesson.user_id, lesson.utterance.text))
        await queue.finish(lesson)
    return found


@pytest.mark.parametrize("kind", KINDS)
async def test_lessons_come_back_as_they_were_said_oldest_first(kind: str, tmp_path: Path) -> None:
    first = Utterance("I live in Porto 🌊", datetime(2026, 3, 2, 9, 0, 0, 5, UTC), "s1", "m1")
    second = Utterance("And I like tea", START, None, None)
    async with empty(kind, tmp_path) as queue:
        await queue.put(first, user_id="alice")
        await queue.put(second, user_id="bob")
        lesson = await taken(queue)
        assert (lesson.utterance, lesson.user_id, lesson.attempts) == (first, "alice", 1)
        assert await queue.finish(lesson)
        assert (await taken(queue)).utterance == second


@pytest.mark.parametrize("kind", KINDS)
async def test_a_lesson_stays_until_it_is_finished_and_those_tried_less_come_first(
    kind: str, tmp_path: Path
) -> None:
    async with empty(kind, tmp_path) as queue:
        await queue.put(said("one"), user_id="alice")
        await queue.put(said("two"), user_id="alice")
        tries = [await taken(queue) for _ in range(3)]
        assert [(lesson.utterance.text, lesson.attempts) for lesson in tries] == [
            ("one", 1),
            ("two", 1),
            ("one", 2),
        ]
        assert await queue.count() == 2


@pytest.mark.parametrize("kind", KINDS)
async def test_an_attempt_given_back_does_not_count(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        await queue.put(said("one"), user_id="alice")
        for _ in range(5):
            lesson = await taken(queue)
            assert lesson.attempts == 1
            await queue.give_back(lesson)


@pytest.mark.parametrize("kind", KINDS)
async def test_the_same_message_is_queued_once(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        for _ in range(2):
            await queue.put(said("one", message="m1"), user_id="alice")
            await queue.put(said("one", session=None), user_id="alice")
        await queue.put(said("one", message="m1"), user_id="bob")
        await queue.put(said("one", message="m2"), user_id="alice")
        assert await queue.count() == 4


@pytest.mark.parametrize("kind", KINDS)
async def test_a_deleted_conversation_leaves_no_lesson_of_its_owner(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        await queue.put(said("one", session="s1", message="m1"), user_id="alice")
        await queue.put(said("two", session="s1", message="m2"), user_id="alice")
        await queue.put(said("three", session="s2"), user_id="alice")
        await queue.put(said("four", session="s1"), user_id="bob")
        lesson = await taken(queue)
        assert await queue.drop_session("s1", user_id="alice", message_id="m2") == 1
        assert await queue.drop_session("s1", user_id="alice") == 1
        assert await queue.drop_session("s1", user_id="alice") == 0
        assert not await queue.finish(lesson)
        await queue.give_back(lesson)
        assert await emptied(queue) == [("alice", "three"), ("bob", "four")]


@pytest.mark.parametrize("kind", KINDS)
async def test_clearing_takes_one_owner_or_all(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        for owner in ("alice", "bob", "carol"):
            await queue.put(said("one"), user_id=owner)
        assert await queue.count(user_id="alice") == 1
        assert await queue.clear(user_id="alice") == 1
        assert await queue.count(user_id="alice") == 0
        assert await queue.clear() == 2
        assert await queue.take() is None


@pytest.mark.parametrize("kind", KINDS)
async def test_a_huge_message_is_queued_with_its_beginning(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        await queue.put(said("é🙂" * 100_000), user_id="alice")
        text = (await taken(queue)).utterance.text
        assert text == ("é🙂" * 100_000)[:LONGEST_LESSON]


@pytest.mark.parametrize("kind", KINDS)
async def test_of_too_many_lessons_the_oldest_of_that_owner_go(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queues, "MOST_LESSONS", 3)
    monkeypatch.setattr(ledger_lessons, "MOST_LESSONS", 3)
    async with empty(kind, tmp_path) as queue:
        await queue.put(said("hers"), user_id="bob")
        for number in range(5):
            await queue.put(said(str(number)), user_id="alice")
        assert await emptied(queue) == [("bob", "hers"), ("alice", "2"), ("alice", "3"), ("alice", "4")]


@pytest.mark.parametrize("kind", KINDS)
async def test_half_a_character_is_refused(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        with pytest.raises(InvalidTextError):
            await queue.put(said("half \ud83d"), user_id="alice")
        assert await queue.count() == 0


async def test_lessons_and_their_attempts_survive_the_end_of_the_process(tmp_path: Path) -> None:
    async with record(tmp_path) as memory:
        await memory.lessons.put(said("one", message="m1"), user_id="alice")
        await taken(memory.lessons)
    async with record(tmp_path) as memory:
        lesson = await taken(memory.lessons)
        assert (lesson.utterance, lesson.user_id, lesson.attempts) == (said("one", message="m1"), "alice", 2)


async def test_nobody_has_no_lessons(tmp_path: Path) -> None:
    async with record(tmp_path) as memory:
        for nobody in (None, ""):
            with pytest.raises(MemoryIsolationError):
                await memory.lessons.put(said("one"), user_id=nobody)
            with pytest.raises(MemoryIsolationError):
                await memory.lessons.drop_session("s1", user_id=nobody)


async def test_a_closed_ledger_takes_no_lessons(tmp_path: Path) -> None:
    async with record(tmp_path) as memory:
        lessons = memory.lessons
    with pytest.raises(StoreClosedError):
        await lessons.put(said("one"), user_id="alice")


@pytest.mark.parametrize("scope", MemoryScope)
async def test_purging_a_user_takes_their_lessons(scope: MemoryScope, tmp_path: Path) -> None:
    async with record(tmp_path, scope) as memory:
        await memory.lessons.put(said("hers"), user_id="alice")
        await memory.lessons.put(said("his"), user_id="bob")
        await memory.purge_user("alice")
        assert await emptied(memory.lessons) == [("bob", "his")]


async def test_in_a_shared_ledger_a_lesson_keeps_its_label(tmp_path: Path) -> None:
    async with record(tmp_path, MemoryScope.SHARED) as memory:
        await memory.lessons.put(said("one"), user_id="alice")
        await memory.lessons.put(said("one"), user_id=None)
        assert await memory.lessons.drop_session("s1", user_id="bob") == 0
        assert await emptied(memory.lessons) == [("alice", "one"), (None, "one")]


@pytest.mark.parametrize("way", ["drop_session", "clear", "clear all", "purge"])
async def test_what_was_dropped_is_not_on_disk(way: str, tmp_path: Path) -> None:
    secret = "the quince marmalade affair"
    async with record(tmp_path) as memory:
        await memory.lessons.put(said(secret), user_id="alice")
        assert holds(tmp_path, secret)
        if way == "drop_session":
            await memory.lessons.drop_session("s1", user_id="alice")
        elif way == "purge":
            await memory.wipe("alice")
        else:
            await memory.lessons.clear(user_id="alice" if way == "clear" else None)
        assert not holds(tmp_path, secret)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["put", "drop", "clear"]),
            st.sampled_from(["alice", "a:1", "a/1", "a_1", "ALICE", "аlice", "x" * 10_000]),
            st.sampled_from(["s1", "s2"]),
        ),
        max_size=12,
    )
)
def test_one_owners_calls_never_touch_anothers_lessons(
    tmp_path: Path, calls: Sequence[tuple[str, str, str]]
) -> None:
    async def run() -> None:
        async with record(tmp_path) as memory:
            await memory.lessons.clear()
            expected: dict[tuple[str, str], int] = {}
            for number, (call, owner, session) in enumerate(calls):
                if call == "put":
                    await memory.lessons.put(said(f"{number}", session=session), user_id=owner)
                    expected[owner, session] = expected.get((owner, session), 0) + 1
                elif call == "drop":
                    count = await memory.lessons.drop_session(session, user_id=owner)
                    assert count == expected.pop((owner, session), 0)
                else:
                    count = await memory.lessons.clear(user_id=owner)
                    assert count == sum(expected.pop((owner, each), 0) for each in ("s1", "s2"))
            for owner in {owner for _, owner, _ in calls}:
                there = sum(expected.get((owner, each), 0) for each in ("s1", "s2"))
                assert await memory.lessons.count(user_id=owner) == there

    asyncio.run(run())


async def test_a_message_said_again_later_is_another_lesson(tmp_path: Path) -> None:
    async with record(tmp_path) as memory:
        first = said("one")
        await memory.lessons.put(first, user_id="alice")
        await memory.lessons.put(replace(first, said_at=START + timedelta(seconds=1)), user_id="alice")
        assert await memory.lessons.count(user_id="alice") == 2


def holds(folder: Path, text: str) -> bool:
    return bool(find_bytes(folder, [text]))


# ---- who may read, and what is held


@pytest.mark.parametrize("kind", KINDS)
async def test_a_model_elsewhere_gets_only_what_went_there_and_what_is_held(
    kind: str, tmp_path: Path
) -> None:
    async with empty(kind, tmp_path) as queue:
        for number, host in enumerate((None, "this computer", "one.example", "two.example")):
            await queue.put(replace(said(f"{number}"), host=host), user_id="alice")
        await queue.put(said("held"), user_id="alice", held=True)
        found = []
        for host in ("one.example", "three.example", None, "this computer"):
            while (lesson := await queue.take(host)) is not None:
                found.append((host, lesson.utterance.text, lesson.utterance.host, lesson.held))
                await queue.finish(lesson)
        assert found == [
            ("one.example", "2", "one.example", False),
            ("one.example", "held", None, True),
            ("this computer", "0", None, False),
            ("this computer", "1", "this computer", False),
            ("this computer", "3", "two.example", False),
        ]


@pytest.mark.parametrize("kind", KINDS)
async def test_a_held_lesson_is_held_until_it_was_learned_from(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        await queue.put(said("one"), user_id="alice", held=True)
        await queue.put(replace(said("one"), host="one.example"), user_id="alice")
        await queue.put(said("one"), user_id="alice", held=True)
        lesson = await taken(queue)
        assert (lesson.held, lesson.utterance.host) == (False, "one.example")
        await queue.put(said("two"), user_id="alice", held=True)
        assert await queue.finish(lesson)
        lesson = await taken(queue)
        assert lesson.held
        assert await queue.learned(lesson)
        assert not (await taken(queue)).held
        assert await queue.finish(lesson)
        assert not await queue.learned(lesson)


@pytest.mark.parametrize("kind", KINDS)
async def test_the_lesson_of_one_message_is_dropped(kind: str, tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        for text, owner in (("one", "alice"), ("two", "alice"), ("one", "bob")):
            await queue.put(said(text), user_id=owner, held=True)
        await queue.drop(said("one"), user_id="alice")
        await queue.drop(said("none"), user_id="carol")
        assert await emptied(queue) == [("alice", "two"), ("bob", "one")]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("but", "left"),
    [("nothing", []), ("wishes", ["Remember that I ski."]), ("held", ["I ski.", "Remember that I ski."])],
)
async def test_clearing_leaves_what_is_to_stay(kind: str, but: But, left: list[str], tmp_path: Path) -> None:
    async with empty(kind, tmp_path) as queue:
        await queue.put(said("I ski."), user_id="alice", held=True)
        await queue.put(said("Remember that I ski."), user_id="alice", held=True)
        await queue.put(said("Remember that I swim."), user_id="alice")
        assert await queue.clear(user_id="bob", but=but) == 0
        assert await queue.clear(but=but) == 3 - len(left)
        assert [text for _, text in await emptied(queue)] == left


async def test_a_lesson_that_nobody_could_read_for_a_month_is_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with record(tmp_path) as memory:
        await memory.lessons.put(said("one"), user_id="alice")
        assert await memory.lessons.take("one.example") is None
        assert await memory.lessons.count() == 1
        monkeypatch.setattr(ledger_lessons, "LONGEST_WAIT", -1)
        assert await memory.lessons.take("one.example") is None
        assert await memory.lessons.count() == 0


async def test_a_lesson_of_an_older_record_is_for_a_model_on_this_computer(tmp_path: Path) -> None:
    connection = apsw.Connection(str(tmp_path / schema.FILE_NAME))
    for migration in schema.SCHEMA.migrations[:2]:
        assert isinstance(migration.apply, str)
        connection.execute(migration.apply)
    connection.execute(
        f"PRAGMA application_id = {schema.SCHEMA.application_id}; PRAGMA user_version = 2;"
        "INSERT INTO owner(name) VALUES ('alice');"
        "INSERT INTO lesson(owner, session, text, said_at) VALUES (1, 's1', 'one', 0)"
    )
    connection.close()
    async with record(tmp_path) as memory:
        assert await memory.lessons.take("one.example") is None
        lesson = await taken(memory.lessons)
        assert (lesson.utterance.text, lesson.utterance.host, lesson.held) == ("one", None, False)
