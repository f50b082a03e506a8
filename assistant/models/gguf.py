"""Reads what a GGUF model file says about itself, without loading it.

Source of the format: ggml's docs/gguf.md, versions 2 and 3.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from assistant.core.errors import LocalModelError

MAGIC = b"GGUF"

_FORMATS = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}
_STRING, _ARRAY = 8, 9
_LONGEST_KEY = 65_535
_LONGEST_STRING = 16 * 1024 * 1024
_MOST_ENTRIES = 10_000
_NOT_FOR_CHAT = frozenset(
    ("bert", "nomic-bert", "nomic-bert-moe", "jina-bert-v2", "jina-bert-v3", "modern-bert", "clip", "t5encoder",
     "wavtokenizer-dec", "whisper")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GGUFInfo:
    """What a model file says about itself.

    Attributes:
        path: the file.
        size: bytes.
        name: the model's own name, or the file's when it has none.
        architecture: "llama", "qwen3"; empty when the file does not say.
        context_length: tokens that the model was trained to read, None when the file does not say.
    """

    path: Path
    size: int
    name: str
    architecture: str
    context_length: int | None


def read_gguf(path: Path) -> GGUFInfo:
    """Read the head of a model file. Blocks; call it off the loop's thread.

    Raises:
        LocalModelError: there is no such file, it can't be read, it is not a GGUF file, it is damaged, or it is
            no chat model.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            entries = _entries(file, path)
    except FileNotFoundError:
        raise LocalModelError(
            f"The model file {path.name} is not there any more.",
            hint="Choose a model file in Settings.",
            detail=str(path),
        ) from None
    except OSError as exc:
        raise LocalModelError(
            f"The model file {path.name} can't be read.",
            hint="Check that you may read it, or choose another one in Settings.",
            detail=str(exc),
        ) from exc
    architecture = _text(entries.get("general.architecture"))
    if architecture in _NOT_FOR_CHAT or entries.get("general.type") in ("mmproj", "adapter", "vocab"):
        raise LocalModelError(
            f"{path.name} is not a chat model, but a part for another purpose.",
            hint="Choose the file of the chat model itself in Settings.",
            detail=f"architecture {architecture}",
        )
    context = entries.get(f"{architecture}.context_length")
    return GGUFInfo(
        path=path,
        size=size,
        name=_text(entries.get("general.name")) or path.stem,
        architecture=architecture,
        context_length=context if isinstance(context, int) and context > 0 else None,
    )


def _entries(file: BinaryIO, path: Path) -> dict[str, Any]:
    """The entries before the vocabulary, which is long and says nothing that is needed here."""
    if file.read(4) != MAGIC:
        raise LocalModelError(
            f"{path.name} is not a model file in GGUF format.",
            hint="Choose a file whose name ends in .gguf in Settings.",
        )
    try:
        version, _, count = struct.unpack("<IQQ", _exactly(file, 20))
        if version not in (2, 3) or count > _MOST_ENTRIES:
            raise ValueError(f"GGUF version {version} with {count} entries")
        found: dict[str, Any] = {}
        for _ in range(count):
            key = _string(file, _LONGEST_KEY)
            if key.startswith("tokenizer."):
                break
            found[key] = _value(file, _number(file, "<I"))
    except (ValueError, struct.error) as exc:
        raise LocalModelError(
            f"The model file {path.name} is damaged or of a kind that Keepsake does not know.",
            hint="Get the file again, or choose another one in Settings.",
            detail=str(exc),
        ) from exc
    return found


def _value(file: BinaryIO, kind: int) -> Any:
    if kind == _STRING:
        return _string(file, _LONGEST_STRING)
    if kind == _ARRAY:
        inner, length = _number(file, "<I"), _number(file, "<Q")
        if length > _LONGEST_STRING:
            raise ValueError(f"an array of {length} values")
        for _ in range(length):
            _value(file, inner)
        return None
    return _number(file, _FORMATS.get(kind, ""))


def _number(file: BinaryIO, layout: str) -> Any:
    if not layout:
        raise ValueError("a value of unknown type")
    return struct.unpack(layout, _exactly(file, struct.calcsize(layout)))[0]


def _string(file: BinaryIO, longest: int) -> str:
    length = _number(file, "<Q")
    if length > longest:
        raise ValueError(f"a text of {length} bytes")
    return _exactly(file, length).decode("utf-8", "replace")


def _exactly(file: BinaryIO, length: int) -> bytes:
    read = file.read(length)
    if len(read) != length:
        raise ValueError("the file ends too early")
    return read


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
