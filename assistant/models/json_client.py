"""A short-lived client for the small questions that endpoints answer in JSON."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from assistant.core.errors import ModelServerError, NoSuchModelError
from assistant.models.endpoint import Endpoint
from assistant.models.error_texts import with_no_message
from assistant.models.errors import error_for_exception, error_for_garbage, error_for_status
from assistant.models.network import NetworkGuard

if TYPE_CHECKING:
    import httpx2


class JsonClient:
    """Asks one endpoint; use it with `async with`.

    Args:
        endpoint: whom to ask.
        guard: refuses and records connections; without one only this endpoint may be reached.
        why: recorded with each question.
        timeout: seconds to connect, and between two pieces of an answer.

    Raises:
        ConfigError: on entering, when the endpoint's CA file can't be used.
    """

    def __init__(
        self, endpoint: Endpoint, guard: NetworkGuard | None = None, *, why: str, timeout: float
    ) -> None:
        self.endpoint = endpoint
        self._guard = guard or NetworkGuard({endpoint.address})
        self._why = why
        self._timeout = timeout
        self._client: httpx2.AsyncClient | None = None

    async def __aenter__(self) -> Self:
        executor = ThreadPoolExecutor(1, thread_name_prefix="keepsake-http")
        try:
            self._client = await asyncio.get_running_loop().run_in_executor(executor, self._open)
        finally:
            executor.shutdown(wait=False)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def ask(self, method: str, url: str, body: Any = None) -> Any:
        """The JSON answer.

        Raises:
            ModelError: no connection, an error status, an answer that is no JSON.
        """
        from assistant.models.http_client import transport_failures

        assert self._client is not None, "use it with `async with`"
        try:
            answer = await self._client.request(method, url, json=body)
        except transport_failures() as exc:
            error = error_for_exception(exc, endpoint=self.endpoint, model="", read_timeout=self._timeout)
            raise with_no_message(error) from exc
        if answer.status_code >= 300:
            error = error_for_status(
                answer.status_code, answer.text, answer.headers, endpoint=self.endpoint, model=""
            )
            raise with_no_message(error)
        try:
            return answer.json()
        except (ValueError, RecursionError) as exc:
            raise with_no_message(error_for_garbage(answer.text, endpoint=self.endpoint)) from exc

    async def ask_if_there(self, method: str, url: str, body: Any = None) -> Any:
        """The JSON answer, None when the server has no such path or answers something else.

        Raises:
            ModelError: no connection, a key that is not accepted.
        """
        try:
            return await self.ask(method, url, body)
        except (NoSuchModelError, ModelServerError):
            return None

    def _open(self) -> httpx2.AsyncClient:
        from assistant.models.http_client import open_http_client

        return open_http_client(
            self.endpoint,
            self._guard,
            why=self._why,
            connect_timeout=self._timeout,
            read_timeout=self._timeout,
        )
