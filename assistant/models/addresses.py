"""Reads server addresses the way people type them, and says where they lead."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from assistant.core.errors import InvalidInputError
from assistant.models.base import Locality

DEFAULT_PORTS = {"http": 80, "https": 443}

_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*://")
_FORBIDDEN = re.compile(r"[\s\\\x00-\x1f\x7f]")
_PORTLIKE = re.compile(r"^[^/@]*:\d+(/|$)")
_LABEL = re.compile(r"^(?!-)[a-z0-9_-]{1,63}(?<!-)$")
_ENDS_IN_NUMBER = re.compile(r"(^|\.)(\d+|0x[0-9a-f]*)$")
_REQUEST_PATHS = ("/chat/completions", "/completions", "/models", "/responses", "/embeddings")
_LAN_SUFFIXES = (
    ".local",
    ".lan",
    ".home",
    ".home.arpa",
    ".internal",
    ".intranet",
    ".localdomain",
    ".localhost",
)
_ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def locality_of(host: str) -> Locality:
    """Where `host` (a name or an address, without port) leads.

    "this computer" only for loopback addresses and the name localhost: a claim that must never be wrong.
    "local network" for private and link-local addresses, names of one label and names that only a local
    resolver knows. Anything else counts as internet, without asking a name server.
    """
    host = host.lower().rstrip(".")
    if host == "localhost":
        return "this computer"
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return "local network" if "." not in host or host.endswith(_LAN_SUFFIXES) else "internet"
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped is not None:
        address = address.ipv4_mapped
    if address.is_loopback:
        return "this computer"
    return "local network" if address.is_private or address.is_link_local else "internet"


def normalise_base_url(text: str) -> str:
    """The base URL that `text` means.

    Adds what people leave out: the scheme (http on this computer and the local network, https elsewhere) and
    the version path (/v1 when there is no path at all). Takes off what they paste too much: the path of a
    request, a trailing slash, a fragment. The address "any" (0.0.0.0), at which servers say that they listen,
    becomes loopback.

    Raises:
        InvalidInputError: not an http or https address; it holds a name and password, or a query; its host
            or port is broken.
    """
    parts = _split(text.strip())
    host, port = _host_and_port(parts)
    path = parts.path.rstrip("/")
    for request_path in _REQUEST_PATHS:
        path = path.removesuffix(request_path)
    netloc = f"[{host}]" if ":" in host else host
    if port is not None and port != DEFAULT_PORTS[parts.scheme]:
        netloc = f"{netloc}:{port}"
    return urlunsplit((parts.scheme, netloc, path or "/v1", "", ""))


def _split(text: str) -> SplitResult:
    if not text:
        raise InvalidInputError(
            "The server's address is empty.", hint="Give one such as http://127.0.0.1:8080/v1."
        )
    if _FORBIDDEN.search(text):
        raise _invalid(text, "It holds a space, a backslash or a control character")
    try:
        if _SCHEME.match(text):
            parts = urlsplit(text)
        elif ":" in text.split("/")[0] and not _PORTLIKE.match(text) and not text.startswith("["):
            raise _invalid(text, "It starts with something that is neither http:// nor https://")
        else:
            bare = urlsplit(f"http://{text.lstrip('/')}")
            scheme = "https" if locality_of(bare.hostname or "") == "internet" else "http"
            parts = bare._replace(scheme=scheme)
        parts.port  # noqa: B018  a broken port shows only when it is read
    except ValueError:
        raise _invalid(text, "Its host or port can't be read") from None
    if parts.scheme not in DEFAULT_PORTS:
        raise _invalid(text, "Only http:// and https:// are possible")
    if "@" in parts.netloc:
        raise InvalidInputError(
            "The server's address holds a name or password.",
            hint="Leave out the part before the @ and put the key into its own field.",
        )
    if parts.query:
        raise _invalid(
            text, "It has a question mark", hint="Leave out the question mark and what follows it."
        )
    return parts


def _host_and_port(parts: SplitResult) -> tuple[str, int | None]:
    host = (parts.hostname or "").rstrip(".")
    if ":" not in host:
        try:
            host = host.encode("idna").decode("ascii").lower()
        except UnicodeError:
            raise _invalid(host, "Its host name is not one") from None
        if _ENDS_IN_NUMBER.search(host):
            # Short and numeric spellings (127.1, 0x7f.1, 2130706433) lead somewhere else than they look.
            try:
                ipaddress.IPv4Address(host)
            except ValueError:
                raise _invalid(host, "Its host is a number, but not an address of four numbers") from None
        elif not all(_LABEL.match(label) for label in host.split(".")):
            raise _invalid(host, "Its host name is not one")
    else:
        try:
            ipaddress.IPv6Address(host)
        except ValueError:
            raise _invalid(host, "Its host is not an address") from None
    port = parts.port
    if port == 0:
        raise _invalid(parts.netloc, "There is no port 0")
    return _ANY_ADDRESS.get(host, host), port


def _invalid(text: str, why: str, *, hint: str = "") -> InvalidInputError:
    shown = text if len(text) <= 80 else f"{text[:79]}…"
    return InvalidInputError(
        f"{shown!r} is not a server's address. {why}.",
        hint=hint or "Give one such as http://127.0.0.1:11434/v1 or https://api.example.com/v1.",
    )
