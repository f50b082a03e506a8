"""Turns what went wrong at an endpoint into the error tree, with texts for the person at the window."""

from __future__ import annotations

import json
import re
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import Any

from assistant.core.errors import (
    CertificateError,
    ContextTooLongError,
    ModelError,
    ModelServerError,
    NoSuchModelError,
    RateLimitedError,
    ReplyCutError,
    UnreachableError,
    WrongKeyError,
)
from assistant.models.endpoint import Endpoint
from assistant.models.presets import preset
from assistant.models.rate_limits import spoken, wait_seconds

KEPT = "Your message is kept."
_MAX_DETAIL = 2000
_MAX_QUOTE = 200

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
_LOADING = re.compile(r"loading model|model is (?:still )?loading|overloaded", re.IGNORECASE)


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
    said = _Said(_error_text(_json_or(body)), f"HTTP {status}\n{body}", endpoint, model)
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
    if status == 413 or (status < 500 and _TOO_LONG.search(body)):
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
    said = _Said(text, raw, endpoint, model)
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
    said = _Said("", "\n".join(dict.fromkeys(lines)), endpoint, model)
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
    return said.unreachable(f"{endpoint.netloc} does not answer. {KEPT}", hint=_start_hint(endpoint))


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
        detail=_shortened(endpoint.redact(sample)),
    )


def error_for_cut(partial: str, *, endpoint: Endpoint, cause: str = "") -> ModelError:
    """The error for a connection that ended in mid-reply; before any text it is a server's failure."""
    if not partial:
        return ModelServerError(
            f"{endpoint.netloc} ended the connection before it answered. {KEPT}",
            hint="Try again; if it happens again, look at the server's own log.",
            detail=_shortened(endpoint.redact(cause)),
        )
    return ReplyCutError(
        f"The connection to {endpoint.netloc} ended before the reply was complete. What had arrived is kept.",
        partial=partial,
        hint="Ask again for the whole reply.",
        detail=_shortened(endpoint.redact(cause)),
    )


class _Said:
    """What the server said, and the errors that can be made of it."""

    def __init__(self, text: str, raw: str, endpoint: Endpoint, model: str) -> None:
        self.text = endpoint.redact(" ".join(text.split()))
        self.raw = raw
        self._endpoint = endpoint
        self._where = endpoint.netloc
        self._model = model

    def detail(self, more: str = "") -> str:
        return _shortened(self._endpoint.redact(f"{self.raw}\n{more}".strip()))

    def quoted(self) -> str:
        if not self.text:
            return ""
        text = self.text if len(self.text) <= _MAX_QUOTE else f"{self.text[: _MAX_QUOTE - 1]}…"
        return f" It says: “{text}”"

    def server_error(self, message: str, *, hint: str = "", more: str = "") -> ModelServerError:
        return ModelServerError(message, hint=hint, detail=self.detail(more))

    def unreachable(self, message: str, *, hint: str) -> UnreachableError:
        return UnreachableError(message, hint=hint, detail=self.detail())

    def certificate(self) -> CertificateError:
        return CertificateError(
            f"The certificate of {self._where} is not trusted, so nothing was sent. {KEPT}",
            hint="If it is your own server, choose its certificate file in Settings; otherwise don't go on.",
            detail=self.detail(),
        )

    def wrong_key(self, *, forbidden: bool) -> WrongKeyError:
        if not self._endpoint.api_key:
            message = f"{self._where} asks for a key, and none is set. {KEPT}"
            hint = "Put the key into Settings."
        elif forbidden:
            message = f"{self._where} does not allow this with your key. {KEPT}{self.quoted()}"
            hint = "Check in your account there what the key may use, or choose another model."
        else:
            message = f"{self._where} does not accept the key. {KEPT}"
            hint = "Check the key in Settings; it may have been typed wrong or withdrawn."
        return WrongKeyError(message, hint=hint, detail=self.detail())

    def no_model(self, *, named: bool) -> NoSuchModelError:
        if not self._model:
            return NoSuchModelError(
                f"{self._where} answers, but not at this address. {KEPT}",
                hint="Check the address in Settings; it usually ends in /v1.",
                detail=self.detail(),
            )
        if not named:
            return NoSuchModelError(
                f"{self._where} has no model “{self._model}”, or the address is not quite right. {KEPT}",
                hint="Choose a model from the list in Settings, and check that the address ends as it should"
                " (usually in /v1).",
                detail=self.detail(),
            )
        hint = "Choose another model in Settings."
        if self._endpoint.preset_id == "ollama":
            hint = f"Get it with “ollama pull {self._model}”, or choose another model in Settings."
        elif self._endpoint.preset_id == "lmstudio":
            hint = "Load the model in LM Studio, or choose another one in Settings."
        return NoSuchModelError(
            f"{self._where} has no model “{self._model}”. {KEPT}", hint=hint, detail=self.detail()
        )

    def too_long(self) -> ContextTooLongError:
        return ContextTooLongError(
            f"This conversation is longer than “{self._model}” can read. {KEPT}",
            hint="Shorten the message or start a new conversation; what you wrote stays in this one.",
            detail=self.detail(),
        )

    def rate_limited(self, headers: Mapping[str, str]) -> RateLimitedError:
        wait = wait_seconds(headers, self.text)
        asks = f"asks to wait {spoken(wait)}" if wait is not None else "asks to wait a while"
        return RateLimitedError(
            f"Too many requests: {self._where} {asks}. {KEPT}",
            retry_after=wait,
            hint="Send it again then.",
            detail=self.detail(),
        )

    def no_credit(self) -> RateLimitedError:
        return RateLimitedError(
            f"Your account at {self._where} has no credit left. {KEPT}",
            hint="Add credit there, or choose another model in Settings.",
            detail=self.detail(),
        )

    def server_failed(self, status: int | None) -> ModelServerError:
        if _LOADING.search(self.raw):
            return self.server_error(
                f"{self._where} is busy or still loading the model. {KEPT}", hint="Try again in a moment."
            )
        numbered = f" (error {status})" if status else ""
        return self.server_error(
            f"{self._where} failed{numbered}. {KEPT}{self.quoted()}",
            hint="Try again in a moment; if it happens again, the fault is with the server.",
        )

    def refused(self, status: int) -> ModelServerError:
        return self.server_error(
            f"{self._where} did not accept the request (error {status}). {KEPT}{self.quoted()}",
            hint="Choose another model in Settings, or look at the details.",
        )


def _start_hint(endpoint: Endpoint) -> str:
    known = preset(endpoint.preset_id)
    if endpoint.locality == "internet":
        return "Check the connection to the internet, and the address in Settings."
    name = known.name if known.base_url and known.locality == "this computer" else "the server"
    return f"Start {name} there, or check the address in Settings."


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


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_DETAIL else f"{text[:_MAX_DETAIL]}…"
