"""The set-up says what is missing, with the command that installs it, before it touches anything."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parents[2]


def _copy_of_the_set_up(folder: Path) -> Path:
    for name in ("packaging/setup.sh", "packaging/check_system.py", "pyproject.toml", "constraints.txt"):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(REPO / name, target)
    return folder


def _set_up(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", str(folder / "packaging" / "setup.sh"), *words],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=60,
    )


def _fake_python(folder: Path, *, fits: bool, checks: int = 0) -> Path:
    """A stand-in that answers the version question, and the system check with the exit code `checks`."""
    script = folder / "fake-python"
    script.write_text(
        "#!/bin/sh\n"
        f'case "$1" in -c) exit {0 if fits else 1};; -V) echo Python 3.12.0;; *) exit {checks};; esac\n'
    )
    script.chmod(0o755)
    return script


def test_without_a_fitting_python_it_names_the_command(tmp_path: Path) -> None:
    folder = _copy_of_the_set_up(tmp_path / "tree")
    ended = _set_up(folder, "run", PYTHON=str(_fake_python(tmp_path, fits=False)))
    assert ended.returncode == 1
    assert "3.11, 3.12 or 3.13" in ended.stderr
    assert "install python" in ended.stderr
    assert not (folder / ".venv").exists()


def test_a_missing_part_of_the_system_ends_it_before_an_environment_is_made(tmp_path: Path) -> None:
    folder = _copy_of_the_set_up(tmp_path / "tree")
    ended = _set_up(folder, "run", PYTHON=str(_fake_python(tmp_path, fits=True, checks=1)))
    assert ended.returncode == 1
    assert not (folder / ".venv").exists()


def test_an_unknown_purpose_is_refused(tmp_path: Path) -> None:
    ended = _set_up(_copy_of_the_set_up(tmp_path / "tree"), "fly")
    assert ended.returncode == 2
    assert "run|test" in ended.stderr


def _check(code: str) -> subprocess.CompletedProcess[str]:
    """Runs code in which `check` is packaging/check_system.py as a module."""
    return subprocess.run(
        [sys.executable, "-c", f"import check_system as check, sys\n{code}"],
        env={**os.environ, "PYTHONPATH": str(REPO / "packaging")},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_a_library_that_is_not_there_is_named_with_its_package() -> None:
    ended = _check(
        "check.LIBRARIES.clear()\n"
        "check.LIBRARIES['libno-such-thing.so.9'] = 'libno-such-thing9'\n"
        "check.platform.system = lambda: 'Linux'\n"
        "check.shutil.which = lambda name: '/usr/bin/apt-get'\n"
        "sys.exit(check.main(['run']))"
    )
    assert ended.returncode == 1
    assert "libno-such-thing.so.9" in ended.stderr
    assert "sudo apt-get install libno-such-thing9" in ended.stderr


def test_a_python_without_venv_is_told_apart_from_one_that_has_it() -> None:
    ended = _check(
        "check.importlib.util.find_spec = lambda name: None\n"
        "check.platform.system = lambda: 'Darwin'\n"
        "sys.exit(check.main(['run']))"
    )
    assert ended.returncode == 1
    assert "Python module venv" in ended.stderr
    assert "brew install python" in ended.stderr


def test_the_packages_alone_are_one_line_for_scripts() -> None:
    ended = _check(
        "check.LIBRARIES.clear()\n"
        "check.LIBRARIES['libno-such-thing.so.9'] = 'libno-such-thing9'\n"
        "check.platform.system = lambda: 'Linux'\n"
        "sys.exit(check.main(['run', '--packages']))"
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "libno-such-thing9\n", "")
