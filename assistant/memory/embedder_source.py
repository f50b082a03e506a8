"""The embedder of a memory: given, or opened when it is first needed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from assistant.core.errors import StoreClosedError
from assistant.core.late import Late
from assistant.embedding.base import Embedder

EmbedderFactory = Callable[[], Awaitable[Embedder]]

_CLOSED = "This memory was closed."


class EmbedderSource:
    """Hands out one embedder.

    Args:
        embedder: the embedder itself, which stays its owner's; or a factory, which the first use calls, and
            the next one after it failed. What a factory made is closed with this object.
    """

    def __init__(self, embedder: Embedder | EmbedderFactory) -> None:
        self._given: Embedder | None = None
        self._made: Late[Embedder] | None = None
        if callable(embedder):
            self._made = Late(embedder, name="open the embedding model", closed=_CLOSED)
        else:
            self._given = embedder
        self._closed = False

    async def get(self) -> Embedder:
        """The embedder. A cancelled caller does not stop the opening for others, or for the next call.

        Raises:
            EmbeddingError: the embedder can't be opened.
            StoreClosedError: after close.
        """
        if self._closed:
            raise StoreClosedError(_CLOSED)
        if self._made is not None:
            return await self._made.get()
        assert self._given is not None
        return self._given

    async def close(self) -> None:
        """Stop opening, and close what the factory made. Safe to call twice."""
        self._closed = True
        embedder = None if self._made is None else await self._made.close()
        if embedder is not None:
            await embedder.close()


async def default_embedder() -> Embedder:
    """The embedder that comes with Keepsake, from the user's cache."""
    from assistant.config.paths import AppPaths
    from assistant.embedding.provision import open_embedder

    return await open_embedder(AppPaths.for_user().cache)
