"""Nothing that looks like a key, and no key that is known, is left in a text."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.redact import MASK, Redactor, has_key_shape, redact

SECRET = "Abc123def456ghi789"

CARRIERS = [
    "Authorization: Bearer {}",
    "authorization: Basic {}",
    "Proxy-Authorization: {}",
    "x-api-key: {}",
    "{{'Authorization': 'Bearer {}', 'accept': '*/*'}}",
    "[(b'authorization', b'Bearer {}')]",
    '{{"api_key": "{}"}}',
    '{{\\"api_key\\": \\"{}\\"}}',
    "api_key={}",
    "api-key = {}",
    "OpenAI(api_key='{}')",
    "OPENAI_API_KEY={}",
    "access_token={}&x=1",
    "refresh_token: {}",
    "client_secret={}",
    "password={}",
    "https://example.org/v1/models?key={}",
    "https://example.org/?a=b&sig={}#frag",
    "https://{}@example.org/v1",
    "http://user:{}@proxy:3128",
    "bearer {}",
    "Cookie: session={}; theme=dark",
    "Set-Cookie: sid={}",
    "sk-{}",
    "Incorrect API key provided: sk-proj-{}. You can find your key at …",
]


@pytest.mark.parametrize("carrier", CARRIERS)
def test_a_key_is_masked_however_it_is_carried(carrier: str) -> None:
    cleaned = redact(f"before {carrier.format(SECRET)} ")
    assert SECRET not in cleaned
    assert MASK in cleaned
    assert cleaned.startswith("before ")


@pytest.mark.parametrize(
    "key",
    [
        "gsk_0123456789AbCdEfGhIj",
        "hf_0123456789AbCdEfGhIjKl",
        "ghp_0123456789AbCdEfGhIjKl",
        "AIzaSyA0123456789AbCdEfGhIjKlMnOpQrStUv",
        "AKIA0123456789ABCDEF",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
        "53aa51172d142c89d9012cce15ae4d6c",
        "aB3" * 15,
    ],
)
def test_a_bare_key_of_a_known_shape_or_a_long_token_is_masked(key: str) -> None:
    assert redact(f"({key})") == f"({MASK})"


@pytest.mark.parametrize(
    "text",
    [
        "max_tokens=800, 5 tokens: fine",
        "KeyError: 'theme'",
        "key=value",
        "the bearer of bad news",
        "password is wrong",
        "basic understanding of things",
        "550e8400-e29b-41d4-a716-446655440000",
        '  File "/home/x/assistant/conversation/sqlite_store.py", line 12, in test_with_a_rather_long_name_1',
        "https://example.org/v1/models?limit=5",
        "author@example.org",
        "",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert redact(text) == text


def test_the_name_beside_a_key_stays_so_that_the_text_can_be_understood() -> None:
    assert redact("api_key=abc, retry=3") == f"api_key={MASK}, retry=3"


HOSTILE = """
from assistant.core.redact import redact
for text in ("a_" * 200_000, "a-" * 200_000, "x://" * 50_000, "authorization" + " " * 200_000, "eyJaaaaaaaa." * 30_000):
    redact(text)
print("done")
"""


def test_hostile_text_is_cleaned_in_linear_time() -> None:
    # In a process of its own, because nothing else can end a pattern that takes hours.
    repo = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", HOSTILE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=repo, timeout=100)
    assert done.stdout == "done\n"


def test_a_known_key_is_masked_without_any_shape() -> None:
    redactor = Redactor()
    redactor.add("  plain words as key ")
    assert redactor.redact("the plain words as key went out") == f"the {MASK} went out"
    assert redactor.knows("plain words as key")
    redactor.discard("plain words as key")
    assert redactor.redact("plain words as key") == "plain words as key"


def test_a_placeholder_key_does_not_garble_every_text() -> None:
    redactor = Redactor()
    redactor.add("ollama")
    assert redactor.redact("ollama is not running") == "ollama is not running"


def test_of_two_known_keys_the_longer_is_masked_whole() -> None:
    redactor = Redactor()
    redactor.add("first-key-part")
    redactor.add("first-key-part-and-more")
    assert redactor.redact("(first-key-part-and-more)") == f"({MASK})"


@settings(max_examples=150, deadline=None)
@given(
    secret=st.text(min_size=8, max_size=40)
    .map(str.strip)
    .filter(lambda s: len(s) >= 8 and "redacted" not in s)
)
def test_a_known_key_is_masked_in_each_spelling(secret: str) -> None:
    redactor = Redactor()
    redactor.add(secret)
    for spelling in (secret, json.dumps(secret)[1:-1], quote(secret, safe=""), repr(secret)[1:-1]):
        assert redactor.redact(spelling) == MASK


def test_only_what_can_hardly_be_anything_else_has_a_keys_shape() -> None:
    assert has_key_shape("x sk-proj-0123456789abcdefghij y")
    assert not has_key_shape("sk-learn-something-or-other-long")
    assert not has_key_shape("53aa51172d142c89d9012cce15ae4d6c")
