"""What the architecture tests share: the tree on disk, and an interpreter that has loaded nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]

FreshInterpreter = Callable[[str], str]


@pytest.fixture
def fresh_interpreter(home: Path) -> FreshInterpreter:
    """Runs code in a new interpreter and returns what it printed; an error there fails the test."""

    def run(code: str) -> str:
        environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(REPO)}
        ended = subprocess.run(
            [sys.executable, "-c", code],
            env=environment,
            cwd=home,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert ended.returncode == 0, ended.stderr
        return ended.stdout.strip()

    return run


@pytest.fixture
def repo() -> Path:
    return REPO
