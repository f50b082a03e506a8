"""The embedder of a memory: given, or opened when it is first needed."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from assistant.core.errors import StoreClosedError
from assistant.core.tasks import Supervisor
from assistant.embedding.base import Embedder

EmbedderFactory = Callable[[], Awaitable[Embedder]]


class EmbedderSource:
    """Hands out one embedder.

    Args:
        embedder: the embedder itself, which stays its owner's; or a factory, which the first use calls, and
            the next one after it failed. What a factory made is closed with this object.
    """

    def __init__(self, embedder: Embedder | EmbedderFactory) -> None:
        self._given: Embedder | None = None
        self._factory: EmbedderFactory | None = None
        if callable(embedder):
            self._factory = embedder
        else:
            self._given = embedder
        # A failed opening is told to each waiter; it is nobody's surprise.
        self._tasks = Supervisor(on_failure=lambda name, error: None)
        self._opening: asyncio.Task[Embedder] | None = None
        self._closed = False

    async def get(self) -> Embedder:
        """The embedder. A cancelled caller does not stop the opening for others, or for the next call.

        Raises:
            EmbeddingError: the embedder can't be opened.
            StoreClosedError: after close.
        """
        if self._closed:
            raise _closed()
        if self._factory is None:
            assert self._given is not None
            return self._given
        task = self._opening
        if task is None or (task.done() and (task.cancelled() or task.exception() is not None)):
            task = self._tasks.start(_opened(self._factory), name="open the embedding model")
            self._opening = task
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            # Only close() cancels the opening itself.
            if task.cancelled():
                raise _closed() from None
            raise

    async def close(self) -> None:
        """Stop opening, and close what the factory made. Safe to call twice."""
        self._closed = True
        task, self._opening = self._opening, None
        await self._tasks.close()
        if task is not None and task.done() and not task.cancelled() and task.exception() is None:
            await task.result().close()


async def _opened(factory: EmbedderFactory) -> Embedder:
    return await factory()


def _closed() -> StoreClosedError:
    return StoreClosedError("This memory was closed.")


async def default_embedder() -> Embedder:
    """The embedder that comes with Keepsake, from the user's cache."""
    from assistant.config.paths import AppPaths
    from assistant.embedding.provision import open_embedder

    return await open_embedder(AppPaths.for_user().cache)
