"""Gets an embedder ready: the bundle's model, the cached one, a new export, or torch itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path

from assistant.core.errors import EmbeddingError, EmbeddingModelError
from assistant.embedding.export_process import TIME_LIMIT, Progress, run_export
from assistant.embedding.lane import in_thread
from assistant.embedding.manifest import export_folder_name, verify_export
from assistant.embedding.onnx_embedder import OnnxEmbedder
from assistant.embedding.sentence_transformer_embedder import SentenceTransformerEmbedder
from assistant.embedding.weights import (
    PACKAGED_SHA256,
    bundled_export_folder,
    packaged_weights_folder,
    verified_weights,
)

_log = logging.getLogger(__name__)


async def open_embedder(
    cache_dir: Path,
    *,
    progress: Progress | None = None,
    allow_export: bool = True,
    locate: Callable[[], Path] = packaged_weights_folder,
    time_limit: float = TIME_LIMIT,
    command: Sequence[str] | None = None,
) -> OnnxEmbedder | SentenceTransformerEmbedder:
    """Open the built-in embedding model.

    In this order: the exported model inside a frozen program; the one in `cache_dir`, every byte checked; a
    new export into `cache_dir`, which also replaces a damaged one; the weights themselves through
    sentence-transformers (slower, the same vectors), with a warning in the log. The model itself is loaded
    at its first use, or by `warmup`.

    Args:
        cache_dir: where exported models are kept; made when it is missing.
        progress: called in the event loop while the model is exported.
        allow_export: False goes without an export when there is none.
        locate: finds the weights.
        time_limit: seconds that an export may take.
        command: another exporter, see run_export.

    Raises:
        EmbeddingModelError: there are no intact weights on this computer.
    """
    bundled = bundled_export_folder()
    if bundled is not None:
        await in_thread(lambda: verify_export(bundled))
        return OnnxEmbedder(bundled)
    target = cache_dir / export_folder_name(PACKAGED_SHA256)
    if await in_thread(lambda: _is_intact(target)):
        return OnnxEmbedder(target)
    folder = await in_thread(locate)
    if allow_export:
        try:
            await run_export(folder, target, progress=progress, time_limit=time_limit, command=command)
            return OnnxEmbedder(target)
        except EmbeddingError as exc:
            _log.warning("no exported embedding model, using sentence-transformers: %s %s", exc, exc.detail)
    weights = await in_thread(lambda: verified_weights(folder))
    return SentenceTransformerEmbedder(folder, weights=weights)


def _is_intact(folder: Path) -> bool:
    if not folder.exists():
        return False
    try:
        return verify_export(folder).weights_sha256 == PACKAGED_SHA256
    except EmbeddingModelError as exc:
        _log.warning("the exported embedding model is damaged and made again: %s", exc.detail)
        return False
