"""No library under Keepsake reports to its maker."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[2]

EMBED = """
import asyncio, sys
from pathlib import Path
from assistant.embedding.onnx_embedder import OnnxEmbedder

async def embed():
    embedder = OnnxEmbedder(Path(sys.argv[1]))
    await embedder.embed(["Moved to Porto."], priority="query")
    await embedder.close()

asyncio.run(embed())
"""

REMEMBER = """
import asyncio, sys
from pathlib import Path
from assistant.embedding.onnx_embedder import OnnxEmbedder
from assistant.memory.chroma_provider import ChromaProvider

async def remember():
    embedder = OnnxEmbedder(Path(sys.argv[1]))
    memory = ChromaProvider(persist_directory=sys.argv[2], embedder=embedder)
    await memory.add("Moved to Porto.")
    await memory.search("Porto")
    await memory.close()
    await embedder.close()

asyncio.run(remember())
"""

ON_CI = ("CI", "GITHUB_ACTIONS", "TF_BUILD", "BUILDKITE", "ORT_DISABLE_TELEMETRY", "ORT_RUNNING_UNIT_TESTS")
"""Variables that would switch it off by themselves."""


def _environment(home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ON_CI}
    return {**kept, "HOME": str(home), "PYTHONPATH": str(REPO)}


@pytest.mark.parametrize("code", [EMBED, REMEMBER], ids=["embedding", "memory"])
def test_nothing_is_left_in_the_home_and_nobody_is_called(
    code: str, home: Path, tmp_path: Path, exported_model: Path
) -> None:
    trace = tmp_path / "trace"
    command = [sys.executable, "-c", code, str(exported_model), str(tmp_path / "memory")]
    if strace := shutil.which("strace"):
        command = [strace, "-f", "-qq", "-e", "trace=connect,sendto", "-o", str(trace), *command]
    ended = subprocess.run(
        command, cwd=home, env=_environment(home), capture_output=True, text=True, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    assert [str(path) for path in home.rglob("*") if path.is_file()] == []
    called = trace.read_text(errors="replace") if trace.exists() else ""
    assert [line for line in called.splitlines() if "AF_INET" in line] == []
