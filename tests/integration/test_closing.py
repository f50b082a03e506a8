"""Closing in mid-stream, with a job running: every way ends in order and without noise.

How long it takes is measured by benchmarks.closing.
"""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from assistant.bootstrap import open_conversations, open_record
from assistant.config.paths import AppPaths
from benchmarks.virtual_screen import virtual_screen
from tests.chat_server import HANG, ChatServer, chunk, event, streams
from tests.integration.running import running, settings

SHOWN = "Once upon a time "
SIGNALS = {"sigterm": signal.SIGTERM, "sigint": signal.SIGINT, "sighup": signal.SIGHUP}


@pytest.mark.parametrize("way", ["button", "ctrl-q", "quit-event", *SIGNALS])
async def test_closing_in_mid_stream_loses_nothing_and_says_nothing(app_home: Path, way: str) -> None:
    with virtual_screen():
        async with ChatServer() as server:
            server.default = streams(event(chunk(SHOWN)), HANG)
            settings(app_home, endpoint="custom", base_url=server.base_url, model="endless")
            async with running(app_home, "stream_for_ever", way) as app:
                await app.seen()
                if way in SIGNALS:
                    app.process.send_signal(SIGNALS[way])
                code, errors = await app.ended()
    assert code == 0
    assert errors == ""
    assert await stored_reply(app_home) == ("stopped", SHOWN)


async def test_after_kill_9_in_mid_stream_the_message_and_the_shown_part_are_there(app_home: Path) -> None:
    with virtual_screen():
        async with ChatServer() as server:
            server.default = streams(event(chunk(SHOWN)), HANG)
            settings(app_home, endpoint="custom", base_url=server.base_url, model="endless")
            async with running(app_home, "stream_for_ever", "wait") as app:
                await app.seen()
                app.process.kill()
                await app.process.wait()
    assert await stored_reply(app_home) == ("cut", SHOWN)


async def stored_reply(home: Path) -> tuple[str, str]:
    """State and text of the only reply in that home."""
    folder = AppPaths.below(home).profile()
    record = await open_record(folder)
    store = await open_conversations(folder)
    try:
        (conversation,) = await store.list(user_id=record.owner_id)
        page = await store.messages(conversation.session_id, user_id=record.owner_id)
        question, reply = page.items
        assert question.content == "Tell me a story without an end."
        return reply.state, reply.content
    finally:
        await asyncio.gather(store.close(), record.close())
