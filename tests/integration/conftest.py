"""Homes for whole applications."""

from __future__ import annotations

from pathlib import Path

import pytest

from assistant.config.paths import AppPaths
from tests.embedding_fixtures import seed_embedding_cache


@pytest.fixture
def app_home(tmp_path: Path, exported_model: Path) -> Path:
    """A folder for KEEPSAKE_HOME whose cache holds the exported embedding model: a warm start."""
    folder = tmp_path / "app"
    cache = AppPaths.below(folder).cache
    cache.mkdir(parents=True, mode=0o700)
    seed_embedding_cache(exported_model, cache)
    return folder
