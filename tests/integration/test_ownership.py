"""What belongs to the user, in the running application: export, wipe, import; where a key goes."""

from __future__ import annotations

import os
from pathlib import Path

from assistant.storage.scan import find_bytes
from benchmarks.virtual_screen import virtual_screen
from tests.chat_server import ChatServer, says
from tests.integration.running import running, settings

KEY = "sk-test-4f9a1c27e8b04d3fa2b7c6d5e4f30918"
FACTS = ["Allergic to penicillin since 1994.", "The boat is called Möwe.", "Prefers trains to planes."]


async def test_export_wipe_import_brings_the_same_memories_back(app_home: Path, tmp_path: Path) -> None:
    export = tmp_path / "memories.json"
    with virtual_screen():
        settings(app_home)
        async with running(app_home, "wipe_and_import", str(export)) as app:
            wiped = await app.seen()
            assert sorted(wiped["before"]) == sorted(FACTS)
            assert find_bytes(Path(wiped["directory"]), FACTS) == []
            app.go_on()
            back = await app.seen()
            assert await app.ended() == (0, "")
    assert sorted(back["after"]) == sorted(FACTS)


async def test_a_key_goes_to_the_key_store_and_into_no_file(app_home: Path) -> None:
    with virtual_screen():
        async with ChatServer() as server:
            server.default = says("Hello.")
            settings(app_home)
            async with running(app_home, "store_key", server.base_url, KEY) as app:
                seen = await app.seen()
                assert await app.ended() == (0, "")
            assert server.chats[0].headers["authorization"] == f"Bearer {KEY}"
            assert seen["messages"][-1]["text"] == "Hello."
            assert "key store" in seen["note"]
            # A new start finds it again: it is in the key store.
            async with running(app_home, "ask_again") as app:
                assert (await app.seen())["messages"][-1]["text"] == "Hello."
                assert await app.ended() == (0, "")
            assert server.chats[-1].headers["authorization"] == f"Bearer {KEY}"
    assert find_bytes(app_home, [KEY, KEY[8:]]) == []


async def test_without_a_key_store_the_window_says_that_the_key_is_for_this_session(app_home: Path) -> None:
    no_store = {"PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring"}
    with virtual_screen():
        async with ChatServer() as server:
            server.default = says("Hello.")
            settings(app_home)
            async with running(app_home, "store_key", server.base_url, KEY, environment=no_store) as app:
                seen = await app.seen()
                assert await app.ended() == (0, "")
    assert "until you close the app" in seen["note"]
    assert find_bytes(app_home, [KEY, KEY[8:]]) == []
    assert os.listdir(app_home)
