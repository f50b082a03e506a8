"""Keys: which stores are trusted, what is said without one, and failures that are never hidden."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest
from keyring.backends.chainer import ChainerBackend
from keyring.backends.fail import Keyring as FailKeyring
from keyring.backends.null import Keyring as NullKeyring
from keyring.errors import KeyringError

from assistant.config.keyring_secrets import KeyringSecrets, find_backend, score
from assistant.config.secret_entries import entry_name
from assistant.config.secrets import SecretStore, SessionSecrets, open_secrets
from assistant.core.errors import InvalidInputError, SecretsError
from assistant.core.redact import Redactor

KEY = "sk-test-0123456789abcdefghij"


class DictBackend:
    """A key store in a dictionary."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.entries[service, username]


class FailingBackend(DictBackend):
    """A key store that was there at the start and then locks."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringError(f"locked, value {KEY}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError(f"D-Bus gone while storing {password}")


class ForgetfulBackend(DictBackend):
    """A key store that says yes and keeps nothing."""

    def set_password(self, service: str, username: str, password: str) -> None:
        return


class HangingBackend(DictBackend):
    """A key store whose prompt nobody answers until `answered` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.answered = threading.Event()
        self.called = threading.Event()
        self.calls: list[str] = []

    def get_password(self, service: str, username: str) -> str | None:
        self.calls.append(username)
        self.called.set()
        self.answered.wait(60)
        return None


def plaintext(module: str, name: str) -> type[object]:
    """A backend class as keyrings.alt has them, with the best priority that one can claim."""
    return type(name, (DictBackend,), {"__module__": module, "priority": 9})


@pytest.mark.parametrize(
    "kind",
    [
        FailKeyring,
        NullKeyring,
        ChainerBackend,
        DictBackend,
        plaintext("keyrings.alt.file", "PlaintextKeyring"),
        plaintext("keyrings.alt.file", "EncryptedKeyring"),
        plaintext("keyrings.cryptfile.cryptfile", "CryptFileKeyring"),
        plaintext("keyring.backends.fail", "Keyring"),
    ],
)
def test_only_the_stores_of_operating_systems_are_trusted(kind: type[object]) -> None:
    assert score(kind) == 0
    assert find_backend([kind]) is None


def test_the_store_with_the_highest_score_is_taken() -> None:
    best = plaintext("keyring.backends.SecretService", "Keyring")
    second = plaintext("keyring.backends.libsecret", "Keyring")
    third = plaintext("keyring.backends.kwallet", "DBusKeyring")
    assert score(best) > score(second) > score(third) > 0
    assert isinstance(find_backend([third, second, FailKeyring, best]), best)


def test_a_store_that_says_it_can_not_work_is_not_taken() -> None:
    class Unusable(DictBackend):
        @property
        def priority(self) -> float:
            raise RuntimeError

    Unusable.__module__, Unusable.__name__ = "keyring.backends.SecretService", "Keyring"
    negative = plaintext("keyring.backends.libsecret", "Keyring")
    negative.priority = -1  # type: ignore[attr-defined]
    assert find_backend([Unusable, negative]) is None


async def test_without_a_key_store_keys_are_for_the_session_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
    store = await open_secrets()
    assert store.kind == "session"
    assert store.announcement == (
        "This computer has no key store that Keepsake can use. The key will be kept until you close the app."
    )
    await store.set("openai", KEY)
    assert await store.get("openai") == KEY


