"""Texts to vectors, on this computer: the promise, the ONNX embedder, the sentence-transformers embedder."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assistant.embedding.base import Embedder, Priority, Vectors
    from assistant.embedding.onnx_embedder import OnnxEmbedder
    from assistant.embedding.provision import open_embedder
    from assistant.embedding.sentence_transformer_embedder import SentenceTransformerEmbedder

__all__ = [
    "Embedder",
    "Priority",
    "Vectors",
    "OnnxEmbedder",
    "SentenceTransformerEmbedder",
    "open_embedder",
]

_HOMES = {
    "Embedder": "base",
    "Priority": "base",
    "Vectors": "base",
    "OnnxEmbedder": "onnx_embedder",
    "SentenceTransformerEmbedder": "sentence_transformer_embedder",
    "open_embedder": "provision",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
