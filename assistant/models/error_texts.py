"""The words for what went wrong at an endpoint: what happened, what is safe, what to do."""

from __future__ import annotations

import re
from collections.abc import Mapping

from assistant.core.errors import (
    CertificateError,
    ContextTooLongError,
    ModelError,
    ModelServerError,
    NoSuchModelError,
    RateLimitedError,
    UnreachableError,
    WrongKeyError,
)
from assistant.models.endpoint import Endpoint
from assistant.models.presets import preset
from assistant.models.rate_limits import spoken, wait_seconds

KEPT = "Your message is kept."
_MAX_DETAIL = 2000
_MAX_QUOTE = 200
_LOADING = re.compile(r"loading model|model is (?:still )?loading|overloaded", re.IGNORECASE)


class ErrorTexts:
    """What a server said, and the errors that can be made of it.

    Args:
        text: the server's own sentence for people, empty when it has none.
        raw: all that it said, for the details.
        endpoint, model: what was asked.
    """

    def __init__(self, text: str, raw: str, endpoint: Endpoint, model: str) -> None:
        self.text = endpoint.redact(" ".join(text.split()))
        self.raw = raw
        self._endpoint = endpoint
        self._where = endpoint.netloc
        self._model = model

    def detail(self, more: str = "") -> str:
        return shortened(self._endpoint.redact(f"{self.raw}\n{more}".strip()))

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


def start_hint(endpoint: Endpoint) -> str:
    known = preset(endpoint.preset_id)
    if endpoint.locality == "internet":
        return "Check the connection to the internet, and the address in Settings."
    name = known.name if known.base_url and known.locality == "this computer" else "the server"
    return f"Start {name} there, or check the address in Settings."


def with_no_message(error: ModelError) -> ModelError:
    """The same error for a question that carried no message of the user: it promises none to be kept."""
    error.message = error.message.replace(f" {KEPT}", "")
    return error


def shortened(text: str) -> str:
    return text if len(text) <= _MAX_DETAIL else f"{text[:_MAX_DETAIL]}…"
