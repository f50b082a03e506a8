"""The real export: a child process makes a model that gives the vectors of the original."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from assistant.core.errors import EmbeddingModelError
from assistant.core.process import child_command
from assistant.embedding.export import prove_equal
from assistant.embedding.export_graph import lean_model
from assistant.embedding.export_process import EXPORT_MODULE, run_export
from assistant.embedding.manifest import EXPORTED_FILES, MANIFEST_FILE, verify_export
from assistant.embedding.weights import packaged_weights_folder
from tests.embedding_fixtures import REPO, embedder


@pytest.mark.slow
async def test_an_export_is_whole_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "cache" / "model"
    seen: list[int] = []
    await run_export(
        packaged_weights_folder(), target, progress=lambda _step, done, _total: seen.append(done)
    )
    verify_export(target)
    assert sorted(path.name for path in target.iterdir()) == sorted([*EXPORTED_FILES, MANIFEST_FILE])
    assert list(target.parent.iterdir()) == [target]
    assert seen == [0, 1, 2, 3, 4]
    assert str(REPO).encode() not in (target / "model.onnx").read_bytes()
    async with embedder(target) as model:
        (vector,) = await model.embed(["Allergic to penicillin."])
    assert vector.shape == (384,)


def test_an_export_with_other_vectors_than_the_original_is_refused(copied_model: Path) -> None:
    import torch

    class Other(torch.nn.Module):
        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            return torch.nn.functional.normalize(torch.ones(len(input_ids), 384), dim=-1)

    with pytest.raises(EmbeddingModelError, match="does not give the vectors of the original"):
        prove_equal(Other(), copied_model, max_length=256)


def test_a_transformer_of_another_make_is_exported_as_it_is() -> None:
    import torch

    other = torch.nn.Identity()
    assert lean_model(other) is other


def test_the_exporter_says_in_one_line_why_it_failed(tmp_path: Path) -> None:
    weights = tmp_path / "weights"
    weights.mkdir()
    ended = subprocess.run(
        [
            *child_command(EXPORT_MODULE),
            "--weights",
            str(weights),
            "--target",
            str(tmp_path / "cache" / "model"),
        ],
        cwd=REPO,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert ended.returncode == 1
    *_, last = ended.stdout.splitlines()
    assert "does not hold an embedding model" in json.loads(last)["error"]
    assert list((tmp_path / "cache").iterdir()) == []
