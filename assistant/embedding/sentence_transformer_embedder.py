"""An embedder over sentence-transformers: for any local model, and when the export does not work."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from assistant.core.errors import EmbeddingError, EmbeddingModelError, InvalidInputError
from assistant.embedding.base import Priority, Vectors
from assistant.embedding.lane import Lane, Steps, in_thread, usable_cores
from assistant.embedding.tokens import check_texts, copied_texts
from assistant.embedding.weights import ModelWeights, describe_weights

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

_BATCH_TEXTS = {"query": 32, "index": 8}


class SentenceTransformerEmbedder:
    """Embeds with torch, from a folder on this computer; nothing is ever downloaded.

    One thread serves both priorities, since torch keeps its number of threads for the whole process: a query
    waits for the batch of 8 that may be running.

    Args:
        folder: a model in the layout of sentence-transformers.
        weights: what is known of that folder; without it the folder's files are read and hashed right here,
            which takes a tenth of a second for 90 MB. `open` does that off the event loop.

    Raises:
        EmbeddingModelError: the folder is not there or holds no model.
    """

    def __init__(self, folder: Path | str, *, weights: ModelWeights | None = None) -> None:
        self._weights = weights or describe_weights(Path(folder))
        self._lane = Lane("embed-torch")
        self._model: SentenceTransformer | None = None

    @classmethod
    async def open(cls, folder: Path | str) -> SentenceTransformerEmbedder:
        """Like the constructor, with the reading in a thread.

        Raises:
            EmbeddingModelError: the folder is not there or holds no model.
        """
        weights = await in_thread(lambda: describe_weights(Path(folder)))
        return cls(folder, weights=weights)

    @property
    def embedder_id(self) -> str:
        return self._weights.embedder_id

    @property
    def dimension(self) -> int:
        return self._weights.dimension

    async def warmup(self, priority: Priority = "query") -> None:
        """Load the model, so that the first text is as fast as the next.

        Raises:
            EmbeddingError: the model can't be loaded.
        """
        await self.embed([""], priority=priority)

    async def embed(self, texts: Sequence[str], *, priority: Priority = "index") -> Vectors:
        """See Embedder.embed.

        Raises:
            InvalidInputError: not a list of texts, or an unknown priority.
            InvalidTextError: a text with a lone surrogate; nothing is embedded then.
            EmbeddingError: the model can't be loaded or used, or the embedder is closed.
        """
        if priority not in get_args(Priority):
            raise InvalidInputError(
                f"Unknown priority {priority!r}; use one of {', '.join(get_args(Priority))}."
            )
        return await self._lane.run(self._steps(copied_texts(texts), priority))

    async def close(self) -> None:
        """Free the model after the batch that runs. Safe to call twice."""
        await self._lane.close(self._unload)

    def _steps(self, texts: list[str], priority: Priority) -> Steps[Vectors]:
        import numpy as np

        check_texts(texts)
        vectors: Vectors = np.empty((len(texts), self.dimension), dtype=np.float32)
        if not texts:
            return vectors
        model = self._load()
        places = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        size = _BATCH_TEXTS[priority]
        for start in range(0, len(places), size):
            if start:
                yield
            batch = places[start : start + size]
            made = _encode(model, [texts[place] for place in batch], priority)
            if made.shape[1] != self.dimension:
                raise EmbeddingModelError(
                    "The embedding model is not what its folder says, so it is not used.",
                    hint="Choose another model folder.",
                    detail=f"{made.shape[1]} numbers a vector, {self.dimension} expected",
                )
            vectors[batch] = made
        return vectors

    def _load(self) -> SentenceTransformer:
        if self._model is None:
            self._model = _open_model(self._weights.folder)
        return self._model

    def _unload(self) -> None:
        self._model = None


def _open_model(folder: Path) -> SentenceTransformer:
    # The hub's client reads these once, at import.
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HUB_DISABLE_TELEMETRY"] = "1"
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        return SentenceTransformer(str(folder), device="cpu", local_files_only=True, trust_remote_code=False)
    except ImportError as exc:
        raise EmbeddingModelError(
            "The packages that this embedding model needs are not installed.",
            hint="Install sentence-transformers, or go back to the built-in model.",
            detail=str(exc),
        ) from exc
    except Exception as exc:  # the library passes on whatever its many loaders raise
        raise EmbeddingModelError(
            f"The embedding model in {folder} can't be loaded. Nothing that is stored is lost.",
            hint="Choose another model folder, or go back to the built-in model.",
            detail=f"{type(exc).__name__}: {exc}",
        ) from exc


def _encode(model: SentenceTransformer, texts: list[str], priority: Priority) -> Vectors:
    import torch

    torch.set_num_threads(1 if priority == "index" else usable_cores())
    try:
        vectors: Vectors = model.encode(
            texts,
            batch_size=len(texts),
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
    except (RuntimeError, ValueError, IndexError, MemoryError) as exc:
        raise EmbeddingError(
            "The embedding model failed on a text. Nothing that is stored is lost.",
            hint="Try again; free some memory if the computer is short of it.",
            detail=f"{type(exc).__name__}: {exc}",
        ) from exc
    return vectors
