"""A temporary conversation leaves no byte behind, however its process ends; one that was kept survives the same end."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.conversation.temporary import StoreWithTemporary
from assistant.storage.scan import find_bytes

REPO = Path(__file__).resolve().parents[2]
TRACES = ["quokka", "wallaby", "platypus", "bandicoot", "numbat", "passing-by"]

CHILD = """
import asyncio, os, sys
from pathlib import Path
from assistant.conversation.sqlite_store import SqliteConversationStore
from assistant.conversation.temporary import StoreWithTemporary
from assistant.core.types import Message

folder, ending = Path(sys.argv[1]), sys.argv[2]

def told(what):
    print(what, flush=True)
    sys.stdin.readline()

async def main():
    store = StoreWithTemporary(await SqliteConversationStore.open(folder / "conversations.sqlite"))
    me = {"user_id": "alice"}
    lasting = (await store.create(title="lasting", session_id="lasting", **me)).session_id
    await store.append(lasting, Message("user", "ordinary before"), **me)
    passing = (await store.create(title="quokka", session_id="passing-by", temporary=True, **me)).session_id
    for length in range(1, 9):
        await store.save_draft(passing, "platypus"[:length], **me)
    told("drafted")
    asked = await store.append(passing, Message("user", "wallaby question", {"note": "numbat"}), **me)
    answer = await store.begin_reply(passing, metadata={"model": "numbat"}, after=asked.message_id, **me)
    for _ in range(300):
        await store.extend_reply(answer.message_id, "bandicoot ", **me)
    told("streaming")
    await store.finish_reply(answer.message_id, **me)
    await store.branch(passing, asked.message_id, Message("user", "quokka edited"), **me)
    await store.choose(passing, answer.message_id, **me)
    await store.rename(passing, "quokka renamed", **me)
    await store.search("quokka", **me)
    await store.append(lasting, Message("user", "ordinary after"), **me)
    await store.save_draft(passing, "platypus again", **me)
    told("answered")
    if ending == "keep":
        await store.keep(passing, **me)
        told("kept")
    if ending == "abort":
        os.abort()
    if ending == "raise":
        raise RuntimeError("the end")
    await store.close()
    told("closed")

asyncio.run(main())
"""


@asynccontextmanager
async def child(folder: Path, ending: str = "") -> AsyncIterator[asyncio.subprocess.Process]:
    """The process, whose home and temporary files are in `folder` as well."""
    for name in ("home", "tmp", "store"):
        (folder / name).mkdir(exist_ok=True)
    places = {
        name: str(folder / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "KEEPSAKE_HOME")
    }
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        CHILD,
        str(folder / "store"),
        ending,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=folder / "home",
        env={**os.environ, **places, "TMPDIR": str(folder / "tmp"), "PYTHONPATH": str(REPO)},
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def until(process: asyncio.subprocess.Process, what: str) -> None:
    """Let it go on until it has told `what`; it waits there."""
    assert process.stdout is not None
    assert process.stdin is not None
    while line := await process.stdout.readline():
        if line.decode().strip() == what:
            return
        process.stdin.write(b"\n")
    assert process.stderr is not None
    raise AssertionError((await process.stderr.read()).decode()[-2000:])


@asynccontextmanager
async def reopened(folder: Path) -> AsyncIterator[StoreWithTemporary]:
    disk = await SqliteConversationStore.open(folder / "store" / "conversations.sqlite", check=True)
    store = StoreWithTemporary(disk)
    try:
        yield store
    finally:
        await store.close()


@pytest.mark.parametrize("moment", ["drafted", "streaming", "answered"])
async def test_no_byte_is_on_disk_while_it_runs_or_after_kill_9(tmp_path: Path, moment: str) -> None:
    async with child(tmp_path) as process:
        await until(process, moment)
        assert find_bytes(tmp_path, TRACES) == []
        process.kill()
        await process.wait()
        assert find_bytes(tmp_path, TRACES) == []
        assert find_bytes(tmp_path, ["ordinary before"]) != []
    async with reopened(tmp_path) as store:
        assert [c.session_id for c in await store.list(user_id="alice", archived=None)] == ["lasting"]
        assert await store.get("passing-by", user_id="alice") is None
        assert await store.search("quokka", user_id="alice") == []
    assert find_bytes(tmp_path, TRACES) == []


@pytest.mark.parametrize("ending", ["abort", "raise", ""])
async def test_no_byte_is_on_disk_after_a_crash_or_an_ordinary_end(tmp_path: Path, ending: str) -> None:
    async with child(tmp_path, ending) as process:
        await until(process, "answered")
        output, _ = await process.communicate(b"\n\n")
        assert (process.returncode == 0) == (ending == "")
        assert (b"closed" in output) == (ending == "")
    assert find_bytes(tmp_path, TRACES) == []
    async with reopened(tmp_path) as store:
        assert (await store.messages("lasting", user_id="alice")).total == 2
    assert find_bytes(tmp_path, TRACES) == []


async def test_once_it_is_kept_kill_9_loses_nothing(tmp_path: Path) -> None:
    async with child(tmp_path, "keep") as process:
        await until(process, "kept")
        process.kill()
        await process.wait()
    async with reopened(tmp_path) as store:
        kept = await store.get("passing-by", user_id="alice")
        assert kept is not None
        assert (kept.title, kept.temporary, kept.message_count) == ("quokka renamed", False, 2)
        page = await store.messages("passing-by", user_id="alice")
        assert [m.content for m in page.items] == ["wallaby question", "bandicoot " * 300]
        assert [m.variants for m in page.items] == [2, 1]
        assert await store.draft("passing-by", user_id="alice") == "platypus again"
        assert len(await store.search("quokka", user_id="alice")) == 2
