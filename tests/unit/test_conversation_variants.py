"""Edits and other replies stand beside each other: counted, listed, and chosen between. Archiving."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.conversation.base import ConversationStore, MessageHit
from assistant.core.errors import NoSuchConversationError
from tests.unit.conversation_stores import KINDS, contents, opened, reply, user

pytestmark = pytest.mark.parametrize("kind", KINDS)

ALICE = "alice"


async def shown(store: ConversationStore, session: str) -> str:
    """The current path in one line, with the place among the variants where there are several."""
    page = await store.messages(session, user_id=ALICE)
    return " ".join(m.content + (f"({m.variant}/{m.variants})" if m.variants > 1 else "") for m in page.items)


async def retried(store: ConversationStore, session: str, asked: str, text: str) -> str:
    """Another reply to a message; returns its id."""
    answer = await store.begin_reply(session, user_id=ALICE, after=asked)
    await store.finish_reply(answer.message_id, user_id=ALICE, content=text)
    return answer.message_id


async def test_a_message_alone_is_the_only_variant(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        message = await store.append(session, user("q"), user_id=ALICE)
        assert (message.variant, message.variants) == (1, 1)
        assert await store.variants(session, message.message_id, user_id=ALICE) == [message]


async def test_each_message_of_a_page_knows_its_place_among_its_variants(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        first = await store.append(session, user("q1"), user_id=ALICE)
        await store.append(session, reply("r1"), user_id=ALICE)
        await store.append(session, user("q2"), user_id=ALICE)
        edited = await store.branch(session, first.message_id, user("q1b"), user_id=ALICE)
        assert (edited.variant, edited.variants) == (2, 2)
        for text in ("a", "b", "c"):
            await retried(store, session, edited.message_id, text)
        assert await shown(store, session) == "q1b(2/2) c(3/3)"


async def test_variants_are_listed_oldest_first_wherever_the_path_goes(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        asked = await store.append(session, user("q"), user_id=ALICE)
        ids = [await retried(store, session, asked.message_id, text) for text in "abc"]
        await store.choose(session, ids[0], user_id=ALICE)
        for message_id in ids:
            found = await store.variants(session, message_id, user_id=ALICE)
            assert [(m.content, m.variant, m.variants) for m in found] == [
                ("a", 1, 3),
                ("b", 2, 3),
                ("c", 3, 3),
            ]


async def test_choosing_shows_the_path_down_to_the_newest_message(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        first = await store.append(session, user("q1"), user_id=ALICE)
        for message in (reply("r1"), user("q2"), reply("r2")):
            await store.append(session, message, user_id=ALICE)
        other = await store.branch(session, first.message_id, user("q1b"), user_id=ALICE)
        await store.append(session, reply("r1b"), user_id=ALICE)
        chosen = await store.choose(session, first.message_id, user_id=ALICE)
        assert chosen.message_count == 4
        assert await shown(store, session) == "q1(1/2) r1 q2 r2"
        await store.choose(session, other.message_id, user_id=ALICE)
        assert await shown(store, session) == "q1b(2/2) r1b"


async def test_going_back_finds_each_fork_as_it_was_left(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        first = await store.append(session, user("q"), user_id=ALICE)
        ids = {text: await retried(store, session, first.message_id, text) for text in "abc"}
        await store.choose(session, ids["a"], user_id=ALICE)
        asked = await store.append(session, user("more"), user_id=ALICE)
        deep = {text: await retried(store, session, asked.message_id, text) for text in "xyz"}
        await store.choose(session, deep["y"], user_id=ALICE)
        edited = await store.branch(session, first.message_id, user("other"), user_id=ALICE)
        await store.choose(session, first.message_id, user_id=ALICE)
        assert await shown(store, session) == "q(1/2) a(1/3) more y(2/3)"
        await store.choose(session, edited.message_id, user_id=ALICE)
        await store.choose(session, ids["c"], user_id=ALICE)
        assert await shown(store, session) == "q(1/2) c(3/3)"
        await store.choose(session, edited.message_id, user_id=ALICE)
        await store.choose(session, first.message_id, user_id=ALICE)
        assert await shown(store, session) == "q(1/2) c(3/3)"


async def test_choosing_what_is_shown_already_changes_nothing(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        first = await store.append(session, user("q"), user_id=ALICE)
        await store.append(session, reply("r"), user_id=ALICE)
        before = await store.get(session, user_id=ALICE)
        assert await store.choose(session, first.message_id, user_id=ALICE) == before
        assert await shown(store, session) == "q r"


async def test_choosing_is_no_change_of_the_conversation_and_new_messages_go_behind_it(
    kind: str, tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        asked = await store.append(session, user("q"), user_id=ALICE)
        one = await retried(store, session, asked.message_id, "one")
        await retried(store, session, asked.message_id, "two")
        before = await store.get(session, user_id=ALICE)
        assert before is not None
        chosen = await store.choose(session, one, user_id=ALICE)
        assert chosen.updated_at == before.updated_at
        await store.append(session, user("on"), user_id=ALICE)
        assert await shown(store, session) == "q one(1/2) on"


async def test_a_reply_that_is_being_written_goes_on_while_another_path_is_chosen(
    kind: str, tmp_path: Path
) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        asked = await store.append(session, user("q"), user_id=ALICE)
        first = await retried(store, session, asked.message_id, "first")
        second = await store.begin_reply(session, user_id=ALICE, after=asked.message_id)
        await store.extend_reply(second.message_id, "sec", user_id=ALICE)
        await store.choose(session, first, user_id=ALICE)
        await store.extend_reply(second.message_id, "ond", user_id=ALICE)
        await store.finish_reply(second.message_id, user_id=ALICE)
        assert await shown(store, session) == "q first(1/2)"
        await store.choose(session, second.message_id, user_id=ALICE)
        assert await shown(store, session) == "q second(2/2)"


async def test_a_hit_off_the_path_can_be_jumped_to(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        first = await store.append(session, user("zebra"), user_id=ALICE)
        for n in range(5):
            await store.append(session, user(f"more {n}"), user_id=ALICE)
        await store.branch(session, first.message_id, user("other"), user_id=ALICE)
        hit: MessageHit
        (hit,) = await store.search("zebra", user_id=ALICE)
        assert not hit.on_path
        await store.choose(hit.session_id, hit.message_id, user_id=ALICE)
        page = await store.messages(session, user_id=ALICE)
        assert page.items[hit.position].message_id == hit.message_id
        assert len(page.items) == 6


async def test_a_message_that_is_not_there_is_chosen_by_nobody(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        session = (await store.create(user_id=ALICE)).session_id
        await store.append(session, user("q"), user_id=ALICE)
        for message_id in ("no such message", ""):
            with pytest.raises(NoSuchConversationError):
                await store.choose(session, message_id, user_id=ALICE)
            with pytest.raises(NoSuchConversationError):
                await store.variants(session, message_id, user_id=ALICE)
        assert contents(await store.messages(session, user_id=ALICE)) == ["q"]


# Archiving


async def test_an_archived_conversation_is_listed_only_when_asked_for(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        kept, put_away = [(await store.create(user_id=ALICE, title=t)).session_id for t in ("kept", "old")]
        await store.archive(put_away, True, user_id=ALICE)

        async def listed(archived: bool | None) -> list[str]:
            return [c.session_id for c in await store.list(user_id=ALICE, archived=archived)]

        assert [c.session_id for c in await store.list(user_id=ALICE)] == [kept]
        assert await listed(True) == [put_away]
        assert await listed(None) == [put_away, kept]
        await store.archive(put_away, False, user_id=ALICE)
        assert await listed(False) == [put_away, kept]
        assert await listed(True) == []


async def test_archiving_is_no_change_and_hides_from_no_search(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        made = await store.create(user_id=ALICE, title="zebra")
        message = await store.append(made.session_id, user("a zebra"), user_id=ALICE)
        await store.archive(made.session_id, True, user_id=ALICE)
        now = await store.get(made.session_id, user_id=ALICE)
        assert now is not None
        assert (now.archived, now.updated_at) == (True, message.created_at)
        assert {hit.snippet for hit in await store.search("zebra", user_id=ALICE)} == {"zebra", "a zebra"}
        await store.append(made.session_id, reply("goes on"), user_id=ALICE)


async def test_pins_hold_in_the_archive_too(kind: str, tmp_path: Path) -> None:
    async with opened(kind, tmp_path) as store:
        ids = [(await store.create(user_id=ALICE, title=title)).session_id for title in "abc"]
        await store.pin(ids[0], True, user_id=ALICE)
        for session in ids:
            await store.archive(session, True, user_id=ALICE)
        listed = await store.list(user_id=ALICE, archived=True)
        assert "".join(c.title for c in listed) == "acb"
        pages = [await store.list(user_id=ALICE, archived=True, offset=at, limit=2) for at in (0, 2)]
        assert [[c.title for c in page] for page in pages] == [["a", "c"], ["b"]]
