"""Private data is found in each of its notations, and what merely looks like it stays."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.agent.guardrails import PrivateDataRedactor
from assistant.agent.private_data import german_tax_id, iban, luhn

FOUND = [
    # credentials
    ("key", "sk-proj-Abc123def456ghi789jkl", "Use {} for it"),
    ("key", "ghp_0123456789AbCdEfGhIjKl", "token {}"),
    ("key", "AKIA0123456789ABCDEF", "({})"),
    ("key", "xoxb-123456789012-abcdefGHIJ", "slack: {}"),
    ("key", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl", "Bearer {}"),
    ("key", "a8f5f167f44f4964e6c998dee827110c", "Authorization: Bearer {}"),
    ("key", "q9Z-77_ab12cd34", "api_key = '{}'"),
    ("key", "q9Z-77_ab12cd34", "client secret: {}"),
    ("key", "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----", "My key:\n{}\nThanks"),
    ("key", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn", "cut off:\n{}"),
    ("password", "hunter2", "password: {} and more text"),
    ("password", "swordfish", "Password: {}"),
    ("password", "swordfish", "My password is {}."),
    ("password", "swordfish", "my wifi password is {}\nbye"),
    ("password", "correct horse battery", "The passphrase is '{}', remember it"),
    ("password", "Tr0ub4dor&3", "the password is {}, ok?"),
    ("password", "geheim99", "Mein Passwort lautet {}"),
    ("password", "soleil12!", "mon mot de passe est {}"),
    ("password", "gatito77", "mi contraseña es {}"),
    ("password", "s3cr3t", "postgres://app:{}@db.example.org/x"),
    # personal data
    ("email", "ann.lee+news@mail.example.co.uk", "Write to {}, please"),
    ("email", "Zoe_99@example.org", "<{}>"),
    ("account", "DE89 3704 0044 0532 0130 00", "IBAN {}."),
    ("account", "GB29NWBK60161331926819", "to {}"),
    ("account", "FR1420041010050500013M02606", "{}"),
    ("card", "4111 1111 1111 1111", "card {}, 12/29"),
    ("card", "5500-0000-0000-0004", "{}"),
    ("card", "378282246310005", "amex {}"),
    ("id number", "078-05-1120", "SSN {}"),
    ("id number", "12345678Z", "DNI {}"),
    ("id number", "X1234567L", "NIE {}"),
    ("id number", "RSSMRA85T10A562S", "CF: {}"),
    ("id number", "QQ123456C".replace("QQ", "AB"), "NI {}"),
    ("id number", "1 85 05 78 006 084 91", "n° {}"),
    ("id number", "86095742719", "Steuer-ID: {}"),
    ("phone", "+49 170 1234567", "Call {} today"),
    ("phone", "+1 (415) 555-0132", "{}"),
    ("phone", "+44 20 7946 0958", "tel {}"),
    ("phone", "(415) 555-0132", "or {}"),
    ("phone", "415-555-0132", "{}"),
    ("phone", "06 12 34 56 78", "mon numéro : {}"),
    ("phone", "0170 1234567", "Nummer {}"),
    ("phone", "030/1234567", "{}"),
    ("phone", "5550132", "phone: {}"),
    ("phone", "612 345 678", "móvil: {}"),
]  # fmt: skip

ORDINARY = [
    "The password is wrong.",
    "Password: required",
    "Choose a password of at least 12 characters.",
    "password: must be at least 8 characters long",
    "A password is a secret word.",
    "Das Passwort ist falsch.",
    "He is the bearer of bad news from everywhere around here",
    "A bearer token is sent in the header.",
    "The api key: see the settings page",
    "const token = getToken();",
    "sk-learn and sk-image are libraries",
    "git clone git@github.com:someone/project.git",
    "https://example.org/@someone/post",
    "user@localhost and @mention",
    "Version 1.2.3.4 of 2024-01-02",
    "between 1990-1995 and 2001-2006",
    "ISBN 978-3-16-148410-0",
    "The number 1 000 000 000 is a milliard.",
    "Order 4111 1111 1111 1112 was shipped",
    "pi is 3.14159265358979323846",
    "3.4111111111111111 is a number",
    "Call 112 in an emergency.",
    "At 12:30:45 on 01.02.2024",
    "192.168.178.100 and 10.0.0.255",
    "f(x) = 0.5 * 123456789",
    "commit a8f5f167f44f4964e6c998dee827110c",
    "550e8400-e29b-41d4-a716-446655440000",
    "DE89 3704 0044 0532 0130 01",
    "ISO 27001, RFC 2822, A4, B12, MP3",
    "12345678A is no identity number",
    "000-12-3456 and 900-12-3456",
    "The year 1985, the 05/78 issue",
    "AB1234 is a bus line",
    "0.1 + 0.2 = 0.30000000000000004",
    "It cost $1,234,567.89 in 2019.",
    "Chapter 01 02 03",
    "ratio 0170:12",
    "The code is 4 5 6.",
    "Table of 100 200 300 400",
    "",
]


@pytest.mark.parametrize(("kind", "value", "carrier"), FOUND)
def test_private_data_is_replaced_by_what_it_is(kind: str, value: str, carrier: str) -> None:
    text = carrier.format(value)
    redacted = PrivateDataRedactor().redacted(text)
    assert value not in redacted
    assert f"[{kind} removed]" in redacted
    assert len(redacted.replace(f"[{kind} removed]", "")) <= len(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert PrivateDataRedactor().redacted(text) == text


@pytest.mark.parametrize(("kind", "value", "carrier"), FOUND)
def test_what_is_redacted_stays_as_it_is(kind: str, value: str, carrier: str) -> None:
    redactor = PrivateDataRedactor()
    once = redactor.redacted(carrier.format(value))
    assert redactor.redacted(once) == once


def test_each_sort_can_be_left_out() -> None:
    text = "hunter2x is not said; password: hunter2x, ann@example.org"
    assert "ann@example.org" in PrivateDataRedactor(personal=False).redacted(text)
    assert "password: hunter2x" in PrivateDataRedactor(credentials=False).redacted(text)
    assert PrivateDataRedactor(inputs=False).check_input(text) == text
    assert PrivateDataRedactor(outputs=False).check_output(text) == text


def test_several_in_one_text_all_go_and_the_rest_stays() -> None:
    text = "Ann (ann@example.org, +49 170 1234567) pays with 4111111111111111 today."
    expected = "Ann ([email removed], [phone removed]) pays with [card removed] today."
    assert PrivateDataRedactor().redacted(text) == expected


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="0123456789 -.+()[]@abAB:/=passwordis\n", max_size=60))
def test_redacting_twice_changes_nothing_more(text: str) -> None:
    redactor = PrivateDataRedactor()
    once = redactor.redacted(text)
    assert redactor.redacted(once) == once


def test_check_digits_are_those_of_the_standards() -> None:
    assert luhn("79927398713")
    assert not luhn("79927398710")
    assert iban("GB82 WEST 1234 5698 7654 32")
    assert not iban("GB82 WEST 1234 5698 7654 33")
    assert german_tax_id("86095742719")
    assert not german_tax_id("86095742718")


HOSTILE = """
from assistant.agent.guardrails import PrivateDataRedactor
redactor = PrivateDataRedactor()
for text in (
    "1 " * 100_000, "a@" * 100_000, "a." * 100_000 + "@", "+1" * 100_000, "password: " * 20_000, "A1" * 100_000,
    "-----BEGIN PRIVATE KEY-----" * 5_000, "x://a:" * 30_000, "bearer " + "a" * 200_000, "(" * 200_000, "0" * 200_000,
    "password is " + "'" * 200_000, "tel " * 50_000, "phone: 1" + "-" * 200_000, "DE00" + "A" * 200_000,
    "my " * 50_000, "a@" + "b." * 100_000, "x@" + "a" * 200_000,
):
    redactor.redacted(text)
print("done")
"""


def test_hostile_text_is_looked_through_in_linear_time() -> None:
    # In a process of its own, because nothing else can end a pattern that takes hours.
    repo = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-c", HOSTILE]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=repo, timeout=100)
    assert done.stdout == "done\n"
