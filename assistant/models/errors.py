"""Turns what went wrong at an endpoint into the error tree, with texts for the person at the window."""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.core.errors import (
    ModelError,
    ModelServerError,
    ReplyCutError,
    UnreachableError,
)
from assistant.models.endpoint import Endpoint
from assistant.models.error_texts import KEPT, ErrorTexts, shortened, start_hint
from assistant.models.rate_limits import spoken

_TOO_LONG = re.compile(
    r"context[ _]length|exceed_context_size|context[ _-](?:size|window)|maximum context|too many tokens"
    r"|(?:prompt|input) is too long|input length|request_too_large|string_above_max_length"
    r"|context the overflows|tokens to keep from the initial prompt",
    re.IGNORECASE,
)
_NO_MODEL = re.compile(
    r"model_not_found|is not a valid model|no models? (?:is |are )?loaded|no such model|unknown model"
    r"|invalid model|model\b.{0,120}\b(?:not found|does not exist|doesn't exist|not exist|not loaded)"
    r"|not found.{0,40}\bmodel\b",
    re.IGNORECASE | re.DOTALL,
)
_WRONG_KEY = re.compile(
    r"invalid[ _]api[ _]key|incorrect api key|authentication_error|no auth credentials|unauthori[sz]ed",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(
    r"insufficient_quota|insufficient[ _](?:credit|balance|fund)|exceeded your current quota|more credits",
    re.IGNORECASE,
)
_RATE = re.compile(r"rate[ _-]?limit|too many requests", re.IGNORECASE)
_ENDED = re.compile(r"disconnected|peer closed|connection closed", re.IGNORECASE)


def error_for_status(
    status: int, body: str, headers: Mapping[str, str], *, endpoint: Endpoint, model: str
) -> ModelError:
    """The error that an answer with an HTTP status of 300 or more means.

    Args:
        status: the HTTP status.
        body: the answer's text, as far as it came.
        headers: the answer's headers.
        endpoint, model: what was asked.
    """
    said = ErrorTexts(_error_text(_json_or(body)), f"HTTP {status}\n{body}", endpoint, model)
    if 300 <= status < 400:
        return said.server_error(
            f"{endpoint.netloc} points to another address, which Keepsake did not follow. {KEPT}",
            hint="If you trust the other address, put it into Settings.",
            more=f"Location: {headers.get('location', '')}",
        )
    if status == 407:
        return UnreachableError(
            f"The proxy asks for a name and a password. {KEPT}",
            hint="Put them into the proxy's address in Settings.",
            detail=said.detail(),
        )
    if status == 402 or (status in (403, 429) and _NO_CREDIT.search(body)):
        return said.no_credit()
    if status == 429:
        return said.rate_limited(headers)
    if status == 413 or (status <= 500 and _TOO_LONG.search(body)):
        return said.too_long()
    if status in (401, 403):
        return said.wrong_key(forbidden=status == 403)
    if status == 404 or (status < 500 and _NO_MODEL.search(body)):
        return said.no_model(named=bool(_NO_MODEL.search(body)))
    if status >= 500:
        return said.server_failed(status)
    return said.refused(status)


def error_for_payload(payload: Any, *, endpoint: Endpoint, model: str) -> ModelError:
    """The error that a server reports inside an answer that began well."""
    text = _error_text(payload)
    raw = payload if isinstance(payload, str) else json.dumps(payload, ensure_ascii=False, default=str)
    said = ErrorTexts(text, raw, endpoint, model)
    code = payload.get("code", payload.get("status")) if isinstance(payload, dict) else None
    if isinstance(code, str) and code.isdigit():
        code = int(code)
    if _NO_CREDIT.search(raw) or code == 402:
        return said.no_credit()
    if _TOO_LONG.search(raw) or code == 413:
        return said.too_long()
    if _RATE.search(raw) or code == 429:
        return said.rate_limited({})
    if _WRONG_KEY.search(raw) or code in (401, 403):
        return said.wrong_key(forbidden=code == 403)
    if _NO_MODEL.search(raw) or code == 404:
        return said.no_model(named=True)
    return said.server_failed(code if isinstance(code, int) else None)


def error_for_exception(
    exc: BaseException, *, endpoint: Endpoint, model: str, read_timeout: float | None = None
) -> ModelError:
    """The error that a failure of the connection means.

    Args:
        exc: what the HTTP library raised; its causes are looked at too.
        endpoint, model: what was asked.
        read_timeout: how long an answer may pause, in seconds, for the text.
    """
    chain = list(_chain(exc))
    names = {type(link).__name__ for link in chain}
    lines = (f"{type(link).__name__}: {link}" for link in chain if str(link))
    said = ErrorTexts("", "\n".join(dict.fromkeys(lines)), endpoint, model)
    if any(isinstance(link, ssl.SSLCertVerificationError) for link in chain):
        return said.certificate()
    if any(isinstance(link, ssl.SSLError) for link in chain):
        return said.unreachable(
            f"{endpoint.netloc} does not answer with an encrypted connection. {KEPT}",
            hint="If it is a server in your own network, its address may begin with http:// instead.",
        )
    if any(isinstance(link, socket.gaierror) for link in chain):
        return said.unreachable(
            f"The address {endpoint.address[0]} can't be found. {KEPT}",
            hint="Check the connection to the internet, and the address in Settings.",
        )
    if "ProxyError" in names:
        return said.unreachable(
            f"The proxy did not connect to {endpoint.netloc}. {KEPT}", hint="Check the proxy in Settings."
        )
    if "ReadTimeout" in names:
        wait = f" within {spoken(read_timeout)}" if read_timeout else ""
        return said.unreachable(
            f"{endpoint.netloc} did not answer{wait}. {KEPT}",
            hint="The server may be busy or still loading the model; try again in a moment.",
        )
    if "ReadError" in names or ("RemoteProtocolError" in names and _ENDED.search(said.raw)):
        return said.server_error(
            f"{endpoint.netloc} ended the connection before it answered. {KEPT}",
            hint="Try again; if it happens again, look at the server's own log.",
        )
    if names & {"RemoteProtocolError", "DecodingError", "LocalProtocolError"}:
        return error_for_garbage(said.raw, endpoint=endpoint)
    return said.unreachable(f"{endpoint.netloc} does not answer. {KEPT}", hint=start_hint(endpoint))


def error_for_garbage(sample: str, *, endpoint: Endpoint) -> ModelServerError:
    """The error for an answer that is no chat reply."""
    what = "a web page" if sample.lstrip()[:200].lower().startswith(("<!doctype", "<html")) else "something"
    if sample.strip():
        message = f"{endpoint.netloc} answered with {what} that is not a reply. {KEPT}"
    else:
        message = f"{endpoint.netloc} sent an empty answer. {KEPT}"
    return ModelServerError(
        message,
        hint="Check that the address in Settings belongs to a model server; it usually ends in /v1.",
        detail=shortened(endpoint.redact(sample)),
    )


def error_for_cut(partial: str, *, endpoint: Endpoint, cause: str = "") -> ModelError:
    """The error for a connection that ended in mid-reply; before any text it is a server's failure."""
    if not partial:
        return ModelServerError(
            f"{endpoint.netloc} ended the connection before it answered. {KEPT}",
            hint="Try again; if it happens again, look at the server's own log.",
            detail=shortened(endpoint.redact(cause)),
        )
    return ReplyCutError(
        f"The connection to {endpoint.netloc} ended before the reply was complete. What had arrived is kept.",
        partial=partial,
        hint="Ask again for the whole reply.",
        detail=shortened(endpoint.redact(cause)),
    )


def _chain(exc: BaseException) -> Iterator[BaseException]:
    """`exc` with its causes, and what exception groups hold (one for each address that was tried)."""
    seen: set[int] = set()
    waiting: list[BaseException] = [exc]
    while waiting:
        link = waiting.pop(0)
        if id(link) in seen:
            continue
        seen.add(id(link))
        yield link
        if isinstance(link, BaseExceptionGroup):
            waiting.extend(link.exceptions)
        waiting.extend(cause for cause in (link.__cause__, link.__context__) if cause is not None)


def _json_or(body: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return body if len(body) < 500 and "<" not in body else ""


def _error_text(payload: Any) -> str:
    """The sentence for people in an error payload; servers put it in many places."""
    for _ in range(4):
        if isinstance(payload, list):
            payload = payload[0] if payload else ""
        elif isinstance(payload, dict):
            payload = next(
                (payload[name] for name in ("error", "message", "detail", "msg") if payload.get(name)), ""
            )
    return payload if isinstance(payload, str) else ""
