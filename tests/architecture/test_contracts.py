"""The direction of imports: the contracts of pyproject.toml hold, and no package escapes them."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

LINT = """
import sys
from importlinter.cli import lint_imports
sys.exit(lint_imports(config_filename=sys.argv[1], no_cache=True))
"""


def _contracts(repo: Path) -> dict[str, dict[str, Any]]:
    settings = tomllib.loads((repo / "pyproject.toml").read_text(encoding="utf-8"))
    return {contract["type"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}


def _top_level(repo: Path) -> set[str]:
    """Packages and modules right under assistant/."""
    packages = {path.parent.name for path in (repo / "assistant").glob("*/__init__.py")}
    modules = {path.stem for path in (repo / "assistant").glob("*.py")} - {"__init__"}
    return {f"assistant.{name}" for name in packages | modules}


def test_every_contract_holds(repo: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LINT, str(repo / "pyproject.toml")],
        cwd=repo, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "0 broken" in ended.stdout


def test_every_package_has_its_layer(repo: Path) -> None:
    layers = _contracts(repo)["layers"]["layers"]
    placed = {name.strip() for layer in layers for name in layer.replace(":", "|").split("|")}
    assert _top_level(repo) - placed == set()


def test_every_package_without_a_window_is_kept_from_qt(repo: Path) -> None:
    kept = set(_contracts(repo)["forbidden"]["source_modules"])
    packages = {f"assistant.{path.parent.name}" for path in (repo / "assistant").glob("*/__init__.py")}
    assert packages - kept == {"assistant.ui"}
