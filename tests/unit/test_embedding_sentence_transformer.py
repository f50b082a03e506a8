"""The sentence-transformers embedder: the same promise, from local folders only."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import EmbeddingError, EmbeddingModelError, InvalidTextError
from assistant.embedding.sentence_transformer_embedder import SentenceTransformerEmbedder
from assistant.embedding.weights import packaged_weights_folder
from tests.embedding_fixtures import embedder

TEXTS = (
    "Allergic to penicillin.",
    "",
    "她每天早上六点起床去跑步。",
    "x" * 100_000,
    "The garden. " * 200,
    "\0😀",
)


async def test_its_vectors_and_its_id_are_those_of_the_exported_model(exported_model: Path) -> None:
    torch_embedder = await SentenceTransformerEmbedder.open(packaged_weights_folder())
    async with embedder(exported_model) as onnx:
        assert torch_embedder.embedder_id == onnx.embedder_id
        assert torch_embedder.dimension == onnx.dimension
        expected = await torch_embedder.embed(TEXTS)
        vectors = await onnx.embed(TEXTS)
    await torch_embedder.close()
    assert expected.dtype == np.float32
    assert np.abs(vectors - expected).max() < 1e-4


async def test_it_keeps_order_refuses_bad_text_and_closes() -> None:
    opened = SentenceTransformerEmbedder(packaged_weights_folder())
    assert (await opened.embed([])).shape == (0, 384)
    texts = [f"{'long ' * (number % 7)}note {number}" for number in range(20)]
    together = await opened.embed(texts, priority="query")
    alone = np.concatenate([await opened.embed([text]) for text in texts])
    assert np.abs(together - alone).max() < 1e-5
    with pytest.raises(InvalidTextError):
        await opened.embed(["half \ud83d"])
    await opened.close()
    await opened.close()
    with pytest.raises(EmbeddingError, match="closed"):
        await opened.embed(["text"])


async def test_a_folder_that_torch_can_not_load_is_an_embedding_model_error(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(packaged_weights_folder(), folder, ignore=shutil.ignore_patterns("*.safetensors"))
    (folder / "model.safetensors").write_bytes(b"not weights")
    opened = SentenceTransformerEmbedder(folder)
    with pytest.raises(EmbeddingModelError, match="can't be loaded"):
        await opened.warmup()
    await opened.close()


async def test_a_missing_folder_is_an_embedding_model_error(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingModelError, match="There is no embedding model"):
        await SentenceTransformerEmbedder.open(tmp_path / "nowhere")
