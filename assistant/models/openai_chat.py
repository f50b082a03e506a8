"""Chat over the `openai` client, with any server that speaks its protocol."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assistant.core.errors import ModelError, ModelServerError
from assistant.core.types import Message
from assistant.models.base import ChatOptions, ModelEvent
from assistant.models.endpoint import Endpoint
from assistant.models.errors import (
    error_for_cut,
    error_for_exception,
    error_for_garbage,
    error_for_payload,
    error_for_status,
)
from assistant.models.network import NetworkGuard
from assistant.models.request_shape import RequestShape
from assistant.models.sse import OverlongLineError
from assistant.models.stream_parser import (
    CutStreamError,
    GarbageStreamError,
    ReplyParser,
    StreamedError,
)

if TYPE_CHECKING:
    import httpx2
    import openai

_DEFAULTS = ChatOptions()
_LOCAL_READ_TIMEOUT = 600.0
_READ_TIMEOUT = 120.0


@dataclass(frozen=True, slots=True)
class _Client:
    """The open client with the exceptions of its library, so that nothing else has to import it."""

    api: openai.AsyncOpenAI
    http: httpx2.AsyncClient
    status_error: type[openai.APIStatusError]
    failures: tuple[type[Exception], ...]


class OpenAIChatModel:
    """A model behind an OpenAI-compatible endpoint; a ChatModel.

    Args:
        endpoint: where it answers.
        model: its name there.
        guard: refuses and records connections; without one, a guard that lets this endpoint pass and nothing
            else.
        label: the second part of `name`, when it is not the model's own name.
        connect_timeout: seconds to reach the server.
        read_timeout: seconds between two pieces of an answer; by default 120, and 600 on this computer and
            the local network, where a large model may have to be loaded first.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        guard: NetworkGuard | None = None,
        label: str = "",
        connect_timeout: float = 10.0,
        read_timeout: float | None = None,
    ) -> None:
        self._endpoint = endpoint
        self._model = model
        self._label = label or model
        self._guard = guard or NetworkGuard({endpoint.address})
        self._connect_timeout = connect_timeout
        outside = endpoint.locality == "internet"
        self._read_timeout = read_timeout or (_READ_TIMEOUT if outside else _LOCAL_READ_TIMEOUT)
        self._shape = RequestShape(newer_limit=endpoint.preset_id == "openai")
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="keepsake-model-client")
        self._opening = asyncio.Lock()
        self._client: _Client | None = None
        self._closed = False

    @property
    def name(self) -> str:
        return f"{self._endpoint.preset_id}:{self._label}"

    @property
    def host(self) -> str:
        return self._endpoint.host

    @property
    def endpoint(self) -> Endpoint:
        """Where it answers."""
        return self._endpoint

    @property
    def guard(self) -> NetworkGuard:
        """What refuses and records its connections."""
        return self._guard

    async def warmup(self) -> None:
        """Load the client library off the loop, so that the first message does not wait for it.

        Raises:
            ConfigError: the endpoint's CA file can't be used.
            ModelError: after close.
        """
        await self._open()

    def request_body(
        self, messages: Sequence[Message], *, options: ChatOptions = _DEFAULTS
    ) -> dict[str, Any]:
        """See ShowsRequest."""
        return self._shape.body(self._model, messages, options)

    async def stream(
        self, messages: Sequence[Message], *, options: ChatOptions = _DEFAULTS
    ) -> AsyncGenerator[ModelEvent]:
        """See ChatModel.stream.

        Raises:
            InvalidTextError: a message holds a lone surrogate.
            ConfigError: the endpoint's CA file can't be used.
        """
        client = await self._open()
        body = self._shape.body(self._model, messages, options)
        parser = ReplyParser()
        try:
            async with (
                self._answer(client, body, messages, options) as answer,
                _all_of(answer, client.failures) as chunks,
            ):
                framed = _is_framed(answer)
                async for chunk in chunks:
                    for event in parser.feed(chunk):
                        yield event
                    if parser.finished:
                        break
            for event in parser.end(framed=framed):
                yield event
        except StreamedError as exc:
            for event in parser.cut():
                yield event
            error = error_for_payload(exc.payload, endpoint=self._endpoint, model=self._model)
            raise self._after_text(parser.partial, error) from exc
        except CutStreamError as exc:
            raise error_for_cut(parser.partial, endpoint=self._endpoint) from exc
        except GarbageStreamError as exc:
            raise error_for_garbage(exc.sample, endpoint=self._endpoint) from exc
        except OverlongLineError as exc:
            raise self._after_text(parser.partial, error_for_garbage("", endpoint=self._endpoint)) from exc
        except client.failures as exc:
            for event in parser.cut():
                yield event
            raise self._after_text(parser.partial, self._translated(exc)) from exc
        except RuntimeError as exc:
            if not self._closed:
                raise
            raise self._after_text(parser.partial, _closed_error()) from exc

    async def close(self) -> None:
        """Close connections. Safe to call twice; streams that still run end with a ModelError."""
        self._closed = True
        client, self._client = self._client, None
        self._executor.shutdown(wait=False, cancel_futures=True)
        if client is not None:
            await client.http.aclose()

    @asynccontextmanager
    async def _answer(
        self, client: _Client, body: dict[str, Any], messages: Sequence[Message], options: ChatOptions
    ) -> AsyncIterator[Any]:
        """The open answer; a refusal of optional parts is answered with a request that leaves them out."""
        while True:
            request = client.api.chat.completions.with_streaming_response.create(**body)
            try:
                answer = await request.__aenter__()
            except client.status_error as exc:
                error = self._translated(exc)
                if exc.status_code not in (400, 422) or not _is_about_the_request(error):
                    raise error from exc
                if not self._shape.adapt(exc.response.text, body):
                    raise error from exc
                body = self._shape.body(self._model, messages, options)
                continue
            break
        self._shape.accepted()
        yield answer

    def _translated(self, exc: Exception) -> ModelError:
        import openai

        if isinstance(exc, openai.APIStatusError):
            return error_for_status(
                exc.status_code,
                exc.response.text,
                exc.response.headers,
                endpoint=self._endpoint,
                model=self._model,
            )
        return error_for_exception(
            exc, endpoint=self._endpoint, model=self._model, read_timeout=self._read_timeout
        )

    def _after_text(self, partial: str, error: ModelError) -> ModelError:
        if not partial:
            return error
        return error_for_cut(partial, endpoint=self._endpoint, cause=f"{error.message}\n{error.detail}")

    async def _open(self) -> _Client:
        async with self._opening:
            if self._is_closed():
                raise _closed_error()
            if self._client is None:
                loop = asyncio.get_running_loop()
                client = await loop.run_in_executor(self._executor, self._build)
                if self._is_closed():
                    await client.http.aclose()
                    raise _closed_error()
                self._client = client
            return self._client

    def _is_closed(self) -> bool:
        return self._closed

    def _build(self) -> _Client:
        import openai

        from assistant.models.http_client import open_http_client, transport_failures

        http = open_http_client(
            self._endpoint,
            self._guard,
            why="chat",
            connect_timeout=self._connect_timeout,
            read_timeout=self._read_timeout,
        )
        api = openai.AsyncOpenAI(
            # The transport adds the real key; an empty one would make the client look into the environment.
            api_key="set-by-transport",
            base_url=self._endpoint.base_url,
            http_client=http,
            max_retries=0,
            timeout=http.timeout,
        )
        api.chat.completions.with_streaming_response  # noqa: B018  loads its modules here, off the loop
        return _Client(api, http, openai.APIStatusError, (openai.APIError, *transport_failures()))


@asynccontextmanager
async def _all_of(answer: Any, failures: tuple[type[Exception], ...]) -> AsyncIterator[AsyncIterator[bytes]]:
    """The chunks of an answer; leaving it early closes the connection at once.

    The HTTP library nests generators, and one that is left in the middle leaves its inner ones to a hook that
    not every event loop has (Qt's has none). So they are run to their end, which comes with the closed socket.
    """
    chunks = answer.iter_bytes()
    try:
        yield chunks
    finally:
        await answer.close()
        with suppress(*failures, RuntimeError):
            async for _ in chunks:
                pass


def _is_framed(answer: Any) -> bool:
    return "content-length" in answer.headers or "chunked" in answer.headers.get("transfer-encoding", "")


def _closed_error() -> ModelError:
    return ModelError("This model has been closed. Your message is kept.", hint="Send it again.")


def _is_about_the_request(error: ModelError) -> bool:
    """Whether a refusal may go away with another request: nothing more exact is known about it."""
    return type(error) is ModelServerError
