"""The one way to the network: an HTTP client that the guard watches.

Imports the HTTP library, so it is itself imported only by what is about to connect.
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio
import httpx2

from assistant.core.errors import ConfigError
from assistant.models.addresses import DEFAULT_PORTS
from assistant.models.endpoint import SYSTEM_PROXY, Endpoint
from assistant.models.network import NetworkGuard, Outcome

USER_AGENT = "Keepsake"

_SENT_HEADERS = frozenset(
    ("host", "accept", "content-type", "content-length", "transfer-encoding", "connection")
)
_FIRST_LINE = 30
"""About what a request or status line costs beside its headers and its path, in bytes."""

# Below the five seconds after which common local servers (Node, uvicorn) drop an idle connection: reusing one
# that is being dropped would fail a message for no reason that a person could see.
_KEEPALIVE_SECONDS = 4.0


def open_http_client(
    endpoint: Endpoint,
    guard: NetworkGuard,
    *,
    why: str,
    connect_timeout: float = 10.0,
    read_timeout: float = 120.0,
) -> httpx2.AsyncClient:
    """An HTTP client for `endpoint` alone.

    It follows no redirect, keeps no cookie, reads neither proxy nor password files from the environment, and
    sends no header that describes the computer. Certificates are checked against the system's store and the
    endpoint's `ca_file`. Reads files; call it off the loop's thread.

    Args:
        endpoint: where requests go; its key is added to them.
        guard: is asked before each connection.
        why: recorded with each request.
        connect_timeout, read_timeout: seconds; the latter between two pieces of an answer.

    Raises:
        ConfigError: the CA file can't be used.
    """
    proxy = _proxy_of(endpoint)
    transport = httpx2.AsyncHTTPTransport(
        verify=_tls_context(endpoint),
        trust_env=False,
        limits=httpx2.Limits(max_connections=20, keepalive_expiry=_KEEPALIVE_SECONDS),
        proxy=_proxy_settings(proxy),
    )
    return httpx2.AsyncClient(
        transport=_GuardedTransport(transport, guard, endpoint, proxy, why),
        timeout=httpx2.Timeout(read_timeout, connect=connect_timeout),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
        follow_redirects=False,
        trust_env=False,
    )


def transport_failures() -> tuple[type[Exception], ...]:
    """What the HTTP library lets out when a connection fails."""
    return (
        httpx2.RequestError,
        httpx2.InvalidURL,
        ssl.SSLError,
        anyio.EndOfStream,
        anyio.ClosedResourceError,
    )


def _tls_context(endpoint: Endpoint) -> ssl.SSLContext:
    if endpoint.base_url.startswith("http://"):
        # Never used, and a bare context costs nothing; the library would load a bundled list otherwise.
        return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return _system_trust(endpoint)


def _system_trust(endpoint: Endpoint | None) -> ssl.SSLContext:
    import truststore

    context = truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if endpoint is not None and endpoint.ca_file is not None:
        try:
            context.load_verify_locations(cafile=str(endpoint.ca_file))
        except OSError as exc:  # ssl.SSLError is one
            raise ConfigError(
                f"The certificate file {endpoint.ca_file} can't be read. Nothing was sent.",
                hint="Choose a file with certificates in PEM form in Settings, or none.",
                detail=str(exc),
            ) from exc
    return context


def _proxy_of(endpoint: Endpoint) -> str | None:
    if endpoint.proxy is None or endpoint.locality == "this computer":
        return None
    if endpoint.proxy != SYSTEM_PROXY:
        return endpoint.proxy
    if proxy_bypass(endpoint.address[0]):
        return None
    named = getproxies()
    return named.get(urlsplit(endpoint.base_url).scheme) or named.get("all")


_Closed = Callable[[Outcome, int], None]


def _proxy_settings(proxy: str | None) -> httpx2.Proxy | None:
    if proxy is None:
        return None
    encrypted = proxy.startswith("https://")
    return httpx2.Proxy(proxy, ssl_context=_system_trust(None) if encrypted else None)


class _GuardedTransport(httpx2.AsyncBaseTransport):
    """Asks the guard before each request and before each connection, and counts what passes."""

    def __init__(
        self,
        inner: httpx2.AsyncBaseTransport,
        guard: NetworkGuard,
        endpoint: Endpoint,
        proxy: str | None,
        why: str,
    ) -> None:
        self._inner = inner
        self._guard = guard
        self._key = endpoint.api_key
        self._proxy: tuple[str, int] | None = None
        if proxy is not None:
            parts = urlsplit(proxy)
            self._proxy = (parts.hostname or "", parts.port or DEFAULT_PORTS[parts.scheme])
        self._why = why

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        host, port = request.url.host, request.url.port or DEFAULT_PORTS.get(request.url.scheme, 0)
        self._guard.check(host, port, why=self._why)
        # A copy: the client library finds marks for itself in the headers of its own request.
        outgoing = httpx2.Request(
            request.method,
            request.url,
            headers=self._own_headers(request.headers),
            stream=request.stream,
            extensions={**request.extensions, "trace": self._before_connecting(host, port)},
        )
        through = "" if self._proxy is None else f"{self._proxy[0]}:{self._proxy[1]}"
        record = self._guard.opened(host, port, why=self._why, through=through)
        sent = _size(outgoing.headers) + len(request.url.raw_path) + len(request.content)

        def closed(outcome: Outcome, received: int) -> None:
            self._guard.closed(record, outcome=outcome, sent=sent, received=received)

        try:
            response = await self._inner.handle_async_request(outgoing)
        except BaseException:
            closed("failed", 0)
            raise
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        response.stream = _CountedStream(response.stream, _size(response.headers), closed)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()

    def _own_headers(self, headers: httpx2.Headers) -> httpx2.Headers:
        """What a server needs; not the system, versions and accounts that libraries add."""
        kept = [(name, value) for name, value in headers.multi_items() if name.lower() in _SENT_HEADERS]
        # Compressing small pieces saves nothing and makes some servers hold them back.
        kept += [("User-Agent", USER_AGENT), ("Accept-Encoding", "identity")]
        if self._key:
            kept.append(("Authorization", f"Bearer {self._key}"))
        return httpx2.Headers(kept)

    def _before_connecting(self, host: str, port: int) -> Any:
        """The connection layer reports where it connects; this is the last look before it does."""
        expected = self._proxy or (host, port)

        async def trace(event: str, info: Mapping[str, Any]) -> None:
            if event.endswith("connect_tcp.started") and (info["host"], info["port"]) != expected:
                self._guard.check(str(info["host"]), int(info["port"]), why=self._why)

        return trace


class _CountedStream(httpx2.AsyncByteStream):
    """Passes an answer's bytes on and reports their number once, when it ends."""

    def __init__(self, inner: httpx2.AsyncByteStream, head_size: int, closed: _Closed) -> None:
        self._inner = inner
        self._received = head_size
        self._closed: _Closed | None = closed
        self._outcome: Outcome = "done"

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for part in self._inner:
                self._received += len(part)
                yield part
        except Exception:
            self._outcome = "failed"
            raise

    async def aclose(self) -> None:
        try:
            await self._inner.aclose()
        finally:
            if self._closed is not None:
                self._closed(self._outcome, self._received)
                self._closed = None


def _size(headers: httpx2.Headers) -> int:
    return sum(len(name) + len(value) + 4 for name, value in headers.raw) + _FIRST_LINE
