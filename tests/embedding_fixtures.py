"""The exported embedding model for tests: made once, kept in the project's own cache, rebuilt when damaged."""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from assistant.embedding.manifest import MANIFEST_FILE, export_folder_name
from assistant.embedding.onnx_embedder import OnnxEmbedder
from assistant.embedding.provision import open_embedder
from assistant.embedding.weights import PACKAGED_SHA256

REPO = Path(__file__).resolve().parent.parent
TEST_CACHE = REPO / ".cache" / "embedding-test-model"


@pytest.fixture(scope="session")
def exported_model() -> Path:
    """The folder of the exported model. Read it only; `copied_model` gives one to damage."""

    async def provide() -> None:
        embedder = await open_embedder(TEST_CACHE)
        await embedder.close()

    folder = TEST_CACHE / export_folder_name(PACKAGED_SHA256)
    asyncio.run(provide())
    assert (folder / MANIFEST_FILE).is_file(), "the embedding model could not be exported; see the log"
    return folder


@pytest.fixture
def copied_model(exported_model: Path, tmp_path: Path) -> Path:
    """A copy of the exported model that a test may damage."""
    return Path(shutil.copytree(exported_model, tmp_path / "model"))


@asynccontextmanager
async def embedder(folder: Path) -> AsyncIterator[OnnxEmbedder]:
    """An embedder over an exported model, closed at the end."""
    opened = OnnxEmbedder(folder)
    try:
        yield opened
    finally:
        await opened.close()


def seed_embedding_cache(exported_model: Path, cache_dir: Path) -> None:
    """Put the exported model into another cache folder, so that an app started over it need not export."""
    target = cache_dir / exported_model.name
    target.mkdir(parents=True, exist_ok=True)
    for source in exported_model.iterdir():
        try:
            os.link(source, target / source.name)
        except OSError:
            shutil.copyfile(source, target / source.name)
