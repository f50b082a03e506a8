"""What an embedder promises."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]
else:  # numpy costs a tenth of a second, which the first frame of the window has no use for
    Vectors = Any
Priority = Literal["query", "index"]


class Embedder(Protocol):
    """Turns texts into vectors.

    Attributes:
        embedder_id: names the model, its weights and its pooling; equal ids give equal vectors.
        dimension: length of each vector.
    """

    @property
    def embedder_id(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        """Embed `texts` off the calling thread.

        Args:
            texts: any number of texts; longer ones than the model reads are cut by its tokenizer.
            priority: "query" uses all cores for the person who waits; "index" keeps to one thread in small
                batches, so that a window stays smooth. Cancelling the caller stops after the running batch.

        Returns:
            float32 of shape (len(texts), dimension), each row of unit length.

        Raises:
            EmbeddingError: the model can't be loaded or used.
        """
        ...

    async def close(self) -> None:
        """Free the model. Safe to call twice."""
        ...
