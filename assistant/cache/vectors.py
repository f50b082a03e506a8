"""How near two questions are."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from assistant.core.errors import StoreClosedError
from assistant.embedding.base import Embedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EmbedderFactory = Callable[[], Awaitable[Embedder]]
_KEPT = 256


class Similarity:
    """The cosine of two questions under an embedder.

    Args:
        embedder: an embedder, which stays its owner's; or a factory, which the first use calls in a thread, and
            the next one after it failed. What a factory made is closed with this object.
    """

    def __init__(self, embedder: Embedder | EmbedderFactory) -> None:
        self._given: Embedder | None = None
        self._factory: EmbedderFactory | None = None
        if callable(embedder):
            self._factory = embedder
        else:
            self._given = embedder
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="keepsake-cache-embedder")
        self._lock = threading.Lock()
        self._opening: Future[Embedder] | None = None
        self._closed = False
        self._vectors: OrderedDict[str, NDArray[np.float32]] = OrderedDict()

    async def between(self, one: str, other: str) -> float:
        """-1..1.

        Raises:
            EmbeddingError: the model can't be loaded or used.
        """
        missing = [text for text in dict.fromkeys((one, other)) if text not in self._vectors]
        known = {text: self._vectors[text] for text in (one, other) if text in self._vectors}
        if missing:
            # Shielded: one who is cancelled must not stop the opening for the others.
            embedder = await asyncio.shield(asyncio.wrap_future(self._opened()))
            known |= dict(zip(missing, await embedder.embed(missing, priority="query"), strict=True))
        for text, vector in known.items():
            self._vectors[text] = vector
            self._vectors.move_to_end(text)
        while len(self._vectors) > _KEPT:
            self._vectors.popitem(last=False)
        return float(known[one] @ known[other])

    def warmup(self) -> None:
        """Load the model. Blocks; call it from a thread of its own where a loop runs.

        Raises:
            EmbeddingError: the model can't be loaded or used.
        """
        embedder = self._opened().result()

        def run() -> None:
            asyncio.run(_embed_once(embedder))

        self._thread.submit(run).result()

    def forget(self) -> None:
        """Drop the vectors that are kept at hand."""
        self._vectors.clear()

    async def close(self) -> None:
        """Close the embedder that the factory made. Safe to call twice."""
        with self._lock:
            already, self._closed = self._closed, True
            opening = self._opening
        self.forget()
        if already:
            return
        if opening is not None and self._factory is not None:
            try:
                embedder = await asyncio.wrap_future(opening)
            except Exception:  # noqa: BLE001  # whoever waited for it was told; there is nothing to close
                embedder = None
            if embedder is not None:
                await embedder.close()
        self._thread.shutdown(wait=False)

    def _opened(self) -> Future[Embedder]:
        with self._lock:
            if self._closed:
                raise StoreClosedError("The answer cache was closed.")
            opening = self._opening
            if opening is None or (opening.done() and opening.exception() is not None):
                opening = self._opening = self._started()
            return opening

    def _started(self) -> Future[Embedder]:
        factory = self._factory
        if factory is None:
            ready: Future[Embedder] = Future()
            assert self._given is not None
            ready.set_result(self._given)
            return ready
        return self._thread.submit(lambda: asyncio.run(_made(factory)))


async def _made(factory: EmbedderFactory) -> Embedder:
    return await factory()


async def _embed_once(embedder: Embedder) -> None:
    await embedder.embed(["ready"], priority="query")


async def default_embedder() -> Embedder:
    """The embedder that comes with Keepsake, from the user's cache."""
    from assistant.config.paths import AppPaths
    from assistant.embedding.provision import open_embedder

    return await open_embedder(AppPaths.for_user().cache)
