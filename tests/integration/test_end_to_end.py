"""The whole line, on real parts: window, Chroma, embedding model, and SmolLM2 behind llama.cpp."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path

from assistant.models.local_model import LocalModelServer, trial_model_path
from benchmarks.virtual_screen import virtual_screen
from tests.chat_server import ChatServer, Exchange, Reply
from tests.integration.running import running, settings

FACT = "Project Atlas ships on 2026-09-01; the platform team owns it"
QUESTION = "When does Atlas ship, and who owns it?"


def passes_on_to(server: LocalModelServer) -> Reply:
    """Hands a request to the real model server, byte for byte, and its answer back."""

    async def reply(exchange: Exchange) -> None:
        endpoint = await server.start()
        host, port = endpoint.address
        reader, writer = await asyncio.open_connection(host, port)
        request = exchange.request
        head = (
            f"POST {request.path} HTTP/1.1\r\nHost: {host}:{port}\r\nContent-Type: application/json\r\n"
            f"Authorization: Bearer {endpoint.api_key}\r\nContent-Length: {len(request.body)}\r\n"
            "Connection: close\r\n\r\n"
        )
        writer.write(head.encode() + request.body)
        await writer.drain()
        while part := await reader.read(65536):
            await exchange.raw(part)
        writer.close()

    return reply


async def test_a_fact_told_once_is_used_in_a_later_answer_and_survives_a_restart(app_home: Path) -> None:
    model = LocalModelServer(trial_model_path())
    try:
        with virtual_screen():
            async with ChatServer() as server:
                server.default = passes_on_to(model)
                settings(app_home, endpoint="custom", base_url=server.base_url, model="SmolLM2")
                async with running(app_home, "remember_and_ask", FACT, QUESTION) as app:
                    seen = await app.seen()
                    assert await app.ended() == (0, "")
                sent = server.chats[0].messages
            assert sent[-1] == {"role": "user", "content": QUESTION}
            assert any(m["role"] == "system" and "2026-09-01" in m["content"] for m in sent)
            question, reply = seen["messages"]
            assert question["text"] == QUESTION
            assert reply["state"] == "complete"
            assert reply["text"].strip()
            assert reply["recalled"] == [FACT]

            async with running(app_home, "look") as app:
                again = await app.seen()
                assert await app.ended() == (0, "")
        assert again["messages"] == seen["messages"]
        assert again["memories"] == [FACT]
        assert len(again["conversations"]) == 1
    finally:
        await model.stop()


async def test_the_first_start_leads_to_a_chat_with_the_model_on_this_computer(app_home: Path) -> None:
    with virtual_screen():
        async with running(app_home, "first_start", "Say hello.") as app:
            seen = await app.seen()
            assert await app.ended() == (0, "")
    assert seen["destination"][1:] == ["this computer", True]
    assert [m["role"] for m in seen["messages"]] == ["user", "assistant"]
    assert seen["messages"][1]["state"] == "complete"
    assert seen["messages"][1]["text"].strip()


async def test_no_connection_leaves_this_computer(app_home: Path, tmp_path: Path) -> None:
    """Watches the system calls of the application and all its children, native code included."""
    strace = shutil.which("strace")
    assert strace, "strace is missing; see packaging/check_system.py"
    trace = tmp_path / "trace"
    calls = "trace=connect,sendto,sendmsg,sendmmsg"
    with virtual_screen():
        async with running(
            app_home,
            "first_start",
            "Say hello.",
            prefix=(strace, "-f", "-qq", "-e", calls, "-e", "signal=none", "-o", str(trace)),
        ) as app:
            await app.seen()
            code, _ = await app.ended()
    assert code == 0
    lines = trace.read_text(errors="replace").splitlines()
    connections = [line for line in lines if "sa_family=AF_INET" in line]
    assert any("htons(" in line for line in connections), "the trace has seen no connection at all"
    foreign = [
        line for line in connections if not re.search(r'inet_addr\("127\.|inet_pton\(AF_INET6, "::1"', line)
    ]
    assert foreign == []
    # A name look-up would go to port 53, on loopback too.
    assert [line for line in connections if "htons(53)" in line] == []
