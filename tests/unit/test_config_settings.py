"""Settings as values: typed, in range, and never with a key."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from assistant.config.settings import Settings, choices, description, setting_names, value_range
from assistant.core.errors import InvalidInputError, InvalidTextError

KEYS = [
    "sk-proj-Zx81aBcDeFgHiJkLmNoPqRsTuVwXyZ0123",
    "sk-or-v1-0123456789abcdef0123456789abcdef",
    "sk-ant-api03-AbCdEf0123456789AbCdEf0123",
    "gsk_0123456789AbCdEfGhIjKlMn",
    "hf_0123456789AbCdEfGhIjKlMnOp",
    "AIzaSyA0123456789AbCdEfGhIjKlMnOpQrStUv",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
]


def test_the_defaults_are_those_of_a_first_start() -> None:
    fresh = Settings()
    assert (fresh.first_start_done, fresh.endpoint, fresh.theme) == (False, "", "system")
    assert (fresh.memory_enabled, fresh.memory_token_budget, fresh.memory_consent) == (True, 800, "save")


def test_every_setting_has_a_description_for_people() -> None:
    assert all(description(name).endswith(".") for name in setting_names())


def test_settings_can_not_be_changed_in_place() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Settings().theme = "dark"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("endpoint", "elsewhere"),
        ("memory_enabled", 1),
        ("memory_token_budget", 99),
        ("memory_token_budget", 8001),
        ("memory_token_budget", True),
        ("memory_token_budget", 800.0),
        ("model", None),
        ("model", ["gpt"]),
        ("instructions", "x" * 100_001),
    ],
)
def test_a_value_of_the_wrong_type_or_out_of_range_is_refused(name: str, value: Any) -> None:
    with pytest.raises(InvalidInputError, match=name):
        Settings(**{name: value})


def test_the_ends_of_a_range_belong_to_it() -> None:
    assert value_range("memory_token_budget") == (100, 8000)
    assert Settings(memory_token_budget=100).memory_token_budget == 100
    assert value_range("model") is None


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(InvalidTextError):
        Settings(instructions="a\ud800")


def test_choices_are_known_for_the_window() -> None:
    assert choices("theme") == ("system", "light", "dark")
    assert choices("model") == ()


def test_no_setting_is_named_for_a_key() -> None:
    # "token" alone would mean a secret; the memory's budget counts tokens of text.
    names = [name for name in setting_names() if name != "memory_token_budget"]
    assert [n for n in names if re.search("key|secret|password|credential|token|auth", n)] == []


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", [n for n in setting_names() if isinstance(getattr(Settings(), n), str)])
def test_no_text_setting_takes_a_key(name: str, key: str) -> None:
    for value in (key, f"use {key} please"):
        with pytest.raises(InvalidInputError):
            Settings(**{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["base_url", "proxy"])
@pytest.mark.parametrize(
    "address",
    [
        "http://user:password@example.org/v1",
        "user:password@proxy.example.org:3128",
        "https://token@example.org",
        "https://example.org/v1?api_key=abc",
        "https://example.org/v1?x=1&KEY=",
        "https://[half@example.org",
    ],
)
def test_an_address_with_a_password_is_refused(name: str, address: str) -> None:
    with pytest.raises(InvalidInputError, match="key or a password"):
        Settings(**{name: address})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "address", ["http://localhost:11434/v1", "https://example.org:8443", "", "::::", "a?b=c"]
)
def test_other_addresses_are_kept(address: str) -> None:
    assert Settings(base_url=address).base_url == address


def test_text_about_keys_is_no_key() -> None:
    text = "I work on sk-learn pipelines; the key point: answer briefly. My token ring is old."
    assert Settings(instructions=text).instructions == text
