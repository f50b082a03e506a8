"""mem0 keeps the promises of every memory provider; and what only mem0 does, or must be kept from doing."""

from __future__ import annotations

import asyncio
import importlib.metadata
import logging
import os
import subprocess
import sys
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from assistant.core.errors import (
    ConfigError,
    EmbeddingModelError,
    InvalidInputError,
    MemoryStoreError,
    ModelError,
    ModelServerError,
    StoreClosedError,
    StoreInUseError,
)
from assistant.embedding.base import Priority, Vectors
from assistant.memory import BrowsableMemory, ChromaProvider, Mem0Provider, MemoryScope, NewMemory
from assistant.models.scripted import ScriptedModel
from assistant.storage.scan import find_bytes
from tests.chat_server import HANG, ChatServer, fails, says, streams
from tests.conftest import REPO
from tests.mem0_fixtures import extracting, extracts, verbatim
from tests.memory_conformance import ProviderConformance
from tests.memory_fixtures import HashEmbedder
from tests.memory_isolation import Isolation, isolation_settings

KEYS = ("OPENAI_API_KEY", "OPENROUTER_API_KEY", "MEM0_API_KEY", "OPENAI_ORG_ID", "AZURE_OPENAI_API_KEY")
ADDRESSES = (
    "OPENAI_BASE_URL",
    "OPENAI_API_BASE",
    "OPENROUTER_API_BASE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
)


class TestMem0(ProviderConformance):
    @pytest.fixture(autouse=True)
    def folder(self, tmp_path: Path) -> None:
        self._folder = tmp_path / "memory"

    def opened(self, scope: MemoryScope) -> AbstractAsyncContextManager[BrowsableMemory]:
        return verbatim(self._folder, scope)


class Mem0Isolation(Isolation):
    def provider(self) -> BrowsableMemory:
        self.folder = TemporaryDirectory()
        return Mem0Provider(
            persist_directory=self.folder.name, scope=MemoryScope.PER_USER, embedder=HashEmbedder()
        )

    def teardown(self) -> None:
        super().teardown()
        self.folder.cleanup()


TestMem0Isolation = Mem0Isolation.TestCase
TestMem0Isolation.settings = isolation_settings(examples=3, steps=20)


async def test_memories_are_there_when_the_folder_is_opened_again(tmp_path: Path) -> None:
    async with verbatim(tmp_path) as memory:
        kept = await memory.add("Allergic to peanuts", metadata={"a": [1]}, user_id="alice")
        await memory.add_many([NewMemory("Likes tea", memory_id="*")], user_id="alice")
    async with verbatim(tmp_path) as memory:
        found = await memory.get(kept, user_id="alice")
        assert found is not None
        assert (found.content, found.metadata) == ("Allergic to peanuts", {"a": [1]})
        assert (await memory.search("tea", user_id="alice"))[0].memory_id == "*"
        assert await memory.count(user_id="alice") == 2


async def test_without_a_folder_each_provider_is_alone() -> None:
    async with verbatim(None) as here, verbatim(None) as there:
        await here.add("Allergic to peanuts", user_id="alice")
        assert await there.search("peanuts", user_id="alice") == []
        assert len(await here.search("peanuts", user_id="alice")) == 1


async def test_a_score_is_the_cosine(tmp_path: Path) -> None:
    async with verbatim(tmp_path) as memory:
        await memory.add_many([NewMemory(text) for text in ("green tea", "tea", "submarine")], user_id="a")
        scores = {result.content: result.score for result in await memory.search("tea", user_id="a")}
    [tea, both, other] = await HashEmbedder().embed(["tea", "green tea", "submarine"])
    assert scores["tea"] == pytest.approx(1.0, abs=1e-5)
    assert scores["green tea"] == pytest.approx(float(tea @ both), abs=1e-5)
    assert scores["submarine"] == pytest.approx(max(0.0, float(tea @ other)), abs=1e-5)


async def test_an_owner_among_many_finds_all_of_theirs(tmp_path: Path) -> None:
    async with verbatim(tmp_path) as memory:
        for owner in ("alice", "bob", "carol"):
            items = [NewMemory(f"tea {owner} {number}") for number in range(70)]
            await memory.add_many(items, user_id=owner)
        assert len(await memory.search("tea", limit=200, user_id="bob")) == 70


async def test_a_second_program_is_told_that_the_folder_is_in_use(tmp_path: Path) -> None:
    async with verbatim(tmp_path) as memory, verbatim(tmp_path) as other:
        await memory.add("tea", user_id="alice")
        with pytest.raises(StoreInUseError):
            await other.add("tea", user_id="alice")


