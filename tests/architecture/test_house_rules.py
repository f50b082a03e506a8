"""Rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from assistant.core.version import VERSION

REPO = Path(__file__).resolve().parents[2]
SOURCES = sorted((REPO / "assistant").rglob("*.py"))
MAX_LINES = 400
NOT_OURS = {
    ".git",
    ".venv",
    "build",
    "dist",
    "__pycache__",
    ".cache",
    ".hypothesis",
    ".mypy_cache",
    ".ruff_cache",
}
TEXT_SUFFIXES = {
    ".py",
    ".md",
    ".toml",
    ".txt",
    ".sh",
    ".spec",
    ".desktop",
    ".svg",
    ".json",
    ".qss",
    ".yml",
    "",
}


def _shown(path: Path, line: int) -> str:
    return f"{path.relative_to(REPO)}:{line}"


def _nodes(path: Path) -> Iterator[ast.AST]:
    return ast.walk(ast.parse(path.read_text(encoding="utf-8")))


def _called(node: ast.AST) -> str:
    """The last name of what a call calls, empty when the node is no call."""
    if not isinstance(node, ast.Call):
        return ""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


def _text_files() -> Iterator[Path]:
    for path in sorted(REPO.rglob("*")):
        ours = NOT_OURS.isdisjoint(path.relative_to(REPO).parts) and not any(
            part.endswith(".egg-info") for part in path.relative_to(REPO).parts
        )
        if ours and path.suffix in TEXT_SUFFIXES and path.is_file():
            yield path


def test_a_file_has_one_reason_to_exist() -> None:
    long = {
        str(path.relative_to(REPO)): lines
        for path in SOURCES
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
    }
    assert long == {}


def test_no_dialog_blocks_the_loop() -> None:
    found = [
        _shown(path, node.lineno)
        for path in (REPO / "assistant" / "ui").rglob("*.py")
        for node in _nodes(path)
        if isinstance(node, ast.Call) and _called(node) in ("exec", "exec_")
    ]
    assert found == [], "use open() and a future on finished"


def _starts_task(node: ast.AST) -> bool:
    return _called(node) in ("create_task", "ensure_future", "run_coroutine_threadsafe")


def _drops_task(node: ast.AST) -> bool:
    """Whether a started task is kept by nobody: its failure would be silent, and it could vanish in mid-work."""
    return isinstance(node, ast.Expr | ast.Lambda) and _starts_task(
        node.value if isinstance(node, ast.Expr) else node.body
    )


def test_no_task_is_started_and_forgotten() -> None:
    found = [
        _shown(path, node.lineno)
        for path in SOURCES
        for node in _nodes(path)
        if isinstance(node, ast.Expr | ast.Lambda) and _drops_task(node)
    ]
    assert found == [], "start tasks through core.tasks.Supervisor"


def test_the_window_starts_tasks_through_the_supervisor_alone() -> None:
    found = [
        _shown(path, node.lineno)
        for path in (REPO / "assistant" / "ui").rglob("*.py")
        for node in _nodes(path)
        if isinstance(node, ast.Call) and _starts_task(node)
    ]
    assert found == [], "start tasks through core.tasks.Supervisor"


def _catches_everything(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return any(isinstance(kind, ast.Name) and kind.id in ("Exception", "BaseException") for kind in kinds)


def _raises_again(handler: ast.ExceptHandler) -> bool:
    return any(isinstance(node, ast.Raise) for node in ast.walk(handler))


def test_a_handler_for_everything_says_why() -> None:
    found = []
    for path in SOURCES:
        lines = path.read_text(encoding="utf-8").splitlines()
        for node in _nodes(path):
            if (
                not isinstance(node, ast.ExceptHandler)
                or not _catches_everything(node)
                or _raises_again(node)
            ):
                continue
            if not re.search(r"noqa: BLE001\W+\w+ \w+", lines[node.lineno - 1]):
                found.append(_shown(path, node.lineno))
    assert found == [], "catch the exceptions that can come, or add noqa: BLE001 and the reason"


def test_every_file_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(REPO))
        for path in SOURCES
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_the_architecture_names_every_package() -> None:
    text = (REPO / "ARCHITECTURE.md").read_text(encoding="utf-8")
    packages = {
        "/".join(path.parent.relative_to(REPO / "assistant").parts)
        for path in SOURCES
        if path.name == "__init__.py" and path.parent != REPO / "assistant"
    }
    assert [name for name in sorted(packages) if f"{name}/" not in text] == []


def test_the_architecture_names_nothing_that_is_not_there() -> None:
    text = (REPO / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:assistant|tests|packaging|benchmarks|resources|docs)/[\w./-]*)`", text)
    assert [name for name in sorted(set(named)) if not (REPO / name).exists()] == []


def test_the_changelog_has_this_version_or_what_comes_next() -> None:
    text = (REPO / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## \[(Unreleased|{re.escape(VERSION)})\]", text, re.MULTILINE)


def test_the_licence_is_there_in_full() -> None:
    text = (REPO / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text
    assert "Version 2.0, January 2004" in text
    assert "END OF TERMS AND CONDITIONS" in text
    assert "Apache License, Version 2.0" in (REPO / "NOTICE").read_text(encoding="utf-8")


def _dependency_lines() -> Iterator[tuple[str, str]]:
    """Each line of pyproject.toml that asks for a package, with the line above it."""
    lines = (REPO / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads("\n".join(lines))["project"]
    wanted = {
        *project["dependencies"],
        *(name for group in project["optional-dependencies"].values() for name in group),
    }
    for above, line in pairwise(lines):
        if line.strip().rstrip(",").strip('"') in wanted:
            yield line.strip(), above.strip()


def test_every_dependency_has_its_reason() -> None:
    assert [line for line, above in _dependency_lines() if not above.startswith("#")] == []


HOSTS = (
    "pypi" + ".org",
    "python" + "hosted.org",
    "deb.debian" + ".org",
    "registry.npm" + "js.org",
    "download.py" + "torch.org",
)


@pytest.mark.parametrize("host", HOSTS)
def test_no_file_names_a_package_registry(host: str) -> None:
    found = [
        str(path.relative_to(REPO))
        for path in _text_files()
        if host in path.read_text(encoding="utf-8", errors="ignore")
    ]
    assert found == []
