"""Certificates: one that nobody vouches for stops the connection before a word is sent."""

from __future__ import annotations

import ssl
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from assistant.core.errors import CertificateError
from assistant.core.types import Message
from assistant.models.base import TextDelta
from assistant.models.endpoint import Endpoint
from assistant.models.openai_chat import OpenAIChatModel
from tests.chat_server import ChatServer


def self_signed(folder: Path, *, address: str = "127.0.0.1", days: int = 1) -> tuple[ssl.SSLContext, Path]:
    """A server's context with a certificate that only itself vouches for, and that certificate's file."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Test model server")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=30))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address(address))]), critical=False)
        .sign(key, hashes.SHA256())
    )
    public, private = folder / "server.pem", folder / "server.key"
    public.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(public, private)
    return context, public


async def first_piece(server: ChatServer, ca_file: Path | None = None) -> object:
    model = OpenAIChatModel(Endpoint("custom", server.base_url, api_key="k", ca_file=ca_file), "test-model")
    try:
        events = [event async for event in model.stream([Message("user", "Hello?")])]
    finally:
        await model.close()
    return events[0]


async def test_an_unknown_certificate_is_refused_and_nothing_is_sent(tmp_path: Path) -> None:
    context, _ = self_signed(tmp_path)
    async with ChatServer(tls=context) as server:
        with pytest.raises(CertificateError) as caught:
            await first_piece(server)
        assert server.requests == []
        assert "nothing was sent" in caught.value.message
        assert "certificate" in caught.value.detail.lower()


async def test_a_certificate_file_that_was_chosen_is_trusted(tmp_path: Path) -> None:
    context, public = self_signed(tmp_path)
    async with ChatServer(tls=context) as server:
        assert await first_piece(server, public) == TextDelta("Hello")


@pytest.mark.parametrize(
    "fault", [{"address": "127.0.0.2"}, {"days": -1}], ids=["for another server", "expired"]
)
async def test_a_trusted_certificate_with_a_fault_is_still_refused(
    fault: dict[str, str], tmp_path: Path
) -> None:
    context, public = self_signed(tmp_path, **fault)  # type: ignore[arg-type]
    async with ChatServer(tls=context) as server:
        with pytest.raises(CertificateError):
            await first_piece(server, public)
        assert server.requests == []