async def test_memories_of_another_program_are_left_alone(tmp_path: Path) -> None:
    plain = ChromaProvider(persist_directory=tmp_path / "plain", embedder=HashEmbedder())
    await plain.add("tea")
    await plain.close()
    async with verbatim(tmp_path / "plain", MemoryScope.SHARED) as memory:
        with pytest.raises(MemoryStoreError, match="another program"):
            await memory.add("coffee")
    async with verbatim(tmp_path / "mem0", MemoryScope.SHARED) as memory:
        await memory.add("tea")
    plain = ChromaProvider(persist_directory=tmp_path / "mem0", embedder=HashEmbedder())
    with pytest.raises(MemoryStoreError, match="another program"):
        await plain.search("tea")
    await plain.close()


async def test_vectors_of_two_models_are_not_mixed(tmp_path: Path) -> None:
    async with verbatim(tmp_path) as memory:
        await memory.add("tea", user_id="alice")
    async with verbatim(tmp_path, embedder=HashEmbedder("other-96")) as memory:
        with pytest.raises(MemoryStoreError, match="another embedding model"):
            await memory.add("coffee", user_id="alice")
        with pytest.raises(MemoryStoreError, match="another embedding model"):
            await memory.search("tea", user_id="alice")
        assert await memory.count(user_id="alice") == 1


async def test_the_folder_holds_nothing_but_the_index(tmp_path: Path) -> None:
    folder = tmp_path / "memory"
    async with verbatim(folder) as memory:
        kept = await memory.add("Allergic to peanuts", user_id="alice")
        await memory.update(kept, "Allergic to walnuts", user_id="alice")
        await memory.delete(kept, user_id="alice")
    files = {path.relative_to(folder).parts[-1] for path in folder.rglob("*") if path.is_file()}
    assert not [name for name in files if "history" in name or name == "config.json"]
    assert "chroma.sqlite3" in files


