"""Keys in the real key store of the system."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import pytest

from assistant.config.logs import setup_logs
from assistant.config.paths import AppPaths
from assistant.config.secrets import SecretStore, open_secrets
from assistant.config.settings import Settings
from assistant.config.settings_store import SettingsStore
from assistant.core.errors import SecretsError
from assistant.core.redact import Redactor
from assistant.storage.scan import find_bytes

KEY = "sk-test-Zx81aBcDeFgHiJkLmNoPqRsT"


@asynccontextmanager
async def key_store(redactor: Redactor | None = None) -> AsyncIterator[SecretStore]:
    """The system's key store under a service name of this test alone."""
    store = await open_secrets(service=f"Keepsake test {secrets.token_hex(8)}", redactor=redactor)
    if store.kind != "keyring":
        pytest.fail(
            "There is no Secret Service here. Run the tests with `make test`, or one file with "
            "`tests/with_secret_service.sh .venv/bin/python -m pytest FILE`."
        )
    try:
        yield store
    finally:
        for endpoint, host in (("openai", ""), ("custom", "a.example"), ("custom", "b.example")):
            with suppress(SecretsError):
                await store.delete(endpoint, host=host)


async def test_the_systems_key_store_is_found_and_nothing_needs_to_be_announced() -> None:
    async with key_store() as store:
        assert store.announcement == ""


async def test_a_key_is_kept_read_replaced_and_deleted() -> None:
    async with key_store() as store:
        assert await store.get("openai") is None
        await store.set("openai", KEY)
        assert await store.get("openai") == KEY
        await store.set("openai", "replaced-key-0")
        assert await store.get("openai") == "replaced-key-0"
        assert await store.delete("openai") is True
        assert await store.get("openai") is None
        assert await store.delete("openai") is False


async def test_each_host_has_an_entry_of_its_own() -> None:
    async with key_store() as store:
        await store.set("custom", "key-of-host-a", host="a.example")
        await store.set("custom", "key-of-host-b", host="b.example")
        assert await store.get("custom", host="a.example") == "key-of-host-a"
        await store.delete("custom", host="a.example")
        assert await store.get("custom", host="b.example") == "key-of-host-b"


async def test_the_longest_key_and_every_sign_come_back_as_they_were() -> None:
    async with key_store() as store:
        long = "".join(chr(33 + n % 94) for n in range(2_000))
        await store.set("openai", long)
        assert await store.get("openai") == long


async def test_calls_at_the_same_time_do_not_mix_up_keys() -> None:
    async with key_store() as store:
        hosts = {"a.example": "key-of-host-a", "b.example": "key-of-host-b"}
        await asyncio.gather(*(store.set("custom", key, host=host) for host, key in hosts.items()))
        read = await asyncio.gather(*(store.get("custom", host=host) for host in hosts))
        assert read == list(hosts.values())


async def test_the_key_is_in_no_file_of_keepsake() -> None:
    places = AppPaths.for_user()
    places.ensure()
    redactor = Redactor()
    log = setup_logs(places.logs, logging.DEBUG, redactor=redactor)
    settings = SettingsStore(places.settings_file, redactor=redactor)
    try:
        async with key_store(redactor) as store:
            await store.set("openai", KEY)
            settings.save(Settings(endpoint="openai", model="gpt"))
            logging.getLogger("assistant.models").error("refused %s", KEY, exc_info=ValueError(KEY))
            logging.getLogger("keyring").warning("storing %s", KEY)
            folders = (places.data, places.config, places.cache, places.logs, Path.home())
            assert [find_bytes(folder, [KEY, KEY[8:]]) for folder in folders] == [[]] * 5
            assert find_bytes(places.logs, ["refused [redacted]"])
    finally:
        log.close()