@pytest.mark.parametrize(
    "chosen", ["keyring.backends.null.Keyring", "keyrings.alt.file.PlaintextKeyring", "nonsense"]
)
async def test_the_environment_can_switch_key_stores_off_but_not_bring_one_in(
    monkeypatch: pytest.MonkeyPatch, chosen: str
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", chosen)
    assert (await open_secrets()).kind == "session"


async def test_session_keys_touch_no_file(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    store = await open_secrets()
    await store.set("openai", KEY)
    assert list(home.rglob("*")) == []


@pytest.mark.parametrize(
    "secrets", [SessionSecrets, lambda: KeyringSecrets(DictBackend())], ids=["session", "keyring"]
)
async def test_a_key_is_kept_replaced_and_deleted(secrets: type[SessionSecrets]) -> None:
    place = secrets()
    assert await place.get("openai") is None
    await place.set("openai", f"  {KEY}\n")
    assert await place.get("openai") == KEY
    await place.set("openai", "another-key")
    assert await place.get("openai") == "another-key"
    assert await place.delete("openai") is True
    assert await place.delete("openai") is False
    assert await place.get("openai") is None


@pytest.mark.parametrize(
    "secrets", [SessionSecrets, lambda: KeyringSecrets(DictBackend())], ids=["session", "keyring"]
)
async def test_another_host_never_gets_the_key_of_the_old_one(secrets: type[SessionSecrets]) -> None:
    place = secrets()
    await place.set("custom", KEY, host="api.example.org")
    assert await place.get("custom", host="api.example.org") == KEY
    assert await place.get("custom", host="API.example.org") == KEY
    for other in ("", "example.org", "api.example.org:8443", "api.example.org.evil.test"):
        assert await place.get("custom", host=other) is None


def test_entries_are_named_by_endpoint_and_host_without_overlap() -> None:
    assert entry_name("openai", "") == "openai"
    assert entry_name("custom", "example.org:8443") == "custom@example.org:8443"
    for endpoint in ("", "a@b", "a b", "ü", "x" * 65):
        with pytest.raises(InvalidInputError):
            entry_name(endpoint, "")


async def test_entries_stand_under_the_name_of_the_app() -> None:
    backend = DictBackend()
    await KeyringSecrets(backend).set("openai", KEY, host="api.openai.com")
    assert backend.entries == {("Keepsake", "openai@api.openai.com"): KEY}


@pytest.mark.parametrize("secret", ["", "  \n", "two\nlines", "schlüssel", "tab\there", "x" * 2_001, "nul\0"])
async def test_what_no_request_can_carry_is_not_a_key(secret: str) -> None:
    for place in (SessionSecrets(), KeyringSecrets(DictBackend())):
        with pytest.raises(InvalidInputError):
            await place.set("openai", secret)


async def test_a_key_store_that_fails_later_is_an_error_and_no_file_takes_its_place(home: Path) -> None:
    place = KeyringSecrets(FailingBackend())
    with pytest.raises(SecretsError, match="could not be read") as read:
        await place.get("openai")
    with pytest.raises(SecretsError, match="could not be saved") as saved:
        await place.set("openai", KEY)
    with pytest.raises(SecretsError, match="could not be deleted"):
        await place.delete("openai")
    for caught in (read, saved):
        assert KEY not in f"{caught.value} {caught.value.detail} {caught.value.__cause__}"
        assert caught.value.hint
    assert list(home.rglob("*")) == []


async def test_a_key_store_that_keeps_nothing_is_found_out_at_once() -> None:
    with pytest.raises(SecretsError, match="did not keep"):
        await KeyringSecrets(ForgetfulBackend()).set("openai", KEY)


async def test_a_prompt_that_nobody_answers_does_not_hang_the_app() -> None:
    backend = HangingBackend()
    place = KeyringSecrets(backend, timeout=0.05)
    try:
        with pytest.raises(SecretsError, match="did not answer within"):
            await place.get("openai")
        with pytest.raises(SecretsError, match="did not answer within"):
            await place.get("second")
        assert backend.calls == ["openai"]
    finally:
        backend.answered.set()


async def test_a_call_that_was_given_up_before_its_turn_is_never_made() -> None:
    backend = HangingBackend()
    place = KeyringSecrets(backend, timeout=0.05)
    with pytest.raises(SecretsError):
        await place.get("first")
    with pytest.raises(SecretsError):
        await place.set("second", KEY)
    backend.answered.set()
    patient = KeyringSecrets(backend, timeout=30)
    patient._turn = place._turn
    await patient.get("third")
    assert "second" not in backend.calls
    assert backend.entries == {}


async def test_cancelling_ends_the_wait_at_once() -> None:
    backend = HangingBackend()
    task = asyncio.create_task(KeyringSecrets(backend).get("openai"))
    try:
        assert await asyncio.to_thread(backend.called.wait, 30)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    finally:
        backend.answered.set()


async def test_every_key_that_passes_through_is_masked_in_logs_from_then_on() -> None:
    redactor = Redactor()
    backend = DictBackend()
    backend.entries["Keepsake", "local"] = "kept-from-yesterday"
    store = SecretStore(KeyringSecrets(backend), "keyring", "", redactor)
    await store.get("local")
    await store.set("openai", "entered-just-now")
    assert redactor.redact("kept-from-yesterday entered-just-now") == "[redacted] [redacted]"