async def test_no_memory_is_written_to_a_log(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with verbatim(tmp_path) as memory:
        kept = await memory.add("Allergic to peanuts", user_id="alice")
        await memory.update(kept, "Allergic to walnuts", user_id="alice")
        await memory.search("peanuts", user_id="alice")
        await memory.delete(kept, user_id="alice")
    assert [record for record in caplog.records if "nuts" in record.getMessage()] == []


async def test_an_embedder_that_was_given_stays_open_and_a_made_one_is_closed(tmp_path: Path) -> None:
    made: list[HashEmbedder] = []

    async def make() -> HashEmbedder:
        made.append(HashEmbedder())
        return made[-1]

    given = HashEmbedder()
    async with verbatim(tmp_path, embedder=given) as memory:
        await memory.add("tea", user_id="alice")
    async with verbatim(tmp_path, embedder=make) as memory:
        await memory.add("tea", user_id="alice")
    assert given.closed is False
    assert [embedder.closed for embedder in made] == [True]


@pytest.mark.parametrize("version", [None, "1.0.11", "3.0.0"])
def test_without_mem0_it_says_what_to_install(version: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(name: str) -> str:
        if version is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return version

    monkeypatch.setattr(importlib.metadata, "version", answer)
    with pytest.raises(ConfigError) as caught:
        Mem0Provider()
    assert "mem0" in caught.value.message
    assert "keepsake-assistant[mem0]" in caught.value.hint


def test_what_makes_no_sense_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError):
        Mem0Provider("a")
    with pytest.raises(InvalidInputError):
        Mem0Provider(infer=True)
    with pytest.raises(InvalidInputError):
        Mem0Provider(infer=True, model=ScriptedModel(), model_timeout=0)


async def test_the_model_says_what_is_kept(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.answer(extracts("User moved to Porto", "User has a cat"))
        async with extracting(tmp_path, server) as memory:
            said = "I moved to Porto with my cat"
            first = await memory.add(said, metadata={"a": [1]}, user_id="alice")
            page = await memory.list(user_id="alice")
            assert {item.content for item in page.items} == {"User moved to Porto", "User has a cat"}
            assert all(item.metadata == {"a": [1]} for item in page.items)
            assert first in {item.memory_id for item in page.items}
            assert (await memory.search("Porto", user_id="alice"))[0].content == "User moved to Porto"
            assert await memory.count(user_id="bob") == 0
        [asked] = server.chats
        assert said in asked.messages[-1]["content"]
        assert asked.json["model"] == "test-model"


async def test_texts_that_are_added_in_numbers_are_kept_as_they_are(tmp_path: Path) -> None:
    with ChatServer() as server:
        async with extracting(tmp_path, server) as memory:
            await memory.add_many([NewMemory("tea"), NewMemory("coffee")], user_id="alice")
            assert await memory.count(user_id="alice") == 2
        assert server.requests == []


async def test_keys_and_addresses_in_the_environment_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ChatServer() as elsewhere, ChatServer() as server:
        for name in KEYS:
            monkeypatch.setenv(name, f"secret-{name}")
        for name in ADDRESSES:
            monkeypatch.setenv(name, elsewhere.base_url)
        server.answer(extracts("User moved to Porto"))
        async with extracting(tmp_path / "memory", server) as memory:
            await memory.add("I moved to Porto", user_id="alice")
            assert len(await memory.search("Porto", user_id="alice")) == 1
        assert elsewhere.requests == []
        [asked] = server.requests
        assert asked.headers["authorization"] == "Bearer key-of-the-caller"
        assert "secret" not in str(asked.headers) + asked.body.decode()


async def test_the_model_is_shown_nobody_elses_memories_and_nothing_that_was_removed(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.default = extracts("User likes tea")
        async with extracting(tmp_path, server) as memory:
            await memory.add("My password hint is walrus", user_id="alice")
            await memory.add("I like tea", user_id="bob")
            await memory.purge_user("alice")
            server.default = extracts("User likes coffee")
            await memory.add("I like coffee", user_id="alice")
        shown = [request.body.decode() for request in server.chats]
        assert ["walrus" in body for body in shown] == [True, False, False]


async def test_nothing_found_is_an_error_and_not_an_id(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.answer(extracts(), says("I can't help with that."), extracts("tea"), extracts("tea"))
        async with extracting(tmp_path, server) as memory:
            for said in ("Hello", "Good morning"):
                with pytest.raises(MemoryStoreError, match="nothing new"):
                    await memory.add(said, user_id="alice")
            await memory.add("I like tea", user_id="alice")
            with pytest.raises(MemoryStoreError, match="nothing new"):
                await memory.add("I do like tea", user_id="alice")
            assert await memory.count(user_id="alice") == 1


async def test_a_model_that_fails_is_the_models_error_and_nothing_is_kept(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.answer(fails(500, "out of order"), extracts("User likes tea"))
        async with extracting(tmp_path, server) as memory:
            with pytest.raises(ModelServerError):
                await memory.add("I like tea", user_id="alice")
            assert await memory.count(user_id="alice") == 0
            await memory.add("I like tea", user_id="alice")
            assert await memory.count(user_id="alice") == 1


async def test_a_model_that_never_answers_is_given_up(tmp_path: Path) -> None:
    with ChatServer() as server:
        server.answer(streams(HANG))
        async with extracting(tmp_path, server, model_timeout=0.2) as memory:
            with pytest.raises(ModelError, match="did not answer"):
                await memory.add("I like tea", user_id="alice")
            assert await memory.count(user_id="alice") == 0


async def test_a_model_that_goes_on_and_on_is_given_up(tmp_path: Path) -> None:
    model = ScriptedModel(["x" * 300_000])
    async with verbatim(tmp_path, infer=True, model=model) as memory:
        with pytest.raises(ModelError, match="too long"):
            await memory.add("I like tea", user_id="alice")


async def test_nobody_waits_for_a_memory_while_the_model_thinks(tmp_path: Path) -> None:
    answering = asyncio.Event()
    model = ScriptedModel([[answering, '{"memory": [{"text": "User likes tea", "attributed_to": "user"}]}']])
    async with verbatim(tmp_path, infer=True, model=model) as memory:
        [kept] = await memory.add_many([NewMemory("Has a cat")], user_id="alice")
        adding = asyncio.ensure_future(memory.add("I like tea", user_id="alice"))
        while not model.calls:
            await memory.get(kept, user_id="alice")
        assert len(await memory.search("cat", user_id="alice")) == 1
        assert await memory.update(kept, "Has two cats", user_id="alice")
        assert not adding.done()
        answering.set()
        await adding
        page = await memory.list(user_id="alice")
        assert {item.content for item in page.items} == {"Has two cats", "User likes tea"}


async def test_what_is_removed_while_the_model_thinks_does_not_come_back(tmp_path: Path) -> None:
    answering = asyncio.Event()
    model = ScriptedModel([[answering, '{"memory": [{"text": "User has a cat", "attributed_to": "user"}]}']])
    async with verbatim(tmp_path, infer=True, model=model) as memory:
        await memory.add_many([NewMemory("Has a cat")], user_id="alice")
        adding = asyncio.ensure_future(memory.add("Yes", user_id="alice"))
        while not model.calls:
            await memory.count(user_id="alice")
        assert await memory.purge_user("alice") == 1
        answering.set()
        with pytest.raises(MemoryStoreError, match="removed meanwhile"):
            await adding
        assert await memory.count(user_id="alice") == 0
        assert await memory.search("cat", user_id="alice") == []


async def test_closing_gives_up_an_answer_that_is_waited_for(tmp_path: Path) -> None:
    model = ScriptedModel([[asyncio.Event(), "never"]])
    async with verbatim(tmp_path, infer=True, model=model) as memory:
        adding = asyncio.ensure_future(memory.add("I like tea", user_id="alice"))
        while not model.calls:
            await memory.count(user_id="alice")
        await memory.close()
        with pytest.raises(StoreClosedError):
            await adding
    assert model.interrupted == 1
    async with verbatim(tmp_path) as memory:
        assert await memory.count(user_id="alice") == 0


async def test_a_cancelled_extraction_leaves_the_memory_usable(tmp_path: Path) -> None:
    answering = asyncio.Event()
    model = ScriptedModel([[answering, '{"memory": []}']])
    async with verbatim(tmp_path, infer=True, model=model) as memory:
        adding = asyncio.ensure_future(memory.add("I like tea", user_id="alice"))
        while not model.calls:
            await memory.count(user_id="alice")
        adding.cancel()
        await asyncio.gather(adding, return_exceptions=True)
        await memory.add_many([NewMemory("Has a cat")], user_id="alice")
        assert await memory.count(user_id="alice") == 1
        answering.set()


async def test_an_embedder_that_fails_while_the_model_extracts_is_an_error(tmp_path: Path) -> None:
    class Failing(HashEmbedder):
        async def embed(self, texts: list[str], *, priority: Priority = "index") -> Vectors:  # type: ignore[override]
            if "User likes tea" in texts:
                raise EmbeddingModelError("The embedding model is gone.")
            return await super().embed(texts, priority=priority)

    with ChatServer() as server:
        server.answer(extracts("User likes tea"))
        async with extracting(tmp_path, server, embedder=Failing()) as memory:
            with pytest.raises(EmbeddingModelError):
                await memory.add("I like tea", user_id="alice")
            assert await memory.count(user_id="alice") == 0


EXTRACT = """
import asyncio, os, sys
from assistant.memory import Mem0Provider, MemoryScope
from assistant.models.endpoint import Endpoint
from assistant.models.openai_chat import OpenAIChatModel
from tests.memory_fixtures import HashEmbedder

async def remember():
    before = dict(os.environ)
    model = OpenAIChatModel(Endpoint("custom", sys.argv[2], api_key="key-of-the-caller"), "test-model")
    memory = Mem0Provider(
        persist_directory=sys.argv[1], scope=MemoryScope.PER_USER, embedder=HashEmbedder(), infer=True, model=model
    )
    kept = await memory.add("I moved to Porto", user_id="alice")
    await memory.search("yesterday in Porto", limit=60, user_id="alice")
    await memory.update(kept, "Moved to Lisbon", user_id="alice")
    await memory.delete(kept, user_id="alice")
    await memory.purge_user("alice")
    await memory.close()
    await model.close()
    assert dict(os.environ) == before

asyncio.run(remember())
"""

IMPORTED_BEFORE = "import mem0.memory.main\n" + EXTRACT
"""A program that uses mem0 by itself, with its telemetry on: then its folder is there already."""


@pytest.mark.parametrize("before", [False, True], ids=["first", "imported before"])
def test_nobody_is_called_but_the_model_and_nothing_is_left_outside_the_folder(
    before: bool, home: Path, tmp_path: Path
) -> None:
    trace, scratch = tmp_path / "trace", tmp_path / "scratch"
    scratch.mkdir()
    with ChatServer() as server, ChatServer() as elsewhere:
        server.answer(extracts("User moved to Porto"))
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("MEM0", "POSTHOG"))},
            **dict.fromkeys(ADDRESSES, elsewhere.base_url),
            **{name: f"secret-{name}" for name in KEYS},
            "HOME": str(home),
            "TMPDIR": str(scratch),
            "PYTHONPATH": str(REPO),
        }
        code = IMPORTED_BEFORE if before else EXTRACT
        command = ["strace", "-f", "-qq", "-e", "trace=connect,sendto,sendmsg,sendmmsg", "-o", str(trace)]
        command += [sys.executable, "-c", code, str(tmp_path / "memory"), server.base_url]
        ended = subprocess.run(
            command, cwd=home, env=environment, capture_output=True, text=True, timeout=120
        )
        assert ended.returncode == 0, ended.stderr
        assert ended.stderr + ended.stdout == ""
        called = [line for line in trace.read_text(errors="replace").splitlines() if "AF_INET" in line]
        assert called
        assert [line for line in called if f"htons({server.port})" not in line] == []
        assert elsewhere.requests == []
        assert [request.headers["authorization"] for request in server.requests] == [
            "Bearer key-of-the-caller"
        ]
    assert not before or (home / ".mem0").is_dir()
    assert before or list(home.iterdir()) == []
    assert list(scratch.iterdir()) == []
    assert find_bytes(tmp_path / "memory", [f"secret-{name}" for name in KEYS]) == []
