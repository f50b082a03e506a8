"""Makes an ONNX model from embedding weights. Runs as a process of its own: torch never enters the app.

    python -m assistant.embedding.export --target FOLDER [--weights FOLDER] [--work FOLDER]

Standard output carries one JSON object a line: {"step": …, "done": n, "total": m} while it goes on, and
{"error": …} before it ends with code 1. The target appears whole or not at all.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from assistant.core.errors import AssistantError, EmbeddingModelError
from assistant.embedding.export_graph import lean_model, load_pooled_model, write_graph
from assistant.embedding.manifest import (
    GRAPH_FILE,
    GRAVE_PREFIX,
    TOKENIZER_FILE,
    WORK_PREFIX,
    verify_export,
    write_manifest,
)
from assistant.embedding.weights import packaged_weights_folder, verified_weights

if TYPE_CHECKING:
    from torch import nn

    from assistant.embedding.base import Vectors

Report = Callable[[str, int, int], None]

STEPS = ("Reading the embedding model", "Preparing it for this computer", "Comparing the result", "Saving it")
LEAST_COSINE = 0.9999

_PROOF = (
    "Allergic to penicillin.",
    "",
    "Project Atlas ships on 2026-09-01; the platform team owns it",
    "她每天早上六点起床去跑步。",
    "Моя сестра переехала в Лиссабон прошлой весной.",
    "😀 naïve café, 1½ miles",
    "The garden needs water twice a week in summer, and the tomatoes even more. " * 30,
)


def export_model(folder: Path, target: Path, *, work: Path, report: Report) -> None:
    """Export the packaged weights in `folder` to `target`, by way of the empty folder `work` beside it.

    The graph takes token ids and mask, and includes mean pooling and L2 normalisation. It is compared with
    torch on sentences of several lengths before it is published.

    Raises:
        EmbeddingModelError: the weights are damaged, can't be exported, or the result differs.
        OSError: the disk is full or read-only.
    """
    report(STEPS[0], 0, len(STEPS))
    weights = verified_weights(folder)
    if weights.pooling != "mean":
        raise EmbeddingModelError(f"Only mean pooling is exported, not {weights.pooling}.")
    model = load_pooled_model(weights.folder)
    report(STEPS[1], 1, len(STEPS))
    exporter = write_graph(lean_model(model), work / GRAPH_FILE)
    shutil.copyfile(weights.folder / TOKENIZER_FILE, work / TOKENIZER_FILE)
    write_manifest(work, weights, exporter=exporter)
    report(STEPS[2], 2, len(STEPS))
    prove_equal(model, work, max_length=weights.max_seq_length)
    report(STEPS[3], 3, len(STEPS))
    publish(work, target)
    report(STEPS[3], 4, len(STEPS))


def publish(work: Path, target: Path) -> None:
    """Move a finished export to its place; an intact one that another process put there first stays.

    Raises:
        OSError: the place can't be written.
    """
    for _ in range(5):
        try:
            os.replace(work, target)
            return
        except OSError:
            if not target.exists():
                raise
        try:
            verify_export(target)
            return
        except EmbeddingModelError:
            _set_aside(target)
    raise OSError(f"{target} is being written by several processes")


def _set_aside(target: Path) -> None:
    grave = Path(tempfile.mkdtemp(prefix=GRAVE_PREFIX, dir=target.parent))
    try:
        os.replace(target, grave / target.name)
    except FileNotFoundError:
        pass  # another process was faster
    finally:
        shutil.rmtree(grave, ignore_errors=True)


def prove_equal(model: nn.Module, folder: Path, *, max_length: int) -> None:
    """Compare the export in `folder` with the torch model that it was made from, alone and in a batch.

    Raises:
        EmbeddingModelError: a cosine below LEAST_COSINE.
    """
    import asyncio

    import numpy as np

    from assistant.embedding.onnx_embedder import OnnxEmbedder

    async def embedded() -> tuple[Vectors, Vectors]:
        embedder = OnnxEmbedder(folder)
        try:
            alone = [await embedder.embed([text], priority="query") for text in _PROOF]
            return np.concatenate(alone), await embedder.embed(_PROOF)
        finally:
            await embedder.close()

    expected = _torch_vectors(model, folder / TOKENIZER_FILE, max_length)
    for made in asyncio.run(embedded()):
        lowest = float((made * expected).sum(axis=1).min())
        if not lowest >= LEAST_COSINE:
            raise EmbeddingModelError(
                "The prepared embedding model does not give the vectors of the original, so it is not used.",
                detail=f"lowest cosine {lowest:.6f}",
            )


def _torch_vectors(model: nn.Module, tokenizer_file: Path, max_length: int) -> Vectors:
    import numpy as np
    import torch
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_length)
    rows = []
    with torch.inference_mode():
        for text in _PROOF:
            ids = torch.tensor([tokenizer.encode(text).ids])
            rows.append(model(ids, torch.ones_like(ids)).numpy())
    vectors: Vectors = np.concatenate(rows).astype(np.float32)
    return vectors


def _claim_stdout() -> TextIO:
    """Take standard output for the JSON lines alone; what libraries print goes to standard error."""
    own = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8", buffering=1)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="assistant.embedding.export", description=__doc__)
    parser.add_argument("--target", type=Path, required=True, help="folder to make")
    parser.add_argument("--weights", type=Path, help="model folder; the installed package without it")
    parser.add_argument("--work", type=Path, help="empty folder beside the target; made when left out")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run as a process; returns its exit code."""
    options = _parse(arguments)
    if hasattr(os, "nice"):
        os.nice(10)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1")
    warnings.simplefilter("ignore")
    lines = _claim_stdout()

    def report(step: str, done: int, total: int) -> None:
        lines.write(json.dumps({"step": step, "done": done, "total": total}) + "\n")

    target: Path = options.target.absolute()
    work: Path | None = options.work
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if work is None:
            work = Path(tempfile.mkdtemp(prefix=WORK_PREFIX, dir=target.parent))
        export_model(options.weights or packaged_weights_folder(), target, work=work, report=report)
    except (AssistantError, OSError) as exc:
        detail = getattr(exc, "detail", "")
        lines.write(json.dumps({"error": f"{exc} {detail}".strip()}) + "\n")
        return 1
    finally:
        if work is not None:
            shutil.rmtree(work, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
