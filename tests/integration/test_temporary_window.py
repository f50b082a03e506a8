"""A temporary conversation in the real program: no byte of it is left, however the program ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.storage.scan import find_bytes
from benchmarks.virtual_screen import virtual_screen
from tests.chat_server import ChatServer, says
from tests.integration.running import running, settings

SAID = "Whispers of a quokka: is it temporary?"
EDITED = "Murmurs of a wallaby instead"
DRAFT = "platypus unfinished"
REPLIES = ("The bandicoot replies.", "The numbat replies.", "The kookaburra replies.")
TRACES = ["quokka", "wallaby", "platypus", "bandicoot", "numbat", "kookaburra"]


def places(folder: Path) -> dict[str, str]:
    """Everywhere the program could write: home and temporary files are below `folder` too."""
    for name in ("home", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    user = str(folder / "home")
    return {
        "HOME": user,
        "TMPDIR": str(folder / "tmp"),
        **{f"XDG_{kind}_HOME": f"{user}/{kind.lower()}" for kind in ("CACHE", "CONFIG", "DATA", "STATE")},
    }


@pytest.mark.parametrize("ending", ["kill", "close"])
async def test_no_byte_of_it_is_on_disk_while_it_is_open_or_after_the_end(
    app_home: Path, tmp_path: Path, ending: str
) -> None:
    with virtual_screen():
        async with ChatServer() as server:
            server.answer(*(says(reply) for reply in REPLIES))
            settings(
                app_home,
                endpoint="custom",
                base_url=server.base_url,
                model="test-model",
                cache_mode="semantic",
                memory_extraction=True,
            )
            environment = places(tmp_path)
            async with running(
                app_home, "temporary", SAID, EDITED, DRAFT, ending, environment=environment
            ) as app:
                seen = await app.seen()
                traces = [*TRACES, seen["session"]]
                assert [m["text"] for m in seen["messages"]] == [EDITED, REPLIES[2]]
                assert (seen["draft"], seen["title"]) == (DRAFT, "Whispers of a quokka: is it temporary?")
                assert find_bytes(tmp_path, traces) == []
                if ending == "kill":
                    app.process.kill()
                    await app.process.wait()
                else:
                    app.go_on()
                    assert (await app.ended())[0] == 0
            assert find_bytes(tmp_path, traces) == []
            # The scan looks where the program writes.
            assert find_bytes(tmp_path, [server.base_url.encode()]) != []
            async with running(
                app_home, "say_and_look", "An ordinary pelican", environment=environment
            ) as app:
                again = await app.seen()
                assert (await app.ended())[0] == 0
            assert again["conversations"] == ["An ordinary pelican"]
            assert find_bytes(tmp_path, traces) == []
            assert find_bytes(tmp_path, ["ordinary pelican"]) != []


async def test_once_it_is_kept_kill_9_loses_nothing(app_home: Path, tmp_path: Path) -> None:
    with virtual_screen():
        async with ChatServer() as server:
            server.answer(*(says(reply) for reply in REPLIES))
            settings(app_home, endpoint="custom", base_url=server.base_url, model="test-model")
            async with running(app_home, "temporary", SAID, EDITED, DRAFT, "keep") as app:
                await app.seen()
                app.go_on()
                assert (await app.seen())["kept"]
                app.process.kill()
                await app.process.wait()
            async with running(app_home, "look_at_first") as app:
                again = await app.seen()
                assert (await app.ended())[0] == 0
    assert [m["text"] for m in again["messages"]] == [EDITED, REPLIES[2]]
    assert again["draft"] == DRAFT
    assert again["versions"] == [[2, 2], [1, 1]]
