"""Where the built-in embedder comes from, and what happens when a step of that fails."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import shutil
import sys
from pathlib import Path

import pytest

from assistant.core.errors import EmbeddingError, EmbeddingModelError
from assistant.embedding.export import publish
from assistant.embedding.export_process import run_export
from assistant.embedding.manifest import (
    EXPORTED_FILES,
    GRAVE_PREFIX,
    MANIFEST_FILE,
    WORK_PREFIX,
    read_manifest,
    verify_export,
)
from assistant.embedding.onnx_embedder import OnnxEmbedder
from assistant.embedding.provision import open_embedder
from assistant.embedding.sentence_transformer_embedder import SentenceTransformerEmbedder
from assistant.embedding.weights import BUNDLED_FOLDER, packaged_weights_folder
from tests.embedding_fixtures import seed_embedding_cache

COPYING_CHILD = """
import json, shutil, sys
source, options = sys.argv[1], dict(zip(sys.argv[2::2], sys.argv[3::2]))
print(json.dumps({"step": "copying", "done": 0, "total": 1}), flush=True)
print("a library talks")
shutil.copytree(source, options["--work"], dirs_exist_ok=True)
from assistant.embedding.export import publish
from pathlib import Path
publish(Path(options["--work"]), Path(options["--target"]))
print(json.dumps({"step": "copying", "done": 1, "total": 1}), flush=True)
"""
FAILING_CHILD = """
import json
print(json.dumps({"error": "no room left"}))
raise SystemExit(1)
"""
HANGING_CHILD = """
import json, os, sys, threading
print(json.dumps({"step": str(os.getpid()), "done": 0, "total": 1}), flush=True)
threading.Event().wait()
"""


def child(code: str, *words: str) -> list[str]:
    return [sys.executable, "-c", code, *words]


def no_export() -> list[str]:
    return child("raise SystemExit('no export is expected here')")


def damage(path: Path) -> None:
    """Flip one byte in the middle; the size stays."""
    with path.open("r+b") as stream:
        stream.seek(path.stat().st_size // 2)
        byte = stream.read(1)[0]
        stream.seek(-1, os.SEEK_CUR)
        stream.write(bytes([byte ^ 1]))


async def test_the_cached_export_is_used(exported_model: Path, tmp_path: Path) -> None:
    seed_embedding_cache(exported_model, tmp_path)
    opened = await open_embedder(tmp_path, command=no_export())
    await opened.close()
    assert isinstance(opened, OnnxEmbedder)


async def test_the_first_start_exports_and_shows_progress(exported_model: Path, tmp_path: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    opened = await open_embedder(
        tmp_path / "cache",
        progress=lambda *step: seen.append(step),
        command=child(COPYING_CHILD, str(exported_model)),
    )
    await opened.close()
    assert isinstance(opened, OnnxEmbedder)
    assert seen == [("copying", 0, 1), ("copying", 1, 1)]
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [exported_model.name]


@pytest.mark.parametrize("name", [*EXPORTED_FILES, MANIFEST_FILE])
async def test_a_damaged_file_is_found_and_the_model_made_again(
    exported_model: Path, tmp_path: Path, name: str
) -> None:
    target = Path(shutil.copytree(exported_model, tmp_path / exported_model.name))
    if name == MANIFEST_FILE:
        (target / name).write_text("{}", encoding="utf-8")
    else:
        damage(target / name)
    opened = await open_embedder(tmp_path, command=child(COPYING_CHILD, str(exported_model)))
    await opened.close()
    assert isinstance(opened, OnnxEmbedder)
    assert verify_export(target) == read_manifest(exported_model)
    assert [path.name for path in tmp_path.iterdir() if path.name != "home"] == [target.name]


async def test_a_failed_export_falls_back_to_the_same_vectors_and_says_so(
    exported_model: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        opened = await open_embedder(tmp_path / "cache", command=child(FAILING_CHILD))
    await opened.close()
    assert isinstance(opened, SentenceTransformerEmbedder)
    assert opened.embedder_id == OnnxEmbedder(exported_model).embedder_id
    assert "no room left" in caplog.text


async def test_a_cache_that_can_not_be_written_falls_back(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be", encoding="utf-8")
    opened = await open_embedder(tmp_path / "cache")
    await opened.close()
    assert isinstance(opened, SentenceTransformerEmbedder)


async def test_without_export_the_weights_are_used_as_they_are(tmp_path: Path) -> None:
    opened = await open_embedder(tmp_path / "cache", allow_export=False, command=no_export())
    await opened.close()
    assert isinstance(opened, SentenceTransformerEmbedder)
    assert not (tmp_path / "cache").exists()


async def test_missing_weights_are_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingModelError, match="not installed"):
        await open_embedder(tmp_path, locate=lambda: packaged_weights_folder("no_such_package_of_weights"))


async def test_a_frozen_program_uses_the_model_inside_it(
    exported_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(exported_model, tmp_path / BUNDLED_FOLDER)
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    opened = await open_embedder(tmp_path / "cache", command=no_export())
    await opened.close()
    assert isinstance(opened, OnnxEmbedder)
    assert not (tmp_path / "cache").exists()


async def test_a_damaged_model_inside_a_frozen_program_is_an_error(
    exported_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(Path(shutil.copytree(exported_model, tmp_path / BUNDLED_FOLDER)) / "model.onnx.data")
    monkeypatch.setattr(sys, "_MEIPASS", str(tmp_path), raising=False)
    with pytest.raises(EmbeddingModelError, match="damaged"):
        await open_embedder(tmp_path / "cache", command=no_export())


async def hang(tmp_path: Path) -> tuple[asyncio.Future[None], int]:
    """A running export that never ends, and its process id."""
    pids: asyncio.Queue[str] = asyncio.Queue()
    work = asyncio.ensure_future(
        run_export(
            packaged_weights_folder(),
            tmp_path / "cache" / "model",
            progress=lambda step, _done, _total: pids.put_nowait(step),
            command=child(HANGING_CHILD),
        )
    )
    return work, int(await pids.get())


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_cancelling_kills_the_child_and_removes_its_work(tmp_path: Path) -> None:
    work, pid = await hang(tmp_path)
    assert is_running(pid)
    work.cancel()
    with pytest.raises(asyncio.CancelledError):
        await work
    assert not is_running(pid)
    assert list((tmp_path / "cache").iterdir()) == []


async def test_an_export_that_takes_too_long_is_killed(tmp_path: Path) -> None:
    pids: list[int] = []
    with pytest.raises(EmbeddingError, match="longer than 1 seconds"):
        await run_export(
            packaged_weights_folder(),
            tmp_path / "cache" / "model",
            progress=lambda step, _done, _total: pids.append(int(step)),
            time_limit=1.0,
            command=child(HANGING_CHILD),
        )
    assert not any(is_running(pid) for pid in pids)
    assert list((tmp_path / "cache").iterdir()) == []


async def test_old_left_overs_of_killed_exports_are_removed(exported_model: Path, tmp_path: Path) -> None:
    for name in (f"{WORK_PREFIX}old", f"{GRAVE_PREFIX}old", f"{WORK_PREFIX}new"):
        (tmp_path / name).mkdir()
    for name in (f"{WORK_PREFIX}old", f"{GRAVE_PREFIX}old"):
        os.utime(tmp_path / name, (0, 0))
    await run_export(
        packaged_weights_folder(), tmp_path / "model", command=child(COPYING_CHILD, str(exported_model))
    )
    names = {path.name for path in tmp_path.iterdir()} - {"home"}
    assert names == {"model", f"{WORK_PREFIX}new"}


def test_of_two_exports_at_once_the_first_stays_when_intact(copied_model: Path, tmp_path: Path) -> None:
    second = Path(shutil.copytree(copied_model, tmp_path / "second"))
    publish(copied_model, tmp_path / "target")
    publish(second, tmp_path / "target")
    verify_export(tmp_path / "target")
    assert second.exists()


def test_an_export_replaces_a_damaged_one(copied_model: Path, tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.mkdir()
    (target / MANIFEST_FILE).write_text(json.dumps({"format": 0}), encoding="utf-8")
    publish(copied_model, target)
    verify_export(target)
    assert [path for path in tmp_path.iterdir() if path.name.startswith(GRAVE_PREFIX)] == []
