"""The `keepsake` command: what it answers without opening a window."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from assistant.__main__ import CHILD_MODULES, main
from assistant.core.process import child_command
from assistant.core.version import VERSION

REPO = Path(__file__).resolve().parents[2]


def test_version_prints_name_and_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"keepsake {VERSION}\n"


@pytest.mark.parametrize("words", [["--no-such-option"], ["open"], ["--profile"], ["--vers"]])
def test_unknown_words_end_with_two_and_the_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "usage: keepsake" in capsys.readouterr().err


def test_help_ends_well(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "--self-test" in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["os"], ["assistant.core.errors"], ["assistant.models"]])
def test_only_listed_modules_run_as_a_child(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--child", *words]) == 2
    assert CHILD_MODULES[0] in capsys.readouterr().err


@pytest.mark.parametrize("module", CHILD_MODULES)
def test_every_listed_module_is_there(module: str) -> None:
    assert (REPO / (module.replace(".", "/") + ".py")).is_file()


def test_a_frozen_program_starts_itself_as_the_child(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert child_command(CHILD_MODULES[0]) == [sys.executable, "--child", CHILD_MODULES[0]]


def test_the_command_answers_as_a_module_of_its_own_process(home: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "assistant", "--version"],
        cwd=home,
        env={**os.environ, "PYTHONPATH": str(REPO)},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, f"keepsake {VERSION}\n", "")
