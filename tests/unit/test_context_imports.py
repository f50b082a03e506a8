"""The context engine costs nothing before it counts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]

CODE = """
import sys
import assistant.context
from assistant.context import *
engine = ContextEngine("openai:gpt-5-mini")
engine.add_layer("identity", content="Be brief.")
heavy = {"toktok", "bpe_openai", "openai", "httpx2", "chromadb", "onnxruntime", "tokenizers", "numpy", "PySide6"}
print(sorted(heavy & set(sys.modules)))
"""


def test_importing_and_filling_an_engine_loads_no_tokenizer_and_nothing_heavy(home: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", CODE],
        env={**os.environ, "PYTHONPATH": str(REPO)},
        cwd=home,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ended.stdout.strip() == "[]"
