"""The file that the benchmark writes past the store's methods is one that the store itself could have written."""

from __future__ import annotations

from pathlib import Path

from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.core.types import Message
from assistant.storage.rows import rows
from benchmarks.conversation_corpus import LONG, OWNER, SHORT, build
from benchmarks.conversations import draw, times_of


async def test_the_store_opens_pages_searches_and_continues_the_file(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    build(path, 300)
    store = await SqliteConversationStore.open(path, check=True)
    try:
        listed = await store.list(user_id=OWNER, limit=100)
        counts = {c.session_id: c.message_count for c in listed}
        assert (counts.pop(LONG), counts.pop(SHORT)) == (10_000, 1_000)
        assert sum(counts.values()) == 300
        page = await store.messages(LONG, user_id=OWNER, limit=3)
        assert [m.position for m in page.items] == [9_997, 9_998, 9_999]
        assert [m.role for m in page.items] == ["assistant", "user", "assistant"]
        assert {(m.variant, m.variants) for m in page.items} == {(1, 1)}
        added = await store.append(LONG, Message("user", "goes on"), user_id=OWNER)
        assert (added.position, added.parent_id) == (10_000, page.items[-1].message_id)
        await store.database.read(
            lambda db: rows(db, "INSERT INTO message_words (message_words) VALUES ('integrity-check')")
        )
    finally:
        await store.close()


async def test_the_words_that_are_drawn_are_found_newest_first(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    build(path, 300)
    queries = draw(path, 12, seed=3)
    assert queries.rare
    assert queries.common
    store = await SqliteConversationStore.open(path)
    try:
        assert len(await times_of(store, [*queries.rare, *queries.common])) == len(
            [*queries.rare, *queries.common]
        )
    finally:
        await store.close()
