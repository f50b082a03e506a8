"""The record beside an exported model: what it was made from, and the digest of each of its files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import EmbeddingModelError
from assistant.embedding.weights import ModelWeights, file_sha256

FORMAT = 2
"""Raised when an older export must be made again."""

MANIFEST_FILE = "manifest.json"
GRAPH_FILE = "model.onnx"
WEIGHTS_FILE = "model.onnx.data"
TOKENIZER_FILE = "tokenizer.json"
WORK_PREFIX, GRAVE_PREFIX = ".export-", ".damaged-"
"""Begin the names of the folders beside an export that hold a running or a replaced one."""
OUTPUT_NAME = "sentence_embedding"
EXPORTED_FILES = (GRAPH_FILE, WEIGHTS_FILE, TOKENIZER_FILE)


@dataclass(frozen=True, slots=True)
class FileDigest:
    """Size in bytes and SHA-256 (hex) of one file."""

    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ExportManifest:
    """What an exported model is.

    Attributes:
        format: see FORMAT.
        embedder_id, weights_sha256, dimension, max_seq_length: as in ModelWeights.
        exporter: name and version of what made it.
        files: name within the folder -> its digest.
    """

    format: int
    embedder_id: str
    weights_sha256: str
    dimension: int
    max_seq_length: int
    exporter: str
    files: Mapping[str, FileDigest]


def export_folder_name(weights_sha256: str) -> str:
    """The name of the export of these weights within a cache folder."""
    return f"{weights_sha256[:16]}-f{FORMAT}"


def write_manifest(folder: Path, weights: ModelWeights, *, exporter: str) -> ExportManifest:
    """Record the exported files of `folder`, which must all be there.

    Raises:
        OSError: a file is missing, or the disk is full.
    """
    manifest = ExportManifest(
        format=FORMAT,
        embedder_id=weights.embedder_id,
        weights_sha256=weights.sha256,
        dimension=weights.dimension,
        max_seq_length=weights.max_seq_length,
        exporter=exporter,
        files={
            name: FileDigest((folder / name).stat().st_size, file_sha256(folder / name))
            for name in EXPORTED_FILES
        },
    )
    (folder / MANIFEST_FILE).write_text(json.dumps(asdict(manifest), indent=2), encoding="utf-8")
    return manifest


def read_manifest(folder: Path) -> ExportManifest:
    """Read the record of an exported model; its files are not looked at.

    Raises:
        EmbeddingModelError: there is none, or it can't be understood.
    """
    try:
        content: Any = json.loads((folder / MANIFEST_FILE).read_text(encoding="utf-8"))
        files = {
            str(name): FileDigest(int(entry["size"]), str(entry["sha256"]))
            for name, entry in content["files"].items()
        }
        manifest = ExportManifest(
            format=int(content["format"]),
            embedder_id=str(content["embedder_id"]),
            weights_sha256=str(content["weights_sha256"]),
            dimension=int(content["dimension"]),
            max_seq_length=int(content["max_seq_length"]),
            exporter=str(content["exporter"]),
            files=files,
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as exc:
        raise _damaged(folder, f"{MANIFEST_FILE}: {type(exc).__name__}: {exc}") from exc
    if manifest.format != FORMAT or not set(EXPORTED_FILES) <= set(files):
        raise _damaged(folder, f"{MANIFEST_FILE}: format {manifest.format}, files {sorted(files)}")
    return manifest


def verify_export(folder: Path) -> ExportManifest:
    """Read the record of an exported model and check each file against it.

    Reads every byte (a tenth of a second for 90 MB): call it off the event loop.

    Raises:
        EmbeddingModelError: anything is missing or damaged.
    """
    manifest = read_manifest(folder)
    for name in EXPORTED_FILES:
        expected = manifest.files[name]
        try:
            intact = (folder / name).stat().st_size == expected.size
            intact = intact and file_sha256(folder / name) == expected.sha256
        except OSError as exc:
            raise _damaged(folder, f"{name}: {exc}") from exc
        if not intact:
            raise _damaged(folder, f"{name}: not the file that was exported")
    return manifest


def _damaged(folder: Path, detail: str) -> EmbeddingModelError:
    return EmbeddingModelError(
        "The prepared embedding model is missing or damaged. Nothing that is stored is lost.",
        hint="Start Keepsake again to prepare it anew.",
        detail=f"{folder}: {detail}",
    )
