"""Files of the first version open and lose nothing; files with a flipped byte are damaged, or read with the loss."""

from __future__ import annotations

import random
from pathlib import Path

import apsw

from assistant.conversation.sqlite_schema import SCHEMA
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.core.errors import StorageError
from assistant.core.types import Message
from assistant.storage.opening import Schema, open_connection
from assistant.storage.repair import backups_of
from tests.unit.conversation_stores import TickingClock, contents, user

ALICE = "alice"


def first_version(path: Path) -> None:
    """A file of version 1: an edited question, the first version of which had a long answer."""
    db = open_connection(path, Schema(SCHEMA.application_id, SCHEMA.migrations[:1]))
    db.execute(
        "INSERT INTO conversation (owner, id, title, pinned, head, created, updated) "
        "VALUES ('alice', 's', 'Zürich trip', 1, 5, 1000, 5000), ('alice', 'empty', '', 0, NULL, 1, 1)"
    )
    tree = [(1, None, 0, 1), (2, 1, 1, 0), (3, 2, 2, 0), (4, 1, 1, 0), (5, 1, 1, 1)]
    for key, parent, depth, shown in tree:
        db.execute(
            "INSERT INTO message VALUES (?1, 'm' || ?1, 1, ?2, NULL, ?3, ?4, 'user', 'text ' || ?1, 'complete', "
            "?1 * 1000, '{\"n\":1}')",
            (key, parent, depth, shown),
        )
        db.execute("INSERT INTO message_words (rowid, words) VALUES (?1, ' text ' || ?1 || ' ')", (key,))
    db.close()


async def test_a_file_of_the_first_version_opens_with_everything_in_it(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    first_version(path)
    store = await SqliteConversationStore.open(path, clock=TickingClock(), check=True)
    try:
        listed = await store.list(user_id=ALICE)
        assert [(c.session_id, c.title, c.pinned, c.archived) for c in listed] == [
            ("s", "Zürich trip", True, False),
            ("empty", "", False, False),
        ]
        page = await store.messages("s", user_id=ALICE)
        assert [(m.content, m.variant, m.variants) for m in page.items] == [
            ("text 1", 1, 1),
            ("text 5", 3, 3),
        ]
        (hit,) = await store.search("zurich", user_id=ALICE)
        assert (hit.session_id, hit.message_id) == ("s", "m1")
        (hit,) = await store.search("3", user_id=ALICE)
        assert (hit.message_id, hit.on_path) == ("m3", False)
        assert (await store.choose("s", "m2", user_id=ALICE)).message_count == 3
        assert contents(await store.messages("s", user_id=ALICE)) == ["text 1", "text 2", "text 3"]
        assert await store.database.integrity() == []
    finally:
        await store.close()


async def test_before_a_file_of_the_first_version_is_changed_it_is_copied(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    first_version(path)
    await (await SqliteConversationStore.open(path)).close()
    (backup,) = backups_of(path)
    copy = apsw.Connection(str(backup), flags=apsw.SQLITE_OPEN_READONLY)
    assert copy.pragma("user_version") == 1
    assert list(copy.execute("SELECT count(*) FROM message")) == [(5,)]
    copy.close()


async def filled(path: Path) -> bytes:
    """A sound file, and its bytes."""
    store = await SqliteConversationStore.open(path, clock=TickingClock())
    await store.create(user_id=ALICE, title="Zürich trip", session_id="s")
    for n in range(40):
        message = Message("user" if n % 2 else "assistant", f"message {n} über zebras " * 8, {"k": "v" * 30})
        await store.append("s", message, user_id=ALICE)
    await store.close()
    return path.read_bytes()


async def use(store: SqliteConversationStore) -> int:
    """Use what there is; returns how many calls gave a storage error. No other error comes through."""
    failed = 0
    for call in (
        lambda: store.list(user_id=ALICE),
        lambda: store.messages("s", user_id=ALICE),
        lambda: store.search("zebra", user_id=ALICE),
        lambda: store.search("zurich", user_id=ALICE),
        lambda: store.append("s", user("one more"), user_id=ALICE),
        lambda: store.delete("s", user_id=ALICE),
    ):
        try:
            await call()
        except StorageError:
            failed += 1
    return failed


async def test_a_flipped_bit_anywhere_is_a_storage_error_or_a_damaged_character(tmp_path: Path) -> None:
    good = await filled(tmp_path / "good.sqlite")
    source = random.Random(7)
    refused = worked = 0
    for number in range(120):
        path = tmp_path / f"{number}.sqlite"
        flipped = bytearray(good)
        flipped[source.randrange(len(good))] ^= 1 << source.randrange(8)
        path.write_bytes(flipped)
        try:
            store = await SqliteConversationStore.open(path, clock=TickingClock(), check=True)
        except StorageError:
            refused += 1
            assert path.read_bytes() == flipped
            continue
        try:
            worked += not await use(store)
        finally:
            await store.close()
    assert refused > 0
    assert worked > 60


async def test_a_damaged_letter_costs_that_letter_only(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    store = await SqliteConversationStore.open(path, clock=TickingClock())
    await store.create(user_id=ALICE, title="Zebra trip", session_id="s")
    await store.append("s", Message("user", "before"), user_id=ALICE)
    await store.append("s", Message("user", "Zebra crossing", {"note": "striped"}), user_id=ALICE)
    await store.append("s", Message("user", "after"), user_id=ALICE)
    await store.close()
    damaged = path.read_bytes()
    for old, new in (
        (b"Zebra crossing", b"Zebra cr\xffssing"),
        (b"Zebra trip", b"Zebra tr\xffp"),
        (b'{"note":"striped"}', b'{"note:"striped"}}'),
    ):
        assert damaged.count(old) == 1
        damaged = damaged.replace(old, new)
    path.write_bytes(damaged)
    store = await SqliteConversationStore.open(path, clock=TickingClock(), check=True)
    try:
        assert [c.title for c in await store.list(user_id=ALICE)] == ["Zebra tr\ufffdp"]
        page = await store.messages("s", user_id=ALICE)
        assert contents(page) == ["before", "Zebra cr\ufffdssing", "after"]
        assert page.items[1].metadata == {}
        found = {hit.snippet for hit in await store.search("zebra", user_id=ALICE)}
        assert found == {"Zebra tr\ufffdp", "Zebra cr\ufffdssing"}
    finally:
        await store.close()


async def test_a_damaged_role_is_never_the_users_and_a_damaged_state_is_cut(tmp_path: Path) -> None:
    path = tmp_path / "conversations.sqlite"
    store = await SqliteConversationStore.open(path, clock=TickingClock())
    await store.create(user_id=ALICE, session_id="s")
    await store.append("s", user("text"), user_id=ALICE)

    def damage(db: apsw.Connection) -> None:
        db.execute("UPDATE message SET role = 'usfr', state = 'comqlete'")

    await store.database.write(damage)
    (message,) = (await store.messages("s", user_id=ALICE)).items
    assert (message.role, message.state, message.content) == ("assistant", "cut", "text")
    await store.close()
