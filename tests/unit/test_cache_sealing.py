"""Sealing: without a key nothing is cached, and a key that is forgotten is no key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet

from assistant.agent import build_agent
from assistant.cache import SemanticCache, key_of
from assistant.cache.sealing import KEY_ENTRY, FernetSealing, KeySource
from assistant.core.errors import SecretsError
from assistant.models.scripted import ScriptedModel
from tests.cache_fixtures import answer_to, ask, keep, opened


class Keys:
    """A key store."""

    def __init__(self, kind: str = "keyring") -> None:
        self._kind = kind
        self.kept: dict[str, str] = {}

    @property
    def kind(self) -> str:
        return self._kind

    async def get(self, endpoint_id: str, *, host: str = "") -> str | None:
        return self.kept.get(endpoint_id)

    async def set(self, endpoint_id: str, secret: str, *, host: str = "") -> None:
        self.kept[endpoint_id] = secret


def test_encryption_without_a_key_source_is_an_error() -> None:
    with pytest.raises(SecretsError):
        SemanticCache(encrypt=True)


async def no_key_async() -> None:
    return None


@pytest.mark.parametrize("key", [lambda: None, lambda: "", no_key_async, lambda: "short", lambda: "ä" * 44])
async def test_encryption_without_a_usable_key_is_an_error_and_caches_nothing(
    tmp_path: Path, key: KeySource
) -> None:
    cache = SemanticCache(backend="sqlite", path=tmp_path / "answers.db", encrypt=True, key=key)
    calls: list[Any] = [
        cache.open(),
        keep(cache, "Who?"),
        ask(cache, "Who?"),
        cache.purge_user("a"),
        cache.forget(["m"]),
    ]
    for call in calls:
        with pytest.raises(SecretsError):
            await call
    await cache.close()
    assert list(tmp_path.glob("answers*")) == []


async def test_an_agent_is_not_built_over_a_cache_whose_key_cant_be_had() -> None:
    cache = SemanticCache(encrypt=True, key=lambda: None)
    with pytest.raises(SecretsError):
        await build_agent(ScriptedModel(), cache=cache)
    await cache.close()


async def test_the_key_is_made_once_and_kept_in_the_key_store() -> None:
    keys = Keys()
    first, second = await_key(key_of(keys)), await_key(key_of(keys))
    assert await first == await second == keys.kept[KEY_ENTRY]


def await_key(source: KeySource) -> Any:
    return source()


async def test_a_key_store_that_forgets_gives_no_key() -> None:
    keys = Keys("session")
    async with opened(encrypt=True, key=key_of(keys)) as cache:
        with pytest.raises(SecretsError):
            await keep(cache, "Who?")
    assert keys.kept == {}


async def test_a_sealed_cache_gives_its_answers() -> None:
    async with opened(encrypt=True, key=key_of(Keys())) as cache:
        await keep(cache, "How do I learn French?", "Täglich – 日本語")
        assert await answer_to(cache, "How can I learn French?") == "Täglich – 日本語"
        assert await cache.purge_user("alice") == 1


def test_what_was_changed_is_not_unsealed() -> None:
    sealing = FernetSealing(Fernet.generate_key())
    sealed = bytearray(sealing.seal(b"secret"))
    assert sealing.unseal(bytes(sealed)) == b"secret"
    sealed[20] ^= 1
    assert sealing.unseal(bytes(sealed)) is None
    assert FernetSealing(Fernet.generate_key()).unseal(sealing.seal(b"secret")) is None
