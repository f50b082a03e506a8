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
from assistant.embedding.manifest import (
    GRAPH_FILE,
    GRAVE_PREFIX,
    OUTPUT_NAME,
    TOKENIZER_FILE,
    WORK_PREFIX,
    verify_export,
    write_manifest,
)
from assistant.embedding.weights import packaged_weights_folder, verified_weights

if TYPE_CHECKING:
    from torch import Tensor, nn

    from assistant.embedding.base import Vectors

Report = Callable[[str, int, int], None]

STEPS = ("Reading the embedding model", "Preparing it for this computer", "Comparing the result", "Saving it")
LEAST_COSINE = 0.9999

_LONGEST = 512
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
    model = _pooled_model(weights.folder)
    report(STEPS[1], 1, len(STEPS))
    exporter = _write_graph(model, work / GRAPH_FILE)
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


def _pooled_model(folder: Path) -> nn.Module:
    try:
        import torch
        from transformers import AutoModel
    except ImportError as exc:
        raise EmbeddingModelError(
            "The packages that prepare the embedding model are not installed.", detail=str(exc)
        ) from exc

    class Pooled(torch.nn.Module):
        """Token vectors of the transformer, averaged over the mask and brought to unit length."""

        def __init__(self, transformer: nn.Module) -> None:
            super().__init__()
            self.transformer = transformer

        def forward(self, input_ids: Tensor, attention_mask: Tensor) -> Tensor:
            states = self.transformer(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            weight = attention_mask.unsqueeze(-1).to(states.dtype)
            mean = (states * weight).sum(dim=1) / weight.sum(dim=1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, dim=-1)

    transformer = AutoModel.from_pretrained(
        folder,
        local_files_only=True,
        use_safetensors=True,
        # Plain operators: the fused attention of torch leaves NaN guards and copies of masks in the graph.
        attn_implementation="eager",
        dtype=torch.float32,
    )
    return Pooled(transformer).eval()


def _write_graph(model: nn.Module, path: Path) -> str:
    import torch

    # Sizes 0 and 1 would be taken as constants of the graph; 3 texts of 17 ids stand for any number.
    ids = torch.arange(3 * 17).reshape(3, 17) + 1000
    mask = torch.ones_like(ids)
    mask[1, 9:] = 0
    batch, tokens = torch.export.Dim("batch", min=1), torch.export.Dim("tokens", min=2, max=_LONGEST)
    shape = {0: batch, 1: tokens}
    program = torch.onnx.export(
        model,
        (ids, mask),
        dynamo=True,
        dynamic_shapes={"input_ids": shape, "attention_mask": shape},
        input_names=["input_ids", "attention_mask"],
        output_names=[OUTPUT_NAME],
        verbose=False,
    )
    if program is None:
        raise EmbeddingModelError("The exporter gave no model.")
    # Weights in a file of their own are mapped into memory, not read: loading is faster and takes half.
    program.save(path, external_data=True)
    _strip_traces(path)
    return f"torch {torch.__version__}"


def _strip_traces(path: Path) -> None:
    """Drop the notes of the exporter: half a megabyte of stack traces with the paths of this computer."""
    import onnx

    model = onnx.load(str(path), load_external_data=False)
    del model.metadata_props[:]
    graph = model.graph
    for part in (graph, *graph.node, *graph.input, *graph.output, *graph.value_info, *graph.initializer):
        del part.metadata_props[:]
        part.doc_string = ""
    onnx.save(model, str(path))


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
