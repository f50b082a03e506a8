"""Endpoints: addresses as people type them, where they lead, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.errors import ConfigError, InvalidInputError
from assistant.models.addresses import locality_of, normalise_base_url
from assistant.models.endpoint import Endpoint
from assistant.models.presets import PRESETS, preset


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("http://127.0.0.1:11434/v1", "http://127.0.0.1:11434/v1"),
        ("127.0.0.1:11434", "http://127.0.0.1:11434/v1"),
        ("localhost:1234", "http://localhost:1234/v1"),
        ("localhost", "http://localhost/v1"),
        ("nas:8080", "http://nas:8080/v1"),
        ("192.168.1.20:8080/", "http://192.168.1.20:8080/v1"),
        ("api.example.com", "https://api.example.com/v1"),
        ("API.Example.COM/v1/", "https://api.example.com/v1"),
        ("https://openrouter.ai/api/v1", "https://openrouter.ai/api/v1"),
        ("https://api.example.com:443/v1", "https://api.example.com/v1"),
        ("https://api.example.com/v1/chat/completions", "https://api.example.com/v1"),
        ("https://api.example.com/v1/models", "https://api.example.com/v1"),
        ("  http://127.0.0.1:8080\n", "http://127.0.0.1:8080/v1"),
        ("http://0.0.0.0:11434", "http://127.0.0.1:11434/v1"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
        ("[::1]:8080", "http://[::1]:8080/v1"),
        ("http://[::]:8080/v1", "http://[::1]:8080/v1"),
        ("https://bücher.example/v1", "https://xn--bcher-kva.example/v1"),
        ("https://api.example.com/v1#top", "https://api.example.com/v1"),
    ],
)
def test_an_address_is_read_as_people_type_it(typed: str, meant: str) -> None:
    assert normalise_base_url(typed) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "", "   ", "ftp://example.com", "file:///etc/passwd", "javascript:alert(1)", "mailto:a@example.com",
        "http://", "http:///v1", "http://exa mple.com", "http://example.com\\@evil.example", "http://a..b/",
        "http://example.com:port", "http://example.com:70000", "http://example.com:0", "http://[::1", "http://-a/",
        "http://example.com/v1?api-version=1", "http://127.1/", "http://0x7f.1/", "http://2130706433/",
        "http://1.2.3.4.5/", "http://[fe80::zz]/", "http://a\x00b/",
    ],
)  # fmt: skip
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(InvalidInputError):
        normalise_base_url(typed)


@pytest.mark.parametrize(
    "typed", ["http://me:secret@example.com/v1", "https://key@example.com", "me:pw@nas:80"]
)
def test_an_address_with_a_password_is_refused_without_repeating_it(typed: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        normalise_base_url(typed)
    assert "secret" not in str(caught.value)


@given(st.text(max_size=60))
@settings(max_examples=300, deadline=None)
def test_any_text_gives_an_address_that_reads_back_the_same_or_is_refused(typed: str) -> None:
    try:
        once = normalise_base_url(typed)
    except InvalidInputError:
        return
    assert once.startswith(("http://", "https://"))
    assert normalise_base_url(once) == once


@pytest.mark.parametrize(
    ("host", "where"),
    [
        ("localhost", "this computer"), ("127.0.0.1", "this computer"), ("127.8.8.8", "this computer"),
        ("::1", "this computer"), ("::ffff:127.0.0.1", "this computer"), ("LOCALHOST.", "this computer"),
        ("192.168.0.5", "local network"), ("10.1.2.3", "local network"), ("172.16.0.1", "local network"),
        ("fe80::1%eth0", "local network"), ("fd00::1", "local network"), ("nas", "local network"),
        ("box.local", "local network"), ("box.home.arpa", "local network"),
        ("api.openai.com", "internet"), ("8.8.8.8", "internet"), ("172.32.0.1", "internet"),
        ("localhost.example.com", "internet"), ("127.0.0.1.example.com", "internet"), ("::ffff:8.8.8.8", "internet"),
        ("2001:4860:4860::8888", "internet"),
    ],
)  # fmt: skip
def test_a_host_is_placed_where_it_leads(host: str, where: str) -> None:
    assert locality_of(host) == where


def test_a_preset_gives_the_address_when_none_is_named() -> None:
    assert Endpoint("ollama").base_url == "http://127.0.0.1:11434/v1"
    assert Endpoint("openai", api_key="k").base_url == "https://api.openai.com/v1"


@pytest.mark.parametrize("known", [each for each in PRESETS if each.base_url], ids=lambda each: each.id)
def test_a_preset_says_truly_where_its_messages_go(known: object) -> None:
    assert Endpoint(known.id).locality == known.locality  # type: ignore[attr-defined]


def test_a_custom_endpoint_needs_an_address() -> None:
    with pytest.raises(InvalidInputError):
        Endpoint("custom")


def test_an_unknown_preset_is_named_with_those_that_exist() -> None:
    with pytest.raises(ConfigError) as caught:
        preset("opeani")
    assert "opeani" in caught.value.message
    assert "openai" in caught.value.hint


def test_repr_shows_neither_the_key_nor_the_proxy() -> None:
    endpoint = Endpoint(
        "custom", "https://a.example", api_key="top-secret", proxy="http://u:hidden@p.example:1"
    )
    assert "top-secret" not in repr(endpoint)
    assert "hidden" not in repr(endpoint)


@pytest.mark.parametrize("key", ["a b", "a\nb", "schlüssel", "a\x00"])
def test_a_key_that_no_header_can_carry_is_refused_without_repeating_it(key: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        Endpoint("openai", api_key=key)
    assert key not in str(caught.value)


def test_blanks_around_a_pasted_key_are_taken_off() -> None:
    assert Endpoint("openai", api_key=" sk-1234\n").api_key == "sk-1234"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("http://127.0.0.1:8080", "this computer"),
        ("http://nas:8080", "nas:8080"),
        ("https://api.openai.com/v1", "api.openai.com"),
    ],
)
def test_the_host_is_shown_as_people_think_of_it(address: str, shown: str) -> None:
    assert Endpoint("custom", address).host == shown


def test_an_unencrypted_address_outside_is_marked() -> None:
    assert Endpoint("custom", "http://api.example.com").is_plain_http_outside
    assert Endpoint("custom", "http://192.168.1.2:8080").is_plain_http_outside
    assert not Endpoint("custom", "http://127.0.0.1:8080").is_plain_http_outside
    assert not Endpoint("custom", "https://api.example.com").is_plain_http_outside


@pytest.mark.parametrize(
    "proxy", ["socks5://p.example:1080", "http://", "http://p.example:0", "http://p:port"]
)
def test_a_proxy_that_can_not_be_used_is_refused(proxy: str) -> None:
    with pytest.raises(InvalidInputError):
        Endpoint("openai", proxy=proxy)


def test_a_proxy_without_a_scheme_is_an_http_proxy() -> None:
    assert Endpoint("openai", proxy="p.example:3128").proxy == "http://p.example:3128"
    assert Endpoint("openai", proxy="  ").proxy is None
    assert Endpoint("openai", proxy="system").proxy == "system"


def test_redaction_removes_the_key_and_the_proxys_password_however_short() -> None:
    endpoint = Endpoint(
        "custom", "https://a.example", api_key="k-9", proxy="http://u:longpassword@p.example:1"
    )
    cleaned = endpoint.redact("key k-9, proxy longpassword, sk-abcdefghijklmnop")
    assert not any(secret in cleaned for secret in ("k-9", "longpassword", "sk-abcdef"))
